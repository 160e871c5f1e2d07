import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

/// What crashes leave beside the list, row by row.
@Suite struct LeftOverTests {
  static let machine = ProcessIdentity(.live).machine
  static let before = list("Milk:1", "Eggs")
  static let ours = list("Milk:2", "Eggs")
  static let theirs = list("Milk:1", "Tea")

  static func id(_ text: String) -> String { TemporaryName.hash(Array(text.utf8)) }

  static func name(_ purpose: TemporaryName.Purpose, machine: String = machine) -> String {
    TemporaryName(purpose, machine: machine, syscalls: .live).text(ofList: "BananaList.json")
  }

  /// What becomes of a file.
  enum Fate: Equatable {
    case stays, removed, inHistory, inArchive
    /// Merged, then in the archive.
    case merged
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var machine = LeftOverTests.machine
    var purpose: TemporaryName.Purpose = .version(
      holds: LeftOverTests.id(LeftOverTests.ours), displaces: LeftOverTests.id(LeftOverTests.before))
    var text = LeftOverTests.ours
    /// In seconds.
    var age: Double = 0
    let fate: Fate
  }

  static let copied = TemporaryName.Purpose.copy(holds: id(theirs))

  static let rows: [Row] = [
    Row(testDescription: "unfinished", purpose: .unfinished, text: "{ \"ite", fate: .removed),
    Row(testDescription: "unfinished, and whole", purpose: .unfinished, fate: .removed),
    Row(
      testDescription: "unfinished, another machine's", machine: "00000000", purpose: .unfinished, age: 1e6,
      fate: .stays),
    Row(testDescription: "empty", text: "", fate: .removed),
    Row(testDescription: "zero bytes", text: "\u{0}\u{0}\u{0}", fate: .removed),
    Row(testDescription: "what its name says", fate: .removed),
    Row(testDescription: "what its name says, another machine's", machine: "00000000", age: 1e6, fate: .stays),
    Row(testDescription: "what it was to displace", text: before, fate: .inHistory),
    Row(testDescription: "another list", text: theirs, fate: .merged),
    Row(
      testDescription: "another list, another machine's", machine: "00000000", text: theirs, age: 1e6, fate: .stays),
    Row(testDescription: "half of something", text: "{ \"ite", fate: .inArchive),
    Row(testDescription: "somebody's settings", text: "{ \"colour\": 1 }", fate: .inArchive),
    Row(testDescription: "a list of a newer version", text: "{ \"schemaVersion\": 2 }", fate: .inArchive),
    Row(testDescription: "a conflict copy as it was merged", purpose: copied, text: theirs, fate: .inArchive),
    Row(
      testDescription: "a conflict copy that changed at the last moment", purpose: copied,
      text: list("Milk:1", "Eggs", "Tea"), fate: .merged),
    Row(testDescription: "a conflict copy that was broken", purpose: copied, text: "{", fate: .inArchive),
    Row(testDescription: "a lock on its way", purpose: .lock, text: "1\n", age: 50, fate: .stays),
    Row(
      testDescription: "a lock that never arrived", purpose: .lock, text: "1\n", age: 70, fate: .removed),
    Row(
      testDescription: "a lock that never arrived, another machine's", machine: "00000000", purpose: .lock,
      text: "1\n", age: 70, fate: .removed),
  ]

  @Test(arguments: rows) func isClearedUpByTheNextWrite(row: Row) throws {
    // The list was displaced by a write that then lost the power: the history has the version before.
    let house = try Household(list: Self.before)
    try house.store().tidy()
    try house.store().set("Milk", "2")
    try house.save(Self.ours)
    let name = Self.name(row.purpose, machine: row.machine)
    try house.folder.write(row.text, to: name)
    if row.age > 0 { try house.folder.age(name, bySeconds: row.age) }
    let kept = try house.keptTexts()
    let list = try house.folder.text()
    #expect(try house.store().read().notices == [])
    #expect(house.folder.exists(name), "reading writes nothing")
    let notices = try house.store().tidy().snapshot.notices
    #expect(notices == (row.fate == .merged ? [.mergedOverlap] : []))
    #expect(try house.names() == (row.fate == .stays ? [name, "BananaList.json"] : ["BananaList.json"]))
    #expect(try house.keptTexts("archive").contains(row.text) == [.inArchive, .merged].contains(row.fate))
    if row.fate == .inHistory { #expect(try house.keptTexts("history").contains(row.text)) }
    if row.fate == .removed { #expect(try house.keptTexts() == kept) }
    if row.fate == .merged {
      // Another program took the Eggs off and put Tea on; our amount stays. Of a conflict copy nobody knows the base.
      let eggs = row.purpose == Self.copied ? ["Eggs"] : []
      #expect(try house.document().brief == ["Milk:2"] + eggs + ["Tea"])
    } else {
      #expect(try house.folder.text() == list)
    }
    // Nothing is done twice.
    let after = try house.folder.text()
    #expect(try !house.store().tidy().changed)
    #expect(try house.folder.text() == after)
  }

  @Test func leavesOtherListsFilesAlone() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let name = TemporaryName(.unfinished, machine: Self.machine, syscalls: .live).text(ofList: "Other.json")
    try folder.write("", to: name)
    try Store(path: folder.listPath).add("Bread")
    #expect(folder.exists(name))
  }

  @Test func tellsOfWhatItCannotRemove() throws {
    for purpose in [TemporaryName.Purpose.unfinished, .version(holds: Self.id("a"), displaces: Self.id("b"))] {
      let house = try Household(list: Self.before)
      let name = Self.name(purpose)
      try FileManager.default.createDirectory(
        atPath: house.folder.path(name), withIntermediateDirectories: false)
      #expect(try house.store().add("Bread").snapshot.notices == [.unreadableLeftOver(name: name)])
      #expect(house.folder.exists(name))
    }
  }

  @Test func aSymbolicLinkIsNotFollowed() throws {
    let house = try Household(list: Self.before)
    let name = Self.name(.version(holds: Self.id("a"), displaces: Self.id("b")))
    try house.folder.write("precious", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: house.folder.path(name), withDestinationPath: house.folder.path("target"))
    #expect(try house.store().add("Bread").snapshot.notices == [.unreadableLeftOver(name: name)])
    #expect(try house.folder.text("target") == "precious")
  }

  // MARK: Without a place to keep things

  /// The history cannot be written: what another program may still want stays where it is, and nothing piles up.
  @Test func nothingOfOthersIsRemovedWithoutACopy() throws {
    let house = try Household(list: Self.before)
    let nowhere = HistoryPlace.folder("/dev/null/state")
    let store = house.store(history: nowhere)
    let written = try store.set("Milk", "2")
    #expect(written.undo == nil)
    #expect(written.snapshot.notices.contains { if case .noHistory = $0 { true } else { false } })
    for amount in 3...6 { try house.store(history: nowhere).set("Milk", "\(amount)") }
    // The first version was another program's.
    let left = try house.names().filter { $0.hasSuffix(".tmp") }
    #expect(try left.map { try house.folder.text($0) } == [Self.before])
    // As soon as there is a place, it goes there.
    try house.store().set("Milk", "7")
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("history").contains(Self.before))
  }

  /// Where names cannot be exchanged nothing is displaced: a copy stays instead.
  @Test func norWhereNamesCannotBeExchanged() throws {
    let house = try Household(list: Self.before)
    let nowhere = HistoryPlace.folder("/dev/null/state")
    var syscalls = Syscalls.live
    syscalls.exchange = { (_, _, _) throws(Errno) in throw .notSupported }
    for amount in 2...4 {
      let written = try house.store(over: syscalls, history: nowhere).set("Milk", "\(amount)")
      #expect(written.changed && written.undo == nil)
    }
    #expect(try house.document().brief == ["Milk:4", "Eggs"])
    // The first version was another program's; of ours none is owed to anybody.
    let left = try house.names().filter { $0.hasSuffix(".tmp") }
    #expect(try left.map { try house.folder.text($0) } == [Self.before])
    try house.store(over: syscalls).set("Milk", "5")
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("history").contains(Self.before))
  }

  /// If there is no room for that copy, nothing is changed.
  @Test func withoutRoomForThatCopyNothingIsChanged() throws {
    let house = try Household(list: Self.before)
    var syscalls = Syscalls.live
    syscalls.exchange = { (_, _, _) throws(Errno) in throw .notSupported }
    let before = Array(Self.before.utf8)
    syscalls.write = { (descriptor, bytes) throws(Errno) in
      if bytes.elementsEqual(before) { throw .noSpace }
      return try Syscalls.live.write(descriptor, bytes)
    }
    let error = #expect(throws: StoreError.self) {
      try house.store(over: syscalls, history: .folder("/dev/null/state")).set("Milk", "2")
    }
    #expect(error?.kind == .failed(.save))
    #expect(try house.folder.text() == Self.before)
    #expect(try house.names() == ["BananaList.json"])
  }

  // MARK: What is told

  /// An edit whose end is missing is ours all the same: not another program's that has dropped the one before.
  @Test func anInterruptedUndoIsNoDroppedEdit() throws {
    let house = try Household(list: Self.before)
    let undo = try #require(try house.store().set("Milk", "2").undo)
    let edited = try house.folder.text()
    try house.store().restore(undo)
    // As it was just after the exchange: the history does not know of it yet.
    let restored = try #require(try house.kept().last { $0.contains(Self.id(try house.folder.text())) })
    try FileManager.default.removeItem(atPath: house.state.path(restored))
    let version = TemporaryName.Purpose.version(
      holds: Self.id(try house.folder.text()), displaces: Self.id(edited))
    try house.folder.write(edited, to: Self.name(version))
    #expect(try house.store().read().notices == [])
    #expect(try house.store().tidy().snapshot.notices == [])
    #expect(try house.store().read().notices == [])
    let newest = try #require(try house.store().history().first)
    #expect(newest.id == Self.id(try house.folder.text()) && newest.edit == "an edit that was interrupted")
    #expect(try house.names() == ["BananaList.json"])
  }

  // MARK: Together

  /// Two versions of others that one write has merged. The second is based on what the first was met by, which only the
  /// first one's name tells; if it goes first, the second would be merged again without a base.
  @Test func whatBelongsTogetherGoesTogether() throws {
    for call in 0..<20 {
      let scene = try WriteScene(.twoOverlaps)
      let plan = FaultPlan(.failing(.accessDenied), at: call, of: { ["unlinkat", "renameat"].contains($0) })
      _ = try scene.run(over: plan.syscalls(over: scene.world()))
      // Another program saves the list, without the Tea.
      try scene.house.save(list("Milk:2", "Rice:2", "Salt"))
      try scene.house.store(over: WriteScene.quick).tidy()
      #expect(try !scene.house.items().contains("Eggs"), "\(plan.hit ?? "") \(call)")
      guard plan.wasReached else { return }
    }
    Issue.record("the write never ended")
  }

  /// What was merged and cannot be put away is not merged again.
  @Test func whatStaysIsMergedOnce() throws {
    let house = try Household(list: Self.before)
    let nowhere = HistoryPlace.folder("/dev/null/state")
    try house.save(Self.ours)
    let name = Self.name(.version(holds: Self.id(Self.ours), displaces: Self.id(Self.before)))
    try house.folder.write(Self.theirs, to: name)
    let written = try house.store(history: nowhere).tidy()
    // Its name says by now that it was merged.
    let left = try #require(try house.names().first { $0.hasSuffix(".copy.tmp") })
    #expect(written.snapshot.notices.contains(.notPutAway(name: left)))
    #expect(try house.items().sorted() == ["Eggs", "Milk", "Tea"])
    // Taken off by a program that knows no tombstones.
    try house.save(Self.ours)
    try house.store(history: nowhere).tidy()
    #expect(try house.items() == ["Milk", "Eggs"])
    try house.store().tidy()
    #expect(try house.items() == ["Milk", "Eggs"])
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("archive") == [Self.theirs])
  }
}

/// Judging alone.
@Suite struct LeftOverJudgeTests {
  private func leftOver(_ text: String, holds: String, displaces: String) -> LeftOver {
    let purpose = TemporaryName.Purpose.version(
      holds: LeftOverTests.id(holds), displaces: LeftOverTests.id(displaces))
    let says = TemporaryName(purpose, machine: "00000000", syscalls: .live)
    return LeftOver(name: says.text(ofList: "l"), says: says, bytes: Array(text.utf8))
  }

  private func verdicts(_ all: [LeftOver], list: String) -> [String] {
    all.map {
      switch $0.judge(among: all, listID: LeftOverTests.id(list)) {
      case .remove: "remove"
      case .displaced: "displaced"
      case .merged: "merged"
      case .strange: "strange"
      case .merge(_, let bases):
        "merge on "
          + bases.map { id in ["base", "A", "B", "C"].first { LeftOverTests.id($0) == id } ?? "?" }
          .joined(separator: ", ")
      }
    }
  }

  private let foreign = list("Tea")
  private let foreign2 = list("Jam")

  @Test func anOverlapInEachOfItsStates() {
    let first = leftOver(foreign, holds: "A", displaces: "base")
    // Just exchanged.
    #expect(verdicts([first], list: "A") == ["merge on base"])
    // The merged version is written, and not in place.
    let waiting = leftOver("B", holds: "B", displaces: "A")
    #expect(verdicts([first, waiting], list: "A") == ["merge on base", "remove"])
    // It is.
    let placed = leftOver("A", holds: "B", displaces: "A")
    #expect(verdicts([first, placed], list: "B") == ["merged", "displaced"])
    // And has displaced yet another.
    let again = leftOver(foreign2, holds: "B", displaces: "A")
    #expect(verdicts([first, again], list: "B") == ["merged", "merge on A, base"])
    // Which is merged, too.
    let last = leftOver("B", holds: "C", displaces: "B")
    #expect(verdicts([first, again, last], list: "C") == ["merged", "merged", "displaced"])
    // The last was exchanged back, or somebody has replaced it since: what it had taken in is in no list any more.
    #expect(verdicts([first, again], list: "another") == ["merge on base", "merge on A, base"])
    let back = leftOver("C", holds: "C", displaces: "B")
    #expect(verdicts([first, again, back], list: "another") == ["merge on base", "merge on A, base", "remove"])
  }

  @Test func versionsThatDisplaceEachOtherEndTheSearch() {
    let one = leftOver(foreign, holds: "A", displaces: "B")
    let two = leftOver(foreign2, holds: "B", displaces: "A")
    #expect(verdicts([one, two], list: "another") == ["merge on B, A", "merge on A, B"])
  }
}
