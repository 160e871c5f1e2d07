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

    package init(_ id: String) {
      var id = id
      content = id.withUTF8 { bytes in
        ItemID.uuid(bytes).map { .uuid(high: $0.high, low: $0.low) } ?? .text(Array(bytes))
      }
    }
  }

  /// The same for ids with equal keys, and for others almost never.
  static func fingerprint(_ id: String) -> UInt64 {
    var id = id
    return id.withUTF8 { bytes in
      if let uuid = uuid(bytes) { return uuid.high &* 0x9E37_79B9_7F4A_7C15 ^ uuid.low }
      return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
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
    let bytes = UnsafeRawBufferPointer(text)
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    func word(_ first: Int, _ second: Int) -> UInt64 {
      let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: first, as: UInt32.self))
      let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: second, as: UInt32.self))
      return UInt64(low) | UInt64(high) << 32
    }
    guard let first = number(word(0)), let second = number(word(9, 14)), let third = number(word(19, 24)),
      let fourth = number(word(28))
    else { return nil }
    return (first << 32 | second, third << 32 | fourth)
  }

  /// The number that eight hexadecimal digits say, the first in the lowest byte; nil where one is none.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64? {
    func repeating(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
    // Of ASCII no sum runs into the next byte; its highest bit says whether the byte reaches a bound.
    guard digits & repeating(0x80) == 0 else { return nil }
    // Small letters are capitals with one bit more.
    let small = digits | repeating(0x20)
    let isDigit = (digits &+ repeating(0x80 - 0x30)) & ~(digits &+ repeating(0x80 - 0x3A))
    let isLetter = (small &+ repeating(0x80 - 0x61)) & ~(small &+ repeating(0x80 - 0x67)) & repeating(0x80)
    guard (isDigit | isLetter) & repeating(0x80) == repeating(0x80) else { return nil }
    // Each byte gets its digit's value; then neighbours are joined to bytes, these to 16 bits, and these to 32.
    var number = (digits & repeating(0x0F)) &+ (isLetter >> 7) &* 9
    number = (number << 4 | number >> 8) & 0x00FF_00FF_00FF_00FF
    number = (number << 8 | number >> 16) & 0x0000_FFFF_0000_FFFF
    return (number << 16 | number >> 32) & 0xFFFF_FFFF
  }
}
