import JSON

/// How a row spells its `lastModified`: ISO text, or one of three kinds of number.
///
/// Writers differ: Swift's `JSONEncoder` writes seconds since 2001 unless told otherwise, scripts write Unix seconds,
/// JavaScript milliseconds. A stamp that is moved on keeps the spelling it had, since its writer may read no other.
/// A number's kind is told by its size (seconds since 2001 reach 1.5e9 in 2048).
enum StampFormat: Hashable, Sendable {
  /// `"2026-11-30T20:41:12.345Z"`
  case isoMilliseconds
  /// `"2026-11-30T20:41:12Z"`: what a reader without fractions accepts.
  case isoSeconds
  /// Seconds since 2001-01-01, with a fraction.
  case secondsSince2001
  /// Seconds since 1970, with a fraction.
  case unixSeconds
  /// Seconds since 1970, whole: its reader may take no fraction.
  case wholeUnixSeconds
  /// Milliseconds since 1970.
  case unixMilliseconds

  /// The instant a stamp names and its spelling; nil for anything that is no stamp (it is kept as written).
  static func read(_ value: JSONValue) -> (instant: Instant, format: StampFormat)? {
    read(PassingValue(value))
  }

  /// The same of a value that is only looked at.
  static func read(_ value: PassingValue) -> (instant: Instant, format: StampFormat)? {
    if value.kind == .string { return value.withExactBytes(read(text:)) }
    return value.numberText.flatMap(read(number:))
  }

  private static func read(text: UnsafeBufferPointer<UInt8>) -> (instant: Instant, format: StampFormat)? {
    Instant(iso8601: text).map { ($0, text.contains(UInt8(ascii: ".")) ? .isoMilliseconds : .isoSeconds) }
  }

  /// The same of a JSON number's text.
  private static func read(number text: String) -> (instant: Instant, format: StampFormat)? {
    guard let size = Double(text), size.isFinite, size >= 0 else { return nil }
    let format: StampFormat
    let count: Int64?
    if size < 1.5e9 {
      format = .secondsSince2001
      count = Decimal(text)?.roundedUp(timesTenToThe: 3).map { $0 + epoch2001 }
    } else if size < 1e11 {
      format = text.utf8.allSatisfy(isDigit) ? .wholeUnixSeconds : .unixSeconds
      count = Decimal(text)?.roundedUp(timesTenToThe: 3)
    } else {
      format = .unixMilliseconds
      count = Decimal(text)?.roundedUp(timesTenToThe: 0)
    }
    guard let count else { return nil }
    let instant = Instant(milliseconds: count)
    return instant.isStamp ? (instant, format) : nil
  }

  /// The stamp for an instant in this spelling: the same instant, or the next that a coarser spelling can name.
  /// An instant that this kind of number cannot tell from another kind's is written as ISO text.
  func write(_ instant: Instant) -> JSONValue {
    let value = spelled(instant)
    if let back = Self.read(value), back.format.isSameKind(as: self), back.instant >= instant { return value }
    return JSONValue(instant.iso8601)
  }

  private func spelled(_ instant: Instant) -> JSONValue {
    switch self {
    case .isoMilliseconds: JSONValue(instant.iso8601)
    case .isoSeconds: JSONValue(instant.iso8601(withMilliseconds: false))
    case .secondsSince2001: .number(text: Self.seconds(instant.milliseconds - Self.epoch2001))
    case .unixSeconds: .number(text: Self.seconds(instant.milliseconds))
    case .wholeUnixSeconds: .number(text: String(instant.roundedUpToSecond.milliseconds / 1_000))
    case .unixMilliseconds: .number(text: String(instant.milliseconds))
    }
  }

  /// A fractional kind's whole second reads as the whole kind: the same sort of number nevertheless.
  private func isSameKind(as other: StampFormat) -> Bool {
    switch (self, other) {
    case (.unixSeconds, .wholeUnixSeconds), (.wholeUnixSeconds, .unixSeconds): true
    default: self == other
    }
  }

  /// 2001-01-01T00:00:00Z in Unix milliseconds.
  private static let epoch2001: Int64 = 978_307_200_000

  /// Milliseconds as seconds, the way the shortest text of a floating-point number has them: `12.5`, `12`.
  private static func seconds(_ milliseconds: Int64) -> String {
    guard milliseconds >= 0 else { return "-1" }
    let (whole, rest) = milliseconds.flooredDivision(by: 1_000)
    guard rest != 0 else { return String(whole) }
    var digits = String(1_000 + rest).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

/// A non-negative JSON number taken apart: digits and a power of ten, so that no stamp passes through a binary fraction.
private struct Decimal {
  private var digits: [UInt8] = []
  private var exponent = 0

  /// Nil for a negative number other than zero.
  init?(_ text: String) {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    var isFraction = false
    while let byte = rest.first, isDigit(byte) || byte == UInt8(ascii: ".") {
      rest.removeFirst()
      guard isDigit(byte) else {
        isFraction = true
        continue
      }
      if isFraction { exponent -= 1 }
      if digits.isEmpty && byte == UInt8(ascii: "0") { continue }
      digits.append(byte - UInt8(ascii: "0"))
    }
    if !rest.isEmpty {
      rest.removeFirst()
      // An exponent beyond these bounds is beyond every stamp, too.
      let written = Int(Substring(rest)) ?? (rest.first == UInt8(ascii: "-") ? -1_000_000 : 1_000_000)
      exponent += min(max(written, -1_000_000), 1_000_000)
    }
    if isNegative && !digits.isEmpty { return nil }
  }

  /// The number times a power of ten, rounded up to a whole one; nil beyond 18 digits.
  func roundedUp(timesTenToThe power: Int) -> Int64? {
    guard !digits.isEmpty else { return 0 }
    let wholeDigits = digits.count + exponent + power
    guard wholeDigits > 0 else { return 1 }
    guard wholeDigits <= 18 else { return nil }
    var value: Int64 = 0
    for index in 0..<wholeDigits { value = value * 10 + (index < digits.count ? Int64(digits[index]) : 0) }
    return digits.dropFirst(wholeDigits).contains { $0 != 0 } ? value + 1 : value
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
