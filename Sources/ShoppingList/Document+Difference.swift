// What tells one version of a list from another, as people see it: rows that came, rows that went, rows that say
// something else. Stamps, and members that nobody here knows, make no difference.

/// What came of a list between two versions of it.
package struct ListDifference: Hashable, Sendable {
  /// In the order of the later version.
  package var added: [Item] = []
  /// In the order of the later version.
  package var changed: [Document.Changed] = []
  /// In the order of the earlier version.
  package var removed: [Item] = []

  package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

  /// A few words: `added Bread and Milk; ticked off Eggs`. Names are as they stand in the list.
  package var summary: String {
    let ticked = changed.filter { $0.isTick }
    let parts = [
      ("added", added), ("ticked off", ticked.map(\.after)),
      ("changed", changed.filter { !$0.isTick }.map(\.after)), ("removed", removed),
    ]
    let told = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \(Self.enumerated($0.1))" }
    return told.isEmpty ? "rearranged" : told.joined(separator: "; ")
  }

  private static func enumerated(_ items: [Item]) -> String {
    guard items.count > 2 else { return items.map(\.name).joined(separator: " and ") }
    return "\(items[0].name) and \(items.count - 1) more"
  }
}

extension Document.Changed {
  /// Whether nothing but the tick was set.
  fileprivate var isTick: Bool {
    var ticked = before
    ticked.checked = true
    return !before.checked && ticked.saysTheSame(as: after)
  }
}

extension Item {
  /// Whether both say the same, whenever they were changed.
  package func saysTheSame(as other: Item) -> Bool {
    var other = other
    other.lastModified = lastModified
    other.id = id
    return self == other
  }
}

extension Document {
  /// What came of the list since an earlier version of it.
  package func difference(from earlier: Document) -> ListDifference {
    // Most edits touch a row or two: what is the same at both ends is passed over.
    let shorter = min(rows.count, earlier.rows.count)
    var start = 0
    while start < shorter, rows[start].hasSameItem(as: earlier.rows[start]) { start += 1 }
    var rest = 0
    while rest < shorter - start,
      rows[rows.count - rest - 1].hasSameItem(as: earlier.rows[earlier.rows.count - rest - 1])
    { rest += 1 }
    let new = rows[start..<rows.count - rest].compactMap(\.item)
    let old = earlier.rows[start..<earlier.rows.count - rest].compactMap(\.item)
    var difference = ListDifference()
    var before: [ItemID.Key: Item] = [:]
    for item in old { before[ItemID.Key(item.id)] = item }
    var stayed: Set<ItemID.Key> = []
    for item in new {
      let key = ItemID.Key(item.id)
      guard let old = before[key] else {
        difference.added.append(item)
        continue
      }
      stayed.insert(key)
      if !old.saysTheSame(as: item) { difference.changed.append(Changed(before: old, after: item)) }
    }
    difference.removed = old.filter { !stayed.contains(ItemID.Key($0.id)) }
    return difference
  }
}
