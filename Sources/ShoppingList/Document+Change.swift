// Changing items that are on the list, and removing them.

extension Document {
  /// What became of an item to change; `before` and `after` are equal where it was so already.
  package struct Changed: Hashable, Sendable {
    package let before: Item
    package let after: Item
    package var isChanged: Bool { before != after }
  }

  /// Applies changes to items that were found, named by their ids. An id that is not on the list is passed over: callers
  /// look items up first, in this same document.
  package mutating func change(_ changes: [(id: String, changes: ItemChanges)], in context: EditContext)
    -> [Changed]
  {
    let index = RowIndex(rows, ids: changes.map(\.id))
    let conventions = conventions()
    var outcomes: [Changed] = []
    for (id, wanted) in changes {
      guard let position = index.position(ofID: id), let before = rows[position].item else { continue }
      var wanted = wanted
      wanted.section = wanted.section.map { place(inSection: $0) }
      if rows[position].apply(wanted, now: context.now, conventions: conventions) { isEdited = true }
      outcomes.append(Changed(before: before, after: rows[position].item ?? before))
    }
    return outcomes
  }

  /// Removes the items with these ids, in the list's order; each leaves a tombstone. Returns what went.
  package mutating func remove(ids: [String], in context: EditContext) -> [Item] {
    let keys = Set(ids.map(ItemID.Key.init))
    return removeRows(in: context) { keys.contains(ItemID.Key($0.id)) }
  }

  /// Removes all that is checked. Returns what went.
  package mutating func removeChecked(in context: EditContext) -> [Item] {
    removeRows(in: context) { $0.checked }
  }

  mutating func removeRows(in context: EditContext, where isGone: (Item) -> Bool) -> [Item] {
    var removed: [Row] = []
    var kept: [Row] = []
    kept.reserveCapacity(rows.count)
    for row in rows {
      if let item = row.item, isGone(item) { removed.append(row) } else { kept.append(row) }
    }
    guard !removed.isEmpty else { return [] }
    bury(removed, now: context.now)
    rows = kept
    // Looked up once, not by each of the encodings to come.
    knownStyle = style
    pruneTombstones()
    isEdited = true
    return removed.compactMap(\.item)
  }
}
