// The text of a string between its quotes: reading escapes.
//
// `StringPieces` cuts it into runs of bytes that stand for themselves and into escapes with what they stand
// for. Everything that reads strings goes through it: decoding, comparing, writing in another style.
//
// JSON lets a string contain half of a surrogate pair (`"\ud83d"`), which no Swift `String` can hold. It is
// shown as U+FFFD, but comparisons and writing keep it apart: in `exactBytes` it has three bytes of its own
// (as in WTF-8), which no UTF-8 text contains.

/// A run of plain bytes or one escape.
enum StringPiece {
  /// Bytes that stand for themselves, by their place in the text.
  case plain(Range<Int>)
  /// An escape, or two that make a pair of surrogates.
  case scalar(Unicode.Scalar)
  /// An escape of a surrogate without its other half.
  case loneSurrogate(UInt16)
}

/// The pieces of a string's text, from left to right.
struct StringPieces {
  /// Checked text without the quotes.
  let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  mutating func next() -> StringPiece? {
    guard position < text.count else { return nil }
    let start = position
    if text[position] != .backslash {
      skipPlain()
      return .plain(start..<position)
    }
    switch text[position + 1] {
    case UInt8(ascii: "u"): return unicodeEscape()
    case UInt8(ascii: "b"): position += 2; return .scalar("\u{8}")
    case UInt8(ascii: "f"): position += 2; return .scalar("\u{C}")
    case UInt8(ascii: "n"): position += 2; return .scalar("\n")
    case UInt8(ascii: "r"): position += 2; return .scalar("\r")
    case UInt8(ascii: "t"): position += 2; return .scalar("\t")
    case let byte: position += 2; return .scalar(Unicode.Scalar(byte))  // " \ /
    }
  }

  private mutating func skipPlain() {
    while position + 8 <= text.count {
      let stops = ByteWord(at: text.baseAddress.unsafelyUnwrapped + position).marks(of: .backslash)
      position += ByteWord.first(in: stops)
      if stops != 0 { return }
    }
    while position < text.count, text[position] != .backslash { position += 1 }
  }

  private mutating func unicodeEscape() -> StringPiece {
    let unit = codeUnit(at: position)
    position += 6
    if let scalar = Unicode.Scalar(unit) { return .scalar(scalar) }
    if unit < 0xDC00, position + 6 <= text.count, text[position] == .backslash,
      text[position + 1] == UInt8(ascii: "u")
    {
      let low = codeUnit(at: position)
      if (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        position += 6
        return .scalar(scalar)
      }
    }
    return .loneSurrogate(UInt16(unit))
  }

  /// The value of the four digits of the escape at `index`.
  private func codeUnit(at index: Int) -> UInt32 {
    var unit: UInt32 = 0
    for digit in text[index + 2..<index + 6] { unit = unit << 4 | (digit.hexDigit ?? 0) }
    return unit
  }
}

/// Ways to read the text between the quotes.
enum StringText {
  /// The string; a lone surrogate becomes U+FFFD.
  @inline(__always)
  static func string(_ text: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) -> String {
    if hasEscapes { return decoded(text) }
    // What fits into a string itself is put there at once.
    guard text.count <= 15 else { return String(decoding: text, as: UTF8.self) }
    if text.isEmpty { return "" }
    return String(unsafeUninitializedCapacity: text.count) { $0.initialize(fromContentsOf: text) }
  }

  /// The string of a text with escapes.
  private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> String {
    // No escape is shorter than what it stands for.
    String(unsafeUninitializedCapacity: text.count) { buffer in
      var count = 0
      var pieces = StringPieces(text)
      while let piece = pieces.next() {
        switch piece {
        case .plain(let range):
          let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
          _ = rest.initialize(fromContentsOf: text[range])
          count += range.count
        case .scalar(let scalar):
          for byte in scalar.utf8 {
            buffer.initializeElement(at: count, to: byte)
            count += 1
          }
        case .loneSurrogate:
          for byte: UInt8 in [0xEF, 0xBF, 0xBD] {
            buffer.initializeElement(at: count, to: byte)
            count += 1
          }
        }
      }
      return count
    }
  }

  /// What the string says, as UTF-8 except for lone surrogates. Two strings are equal where these bytes are.
  static func exactBytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var pieces = StringPieces(text)
    while let piece = pieces.next() {
      switch piece {
      case .plain(let range): bytes.append(contentsOf: text[range])
      case .scalar(let scalar): bytes.append(contentsOf: scalar.utf8)
      case .loneSurrogate(let unit):
        bytes.append(0xED)
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | unit >> 6 & 0x3F))
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F))
      }
    }
    return bytes
  }
}
