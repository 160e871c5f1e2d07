import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

/// Another program saves a version that it made without reading ours.
@Suite struct DroppedEditNoticeTests {
  static let base = list("Milk:1", "Eggs")

  private func dropped(_ notices: [Notice]) -> [DroppedEdit.Kind]? {
    for case .dropped(let losses, _) in notices { return losses.map(\.kind) }
    return nil
  }

  private func names(_ kinds: [DroppedEdit.Kind]?) -> [String]? {
    kinds?.map {
      switch $0 {
      case .added(let item): "added \(item.name)"
      case .changed(let item): "changed \(item.name)"
      case .removed(let item): "removed \(item.name)"
      }
    }
  }

  @Test func isToldOnceWithWhatWasLostAndHowToBringItBack() throws {
    let house = try Household(list: Self.base)
    let store = house.store()
    try store.add("Bread")
    let ours = try house.folder.text()
    _ = house.time.syscalls().sleep(150_000_000_000)
    try house.save(Self.base)
    let notices = try store.read().notices
    #expect(names(dropped(notices)) == ["added Bread"])
    let id = TemporaryName.hash(Array(ours.utf8))
    let message = try #require(notices.first).message
    #expect(message.contains("without the Bread added 2 minutes ago"))
    #expect(message.contains("restore \"\(id)\""))
    #expect(try store.read().notices == [], "told once")
    #expect(try house.document().brief == ["Milk:1", "Eggs"], "nothing is put back by itself")
    // Another copy of the program tells it, too, and so does the answer to an edit.
    #expect(names(dropped(try house.store().read().notices)) == ["added Bread"])
    #expect(names(dropped(try house.store().add("Jam").snapshot.notices)) == ["added Bread"])
    try house.store().restore(id)
    #expect(try house.items() == ["Milk", "Eggs", "Bread"])
  }

  @Test func whoHasNobodyToTellDoesNotUseItUp() throws {
    let house = try Household(list: Self.base)
    let store = house.store()
    try store.add("Bread")
    try house.save(Self.base)
    #expect(try store.read(quietly: true).notices == [])
    #expect(names(dropped(try store.read().notices)) == ["added Bread"])
  }

  @Test func everyKindOfEdit() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    try house.store().set("Milk", "2")
    try house.store().remove("Eggs")
    try house.save(Self.base)
    #expect(names(dropped(try house.store().read().notices)) == ["added Bread", "changed Milk", "removed Eggs"])
  }

  @Test func whatOurOwnLaterEditTookBackIsNotMissed() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    try house.store().set("Milk", "2")
    try house.store().set("Milk", "1")
    try house.store().remove("Bread")
    try house.save(Self.base)
    #expect(try house.store().read().notices == [])
  }

  @Test func aSaveThatHasOurEditIsFine() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    let text = try house.folder.text()
    try house.save(text.replacingOccurrences(of: "  ", with: "\t"))
    #expect(try house.store().read().notices == [])
    try house.save(text.replacingOccurrences(of: "Eggs", with: "Leeks"))
    #expect(try house.store().read().notices == [])
  }

  @Test func afterTenMinutesNothingIsSaid() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    _ = house.time.syscalls().sleep(700_000_000_000)
    try house.save(Self.base)
    try house.folder.age("BananaList.json", bySeconds: -650)
    #expect(try house.store().read().notices == [])
  }

  /// What counts is when the other program saved, where the file tells.
  @Test func aSaveWithinTheTimeIsToldOfLater() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    try house.save(Self.base)
    _ = house.time.syscalls().sleep(3_600_000_000_000)
    #expect(names(dropped(try house.store().read().notices)) == ["added Bread"])
  }

  @Test func editsFromLongBeforeTheLastAreNotLookedFor() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    _ = house.time.syscalls().sleep(1_200_000_000_000)
    try house.store().add("Jam")
    try house.save(Self.base)
    #expect(names(dropped(try house.store().read().notices)) == ["added Jam"])
  }

  @Test func aRefusedHistoryIsNoError() throws {
    let house = try Household(list: Self.base)
    try house.store().add("Bread")
    try house.save(Self.base)
    var syscalls = Syscalls.live
    syscalls.readdir = { (folder) throws(Errno) in
      let path = try Syscalls.live.realpath("/proc/self/fd/\(folder)")
      if path.hasSuffix("/history") { throw .accessDenied }
      return try Syscalls.live.readdir(folder)
    }
    let snapshot = try house.store(over: syscalls).read()
    #expect(snapshot.notices == [])
    #expect(snapshot.document.brief == ["Milk:1", "Eggs"])
  }
}

/// Items come back to where they were.
@Suite struct SectionMemoryTests {
  private func list(_ rows: [(String, String)]) -> String {
    let items = rows.map { "{\"id\": \"\($0.0)\", \"name\": \"\($0.0)\", \"section\": \"\($0.1)\"}" }
    return "{\"sections\": [], \"items\": [\(items.joined(separator: ", "))]}"
  }

  private func section(of name: String, in house: Household) throws -> String? {
    try house.document().items.first { $0.name.lowercased() == name.lowercased() }?.section
  }

  @Test func aSectionThatAnItemHadIsItsSectionAgain() throws {
    let house = try Household(list: list([("Milk", "Dairy"), ("Nails", "")]))
    try house.store().remove("Milk")
    try house.store().remove("Nails")
    #expect(try house.items() == [])
    let written = try house.store().write { document, context in
      document.add(["milk", "NAILS", "Tea"].map { Addition(name: $0) }, in: context)
    }
    #expect(written.answer.count == 3)
    #expect(try section(of: "Milk", in: house) == "Dairy")
    #expect(try section(of: "Nails", in: house) == "")
    #expect(try section(of: "Tea", in: house) == "")
  }

  @Test func theNewestVersionCounts() throws {
    let house = try Household(list: list([("Milk", "Dairy"), ("Eggs", "")]))
    let store = house.store()
    try store.write { document, context in
      _ = document.change([(id: "Milk", changes: ItemChanges(section: "Fridge"))], in: context)
    }.discard()
    try store.remove("Milk")
    try store.add("Milk")
    #expect(try section(of: "Milk", in: house) == "Fridge")
    // A list that another program has changed since: one that was known before is looked up anew.
    try house.save(list([("Milk", "Cellar")]))
    try store.set("Milk", "2")
    try store.remove("Milk")
    try store.add("Milk")
    #expect(try section(of: "Milk", in: house) == "Cellar")
  }

  @Test func aGivenSectionAndTheListItselfComeFirst() throws {
    let house = try Household(list: list([("Milk", "Dairy")]))
    try house.store().remove("Milk")
    try house.store().write { document, context in
      _ = document.add([Addition(name: "Milk", section: "Door")], in: context)
    }.discard()
    #expect(try section(of: "Milk", in: house) == "Door")
    let reads = Box(0)
    let document = try house.document()
    var edited = document
    let context = EditContext(now: Instant(milliseconds: 0), newID: { "new" }) { _ in
      reads.value += 1
      return "Elsewhere"
    }
    _ = edited.add([Addition(name: "Milk", allowsDuplicate: true)], in: context)
    #expect(edited.items.last?.section == "Door")
    #expect(reads.value == 0, "asked only where the list does not tell")
  }

  @Test func readsLittleAndOnlyWhenAsked() throws {
    let house = try Household(list: list([("Milk", "Dairy")]))
    let store = house.store()
    try store.remove("Milk")
    for amount in 1...20 { try store.add("Item \(amount)") }
    func versionsRead(_ body: (Store) throws -> Void) throws -> Int {
      let count = Box(0)
      var syscalls = Syscalls.live
      syscalls.openat = { (folder, name, flags, mode) throws(Errno) in
        if VersionName(parsing: name) != nil { count.value += 1 }
        return try Syscalls.live.openat(folder, name, flags, mode)
      }
      try body(house.store(over: syscalls))
      return count.value
    }
    // One is the version that is read, on its way to be synced.
    #expect(try versionsRead { try $0.set("Item 3", "2") } == 1)
    #expect(try versionsRead { try $0.add("Item 3") } == 0)
    let reads = try versionsRead { store in
      try store.add("New")
      try store.add("Newer")
    }
    #expect(reads < 30, "none is read twice")
    #expect(try versionsRead { try $0.add("Milk") } < 30)
    #expect(try section(of: "Milk", in: house) == "Dairy")
  }

  /// Names come and go for months: the memory of them stays as small, and the history knows the last.
  @Test func forgetsWhatIsTooMuch() throws {
    let memory = SectionMemory()
    let empty = try Document(decoding: Array(list([]).utf8))
    for turn in 0..<12 {
      let full = try Document(decoding: Array(list((0..<1000).map { ("Item \(turn) \($0)", "Shelf") }).utf8))
      memory.follow(from: empty, to: full, id: "full \(turn)")
      memory.follow(from: full, to: empty, id: "empty \(turn)")
    }
    #expect(memory.known.count <= 10_000)
    var budget = 1 << 20
    let version = VersionName(
      number: 1, time: Instant(milliseconds: 0), id: "full 0", size: 10, replaced: nil, label: "found")
    let section = memory.section(of: FoldedName("Item 0 1"), in: [version], budget: &budget) { _ in
      try? Document(decoding: Array(list([("Item 0 1", "Shelf")]).utf8))
    }
    #expect(section == "Shelf", "what was forgotten is read again")
  }

  @Test func readsNoMoreThanItsBudget() throws {
    let memory = SectionMemory()
    let versions = (1...10).reversed().map {
      VersionName(
        number: $0, time: Instant(milliseconds: 0), id: "0123456789abcdef", size: 1000, replaced: nil, label: "")
    }
    var read: [Int] = []
    var budget = 3500
    let section = memory.section(of: FoldedName("Milk"), in: versions, budget: &budget) { name in
      read.append(name.number)
      return Document()
    }
    #expect(section == nil)
    #expect(read == [10, 9, 8])
  }
}

extension Written {
  /// For its effect alone.
  func discard() {}
}
