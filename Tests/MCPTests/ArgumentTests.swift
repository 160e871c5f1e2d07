// Arguments are forgiven, not guessed: each rule, on fields of each shape.

import JSON
import Testing

@testable import MCP

@Suite("Arguments")
struct ArgumentTests {
  private static let text = Field.text("text", "", limit: 5)
  private static let free = Field.text("free", "", absentTexts: ["null"])
  private static let id = Field.identifier("id", "")
  private static let flag = Field.flag("flag", "")
  private static let filled = Field.flag("filled", "", falseIsAbsent: true)
  private static let count = Field.integer("count", "", minimum: 1)
  private static let status = Field.choice("status", ["all", "checked"], "")
  private static let texts = Field.texts("texts", "", limit: 5, maximum: 3)
  private static let rows = Field.rows("rows", fields: [id, text, flag], "", nameField: "text", maximum: 3)
  private static let plainRows = Field.rows("plain", fields: [id, flag], "")
  private static let fields: [any ArgumentField] = [
    text, free, id, flag, filled, count, status, texts, rows, plainRows,
  ]

  private func arguments(_ json: String) throws -> Arguments {
    try Arguments(parse(json), fields: Self.fields, unknownArguments: .refused(aliases: [:]))
  }

  /// What a field makes of a value: "absent", the value's description, or the refusal.
  private func read<Value>(_ field: Field<Value>, _ json: String) -> String {
    do {
      let value = try arguments("{\"\(field.name)\":\(json)}").value(of: field)
      return value.map { "\($0)" } ?? "absent"
    } catch let failure as ToolFailure {
      return "refused: \(failure.message)"
    } catch {
      return "\(error)"
    }
  }

  /// The rows of a value, as the text and flag of each.
  private func readRows(_ json: String) -> String {
    do {
      guard let rows = try arguments("{\"rows\":\(json)}").value(of: Self.rows) else { return "absent" }
      let shown = try rows.map { row in
        [
          try row.value(of: Self.id).map { "#\($0)" }, try row.value(of: Self.text),
          try row.value(of: Self.flag).map { "\($0)" },
        ].compactMap { $0 }.joined(separator: " ")
      }
      return "[\(shown.joined(separator: "|"))]"
    } catch let failure as ToolFailure {
      return "refused: \(failure.message)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Absent

  @Test(
    "null, \"\" and blank text are absent everywhere",
    arguments: ["null", "\"\"", "\" \\t \"", "\"\\u00a0\""])
  func absent(value: String) {
    #expect(read(Self.text, value) == "absent")
    #expect(read(Self.id, value) == "absent")
    #expect(read(Self.flag, value) == "absent")
    #expect(read(Self.count, value) == "absent")
    #expect(read(Self.status, value) == "absent")
    #expect(read(Self.texts, value) == "absent")
    #expect(readRows(value) == "absent")
  }

  @Test("what is not given is absent")
  func notGiven() throws {
    #expect(try arguments("{}").value(of: Self.text) == nil)
    #expect(try arguments("{}").value(of: Self.rows) == nil)
    #expect(try !Self.flag.isGiven(in: arguments("{\"flag\":null}")))
    #expect(try Self.flag.isGiven(in: arguments("{\"flag\":false}")))
  }

  @Test("the text \"null\" is absent for booleans, ids and where a field says so, and is a text elsewhere")
  func nullText() {
    #expect(read(Self.flag, "\"null\"") == "absent")
    #expect(read(Self.id, "\"null\"") == "absent")
    #expect(read(Self.free, "\"null\"") == "absent")
    #expect(read(Self.texts, "\"null\"") == "absent")
    #expect(readRows("\"null\"") == "absent")
    #expect(read(Self.text, "\"null\"") == "null")
  }

  @Test("false is absent where the declaration says so, and a value elsewhere")
  func falseIsAbsent() {
    #expect(read(Self.filled, "false") == "absent")
    #expect(read(Self.filled, "\"false\"") == "absent")
    #expect(read(Self.filled, "true") == "true")
    #expect(read(Self.flag, "false") == "false")
  }

  @Test("the last of several members of one name counts")
  func duplicates() throws {
    #expect(try arguments("{\"text\":\"a\",\"text\":\"b\"}").value(of: Self.text) == "b")
    #expect(try arguments("{\"text\":\"a\",\"text\":null}").value(of: Self.text) == nil)
  }

  // MARK: - Text

  @Test(
    "text is put on one line",
    arguments: [
      ("\"a\"", "a"), ("\"  a  \"", "a"), ("\"a\\nb\"", "a b"), ("\"a \\r\\n\\t b\"", "a b"),
      ("\"a\\u0000b\\u001bc\\u007f\"", "abc"), ("\"a\\u2028b\\u0085c\"", "a b c"), ("\"a  b\"", "a  b"),
      ("\"a\\u00a0b\"", "a\u{A0}b"), ("\"\\n\\u0007\\n\"", "absent"), ("\"a\\u200db\"", "a\u{200D}b"),
      ("\"\\u0007 a\"", "a"),
    ])
  func cleaned(value: String, text: String) {
    #expect(read(Self.free, value) == text)
  }

  @Test(
    "numbers for text are taken as written",
    arguments: ["3", "1.50", "1e3", "12345678901234567890123", "-0", "0.10"])
  func numbersForText(number: String) {
    #expect(read(Self.free, number) == number)
    #expect(read(Self.id, number) == number)
  }

  @Test("limits count Unicode scalars of the cleaned text")
  func limit() {
    #expect(read(Self.text, "\" abcde\\n\"") == "abcde")
    #expect(read(Self.text, "\"e\\u0301e\\u0301e\"") == "e\u{301}e\u{301}e")
    #expect(read(Self.text, "\"\u{1F34C}\u{1F34C}\u{1F34C}\u{1F34C}\u{1F34C}\"").count == 5)
    #expect(read(Self.text, "\"abcdef\"") == "refused: text is 6 characters long, and at most 5 are taken")
  }

  @Test("text is neither a boolean nor a list nor an object")
  func noText() {
    #expect(read(Self.free, "true") == "refused: free must be text, not true")
    #expect(read(Self.free, "[ \"a\" ]") == "refused: free must be text, not [\"a\"]")
    #expect(read(Self.free, "{}") == "refused: free must be text, not {}")
  }

  @Test("a choice is met in any capitals")
  func choice() {
    #expect(read(Self.status, "\"checked\"") == "checked")
    #expect(read(Self.status, "\" CHECKED \"") == "checked")
    #expect(
      read(Self.status, "\"done\"") == "refused: status must be one of \"all\", \"checked\", not \"done\"")
    #expect(read(Self.status, "1") == "refused: status must be one of \"all\", \"checked\", not 1")
  }

  // MARK: - Quoted JSON

  @Test("booleans may be quoted")
  func flags() {
    for value in ["true", "\"true\"", "\"True\"", "\" TRUE\""] { #expect(read(Self.flag, value) == "true") }
    for value in ["false", "\"false\"", "\"False\""] { #expect(read(Self.flag, value) == "false") }
    for value in ["1", "0", "\"yes\"", "\"1\"", "[]", "{}"] {
      #expect(read(Self.flag, value) == "refused: flag must be true or false, not \(value)")
    }
  }

  @Test("whole numbers may be quoted, and may be written as decimals")
  func integers() {
    for value in ["3", "\"3\"", "3.0", "\" 3.0 \"", "0.3e1", "30e-1"] {
      #expect(read(Self.count, value) == "3", "\(value)")
    }
    for value in ["3.5", "\"3.5\"", "\"three\"", "true", "[3]", "0", "\"0\"", "-1"] {
      #expect(
        read(Self.count, value) == "refused: count must be a whole number, 1 or more, not \(value)")
    }
    #expect(read(Self.count, "99999999999999999999") == "\(Int.max)")
    #expect(read(Self.count, "1e400") == "\(Int.max)")
    #expect(read(Self.count, "-1e400").hasPrefix("refused"))
  }

  @Test("a list of texts may be quoted; fillers in it are left out")
  func lists() {
    #expect(read(Self.texts, "[\"a\",\"b\"]") == "[\"a\", \"b\"]")
    #expect(read(Self.texts, "\"[\\\"a\\\", 2]\"") == "[\"a\", \"2\"]")
    #expect(read(Self.texts, "[\"a\",null,\" \"]") == "[\"a\"]")
    #expect(read(Self.texts, "[]") == "[]")
    #expect(read(Self.texts, "[null,\"\"]") == "absent")
    #expect(
      read(Self.texts, "\"a, b\"")
        == "refused: texts must be a list of texts like [\"…\", \"…\"], not \"a, b\"")
    #expect(read(Self.texts, "{}") == "refused: texts must be a list of texts like [\"…\", \"…\"], not {}")
    #expect(read(Self.texts, "[\"a\",[1]]") == "refused: texts[1] must be text, not [1]")
    #expect(
      read(Self.texts, "[\"a\",\"bcdefg\"]")
        == "refused: texts[1] is 6 characters long, and at most 5 are taken")
    #expect(
      read(Self.texts, "[1,2,3,4]")
        == "refused: texts has 4 entries, and at most 3 are taken in one call: split it")
  }

  // MARK: - Rows

  @Test("an entry of a list of rows may be just the name; list and entries may be quoted")
  func rows() {
    #expect(readRows("[{\"text\":\"a\",\"flag\":\"true\"},{\"id\":7}]") == "[a true|#7]")
    #expect(readRows("[\"a\",2,{\"text\":\"c\"}]") == "[a|2|c]")
    #expect(readRows("\"[{\\\"text\\\":\\\"a\\\"}]\"") == "[a]")
    #expect(readRows("[\"{\\\"text\\\":\\\"a\\\",\\\"flag\\\":false}\"]") == "[a false]")
    #expect(readRows("{\"text\":\"a\"}") == "[a]", "one object is a list of one")
    #expect(readRows("[null,\"\",\"a\"]") == "[a]")
    #expect(readRows("[\"{a}\"]") == "[{a}]", "braces may be in a name")
    #expect(readRows("[\"null\"]") == "[null]", "and so may anything else")
  }

  @Test("an empty list of rows is a list; one of fillers says nothing")
  func emptyRows() {
    #expect(readRows("[]") == "[]")
    #expect(readRows("\"[]\"") == "[]")
    #expect(readRows("[null]") == "absent")
    #expect(readRows("[\"\",null]") == "absent")
  }

  @Test("what is no row is refused with its place")
  func noRow() {
    #expect(
      readRows("\"a\"") == "refused: rows must be a list like [{\"text\": \"…\"}, …] or [\"…\", …], not \"a\""
    )
    #expect(readRows("7") == "refused: rows must be a list like [{\"text\": \"…\"}, …] or [\"…\", …], not 7")
    #expect(
      readRows("[\"a\",true]")
        == "refused: rows[1] must be an object with id, text, flag or just a text, not true")
    #expect(
      readRows("[[\"a\"]]")
        == "refused: rows[0] must be an object with id, text, flag or just a text, not [\"a\"]")
    #expect(
      readRows("[\"a\",\"b\",\"c\",\"d\"]")
        == "refused: rows has 4 entries, and at most 3 are taken in one call: split it")
    #expect(readRows("[\"abcdef\"]") == "refused: rows[0].text is 6 characters long, and at most 5 are taken")
    #expect(
      readRows("[{\"flag\":\"maybe\"}]") == "refused: rows[0].flag must be true or false, not \"maybe\"")
    #expect(
      read(Self.plainRows, "[\"a\"]") == "refused: plain[0] must be an object with id, flag, not \"a\"",
      "without a name, an entry cannot be one")
    #expect(read(Self.plainRows, "7") == "refused: plain must be a list like [{…}, …], not 7")
  }

  @Test("what is refused is repeated on one line and cut")
  func excerpts() {
    let long = String(repeating: "x", count: 100_000)
    #expect(
      read(Self.flag, "\"a\\n\(long)\"")
        == "refused: flag must be true or false, not \"a\\n\(String(repeating: "x", count: 75))…")
  }

  // MARK: - One or many

  private func entries(_ json: String, defaults: [any ArgumentField] = [Self.flag]) -> String {
    do {
      let entries = try arguments(json).entries(in: Self.rows, defaults: defaults)
      let shown = try entries.map { entry in
        [try entry.value(of: Self.text), try entry.value(of: Self.flag).map { "\($0)" }]
          .compactMap { $0 }.joined(separator: " ")
      }
      return shown.joined(separator: "|")
    } catch let failure as ToolFailure {
      return "refused: \(failure.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test("without a list, the arguments are the only entry; an empty list beside a name is a filler")
  func one() {
    #expect(entries("{\"text\":\"a\",\"flag\":true}") == "a true")
    for filler in ["[]", "null", "\"\"", "[null]", "\"[]\""] {
      #expect(entries("{\"text\":\"a\",\"rows\":\(filler)}") == "a")
    }
    #expect(entries("{}") == "")
  }

  @Test("fields beside a list are defaults for each entry")
  func defaults() {
    #expect(entries("{\"flag\":true,\"rows\":[\"a\",{\"text\":\"b\"}]}") == "a true|b true")
    #expect(entries("{\"flag\":true,\"rows\":[{\"text\":\"a\",\"flag\":false},\"b\"]}") == "a false|b true")
    #expect(
      entries("{\"flag\":true,\"rows\":[{\"text\":\"a\",\"flag\":null}]}") == "a true", "absent is not false")
    #expect(
      entries("{\"flag\":\"maybe\",\"rows\":[\"a\"]}") == "refused: flag must be true or false, not \"maybe\""
    )
  }

  @Test("what belongs to one entry cannot stand beside a list, unless it is a filler")
  func beside() {
    #expect(
      entries("{\"text\":\"a\",\"rows\":[\"b\"]}")
        == "refused: text stands beside rows: put it into an entry of rows")
    #expect(entries("{\"text\":\"\",\"id\":\"null\",\"rows\":[\"b\"]}") == "b")
    #expect(entries("{\"count\":3,\"rows\":[\"b\"]}") == "b", "a field of the call as a whole")
  }

  @Test("a tool's refusal of an entry names its place")
  func refusal() throws {
    let one = try arguments("{}").entries(in: Self.rows)
    #expect(one[0].refusal("no text") == ToolFailure("no text"))
    let many = try arguments("{\"rows\":[\"a\",\"\",{}]}").entries(in: Self.rows)
    #expect(many.map { $0.refusal("no text").message } == ["rows[0]: no text", "rows[2]: no text"])
  }
}
