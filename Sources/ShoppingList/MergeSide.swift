import JSON

/// One of the lists of a merge, prepared: its entries by what they meet by.
struct MergeSide {
  /// The list as it was given.
  let original: Document
  /// The same without rows that stand beside their own tombstone.
  ///
  /// A writer that knows no tombstones brought such a row back. It is stamped after the tombstone, or the next copy that
  /// has the tombstone alone would delete it again, and the tombstone is ended.
  let document: Document
  let rows: MergeList<ItemID.Key, Row>
  let tombstones: MergeList<ItemID.Key, JSONValue>
  /// Nil where the list has no `sections`.
  let sections: MergeList<FoldedName, JSONValue>?
  /// The latest stamp of a visible row or a tombstone.
  private let latest: Instant?

  init(_ original: Document) {
    self.original = original
    var document = original
    var tombstones = MergeList(original.tombstones, content: \.self) { entry in
      Tombstone(reading: entry).map { ItemID.Key($0.id) }
    } supersedes: {
      MergeRank($0) > MergeRank($1)
    }
    document.endTombstones(in: &tombstones)
    document.tombstones = tombstones.entries
    self.document = document
    self.tombstones = tombstones
    rows = MergeList(document.rows, content: \.value) { $0.item.map { ItemID.Key($0.id) } }
    sections = document.listedSections.map { entries in
      MergeList(entries, content: \.self) { entry in
        entry.string.map(FoldedName.init).flatMap { $0.isEmpty ? nil : $0 }
      }
    }
    let stamps = document.tombstones.compactMap { Tombstone(reading: $0)?.lastModified }
    latest = (stamps + document.rows.compactMap { $0.item?.lastModified }).max()
  }

  /// Whether this list leads: it has the later stamp, else the greater canonical encoding, else the greater bytes.
  func outranks(_ other: MergeSide) -> Bool {
    if latest != other.latest { return latest.isLater(than: other.latest) }
    let mine = document.assembled().canonical
    let others = other.document.assembled().canonical
    if mine != others { return others.lexicographicallyPrecedes(mine) }
    return other.original.encoded().lexicographicallyPrecedes(original.encoded())
  }
}

extension Document {
  /// Stamps each row that has a tombstone after it and takes the tombstone out.
  fileprivate mutating func endTombstones(in tombstones: inout MergeList<ItemID.Key, JSONValue>) {
    if tombstones.isEmpty { return }
    var ended: Set<MergeKey<ItemID.Key>> = []
    for index in rows.indices {
      guard let id = rows[index].item?.id else { continue }
      let key = MergeKey.name(ItemID.Key(id))
      guard let tombstone = tombstones[key] else { continue }
      let merge = RowMerge(sortsMembers: conventions().sortsMembers)
      rows[index] = merge.broughtBack(rows[index], from: tombstone)
      ended.insert(key)
    }
    tombstones.remove(ended)
  }
}

/// What decides between two versions of one thing: the later stamp, where both or neither have one the greater canonical encoding.
struct MergeRank: Comparable {
  private let value: JSONValue
  private let stamp: Instant?

  /// The rank of a tombstone, or of a row by its JSON alone.
  init(_ value: JSONValue) {
    self.value = value
    stamp = value["lastModified"].flatMap { StampFormat.read($0)?.instant }
  }

  init(_ row: Row) {
    value = row.value
    stamp = row.item?.lastModified
  }

  static func == (left: MergeRank, right: MergeRank) -> Bool {
    left.stamp == right.stamp && left.value.isEquivalent(to: right.value)
  }

  static func < (left: MergeRank, right: MergeRank) -> Bool {
    if left.stamp != right.stamp { return right.stamp.isLater(than: left.stamp) }
    return left.value.canonical.lexicographicallyPrecedes(right.value.canonical)
  }
}

extension JSONValue {
  var canonical: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }
}

extension Instant? {
  /// No stamp is older than any.
  func isLater(than other: Instant?) -> Bool {
    guard let self else { return false }
    return other.map { self > $0 } ?? true
  }
}
