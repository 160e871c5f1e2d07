// TEMPORARY: stands in for the merge of the `merge` branch, row by row and no finer, until that lands. To be deleted
// then; the signature is the real one's.

extension Document {
  package static func merged(base: Document?, ours: Document, theirs: Document) -> Document {
    func byKey(_ document: Document?) -> [ItemID.Key: Row] {
      var rows: [ItemID.Key: Row] = [:]
      for row in document?.rows ?? [] { if let item = row.item { rows[ItemID.Key(item.id)] = row } }
      return rows
    }
    func graves(_ document: Document) -> [ItemID.Key: Instant] {
      var graves: [ItemID.Key: Instant] = [:]
      for entry in document.tombstones.compactMap(Tombstone.init(reading:)) {
        graves[ItemID.Key(entry.id)] = entry.lastModified ?? Instant(milliseconds: 0)
      }
      return graves
    }
    let (before, mine, yours) = (byKey(base), byKey(ours), byKey(theirs))
    let (myGraves, yourGraves) = (graves(ours), graves(theirs))
    func survives(_ row: Row, _ key: ItemID.Key, against others: [ItemID.Key: Instant]) -> Bool {
      if let old = before[key] { return old.content != row.content }
      guard let grave = others[key] else { return true }
      return grave < row.item?.lastModified ?? Instant(milliseconds: -1)
    }
    var result = ours
    var rows: [Row] = []
    for row in ours.rows {
      guard let item = row.item else {
        rows.append(row)
        continue
      }
      let key = ItemID.Key(item.id)
      guard let other = yours[key] else {
        if survives(row, key, against: yourGraves) { rows.append(row) }
        continue
      }
      let old = before[key]?.content
      if row.content == other.content || other.content == old {
        rows.append(row)
      } else if row.content == old {
        rows.append(other)
      } else {
        let left = (item.lastModified?.milliseconds ?? -1, row.content)
        let right = (other.item?.lastModified?.milliseconds ?? -1, other.content)
        let isOurs = left.0 == right.0 ? right.1.lexicographicallyPrecedes(left.1) : left.0 > right.0
        rows.append(isOurs ? row : other)
      }
    }
    for row in theirs.rows {
      guard let item = row.item else {
        if !rows.contains(where: { $0.item == nil && $0.value.isEquivalent(to: row.value) }) { rows.append(row) }
        continue
      }
      let key = ItemID.Key(item.id)
      if mine[key] == nil, survives(row, key, against: myGraves) { rows.append(row) }
    }
    result.rows = rows
    for entry in theirs.tombstones {
      guard let grave = Tombstone(reading: entry) else { continue }
      let key = ItemID.Key(grave.id)
      if let known = myGraves[key], known >= grave.lastModified ?? Instant(milliseconds: 0) { continue }
      result.tombstones.removeAll { Tombstone(reading: $0).map { ItemID.Key($0.id) == key } ?? false }
      result.tombstones.append(entry)
    }
    for section in theirs.sections { _ = result.place(inSection: section) }
    result.nameSections()
    result.isEdited = true
    return result.isEquivalent(to: ours) ? ours : result
  }
}
