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
    var result: [(row: Row, origin: Int?)] = []
    for (place, new) in wanted.enumerated() {
      var changes = new.changes
      if let position = met[place], let before = rows[position].item {
        changes.section = changes.section.map { self.place(inSection: $0) }
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
          section: self.place(inSection: changes.section ?? ""), optional: changes.optional ?? false,
          checked: changes.checked ?? false)
        let row = Row(new: item, stamp: context.now, conventions: conventions)
        outcome.added.append(row.item ?? item)
        result.append((row, nil))
      } else {
        outcome.nameless.append(place)
      }
    }
    let kept = Set(met.compactMap(\.self))
    for (position, row) in rows.enumerated() where !kept.contains(position) {
      guard let item = row.item else { continue }
      outcome.removed.append(item)
      bury(row, now: context.now)
    }
    let origins = result.compactMap(\.origin)
    outcome.isReordered = origins != origins.sorted() || isInterleaved(result.map(\.origin))
    let isChanged = !outcome.added.isEmpty || !outcome.changed.isEmpty || !outcome.removed.isEmpty
    if isChanged || outcome.isReordered {
      rows = withHiddenRows(result)
      pruneTombstones()
      isEdited = true
    }
    if let names { outcome.sectionsChanged = arrangeSections(names, droppingEmpty: true) }
    return outcome
  }

  /// New rows between old ones change the order, too; at the end they do not.
  private func isInterleaved(_ origins: [Int?]) -> Bool {
    guard let firstNew = origins.firstIndex(of: nil) else { return false }
    return origins[firstNew...].contains { $0 != nil }
  }

  /// The position of the existing row that each new row means; nil for a row that is new.
  private func meet(_ wanted: [ReplacementRow]) -> [Int?] {
    let index = RowIndex(rows)
    var met = [Int?](repeating: nil, count: wanted.count)
    var taken: Set<Int> = []
    func pair(_ place: Int, _ position: Int?) {
      guard let position, taken.insert(position).inserted else { return }
      met[place] = position
    }
    for (place, new) in wanted.enumerated() { pair(place, new.id.flatMap(index.position(ofID:))) }
    for (place, new) in wanted.enumerated() where met[place] == nil {
      guard let name = new.changes.name else { continue }
      let section = FoldedName(new.changes.section ?? "")
      pair(
        place,
        index.positions(ofName: name).first {
          !taken.contains($0) && FoldedName(rows[$0].item?.section ?? "") == section
        })
    }
    var wantedNames: [FoldedName: Int] = [:]
    for new in wanted { if let name = new.changes.name { wantedNames[FoldedName(name), default: 0] += 1 } }
    for (place, new) in wanted.enumerated() where met[place] == nil {
      guard let name = new.changes.name, wantedNames[FoldedName(name)] == 1 else { continue }
      let positions = index.positions(ofName: name)
      if positions.count == 1 { pair(place, positions[0]) }
    }
    return met
  }

  /// Puts each hidden row back behind the nearest row before it that is still there, or in front.
  func withHiddenRows(_ result: [(row: Row, origin: Int?)]) -> [Row] {
    let kept = Set(result.compactMap(\.origin))
    var front: [Row] = []
    var behind: [Int: [Row]] = [:]
    var anchor: Int?
    for (position, row) in rows.enumerated() {
      if kept.contains(position) { anchor = position }
      guard row.item == nil else { continue }
      if let anchor { behind[anchor, default: []].append(row) } else { front.append(row) }
    }
    return front + result.flatMap { [$0.row] + ($0.origin.flatMap { behind[$0] } ?? []) }
  }
}
