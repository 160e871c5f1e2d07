// A text that was written for a value, parsed again with what is known of it, is the text parsed.

import Seeded
import Testing

@testable import JSON

@Suite struct RereadingTests {
  /// A list like a shopping list's, with elements of every kind.
  private func list(_ generator: inout SplitMix64) throws -> JSONValue {
    func elements(_ count: Int) -> JSONValue {
      .array((0..<count).map { _ in JSONValue.random(&generator, depth: Int.random(in: 1...3, using: &generator)) })
    }
    let value = JSONValue.object([
      ("schemaVersion", 1), ("sections", elements(2)), ("items", elements(Int.random(in: 0...9, using: &generator))),
      ("deletedItems", elements(Int.random(in: 0...3, using: &generator))),
      (RandomText.string(&generator), JSONValue.random(&generator, depth: 2)),
    ])
    return try JSONValue(parsing: value.encoded(style: .random(&generator)))
  }

  /// The list with other elements in one of its arrays.
  private func edited(_ list: JSONValue, with other: JSONValue, _ generator: inout SplitMix64) throws -> JSONValue {
    let name = ["items", "items", "deletedItems"].randomElement(using: &generator)!
    let array = try #require(list[name])
    var elements = Array(array.elements)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...elements.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0 where place < elements.count: elements.remove(at: place)
      case 1 where place < elements.count: elements.append(elements[place])
      case 2: elements.insert(.random(&generator, depth: 2), at: place)
      case 3 where place < elements.count:
        elements[place] = elements[place].setting("name", to: JSONValue(RandomText.string(&generator)))
      case 4: elements.insert(contentsOf: Array(try #require(other["items"]).elements), at: place)
      default: elements.shuffle(using: &generator)
      }
    }
    return list.setting(name, to: array.replacingElements(with: elements))
  }

  /// Compares what rereading gives with what parsing and comparing give.
  private func check(_ bytes: [UInt8], of written: JSONValue) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let parsed: JSONValue
    do {
      parsed = try JSONValue(parsing: bytes)
    } catch {
      #expect(throws: error, "\(text)") { try JSONValue(rereading: bytes, of: written) }
      return
    }
    guard let reread = try JSONValue(rereading: bytes, of: written) else {
      let haveSameOrder = parsed.members.map(\.key) == written.members.map(\.key)
      #expect(!haveSameOrder || !parsed.isEquivalent(to: written), "\(text)")
      return
    }
    #expect(parsed.isEquivalent(to: written), "\(text)")
    #expect(tape(of: reread) == tape(of: parsed), "\(text)")
  }

  private func tape(of value: JSONValue) -> [UInt32]? {
    if case .source(let source, JSONSource.root) = value.content { source.tape } else { nil }
  }

  @Test func givesWhatParsingGives() throws {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      var value = try list(&generator)
      let other = try list(&generator)
      for _ in 0..<3 {
        value = try edited(value, with: other, &generator)
        let bytes = value.encoded(style: .detected(in: value))
        let reread = try #require(try JSONValue(rereading: bytes, of: value))
        try check(bytes, of: value)
        if Bool.random(using: &generator) { value = reread }
      }
    }
  }

  @Test func findsWhatWasNotWritten() throws {
    var generator = SplitMix64(seed: 12)
    for _ in 0..<1_000 {
      let value = try edited(try list(&generator), with: try list(&generator), &generator)
      let bytes = value.encoded(style: .detected(in: value))
      for _ in 0..<20 {
        var damaged = bytes
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: damaged.remove(at: place)
        case 1: damaged.insert(Array(#"{}[],:" 1x"#.utf8).randomElement(using: &generator)!, at: place)
        case 2: damaged.removeSubrange(place..<min(place + 20, bytes.count))
        default: damaged[place] = UInt8.random(in: 0...255, using: &generator)
        }
        try check(damaged, of: value)
      }
    }
  }

  /// What stands one behind the other in a text need not stand in one array.
  @Test(arguments: [
    (#"{"a":[{"x":1},{"y":2}],"items":[0]}"#, #"{"items":[[{"x":1},{"y":2}],{"z":3}],"a":0}"#),
    (#"{"a":0,"items":[[{"x":1}],{"z":3}]}"#, #"{"a":0,"items":[[{"x":1}],{"z":3}]}"#),
  ])
  func anArraysEndIsSeen(list: String, other: String) throws {
    let list = try JSONValue(json: list)
    let items = Array(try #require(try JSONValue(json: other)["items"]).elements)
    // The inner array's element, and what stands behind that array.
    let elements = [try #require(items[0].elements.first), items[1]]
    let value = list.setting("items", to: .array(elements))
    let bytes = value.encoded(style: .detected(in: value))
    try check(bytes, of: value)
    // The same tokens one behind the other, but with the bracket that stood between them.
    let text = String(decoding: bytes, as: UTF8.self)
    try check(Array(text.replacing("},{\"z\"", with: "}],{\"z\"").utf8), of: value)
  }

  @Test func anElementThatWasLessDeepElsewhereIsNoWayAroundTheLimit() throws {
    for levels in [510, 511] {
      let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let element = try #require(try JSONValue(json: "[\(deep)]").elements.first)
      let value = try JSONValue(json: #"{"items":[0]}"#).setting("items", to: .array([element]))
      let bytes = value.encoded(style: .compact)
      #expect(String(decoding: bytes, as: UTF8.self) == "{\"items\":[\(deep)]}")
      try check(bytes, of: value)
    }
  }
}
