import Testing

@testable import JSON
@testable import ShoppingList

// What holds for every merge, tried on random histories. A failing case names its seed; `check(seed:)` with it alone
// shows it again.

@Suite struct MergePropertyTests {
  @Test func ofTwoListsWithOrWithoutABase() throws {
    for seed in 0..<2_000 {
      var history = MergeHistory(seed: UInt64(seed))
      let (base, ours, theirs) = try history.triple()
      for base in [base, nil] {
        let merged = try mergedBothWays(base: base, ours: ours, theirs: theirs)
        let check = MergeCheck(
          base: base, merged: merged, name: "seed \(seed)\(base == nil ? ", no base" : "")")
        check.rows(ours, other: theirs)
        check.rows(theirs, other: ours)
        check.order(ours, other: theirs)
        check.order(theirs, other: ours)
        check.unchangedText(ours, theirs)
      }
      #expect(text(Document.merge(base: base, ours: ours, theirs: ours)) == text(ours), "seed \(seed)")
    }
  }

  @Test func whatIsInMemoryMergesAsTheFileItWouldBeWrittenTo() throws {
    for seed in 10_000..<10_500 {
      var history = MergeHistory(seed: UInt64(seed))
      let (base, start, theirs) = try history.triple()
      var ours = start
      for _ in 0..<3 { history.serve(&ours) }
      for base in [base, nil] {
        let inMemory = Document.merge(base: base, ours: ours, theirs: theirs)
        let fromFile = Document.merge(
          base: base, ours: try Document(decoding: ours.encoded()), theirs: theirs)
        #expect(inMemory.isEquivalent(to: fromFile), "seed \(seed)")
      }
    }
  }

  @Test func replicasThatHearOfEachOtherInAnyOrderEndUpEqual() throws {
    for seed in 20_000..<20_300 {
      var history = MergeHistory(seed: UInt64(seed))
      var replicas = [Document](repeating: try history.list(), count: 2 + history.random.below(3))
      for _ in 0..<history.random.below(6) {
        let place = history.random.below(replicas.count)
        replicas[place] = try history.edited(replicas[place])
      }
      var rounds = 0
      while Set(replicas.map(\.revision)).count > 1, rounds < 12 {
        for one in replicas.indices.shuffled(using: &history.random) {
          for two in replicas.indices.shuffled(using: &history.random) where one != two {
            replicas[one] = try mergedBothWays(base: nil, ours: replicas[one], theirs: replicas[two])
            replicas[two] = replicas[one]
          }
        }
        rounds += 1
      }
      #expect(rounds < 12, "seed \(seed) does not converge")
    }
  }

  @Test func writersOfOneFileEndUpEqual() throws {
    for seed in 30_000..<30_300 {
      var history = MergeHistory(seed: UInt64(seed))
      var file = try history.list()
      var seen = [Document](repeating: file, count: 3)
      var mine = seen
      func exchange(_ place: Int) throws {
        file = try mergedBothWays(base: seen[place], ours: mine[place], theirs: file)
        (seen[place], mine[place]) = (file, file)
      }
      for _ in 0..<1 + history.random.below(8) {
        let place = history.random.below(3)
        if history.random.happens(oneIn: 2) { try exchange(place) }
        mine[place] = try history.edited(mine[place])
      }
      for place in [0, 1, 2, 1, 0, 2, 0, 1, 2] { try exchange(place) }
      #expect(Set((mine + [file]).map(\.revision)).count == 1, "seed \(seed) does not converge")
    }
  }
}

/// What is checked of one result.
private struct MergeCheck {
  let base: Document?
  let merged: Document
  let name: String

  private func rows(of document: Document) -> [ItemID.Key: Row] {
    Dictionary(
      uniqueKeysWithValues: document.rows.compactMap { row in row.item.map { (ItemID.Key($0.id), row) } })
  }

  /// No row is lost that the other did not delete, none is back that a newer tombstone deleted, and what one side alone
  /// changed is in the result.
  func rows(_ side: Document, other: Document) {
    let known = base.map(rows(of:)) ?? [:]
    let others = rows(of: other)
    let result = rows(of: merged)
    for (key, row) in rows(of: side) {
      let tombstone = other.stamp(ofTombstone: key)
      if let twin = others[key] {
        #expect(result[key] != nil, "\(name): a row of both is gone")
        guard let merged = result[key] else { continue }
        members(of: row, twin, known[key], merged)
      } else if let before = known[key] {
        let isChanged = !Row.knownMembers.union(["note"]).subtracting(["lastModified"]).allSatisfy {
          Row.meansTheSame($0, row.value[$0], before.value[$0])
        }
        #expect((result[key] != nil) == isChanged, "\(name): a row that one side lacks and the base has")
      } else if tombstone == nil || (row.item?.lastModified).map({ $0 > tombstone ?? $0 }) ?? false {
        #expect(result[key] != nil, "\(name): a row that nobody deleted is gone")
      } else if side.stamp(ofTombstone: key) == nil {
        #expect(result[key] == nil, "\(name): a row is back that a newer tombstone deleted")
      }
    }
  }

  private func members(of row: Row, _ twin: Row, _ before: Row?, _ merged: Row) {
    for key in ["id", "name", "amount", "section", "optional", "checked", "note"] {
      if let before {
        guard Row.meansTheSame(key, twin.value[key], before.value[key]) else { continue }
        #expect(
          Row.meansTheSame(key, merged.value[key], row.value[key]),
          "\(name): \(key), which one side alone changed")
      } else if key == "note" {
        #expect(
          row.value[key] == nil || merged.value[key] != nil, "\(name): a member that nobody knows is gone")
      }
    }
  }

  /// A move, or a section's removal, survives where the other side moved nothing.
  func order(_ side: Document, other: Document) {
    guard let base else { return }
    let (before, mine, others) = (base.keys, side.keys, other.keys)
    if before.filter(others.contains) == others.filter(before.contains) {
      let common = mine.filter(before.contains).filter(merged.keys.contains)
      #expect(merged.keys.filter(common.contains) == common, "\(name): a move is lost")
    }
    guard base.sectionEntries != nil, side.sectionEntries != nil, other.sectionEntries != nil else { return }
    let names = merged.sections.map(FoldedName.init)
    let used = Set(merged.items.map { FoldedName($0.section) })
    let kept = Set(side.sections.map(FoldedName.init)).union(used)
    for section in base.sections.map(FoldedName.init) where !kept.contains(section) {
      #expect(!names.contains(section), "\(name): a removed section is back")
    }
  }

  /// A row that both have with the same text is in the result with that text.
  func unchangedText(_ ours: Document, _ theirs: Document) {
    guard base == nil else { return }
    let mine = Set(ours.rows.map(\.value.description))
    let texts = Set(merged.rows.map(\.value.description))
    for row in theirs.rows
    where row.item != nil && ours.stamp(ofTombstone: row) == nil && theirs.stamp(ofTombstone: row) == nil {
      let text = row.value.description
      #expect(!mine.contains(text) || texts.contains(text), "\(name): \(text) is spelled anew")
    }
  }
}

extension Document {
  fileprivate var keys: [ItemID.Key] { items.map { ItemID.Key($0.id) } }

  /// The latest stamp of the tombstones of an id; before all time where the only ones have none.
  fileprivate func stamp(ofTombstone key: ItemID.Key) -> Instant? {
    tombstones.compactMap(Tombstone.init(reading:)).filter { ItemID.Key($0.id) == key }
      .map { $0.lastModified ?? Instant(milliseconds: -1) }.max()
  }

  fileprivate func stamp(ofTombstone row: Row) -> Instant? {
    row.item.flatMap { stamp(ofTombstone: ItemID.Key($0.id)) }
  }
}
