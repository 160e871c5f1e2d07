/// How an item's id is compared, made and derived.
///
/// An id is opaque text. Most are UUIDs, which compare without case; anything else compares byte for byte. The
/// spelling in the file is kept. A new row's id is a random UUID (version 4). A row that has none, or that shares
/// one with a different row, gets an id hashed from its content (version 8), so that every reader on every device
/// derives the same one.
package enum ItemID {
  /// What two spellings of one id have in common. Bytes, since Swift compares strings by canonical equivalence.
  package struct Key: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ id: String) {
      var bytes = Array(id.utf8)
      if ItemID.isUUID(bytes) {
        for index in bytes.indices where (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(bytes[index]) {
          bytes[index] |= 0x20
        }
      }
      self.bytes = bytes
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

  /// Whether the text has the shape of a UUID: 8-4-4-4-12 hexadecimal digits.
  private static func isUUID(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 36 else { return false }
    return bytes.indices.allSatisfy { index in
      switch index {
      case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
      default:
        switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      }
    }
  }
}
