// Integers as JSON writes them. `1.0` and `1e2` are integers, `1.5` is none, and neither 12345678901234567890 nor
// 1e400 needs to fit into a machine word to be one.

import JSON

extension JSONValue {
  /// Whether this is a number without a fraction, of any size.
  var isInteger: Bool {
    guard let number = numberText.map(WrittenNumber.init) else { return false }
    return number.digits.allSatisfy { $0 == UInt8(ascii: "0") }
      || number.significantFractionDigits <= number.exponent
  }

  /// The integer this is; one outside the range of Int as the nearest that is inside. Nil when it is no integer.
  var clampedInteger: Int? {
    if let int64 { return Int(int64) }
    guard isInteger, let numberText else { return nil }
    return numberText.hasPrefix("-") ? .min : .max
  }

  /// The integer in the one spelling that all its spellings share: 1, 1.0 and 10e-1 are "1e0". Nil when it is no integer.
  var integerIdentity: String? {
    guard let numberText else { return nil }
    // Almost every id is a count.
    let digits = numberText.utf8
    if digits.first != UInt8(ascii: "0"), digits.last != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      return "\(numberText)e0"
    }
    guard isInteger else { return nil }
    let identity = WrittenNumber(numberText).identity
    return numberText.hasPrefix("-") && identity != "0" ? "-\(identity)" : identity
  }
}

/// The parts of a number's text.
private struct WrittenNumber {
  /// All digits before the exponent, without sign and decimal point.
  let digits: [UInt8]
  /// How many of the digits stand behind the decimal point, zeros at the end not counted; negative when zeros before
  /// the decimal point end the digits.
  let significantFractionDigits: Int
  /// The written exponent, or the nearest Int; 0 without one.
  let exponent: Int

  init(_ text: String) {
    let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."))
    digits = mantissa.flatMap { $0.filter { $0 != UInt8(ascii: "-") } }
    let zeros = digits.count - (digits.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? 0)
    significantFractionDigits = (mantissa.count > 1 ? mantissa[1].count : 0) - zeros
    exponent = parts.count > 1 ? Self.integer(parts[1]) : 0
  }

  /// The digits that count and the power of ten behind them; "0" for all zeros.
  var identity: String {
    let zero = UInt8(ascii: "0")
    guard let first = digits.firstIndex(where: { $0 != zero }), let last = digits.lastIndex(where: { $0 != zero })
    else { return "0" }
    let (power, overflow) = exponent.subtractingReportingOverflow(significantFractionDigits)
    return "\(String(decoding: digits[first...last], as: UTF8.self))e\(overflow ? .max : power)"
  }

  private static func integer(_ text: Substring.UTF8View) -> Int {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = String(text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }) ?? ""
    return (Int(digits) ?? .max) * (isNegative ? -1 : 1)
  }
}
