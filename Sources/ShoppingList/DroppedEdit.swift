// Acknowledged edits that a version saved by another program does not have.
//
// A program that replaces the file with a version it made without reading ours takes an edit back without knowing it. It
// may also have meant to: a row that is gone may have been deleted there. What tells the two apart is a tombstone, or a
// stamp later than ours with a value that is new; where neither stands, the user should be told.

/// A change of ours and what it was made from.
package struct AcknowledgedEdit: Sendable {
  package let before: Document
  package let after: Document

  package init(before: Document, after: Document) {
    self.before = before
    self.after = after
  }
}

/// What another program's version lacks.
package struct DroppedEdit: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A row that was added is not there.
    case added(Item)
    /// A row that was changed is not there, or not as it was changed to.
    case changed(Item)
    /// A row that was removed is there.
    case removed(Item)
  }

  package let kind: Kind
  /// Which of the edits, by its place, touched the row last.
  package let edit: Int
}

extension Document {
  /// What of these edits, the oldest first, this later version of somebody else's lacks, all in all: a row that one edit
  /// added and a later one removed is not missed.
  package func dropped(from edits: [AcknowledgedEdit]) -> [DroppedEdit] {
    guard let latest = edits.last?.after else { return [] }
    var order: [ItemID.Key] = []
    var touched: [ItemID.Key: (earlier: [Item], last: Int)] = [:]
    func touch(_ item: Item, earlier: Item?, in edit: Int) {
      let key = ItemID.Key(item.id)
      if touched[key] == nil { order.append(key) }
      touched[key] = ((touched[key]?.earlier ?? []) + [earlier].compactMap(\.self), edit)
    }
    for (place, edit) in edits.enumerated() {
      let difference = edit.after.difference(from: edit.before)
      for item in difference.added { touch(item, earlier: nil, in: place) }
      for change in difference.changed { touch(change.after, earlier: change.before, in: place) }
      for item in difference.removed { touch(item, earlier: item, in: place) }
    }
    let (ours, theirs) = (latest.itemsByKey, itemsByKey)
    return order.compactMap { key in
      guard let (earlier, last) = touched[key] else { return nil }
      let kind = loss(key, earlier: earlier, after: ours[key], found: theirs[key], latest: latest)
      return kind.map { DroppedEdit(kind: $0, edit: last) }
    }
  }

  /// - Parameter earlier: what the row was before each edit that changed or removed it; empty for a row that was only added.
  private func loss(
    _ key: ItemID.Key, earlier: [Item], after: Item?, found: Item?, latest: Document
  ) -> DroppedEdit.Kind? {
    switch (after, found) {
    case (let after?, nil):
      if hasTombstone(key) { return nil }
      return earlier.isEmpty ? .added(after) : .changed(after)
    case (nil, let found?):
      guard let before = earlier.last else { return nil }
      guard let removed = latest.tombstone(key)?.lastModified, let stamp = found.lastModified, stamp > removed
      else { return .removed(before) }
      return nil
    case (let after?, let found?): return after.isLacking(in: found, since: earlier) ? .changed(after) : nil
    case (nil, nil): return nil
    }
  }

  private var itemsByKey: [ItemID.Key: Item] {
    var byKey: [ItemID.Key: Item] = [:]
    for item in items { byKey[ItemID.Key(item.id)] = item }
    return byKey
  }

  private func tombstone(_ key: ItemID.Key) -> Tombstone? {
    tombstones.lazy.compactMap(Tombstone.init(reading:)).first { ItemID.Key($0.id) == key }
  }

  private func hasTombstone(_ key: ItemID.Key) -> Bool { tombstone(key) != nil }
}

extension Item {
  /// Whether the other lacks one of the members that were changed to what they are in this.
  ///
  /// Whoever changed the row later may have known what we had made of it, and meant another value; but not the very value
  /// that we had changed.
  fileprivate func isLacking(in other: Item, since earlier: [Item]) -> Bool {
    let isLater = if let ours = lastModified, let theirs = other.lastModified { theirs > ours } else { false }
    func lacks<Value: Equatable>(_ member: KeyPath<Item, Value>) -> Bool {
      let changedFrom = earlier.map { $0[keyPath: member] }.filter { $0 != self[keyPath: member] }
      if changedFrom.isEmpty || other[keyPath: member] == self[keyPath: member] { return false }
      return !isLater || changedFrom.contains(other[keyPath: member])
    }
    return lacks(\.name) || lacks(\.amount) || lacks(\.section) || lacks(\.optional) || lacks(\.checked)
  }
}
