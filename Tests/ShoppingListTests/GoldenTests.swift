// Each style × each edit × the first, a middle, the last and the only row, compared byte for byte with a file under Golden/.
//
// To renew the files after a change that is meant: `make golden`, then read the difference.

import Foundation
import Testing

@testable import JSON
@testable import ShoppingList

@Suite struct GoldenTests {
  /// How the files of different writers look.
  enum Style: String, CaseIterable {
    case app, node, compact, tabs
  }

  enum Position: String, CaseIterable {
    case first, middle, last, only
  }

  enum Edit: String, CaseIterable {
    case add, tick, amount, rename, move, remove, replace
  }

  @Test(arguments: Style.allCases, Edit.allCases)
  func edit(style: Style, edit: Edit) throws {
    for position in Position.allCases {
      let source = try Self.source(style, rows: position == .only ? 1 : 3)
      var document = try Document(decoding: source)
      #expect(document.encoded() == source, "unchanged, a file is written byte for byte")
      Self.apply(edit, to: &document, at: position)
      let isEdited = document.isEdited
      #expect(isEdited)
      let bytes = document.encoded()
      try Golden.compare(bytes, with: "\(style.rawValue)/\(edit.rawValue)-\(position.rawValue).json")
      // What was written says what was meant, and nothing but the row that was touched is other than before.
      let back = try Document(decoding: bytes)
      #expect(back.isEquivalent(to: document))
      if style == .app {
        #expect(try Self.rewrittenByFoundation(bytes) == bytes, "the app would write the same")
      }
    }
  }

  static func apply(_ edit: Edit, to document: inout Document, at position: Position) {
    let items = document.items
    let place =
      switch position {
      case .first, .only: 0
      case .middle: 1
      case .last: items.count - 1
      }
    let target = items[place]
    let context = context()
    switch edit {
    case .add:
      // A new row comes last, so the place is that of a row in a replacement: in front, between, behind.
      var rows = items.map { ReplacementRow(id: $0.id, changes: ItemChanges()) }
      let new = ReplacementRow(
        changes: ItemChanges(name: "Zucchini", amount: "1/2 kg", section: "Bakery & more"))
      rows.insert(new, at: position == .last || position == .only ? rows.count : place)
      _ = document.replace(with: rows, sections: nil, in: context)
    case .tick: _ = document.change([(target.id, ItemChanges(checked: true))], in: context)
    case .amount: _ = document.change([(target.id, ItemChanges(amount: "½ l/week"))], in: context)
    case .rename: _ = document.change([(target.id, ItemChanges(name: "Crème \"fraîche\""))], in: context)
    case .move: _ = document.change([(target.id, ItemChanges(section: "Bakery"))], in: context)
    case .remove: _ = document.remove(ids: [target.id], in: context)
    case .replace:
      _ = document.replace(
        with: [ReplacementRow(id: target.id, changes: ItemChanges(checked: true))], sections: ["Drinks"],
        in: context)
    }
  }

  /// A list of one or three rows, with members that nobody here knows, as each writer would lay it out.
  static func source(_ style: Style, rows count: Int) throws -> [UInt8] {
    let rows = (1...count).map { number in
      #"""
      {"amount":"\#(number)/2","checked":false,"id":"0000000\#(number)-0000-4000-8000-000000000000","lastModified":"2026-11-0\#(number)T08:00:00.000Z","name":"Café \#(number)","optional":false,"price":{"currency":"EUR","value":1.5},"section":"Drinks","tags":[]}
      """#
    }
    let sorted =
      #"{"deletedItems":[],"items":[\#(rows.joined(separator: ","))],"schemaVersion":1,"sections":["Drinks"],"x-app":{}}"#
    let inOrder = (1...count).map { number in
      #"""
      {"id":"0000000\#(number)-0000-4000-8000-000000000000","name":"Café \#(number)","section":"Drinks","checked":false,"price":{"value":1.50,"currency":"EUR"},"tags":[]}
      """#
    }
    let unsorted =
      #"{"x-node":{},"schemaVersion":1,"sections":["Drinks"],"items":[\#(inOrder.joined(separator: ","))]}"#
    switch style {
    case .compact: return Array(unsorted.utf8)
    case .app: return try rewrittenByFoundation(Array(sorted.utf8))
    case .node: return Golden.stringified(unsorted, indent: "  ")
    case .tabs: return Golden.stringified(unsorted, indent: "\t") + [10]
    }
  }

  /// The file as an app writes it: decoded and encoded again by Foundation, pretty-printed, keys sorted.
  static func rewrittenByFoundation(_ bytes: [UInt8]) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return Array(try encoder.encode(JSONDecoder().decode(AppValue.self, from: Data(bytes))))
  }
}

/// Any JSON, as an app's `Codable` types would carry it.
private enum AppValue: Codable {
  case null, bool(Bool), integer(Int64), number(Double), string(String), array([AppValue]), object(
    [String: AppValue])

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? single.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? single.decode(Double.self) {
      self = .number(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(value)
    } else if let value = try? single.decode([AppValue].self) {
      self = .array(value)
    } else {
      self = .object(try single.decode([String: AppValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .null: try single.encodeNil()
    case .bool(let value): try single.encode(value)
    case .integer(let value): try single.encode(value)
    case .number(let value): try single.encode(value)
    case .string(let value): try single.encode(value)
    case .array(let value): try single.encode(value)
    case .object(let value): try single.encode(value)
    }
  }
}

/// Files that say what must come out.
enum Golden {
  static func compare(_ bytes: [UInt8], with name: String, file: String = #filePath) throws {
    let url = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Golden/\(name)")
    if ProcessInfo.processInfo.environment["RENEW_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
      return
    }
    let expected = Array(try Data(contentsOf: url))
    #expect(
      String(decoding: bytes, as: UTF8.self) == String(decoding: expected, as: UTF8.self),
      "differs from \(name)")
    #expect(bytes == expected)
  }

  /// `JSON.stringify(value, null, indent)`, written independently of the code under test: a walk over compact JSON.
  static func stringified(_ compact: String, indent: String) -> [UInt8] {
    var out = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    var previous: Character = " "
    func line() { out += "\n" + String(repeating: indent, count: depth) }
    for character in compact {
      if isInString {
        out.append(character)
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isInString = false
        }
        previous = "\""
        continue
      }
      if (previous == "{" || previous == "[") && character != "}" && character != "]" {
        depth += 1
        line()
      }
      switch character {
      case "\"":
        isInString = true
        out.append(character)
      case "{", "[": out.append(character)
      case "}", "]":
        if previous != "{" && previous != "[" {
          depth -= 1
          line()
        }
        out.append(character)
      case ",":
        out.append(character)
        line()
      case ":": out += ": "
      default: out.append(character)
      }
      previous = character
    }
    return Array(out.utf8)
  }
}
