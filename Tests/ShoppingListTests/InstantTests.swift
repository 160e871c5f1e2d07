import Foundation
import Seeded
import Testing

@testable import JSON
@testable import ShoppingList

@Suite struct InstantTests {
  @Test(arguments: [
    ("2026-11-30T20:41:12.345Z", 1_796_071_272_345),
    ("1970-01-01T00:00:00Z", 0),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2024-02-29t12:00:00z", 1_709_208_000_000),
    ("2026-11-30 20:41:12Z", 1_796_071_272_000),
    ("2026-11-30T22:41:12+02:00", 1_796_071_272_000),
    ("2026-11-30T22:41:12+0200", 1_796_071_272_000),
    ("2026-11-30T22:41:12+02", 1_796_071_272_000),
    ("2026-11-30T15:11:12-05:30", 1_796_071_272_000),
    ("2026-11-30T20:41:12.3Z", 1_796_071_272_300),
    ("2026-11-30T20:41:12.3450000Z", 1_796_071_272_345),
    ("2026-11-30T20:41:12.34500001Z", 1_796_071_272_346),
    ("2026-11-30T20:41:12.9999Z", 1_796_071_273_000),
  ])
  func reads(text: String, milliseconds: Int64) {
    #expect(Instant(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-11-30", "2026-11-30T20:41:12", "2026-11-30T20:41Z", "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-06-30T23:59:60Z", "2026-11-30T20:41:12Zjunk",
    "2026-11-30T20:41:12.Z", "2026-11-30T20:41:12.5", "x2026-11-30T20:41:12Z", "2026-11-30T20:41:12+25:00",
    "2026-11-30T20:41:12+02:", "2026-11-30T20:41:12+02:60", "1969-12-31T23:59:59Z", "+2026-11-30T20:41:12Z",
    "9999-12-31T23:59:59-01:00", "٢٠٢٦-11-30T20:41:12Z",
  ])
  func refuses(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test func everyPrintedInstantReadsBack() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let instant = Instant(milliseconds: Int64.random(in: Instant.stampRange, using: &generator))
      #expect(Instant(iso8601: instant.iso8601) == instant)
    }
  }

  /// Foundation as a second opinion on whole seconds: it is right about those.
  @Test func agreesWithFoundationOnDates() {
    let formatter = ISO8601DateFormatter()
    var generator = SplitMix64(seed: 2)
    for _ in 0..<5_000 {
      let second = Int64.random(in: 0...4_102_444_800, using: &generator)
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
      #expect(Instant(milliseconds: second * 1_000).iso8601(withMilliseconds: false) == text)
    }
  }
}

@Suite struct StampFormatTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test(arguments: [
    (#""2026-11-30T20:41:12.345Z""#, 1_796_071_272_345, StampFormat.isoMilliseconds),
    (#""2026-11-30T20:41:12Z""#, 1_796_071_272_000, .isoSeconds),
    ("817764072.345", 1_796_071_272_345, .secondsSince2001),
    ("817764072", 1_796_071_272_000, .secondsSince2001),
    ("817764072.3450001", 1_796_071_272_346, .secondsSince2001),
    ("8.17764072345e8", 1_796_071_272_345, .secondsSince2001),
    ("0", 978_307_200_000, .secondsSince2001),
    ("-0", 978_307_200_000, .secondsSince2001),
    ("1e-400", 978_307_200_001, .secondsSince2001),
    ("1796071272", 1_796_071_272_000, .wholeUnixSeconds),
    ("1796071272.5", 1_796_071_272_500, .unixSeconds),
    ("1796071272345", 1_796_071_272_345, .unixMilliseconds),
    ("1796071272345.5", 1_796_071_272_346, .unixMilliseconds),
  ])
  func reads(text: String, milliseconds: Int64, format: StampFormat) throws {
    let stamp = try #require(StampFormat.read(value(text)))
    #expect(stamp.instant.milliseconds == milliseconds)
    #expect(stamp.format == format)
  }

  @Test(arguments: [
    "-1", "-0.5", "1e15", "1e400", "1e999999999999999999999", "253402300800000", #""yesterday""#, "true",
    "null",
    "[]", "{}", #""""#,
  ])
  func refuses(text: String) throws {
    #expect(try StampFormat.read(value(text)) == nil)
  }

  @Test(arguments: [
    StampFormat.isoMilliseconds, .isoSeconds, .secondsSince2001, .unixSeconds, .wholeUnixSeconds,
    .unixMilliseconds,
  ])
  func writesWhatItReadsBackRoundedUp(format: StampFormat) throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let instant = Instant(
        milliseconds: Int64.random(in: 1_600_000_000_000...2_400_000_000_000, using: &generator))
      let back = try #require(StampFormat.read(format.write(instant)))
      let isCoarse = format == .isoSeconds || format == .wholeUnixSeconds
      #expect(back.instant == (isCoarse ? instant.roundedUpToSecond : instant))
    }
  }

  @Test func anInstantThatANumberWouldHideIsWrittenAsText() {
    // A clock that has been reset stands in 1970: as Unix seconds that would read as a date in 2001.
    #expect(
      StampFormat.wholeUnixSeconds.write(Instant(milliseconds: 5_000)).string == "1970-01-01T00:00:05.000Z")
    #expect(
      StampFormat.secondsSince2001.write(Instant(milliseconds: 5_000)).string == "1970-01-01T00:00:05.000Z")
  }

  @Test func aWholeSecondSince2001HasNoFraction() {
    #expect(
      StampFormat.secondsSince2001.write(Instant(milliseconds: 1_796_071_272_000)).numberText == "817764072")
    #expect(
      StampFormat.secondsSince2001.write(Instant(milliseconds: 1_796_071_272_300)).numberText == "817764072.3"
    )
    #expect(
      StampFormat.unixSeconds.write(Instant(milliseconds: 1_796_071_272_007)).numberText == "1796071272.007")
  }
}
