// The bytes that JSON gives a meaning to, by name.

extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D

  /// White space of RFC 8259, section 2.
  @inline(__always)
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  @inline(__always)
  var isDigit: Bool { self &- 0x30 < 10 }

  /// The value of a hexadecimal digit, either case.
  @inline(__always)
  var hexDigit: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self &- 0x30)
    case 0x41...0x46: UInt32(self &- 0x37)
    case 0x61...0x66: UInt32(self &- 0x57)
    default: nil
    }
  }

  /// Whether a token with this first byte is an array or an object.
  @inline(__always)
  var opensContainer: Bool { self == .openBracket || self == .openBrace }
}
