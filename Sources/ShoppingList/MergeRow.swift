// Merging the versions of one row, and of an object's members.
//
// With a base the row is merged member by member: the side that changed a member has its way, and where both did, the
// row of higher rank (the later stamp, else the greater canonical encoding). Whether a member was changed goes by what it
// is read as: an app that writes `"checked": false` where nothing stood has changed nothing.
//
// A merged row outranks the rows that it was merged from wherever it says something else than they do, so that an edit
// that won because of the base does not lose later, in a merge without one.

import JSON

/// Merges the versions of a row.
struct RowMerge {
  /// What one side has under an id.
  struct Side {
    let row: Row?
    let tombstone: JSONValue?
  }

  /// Whether members that are put in go to their place among sorted ones.
  let sortsMembers: Bool

  /// The row of one id in the result, nil where it is deleted. What the two spell differently is spelled as in the first.
  func merged(base: Row?, _ first: Side, _ second: Side) -> Row? {
    switch (first.row, second.row) {
    case (nil, nil): nil
    case (let row?, nil): remaining(row, base: base, tombstone: second.tombstone)
    case (nil, let row?): remaining(row, base: base, tombstone: first.tombstone)
    case (let one?, let two?): merged(base: base, one, two)
    }
  }

  /// A row that stands beside its own tombstone, stamped after it.
  func broughtBack(_ row: Row, from tombstone: JSONValue) -> Row {
    settled(row.value, lead: row, sides: [row], base: nil, tombstone: tombstone)
  }

  /// A row that the other side has not: deleted there if it is unchanged since the base, or if, without one, the
  /// tombstone is not older than the row.
  private func remaining(_ row: Row, base: Row?, tombstone: JSONValue?) -> Row? {
    if let base {
      if row.saysTheSame(as: base) { return nil }
    } else if let tombstone, !row.isLater(than: tombstone) {
      return nil
    }
    return settled(row.value, lead: row, sides: [row], base: base, tombstone: tombstone)
  }

  private func merged(base: Row?, _ one: Row, _ two: Row) -> Row {
    let isUnchanged = base.map { $0.value.isEquivalent(to: one.value) } ?? true
    if isUnchanged, one.value.isEquivalent(to: two.value) { return one }
    let (lead, other) = MergeRank(two) > MergeRank(one) ? (two, one) : (one, two)
    let members = MemberMerge(base: base?.value, lead: lead.value, other: other.value)
    var value = lead.value
    for key in members.keys {
      if base == nil ? Row.knownMembers.contains(key) : key == "lastModified" { continue }
      let member = Row.knownMembers.contains(key) ? members.known(key) : members.unknown(key)
      value = value.changing(key, to: member, at: sortsMembers ? .sorted : .end)
    }
    return settled(value, lead: lead, sides: [lead, other], base: base, tombstone: nil)
  }

  /// The result with its stamp: that of a side which it equals, if it outranks whatever says something else and is later
  /// than the tombstone; else a millisecond after the latest of them all. Where nothing has a stamp, none is made.
  private func settled(_ value: JSONValue, lead: Row, sides: [Row], base: Row?, tombstone: JSONValue?) -> Row {
    let content = value.removing("lastModified")
    func isSame(_ row: Row) -> Bool { row.value.removing("lastModified").isEquivalent(to: content) }
    let equal = sides.filter(isSame)
    let source = equal.max { MergeRank($0) < MergeRank($1) } ?? lead
    let all = sides + (base.map { [$0] } ?? [])
    let isLatest = tombstone.map(source.isLater(than:)) ?? true
    if !equal.isEmpty && isLatest && all.allSatisfy({ isSame($0) || MergeRank($0) < MergeRank(source) }) {
      return source
    }
    var row = equal.isEmpty ? lead.saying(value) : source
    let stamp = tombstone.flatMap { $0["lastModified"] }.flatMap(StampFormat.read)
    let latest = (all.compactMap { $0.item?.lastModified } + (stamp.map { [$0.instant] } ?? [])).max()
    // A row of the side that the result does not come from lends its spelling only if the result has none.
    let format = ([source] + all).lazy.compactMap(\.stampFormat).first ?? stamp?.format
    guard let latest, let format else { return row }
    row.stamp(
      now: latest.advanced(byMilliseconds: 1),
      conventions: RowConventions(sortsMembers: sortsMembers, stampFormat: format))
    return row
  }
}

/// The members of two objects, and of the one that both came from.
struct MemberMerge {
  /// Nil where it is not known.
  let base: JSONValue?
  /// The object that has its way where both changed a member.
  let lead: JSONValue
  let other: JSONValue

  /// The name of every member; some more than once.
  var keys: [String] {
    lead.members.map(\.key) + other.members.map(\.key) + (base.map { $0.members.map(\.key) } ?? [])
  }

  /// A member of a row that is one of ours, by what it is read as; with a base only.
  func known(_ key: String) -> JSONValue? {
    merged(key) { Row.meansTheSame(key, $0, $1) }
  }

  /// A member that nobody here knows, by what it says. An edit beats a removal; without a base nothing was removed.
  func unknown(_ key: String) -> JSONValue? {
    guard base != nil else { return lead[key] ?? other[key] }
    return merged(key) { isEquivalent($0, $1) } ?? keptByEdit(key)
  }

  private func keptByEdit(_ key: String) -> JSONValue? {
    guard let edited = lead[key] ?? other[key] else { return nil }
    return isEquivalent(edited, base?[key]) ? nil : edited
  }

  private func merged(_ key: String, isSame: (JSONValue?, JSONValue?) -> Bool) -> JSONValue? {
    let before = base?[key]
    let mine = lead[key]
    let others = other[key]
    guard isSame(mine, before) else { return mine }
    // Where neither says something else, the text that is another than the base's stays.
    return !isSame(others, before) || isEquivalent(mine, before) ? others : mine
  }

  private func isEquivalent(_ one: JSONValue?, _ two: JSONValue?) -> Bool {
    guard let one, let two else { return one == nil && two == nil }
    return one.isEquivalent(to: two)
  }
}

extension JSONValue {
  /// The object with this value for a member, without the member where it is nil; itself where it is so already.
  func changing(_ key: String, to value: JSONValue?, at place: Place) -> JSONValue {
    guard let value else { return removing(key) }
    if let current = self[key], current.isEquivalent(to: value) { return self }
    return setting(key, to: value, at: place)
  }
}

extension Row {
  /// The members that are ours; the rest is kept as it is.
  static let knownMembers: Set<String> = [
    "id", "name", "amount", "section", "optional", "checked", "lastModified",
  ]

  /// Whether both are read as the same in all but the stamp, and have the same members that nobody here knows.
  fileprivate func saysTheSame(as other: Row) -> Bool {
    if value.isEquivalent(to: other.value) { return true }
    let keys = MemberMerge(base: nil, lead: value, other: other.value).keys
    return keys.allSatisfy { $0 == "lastModified" || Self.meansTheSame($0, value[$0], other.value[$0]) }
  }

  /// Whether two values of a member are read as the same.
  static func meansTheSame(_ key: String, _ one: JSONValue?, _ two: JSONValue?) -> Bool {
    func reads<Reading: Equatable>(_ read: (JSONValue) -> Reading) -> Bool {
      read(one ?? .null) == read(two ?? .null)
    }
    return switch key {
    case "id": reads { ItemID.Key(text($0)) }
    case "name", "amount": reads { Array(text($0).utf8) }
    case "section": reads { FoldedName(text($0)).isEmpty ? [] : Array(text($0).utf8) }
    case "optional", "checked": reads(truth)
    default:
      if let one, let two { one.isEquivalent(to: two) } else { one == nil && two == nil }
    }
  }

  fileprivate func isLater(than tombstone: JSONValue) -> Bool {
    guard let stamp = item?.lastModified else { return false }
    let buried = tombstone["lastModified"].flatMap { StampFormat.read($0)?.instant }
    return buried.map { stamp > $0 } ?? true
  }

  /// The row with its section spelled as it stands in the row: the list that it came from may have shown another.
  var withOwnSection: Row {
    guard let item, !item.section.isEmpty, let own = value["section"] else { return self }
    var row = self
    row.show(section: Self.text(own))
    return row
  }

  /// Another version of the row, under the id that this one goes by.
  fileprivate func saying(_ value: JSONValue) -> Row {
    var row = Row(reading: value)
    // An id that nobody can name does not say which one stands for it.
    if row.identity == .strange, let id = item?.id { row.adopt(id: id, sorted: false) }
    return row
  }
}
