// Another program saves the list as it was before an edit of ours that was acknowledged. The edit is in the history; what is
// told, and when, is proved here.

import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

@Suite struct SavedOverTests {
  private func losses(_ notices: [Notice]) -> [String] {
    notices.flatMap { notice -> [String] in
      guard case .dropped(let losses, _) = notice else { return [] }
      return losses.map {
        switch $0.kind {
        case .added(let item): "added \(item.name)"
        case .changed(let item): "changed \(item.name)"
        case .removed(let item): "removed \(item.name)"
        }
      }
    }
  }

  /// The save meets the next edit of ours in the very moment of its exchange, and is merged with it. The merge cannot know
  /// that the row was not deleted there; but it was acknowledged, so its going must be told.
  @Test func anEditIsMissedAlsoWhenTheSaveIsMergedWithTheNextOne() throws {
    let house = try Household(list: list("Milk"))
    let before = try house.folder.text()
    try house.store().add("Bread")
    let saved = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      if saved.next() == 0 { try? house.save(before) }
      try Syscalls.live.exchange(folder, first, second)
    }
    let written = try house.store(over: syscalls).add("Jam")
    #expect(written.snapshot.notices.contains(.mergedOverlap))
    #expect(try house.document().items.map(\.name).contains("Jam"))
    let told = losses(written.snapshot.notices) + losses(try house.store().read().notices)
    #expect(
      try house.document().items.map(\.name).contains("Bread") || told.contains("added Bread"), "\(told)")
  }

  /// A row that an edit added, and a later one changed or removed, is as dear as one that was there before.
  @Test func aChangeToARowThatWasAddedJustBeforeIsMissed() throws {
    for isRemoval in [false, true] {
      let house = try Household(list: list("Milk"))
      try house.store().add("Bread")
      let before = try house.folder.text()
      if isRemoval { try house.store().remove("Bread") } else { try house.store().set("Bread", "2") }
      try house.save(before)
      #expect(losses(try house.store().read().notices) == [isRemoval ? "removed Bread" : "changed Bread"])
    }
  }

  /// The app had read the row before our edit, ticks it after, and stamps it: later than ours, and without it.
  @Test func aChangeIsMissedAlsoWhereTheRowWasChangedLater() throws {
    let house = try Household(list: list("Milk:1"))
    let before = try house.folder.text()
    let written = try house.store().set("Milk", "2")
    let ours = try #require(written.snapshot.document.items.first?.lastModified)
    let later = Instant(milliseconds: ours.milliseconds + 1).iso8601
    try house.save(
      before.replacingOccurrences(
        of: #""amount": "1""#, with: #""amount": "1", "checked": true, "lastModified": "\#(later)""#))
    #expect(try house.document().items.first?.checked == true)
    #expect(losses(try house.store().read().notices) == ["changed Milk"])
  }

  /// What was found by an attempt that came to nothing was told to nobody. Here the app saves the very same list again, by
  /// ticking and unticking a row, so that the attempt that succeeds meets nothing that is new to it.
  @Test func isToldAlsoWhereAnEarlierAttemptHasSeenIt() throws {
    let house = try Household(list: list("Milk"))
    let (before, ticked) = (list("Milk"), list("Milk:1"))
    try house.store().add("Bread")
    try house.save(before)
    let counter = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      #expect(counter.value == 2, "two attempts were to come to nothing")
      try Syscalls.live.exchange(folder, first, second)
    }
    syscalls.openat = { (folder, name, flags, mode) throws(Errno) in
      // The temporary file of the new version: its attempt has read the list.
      if name.hasSuffix(".tmp"), !name.contains(".lock"), mode == 0o600, counter.value < 2 {
        try? house.save(counter.next() == 0 ? ticked : before)
      }
      return try Syscalls.live.openat(folder, name, flags, mode)
    }
    let written = try house.store(over: syscalls).add("Jam")
    #expect(losses(written.snapshot.notices) == ["added Bread"])
  }

  /// An edit that failed told nothing either.
  @Test func isToldAlsoAfterAnEditThatFailed() throws {
    let house = try Household(list: list("Milk"))
    try house.store().add("Bread")
    try house.save(list("Milk"))
    var syscalls = Syscalls.live
    let isFull = Box(true)
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      if isFull.value { throw .noSpace }
      try Syscalls.live.exchange(folder, first, second)
    }
    let store = house.store(over: syscalls)
    #expect(throws: StoreError.self) { try store.add("Jam") }
    isFull.value = false
    #expect(losses(try store.read().notices) == ["added Bread"])
    #expect(losses(try store.add("Tea").snapshot.notices) == [], "told once")
  }

  /// The save came while an edit was on its way that was then killed: who merges it tells.
  @Test func isToldAlsoWhereTheSaveIsMergedAfterACrash() throws {
    for number in 0... {
      let house = try Household(list: list("Milk"))
      try house.store().add("Bread")
      var syscalls = Syscalls.live
      let saved = Box(0)
      syscalls.exchange = { (folder, first, second) throws(Errno) in
        if saved.next() == 0 { try? house.save(list("Milk", "Tea")) }
        try Syscalls.live.exchange(folder, first, second)
      }
      let plan = FaultPlan(.dying, at: number)
      var told: [String] = []
      do {
        told += losses(try house.store(over: plan.syscalls(over: syscalls)).add("Jam").snapshot.notices)
      } catch {}
      told += losses(try house.store().add("Oil").snapshot.notices)
      let names = try house.document().items.map(\.name)
      if names.contains("Tea") {
        // Twice where only the clearing up was cut off: by the write, and by the one that clears up after it.
        #expect(
          names.contains("Bread") || Set(told) == ["added Bread"],
          "killed at call \(number), \(plan.hit ?? ""): \(told)")
      } else {
        #expect(names.contains("Bread"))
      }
      guard plan.wasReached else { break }
    }
  }

  /// Two saves meet one edit of ours, and each lacks another of those before it.
  @Test func allIsToldThatSeveralSavesLack() throws {
    let house = try Household(list: list("Milk"))
    try house.store().add("Bread")
    try house.store().add("Jam")
    let both = try house.document().items
    func row(_ name: String) -> String {
      let item = both.first { $0.name == name }
      return #"{"id": "\#(item?.id ?? "")", "name": "\#(name)"}"#
    }
    let saves = ["Jam", "Bread"].map { #"{"sections": [], "items": [{"id": "milk", "name": "Milk"}, \#(row($0))]}"# }
    let counter = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      let number = counter.next()
      if number < saves.count { try? house.save(saves[number]) }
      try Syscalls.live.exchange(folder, first, second)
    }
    let told = losses(try house.store(over: syscalls).add("Oil").snapshot.notices)
    let names = Set(try house.document().items.map(\.name))
    #expect(Set(told) == Set(["Bread", "Jam"].filter { !names.contains($0) }.map { "added \($0)" }))
    #expect(!told.isEmpty, "both were kept: this check sees nothing")
  }

  /// A read that came between the save and the moment when the history got the edit finds nothing missing; the next one
  /// does, though the file is the same.
  @Test func aReadThatCameTooEarlyDoesNotUseItUp() throws {
    let house = try Household(list: list("Milk"))
    let reader = Box(house.store())
    try house.store().set("Milk", "1")
    let before = try house.folder.text()
    let (counter, early) = (Box(0), Box<[Notice]?>(nil))
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      try Syscalls.live.exchange(folder, first, second)
      guard counter.next() == 0 else { return }
      try? house.save(before)
      early.value = (try? reader.value.read())?.notices
    }
    try house.store(over: syscalls).add("Bread")
    #expect(early.value == [], "it could not know of the edit")
    #expect(try house.folder.text() == before)
    #expect(losses(try reader.value.read().notices) == ["added Bread"])
  }

  /// What lies there unmerged is kept in mind once, however often a write fails.
  @Test func whatWasMetIsKeptOnceHoweverOftenAWriteFails() throws {
    let house = try Household(list: list("Milk"))
    try house.store().add("Bread")
    let ours = TemporaryName.hash(Array(try house.folder.text().utf8))
    try house.folder.write(
      list("Milk", "Tea"),
      to: LeftOverTests.name(.version(holds: String(repeating: "0", count: 16), displaces: ours)))
    var syscalls = Syscalls.live
    let isFull = Box(true)
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      if isFull.value { throw .noSpace }
      try Syscalls.live.exchange(folder, first, second)
    }
    let store = house.store(over: syscalls)
    for _ in 0..<5 { #expect(throws: StoreError.self) { try store.add("Jam") } }
    #expect(store.met?.lists.count == 1)
    isFull.value = false
    #expect(losses(try store.add("Jam").snapshot.notices) == ["added Bread"])
    #expect(store.met == nil)
  }

  /// A temporary file that a service brought from another machine stays; no edit of this one is on its way by it.
  @Test func anotherMachinesTemporaryFileMakesNoReadingLonger() throws {
    for isAnothers in [true, false] {
      let house = try Household(list: list("Milk"))
      try house.store().add("Bread")
      let zeros = String(repeating: "0", count: 16)
      let machine = isAnothers ? "00000000" : LeftOverTests.machine
      try house.folder.write(
        "[]", to: LeftOverTests.name(.version(holds: zeros, displaces: zeros), machine: machine))
      let opened = Box(0)
      var syscalls = Syscalls.live
      syscalls.open = { (path, flags, mode) throws(Errno) in
        if path.hasSuffix("/history") { opened.value += 1 }
        return try Syscalls.live.open(path, flags, mode)
      }
      let store = house.store(over: syscalls)
      for _ in 0..<3 { _ = try store.read() }
      #expect(opened.value == (isAnothers ? 1 : 3), "\(isAnothers ? "another's" : "ours")")
    }
  }
}
