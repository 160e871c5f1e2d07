// From bytes to a document: which bytes are a list, and which id each row goes by.
//
// Three steps. The bytes are JSON, and an object of ours, or a `DocumentError` says what they are instead. Each entry of
// `items` is read (`Row`). Rows without an id get one derived from their content, and rows that share an id are told
// apart: the later stamped one counts, equal ones are one, and of several that no stamp decides between all stay, the
// canonically smallest under the id. None of this changes the file until the next edit is written.

import JSON

extension Document {
  /// Reads a file's bytes; they must be UTF-8 JSON, with or without a byte order mark.
  public init(decoding bytes: [UInt8]) throws(DocumentError) {
    if bytes.allSatisfy(isBlankOrZero) { throw .empty }
    let start = bytes.prefix(4)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.prefix(2).contains(0) {
      throw .notUTF8
    }
    let root: JSONValue
    do {
      root = try JSONValue(parsing: bytes)
    } catch {
      throw DocumentError(error)
    }
    try self.init(reading: root)
  }

  init(reading root: JSONValue) throws(DocumentError) {
    guard root.kind == .object else {
      // A byte order mark and nothing else reads as an empty text, not as an object.
      throw .notAnObject
    }
    if let version = root["schemaVersion"], !version.isNull, version.int64 != 1 { throw .version(version) }
    func elements(_ member: String) throws(DocumentError) -> JSONValue.Elements? {
      guard let value = root[member], !value.isNull else { return nil }
      guard value.kind == .array else { throw .notAnArray(member) }
      return value.elements
    }
    let items = try elements("items")
    let sectionEntries = try elements("sections")
    let tombstones = try elements("deletedItems")
    let isOurs = root.members.allSatisfy { ["schemaVersion", "deletedItems"].contains($0.key) }
    if root["items"] == nil && root["sections"] == nil && !isOurs { throw .notAList }
    self.init(
      root: root,
      rows: Self.identified(
        items?.map(Row.init(reading:)) ?? [], sortsMembers: JSONStyle.detected(in: root).sortsKeys),
      sectionEntries: sectionEntries.map { Array($0) },
      tombstones: tombstones.map { Array($0) } ?? [])
  }

  /// Reads the document again from what it was encoded as, which must say what was meant.
  ///
  /// The same as decoding the bytes, and faster: rows that an edit left alone are not read again.
  ///
  /// - Returns: false where they say something else; the document is of no use then.
  package mutating func reread(from encoding: Encoding) -> Bool {
    do {
      guard isEdited else {
        self = try Document(decoding: encoding.bytes)
        return root.isEquivalent(to: encoding.value)
      }
      guard let root = try JSONValue(rereading: encoding.bytes, of: encoding.value) else { return false }
      let entries = root["items"] ?? .null
      guard entries.elements.count == rows.count else { return false }
      var changed: [Int] = []
      var keepIDs = true
      entries.forEachElement { index, entry in
        // How a row of another text shows its section, only that text's sections say.
        let isOwn = rows[index].value.isInSameText(as: self.root)
        if !rows[index].reread(from: entry) || !isOwn { changed.append(index) }
        keepIDs = keepIDs && rows[index].identity == .written
      }
      // Not copied: nobody else has them by now.
      var read: [Row] = []
      swap(&read, &rows)
      let sections = sections
      // It was written in this style, and shows it as long as nothing went that did. Else it is found out anew.
      let style = encoding.value.onlyAdds(to: self.root) ? knownStyle : nil
      if !keepIDs { read = Self.identified(read, sortsMembers: JSONStyle.detected(in: root).sortsKeys) }
      self = Document(
        root: root, rows: read,
        sectionEntries: root["sections"].flatMap { $0.isNull ? nil : Array($0.elements) },
        tombstones: root["deletedItems"].flatMap { $0.isNull ? nil : Array($0.elements) } ?? [],
        sections: sections)
      knownStyle = style
      if !keepIDs || !showListedSections(inRows: changed) { nameSections() }
      return true
    } catch {
      return false
    }
  }

  /// Gives each visible row an id that no other row goes by. Whether members are sorted is asked only if one must be put in.
  static func identified(_ rows: [Row], sortsMembers: @autoclosure () -> Bool) -> [Row] {
    var rows = rows
    var known: Bool?
    // Finding it reads the whole text.
    func sorted() -> Bool {
      let answer = known ?? sortsMembers()
      known = answer
      return answer
    }
    var equals: [[UInt8]: Int] = [:]
    for index in rows.indices where rows[index].identity != .written && rows[index].item != nil {
      let seed = rows[index].derivationSeed
      let number = equals[seed, default: 0]
      equals[seed] = number + 1
      rows[index].adopt(id: ItemID.derived(from: seed + Array("\u{0}\(number)".utf8)), sorted: sorted())
    }
    var gone: Set<Int> = []
    // An id that was hashed could meet one that is written: then once more.
    while mayShareIDs(rows, leavingOut: gone) {
      let shared = rowsByID(rows, leavingOut: gone).values.filter { $0.count > 1 }
      if shared.isEmpty { break }
      for group in shared { tellApart(group, in: &rows, gone: &gone, sorted: sorted()) }
    }
    guard !gone.isEmpty else { return rows }
    return rows.indices.filter { !gone.contains($0) }.map { rows[$0] }
  }

  /// Whether two rows may go by one id: never no where they do, and yes by mistake only once in a very long time, unless
  /// ids were made to be mistaken.
  private static func mayShareIDs(_ rows: [Row], leavingOut gone: Set<Int>) -> Bool {
    // A table of fingerprints, 0 where there is none, that is at most half full; each stands where its highest bits say,
    // or soon behind.
    let bits = Int.bitWidth - (2 * rows.count + 1).leadingZeroBitCount
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1 << bits) { table in
      table.initialize(repeating: 0)
      for index in rows.indices where gone.isEmpty || !gone.contains(index) {
        guard let id = rows[index].item?.id else { continue }
        let fingerprint = ItemID.fingerprint(id)
        if fingerprint == 0 { return true }
        var place = Int((fingerprint &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
        var steps = 0
        while table[place] != 0 {
          // So many in a row have to be made on purpose.
          if table[place] == fingerprint || steps == 100 { return true }
          place = (place + 1) & (table.count - 1)
          steps += 1
        }
        table[place] = fingerprint
      }
      return false
    }
  }

  private static func rowsByID(_ rows: [Row], leavingOut gone: Set<Int>) -> [ItemID.Key: [Int]] {
    var groups: [ItemID.Key: [Int]] = [:]
    groups.reserveCapacity(rows.count)
    for index in rows.indices {
      guard let item = rows[index].item, !gone.contains(index) else { continue }
      groups[ItemID.Key(item.id), default: []].append(index)
    }
    return groups
  }

  /// Several rows with one id: only those with the latest stamp count; of these, equal ones are one, the canonically
  /// smallest keeps the id, and each other one gets an id hashed from the id and its content.
  private static func tellApart(_ group: [Int], in rows: inout [Row], gone: inout Set<Int>, sorted: Bool) {
    let latest = group.compactMap { rows[$0].item?.lastModified }.max()
    var byContent: [(content: [UInt8], index: Int)] = []
    var contents: Set<[UInt8]> = []
    for index in group {
      let content = rows[index].content
      if rows[index].item?.lastModified != latest || !contents.insert(content).inserted {
        gone.insert(index)
      } else {
        byContent.append((content, index))
      }
    }
    byContent.sort { $0.content.lexicographicallyPrecedes($1.content) }
    for (content, index) in byContent.dropFirst() {
      let id = rows[index].item?.id ?? ""
      rows[index].adopt(
        id: ItemID.derived(from: Array(id.lowercased().utf8) + [0] + content), sorted: sorted)
    }
  }
}

/// The bytes that an interrupted write leaves: blanks, zero bytes, a byte order mark.
private func isBlankOrZero(_ byte: UInt8) -> Bool {
  switch byte {
  case 0, 9, 10, 13, 32, 0xEF, 0xBB, 0xBF: true
  default: false
  }
}
