import JSON

/// What rows of one file have in common.
struct RowConventions: Sendable {
  /// Members stand in the order of their names.
  let sortsMembers: Bool
  /// How a row without a stamp gets its first.
  let stampFormat: StampFormat
}

/// The members of a row that are ours. All others are kept, and nothing is known of them.
enum KnownMember: CaseIterable {
  case id, name, amount, section, optional, checked, lastModified

  /// The member with this name in UTF-8; nil for any other.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    // Few names are of one length, and the first letter tells these apart.
    let member: KnownMember
    switch (name.count, name.first) {
    case (2, _): member = .id
    case (4, _): member = .name
    case (6, _): member = .amount
    case (7, UInt8(ascii: "s")): member = .section
    case (7, _): member = .checked
    case (8, _): member = .optional
    case (12, _): member = .lastModified
    default: return nil
    }
    guard member.text.withUTF8Buffer({ $0.hasSameBytes(as: name) }) else { return nil }
    self = member
  }

  private var text: StaticString {
    switch self {
    case .id: "id"
    case .name: "name"
    case .amount: "amount"
    case .section: "section"
    case .optional: "optional"
    case .checked: "checked"
    case .lastModified: "lastModified"
    }
  }

  /// Its name.
  var name: String { text.description }
}

/// One entry of `items`: the JSON as the file has it, and what it is read as.
struct Row: Sendable {
  /// Everything the row says, known or not.
  private(set) var value: JSONValue
  /// What it is read as.
  private var reading: Reading?
  /// How the row spells its stamp; nil where it has none that can be read.
  private(set) var stampFormat: StampFormat?
  /// How the row's id was found.
  private(set) var identity = Identity.written
  /// Whether the item has its section in another spelling than the file.
  private var isRespelled = false

  /// Where an id comes from.
  enum Identity: Sendable {
    /// It stands in the row.
    case written
    /// The row has none: one is derived from the content, and written at the next write.
    case missing
    /// It is of a kind that nobody can name: it is kept, and a derived id stands for it.
    case strange
  }

  /// An item that all copies of a row share, so that they are small, and known to say the same without being compared.
  private final class Reading: Sendable {
    let item: Item

    init(_ item: Item) { self.item = item }
  }

  /// Nil for a row that is hidden: no object, or no name. It is kept as it is.
  private(set) var item: Item? {
    get { reading?.item }
    set { reading = newValue.map { Reading($0) } }
  }

  var isHidden: Bool { reading == nil }

  /// Single members of the item: what is asked of every row, and quicker than the whole of it.
  var id: String? { reading?.item.id }
  var name: String? { reading?.item.name }
  var section: String? { reading?.item.section }
  var isChecked: Bool? { reading?.item.checked }

  /// Reads an entry forgivingly; an item without a written id has an empty one until the document gives it one.
  init(reading value: JSONValue) {
    self.value = value
    guard value.kind == .object else { return }
    var item = Item(id: "", name: "")
    identity = .missing
    value.forEachMember { key, member in
      switch KnownMember(key) {
      case .id: (item.id, identity) = Self.id(member)
      case .name: item.name = Self.text(member)
      case .amount: item.amount = Self.text(member)
      case .section: item.section = Self.text(member)
      case .optional: item.optional = Self.truth(member)
      case .checked: item.checked = Self.truth(member)
      case .lastModified:
        let stamp = StampFormat.read(member)
        (item.lastModified, stampFormat) = (stamp?.instant, stamp?.format)
      case nil: break
      }
    }
    if FoldedName.isBlank(item.name) { return }
    if FoldedName.isBlank(item.section) { item.section = "" }
    self.item = item
  }

  /// A new row of the list with all its members, in the order of the format's description or sorted by name.
  init(new item: Item, stamp: Instant, conventions: RowConventions) {
    let format = conventions.stampFormat
    let lastModified = format.write(stamp)
    let written = StampFormat.read(lastModified)
    var item = item
    item.lastModified = written?.instant
    var members: [(key: String, value: JSONValue)] = [
      ("id", JSONValue(item.id)), ("name", JSONValue(item.name)), ("amount", JSONValue(item.amount)),
      ("section", JSONValue(item.section)), ("optional", JSONValue(item.optional)),
      ("checked", JSONValue(item.checked)), ("lastModified", lastModified),
    ]
    if conventions.sortsMembers { members.sort { $0.key < $1.key } }
    self.value = .object(members)
    reading = Reading(item)
    self.stampFormat = written?.format
  }

  /// Gives the row the id that the document derived for it; it is written down where the row has none.
  mutating func adopt(id: String, sorted: Bool) {
    item?.id = id
    if identity != .strange { value = value.setting("id", to: JSONValue(id), at: sorted ? .sorted : .first) }
  }

  /// Shows the section in the spelling of the list's sections; the file keeps its own.
  mutating func show(section: String) {
    item?.section = section
    isRespelled = true
  }

  /// Reads the row again, from another text that has it as it is.
  ///
  /// - Returns: whether it was known already what it is read as: it was parsed, and not changed since.
  mutating func reread(from value: JSONValue) -> Bool {
    if self.value.isParsed, !isRespelled {
      self.value = value
      return true
    }
    self = Row(reading: value)
    return false
  }

  /// Whether both are read as the same.
  func hasSameItem(as other: Row) -> Bool { reading === other.reading || item == other.item }

  /// Sets what differs and moves the stamp on; false where nothing differs.
  mutating func apply(_ changes: ItemChanges, now: Instant, conventions: RowConventions) -> Bool {
    guard var item else { return false }
    let before = item
    let place: JSONValue.Place = conventions.sortsMembers ? .sorted : .end
    func set<Value: Equatable>(
      _ key: String, _ member: WritableKeyPath<Item, Value>, _ new: Value?, _ make: (Value) -> JSONValue
    ) {
      guard let new, new != item[keyPath: member] else { return }
      item[keyPath: member] = new
      value = value.setting(key, to: make(new), at: place)
    }
    set("name", \.name, changes.name) { JSONValue($0) }
    set("amount", \.amount, changes.amount) { JSONValue($0) }
    set("section", \.section, changes.section) { JSONValue($0) }
    set("optional", \.optional, changes.optional) { JSONValue($0) }
    set("checked", \.checked, changes.checked) { JSONValue($0) }
    guard item != before else { return false }
    self.item = item
    stamp(now: now, conventions: conventions)
    return true
  }

  /// Moves the stamp on: to the later of now and a millisecond after the row's own stamp (so that a device whose clock
  /// runs ahead cannot win for ever), and after what else is known of the row.
  mutating func stamp(now: Instant, after known: Instant? = nil, conventions: RowConventions) {
    let latest = [item?.lastModified, known].compactMap(\.self).max()
    let next = latest?.advanced(byMilliseconds: 1) ?? now
    let format = stampFormat ?? conventions.stampFormat
    let stamp = format.write(max(now, next))
    value = value.setting("lastModified", to: stamp, at: conventions.sortsMembers ? .sorted : .end)
    // As a reader of the file finds it: a fraction that is 0 is not written, so the spelling may be another.
    let written = StampFormat.read(stamp)
    item?.lastModified = written?.instant
    stampFormat = written?.format
  }

  /// Takes over the members of another version of the row that this one lacks and that are not ours.
  mutating func takeStrangeMembers(of other: Row, sorted: Bool) {
    for member in other.value.members
    where !Self.knownMembers.contains(member.key) && value[member.key] == nil {
      value = value.setting(member.key, to: member.value, at: sorted ? .sorted : .end)
    }
  }

  /// The row's members but for its id and stamp, in the canonical encoding.
  var content: [UInt8] {
    var bytes: [UInt8] = []
    value.removing("id").removing("lastModified").appendCanonical(to: &bytes)
    return bytes
  }

  /// What the id of a row without one is derived from: its content; of a row with an id that nobody can name, that id.
  var derivationSeed: [UInt8] {
    guard identity == .strange, let id = value["id"] else { return content }
    var bytes: [UInt8] = []
    id.appendCanonical(to: &bytes)
    return bytes
  }

  // MARK: Forgiving readings of single members

  private static func id(_ value: PassingValue) -> (String, Identity) {
    switch value.kind {
    case .null: return ("", .missing)
    case .string, .number:
      let text = text(value)
      return FoldedName.isBlank(text) ? ("", .missing) : (text, .written)
    case .bool, .array, .object: return ("", .strange)
    }
  }

  static func text(_ value: JSONValue) -> String { text(PassingValue(value)) }

  private static func text(_ value: PassingValue) -> String {
    value.string ?? value.numberText ?? ""
  }

  static func truth(_ value: JSONValue) -> Bool { truth(PassingValue(value)) }

  /// True, `"true"`, `"yes"`, `1`, `"1"`; anything else is false.
  private static func truth(_ value: PassingValue) -> Bool {
    if let bool = value.bool { return bool }
    switch text(value).lowercased() {
    case "true", "yes", "1", "1.0": return true
    default: return false
    }
  }
}
