// Another program saves the list in the middle of a write of ours, at every place where that can happen.

import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

@Suite struct OverlapTests {
  static let base = list("Milk:1", "Eggs", "Rice")
  /// Made from the base: Eggs are gone, Rice has an amount, Tea is new.
  static let theirs = list("Milk:1", "Rice:2", "Tea")

  /// Runs the body with another program's save just before call number 0, 1, 2 … until there are no more calls.
  private func atEveryCall(
    over base: Syscalls = .live, _ body: (_ number: Int, FaultPlan, Household) throws -> Void
  ) throws {
    for number in 0... {
      let house = try Household(list: Self.base)
      let plan = FaultPlan(before: number) { _ in try? house.save(Self.theirs) }
      try body(number, plan, house)
      guard plan.wasReached else { break }
    }
  }

  @Test func bothEditsAreInTheListWheneverTheOtherCame() throws {
    var overlaps = 0
    try atEveryCall { number, plan, house in
      let written = try house.store(over: plan.syscalls()).set("Milk", "2")
      let names = try house.names()
      #expect(names == ["BananaList.json"], "call \(number)")
      guard plan.wasReached else { return }
      if try house.folder.text() == Self.theirs {
        // It came after ours was in place: the history has ours, and the next answer says so.
        #expect(try house.keptTexts("history").contains { $0.contains("\"amount\": \"2\"") }, "call \(number)")
        let notices = try house.store().read().notices
        #expect(notices.contains { if case .dropped = $0 { true } else { false } }, "call \(number): \(notices)")
        return
      }
      #expect(try house.document().brief == ["Milk:2", "Rice:2", "Tea"], "call \(number)")
      #expect(written.changed)
      if written.snapshot.notices.contains(.mergedOverlap) {
        overlaps += 1
        #expect(try house.keptTexts("archive") == [Self.theirs], "call \(number)")
        // Undoing takes back ours and leaves theirs.
        try house.store().restore(try #require(written.undo))
        #expect(try house.document().brief == ["Milk:1", "Rice:2", "Tea"], "call \(number)")
      }
    }
    #expect(overlaps > 0)
  }

  /// A sync service lays the list that was read aside as a conflict copy and puts in its place another's, which was not
  /// made from it: that one's older rows take nothing back.
  @Test func whatAServiceBringsInBetweenTakesNothingBack() throws {
    func list(_ milk: String, at hour: Int, _ other: String) -> String {
      #"{"sections":[],"items":[{"id":"milk","name":"Milk","amount":"\#(milk)","lastModified":"2026-11-30T\#(hour):00:00Z"},"#
        + #"{"id":"\#(other)","name":"\#(other)","lastModified":"2026-11-30T20:00:00Z"}]}"#
    }
    let (ours, theirs) = (list("2", at: 12, "Eggs"), list("1", at: 10, "Tea"))
    for number in 0... {
      let house = try Household(list: ours)
      let plan = FaultPlan(before: number) { _ in
        do {
          try house.folder.write(house.folder.text(), to: "BananaList.sync-conflict-20261130-204112-ABCDEFG.json")
          try house.save(theirs)
        } catch {
          Issue.record("the service failed: \(error)")
        }
      }
      try house.store(over: plan.syscalls()).add("Bread")
      try house.store().tidy()
      guard plan.wasReached else { break }
      #expect(try Set(house.document().brief) == ["Milk:2", "Eggs", "Tea", "Bread"], "call \(number)")
    }
  }

  @Test func withoutExchangeTheLastLookIsAllThereIs() throws {
    for error in [Errno.invalid, .notImplemented, .notSupported] {
      var base = Syscalls.live
      base.exchange = { (_, _, _) throws(Errno) in throw error }
      let house = try Household(list: Self.base)
      let written = try house.store(over: base).set("Milk", "2")
      #expect(written.changed)
      #expect(try house.document().brief == ["Milk:2", "Eggs", "Rice"])
      #expect(try house.names() == ["BananaList.json"])
      try house.store(over: base).restore(try #require(written.undo))
      #expect(try house.document().brief == ["Milk:1", "Eggs", "Rice"])
      // Seen by the last look.
      let counter = Box(0)
      base.fsync = { (descriptor) throws(Errno) in
        if counter.next() == 0 { try? house.save(Self.theirs) }
        try Syscalls.live.fsync(descriptor)
      }
      try house.store(over: base).set("Milk", "3")
      #expect(try house.document().brief == ["Milk:3", "Rice:2", "Tea"])
    }
  }

  /// The other program saves again and again; each save is made from the base, without any of ours.
  @Test func severalOverlapsInOneWrite() throws {
    let house = try Household(list: Self.base)
    let saves = [Self.theirs, list("Milk:1", "Eggs", "Rice", "Jam")]
    let counter = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      let number = counter.next()
      if number < saves.count { try? house.save(saves[number]) }
      try Syscalls.live.exchange(folder, first, second)
    }
    let written = try house.store(over: syscalls).set("Milk", "2")
    #expect(counter.value == 3)
    #expect(try house.document().items.map(\.name).sorted() == ["Jam", "Milk", "Rice", "Tea"])
    #expect(try house.names() == ["BananaList.json"])
    #expect(try Set(house.keptTexts("archive")) == Set(saves))
    try house.store().restore(try #require(written.undo))
    #expect(try house.document().brief.sorted() == ["Jam", "Milk:1", "Rice:2", "Tea"])
  }

  @Test func aProgramThatNeverStopsIsGivenUpWithNothingChanged() throws {
    let house = try Household(list: Self.base)
    let counter = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      try? house.save(list("Milk:1", "Eggs", "Rice", "Jam\(counter.next())"))
      try Syscalls.live.exchange(folder, first, second)
    }
    let store = house.store(over: syscalls)
    do throws(StoreError) {
      try store.set("Milk", "2")
      Issue.record("it was written")
    } catch {
      #expect(error.kind == .keepsChanging)
    }
    #expect(house.time.elapsed < 3_000_000_000)
    #expect(counter.value > 2)
    #expect(try !house.document().brief.contains("Milk:2"))
    // What was displaced in between is merged by the next edit.
    try house.store().add("Tea")
    let items = try house.items()
    #expect((0..<counter.value).filter { !items.contains("Jam\($0)") } == [])
    #expect(try house.names() == ["BananaList.json"])
  }
}

@Suite struct HalfFileTests {
  /// A program writes the list in place, and is in the middle of it when we exchange.
  @Test func theRestGetsToWhereTheListIs() throws {
    let house = try Household(list: OverlapTests.base)
    let whole = Array(OverlapTests.theirs.utf8)
    let writer = open(house.folder.listPath, O_WRONLY)
    defer { close(writer) }
    let counter = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      if counter.next() == 0 {
        ftruncate(writer, 0)
        _ = whole.withUnsafeBytes { pwrite(writer, $0.baseAddress, 40, 0) }
      }
      try Syscalls.live.exchange(folder, first, second)
    }
    house.time.whileSleeping = { _ in
      _ = whole.withUnsafeBytes { pwrite(writer, $0.baseAddress, whole.count, 0) }
    }
    try house.store(over: syscalls).set("Milk", "2")
    #expect(try house.document().brief == ["Milk:2", "Rice:2", "Tea"])
    #expect(try house.names() == ["BananaList.json"])
  }

  @Test func whatStaysBrokenIsAnErrorAndBothVersionsAreKept() throws {
    let house = try Household(list: OverlapTests.base)
    var syscalls = Syscalls.live
    let counter = Box(0)
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      if counter.next() == 0 { try? house.folder.write("{ \"items\": [", to: "BananaList.json") }
      try Syscalls.live.exchange(folder, first, second)
    }
    do throws(StoreError) {
      try house.store(over: syscalls).set("Milk", "2")
      Issue.record("it was written")
    } catch {
      guard case .overwritten(let ours?, let theirs?) = error.kind else {
        Issue.record("\(error)")
        return
      }
      #expect(error.message.contains(ours) && error.message.contains(theirs))
      #expect(try house.store().version(ours).document.brief == ["Milk:2", "Eggs", "Rice"])
    }
    #expect(house.time.elapsed < 2_500_000_000)
    #expect(try house.folder.text() == "{ \"items\": [")
    #expect(try house.names() == ["BananaList.json"])
    #expect(try house.keptTexts("archive").contains("{ \"items\": ["))
  }

  /// While we exchange back, a third program replaces our version.
  @Test func whoComesBetweenIsMerged() throws {
    let house = try Household(list: OverlapTests.base)
    let counter = Box(0)
    var syscalls = Syscalls.live
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      let number = counter.next()
      if number == 0 { try? house.folder.write("{", to: "BananaList.json") }
      if number == 1 { try? house.save(list("Milk:1", "Eggs", "Rice", "Jam")) }
      try Syscalls.live.exchange(folder, first, second)
      if number == 1 { try? house.folder.write(OverlapTests.theirs, to: "BananaList.json") }
    }
    try house.store(over: syscalls).set("Milk", "2")
    #expect(try house.document().brief.sorted() == ["Jam", "Milk:2", "Rice:2", "Tea"])
    #expect(try house.names() == ["BananaList.json"])
  }
}

@Suite struct VanishedListTests {
  /// The list is moved away for a moment before each call, and comes back while we wait.
  @Test func aListThatComesBackIsEdited() throws {
    for number in 0... {
      let house = try Household(list: OverlapTests.base)
      let away = house.folder.path("away")
      let plan = FaultPlan(before: number) { _ in rename(house.folder.listPath, away) }
      house.time.whileSleeping = { _ in rename(away, house.folder.listPath) }
      let store = house.store(over: plan.syscalls())
      #expect(try store.read().document.items.count == 3 || plan.wasReached)
      if plan.wasReached { continue }
      _ = try? store.set("Milk", "2")
      rename(away, house.folder.listPath)
      let items = try house.items()
      #expect(items == ["Milk", "Eggs", "Rice"], "call \(number)")
      guard plan.wasReached else { break }
    }
  }

  @Test func aListThatTheHistoryKnowsIsWaitedFor() throws {
    let house = try Household(list: OverlapTests.base)
    try house.store().set("Milk", "2")
    let away = house.folder.path("away")
    rename(house.folder.listPath, away)
    house.time.whileSleeping = { nap in if nap == 50 { rename(away, house.folder.listPath) } }
    try house.store().add("Tea")
    #expect(try house.items() == ["Milk", "Eggs", "Rice", "Tea"])
  }

  @Test func oneThatStaysAwayIsNewAfterTwoSeconds() throws {
    let house = try Household(list: OverlapTests.base)
    try house.store().set("Milk", "2")
    unlink(house.folder.listPath)
    let before = house.time.elapsed
    let written = try house.store().add("Tea")
    #expect((2_000_000_000...2_200_000_000).contains(house.time.elapsed - before))
    #expect(try house.items() == ["Tea"])
    // The empty list that it was made from is a version, too.
    try house.store().restore(try #require(written.undo))
    #expect(try house.items() == [])
  }
}

@Suite struct FirstCreationTests {
  @Test func neverReplacesAListThatHasAppeared() throws {
    for hasNoReplace in [true, false] {
      var base = Syscalls.live
      if !hasNoReplace { base.renameNoReplace = { (_, _, _, _) throws(Errno) in throw .invalid } }
      for number in 0... {
        let house = try Household()
        let plan = FaultPlan(before: number) { _ in try? house.save(OverlapTests.theirs) }
        try house.store(over: plan.syscalls(over: base)).add("Jam")
        let items = try house.items()
        if plan.wasReached, try house.folder.text() != OverlapTests.theirs {
          #expect(items == ["Milk", "Rice", "Tea", "Jam"], "call \(number)")
        }
        #expect(try house.names() == ["BananaList.json"], "call \(number)")
        guard plan.wasReached else {
          #expect(items == ["Jam"])
          break
        }
      }
    }
  }
}
