// Objects that were made one like the other, in one array: each is written as it would be alone.

import JSON
import Testing

struct MadeRowTests {
  /// A row, and its text with four spaces before each member.
  struct Row {
    let value: JSONValue
    let text: String

    init(_ members: (key: String, value: JSONValue, text: String)...) {
      value = .object(members.map { ($0.key, $0.value) })
      let lines = members.map { "    \($0.text)" }.joined(separator: ",\n")
      text = "{\n\(lines)\n  }"
    }
  }

  /// The same members, others, others that Swift's strings take for the same, and values of all kinds and sizes.
  static let rows = [
    Row(("é", "a", #""é": "a""#), ("b", 1, #""b": 1"#)),
    Row(("é", "c", #""é": "c""#), ("b", true, #""b": true"#)),
    Row(("é", .null, #""é": null"#), ("b", .number(text: "-1.50e3"), #""b": -1.50e3"#)),
    Row(("e\u{301}", "a", "\"e\u{301}\": \"a\""), ("b", 1, #""b": 1"#)),
    Row(("e\u{301}", "", "\"e\u{301}\": \"\""), ("b", false, #""b": false"#)),
    Row(("b", 1, #""b": 1"#), ("é", "a", #""é": "a""#)),
    Row(("é", "a", #""é": "a""#)),
    Row(("é", "a", #""é": "a""#), ("b", 1, #""b": 1"#), ("b", 2, #""b": 2"#)),
    Row(("a\"\u{1}/", "a\"\u{1}/", #""a\"\u0001/": "a\"\u0001/""#)),
    Row(("a\"\u{1}/", "ü\\", #""a\"\u0001/": "ü\\""#)),
    Row(("key", .init(Self.long), "\"key\": \"\(Self.long)\"")),
    Row(("key", .init(Self.long + "\n"), "\"key\": \"\(Self.long)\\n\"")),
    Row(("key", "\(Self.long.prefix(1_017))", "\"key\": \"\(Self.long.prefix(1_017))\"")),
    Row((Self.long, "a", "\"\(Self.long)\": \"a\""), (Self.long, 1, "\"\(Self.long)\": 1")),
    Row((Self.long, "b", "\"\(Self.long)\": \"b\""), (Self.long, 2, "\"\(Self.long)\": 2")),
  ]

  /// Longer than what is gathered at once.
  static let long = String(repeating: "a long text, ", count: 100)

  private func text(_ rows: [Row]) -> String { "[\n  \(rows.map(\.text).joined(separator: ",\n  "))\n]" }

  @Test func eachTwoInARow() {
    for first in Self.rows {
      for second in Self.rows {
        let rows = [first, first, second, first, second, second]
        #expect(JSONValue.array(rows.map(\.value)).file(.node) == text(rows))
      }
    }
  }

  @Test func everyLengthAndEscape() {
    for count in 0..<40 {
      for place in 0...count {
        for (character, escape) in [("", ""), ("\"", "\\\""), ("\u{1F}", "\\u001f"), ("/", "\\/"), ("é", "\\u00e9")] {
          let plain = String(repeating: "x", count: count)
          let (head, tail) = (plain.prefix(place), plain.dropFirst(place))
          let value = JSONValue.array(Array(repeating: ["k": .init("\(head)\(character)\(tail)")], count: 3))
          let row = "{\"k\":\"\(head)\(escape)\(tail)\"}"
          let style = JSONStyle(escapesSlash: true, escapesNonASCII: true)
          #expect(value.file(style) == "[\(row),\(row),\(row)]")
        }
      }
    }
  }

  /// The first entry stands on the line of the bracket, and shows another indentation than those that follow.
  @Test func behindAnEntryOnTheBracketsLine() throws {
    let root = try JSONValue(json: "{\n    \"list\": [1,\n  2,\n  3]\n}")
    let list = try #require(root["list"])
    let new = Array(repeating: JSONValue.object([("a", 1), ("b", 2)]), count: 3)
    let changed = root.setting("list", to: list.replacingElements(with: new + Array(list.elements) + new))
    let first = "{\n        \"a\": 1,\n        \"b\": 2\n    }"
    let other = "{\n      \"a\": 1,\n      \"b\": 2\n  }"
    let texts = [first, other, other, "1", "2", "3", other, other, other]
    #expect(changed.file == "{\n    \"list\": [\(texts.joined(separator: ",\n  "))]\n}")
  }

  /// Rows that were made stand between rows of the source, in their layout.
  @Test func betweenRowsOfTheSource() throws {
    let root = try JSONValue(json: #"{"list": [ {"a" : 1},  {"a" : 2} ]}"#)
    let list = try #require(root["list"])
    let old = Array(list.elements)
    let new = Array(repeating: JSONValue.object([("a", "x"), ("b", "y")]), count: 2)
    let changed = root.setting("list", to: list.replacingElements(with: new + [old[0]] + new + [old[1]] + new))
    let row = #"{"a" : "x",  "b" : "y"}"#
    let texts = [row, row, #"{"a" : 1}"#, row, row, #"{"a" : 2}"#, row, row]
    #expect(changed.file == #"{"list": [ \#(texts.joined(separator: ",  ")) ]}"#)
  }
}
