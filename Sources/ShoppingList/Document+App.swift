// A list as an app holds it: rows in a store of its own, which knows neither the order of the file nor its hidden rows,
// nor what other writers have put into a row. What the app changed is put onto the version that it saw last.

import JSON

extension Document {
  /// What an app's row with an id that this list has is taken for.
  package enum RowComparison: Sendable {
    /// Changed only if it says something else: what the file has of a row that says the same stays, its stamp included.
    /// For a store that stamps a row whenever it is saved.
    case contents
    /// Changed also if it has a later stamp.
    case stamps
  }

  /// This list, the last that an app saw, with the rows as its store has them now.
  ///
  /// - Parameters:
  ///   - items: all rows of the store; of two with one id the one stamped later counts. Their order says nothing: rows
  ///     stay where they were, and new ones come last.
  ///   - now: stamps what has no stamp of its own: rows that are gone, and new or changed ones without.
  ///   - stampOfNew: for a new row without a stamp, by its id.
  package func withRows(
    of items: [Item], comparing comparison: RowComparison = .contents, now: Instant,
    stampOfNew: (ItemID.Key) -> Instant
  ) -> Document {
    var result = self
    let conventions = result.conventions()
    var wanted: [ItemID.Key: Item] = [:]
    var order: [ItemID.Key] = []
    var nameless: Set<ItemID.Key> = []
    for item in items {
      let key = ItemID.Key(item.id)
      if FoldedName.isBlank(item.name) {
        nameless.insert(key)
        continue
      }
      if let known = wanted[key] {
        if item.lastModified.isLater(than: known.lastModified) { wanted[key] = item }
      } else {
        order.append(key)
        wanted[key] = item
      }
    }
    var kept: [Row] = []
    var gone: [Row] = []
    kept.reserveCapacity(max(rows.count, items.count))
    for var row in rows {
      guard let item = row.item else {
        kept.append(row)
        continue
      }
      guard let new = wanted.removeValue(forKey: ItemID.Key(item.id)) else {
        // A name that is being typed anew is no deletion.
        if nameless.contains(ItemID.Key(item.id)) {
          kept.append(row)
          continue
        }
        gone.append(row)
        continue
      }
      if !new.saysTheSame(as: item) {
        var changes = ItemChanges(new)
        if FoldedName(new.section) == FoldedName(item.section) { changes.section = nil }
        changes.section = changes.section.map { result.place(inSection: $0) }
        if row.apply(changes, now: new.lastModified ?? now, conventions: conventions) { result.isEdited = true }
      } else if comparison == .stamps, new.lastModified.isLater(than: item.lastModified) {
        row.stamp(now: new.lastModified ?? now, conventions: conventions)
        result.isEdited = true
      }
      kept.append(row)
    }
    if !gone.isEmpty {
      result.bury(gone, now: now)
      result.isEdited = true
    }
    for key in order {
      guard var new = wanted[key] else { continue }
      new.section = result.place(inSection: new.section)
      kept.append(Row(new: new, stamp: new.lastModified ?? stampOfNew(key), conventions: conventions))
      result.isEdited = true
    }
    result.rows = kept
    if result.isEdited { result.pruneTombstones() }
    return result
  }

  /// This list with the rows that a store has got of a newer one by now: those that say in the store what they say there,
  /// and those that are gone from both.
  package func advanced(to newer: Document, asFarAs local: [Item]) -> Document {
    let stored = Dictionary(local.map { (ItemID.Key($0.id), $0) }) { first, _ in first }
    var arrived: [ItemID.Key: Row] = [:]
    var newKeys: Set<ItemID.Key> = []
    for row in newer.rows {
      guard let item = row.item else { continue }
      let key = ItemID.Key(item.id)
      newKeys.insert(key)
      if let there = stored[key], item.saysTheSame(as: there) { arrived[key] = row }
    }
    var result = self
    result.rows = rows.compactMap { row in
      guard let key = row.item.map({ ItemID.Key($0.id) }) else { return row }
      if let newer = arrived.removeValue(forKey: key) { return newer }
      return stored[key] != nil || newKeys.contains(key) ? row : nil
    }
    // In the newer one's order.
    for row in newer.rows {
      if let key = row.item.map({ ItemID.Key($0.id) }), arrived[key] != nil { result.rows.append(row) }
    }
    result.isEdited = true
    result.nameSections()
    return result
  }

  /// This list with those of its rows taken from an earlier one that were changed there later than here: what it has of
  /// them is an older version that a sync service has brought back for the moment. Who changes a row stamps it after what
  /// it knew; a row with the same stamp, or without one, was changed by somebody who stamps nothing, and stays.
  package func withoutSetBacks(from earlier: Document) -> Document {
    var known: [ItemID.Key: Row] = [:]
    for row in earlier.rows { if let item = row.item { known[ItemID.Key(item.id)] = row } }
    var result = self
    for index in rows.indices {
      guard let item = rows[index].item, let stamp = item.lastModified, let before = known[ItemID.Key(item.id)],
        let seen = before.item, seen.lastModified.isLater(than: stamp), !seen.saysTheSame(as: item)
      else { continue }
      result.rows[index] = before
      result.isEdited = true
    }
    // That row's section may be spelled otherwise there, or stand in no row here.
    if result.isEdited { result.nameSections() }
    return result
  }

  /// Whether a store with these rows says what this list says; stamps, order and what no row shows make no difference.
  package func saysTheSame(as items: [Item]) -> Bool {
    var byKey: [ItemID.Key: Item] = [:]
    for item in items where !FoldedName.isBlank(item.name) {
      guard byKey.updateValue(item, forKey: ItemID.Key(item.id)) == nil else { return false }
    }
    let mine = self.items
    return mine.count == byKey.count
      && mine.allSatisfy { item in
        byKey[ItemID.Key(item.id)].map {
          $0.saysTheSame(as: item)
            || ($0.isSame(butForSection: item) && FoldedName($0.section) == FoldedName(item.section))
        } ?? false
      }
  }

  /// Whether both show the same rows and the same sections, whenever they were changed.
  package func shows(theSameAs other: Document) -> Bool {
    sections == other.sections && difference(from: other).isEmpty
  }

  /// The ids of the rows that the list says were deleted.
  package var deletedKeys: Set<ItemID.Key> {
    Set(tombstones.compactMap(Tombstone.init(reading:)).map { ItemID.Key($0.id) })
  }

  /// The list as an app writes it, whatever its style was: like `JSONEncoder` of Foundation, pretty-printed, keys sorted.
  /// What nobody here knows says the same, and its numbers keep their text.
  package var inAppStyle: Document {
    if style == .app { return self }
    do {
      return try Document(decoding: assembled().laidOutAnew.encoded(style: .app))
    } catch {
      // What cannot be laid out anew is written as it is.
      return self
    }
  }
}

extension ItemChanges {
  /// All that an item says.
  init(_ item: Item) {
    self.init(
      name: item.name, amount: item.amount, section: item.section, optional: item.optional, checked: item.checked)
  }
}

extension Item {
  fileprivate func isSame(butForSection other: Item) -> Bool {
    var other = other
    other.section = section
    return saysTheSame(as: other)
  }
}

extension JSONValue {
  /// The same with containers that stand in no text, and members in the order of their names.
  fileprivate var laidOutAnew: JSONValue {
    switch kind {
    case .array: return .array(elements.map(\.laidOutAnew))
    case .object:
      let all = Array(members)
      // A name with half a surrogate pair cannot be made anew, and of members with one name the last counts.
      if all.contains(where: { $0.key.contains("\u{FFFD}") }) || Set(all.map(\.key)).count < all.count { return self }
      return .object(
        all.map { ($0.key, $0.value.laidOutAnew) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    default: return self
    }
  }
}
