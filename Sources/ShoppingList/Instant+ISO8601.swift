// ISO 8601 as files of many writers spell it, read exactly and printed in one way.
//
// Read: `2026-11-30T20:41:12Z`, with any number of fraction digits (rounded up to the millisecond, so that a
// stamp is never older than what was written), `T`, `t` or a space between date and time, `Z`, `z` or an offset
// `±hh:mm`, `±hhmm` or `±hh`. A date that does not exist, a leap second, anything before or behind: nil.
// Printed: UTC with milliseconds, `2026-11-30T20:41:12.345Z`.

extension Instant {
  /// Reads an ISO 8601 date and time with an offset from UTC; nil for anything else, and for instants outside
  /// the years 1970 to 9999.
  public init?(iso8601 text: String) {
    var text = text
    guard let instant = text.withUTF8({ Instant(iso8601: $0) }) else { return nil }
    self = instant
  }

  /// The same of UTF-8 text.
  package init?(iso8601 text: UnsafeBufferPointer<UInt8>) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.take(UInt8(ascii: "-")),
      let month = scanner.number(digits: 2), scanner.take(UInt8(ascii: "-")),
      let day = scanner.number(digits: 2),
      scanner.takeOne(of: (UInt8(ascii: "T"), UInt8(ascii: "t"))) || scanner.take(UInt8(ascii: " ")),
      let hour = scanner.number(digits: 2), scanner.take(UInt8(ascii: ":")),
      let minute = scanner.number(digits: 2), scanner.take(UInt8(ascii: ":")),
      let second = scanner.number(digits: 2),
      let fraction = scanner.fractionInMilliseconds(),
      let offset = scanner.offsetInMinutes(), scanner.isAtEnd,
      (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, year: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.daysSince1970(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
    let result = Instant(milliseconds: seconds * 1_000 + fraction)
    guard result.isStamp else { return nil }
    self = result
  }

  /// UTC with milliseconds: `2026-11-30T20:41:12.345Z`.
  public var iso8601: String { iso8601(withMilliseconds: true) }

  /// UTC, with milliseconds or (an instant between two seconds is rounded up) without.
  func iso8601(withMilliseconds: Bool) -> String {
    let count = withMilliseconds ? milliseconds : roundedUpToSecond.milliseconds
    let (days, inDay) = count.flooredDivision(by: 86_400_000)
    let (year, month, day) = Self.date(daysSince1970: days)
    let seconds = inDay / 1_000
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func put(_ value: Int64, _ width: Int, _ end: Unicode.Scalar) {
      let digits = String(value).utf8
      for _ in digits.count..<max(width, digits.count) { text.append(UInt8(ascii: "0")) }
      text += digits
      text.append(UInt8(ascii: end))
    }
    put(year, 4, "-")
    put(month, 2, "-")
    put(day, 2, "T")
    put(seconds / 3_600, 2, ":")
    put(seconds / 60 % 60, 2, ":")
    put(seconds % 60, 2, withMilliseconds ? "." : "Z")
    if withMilliseconds { put(inDay % 1_000, 3, "Z") }
    return String(decoding: text, as: UTF8.self)
  }

  /// This instant, or the next whole second.
  var roundedUpToSecond: Instant {
    let (seconds, rest) = milliseconds.flooredDivision(by: 1_000)
    return Instant(milliseconds: (rest == 0 ? seconds : seconds + 1) * 1_000)
  }

  // Days from civil dates in the proleptic Gregorian calendar: years are counted from March, so that the leap
  // day comes last, in eras of 400 years (146,097 days).

  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shifted.flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(inMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Takes digits and signs off the front of a text.
private struct DigitScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { position == text.count }

  private var next: UInt8? { isAtEnd ? nil : text[position] }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func takeOne(of choices: (UInt8, UInt8)) -> Bool { take(choices.0) || take(choices.1) }

  /// Exactly so many digits.
  @inline(__always)
  mutating func number(digits count: Int) -> Int64? {
    guard count <= text.count - position else { return nil }
    var value: Int64 = 0
    for index in position..<position + count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    position += count
    return value
  }

  /// `.345…` in milliseconds, rounded up; 0 where there is no point, nil where no digit follows it.
  mutating func fractionInMilliseconds() -> Int64? {
    guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return 0 }
    var value: Int64 = 0
    var count = 0
    var isInexact = false
    while let digit = digit() {
      if count < 3 {
        value = value * 10 + digit
      } else if digit != 0 {
        isInexact = true
      }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<max(count, 3) { value *= 10 }
    return isInexact ? value + 1 : value
  }

  /// `Z`, or `±hh[:]mm` or `±hh`, in minutes east of UTC.
  mutating func offsetInMinutes() -> Int64? {
    if takeOne(of: (UInt8(ascii: "Z"), UInt8(ascii: "z"))) { return 0 }
    let isWest = next == UInt8(ascii: "-")
    guard takeOne(of: (UInt8(ascii: "+"), UInt8(ascii: "-"))), let hours = number(digits: 2), hours < 24 else {
      return nil
    }
    var minutes: Int64 = 0
    if take(UInt8(ascii: ":")) || !isAtEnd {
      guard let given = number(digits: 2), given < 60 else { return nil }
      minutes = given
    }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  @inline(__always)
  private mutating func digit() -> Int64? {
    guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    position += 1
    return Int64(byte - UInt8(ascii: "0"))
  }
}

extension Int64 {
  /// The quotient rounded towards minus infinity, and what is left (never negative).
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
