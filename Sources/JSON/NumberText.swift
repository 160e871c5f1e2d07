// Numbers are kept as text; here is what the text says.
//
// A double holds integers exactly only up to 2^53, so an integer's value is worked out from its digits: 1.0,
// 1e2 and 0.1e1 are integers, 0.5 and 1e30 have no Int64.

enum NumberText {
  /// Whether a text is a number of RFC 8259, section 6, from its first to its last byte.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == .minus || first.isDigit else { return false }
    guard text.utf8.last?.isDigit == true else { return false }
    do {
      _ = try JSONParser.tape(of: Array(text.utf8), maximumDepth: 0)
      return true
    } catch {
      return false
    }
  }

  /// The value of a valid number's text, if it is an integer that fits.
  static func int64(_ text: String) -> Int64? {
    if let plain = Int64(text) { return plain }
    // The value is magnitude × 10^exponent. Zeros wait until a digit follows, so that the magnitude has none
    // at its end and its digits can be counted: with 19 it fits into 64 bits, with more the value cannot.
    var magnitude: UInt64 = 0
    var digits = 0
    var zeros = 0
    var exponent = 0
    var hasPoint = false
    var rest = text.utf8[...]
    let isNegative = rest.first == .minus
    if isNegative { rest = rest.dropFirst() }
    while let byte = rest.popFirst() {
      if byte == .dot {
        hasPoint = true
        continue
      }
      guard byte.isDigit else { break }
      if hasPoint { exponent -= 1 }
      if byte == .zero {
        zeros += 1
      } else {
        digits += digits == 0 ? 1 : zeros + 1
        guard digits <= 19 else { return nil }
        magnitude = magnitude * (digits == 1 ? 1 : power(10, zeros + 1)) + UInt64(byte - .zero)
        zeros = 0
      }
    }
    if digits == 0 { return 0 }
    exponent += zeros + scale(rest)
    guard exponent >= 0, digits + exponent <= 19 else { return nil }
    magnitude *= power(10, exponent)
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  private static func power(_ base: UInt64, _ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }

  /// The number behind `e`, 0 if there is none. It is cut off where no text is long enough to make up for it.
  private static func scale(_ text: Substring.UTF8View) -> Int {
    let isNegative = text.first == .minus
    let digits = text.drop { $0 == .minus || $0 == .plus }
    let scale = digits.reduce(0) { min($0 * 10 + Int($1 - .zero), 10_000_000_000) }
    return isNegative ? -scale : scale
  }
}
