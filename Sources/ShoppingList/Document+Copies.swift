// The list with its conflict copies: versions that a sync service laid beside it, made from some earlier version that
// nobody knows any more.

extension Document {
  /// This list with all the copies merged in. The same comes out whatever lies there as the list and what as a copy, and
  /// in whatever order the copies came, so that two devices that hold the same files show the same: all are folded from
  /// the one stamped last (then by their canonical encoding) to the oldest.
  ///
  /// Where the copies bring nothing new, it is this list as it is, its style and all.
  package func merging(copies: [Document]) -> Document {
    guard !copies.isEmpty else { return self }
    let ranked = ([self] + copies).map { (document: $0, stamp: $0.latestStamp, revision: $0.revision) }.sorted {
      $0.stamp == $1.stamp ? $0.revision > $1.revision : $0.stamp > $1.stamp
    }
    var result = ranked[0].document
    for (document, _, _) in ranked.dropFirst() {
      result = Self.merge(base: nil, ours: result, theirs: document)
    }
    return result.isEquivalent(to: self) ? self : result
  }

  /// Puts in the tombstones that earlier versions of the list held, and that this one has lost: a program that does not
  /// know them drops them when it saves, and a copy that is older than the deletion would bring the row back. A row that
  /// is on the list has come back since, and ends its tombstone.
  package mutating func recallTombstones(of earlier: [Document]) {
    let live = Set(items.map { ItemID.Key($0.id) })
    var known: [ItemID.Key: Instant?] = [:]
    for grave in tombstones.compactMap(Tombstone.init(reading:)) {
      known[ItemID.Key(grave.id)] = .some(grave.lastModified)
    }
    for entry in earlier.flatMap(\.tombstones) {
      guard let grave = Tombstone(reading: entry) else { continue }
      let key = ItemID.Key(grave.id)
      guard !live.contains(key) else { continue }
      if let stamp = known[key], (stamp?.milliseconds ?? -1) >= (grave.lastModified?.milliseconds ?? -1) {
        continue
      }
      tombstones.removeAll { Tombstone(reading: $0).map { ItemID.Key($0.id) == key } ?? false }
      tombstones.append(entry)
      known[key] = .some(grave.lastModified)
      isEdited = true
    }
  }

  /// The latest stamp that stands in the list, in Unix milliseconds; -1 where there is none.
  private var latestStamp: Int64 {
    let rows = rows.compactMap { $0.item?.lastModified }
    let graves = tombstones.compactMap { Tombstone(reading: $0)?.lastModified }
    return (rows + graves).max()?.milliseconds ?? -1
  }
}
