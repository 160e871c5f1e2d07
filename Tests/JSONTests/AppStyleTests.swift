// The phone app's style is what Foundation's JSONEncoder writes. These tests compare with the real one.

import Foundation
import JSON
import Seeded
import Testing

struct AppStyleTests {
  /// Anything JSON, for Foundation to encode. Numbers are integers, which Foundation writes as they are.
  indirect enum Model: Encodable, Equatable {
    case null, bool(Bool), integer(Int), string(String), array([Model]), object([String: Model])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let bool): try container.encode(bool)
      case .integer(let integer): try container.encode(integer)
      case .string(let string): try container.encode(string)
      case .array(let elements): try container.encode(elements)
      case .object(let members): try container.encode(members)
      }
    }

    /// What the real encoder writes.
    func exported() throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The same as a made value, members sorted.
    var value: JSONValue {
      switch self {
      case .null: .null
      case .bool(let bool): JSONValue(bool)
      case .integer(let integer): JSONValue(integer)
      case .string(let string): JSONValue(string)
      case .array(let elements): .array(elements.map(\.value))
      case .object(let members):
        .object(
          members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { (key: $0.key, value: $0.value.value) })
      }
    }

    static func random(_ generator: inout SplitMix64, depth: Int) -> Model {
      switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &generator) {
      case 0: .null
      case 1: .bool(.random(using: &generator))
      case 2: .integer(.random(in: -1_000_000...1_000_000, using: &generator))
      case 3: .string(RandomText.string(&generator))
      case 4, 5:
        .array(
          (0..<Int.random(in: 0...3, using: &generator)).map { _ in random(&generator, depth: depth - 1) })
      default:
        .object(
          Dictionary(
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in
              (RandomText.string(&generator), random(&generator, depth: depth - 1))
            }, uniquingKeysWith: { $1 }))
      }
    }
  }

  /// A list as the app has it, with a path in a name so that slashes show.
  static func list(_ rows: [Model], sections: [Model] = [.string("Dairy")]) -> Model {
    .object(["items": .array(rows), "schemaVersion": .integer(1), "sections": .array(sections)])
  }

  static func row(_ id: Int, _ name: String = "Milk 1/2") -> Model {
    .object(["id": .integer(id), "name": .string(name), "checked": .bool(false), "tags": .array([])])
  }

  static let lists: [Model] = [
    list([]), list([row(1)]), list([row(1), row(2), row(3)]),
    list([row(1, "é\u{1}\u{1F}\u{7F}\n\"\\/")], sections: []),
    list([row(1)], sections: []), .object([:]), .array([]), .array([.array([])]),
    .object(["a": .object([:])]),
  ]

  @Test(arguments: lists)
  func itsExportIsDetected(_ list: Model) throws {
    let text = try list.exported()
    #expect(JSONStyle.detected(in: try JSONValue(json: text)) == .app)
    #expect(list.value.file(.app) == text)
  }

  @Test func everyCharacterIsWrittenAlike() throws {
    var scalars = (0..<0x300).compactMap(Unicode.Scalar.init)
    scalars += [0x2028, 0x2029, 0xFEFF, 0xFFFD, 0xFFFF, 0x1F600, 0x10FFFF].compactMap(Unicode.Scalar.init)
    for scalar in scalars {
      let model = Model.array([.string("a\(Character(scalar))b")])
      #expect(model.value.file(.app) == (try model.exported()), "\(scalar.value)")
    }
  }

  @Test func randomValuesAreWrittenAlike() throws {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<500 {
      let model = Model.random(&generator, depth: 4)
      #expect(model.value.file(.app) == (try model.exported()))
    }
  }

  /// Rows put in, taken out and changed give what the app would export for the same content.
  @Test func editsGiveItsExport() throws {
    var generator = SplitMix64(seed: 2)
    for round in 0..<200 {
      var rows = (0..<Int.random(in: 0...4, using: &generator)).map { Self.row($0) }
      var root = try JSONValue(json: try Self.list(rows).exported())
      let style = JSONStyle.detected(in: root)
      #expect(style == .app)
      for step in 0..<4 {
        var values = Array(try #require(root["items"]).elements)
        let index = Int.random(in: 0...rows.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          let new = Model.object([
            "id": .integer(round), "name": .string(RandomText.string(&generator)),
            "more": .random(&generator, depth: 3),
          ])
          rows.insert(new, at: index)
          values.insert(new.value, at: index)
        case 1 where index < rows.count:
          rows.remove(at: index)
          values.remove(at: index)
        default:
          guard index < rows.count, case .object(var members) = rows[index] else { break }
          let value = Model.random(&generator, depth: 2)
          members["n\(step)"] = value
          rows[index] = .object(members)
          values[index] = values[index].setting("n\(step)", to: value.value, at: .sorted)
        }
        root = root.setting("items", to: root["items"]!.replacingElements(with: values))
        let exported = try Self.list(rows).exported()
        #expect(root.file(style) == exported)
        if Bool.random(using: &generator) { root = try JSONValue(json: exported) }
      }
    }
  }
}
