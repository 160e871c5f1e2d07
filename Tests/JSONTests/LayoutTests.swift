// How changed files look: golden texts for one layout after the other.

import JSON
import Testing

/// A list in some layout, and the same list after each of a few changes.
struct LayoutTests {
  // MARK: - Rows

  /// What is done to the rows of a file.
  enum RowChange: String, CaseIterable {
    case first, middle, last, withoutFirst, withoutMiddle, withoutLast, onlyFirst, none

    /// - Parameter row: goes in; a middle one replaces the second.
    func applied(to rows: [JSONValue], row: JSONValue) -> [JSONValue] {
      switch self {
      case .first: [row] + rows
      case .middle: [rows[0], row] + rows[1...]
      case .last: rows + [row]
      case .withoutFirst: Array(rows[1...])
      case .withoutMiddle: [rows[0]] + rows[2...]
      case .withoutLast: Array(rows.dropLast())
      case .onlyFirst: [rows[0]]
      case .none: []
      }
    }
  }

  /// Every change of a file with three rows is the text that is put together from the same parts.
  func check(head: String, rows: [String], separator: String, tail: String, new: String, empty: String) throws {
    let root = try JSONValue(json: head + rows.joined(separator: separator) + tail)
    let items = try #require(root["items"])
    for change in RowChange.allCases {
      let changed = change.applied(to: Array(items.elements), row: ["id": 9, "name": "new"])
      let texts = change.applied(to: rows.map { .init($0) }, row: .init(new)).compactMap(\.string)
      let expected = texts.isEmpty ? empty : head + texts.joined(separator: separator) + tail
      #expect(root.setting("items", to: items.replacingElements(with: changed)).file == expected, "\(change)")
    }
  }

  @Test(arguments: ["\n", "\r\n"], ["  ", "    ", "\t", ""])
  func aMemberPerLine(_ newline: String, _ indent: String) throws {
    func lines(_ texts: (Int, String)...) -> String {
      texts.map { String(repeating: indent, count: $0.0) + $0.1 }.joined(separator: newline)
    }
    let head = lines((0, "{"), (1, #""version": 1,"#), (1, #""items": ["#), (2, ""))
    let tail = lines((0, ""), (1, "],"), (1, #""more": true"#), (0, "}"), (0, ""))
    try check(
      head: head,
      rows: (1...3).map { lines((0, "{"), (3, #""id": \#($0),"#), (3, #""name": "row \#($0)""#), (2, "}")) },
      separator: lines((0, ","), (2, "")),
      tail: tail,
      new: lines((0, "{"), (3, #""id": 9,"#), (3, #""name": "new""#), (2, "}")),
      empty: lines(
        (0, "{"), (1, #""version": 1,"#), (1, #""items": [],"#), (1, #""more": true"#), (0, "}"), (0, "")))
  }

  @Test func aRowPerLine() throws {
    try check(
      head: "{\n  \"items\": [\n    ",
      rows: (1...3).map { #"{ "id": \#($0), "name": "row" }"# }, separator: ",\n    ", tail: "\n  ]\n}\n",
      new: #"{ "id": 9, "name": "new" }"#, empty: "{\n  \"items\": []\n}\n")
  }

  @Test func aRowPerLineWithoutIndentation() throws {
    try check(
      head: "{\"items\": [\n",
      rows: (1...3).map { #"{"id":\#($0), "name":"row"}"# }, separator: ",\n", tail: "\n]}",
      new: #"{"id":9, "name":"new"}"#, empty: "{\"items\": []}")
  }

  @Test func commasFirst() throws {
    try check(
      head: "{ \"items\":\n  [ ", rows: (1...3).map { #"{ "id": \#($0), "name": "row" }"# },
      separator: "\n  , ",
      tail: "\n  ]\n}", new: #"{ "id": 9, "name": "new" }"#, empty: "{ \"items\":\n  []\n}")
  }

  @Test func bracketsTogether() throws {
    try check(
      head: "{\n  \"items\": [{\n    ",
      rows: (1...3).map { "\"id\": \($0),\n    \"name\": \"row\"" }, separator: "\n  }, {\n    ",
      tail: "\n  }]\n}\n",
      new: "\"id\": 9,\n    \"name\": \"new\"", empty: "{\n  \"items\": []\n}\n")
  }

  @Test(arguments: [(", ", ": "), (",", ":"), (" , ", " : "), (",", ": ")])
  func oneLine(_ comma: String, _ colon: String) throws {
    try check(
      head: "{\"items\"\(colon)[",
      rows: (1...3).map { "{\"id\"\(colon)\($0)\(comma)\"name\"\(colon)\"row\"}" }, separator: comma,
      tail: "]}",
      new: "{\"id\"\(colon)9\(comma)\"name\"\(colon)\"new\"}", empty: "{\"items\"\(colon)[]}")
  }

  @Test func rowsInlineInAnIndentedFile() throws {
    try check(
      head: "{\n\t\"items\" : [ ",
      rows: (1...3).map { #"{"id" : \#($0), "name" : "row"}"# }, separator: ", ",
      tail: " ],\n\t\"x\" : null\n}",
      new: #"{"id" : 9, "name" : "new"}"#, empty: "{\n\t\"items\" : [\n\n\t],\n\t\"x\" : null\n}")
  }

  @Test func whatStoodBetweenNeighboursStays() throws {
    let root = try JSONValue(json: "[\n  1,\n  2,\n\n  3 ,  4,\n  5\n]\n")
    let values = Array(root.elements)
    func changed(_ elements: JSONValue...) -> String { root.replacingElements(with: elements).file }
    #expect(changed(values[1], values[2], values[3]) == "[\n  2,\n\n  3 ,  4\n]\n")
    #expect(changed(values[0], 9, values[2], values[3]) == "[\n  1,\n  9,\n  3 ,  4\n]\n")
    #expect(changed(values[4], values[3], values[2]) == "[\n  5,\n  4,\n  3\n]\n")
    #expect(
      changed(values[2], values[3], values[0], values[1], values[1]) == "[\n  3 ,  4,\n  1,\n  2,\n  2\n]\n")
  }

  @Test func aSingleEntryShowsTheSeparator() throws {
    let broken = try JSONValue(json: "[\n   1\n]")
    #expect(broken.replacingElements(with: Array(broken.elements) + [2]).file == "[\n   1,\n   2\n]")
    let inline = try JSONValue(json: "{\n \"a\": [ 1 ]\n}")
    let changed = inline.setting("a", to: inline["a"]!.replacingElements(with: [1, 2]))
    #expect(changed.file == "{\n \"a\": [ 1, 2 ]\n}")
  }

  // MARK: - Members

  @Test func membersComeAndGo() throws {
    let root = try JSONValue(json: "{\n  \"a\" :  1,\n  \"bcd\":2,\n  \"e\": 3\n}\n")
    #expect(
      root.setting("n", to: 0, at: .first).file
        == "{\n  \"n\" :  0,\n  \"a\" :  1,\n  \"bcd\":2,\n  \"e\": 3\n}\n")
    #expect(
      root.setting("n", to: 0, at: .after("a")).file
        == "{\n  \"a\" :  1,\n  \"n\" :  0,\n  \"bcd\":2,\n  \"e\": 3\n}\n")
    #expect(root.setting("n", to: 0).file == "{\n  \"a\" :  1,\n  \"bcd\":2,\n  \"e\": 3,\n  \"n\" :  0\n}\n")
    #expect(root.setting("bcd", to: 0).file == "{\n  \"a\" :  1,\n  \"bcd\":0,\n  \"e\": 3\n}\n")
    #expect(root.removing("a").file == "{\n  \"bcd\":2,\n  \"e\": 3\n}\n")
    #expect(root.removing("bcd").file == "{\n  \"a\" :  1,\n  \"e\": 3\n}\n")
    #expect(root.removing("e").file == "{\n  \"a\" :  1,\n  \"bcd\":2\n}\n")
    #expect(root.removing("e").removing("a").removing("bcd").file == "{}\n")
  }

  @Test func onlyTheChangedRowIsTouched() throws {
    let root = try JSONValue(
      json: """
        { "items" : [
            {"id":1,   "name" : "\\u004dilk", "x": 1.50, "x": [ ]},
          {"id": 2,
             "name": "Eggs"  },
                {"id":3}
        ] }
        """)
    let items = try #require(root["items"])
    var rows = Array(items.elements)
    rows[1] = rows[1].setting("name", to: "Tea/\"é\"").setting("checked", to: true)
    #expect(
      root.setting("items", to: items.replacingElements(with: rows)).file == """
        { "items" : [
            {"id":1,   "name" : "\\u004dilk", "x": 1.50, "x": [ ]},
          {"id": 2,
             "name": "Tea\\/\\"é\\"",
             "checked": true  },
                {"id":3}
        ] }
        """)
  }

  // MARK: - Containers in new rows

  @Test func newContainersTakeTheLayoutOfTheirSiblings() throws {
    let root = try JSONValue(
      json: """
        {
          "sections": ["Produce", "Dairy"],
          "items": [
            { "id": 1, "tags": ["a", "b"], "place": {"x":1, "y":2} }
          ]
        }
        """)
    let row: JSONValue = ["id": 2, "place": ["x": 3, "y": 4], "tags": ["c", "d"], "more": [["e"], [:]]]
    let changed = root.setting(
      "items", to: root["items"]!.replacingElements(with: root["items"]!.elements + [row])
    )
    .setting("deletedItems", to: [["id": 3, "at": 4], ["id": 5]])
    .setting("names", to: ["x", "y"])
    #expect(
      changed.file == """
        {
          "sections": ["Produce", "Dairy"],
          "items": [
            { "id": 1, "tags": ["a", "b"], "place": {"x":1, "y":2} },
            { "id": 2, "place": {"x":3, "y":4}, "tags": ["c", "d"], "more": [["e"], {}] }
          ],
          "deletedItems": [
            { "id": 3, "at": 4 },
            { "id": 5 }
          ],
          "names": ["x", "y"]
        }
        """)
  }

  @Test func withoutASiblingTheStyleDecides() throws {
    let root = try JSONValue(json: "{\r\n\t\"items\": [\r\n\t\t{\r\n\t\t\t\"id\": 1\r\n\t\t}\r\n\t]\r\n}\r\n")
    let row: JSONValue = ["id": 2, "tags": ["a", ["b": [:]]]]
    let changed = root.setting(
      "items", to: root["items"]!.replacingElements(with: root["items"]!.elements + [row]))
    let expected = """
      {
      \t"items": [
      \t\t{
      \t\t\t"id": 1
      \t\t},
      \t\t{
      \t\t\t"id": 2,
      \t\t\t"tags": [
      \t\t\t\t"a",
      \t\t\t\t{
      \t\t\t\t\t"b": {}
      \t\t\t\t}
      \t\t\t]
      \t\t}
      \t]
      }

      """
    #expect(changed.file == expected.replacing("\n", with: "\r\n"))
  }

  @Test func whatWasEmptyIsLaidOutByTheStyle() throws {
    let root = try JSONValue(json: "{\n    \"items\": [ ],\n    \"o\": {}\n}\n")
    #expect(
      root.setting("o", to: root["o"]!.setting("a", to: [1])).file
        == "{\n    \"items\": [ ],\n    \"o\": {\n        \"a\": [\n            1\n        ]\n    }\n}\n")
    #expect(
      root.setting("items", to: root["items"]!.replacingElements(with: [["id": 1], 2])).file
        == "{\n    \"items\": [\n        {\n            \"id\": 1\n        },\n        2\n    ],\n    \"o\": {}\n}\n"
    )
    #expect(root.setting("items", to: root["items"]!.replacingElements(with: [])).file == root.file)
  }

  @Test func whatStandsOnOneLineStaysOnOneLine() throws {
    let root = try JSONValue(json: "{\n  \"items\": [\n    { \"id\": 1, \"tags\": [] }\n  ]\n}")
    let row = root["items"]!.elements.first!
    let changed = row.setting("tags", to: row["tags"]!.replacingElements(with: ["a", ["b": 1, "c": [2]]]))
    #expect(
      root.setting("items", to: root["items"]!.replacingElements(with: [changed])).file
        == "{\n  \"items\": [\n    { \"id\": 1, \"tags\": [\"a\", {\"b\": 1, \"c\": [2]}] }\n  ]\n}")
  }

  @Test func aNewContainerTakesTheLayoutOfTheOneItReplaces() throws {
    let root = try JSONValue(json: "{\n  \"a\": [1, 2],\n  \"b\": [\n    3\n  ],\n  \"c\": { \"x\": 1 }\n}")
    let changed = root.setting("a", to: [7, 8, 9]).setting("b", to: [7, 8]).setting(
      "c", to: ["y": 1, "z": 2])
    #expect(
      changed.file
        == "{\n  \"a\": [7, 8, 9],\n  \"b\": [\n    7,\n    8\n  ],\n  \"c\": { \"y\": 1, \"z\": 2 }\n}")
  }

  // MARK: - Values from elsewhere

  @Test func aRowThatMovesAtItsDepthIsCopied() throws {
    let root = try JSONValue(
      json:
        "{\n  \"items\": [\n    {\n      \"id\" : 1,   \"x\": 1\n    },\n    2\n  ],\n  \"done\": [\n    3\n  ]\n}"
    )
    let row = root["items"]!.elements.first!
    let changed = root.setting("items", to: root["items"]!.replacingElements(with: [2]))
      .setting("done", to: root["done"]!.replacingElements(with: [3, row]))
    #expect(
      changed.file
        == "{\n  \"items\": [\n    2\n  ],\n  \"done\": [\n    3,\n    {\n      \"id\" : 1,   \"x\": 1\n    }\n  ]\n}"
    )
  }

  @Test func aRowThatMovesToAnotherDepthIsIndentedAnew() throws {
    let root = try JSONValue(
      json: "{\n  \"items\": [\n    {\n      \"id\" : 1,\n\n      \"x\": [\n        2\n      ]\n    }\n  ]\n}"
    )
    let row = root["items"]!.elements.first!
    #expect(
      root.setting("last", to: row).removing("items").file
        == "{\n  \"last\": {\n    \"id\" : 1,\n\n    \"x\": [\n      2\n    ]\n  }\n}")
    #expect(
      root.setting("last", to: row.setting("y", to: 3)).removing("items").file
        == "{\n  \"last\": {\n    \"id\" : 1,\n\n    \"x\": [\n      2\n    ],\n\n    \"y\" : 3\n  }\n}")
    let deeper = root["items"]!.replacingElements(with: [["row": row]])
    #expect(
      root.setting("items", to: deeper).file
        == "{\n  \"items\": [\n    {\n      \"row\" : {\n        \"id\" : 1,\n\n        \"x\": [\n          2\n        ]\n      }\n    }\n  ]\n}"
    )
    #expect(row.file == "{\n  \"id\" : 1,\n\n  \"x\": [\n    2\n  ]\n}")
  }

  @Test func valuesFromAnotherSourceAreLaidOutAnew() throws {
    let root = try JSONValue(json: "{\n  \"items\" : [\n    {\n      \"id\" : 1\n    }\n  ]\n}")
    let other = try JSONValue(json: #"[{"id":2.50,"s":"a/b\u00e9\u0041\ud83d","o":[ ],"p":[true,null]},"x"]"#)
    let changed = root.setting(
      "items", to: root["items"]!.replacingElements(with: Array(root["items"]!.elements) + other.elements))
    #expect(
      changed.file == #"""
        {
          "items" : [
            {
              "id" : 1
            },
            {
              "id" : 2.50,
              "s" : "a\/béA\ud83d",
              "o" : [

              ],
              "p" : [
                true,
                null
              ]
            },
            "x"
          ]
        }
        """#)
    #expect(
      JSONValue.array(Array(other.elements)).file(.compact)
        == #"[{"id":2.50,"s":"a/béA\ud83d","o":[],"p":[true,null]},"x"]"#)
    #expect(other.setting("a", to: 1).file(.app) == other.file)
  }

  // MARK: - Whole files

  @Test func madeFiles() {
    let value: JSONValue = ["a": [1, [:], []], "é/😀": "\u{7F}\u{1F}/"]
    #expect(value.file(.compact) == #"{"a":[1,{},[]],"é/😀":""# + "\u{7F}" + #"\u001f/"}"#)
    var style = JSONStyle.node
    style.newline = "\r\n"
    style.finalNewline = true
    style.byteOrderMark = true
    style.escapesNonASCII = true
    style.escapesSlash = true
    #expect(
      value.file(style) == "\u{FEFF}{\r\n  \"a\": [\r\n    1,\r\n    {},\r\n    []\r\n  ],\r\n"
        + #"  "\u00e9\/\ud83d\ude00": ""# + "\u{7F}" + #"\u001f\/""# + "\r\n}\r\n")
    style = .compact
    style.comma = ", "
    style.colon = ": "
    style.emptyContainer = .blankLine
    #expect(value.file(style) == #"{"a": [1, {}, []], "é/😀": ""# + "\u{7F}" + #"\u001f/"}"#)
    #expect(JSONValue.null.file(.app) == "null")
    #expect(JSONValue("x").file(.node) == "\"x\"")
  }

  @Test func whatStandsAroundTheRootStays() throws {
    let root = try JSONValue(json: "\u{FEFF}\n\n {\"a\":1} \n\n")
    #expect(root.setting("a", to: 2).file(.app) == "\u{FEFF}\n\n {\"a\":2} \n\n")
    #expect(root.removing("a").file(.compact) == "\u{FEFF}\n\n {} \n\n")
  }

  @Test func anUnchangedRootIsItsBytesInAnyStyle() throws {
    let text = " { \"b\": [ ],\r\n\"a\" :1.0 }\n "
    let root = try JSONValue(json: text)
    for style in [JSONStyle.app, .node, .compact] { #expect(root.file(style) == text) }
  }
}
