// Arguments that a tool does not have: refused with what was probably meant, or ignored.

import JSON
import Testing

@testable import MCP

@Suite("Unknown arguments")
struct UnknownArgumentTests {
  private static let name = Field.text("name", "")
  private static let newName = Field.text("new_name", "")
  private static let amount = Field.text("amount", "")
  private static let id = Field.identifier("id", "")
  private static let rows = Field.rows("items", fields: [id, name, amount], "", nameField: "name")
  private static let aliases = ["quantity": "amount", "qty": "amount", "title": "name", "done": "checked"]

  /// What `json` is refused with; nil when it is read.
  private func refusal(_ json: String, _ unknown: UnknownArguments = .refused(aliases: aliases)) -> String? {
    do {
      let fields: [any ArgumentField] = [Self.id, Self.name, Self.newName, Self.amount, Self.rows]
      let arguments = try Arguments(parse(json), fields: fields, unknownArguments: unknown)
      _ = try arguments.value(of: Self.rows)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("the alias table comes first, in any capitals", arguments: ["quantity", "qty", "Quantity", "QTY"])
  func alias(name: String) {
    #expect(refusal("{\"\(name)\":1}") == "unknown argument \(name); did you mean amount?")
  }

  @Test(
    "else the nearest name within two edits is suggested",
    arguments: [
      ("nme", "name"), ("nam", "name"), ("Name", "name"), ("names", "name"), ("amuont", "amount"),
      ("newname", "new_name"), ("newName", "new_name"), ("new-name", "new_name"), ("item", "items"),
      ("ids", "id"), ("i", "id"),
    ])
  func distance(name: String, meant: String) {
    #expect(refusal("{\"\(name)\":\"x\"}") == "unknown argument \(name); did you mean \(meant)?")
  }

  @Test("else the known ones are named", arguments: ["colour", "nmaem", "xy", "x", "done", ""])
  func known(name: String) {
    #expect(
      refusal("{\"\(name)\":\"x\"}")
        == "unknown argument \(name); known are id, name, new_name, amount, items")
  }

  @Test("several are told at once")
  func several() {
    #expect(
      refusal("{\"qty\":1,\"name\":\"x\",\"title\":2}")
        == "unknown argument qty; did you mean amount?\nunknown argument title; did you mean name?")
  }

  @Test("an entry of a list knows its own fields only")
  func rows() {
    #expect(
      refusal("{\"items\":[\"a\",{\"name\":\"b\",\"qty\":1}]}")
        == "items[1]: unknown argument qty; did you mean amount?")
    #expect(
      refusal("{\"items\":[{\"new_name\":\"b\"}]}")
        == "items[0]: unknown argument new_name; known are id, name, amount")
  }

  @Test("fillers under an unknown name lose nothing", arguments: ["null", "\"\""])
  func fillers(value: String) {
    #expect(refusal("{\"quantity\":\(value),\"items\":[{\"name\":\"a\",\"colour\":\(value)}]}") == nil)
  }

  @Test(
    "what hosts add by themselves is ignored, beside the arguments and not inside entries",
    arguments: ["toolCallId", "sessionId", "action", "chatInput", "tool", "random_string"])
  func hosts(name: String) {
    #expect(refusal("{\"\(name)\":\"x\"}") == nil)
    #expect(
      refusal("{\"items\":[{\"\(name)\":\"x\"}]}")?.hasPrefix("items[0]: unknown argument \(name)") == true)
  }

  @Test("a tool may ignore them all")
  func ignored() {
    #expect(refusal("{\"quantity\":1,\"items\":[{\"colour\":2}]}", .ignored) == nil)
  }

  @Test("a name is compared byte by byte")
  func bytes() throws {
    // A decomposed é is another name, although String calls the two equal.
    let field = Field.text("caf\u{E9}", "")
    let arguments = try Arguments(
      parse("{\"cafe\u{301}\":\"x\"}"), fields: [field], unknownArguments: .ignored)
    #expect(try arguments.value(of: field) == nil)
  }

  @Test("a name of a megabyte is cut in the refusal and cheap to compare")
  func huge() {
    let refusal = refusal("{\"\(String(repeating: "n", count: 1_000_000))\":1}")
    #expect(refusal?.hasPrefix("unknown argument nnn") == true)
    #expect((refusal?.count ?? 0) < 200)
  }
}
