// Merging two lists that were changed apart: one pure function, the same on every device.
//
//     let merged = Document.merge(base: read, ours: written, theirs: displaced)     // another writer came in between
//     let merged = Document.merge(base: nil, ours: list, theirs: conflictCopy)      // nobody knows what both came from
//
// Rows meet by id (`RowMerge`): with a base member by member, without one the row that was stamped later. The order
// comes from the list that alone changed it, else from the one that leads (`MergeList`); what only the other has is put
// in behind its nearest predecessor there. Tombstones, sections and the list's own members follow the same rules.
//
// What callers may rely on. It reads nothing but the documents: no clock, no file, no history. Whose side is whose does
// not matter, to the byte. Equal lists merge to that list, and a result that says what one of the two says is that one,
// bytes and all, so that nothing new is not written. A row that nobody deleted is in the result, and one that a tombstone
// deleted after its last change is not. Lists that hear of each other without a base, in whatever order, end up equal;
// with a base that holds for writers around one file, not for a ring of pairs each with a base of its own.
//
// The rules were written first as a model in Python, Tests/MergeModel, whose header has each decision; the two are
// compared over random lists (Tests/MergeModel/compare.py).

import JSON

extension Document {
  /// The list that has what both sides changed.
  ///
  /// - Parameters:
  ///   - base: the list that both came from; nil where it is not known, and then nothing that only one side has counts
  ///     as deleted by the other, save by its tombstone.
  ///   - ours: one side.
  ///   - theirs: the other; exchanging the two makes no difference.
  package static func merge(base: Document?, ours: Document, theirs: Document) -> Document {
    if ours.isEquivalent(to: theirs) {
      return ours.encoded().lexicographicallyPrecedes(theirs.encoded()) ? theirs : ours
    }
    return DocumentMerge(
      base: base.map(MergeSide.init), ours: MergeSide(ours), theirs: MergeSide(theirs)
    ).result()
  }
}

/// One merge of two lists that differ.
private struct DocumentMerge {
  let base: MergeSide?
  /// The side of higher rank: it has its way where nothing else decides.
  let lead: MergeSide
  let other: MergeSide
  /// The side that gives the order of the rows, and with it the text and the style; then the other one.
  let frame: MergeSide
  let follower: MergeSide
  private let style: JSONStyle

  init(base: MergeSide?, ours: MergeSide, theirs: MergeSide) {
    self.base = base
    (lead, other) = theirs.outranks(ours) ? (theirs, ours) : (ours, theirs)
    let leads = lead.rows.givesOrder(over: other.rows, base: base?.rows)
    (frame, follower) = leads ? (lead, other) : (other, lead)
    style = frame.document.style
  }

  func result() -> Document {
    let rows = rows()
    var result = Document(
      root: root(), rows: rows, sectionEntries: sections(), tombstones: tombstones(besides: rows))
    result.isEdited = true
    result.knownStyle = style
    for side in [frame, follower] where result.isEquivalent(to: side.original) { return side.original }
    return result
  }

  private func rows() -> [Row] {
    let merge = RowMerge(sortsMembers: style.sortsKeys)
    return frame.rows.arranged(with: follower.rows) { key, first, second in
      guard key.isName else { return stays(key, \.rows) ? first ?? second : nil }
      let base = base?.rows[key]
      switch (first, second) {
      case (let one?, let two?):
        let row = merge.merged(base: base, one, two)
        return row.value.isSame(as: one.value) ? row.withOwnSection : inStyle(row)
      case (let row?, nil):
        return merge.remaining(row, base: base, tombstone: follower.tombstones[key])?.withOwnSection
      case (nil, let row?):
        return merge.remaining(row, base: base, tombstone: frame.tombstones[key]).map(inStyle)
      case (nil, nil):
        return nil
      }
    }
  }

  /// A row that does not stand in the result's file as it is now.
  private func inStyle(_ row: Row) -> Row {
    style.sortsKeys ? row.withOwnSection.withSortedMembers : row.withOwnSection
  }

  private func tombstones(besides rows: [Row]) -> [JSONValue] {
    if frame.tombstones.isEmpty && follower.tombstones.isEmpty { return [] }
    let live = Set(rows.compactMap { $0.item.map { ItemID.Key($0.id) } })
    return frame.tombstones.arranged(with: follower.tombstones) { key, first, second in
      guard case .name(let id) = key else { return stays(key, \.tombstones) ? first ?? second : nil }
      if live.contains(id) { return nil }
      guard let first, let second else { return first ?? second }
      return MergeRank(second) > MergeRank(first) ? second : first
    }
  }

  /// A list without `sections` says nothing about them, and the other's stand.
  private func sections() -> [JSONValue]? {
    guard let leading = lead.sections, let following = other.sections else {
      return lead.document.listedSections ?? other.document.listedSections
    }
    let base = base?.sections
    let leads = leading.givesOrder(over: following, base: base)
    let (frame, follower) = leads ? (leading, following) : (following, leading)
    return frame.arranged(with: follower) { key, first, second in
      guard key.isName else { return frame.stays(key, with: follower, base: base) ? first ?? second : nil }
      guard let first, let second else { return base?[key] == nil ? first ?? second : nil }
      // A spelling merges as a member does.
      return base?[key]?.isEquivalent(to: first) ?? false ? second : first
    }
  }

  /// The list's own object with the members of both that are not ours.
  private func root() -> JSONValue {
    let sides = (frame: frame.document.root, lead: lead.document.root, other: other.document.root)
    let place: JSONValue.Place = style.sortsKeys ? .sorted : .end
    var root = sides.frame
    let members = MemberMerge(base: base?.document.root, lead: sides.lead, other: sides.other)
    for key in members.keys where !Document.ownMembers.contains(key) {
      root = root.changing(key, to: members.unknown(key), at: place)
    }
    // Without either of these an object with other members would be taken for somebody else's.
    if root["items"] == nil,
      frame.document.hasItemsMember || follower.document.hasItemsMember || root["sections"] == nil
    {
      root = root.setting("items", to: .array([]), at: place)
    }
    if root["deletedItems"] == nil,
      frame.document.hasTombstonesMember || follower.document.hasTombstonesMember
    {
      root = root.setting("deletedItems", to: .array([]), at: place)
    }
    return root
  }

  private func stays<Name, Entry>(
    _ key: MergeKey<Name>, _ list: KeyPath<MergeSide, MergeList<Name, Entry>>
  ) -> Bool {
    frame[keyPath: list].stays(key, with: follower[keyPath: list], base: base?[keyPath: list])
  }
}

extension Document {
  /// The members of the file's object that have rules of their own.
  fileprivate static let ownMembers: Set<String> = ["schemaVersion", "sections", "items", "deletedItems"]
}
