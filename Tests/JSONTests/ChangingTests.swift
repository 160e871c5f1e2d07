// Setting, removing and replacing, apart from how it looks.

import JSON
import Testing

struct ChangingTests {
  @Test(
    arguments: [
      (.end, #"{"b":1,"d":2,"b":3,"n":0}"#), (.first, #"{"n":0,"b":1,"d":2,"b":3}"#),
      (.before("d"), #"{"b":1,"n":0,"d":2,"b":3}"#), (.after("d"), #"{"b":1,"d":2,"n":0,"b":3}"#),
      (.before("b"), #"{"b":1,"d":2,"n":0,"b":3}"#), (.after("b"), #"{"b":1,"d":2,"b":3,"n":0}"#),
      (.before("x"), #"{"b":1,"d":2,"b":3,"n":0}"#), (.after("x"), #"{"b":1,"d":2,"b":3,"n":0}"#),
    ] as [(JSONValue.Place, String)])
  func places(_ place: JSONValue.Place, _ expected: String) throws {
    let root = try JSONValue(json: #"{"b": 1, "d": 2, "b": 3}"#)
    #expect(root.setting("n", to: 0, at: place).compact == expected)
    let made: JSONValue = ["b": 1, "d": 2, "b": 3]
    #expect(made.setting("n", to: 0, at: place).compact == expected)
  }

  @Test(arguments: [
    ("a", #"{"a":0,"b":1,"d":2}"#), ("c", #"{"b":1,"c":0,"d":2}"#), ("e", #"{"b":1,"d":2,"e":0}"#),
    ("B", #"{"B":0,"b":1,"d":2}"#), ("é", #"{"b":1,"d":2,"é":0}"#), ("bb", #"{"b":1,"bb":0,"d":2}"#),
    ("", #"{"":0,"b":1,"d":2}"#),
  ])
  func sortedPlace(_ key: String, _ expected: String) throws {
    let root = try JSONValue(json: #"{"\u0062": 1, "d": 2}"#)
    #expect(root.setting(key, to: 0, at: .sorted).compact.replacing(#"\u0062"#, with: "b") == expected)
  }

  @Test func aMemberThatIsThereIsReplacedInPlace() throws {
    let root = try JSONValue(json: #"{"a": 1, "b": 2, "a": 3, "c": 4}"#)
    #expect(root.setting("a", to: 0, at: .first).compact == #"{"a":1,"b":2,"a":0,"c":4}"#)
    #expect(root.setting("a", to: 0)["a"]?.int64 == 0)
  }

  @Test func removingTakesEveryMemberSoNamed() throws {
    let root = try JSONValue(json: #"{"a": 1, "b": 2, "a": 3, "\u0061": 4}"#)
    #expect(root.removing("a").compact == #"{"b":2}"#)
    #expect(root.removing("x").compact == root.compact)
    #expect(root.removing("a").removing("b").compact == "{}")
  }

  @Test func anotherKindIsReturnedUnchanged() {
    let values: [JSONValue] = [.null, 1, "s", [1]]
    for value in values {
      #expect(value.setting("a", to: 1).compact == value.compact)
      #expect(value.removing("a").compact == value.compact)
    }
    let object: JSONValue = ["a": 1]
    #expect(object.replacingElements(with: [1]).compact == #"{"a":1}"#)
    #expect(JSONValue("s").replacingElements(with: [1]).compact == #""s""#)
  }

  @Test func theOldValueStaysAsItWas() throws {
    let root = try JSONValue(json: #"{"a": [1, 2], "b": 2}"#)
    let changed = root.setting("a", to: root["a"]?.replacingElements(with: []) ?? .null)
    #expect(changed.compact == #"{"a":[],"b":2}"#)
    #expect(root.compact == #"{"a":[1,2],"b":2}"#)
  }
}
