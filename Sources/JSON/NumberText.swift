// Numbers are kept as text; here is what the text says.
//
// A double holds integers exactly only up to 2^53, so an integer's value is worked out from its digits: 1.0, 1e2 and
// 0.1e1 are integers, 0.5 and 1e30 have no Int64.

enum NumberText {
  /// Whether a text is a number of RFC 8259, section 6, from its first to its last byte.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == .minus || first.isDigit else { return false }
    guard text.utf8.last?.isDigit == true else { return false }
    return (try? JSONParser.tape(of: Array(text.utf8), maximumDepth: 0)) != nil
  }

  /// The value of a valid number's text, if it is an integer that fits.
  static func int64(_ text: String) -> Int64? {
    // The number is 0.d1d2d3… × 10^point, or digits × 10^exponent, with the digits from the first to the last that is
    // not zero.
    var isNegative = false
    var hasPoint = false
    var digits: [UInt8] = []
    var trailingZeros = 0
    var exponent = 0
    var rest = text.utf8[...]
    if rest.first == .minus {
      isNegative = true
      rest = rest.dropFirst()
    }
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == .dot {
        hasPoint = true
        continue
      }
      guard byte.isDigit else { break }
      if hasPoint { exponent -= 1 }
      if byte == .zero {
        trailingZeros += 1
      } else {
        if digits.isEmpty {
          digits = [byte]
        } else {
          digits.append(contentsOf: repeatElement(.zero, count: trailingZeros))
          digits.append(byte)
        }
        trailingZeros = 0
      }
    }
    guard !digits.isEmpty else { return 0 }
    exponent += trailingZeros + scale(rest)
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    digits.append(contentsOf: repeatElement(.zero, count: exponent))
    // Nineteen digits always fit into 64 bits without a sign.
    let magnitude = digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1 - .zero) }
    if isNegative {
      return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The number behind `e`, 0 if there is none. Beyond a billion it is cut off: no text is long enough to make up for it.
  private static func scale(_ text: Substring.UTF8View) -> Int {
    var text = text
    let isNegative = text.first == .minus
    if isNegative || text.first == .plus { text = text.dropFirst() }
    var scale = 0
    for byte in text {
      scale = min(scale * 10 + Int(byte - .zero), 10_000_000_000)
    }
    return isNegative ? -scale : scale
  }
}
