/// A point in time, as `lastModified` carries it: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Reading and printing ISO 8601 is in `Instant+ISO8601.swift`; how a row spells its stamp (ISO text, or one of
/// three kinds of number) is `StampFormat`. No formatter of a framework is used: the usual ones truncate
/// milliseconds and accept dates that do not exist.
public struct Instant: Comparable, Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instants that a stamp can name: 1970 up to the last millisecond of the year 9999. Anything else that
  /// stands in a file is an unknown stamp and is kept as written.
  static let stampRange: ClosedRange<Int64> = 0...253_402_300_799_999

  /// Whether a stamp can carry this instant.
  var isStamp: Bool { Self.stampRange.contains(milliseconds) }

  /// The instant so many milliseconds later, held within what a stamp can carry.
  func advanced(byMilliseconds count: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(count)
    guard !overflow else { return Instant(milliseconds: Self.stampRange.upperBound) }
    return Instant(milliseconds: min(max(sum, Self.stampRange.lowerBound), Self.stampRange.upperBound))
  }
}
