// Random values, random damage and random edits, always the same for the same seed.

import JSON
import Seeded
import Testing

/// Strings with what is hard about strings.
enum RandomText {
  static let pieces = [
    "a", "B", "milk", "0", " ", "/", "\\", "\"", "\n", "\r", "\t", "\u{8}", "\u{C}", "\0", "\u{1F}", "\u{7F}",
    "é", "e\u{301}",
    "ß", "日本", "\u{2028}", "\u{FEFF}", "😀", "\u{10FFFF}", "plain text that is longer than a word",
  ]

  static func string(_ generator: inout SplitMix64) -> String {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
      .joined()
  }
}

extension JSONValue {
  static func random(_ generator: inout SplitMix64, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &generator) {
    case 0: return .null
    case 1: return JSONValue(Bool.random(using: &generator))
    case 2: return JSONValue(Int.random(in: .min ... .max, using: &generator))
    case 3:
      return .number(
        text: ["0", "-0", "1.0", "1e2", "12345678901234567890.5E-3"].randomElement(using: &generator)!)
    case 4: return JSONValue(RandomText.string(&generator))
    case 5, 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in random(&generator, depth: depth - 1) })
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          (key: RandomText.string(&generator), value: random(&generator, depth: depth - 1))
        })
    }
  }
}

extension JSONStyle {
  static func random(_ generator: inout SplitMix64) -> JSONStyle {
    JSONStyle(
      indent: [nil, "", "  ", "\t"].randomElement(using: &generator)!,
      colon: [":", ": ", " : "].randomElement(using: &generator)!,
      comma: [",", ", "].randomElement(using: &generator)!,
      escapesSlash: .random(using: &generator), escapesNonASCII: .random(using: &generator),
      newline: ["\n", "\r\n"].randomElement(using: &generator)!,
      emptyContainer: [.tight, .blankLine].randomElement(using: &generator)!,
      finalNewline: .random(using: &generator),
      byteOrderMark: .random(using: &generator))
  }
}

struct RandomTests {
  @Test func everyStyleSaysTheSame() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<1_000 {
      let value = JSONValue.random(&generator, depth: 4)
      let style = JSONStyle.random(&generator)
      let bytes = value.encoded(style: style)
      let parsed = try JSONValue(parsing: bytes)
      #expect(parsed.isEquivalent(to: value))
      #expect(parsed.canonicalBytes == value.canonicalBytes)
      #expect(try JSONValue(json: parsed.compact).isEquivalent(to: value))
      #expect(parsed.encoded(style: .app) == bytes)
      // What was parsed and is put into a made value, which has no source, is written as if it had been made.
      #expect(
        JSONValue.array([parsed]).encoded(style: style) == JSONValue.array([value]).encoded(style: style))
      #expect(!style.escapesNonASCII || bytes.dropFirst(style.byteOrderMark ? 3 : 0).allSatisfy { $0 < 0x80 })
    }
  }

  @Test func differentValuesDiffer() {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<3_000 {
      let value = JSONValue.random(&generator, depth: 2)
      let other = JSONValue.random(&generator, depth: 2)
      #expect(value.isEquivalent(to: other) == (value.canonicalBytes == other.canonicalBytes))
      #expect(value.isEquivalent(to: value))
    }
  }

  /// Damage never traps. What is still accepted is read to the last byte, and changed, without trapping
  /// either.
  @Test func damageNeverTraps() throws {
    var generator = SplitMix64(seed: 5)
    let alphabet =
      Array("{}[]:,\"\\/u0123456789abcdefE+-. \n\r\ttruefalsnl".utf8) + [
        0, 0x1F, 0x80, 0xC3, 0xA9, 0xED, 0xF0, 0xFF,
      ]
    var accepted = 0
    for _ in 0..<6_000 {
      var bytes = JSONValue.random(&generator, depth: 3).encoded(style: .random(&generator))
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[index] = alphabet.randomElement(using: &generator)!
        case 1: bytes.insert(alphabet.randomElement(using: &generator)!, at: index)
        case 2: bytes.remove(at: index)
        case 3: bytes.removeSubrange(index...)
        default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &generator))
        }
      }
      let value: JSONValue
      do {
        value = try JSONValue(parsing: bytes)
      } catch {
        #expect((0...bytes.count).contains(error.offset))
        continue
      }
      accepted += 1
      #expect(try JSONValue(json: value.compact).isEquivalent(to: value))
      let changed = JSONValue.array([value]).encoded(style: .detected(in: value))
      #expect(try JSONValue(parsing: changed).elements.first?.isEquivalent(to: value) == true)
    }
    #expect(accepted > 500)
  }

  /// A file with rows of every shape, laid out at random.
  static func file(_ generator: inout SplitMix64) -> (root: JSONValue, rows: [String]) {
    let style = JSONStyle.random(&generator)
    let rows = (0..<Int.random(in: 0...6, using: &generator)).map { index in
      let value = JSONValue.object([
        (key: "id", value: JSONValue(index)), (key: "v", value: .random(&generator, depth: 2)),
      ])
      // A row may have another style than the file, and then its lines have another indentation.
      var rowStyle = Bool.random(using: &generator) ? style : .random(&generator)
      rowStyle.byteOrderMark = false
      rowStyle.finalNewline = false
      return value.file(rowStyle)
    }
    let gaps = ["", " ", "\n", "\n  ", "\r\n\t", "\n\n    "]
    func gap() -> String { gaps.randomElement(using: &generator)! }
    var text = gap() + "{" + gap() + "\"items\"" + gap() + ":" + gap() + "[" + gap()
    for (index, row) in rows.enumerated() { text += (index > 0 ? gap() + "," + gap() : "") + row }
    text += gap() + "]" + gap() + "," + gap() + "\"x\"" + gap() + ":" + gap() + "1.50" + gap() + "}" + gap()
    return ((try? JSONValue(json: text)) ?? .null, rows)
  }

  /// Whatever is done to rows, the others keep their bytes, and the file says what was meant.
  @Test func editScriptsKeepUntouchedRows() throws {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<1_000 {
      let (root, texts) = Self.file(&generator)
      let items = try #require(root["items"])
      #expect(items.elements.map(\.sourceBytes) == texts.map { Array($0.utf8) })
      var rows = Array(items.elements)
      var expected = rows.map { [UInt8]?.some($0.sourceBytes) }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0...rows.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          rows.insert(.random(&generator, depth: 2), at: index)
          expected.insert(nil, at: index)
        case 1 where index < rows.count:
          rows.remove(at: index)
          expected.remove(at: index)
        case 2 where index < rows.count:
          let other = Int.random(in: 0..<rows.count, using: &generator)
          rows.swapAt(index, other)
          expected.swapAt(index, other)
        default:
          guard index < rows.count, rows[index].kind == .object else { continue }
          rows[index] = rows[index].setting("v", to: .random(&generator, depth: 2))
          expected[index] = nil
        }
      }
      let changed = root.setting("items", to: items.replacingElements(with: rows))
      let written = try JSONValue(parsing: changed.encoded(style: .detected(in: root)))
      #expect(written.isEquivalent(to: changed))
      let writtenRows = Array(try #require(written["items"]).elements)
      #expect(writtenRows.count == expected.count)
      for (row, text) in zip(writtenRows, expected) {
        if let text { #expect(row.sourceBytes == text) }
      }
      #expect(written["x"]?.numberText == "1.50")
    }
  }

  /// One member of one row is changed: before and behind its value, the file has the bytes it had.
  @Test func oneChangeTouchesOnePlace() throws {
    var generator = SplitMix64(seed: 7)
    var changes = 0
    while changes < 500 {
      let (root, _) = Self.file(&generator)
      let items = try #require(root["items"])
      var rows = Array(items.elements)
      guard let index = rows.indices.randomElement(using: &generator), let id = rows[index]["id"] else {
        continue
      }
      changes += 1
      rows[index] = rows[index].setting("id", to: "new")
      let changed = root.setting("items", to: items.replacingElements(with: rows))
      let before = root.encoded(style: .app)
      let after = changed.encoded(style: .detected(in: root))
      let new = Array("\"new\"".utf8)
      #expect(after.count == before.count - id.sourceBytes.count + new.count)
      let common = zip(before, after).prefix { $0 == $1 }.count
      #expect(after[common...].starts(with: new))
      #expect(after[(common + new.count)...] == before[(common + id.sourceBytes.count)...])
    }
  }
}
