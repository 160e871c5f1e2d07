// What a parsed value says.

import JSON
import Testing

struct ReadingTests {
  @Test func kinds() throws {
    let root = try JSONValue(json: #"[null, true, false, -0.5e3, "text", [1], {"a": 1}]"#)
    let values = Array(root.elements)
    #expect(root.kind == .array)
    #expect(values.map(\.kind) == [.null, .bool, .bool, .number, .string, .array, .object])
    #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
    #expect(values.map(\.bool) == [nil, true, false, nil, nil, nil, nil])
    #expect(values.map(\.numberText) == [nil, nil, nil, "-0.5e3", nil, nil, nil])
    #expect(values.map(\.double) == [nil, nil, nil, -500, nil, nil, nil])
    #expect(values.map(\.int64) == [nil, nil, nil, -500, nil, nil, nil])
    #expect(values.map(\.string) == [nil, nil, nil, nil, "text", nil, nil])
    #expect(values.map(\.elements.count) == [0, 0, 0, 0, 0, 1, 0])
    #expect(values.map(\.members.count) == [0, 0, 0, 0, 0, 0, 1])
    #expect(values.map { $0["a"]?.int64 } == [nil, nil, nil, nil, nil, nil, 1])
  }

  @Test func madeValuesSayTheSame() {
    let values: [JSONValue] = [.null, true, -500, .number(text: "1.50"), "text", [1], ["a": 1]]
    #expect(values.map(\.kind) == [.null, .bool, .number, .number, .string, .array, .object])
    #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil, nil])
    #expect(values.map(\.numberText) == [nil, nil, "-500", "1.50", nil, nil, nil])
    #expect(values.map(\.double) == [nil, nil, -500, 1.5, nil, nil, nil])
    #expect(values.map(\.string) == [nil, nil, nil, nil, "text", nil, nil])
    #expect(values.map(\.elements.count) == [0, 0, 0, 0, 0, 1, 0])
    #expect(values.map(\.members.count) == [0, 0, 0, 0, 0, 0, 1])
    #expect(values.map { $0["a"]?.int64 } == [nil, nil, nil, nil, nil, nil, 1])
    #expect(JSONValue(Int64.min).numberText == "-9223372036854775808")
    #expect("\(JSONValue.object([("b", 1), ("a", [true, .null])]))" == #"{"b":1,"a":[true,null]}"#)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1), ("1.0", 1), ("1e2", 100), ("1E+2", 100), ("0.1e1", 1), ("100e-2", 1),
      ("-1.50e1", -15), ("0e999999999999999999999", 0), ("0.000", 0), ("-0.0e-5", 0), ("10.00", 10),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.000", .max),
      ("-9.223372036854775808e18", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("12345678901234567890", nil), ("99999999999999999999", nil), ("1e19", nil),
      ("1e18", 1_000_000_000_000_000_000),
      ("0.5", nil), ("1e-1", nil), ("1.5", nil), ("1e400", nil), ("1e999999999999999999999", nil),
      ("1e-999999999999999999999", nil), ("0.00000000000000000000000000000000000000012e41", 12),
      ("1200000000000000000000000000000000000000e-38", 12),
      ("10000000000000000000000000000000000000001e-40", nil),
      ("1.0000000000000000000000000000000000000001", nil),
    ] as [(String, Int64?)])
  func int64(_ text: String, _ value: Int64?) throws {
    #expect(try JSONValue(json: text).int64 == value)
    #expect(JSONValue.number(text: text).int64 == value)
  }

  @Test func doubles() throws {
    #expect(try JSONValue(json: "1e400").double == nil)
    #expect(try JSONValue(json: "-1e400").double == nil)
    #expect(try JSONValue(json: "1e-400").double == 0)
    #expect(try JSONValue(json: "0.1").double == 0.1)
    #expect(try JSONValue(json: "123456789012345678901234567890").double == 1.2345678901234568e29)
  }

  @Test(arguments: [
    (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
    (#""\u00e9\u00E9""#, "éé"),
    (#""\u0000""#, "\0"), (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00!""#, "😀!"),
    (#""x\ud83dy""#, "x\u{FFFD}y"),
    (#""\ude00""#, "\u{FFFD}"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
    (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\udbff\udfff""#, "\u{10FFFF}"),
    (#""é😀 raw \u00e9""#, "é😀 raw é"), (#""\\u00e9""#, "\\u00e9"),
  ])
  func strings(_ text: String, _ string: String) throws {
    #expect(try JSONValue(json: text).string == string)
    #expect(try JSONValue(json: text).sourceBytes == Array(text.utf8))
    let object = try JSONValue(json: "{\(text): 1}")
    #expect(object.members.map(\.key) == [string])
  }

  @Test func theLastMemberSoNamedCounts() throws {
    let root = try JSONValue(json: #"{"a": 1, "b": 2, "a": 3, "\u0061": 4}"#)
    #expect(root["a"]?.int64 == 4)
    #expect(root["b"]?.int64 == 2)
    #expect(root["c"] == nil)
    #expect(root.members.map(\.key) == ["a", "b", "a", "a"])
    #expect(root.members.map(\.value.int64) == [1, 2, 3, 4])
    #expect(root.members.count == 4)
  }

  @Test func keysAreBytesNotCharacters() throws {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed)
    let root = try JSONValue(json: "{\"\(composed)\": 1, \"\(decomposed)\": 2}")
    #expect(root[composed]?.int64 == 1)
    #expect(root[decomposed]?.int64 == 2)
    let changed = root.setting(composed, to: 3)
    #expect(changed.compact == "{\"\(composed)\":3,\"\(decomposed)\":2}")
    #expect(changed.removing(decomposed).compact == "{\"\(composed)\":3}")
    let made: JSONValue = [composed: 1, decomposed: 2]
    #expect(made[decomposed]?.int64 == 2)
    #expect(made[composed]?.int64 == 1)
  }

  @Test func aKeyWithALoneSurrogateIsNoOther() throws {
    let root = try JSONValue(json: #"{"\ud83d": 1, "\ufffd": 2}"#)
    #expect(root["\u{FFFD}"]?.int64 == 2)
    #expect(root.removing("\u{FFFD}").compact == #"{"\ud83d":1}"#)
  }

  @Test func sourceBytes() throws {
    let root = try JSONValue(json: #" {"id": 1.0, "s": "\u0041", "o": { "x" : [ ] }} "#)
    #expect(root["id"]?.sourceBytes == Array("1.0".utf8))
    #expect(root["s"]?.sourceBytes == Array(#""\u0041""#.utf8))
    #expect(root["o"]?.sourceBytes == Array(#"{ "x" : [ ] }"#.utf8))
    #expect(root.setting("id", to: 2).sourceBytes == Array(#"{"id":2,"s":"\u0041","o":{"x":[]}}"#.utf8))
  }

  @Test func elementsComeInOrder() throws {
    let root = try JSONValue(json: #"[[1, [2]], {"a": [3]}, 4]"#)
    #expect(root.elements.map(\.compact) == ["[1,[2]]", #"{"a":[3]}"#, "4"])
    #expect(root.elements.first?.elements.count == 2)
    #expect(!root.elements.isEmpty)
    #expect(try JSONValue(json: "[ ]").elements.isEmpty)
    #expect(try JSONValue(json: "[]").elements.first == nil)
    #expect(try JSONValue(json: "{ }").members.isEmpty)
  }

  @Test func compactKeepsTextAndDropsSpace() throws {
    let root = try JSONValue(json: "{ \"a b\" : [ 1.0 , \"x\\/ y\" ] ,\r\n\t\"c\":{ } }\n")
    #expect(root.compact == #"{"a b":[1.0,"x\/ y"],"c":{}}"#)
    #expect(
      JSONValue.array([root, "line\nbreak\u{2028}", ["k\"": "é/"]]).compact
        == #"[{"a b":[1.0,"x\/ y"],"c":{}},"line\nbreak"# + "\u{2028}" + #"",{"k\"":"é/"}]"#)
    var bytes = Array("data: ".utf8)
    root.appendCompact(to: &bytes)
    #expect(bytes == Array(#"data: {"a b":[1.0,"x\/ y"],"c":{}}"#.utf8))
  }
}
