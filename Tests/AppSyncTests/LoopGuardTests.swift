import AppSync
import Testing

/// Each layer by itself: what it drops, until when, and what it lets pass without.
struct LoopGuardTests {
  private let second: UInt64 = 1_000_000_000

  @Test func layer1DropsExportsWhileImportsAreApplied() {
    let loopGuard = LoopGuard(checks: .whileImporting)
    loopGuard.beginImport()
    loopGuard.beginImport()
    loopGuard.endImport(at: 1, date: nil)
    #expect(loopGuard.judgeExport(at: 1) == .dropped(lookAgain: nil))
    loopGuard.endImport(at: 2, date: nil)
    #expect(loopGuard.judgeExport(at: 2) == .passes)
  }

  @Test func layer2DropsExportsAfterAnImport() {
    let loopGuard = LoopGuard(checks: .afterImport)
    loopGuard.beginImport()
    #expect(loopGuard.judgeExport(at: 0) == .passes)
    loopGuard.endImport(at: second, date: nil)
    #expect(loopGuard.judgeExport(at: 6 * second - 1) == .dropped(lookAgain: 6 * second))
    #expect(loopGuard.judgeExport(at: 6 * second) == .passes)
  }

  @Test func layer3DropsEventsAfterAnExport() {
    let loopGuard = LoopGuard(checks: .afterExport)
    loopGuard.beginExport()
    loopGuard.endExport(at: second, date: 7)
    #expect(loopGuard.judgeReading(at: 3 * second - 1) == .dropped(lookAgain: 3 * second))
    #expect(loopGuard.judgeReading(at: 3 * second) == .passes)
  }

  /// Nothing was written: nothing comes back.
  @Test func anExportThatWroteNothingDropsNothing() {
    let loopGuard = LoopGuard()
    loopGuard.beginExport()
    loopGuard.endExport(at: second, date: nil)
    #expect(loopGuard.judgeReading(at: second) == .passes)
    #expect(loopGuard.judgeImport(date: 7, at: second) == .passes)
  }

  @Test func layer4DropsTheDateOfOurOwnExport() {
    let loopGuard = LoopGuard(checks: .ownDate)
    loopGuard.beginExport()
    loopGuard.endExport(at: 0, date: 7)
    #expect(loopGuard.judgeImport(date: 7, at: 9 * second) == .dropped(lookAgain: 11 * second))
    #expect(loopGuard.judgeImport(date: 8, at: 9 * second) == .passes)
    #expect(loopGuard.judgeImport(date: 6, at: 9 * second) == .passes)
  }

  @Test func layer5DropsWhatIsNotNewer() {
    let loopGuard = LoopGuard(checks: .notNewer)
    loopGuard.beginImport()
    loopGuard.endImport(at: 0, date: 7)
    #expect(loopGuard.judgeImport(date: 7, at: second) == .dropped(lookAgain: 3 * second))
    #expect(loopGuard.judgeImport(date: 6, at: second) == .dropped(lookAgain: 3 * second))
    #expect(loopGuard.judgeImport(date: 8, at: second) == .passes)
  }

  @Test func withoutItsLayerEachEventPasses() {
    let loopGuard = LoopGuard(checks: [])
    loopGuard.beginExport()
    loopGuard.endExport(at: 0, date: 7)
    loopGuard.beginImport()
    #expect(loopGuard.judgeExport(at: 0) == .passes)
    loopGuard.endImport(at: 0, date: 7)
    #expect(loopGuard.judgeExport(at: 0) == .passes)
    #expect(loopGuard.judgeReading(at: 0) == .passes)
    #expect(loopGuard.judgeImport(date: 7, at: 0) == .passes)
  }

  /// An import has to wait for an export that is under way, whatever is switched off.
  @Test func anImportWaitsForAnExport() {
    let loopGuard = LoopGuard(checks: [])
    loopGuard.beginExport()
    #expect(loopGuard.judgeReading(at: 0) == .dropped(lookAgain: 2 * second))
  }
}
