// One character of several bytes, checked as The Unicode Standard's table 3-7 ("Well-Formed UTF-8 Byte
// Sequences") says: no overlong forms, no surrogates, nothing above U+10FFFF.

enum UTF8Sequence {
  /// The length, 2...4, of the well-formed sequence that starts at `index` with a byte outside ASCII; 0 if
  /// none does.
  @inline(__always)
  static func length(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    let left = text.count - index
    guard left >= 2 else { return 0 }
    let first = text[index]
    let second = text[index + 1]
    switch first {
    case 0xC2...0xDF:
      return second & 0xC0 == 0x80 ? 2 : 0
    case 0xE0...0xEF:
      guard left >= 3, second & 0xC0 == 0x80, text[index + 2] & 0xC0 == 0x80 else { return 0 }
      if first == 0xE0, second < 0xA0 { return 0 }
      if first == 0xED, second > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard left >= 4, second & 0xC0 == 0x80, text[index + 2] & 0xC0 == 0x80, text[index + 3] & 0xC0 == 0x80
      else { return 0 }
      if first == 0xF0, second < 0x90 { return 0 }
      if first == 0xF4, second > 0x8F { return 0 }
      return 4
    default:
      return 0
    }
  }
}
