import JSON

/// The shopping list as one file holds it: what tools and apps see, over the JSON with all that they do not.
///
///     var list = try Document(decoding: bytes)
///     let outcomes = list.add([Addition(name: "Milk")], in: context)
///     let bytes = list.encoded()
///
/// A value: an edit changes this copy and nothing else. Reading is forgiving (`Document+Decoding.swift`), and loud where
/// forgiveness would lose data (`DocumentError`). A document that was not edited encodes to the very bytes that it was
/// decoded from; an edit changes the rows it touches and leaves the text of all others alone
/// (`Document+Encoding.swift`). Edits are in `Document+Add.swift` and its neighbours; each says what it did.
///
/// The rows are in the file's order. A row is hidden where it is no object or has no name: no tool sees it, no edit
/// touches it, and it stays in the file.
public struct Document: Sendable {
  /// The file's object as it was read. Members that are not ours live here.
  let root: JSONValue
  /// The entries of `items`, each with an id of its own; the losers among rows that shared one are gone.
  var rows: [Row]
  /// The entries of `sections`, unreadable ones included; nil where the file has no such member.
  var sectionEntries: [JSONValue]?
  /// The entries of `deletedItems`.
  var tombstones: [JSONValue]
  /// The names of the sections in their order, each once; sections that only rows name come last.
  public internal(set) var sections: [String]
  /// Whether an edit has changed anything since the document was decoded.
  public internal(set) var isEdited = false
  /// The style of the file, once an edit or a merge asked for it: finding it reads the whole text.
  var knownStyle: JSONStyle?

  /// A new, empty list.
  public init() {
    self.init(
      root: .object([
        ("schemaVersion", JSONValue(1)), ("sections", .array([])), ("items", .array([])),
      ]), rows: [], sectionEntries: [], tombstones: [])
  }

  init(root: JSONValue, rows: [Row], sectionEntries: [JSONValue]?, tombstones: [JSONValue]) {
    self.root = root
    self.rows = rows
    self.sectionEntries = sectionEntries
    self.tombstones = tombstones
    self.sections = []
    nameSections()
  }

  /// - Parameter sections: as `nameSections` finds them.
  init(
    root: JSONValue, rows: [Row], sectionEntries: [JSONValue]?, tombstones: [JSONValue], sections: [String]
  ) {
    self.root = root
    self.rows = rows
    self.sectionEntries = sectionEntries
    self.tombstones = tombstones
    self.sections = sections
  }

  /// The items that can be seen, in the file's order.
  public var items: [Item] { rows.compactMap(\.item) }

  /// How many items can be seen, and how many of these are checked.
  package var counts: (items: Int, checked: Int) {
    rows.reduce(into: (0, 0)) { counts, row in
      guard let isChecked = row.isChecked else { return }
      counts.items += 1
      if isChecked { counts.checked += 1 }
    }
  }

  /// What identifies what the list says: 16 hexadecimal digits, equal for two files that differ only in style and in
  /// the order of members. Rows that are hidden and members that are not ours count.
  public var revision: String {
    var bytes: [UInt8] = []
    assembled().appendCanonical(to: &bytes)
    return hexadecimal(SHA256.hash(bytes).prefix(8))
  }

  /// How the file is written; a new list as `JSON.stringify(list, null, 2)` and a newline would.
  var style: JSONStyle {
    if let knownStyle { return knownStyle }
    guard root.isParsed else {
      var style = JSONStyle.node
      style.finalNewline = true
      return style
    }
    return .detected(in: root)
  }

  /// What an edit of rows asks first: whether the file sorts members by name, and how it spells stamps.
  mutating func conventions() -> RowConventions {
    let style = style
    knownStyle = style
    return RowConventions(sortsMembers: style.sortsKeys, stampFormat: stampFormat)
  }

  /// Whether both say the same, in whatever style.
  package func isEquivalent(to other: Document) -> Bool {
    assembled().isEquivalent(to: other.assembled())
  }

  /// The names of the sections from the file's entries, each once, and how each is spelled.
  private func readSectionEntries() -> (names: [String], spellings: [FoldedName: String]) {
    var names: [String] = []
    var spellings: [FoldedName: String] = [:]
    for name in (sectionEntries ?? []).compactMap(\.string) {
      let key = FoldedName(name)
      if key.isEmpty || spellings[key] != nil { continue }
      spellings[key] = name
      names.append(name)
    }
    return (names, spellings)
  }

  /// The same as `nameSections` for a document whose sections are known, and of whose rows only these may name others.
  ///
  /// - Returns: false where it is not enough.
  mutating func showListedSections(inRows changed: [Int]) -> Bool {
    var names = (sectionEntries ?? []).compactMap(\.string)
    if names.hasSameSpellings(as: sections), changed.allSatisfy({ isListed(rows[$0].section, among: names) }) {
      return true
    }
    let spellings: [FoldedName: String]
    (names, spellings) = readSectionEntries()
    guard names.hasSameSpellings(as: sections) else { return false }
    for index in changed {
      guard let section = rows[index].section, !section.isEmpty else { continue }
      guard let known = spellings[FoldedName(section)] else { return false }
      if known != section { rows[index].show(section: known) }
    }
    return true
  }

  private func isListed(_ section: String?, among names: [String]) -> Bool {
    guard let section, !section.isEmpty else { return true }
    return names.contains { $0.utf8.elementsEqual(section.utf8) }
  }

  /// The names of the sections from the file's entries and the rows, and in each row the listed spelling of its section.
  mutating func nameSections() {
    var spellings: [FoldedName: String]
    (sections, spellings) = readSectionEntries()
    var listed = SpellingMemo<String>()
    for index in rows.indices {
      guard let section = rows[index].section, !section.isEmpty else { continue }
      let known = listed.answer(for: section) { section in
        let key = FoldedName(section)
        if let known = spellings[key] { return known }
        spellings[key] = section
        sections.append(section)
        return section
      }
      if known != section { rows[index].show(section: known) }
    }
  }
}

extension [String] {
  /// Whether both are the same bytes: names that are equal may be spelled in several ways.
  func hasSameSpellings(as others: [String]) -> Bool {
    elementsEqual(others) { $0.utf8.elementsEqual($1.utf8) }
  }
}
