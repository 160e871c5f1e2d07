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
}
