import JSON

/// An entry of `deletedItems`: the id of a row that was removed, and when.
///
/// It tells a copy of the list that still has the row that the row is not new. Only a row that is older than its
/// tombstone stays removed. An entry without a readable id is none; it is kept as it is.
struct Tombstone: Sendable {
  let id: String
  let lastModified: Instant?

  init?(reading value: JSONValue) {
    var (id, stamp): (String?, Instant?)
    // Of two members with one name the last counts.
    value.forEachMember { name, member in
      switch KnownMember(name) {
      case .id: id = member.string ?? member.numberText
      case .lastModified: stamp = StampFormat.read(member)?.instant
      default: break
      }
    }
    guard let id, !id.isEmpty else { return nil }
    self.id = id
    lastModified = stamp
  }

  /// The entry for a row that goes now: stamped with the later of now and the row's own stamp.
  static func entry(for row: Row, now: Instant, format: StampFormat) -> JSONValue {
    let id = row.identity == .written ? row.value["id"] : nil
    let stamp = max(now, row.item?.lastModified ?? now)
    return .object([
      ("id", id ?? JSONValue(row.item?.id ?? "")),
      ("lastModified", (row.stampFormat ?? format).write(stamp)),
    ])
  }
}

extension Document {
  /// Tombstones are dropped only above this number of them, …
  static let tombstoneLimit = 1_000
  /// … and only when the list's latest stamp is later by more than this: 180 days.
  static let tombstoneLifetime: Int64 = 180 * 86_400_000

  /// Puts a tombstone for each of these rows of the list, in place of an older one of the same id.
  mutating func bury(_ gone: [Row], now: Instant) {
    if gone.isEmpty { return }
    let format = stampFormat
    let keys = Set(gone.map { ItemID.Key($0.id ?? "") })
    tombstones.removeAll { Tombstone(reading: $0).map { keys.contains(ItemID.Key($0.id)) } ?? false }
    tombstones += gone.map { Tombstone.entry(for: $0, now: now, format: format) }
  }

  /// Drops the oldest tombstones above the limit, if they are old. The list's own latest stamp is the measure, not the
  /// clock: a device whose clock is wrong would else forget deletions that others have yet to hear of.
  mutating func pruneTombstones() {
    guard tombstones.count > Self.tombstoneLimit else { return }
    let stamps = tombstones.map { Tombstone(reading: $0)?.lastModified }
    let latest = (rows.compactMap { $0.item?.lastModified } + stamps.compactMap(\.self)).max()
    guard let latest else { return }
    let horizon = latest.advanced(byMilliseconds: -Self.tombstoneLifetime)
    let oldestFirst = tombstones.indices
      .filter { stamps[$0].map { $0 < horizon } ?? false }
      .sorted { (stamps[$0] ?? latest, $0) < (stamps[$1] ?? latest, $1) }
    let gone = Set(oldestFirst.prefix(tombstones.count - Self.tombstoneLimit))
    tombstones = tombstones.indices.filter { !gone.contains($0) }.map { tombstones[$0] }
  }

  /// The spelling of new stamps: that of the last row that has one, else of the last tombstone, else ISO with milliseconds.
  var stampFormat: StampFormat {
    for row in rows.reversed() { if let format = row.stampFormat { return format } }
    for entry in tombstones.reversed() {
      if let stamp = entry["lastModified"], let format = StampFormat.read(stamp)?.format { return format }
    }
    return .isoMilliseconds
  }
}
