// The style that a text shows, property by property.

import JSON
import Testing

struct StyleDetectionTests {
  func style(_ text: String) throws -> JSONStyle { JSONStyle.detected(in: try JSONValue(json: text)) }

  @Test(
    arguments: [
      ("{\n  \"a\": 1\n}", "  "), ("{\n    \"a\": 1\n}", "    "), ("{\n\t\"a\": 1\n}", "\t"),
      ("{\n\"a\": 1\n}", ""),
      ("[\n {\n  \"a\": 1\n }\n]", " "), ("{\"a\": [\n1\n]}", ""), ("{ \"a\": [ 1,\n 2 ] }", nil),
      ("{\"a\": [\n  {}\n]}", "  "),
      ("  {\"a\": [\n     1\n  ]}", "   "), ("{\"a\":1}", nil), ("{\"a\": 1, \"b\": []}", nil), ("[1]", nil),
      ("[]", "  "),
      ("{}", "  "), ("1", nil), ("{\r\n  \"a\": 1\r\n}", "  "), ("{\n\n   \"a\": 1\n}", "   "),
      ("{\"a\": [1, {\"b\": 2}],\n \"c\": {\n  \"d\": 1\n }}", " "),
    ] as [(String, String?)])
  func indent(_ text: String, _ indent: String?) throws {
    #expect(try style(text).indent == indent)
  }

  @Test(arguments: [
    ("{\"a\":1}", ":", ","), ("{\"a\": 1}", ": ", ", "), ("{\"a\" : 1}", " : ", ", "),
    ("{\"a\":1, \"b\":2}", ":", ", "),
    ("{\"a\": 1,\"b\": 2}", ": ", ","), ("[1, 2]", ": ", ", "), ("[1,2]", ":", ","), ("[1 ,2]", ":", " ,"),
    ("[\n 1,\n 2\n]", ": ", ", "), ("{\n \"a\":[1,2],\n \"b\": 3\n}", ":", ","), ("[]", ": ", ", "),
    ("{\n \"a\":\n  [1],\n \"b\" : 2\n}", ": ", ", "),
  ])
  func colonAndComma(_ text: String, _ colon: String, _ comma: String) throws {
    #expect(try style(text).colon == colon)
    #expect(try style(text).comma == comma)
  }

  @Test(arguments: [
    ("[\"a/b\"]", false), ("[\"a\\/b\"]", true), ("[\"a/b\", \"\\/\", \"\\/\"]", true),
    ("[\"a/b\", \"/\", \"\\/\"]", false),
    ("[\"ab\"]", false), ("{\"a\" : \"b\"}", true), ("{\"a\" : \"b/\"}", false), ("[\"\\\\/\"]", false),
    ("[\"\\\\\\/\"]", true), ("{\"a\\/\": 1}", true), ("[\"12345678/\"]", false), ("[\"1234567\\/\"]", true),
    ("[\n\n]", true),
  ])
  func slashes(_ text: String, _ escapes: Bool) throws {
    #expect(try style(text).escapesSlash == escapes)
  }

  @Test(arguments: [
    ("[\"é\"]", false), ("[\"\\u00e9\"]", true), ("[\"é\\u00e9\"]", false), ("[\"\\u00e9é\"]", false),
    ("[\"a\"]", false),
    ("[\"\\u0041\\u0007\"]", false), ("[\"\\u2028\"]", false), ("[\"\\ufeff\"]", false),
    ("[\"\\ud83d\\ude00\"]", true),
    ("[\"\\ud83d\"]", false), ("[\"\\\\u00e9\"]", false), ("[\"\\u65e5\"]", true), ("[\"\\u007f\"]", false),
  ])
  func nonASCII(_ text: String, _ escapes: Bool) throws {
    #expect(try style(text).escapesNonASCII == escapes)
  }

  @Test(arguments: [
    ("{\n \"a\": 1\n}\n", "\n", true), ("{\r\n \"a\": 1\r\n}", "\r\n", false),
    ("{\"a\": 1}\r\n", "\r\n", true),
    ("{\"a\": 1}\n", "\n", true), ("{\"a\": 1}", "\n", false), ("[\r\n\r\n]", "\r\n", false),
    ("{}\n\n", "\n", true),
  ])
  func newlines(_ text: String, _ newline: String, _ isFinal: Bool) throws {
    #expect(try style(text).newline == newline)
    #expect(try style(text).finalNewline == isFinal)
    #expect(try !style(text).byteOrderMark)
    #expect(try style("\u{FEFF}" + text).byteOrderMark)
  }

  @Test(
    arguments: [
      ("[]", .tight), ("[[\n\n]]", .blankLine), ("[[ ]]", .tight), ("[[\n]]", .tight),
      ("[{},[\n\n]]", .tight),
      ("[{\n\n},[]]", .blankLine), ("{\"a\" : 1}", .blankLine), ("{\"a\": 1}", .tight),
      ("{\"a\" : []}", .tight),
      ("[{\r\n\r\n}]", .blankLine),
    ] as [(String, JSONStyle.EmptyContainer)])
  func empties(_ text: String, _ empty: JSONStyle.EmptyContainer) throws {
    #expect(try style(text).emptyContainer == empty)
  }

  @Test(arguments: [
    (#"{"a": 1, "b": 2}"#, true), (#"{"b": 1, "a": 2}"#, false), (#"{"a": {"d": 1, "c": 2}, "b": 3}"#, false),
    (#"[{"a": 1, "b": 2}, {"b": 1, "a": 2}]"#, false), (#"{"a": 1}"#, false), (#"{"a" : 1}"#, true),
    (#"{"B": 1, "a": 2, "é": 3}"#, true), (#"{"a": 1, "a": 2}"#, false), (#"{"\u0062": 1, "a": 2}"#, false),
    (#"{"a": 1, "\u0062": 2}"#, true), (#"{"a10": 1, "a9": 2}"#, true), (#"{"": 1, "a": 2, "ab": 3}"#, true),
  ])
  func sorting(_ text: String, _ isSorted: Bool) throws {
    #expect(try style(text).sortsKeys == isSorted)
  }

  @Test func aChangedRootHasTheStyleOfItsSource() throws {
    let root = try JSONValue(json: "{\n\t\"a\" : 1\n}\n")
    #expect(JSONStyle.detected(in: root.setting("b", to: 2)) == JSONStyle.detected(in: root))
    #expect(JSONStyle.detected(in: ["a": 1]) == .node)
    #expect(JSONStyle.detected(in: "text") == .node)
  }

  @Test func theKnownStylesAreFound() throws {
    let value: JSONValue = ["a": ["é/", [1, [:], []]], "b": 2]
    for style in [JSONStyle.app, .node, .compact] {
      var expected = style
      expected.sortsKeys = true
      #expect(JSONStyle.detected(in: try JSONValue(parsing: value.encoded(style: style))) == expected)
    }
  }
}
