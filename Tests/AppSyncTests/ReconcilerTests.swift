import AppSync
import ShoppingList
import Testing

struct ReconcilerTests {
  private let now = Instant(milliseconds: 1_796_068_800_000)

  private func reconcile(
    _ local: [Item], _ file: String, base: String? = nil, _ policy: ReconciliationPolicy
  ) throws -> Reconciliation {
    Reconciler.reconcile(
      local: local, file: .list(try Document(decoding: Array(file.utf8))),
      base: try base.map { try Document(decoding: Array($0.utf8)) }, policy: policy, now: now)
  }

  @Test func fileWinsOverwritesAndDeletes() throws {
    let plan = try reconcile(
      [row("Milk", "1"), row("Cake")], listText("Milk:2", "Bread"), .fileWins)
    #expect(plan.inserts.map(\.name) == ["Bread"])
    #expect(plan.updates.map(\.amount) == ["2"])
    #expect(plan.deletes == ["cake"])
    #expect(!plan.writesFile)
  }

  @Test func newestWinsKeepsWhatNobodyDeleted() throws {
    let later: Int64 = 1_796_050_000_000
    let plan = try reconcile(
      [row("Milk", "1", at: later), row("Cake"), row("Tea", "old", at: 1)],
      listText("Milk:2", "Bread", "Tea:new"), .newestWins)
    #expect(plan.inserts.map(\.name) == ["Bread"])
    #expect(plan.updates.map { "\($0.name):\($0.amount)" } == ["Tea:new"])
    #expect(plan.deletes.isEmpty)
    #expect(plan.writesFile)
    #expect(plan.document.map { Set($0.brief) } == ["Milk:1", "Bread", "Tea:new", "Cake"])
  }

  @Test func aTombstoneDeletesUnderEitherPolicy() throws {
    for policy in [ReconciliationPolicy.fileWins, .newestWins] {
      let plan = try reconcile([row("Cake"), row("Milk")], listText("Milk", deleted: ["cake"]), policy)
      #expect(plan.deletes == ["cake"])
    }
  }

  /// Without the base the row that was just typed would go.
  @Test func whatIsNotExportedYetIsMerged() throws {
    let plan = try reconcile(
      [row("Milk", "1"), row("Just typed")], listText("Milk:2"), base: listText("Milk:1"), .fileWins)
    #expect(plan.deletes.isEmpty)
    #expect(plan.updates.map(\.amount) == ["2"])
    #expect(plan.writesFile)
    #expect(plan.document?.brief == ["Milk:2", "Just typed"])
  }

  @Test func memberByMemberWithABase() throws {
    var local = row("Milk", "1")
    local.checked = true
    let plan = try reconcile([local], listText("Milk:2"), base: listText("Milk:1"), .newestWins)
    #expect(plan.updates.map(\.amount) == ["2"])
    #expect(plan.updates.map(\.checked) == [true])
  }

  @Test(arguments: [ReconciliationPolicy.fileWins, .newestWins])
  func whatCannotBeReadDeletesNothing(_ policy: ReconciliationPolicy) {
    let plan = Reconciler.reconcile(
      local: [row("Milk")], file: .unusable, base: nil, policy: policy, now: now)
    #expect(!plan.changesStore && !plan.writesFile && plan.document == nil)
  }

  /// An empty list may be a broken backup, or what somebody meant.
  @Test func anEmptyListDeletesOnlyWhatWasThere() throws {
    let unknown = try reconcile([row("Milk")], listText(), .fileWins)
    #expect(unknown.deletes.isEmpty)
    #expect(unknown.writesFile)
    let buried = try reconcile([row("Milk")], listText(deleted: ["milk"]), .fileWins)
    #expect(buried.deletes == ["milk"])
    let seen = try reconcile([row("Milk")], listText(), base: listText("Milk"), .fileWins)
    #expect(seen.deletes == ["milk"])
    #expect(!seen.writesFile)
  }

  @Test func aFileThatIsGoneIsWrittenAgain() {
    let plan = Reconciler.reconcile(
      local: [row("Milk")], file: .missing, base: nil, policy: .fileWins, now: now)
    #expect(!plan.changesStore && plan.writesFile)
    #expect(plan.document?.brief == ["Milk"])
  }

  /// A store that stamps whatever it saves has not changed every row.
  @Test func stampsAloneAreNoChange() throws {
    let plan = try reconcile(
      [row("Milk", "1", at: 1_796_060_000_000)], listText("Milk:1"), base: listText("Milk:1"), .newestWins)
    #expect(!plan.changesStore && !plan.writesFile)
  }

  /// A sync service that delivers in no order brings an older version back for a moment; or somebody copies one there.
  @Test func anOlderVersionOfARowIsNoChangeUnlessTheFileWins() throws {
    let (newer, older) = (listText("Milk:2"), listText("Milk:1", stamped: "2026-11-30T11:00:00.000Z"))
    let kept = try reconcile([row("Milk", "2")], older, base: newer, .newestWins)
    #expect(!kept.changesStore && kept.writesFile)
    #expect(kept.document?.brief == ["Milk:2"])
    let taken = try reconcile([row("Milk", "2")], older, base: newer, .fileWins)
    #expect(taken.updates.map(\.amount) == ["1"])
    #expect(!taken.writesFile)
  }

  /// A hand that changes a row and not its stamp, and a program that drops stamps, have changed it.
  @Test(arguments: ["2026-11-30T12:00:00.000Z", nil]) func whoStampsNothingHasChangedARow(_ stamp: String?) throws {
    let plan = try reconcile(
      [row("Milk", "2")], listText("Milk:1", stamped: stamp), base: listText("Milk:2"), .newestWins)
    #expect(plan.updates.map(\.amount) == ["1"])
    #expect(!plan.writesFile)
  }

  @Test func missingStampsAreFilledInForTheNextTime() throws {
    let plan = try reconcile([], listText("Milk", stamped: nil), .newestWins)
    #expect(plan.inserts.map(\.lastModified) == [now])
    #expect(!plan.writesFile)
  }

  /// A row that the store did not stamp loses to one that says when it was changed, and wins where it alone is there.
  @Test func aRowWithoutAStampIsOlder() throws {
    let plan = try reconcile([row("Milk", "1", at: nil), row("Tea", at: nil)], listText("Milk:2"), .newestWins)
    #expect(plan.updates.map(\.amount) == ["2"])
    #expect(plan.document?.items.first { $0.name == "Tea" }?.lastModified == now)
  }

  @Test func twoRowsOfOneIdBecomeOne() throws {
    let plan = try reconcile(
      [row("Milk", "1"), row("Milk", "2", at: 1_796_050_000_000)], listText("Milk:1"), base: listText("Milk:1"),
      .newestWins)
    #expect(plan.document?.brief == ["Milk:2"])
    #expect(plan.updates.map(\.amount) == ["2"])
  }

  /// What the list takes for no name is none to the store either: the row is being typed, and not deleted.
  @Test(arguments: ["", " ", "\u{200B}", "\u{FE0F}\n"])
  func aRowWithoutANameThatShowsStays(name: String) throws {
    var typed = row("Typed")
    typed.name = name
    let plan = try reconcile([row("Milk"), typed], listText("Milk"), base: listText("Milk"), .newestWins)
    #expect(plan.deletes == [])
    #expect(!plan.changesStore && !plan.writesFile)
  }

  /// While a name is being typed anew it is empty for a moment.
  @Test func aRowWithoutANameIsNeitherExportedNorDeleted() throws {
    var typing = row("Milk")
    typing.name = ""
    let new = Item(id: "new", name: " ")
    let plan = try reconcile([typing, new], listText("Milk"), base: listText("Milk"), .newestWins)
    #expect(plan.document?.brief == ["Milk"])
    #expect(plan.deletes.isEmpty && !plan.writesFile)
  }

  @Test func whatNobodyKnowsStays() throws {
    let file = #"{"mood":1.50,"sections":["Dairy"],"items":[{"id":"milk","name":"Milk","colour":"white"},"a note"]}"#
    var local = row("Milk", "2")
    local.section = "dairy"
    let plan = try reconcile([local], file, base: file, .newestWins)
    let text = String(decoding: try #require(plan.document).encoded(), as: UTF8.self)
    #expect(text.contains(#""mood":1.50"#))
    #expect(text.contains(#""colour":"white""#))
    #expect(text.contains(#""a note""#))
    #expect(plan.document?.sections == ["Dairy"])
  }
}
