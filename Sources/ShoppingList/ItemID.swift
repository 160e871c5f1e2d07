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
    guard text.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte & 0x0F
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        digit = byte & 0x0F + 9
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    return (high, low)
  }
}
