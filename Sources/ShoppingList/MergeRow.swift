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
  /// A version that went into a result.
  private struct Source {
    let row: Row
    /// Whether the result says the same, in all but the stamp.
    let isResult: Bool
    var rank: MergeRank { MergeRank(row) }
  }

  /// Whether members that are put in go to their place among sorted ones.
  let sortsMembers: Bool

  /// The row that both have; what they spell differently is spelled as in the first.
  func merged(base: Row?, _ one: Row, _ two: Row) -> Row {
    // Most rows were changed by one side or none, and then nothing is to be decided for each member.
    if let base, base.value.isEquivalent(to: one.value) { return changed(two, from: one) }
    if let base, base.value.isEquivalent(to: two.value) { return changed(one, from: two) }
    if base == nil, one.value.isEquivalent(to: two.value) { return one }
    return united(base: base, one, two)
  }

  /// A row that the other side has not: nil, deleted there, if it is unchanged since the base, or if, without one, the
  /// other's tombstone is not older than the row.
  func remaining(_ row: Row, base: Row?, tombstone: JSONValue?) -> Row? {
    if let base {
      if row.saysTheSame(as: base) { return nil }
    } else if let tombstone, !row.isLater(than: tombstone) {
      return nil
    } else if tombstone == nil {
      return row
    }
    return stamped(
      row, sides: [Source(row: row, isResult: true)], base: base.map { Source(row: $0, isResult: false) },
      tombstone: tombstone)
  }

  /// A row that stands beside its own tombstone, stamped after it.
  func broughtBack(_ row: Row, from tombstone: JSONValue) -> Row {
    stamped(row, sides: [Source(row: row, isResult: true)], base: nil, tombstone: tombstone)
  }

  /// Member by member.
  private func united(base: Row?, _ one: Row, _ two: Row) -> Row {
    let (lead, other) = MergeRank(two) > MergeRank(one) ? (two, one) : (one, two)
    let members = MemberMerge(base: base?.value, lead: lead.value, other: other.value)
    var value = lead.value
    var (isLead, isOther, isBase) = (true, true, true)
    for key in members.keys where key != "lastModified" {
      let member = Row.knownMembers.contains(key) ? members.known(key) : members.unknown(key)
      if !isEquivalent(member, lead.value[key]) {
        value = value.changing(key, to: member, at: sortsMembers ? .sorted : .end)
        isLead = false
      }
      isOther = isOther && isEquivalent(member, other.value[key])
      isBase = isBase && isEquivalent(member, base?.value[key])
    }
    return stamped(
      isLead ? lead : lead.saying(value),
      sides: [Source(row: lead, isResult: isLead), Source(row: other, isResult: isOther)],
      base: base.map { Source(row: $0, isResult: isBase) }, tombstone: nil)
  }

  /// The row of the one side that may have changed it; the other's is the base's.
  private func changed(_ row: Row, from before: Row) -> Row {
    if row.value.isEquivalent(to: before.value) { return before }
    if MergeRank(row) > MergeRank(before) { return row }
    if row.hasSameContent(as: before) { return before }
    let unchanged = Source(row: before, isResult: false)
    return stamped(
      row, sides: [Source(row: row, isResult: true), unchanged], base: unchanged, tombstone: nil)
  }

  /// The result with its stamp: that of a side which it equals, if it outranks whatever says something else and is later
  /// than the tombstone; else a millisecond after the latest of them all. Where nothing has a stamp, none is made.
  ///
  /// - Parameter result: the row, with the stamp of the leading side.
  private func stamped(_ result: Row, sides: [Source], base: Source?, tombstone: JSONValue?) -> Row {
    let equal = sides.filter(\.isResult).max { $0.rank < $1.rank }
    let all = sides + (base.map { [$0] } ?? [])
    if let equal, tombstone.map(equal.row.isLater(than:)) ?? true,
      all.allSatisfy({ $0.isResult || $0.rank < equal.rank })
    {
      return equal.row
    }
    var row = equal?.row ?? result
    let stamp = tombstone.flatMap { $0["lastModified"] }.flatMap(StampFormat.read)
    let latest = (all.compactMap { $0.row.item?.lastModified } + (stamp.map { [$0.instant] } ?? [])).max()
    // Another version lends its spelling only if the result has none.
    let format = ([row] + all.map(\.row)).lazy.compactMap(\.stampFormat).first ?? stamp?.format
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

  /// A member of a row that is one of ours, by what it is read as. Without a base the leading row has its way in all of
  /// them.
  func known(_ key: String) -> JSONValue? {
    guard base != nil else { return lead[key] }
    return merged(key) { Row.meansTheSame(key, $0, $1) }
  }

  /// A member that nobody here knows, by what it says. An edit beats a removal; without a base nothing was removed.
  func unknown(_ key: String) -> JSONValue? {
    guard base != nil else { return lead[key] ?? other[key] }
    return merged(key, isSame: isEquivalent) ?? keptByEdit(key)
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
}

private func isEquivalent(_ one: JSONValue?, _ two: JSONValue?) -> Bool {
  guard let one, let two else { return one == nil && two == nil }
  return one.isEquivalent(to: two)
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
  static let knownMembers = Set(KnownMember.allCases.map(\.name))

  /// Whether both are read as the same in all but the stamp, and have the same members that nobody here knows.
  fileprivate func saysTheSame(as other: Row) -> Bool {
    if value.isEquivalent(to: other.value) { return true }
    let keys = MemberMerge(base: nil, lead: value, other: other.value).keys
    return keys.allSatisfy { $0 == "lastModified" || Self.meansTheSame($0, value[$0], other.value[$0]) }
  }

  /// Whether both say the same, to the text of every value, in all but the stamp.
  fileprivate func hasSameContent(as other: Row) -> Bool {
    let keys = MemberMerge(base: nil, lead: value, other: other.value).keys
    return keys.allSatisfy { $0 == "lastModified" || isEquivalent(value[$0], other.value[$0]) }
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
    default: isEquivalent(one, two)
    }
  }

  fileprivate func isLater(than tombstone: JSONValue) -> Bool {
    (item?.lastModified).isLater(than: tombstone["lastModified"].flatMap { StampFormat.read($0)?.instant })
  }

  /// The row with its section spelled as it stands in the row: the list that it came from may have shown another.
  var withOwnSection: Row {
    guard let item, !item.section.isEmpty, let own = value["section"] else { return self }
    var row = self
    row.show(section: Self.text(own))
    return row
  }

  /// The row with its members in the order of their names.
  var withSortedMembers: Row {
    let members = Array(value.members)
    let isSorted = zip(members, members.dropFirst()).allSatisfy { !$1.key.precedes($0.key) }
    // A name with half a surrogate pair cannot be made anew.
    if isSorted || members.contains(where: { $0.key.contains("\u{FFFD}") }) { return self }
    // Of members with one name the last counts, and the sort keeps their order.
    return saying(.object(members.sorted { $0.key.precedes($1.key) }))
  }

  /// Another version of the row, under the id that this one goes by.
  fileprivate func saying(_ value: JSONValue) -> Row {
    var row = Row(reading: value)
    // An id that nobody can name does not say which one stands for it.
    if row.identity == .strange, let id = item?.id { row.adopt(id: id, sorted: false) }
    return row
  }
}

extension String {
  /// Whether the text comes first in the order of UTF-8 bytes.
  fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
