// From a document to bytes: what an edit did not touch keeps its text.
//
// `assembled()` is the file's object with our members put back into it: the rows, the sections, the tombstones, and
// `schemaVersion` where it was missing. What has not changed stays the value that was read, so that the writer copies
// its bytes.

import JSON

extension Document {
  /// The file's bytes: unchanged for a document that was not edited, else in the file's own style.
  public func encoded() -> [UInt8] { encoding().bytes }

  /// The file's bytes, and the value that they were made from.
  package struct Encoding {
    /// The whole file.
    package let bytes: [UInt8]
    let value: JSONValue
  }

  /// The file's bytes with what `reread` compares them with.
  package func encoding() -> Encoding {
    let value = isEdited ? assembled() : root
    // What was parsed and not changed is its own text, whatever the style.
    return Encoding(bytes: value.encoded(style: value.isParsed ? .compact : style), value: value)
  }

  /// The entries of `sections` as they would be written now, those that only rows name last; nil where the file lists none.
  var listedSections: [JSONValue]? {
    guard let sectionEntries else { return nil }
    // As a rule all are listed as they are.
    if sectionEntries.compactMap(\.string).hasSameSpellings(as: sections) { return sectionEntries }
    let listed = Set(sectionEntries.compactMap(\.string).map(FoldedName.init))
    return sectionEntries + sections.filter { !listed.contains(FoldedName($0)) }.map { JSONValue($0) }
  }

  /// The tombstones less those that are ended by a later row of theirs. One beside a row that is not later stays: a
  /// merge stamps the row after it, and without that another copy's tombstone would delete the row again.
  private var lastingTombstones: [JSONValue] {
    if tombstones.isEmpty { return [] }
    let graves = tombstones.map { Tombstone(reading: $0) }
    let ids = Set(graves.compactMap { $0.map { ItemID.Key($0.id) } })
    var stamps: [ItemID.Key: Instant] = [:]
    for row in rows {
      guard let id = row.item?.id else { continue }
      let key = ItemID.Key(id)
      if ids.contains(key) { stamps[key] = row.item?.lastModified }
    }
    return zip(tombstones, graves).filter { _, grave in
      guard let grave else { return true }
      return !stamps[ItemID.Key(grave.id)].isLater(than: grave.lastModified)
    }.map(\.0)
  }

  /// Whether the file has `items`, or would have it if it were written now.
  var hasItemsMember: Bool { !rows.isEmpty || root["items"] != nil }

  /// The same of `deletedItems`.
  var hasTombstonesMember: Bool { root["deletedItems"] != nil || !lastingTombstones.isEmpty }

  /// The whole of the file as it would be written now.
  func assembled() -> JSONValue {
    let sorted = isEdited && style.sortsKeys
    var result = root
    if root["schemaVersion"]?.isNull ?? true {
      result = result.setting("schemaVersion", to: JSONValue(1), at: sorted ? .sorted : .first)
    }
    if let listedSections {
      result = result.replacing("sections", with: listedSections, at: sorted ? .sorted : .before("items"))
    }
    if hasItemsMember {
      result = result.replacing("items", with: rows.map(\.value), at: sorted ? .sorted : .after("sections"))
    }
    if hasTombstonesMember {
      result = result.replacing(
        "deletedItems", with: lastingTombstones, at: sorted ? .sorted : .after("items"))
    }
    return result
  }
}

extension JSONValue {
  /// The object with other entries in one of its arrays; itself where the entries are the ones it has.
  fileprivate func replacing(_ key: String, with entries: [JSONValue], at place: Place) -> JSONValue {
    guard let array = self[key], array.kind == .array else {
      return setting(key, to: .array(entries), at: place)
    }
    return array.hasSameElements(as: entries)
      ? self : setting(key, to: array.replacingElements(with: entries), at: place)
  }
}
