import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

@Suite struct ConflictCopyTests {
  static let copy = "BananaList.sync-conflict-20261130-204112-ABCDEFG.json"
  static let list1 = list("Milk:1", "Eggs", stamped: "2026-11-30T10:00:00.000Z")
  static let copy1 = list("Milk:2", "Eggs", "Tea", stamped: "2026-11-30T11:00:00.000Z")

  @Test func readsShowItMergedAndLeaveItThere() throws {
    let house = try Household(list: Self.list1)
    try house.save(Self.copy1, as: Self.copy)
    let snapshot = try house.store().read()
    #expect(snapshot.document.brief == ["Milk:2", "Eggs", "Tea"])
    #expect(snapshot.notices == [.showsCopies([Self.copy])])
    #expect(try house.names() == [Self.copy, "BananaList.json"].sorted())
    #expect(try house.folder.text() == Self.list1)
    #expect(try house.kept() == [])
    #expect(try house.store().read(quietly: true).notices == [])
  }

  @Test func theNextWriteWritesItAndPutsItAway() throws {
    let house = try Household(list: Self.list1)
    try house.save(Self.copy1, as: Self.copy)
    let shown = try house.store().read()
    let written = try house.store().add("Jam")
    #expect(written.snapshot.notices == [.mergedCopies([Self.copy])])
    #expect(try house.document().brief == ["Milk:2", "Eggs", "Tea", "Jam"])
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("archive") == [Self.copy1])
    #expect(
      try house.store().history().contains { $0.place == .archive && $0.origin?.hasPrefix("conflict copy") == true })
    // Undoing takes back the edit and leaves what was merged.
    try house.store().restore(try #require(written.undo))
    #expect(try house.document().brief == shown.document.brief)
  }

  @Test func anEditThatChangesNothingWritesTheMerge() throws {
    let house = try Household(list: Self.list1)
    try house.save(Self.copy1, as: Self.copy)
    let shown = try house.store().read()
    let written = try house.store().tidy()
    #expect(written.changed)
    #expect(written.undo == nil)
    #expect(try house.store().read().revision == shown.revision)
    #expect(try house.names() == ["BananaList.json"])
  }

  @Test func aCopyThatBringsNothingIsPutAwayToo() throws {
    let house = try Household(list: Self.copy1)
    try house.save(Self.copy1.replacingOccurrences(of: "  ", with: "\t"), as: Self.copy)
    #expect(try house.store().read().document.isEdited == false)
    let written = try house.store().tidy()
    #expect(!written.changed)
    #expect(written.snapshot.notices == [.mergedCopies([Self.copy])])
    #expect(try house.folder.text() == Self.copy1)
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("archive").count == 1)
  }

  @Test func copiesWithoutAListAreTheList() throws {
    let house = try Household()
    try house.save(Self.copy1, as: Self.copy)
    #expect(try house.store().read().document.brief == ["Milk:2", "Eggs", "Tea"])
    try house.store().tidy()
    #expect(try house.document().brief == ["Milk:2", "Eggs", "Tea"])
    #expect(try house.names() == ["BananaList.json"])
  }

  /// Three files; which of them is the list, and what the copies are called, makes no difference.
  @Test func theSameComesOutInWhateverOrderTheyCame() throws {
    let texts = [
      list("Milk:1", "Eggs", stamped: "2026-11-30T10:00:00.000Z"),
      list("Tea", "Milk:2", stamped: "2026-11-30T11:00:00.000Z", deleted: ["Eggs"]),
      list("Milk:3", "Jam", "Eggs:6", stamped: "2026-11-30T09:00:00.000Z"),
      list("Milk:4", "Rice"),
    ]
    let names = ["BananaList.json", Self.copy, "BananaList.Conflict.json", "BananaList (X's copy 2026-11-30).json"]
    var revisions: Set<String> = []
    var written: Set<String> = []
    for order in permutations(Array(texts.indices)) {
      let house = try Household()
      for (place, name) in zip(order, names) { try house.save(texts[place], as: name) }
      revisions.insert(try house.store().read().revision)
      try house.store().tidy()
      written.insert(try Document(decoding: Array(house.folder.text().utf8)).revision)
    }
    #expect(revisions.count == 1)
    #expect(written == revisions)
  }

  private func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index -> [[Int]] in
      var rest = items
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  // MARK: What is not taken

  @Test func ambiguousNamesAreOnlyTold() throws {
    let house = try Household(list: Self.list1)
    try house.save(Self.copy1, as: "BananaList 2.json")
    try house.save(Self.copy1, as: "BananaList-laptop.json")
    let snapshot = try house.store().read()
    #expect(snapshot.document.brief == ["Milk:1", "Eggs"])
    let expected = Notice.possibleCopies(
      ["BananaList 2.json", "BananaList-laptop.json"], folder: house.folder.path)
    #expect(snapshot.notices == [expected])
    #expect(expected.message.contains("get-bananas absorb \"\(house.folder.path)/BananaList 2.json\""))
    #expect(try house.store().add("Jam").snapshot.notices == [expected])
    #expect(try house.names() == ["BananaList 2.json", "BananaList-laptop.json", "BananaList.json"])
    #expect(try house.items() == ["Milk", "Eggs", "Jam"])
  }

  @Test func whatIsNoListIsToldAndLeftAlone() throws {
    let house = try Household(list: Self.list1)
    let folder = house.folder
    try folder.write("{ \"items\": [", to: "BananaList.Conflict1.json")
    try folder.write("{ \"schemaVersion\": 2 }", to: "BananaList.Conflict2.json")
    try FileManager.default.createDirectory(
      atPath: folder.path("BananaList.Conflict3.json"), withIntermediateDirectories: false)
    try folder.write(Self.copy1, to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("BananaList.Conflict4.json"), withDestinationPath: folder.path("elsewhere"))
    mkfifo(folder.path("BananaList.Conflict5.json"), 0o600)
    let names = try house.names()
    for notices in [try house.store().read().notices, try house.store().add("Jam").snapshot.notices] {
      let told = notices.compactMap { if case .unusableCopy(let name, _) = $0 { name } else { nil } }
      #expect(told == (1...5).map { "BananaList.Conflict\($0).json" })
      #expect(notices.count == told.count)
    }
    #expect(try house.names() == names)
    #expect(try house.items() == ["Milk", "Eggs", "Jam"])
  }

  @Test func notMoreThanTwentyAtOnce() throws {
    let house = try Household(list: Self.list1)
    for number in 10..<35 {
      try house.save(list("Item\(number)"), as: "BananaList.Conflict\(number).json")
    }
    let written = try house.store().tidy()
    #expect(try house.items().count == 2 + 20)
    #expect(written.snapshot.notices.count { if case .unusableCopy = $0 { true } else { false } } == 5)
    try house.store().tidy()
    #expect(try house.items().count == 2 + 25)
    #expect(try house.names() == ["BananaList.json"])
  }

  @Test func notMoreBytesThanAListMayHave() throws {
    let house = try Household(list: Self.list1)
    for number in 1...3 { try house.save(Self.copy1, as: "BananaList.Conflict\(number).json") }
    let store = Store(
      path: house.folder.listPath, syscalls: house.time.syscalls(), maximumSize: 2 * Self.copy1.utf8.count,
      history: .folder(house.state.path))
    let notices = try store.read().notices
    #expect(notices.first == .showsCopies(["BananaList.Conflict1.json", "BananaList.Conflict2.json"]))
    #expect(notices.count == 2)
  }

  // MARK: Changes at the last moment

  @Test func aCopyThatChangesBeforeItIsPutAwayStays() throws {
    for number in 0... {
      let house = try Household(list: Self.list1)
      try house.save(Self.copy1, as: Self.copy)
      let later = list("Milk:2", "Eggs", "Tea", "Jam", stamped: "2026-11-30T11:00:00.000Z")
      let plan = FaultPlan(before: number) { _ in try? house.save(later, as: Self.copy) }
      try house.store(over: plan.syscalls()).tidy()
      // Whenever it came, nothing of it is lost.
      try house.store().tidy()
      if plan.wasReached { #expect(try house.items().contains("Jam"), "call \(number)") }
      #expect(try house.names() == ["BananaList.json"], "call \(number)")
      guard plan.wasReached else { break }
    }
  }

  @Test func whereTheArchiveCannotBeWrittenItStays() throws {
    let house = try Household(list: Self.list1)
    try house.save(Self.copy1, as: Self.copy)
    let written = try house.store(history: .folder("/dev/null/state")).tidy()
    #expect(written.snapshot.notices.contains(.notPutAway(name: Self.copy)))
    #expect(try house.folder.text(Self.copy) == Self.copy1)
    #expect(try house.items() == ["Milk", "Eggs", "Tea"])
  }

  // MARK: Deletions

  /// The app has dropped the tombstones; the history has them.
  @Test func aDeletionThatTheFileHasForgottenHolds() throws {
    let house = try Household(list: Self.list1)
    try house.store().remove("Eggs")
    try house.save(list("Milk:1", stamped: "2026-11-30T10:00:00.000Z"))
    try house.save(Self.list1, as: Self.copy)
    #expect(try house.store().read().document.brief == ["Milk:1"])
    try house.store().tidy()
    #expect(try house.items() == ["Milk"])
    #expect(try house.folder.text().contains("deletedItems"))
  }

  // MARK: Absorbing

  @Test func aFileIsAbsorbedOnRequest() throws {
    let house = try Household(list: Self.list1)
    let name = "BananaList 2.json"
    try house.save(Self.copy1, as: name)
    let absorbed = try house.store().absorb(house.folder.path(name))
    #expect(absorbed.gain == "added Tea; changed Milk")
    #expect(absorbed.notices == [])
    #expect(try house.document().brief == ["Milk:2", "Eggs", "Tea"])
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("archive") == [Self.copy1])
    // Any name will do, and a file that brings nothing goes, too.
    try house.save(Self.copy1, as: "old list.txt")
    #expect(try house.store().absorb(house.folder.path("old list.txt")).gain == nil)
    #expect(try house.names() == ["BananaList.json"])
  }

  @Test func whatCannotBeAbsorbedIsAnErrorAndStays() throws {
    let house = try Household(list: Self.list1)
    let folder = house.folder
    try folder.write("{", to: "broken.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: folder.listPath)
    mkfifo(folder.path("fifo"), 0o600)
    let elsewhere = try TestFolder(list: Self.copy1)
    let names = try house.names()
    let files =
      [
        "missing.json", "broken.json", "link.json", "fifo", "BananaList.json", "BananaList.json.lock", "..", "",
      ].map(folder.path) + [elsewhere.listPath, "/", "/nowhere/at/all.json"]
    for file in files {
      let error = #expect(throws: StoreError.self, "\(file)") { try house.store().absorb(file) }
      #expect(error?.message.contains("Nothing was changed.") == true)
    }
    #expect(try house.names() == names)
    #expect(try folder.text() == Self.list1)
    #expect(try elsewhere.text() == Self.copy1)
  }
}
