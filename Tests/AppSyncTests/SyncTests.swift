import AppSync
import Foundation
import ShoppingList
import Testing

/// Exporter and importer around a file in memory.
struct SyncTests {
  // MARK: Export

  @Test func aChangeIsExportedHalfASecondAfterTheLast() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    desk.type(row("Tea"))
    desk.pass(400)
    desk.type(row("Cake"))
    desk.pass(499)
    #expect(desk.file.writes == 0)
    desk.pass(1)
    #expect(desk.file.writes == 1)
    #expect(try desk.file.document().brief == ["Milk", "Cake", "Tea"])
  }

  @Test func whoNeverStopsTypingIsExportedAllTheSame() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    for amount in 1...30 {
      desk.type(row("Milk", "\(amount)"))
      desk.pass(300)
    }
    #expect(desk.file.writes == 1)
  }

  @Test func whatSaysTheSameIsNotWritten() throws {
    let desk = try Desk(list: listText("Milk:1"))
    desk.start()
    let bytes = desk.file.bytes
    desk.type(row("Milk", "2"))
    desk.type(row("Milk", "1"))
    desk.pass(20_000)
    #expect(desk.file.writes == 0)
    #expect(desk.file.bytes == bytes)
  }

  /// The bytes that Foundation's encoder makes of the same list, so that the two never rewrite each other.
  @Test func anExportIsWrittenAsFoundationWritesIt() throws {
    let desk = try Desk([row("Milk/Cream", "2 l"), row("Käse")])
    desk.start()
    struct Row: Codable {
      let id: String, name: String, amount: String, section: String, optional: Bool, checked: Bool
      let lastModified: String
    }
    struct List: Codable {
      let schemaVersion: Int, sections: [String], items: [Row]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let rows = try JSONDecoder().decode(List.self, from: Data(desk.file.bytes ?? []))
    #expect(rows.items.map(\.name).sorted() == ["Käse", "Milk/Cream"])
    #expect(try encoder.encode(rows) == Data(desk.file.bytes ?? []))
  }

  /// Another's style is replaced only when there is something to say.
  @Test func anotherStyleStaysUntilThereIsAnEdit() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    #expect(desk.file.text() == listText("Milk"))
    desk.type(row("Tea"))
    desk.pass(1_000)
    #expect(desk.file.text().contains("\n  \"items\" : [\n    {\n      \"amount\" : \"\""))
  }

  @Test func aDeletionLeavesATombstone() throws {
    let desk = try Desk(list: listText("Milk", "Tea"))
    desk.start()
    desk.delete("tea")
    desk.pass(1_000)
    #expect(try desk.file.document().brief == ["Milk"])
    #expect(desk.file.text().contains("deletedItems"))
    #expect(desk.file.text().contains(#""id" : "tea""#))
  }

  /// What another has saved since is merged under the file's lock, and gets into the store by the same export.
  @Test func anExportBringsBackWhatOthersSaved() throws {
    let desk = try Desk(list: listText("Milk:1"))
    desk.start()
    desk.type(row("Tea"))
    try desk.file.save(listText("Milk:2", "Bread"))
    desk.pass(600)
    #expect(try desk.file.document().brief == ["Milk:2", "Bread", "Tea"])
    #expect(desk.store.brief == ["Bread", "Milk:2", "Tea"])
  }

  @Test func aFailedExportIsTriedAgainAndThenShown() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    desk.file.failure = ListFileError("locked")
    desk.type(row("Tea"))
    desk.pass(500 + 1_000 + 2_000 + 3_999)
    #expect(desk.sync.problem == nil)
    desk.pass(1)
    #expect(desk.sync.problem == .file("locked"))
    desk.file.failure = nil
    desk.type(row("Cake"))
    desk.pass(1_000)
    #expect(desk.sync.problem == nil)
    #expect(try desk.file.document().brief == ["Milk", "Cake", "Tea"])
  }

  // MARK: Import

  @Test func aSaveOfAnotherIsInTheStoreAtOnce() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    try desk.save(listText("Milk:2", "Bread"))
    desk.pass(0)
    #expect(desk.store.brief == ["Bread", "Milk:2"])
    desk.pass(60_000)
    #expect(desk.file.writes == 0)
  }

  @Test func theEchoOfAnExportIsNotImported() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    desk.type(row("Tea"))
    desk.pass(600)
    let changes = desk.store.changes
    // By its date, by another date, early and late.
    for (delay, dated) in [(0, nil), (1_000, 5), (5_000, nil), (9_000, Int64.max)] as [(Int64, Int64?)] {
      desk.pass(delay)
      try desk.file.save(desk.file.text(), dated: dated ?? desk.file.modified)
      desk.sync.signals.fileChanged()
      desk.pass(3_000)
    }
    #expect(desk.store.changes == changes)
    #expect(desk.file.writes == 1)
  }

  /// A date says nothing about another revision: with our own date, and with one of last year.
  @Test(arguments: [nil, 5] as [Int64?]) func anotherRevisionIsImportedWhateverItsDate(_ date: Int64?) throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    desk.type(row("Tea"))
    desk.pass(10_000)
    try desk.file.save(listText("Milk:7", "Tea"), dated: date ?? desk.file.modified)
    desk.sync.signals.fileChanged()
    desk.pass(0)
    #expect(desk.store.brief == ["Milk:7", "Tea"])
  }

  /// Dropped is not lost.
  @Test func whatWasDroppedAfterAnExportIsLookedAtAgain() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    desk.type(row("Tea"))
    desk.pass(600)
    try desk.save(listText("Milk:7", "Tea"))
    desk.pass(1_800)
    #expect(desk.store.brief == ["Milk", "Tea"])
    desk.pass(100)
    #expect(desk.store.brief == ["Milk:7", "Tea"])
  }

  @Test func whatWasDroppedAfterAnImportIsExportedLater() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    try desk.save(listText("Milk:2"))
    desk.pass(1_000)
    desk.type(row("Tea"))
    desk.pass(3_900)
    #expect(desk.file.writes == 0)
    desk.pass(100)
    #expect(desk.file.writes == 1)
    #expect(try desk.file.document().brief == ["Milk:2", "Tea"])
  }

  /// A list that others change every second does not keep the user's own change from getting out.
  @Test func manyImportsDoNotHoldUpAnExport() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    try desk.save(listText("Milk:0"))
    desk.pass(0)
    desk.type(row("Tea"))
    desk.pass(1_000)
    try desk.save(listText("Milk:1"))
    desk.pass(0)
    #expect(try desk.file.document().brief == ["Milk:1", "Tea"])
  }

  @Test func aFileThatCannotBeReadIsTriedAgainAndThenShown() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    try desk.save(#"{"items":[{"#)
    desk.pass(6_999)
    #expect(desk.sync.problem == nil)
    desk.pass(1)
    let problem = try #require(desk.sync.problem)
    #expect(problem.message.hasPrefix("The list "))
    #expect(desk.store.brief == ["Milk"])
    try desk.save(listText("Milk", "Tea"))
    desk.pass(0)
    #expect(desk.sync.problem == nil)
    #expect(desk.store.brief == ["Milk", "Tea"])
  }

  /// What the sync service has put aside after we wrote it has our own date, and no contents: no reason to worry anybody.
  @Test func whatIsNotDownloadedAndOursIsNoProblem() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    desk.type(row("Tea"))
    desk.pass(10_000)
    desk.file.failure = ListFileError("not downloaded")
    desk.sync.signals.fileChanged()
    desk.pass(20_000)
    #expect(desk.sync.problem == nil)
  }

  @Test func aFileThatIsDeletedIsWrittenAgain() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    try desk.file.save(nil)
    desk.sync.signals.fileChanged()
    desk.pass(10_000)
    #expect(try desk.file.document().brief == ["Milk"])
    #expect(desk.store.brief == ["Milk"])
  }

  // MARK: Conflict versions

  @Test func conflictVersionsAreMergedWrittenAndThenResolved() throws {
    let conflicts = Versions([
      listText("Milk", "Cake"), "no list", listText("Milk:2", stamped: "2026-11-30T14:00:00.000Z"),
    ])
    let desk = try Desk(list: listText("Milk", "Tea"), conflicts: conflicts.access)
    conflicts.file = desk.file
    desk.start()
    #expect(try Set(desk.file.document().brief) == ["Milk:2", "Tea", "Cake"])
    #expect(desk.store.brief == ["Cake", "Milk:2", "Tea"])
    #expect(conflicts.left == ["no list"])
    #expect(conflicts.wasWrittenBefore)
    #expect(desk.sync.problem?.message.hasPrefix("A conflict version") ?? false)
  }

  @Test func aVersionThatCouldNotBeWrittenStaysUnresolved() throws {
    let conflicts = Versions([listText("Cake")])
    let desk = try Desk(list: listText("Milk"), conflicts: conflicts.access)
    conflicts.file = desk.file
    conflicts.refuses = true
    desk.start()
    #expect(conflicts.left.count == 1)
    #expect(desk.sync.problem == .file("read-only"))
  }

  // MARK: Start

  @Test func whatHappenedWhileItDidNotRunIsMerged() throws {
    let desk = try Desk([row("Milk", "1"), row("Typed")], list: listText("Milk:1", "Tea"), isSeen: true)
    // Since then Tea was deleted here, Typed added here, and Milk changed there.
    try desk.file.save(listText("Milk:2", "Tea"))
    desk.start()
    #expect(desk.store.brief == ["Milk:2", "Typed"])
    #expect(try desk.file.document().brief == ["Milk:2", "Typed"])
    #expect(desk.base == desk.file.bytes)
  }

  /// It died when half of an import was in its store, which stamps whatever it saves: that half is no change of its user.
  @Test func halfAnImportIsNoChangeOfTheUsers() throws {
    let late: Int64 = 1_796_068_000_000
    let desk = try Desk([row("Milk", "2", at: late), row("Tea", at: late), row("Cake")])
    let (base, half) = (listText("Milk:1", "Cake", "Gone"), listText("Milk:2", "Tea", "Bread", "Cake"))
    desk.remember(base + "\u{0}" + half)
    try desk.file.save(listText("Milk:3", "Tea:1", "Bread"))
    desk.start()
    #expect(desk.store.brief == ["Bread", "Milk:3", "Tea:1"])
    #expect(desk.file.writes == 0)
    #expect(desk.base == desk.file.bytes)
  }

  @Test func aStoreThatFailsIsTriedAgain() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.store.failure = AppStoreError("the database is locked")
    desk.sync.start()
    desk.pass(0)
    desk.store.failure = nil
    desk.pass(10_000)
    #expect(desk.store.brief == ["Milk"])
    #expect(desk.sync.problem == nil)
  }

  @Test func signalsComeFromAnyThread() throws {
    let desk = try Desk(list: listText("Milk"))
    desk.start()
    let signals = desk.sync.signals
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      if number % 2 == 0 { signals.noteChange() } else { signals.fileChanged() }
    }
    #expect(signals.nextDue != nil)
    desk.pass(20_000)
    #expect(signals.nextDue == nil)
  }
}

/// Versions that only the platform knows. `@unchecked`: used by one thread.
private final class Versions {
  private(set) var left: [String]
  weak var file: MemoryFile?
  /// Whether the file had been written when the first of them was marked.
  private(set) var wasWrittenBefore = false
  /// The file cannot be written.
  var refuses = false

  init(_ texts: [String]) { left = texts }

  var access: ConflictVersions {
    ConflictVersions { [self] in
      if refuses { file?.failsToWrite = ListFileError("read-only") }
      return left.map { text in
        ConflictVersions.Version(bytes: Array(text.utf8)) { [self] in
          wasWrittenBefore = (file?.writes ?? 0) > 0
          left.removeAll { $0 == text }
        }
      }
    }
  }
}
