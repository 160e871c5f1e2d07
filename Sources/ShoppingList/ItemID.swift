/// How an item's id is compared, made and derived.
///
/// An id is opaque text. Most are UUIDs, which compare without case; anything else compares byte for byte. The
/// spelling in the file is kept. A new row's id is a random UUID (version 4). A row that has none, or that shares
/// one with a different row, gets an id hashed from its content (version 8), so that every reader on every device
/// derives the same one.
package enum ItemID {
  /// What two spellings of one id have in common: a UUID's bits, or the bytes of any other text, since Swift compares
  /// strings by canonical equivalence.
  package struct Key: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
      case uuid(high: UInt64, low: UInt64)
      case text([UInt8])
    }

    private let content: Content

    /// The same for equal keys, and for others almost never.
    var fingerprint: UInt64 {
      switch content {
      case .uuid(let high, let low): high &* 0x9E37_79B9_7F4A_7C15 ^ low
      case .text(let bytes): bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
      }
    }

    package init(_ id: String) {
      var id = id
      content = id.withUTF8 { bytes in
        ItemID.uuid(bytes).map { .uuid(high: $0.high, low: $0.low) } ?? .text(Array(bytes))
      }
    }
  }

  /// A UUID of version 4 (RFC 9562) from 16 random bytes, in capitals as Apple's systems write it.
  package static func random(from bytes: [UInt8]) -> String {
    uuid(version: 4, bytes: bytes)
  }

  /// A UUID of version 8 (RFC 9562) hashed from `content`.
  static func derived(from content: [UInt8]) -> String {
    uuid(version: 8, bytes: SHA256.hash(content))
  }

  /// The first 16 bytes with version and variant set, as 8-4-4-4-12 hexadecimal digits.
  private static func uuid(version: UInt8, bytes: [UInt8]) -> String {
    precondition(bytes.count >= 16, "a UUID is made of 16 bytes")
    var bytes = Array(bytes[..<16])
    bytes[6] = bytes[6] & 0x0F | version << 4
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
    return groups.map { hexadecimal($0) }.joined(separator: "-").uppercased()
  }

  /// The bits of a text in the shape of a UUID, 8-4-4-4-12 hexadecimal digits; nil for any other.
  private static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
    let dash = UInt8(ascii: "-")
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else {
      return nil
    }
    guard let first = number(text, 0..<8), let second = number(text, 9..<13), let third = number(text, 14..<18),
      let fourth = number(text, 19..<23), let fifth = number(text, 24..<36)
    else { return nil }
    return (first << 32 | second << 16 | third, fourth << 48 | fifth)
  }

  /// The number that these hexadecimal digits say; nil where one is none.
  @inline(__always)
  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64? {
    var number: UInt64 = 0
    for index in range {
      // Small letters are capitals with one bit more.
      let byte = text[index]
      let letter = byte & ~0x20
      if byte &- UInt8(ascii: "0") < 10 {
        number = number << 4 | UInt64(byte & 0x0F)
      } else if letter &- UInt8(ascii: "A") < 6 {
        number = number << 4 | UInt64(letter & 0x0F + 9)
      } else {
        return nil
      }
    }
    return number
  }
}
