// Replacing the whole list by another, so that what stays keeps what it had.
//
// The new rows meet the existing ones by id, else by name and section, else by a name that is unique on both sides. A row
// that is met keeps its id, its stamp, the members left out, and the members nobody here knows; a row that is equal is not
// touched. So a list that is written back as it was read changes nothing.

/// One row of the new list. With an id that is on the list the name may be missing.
package struct ReplacementRow: Hashable, Sendable {
  package var id: String?
  package var changes: ItemChanges

  package init(id: String? = nil, changes: ItemChanges) {
    self.id = id
    self.changes = changes
  }
}

/// What a replacement did, or would do.
package struct Replaced: Hashable, Sendable {
  package var added: [Item] = []
  package var changed: [Document.Changed] = []
  package var removed: [Item] = []
  package var unchanged: [Item] = []
  /// Whether the rows that stay stand in another order.
  package var isReordered = false
  /// Whether the names or the order of the sections are others.
  package var sectionsChanged = false
  /// Places (from 0) of new rows that name no item: no name, and no id that is on the list.
  package var nameless: [Int] = []

  package init() {}
}

extension Document {
  /// Replaces the rows that can be seen; hidden ones stay behind the row that they stood behind.
  ///
  /// - Parameter sections: the new order of the sections; those left out and empty are dropped. Nil: only what the rows
  ///   name is added.
  package mutating func replace(
    with wanted: [ReplacementRow], sections names: [String]?, in context: EditContext
  ) -> Replaced {
    var outcome = Replaced()
    let met = meet(wanted)
    let conventions = conventions()
    var places = SpellingMemo<String>()
    var result: [(row: Row, origin: Int?)] = []
    result.reserveCapacity(wanted.count)
    outcome.unchanged.reserveCapacity(wanted.count)
    for (number, new) in wanted.enumerated() {
      var changes = new.changes
      if let position = met[number], let before = rows[position].item {
        changes.section = changes.section.map { places.answer(for: $0) { place(inSection: $0) } }
        var row = rows[position]
        if row.apply(changes, now: context.now, conventions: conventions) {
          outcome.changed.append(Changed(before: before, after: row.item ?? before))
        } else {
          outcome.unchanged.append(before)
        }
        result.append((row, position))
      } else if let name = changes.name {
        let item = Item(
          id: context.newID(), name: name, amount: changes.amount ?? "",
          section: places.answer(for: changes.section ?? "") { place(inSection: $0) },
          optional: changes.optional ?? false,
          checked: changes.checked ?? false)
        let row = Row(new: item, stamp: context.now, conventions: conventions)
        outcome.added.append(row.item ?? item)
        result.append((row, nil))
      } else {
        outcome.nameless.append(number)
      }
    }
    outcome.removed = buryRows(besides: met.lazy.compactMap(\.self), now: context.now)
    outcome.isReordered =
      isReordered(result.lazy.compactMap(\.origin)) || isInterleaved(result.lazy.map(\.origin))
    let isChanged = !outcome.added.isEmpty || !outcome.changed.isEmpty || !outcome.removed.isEmpty
    if isChanged || outcome.isReordered {
      rows = withHiddenRows(result)
      pruneTombstones()
      isEdited = true
    }
    if let names { outcome.sectionsChanged = arrangeSections(names, droppingEmpty: true) }
    return outcome
  }

  /// Whether rows stand in another order than these positions of theirs.
  func isReordered(_ origins: some Sequence<Int>) -> Bool {
    !zip(origins, origins.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// New rows between old ones change the order, too; at the end they do not.
  private func isInterleaved(_ origins: some Sequence<Int?>) -> Bool {
    origins.drop { $0 != nil }.contains { $0 != nil }
  }

  /// The position of the existing row that each new row means; nil for a row that is new.
  private func meet(_ wanted: [ReplacementRow]) -> [Int?] {
    var met = [Int?](repeating: nil, count: wanted.count)
    var taken = [Bool](repeating: false, count: rows.count)
    func pair(_ place: Int, _ position: Int?) {
      guard let position, !taken[position] else { return }
      taken[position] = true
      met[place] = position
    }
    let ids = wanted.compactMap(\.id)
    if !ids.isEmpty {
      let index = RowIndex(rows, ids: ids)
      for (place, new) in wanted.enumerated() { pair(place, new.id.flatMap(index.position(ofID:))) }
    }
    if met.contains(where: { $0 == nil }) {
      var queues = RowQueues(of: rows) { !taken[$0] }
      for (place, new) in wanted.enumerated() where met[place] == nil {
        guard let name = new.changes.name else { continue }
        pair(place, queues.next(ofName: name, inSection: new.changes.section ?? ""))
      }
    }
    // As a rule all have met by now.
    let left = wanted.indices.filter { met[$0] == nil && wanted[$0].changes.name != nil }
    if left.isEmpty { return met }
    var wantedNames: [FoldedName: Int] = [:]
    for new in wanted { if let name = new.changes.name { wantedNames[FoldedName(name), default: 0] += 1 } }
    let index = RowIndex(rows, names: left.compactMap { wanted[$0].changes.name })
    for place in left {
      guard let name = wanted[place].changes.name, wantedNames[FoldedName(name)] == 1 else { continue }
      let positions = index.positions(ofName: name)
      if positions.count == 1 { pair(place, positions[0]) }
    }
    return met
  }

  /// Puts each hidden row back behind the nearest row before it that is still there, or in front.
  func withHiddenRows(_ result: [(row: Row, origin: Int?)]) -> [Row] {
    let kept = marked(result.lazy.compactMap(\.origin))
    var arranged: [Row] = []
    arranged.reserveCapacity(max(rows.count, result.count))
    var behind: [Int: [Row]] = [:]
    var anchor: Int?
    for position in rows.indices {
      if kept[position] { anchor = position }
      guard rows[position].isHidden else { continue }
      if let anchor { behind[anchor, default: []].append(rows[position]) } else { arranged.append(rows[position]) }
    }
    for (row, origin) in result {
      arranged.append(row)
      if !behind.isEmpty, let origin, let hidden = behind[origin] { arranged += hidden }
    }
    return arranged
  }

  /// Puts tombstones for all rows that can be seen but those at these positions. Returns what goes.
  mutating func buryRows(besides kept: some Sequence<Int>, now: Instant) -> [Item] {
    let stays = marked(kept)
    let gone = rows.indices.filter { !stays[$0] && !rows[$0].isHidden }.map { rows[$0] }
    bury(gone, now: now)
    return gone.compactMap(\.item)
  }

  /// Whether each row's position is one of these.
  private func marked(_ positions: some Sequence<Int>) -> [Bool] {
    var marks = [Bool](repeating: false, count: rows.count)
    for position in positions { marks[position] = true }
    return marks
  }
}

/// The rows of each name and section in the list's order, from which one after the other is taken.
private struct RowQueues {
  private struct Key: Hashable {
    let name: FoldedName
    /// Its number among the sections, by folded name.
    let section: Int
  }

  /// The first row of each queue, and behind each row the next; nil at the end.
  private var heads: [Key: Int?] = [:]
  private var following: [Int?]
  private var numbers: [FoldedName: Int] = [:]
  private var known = SpellingMemo<Int>()

  /// - Parameter isFree: whether the row at a position may be taken.
  init(of rows: [Row], where isFree: (Int) -> Bool) {
    following = [Int?](repeating: nil, count: rows.count)
    heads.reserveCapacity(rows.count)
    for position in rows.indices.reversed() where isFree(position) {
      guard let name = rows[position].name, let section = rows[position].section else { continue }
      following[position] = heads.updateValue(position, forKey: key(name, section)) ?? nil
    }
  }

  /// Takes the next row; nil where none is left.
  mutating func next(ofName name: String, inSection section: String) -> Int? {
    guard let queue = heads.index(forKey: key(name, section)), let position = heads.values[queue] else { return nil }
    heads.values[queue] = following[position]
    return position
  }

  private mutating func key(_ name: String, _ section: String) -> Key {
    let number = known.answer(for: section) { section in
      let section = FoldedName(section)
      if let number = numbers[section] { return number }
      let number = numbers.count
      numbers[section] = number
      return number
    }
    return Key(name: FoldedName(name), section: number)
  }
}
