// Going back to an earlier version of the list: an edit like any other.
//
// The rows, their order and the sections become those of the earlier version. Nothing else does: a row that says the same
// in both is not touched; a member that nobody here knows and that only the present row has stays; hidden rows stay. Rows
// that come back, or go back, are stamped after whatever is known of them, their tombstones too, or the next merge with
// another copy of the list would take the restoring back.

extension Document {
  /// Makes the list what it was.
  ///
  /// - Returns: what was done: rows that came back are `added`.
  package mutating func restore(_ earlier: Document, in context: EditContext) -> Replaced {
    var outcome = Replaced()
    let conventions = conventions()
    let index = RowIndex(rows, ids: earlier.rows.compactMap(\.id))
    let graves = latestGraves(with: earlier)
    var result: [(row: Row, origin: Int?)] = []
    var isTouched = false
    for old in earlier.rows {
      guard let item = old.item else { continue }
      let position = index.position(ofID: item.id)
      if let position, rows[position].content == old.content {
        if let item = rows[position].item { outcome.unchanged.append(item) }
        result.append((rows[position], position))
        continue
      }
      var row = old
      let present = position.map { rows[$0] }
      if let present { row.takeStrangeMembers(of: present, sorted: conventions.sortsMembers) }
      row.stamp(
        now: context.now,
        after: [present?.item?.lastModified, graves[ItemID.Key(item.id)]].compactMap(\.self).max(),
        conventions: conventions)
      row.show(section: place(inSection: item.section))
      isTouched = true
      result.append((row, position))
      let after = row.item ?? item
      if let before = present?.item {
        if before.saysTheSame(as: after) {
          outcome.unchanged.append(after)
        } else {
          outcome.changed.append(Changed(before: before, after: after))
        }
      } else {
        outcome.added.append(after)
      }
    }
    outcome.removed = buryRows(besides: result.lazy.compactMap(\.origin), now: context.now)
    outcome.isReordered = isReordered(result.lazy.compactMap(\.origin))
    let hidden = hiddenRows(onlyIn: earlier)
    if isTouched || !outcome.removed.isEmpty || outcome.isReordered || !hidden.isEmpty {
      rows = withHiddenRows(result) + hidden
      pruneTombstones()
      isEdited = true
    }
    outcome.sectionsChanged = arrangeSections(earlier.sections, droppingEmpty: true)
    return outcome
  }

  /// When each row was last known to be deleted, by either version.
  private func latestGraves(with earlier: Document) -> [ItemID.Key: Instant] {
    var graves: [ItemID.Key: Instant] = [:]
    for grave in (tombstones + earlier.tombstones).compactMap(Tombstone.init(reading:)) {
      guard let stamp = grave.lastModified else { continue }
      let key = ItemID.Key(grave.id)
      graves[key] = max(stamp, graves[key] ?? stamp)
    }
    return graves
  }

  /// The earlier version's rows that no tool sees, and that are gone.
  private func hiddenRows(onlyIn earlier: Document) -> [Row] {
    earlier.rows.filter { row in
      row.item == nil && !rows.contains { $0.item == nil && $0.value.isEquivalent(to: row.value) }
    }
  }
}
