// When two values say the same, and the encoding that shows it.

import JSON
import Testing

struct ComparingTests {
  /// Texts; those in one row say the same, those in different rows do not.
  static let classes: [[String]] = [
    ["null", " null "], ["true"], ["false"], ["0"], ["-0"], ["1"], ["1.0"], ["1e0"], ["1E0"], ["\"1\""],
    [#""""#], [#""a""#, #""\u0061""#], [#""/""#, #""\/""#, #""\u002f""#, #""\u002F""#],
    ["\"é\"", #""\u00e9""#, #""\u00E9""#], ["\"e\u{301}\""], ["\"😀\"", #""\ud83d\ude00""#],
    [#""\ud83d""#, #""\uD83D""#], [#""\ude00""#], [#""\ud83d\ud83d""#], [#""\ufffd""#, "\"\u{FFFD}\""],
    [#""\n""#, #""\u000a""#], [#""\\n""#], [#""\"""#, #""\u0022""#],
    ["[]", "[ ]"], ["[1,2]", " [ 1 , 2 ] "], ["[2,1]"], ["[[1],2]"], ["[[1,2]]"], ["[null]"],
    ["{}", "{\n}"],
    [#"{"a":1,"b":2}"#, #"{"b": 2, "a": 1}"#, #"{"a":0,"\u0062":2,"a":1}"#, #"{"b":2,"a":[],"a":1}"#],
    [#"{"a":1}"#], [#"{"a":1,"b":2,"c":3}"#], [#"{"a":2,"b":1}"#], [#"{"":1}"#],
    [#"{"\ud83d":1,"\ufffd":2}"#, #"{"\ufffd":2,"\ud83d":1}"#], [#"{"\ud83d":2,"\ufffd":1}"#],
    [#"{"\ufffd":2}"#],
    ["{\"é\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"\\u00e9\":1}"], ["{\"é\":2,\"e\u{301}\":1}"],
    [#"{"o":{"x":[1,{"y":null}]}}"#, #"{"o":{"x":[0]},"o":{"x":[1,{"y":1,"y":null}]}}"#],
  ]

  @Test func equivalenceAndCanonicalEncodingAgree() throws {
    let values = try Self.classes.map { try $0.map { try JSONValue(json: $0) } }
    for (row, alike) in values.enumerated() {
      for (otherRow, others) in values.enumerated() {
        for value in alike {
          for other in others {
            #expect(value.isEquivalent(to: other) == (row == otherRow), "\(value) \(other)")
            #expect((value.canonicalBytes == other.canonicalBytes) == (row == otherRow), "\(value) \(other)")
          }
        }
      }
    }
  }

  @Test func madeAndParsedValuesCompare() throws {
    let parsed = try JSONValue(json: #"{"b": [1, "\u0041/", null, true], "a": {}}"#)
    let made: JSONValue = ["a": [:], "b": [1, "A/", .null, true]]
    #expect(parsed.isEquivalent(to: made))
    #expect(made.isEquivalent(to: parsed))
    #expect(made.canonical == parsed.canonical)
    #expect(!made.setting("a", to: [1]).isEquivalent(to: parsed))
    #expect(!made.isEquivalent(to: .null))
  }

  @Test func canonicalIsSortedAndMinimal() throws {
    let root = try JSONValue(
      json:
        #" { "b" : 1.0, "\u0061\/" : "\u00e9\u0001\t\u007f\ud83d\ude00\ud83d \"\\", "B": [ ], "b": 1.00 } "#)
    #expect(root.canonical == #"{"B":[],"a/":"é\u0001\t"# + "\u{7F}" + #"😀\ud83d \"\\","b":1.00}"#)
    #expect(try JSONValue(json: root.canonical).isEquivalent(to: root))
  }
}
