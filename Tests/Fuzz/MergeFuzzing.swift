// Two lists that were changed apart, with or without the one that both come from. An input that begins with `{` has them as
// text, one list a line: ours, theirs, and the base where there is a third. Any other is a series of choices: a list, and
// what two writers did to it.
//
// Promised, for every two lists:
// - Whose side is whose makes no difference, to the byte; a list merged with itself is that list, bytes and all.
// - What comes out is read back as what was meant.
// - No row is gone that the other side did not delete, none is back that a newer tombstone deleted, and a row that one side
//   changed and the other removed stays.
// - Where one side alone changed a member, its value counts; without a base no member that nobody here knows is gone.
// - Hidden rows stay where no side, by the base, removed them.
// These are the properties that Tests/MergeModel/properties.py has, on inputs that are looked for instead of drawn.

@testable import JSON
@testable import ShoppingList

struct MergeFuzzing {
  let planted: Bool

  func run(_ bytes: [UInt8]) throws {
    guard let (base, ours, theirs) = bytes.first == UInt8(ascii: "{") ? texts(bytes) : choices(bytes) else { return }
    if [base, ours, theirs].contains(where: { $0?.hasRowsByOrder ?? false }) { return }
    var merged = Document.merge(base: base, ours: ours, theirs: theirs)
    if planted, merged.rows.count > 2 {
      merged.rows.removeLast()
      merged.isEdited = true
    }
    let exchanged = Document.merge(base: base, ours: theirs, theirs: ours)
    if !planted { try promise(merged.encoded() == exchanged.encoded(), "not symmetric") }
    for side in [ours, theirs] {
      try promise(
        Document.merge(base: base, ours: side, theirs: side).encoded() == side.encoded(), "merge(x, x) is not x")
    }
    do {
      let read = try Document(decoding: merged.encoded())
      try promise(read.isEquivalent(to: merged), "read back as something else: \(shown(merged.encoded()))")
    } catch let error as DocumentError {
      throw Violation("\(error.message): \(shown(merged.encoded()))")
    }
    // Two lists that say the same are one of the two; nothing is merged.
    if ours.isEquivalent(to: theirs) { return }
    try check(base, ours, other: theirs, merged)
    try check(base, theirs, other: ours, merged)
  }

  // MARK: - Properties

  private func check(_ base: Document?, _ side: Document, other: Document, _ merged: Document) throws {
    let known = base.map(rows) ?? [:]
    let others = rows(other)
    let result = rows(merged)
    for (key, row) in rows(side) {
      let name = row.item?.name ?? ""
      if let twin = others[key] {
        guard let merged = result[key] else { throw Violation("\(name), a row of both, is gone") }
        try members(name, of: row, twin, base == nil ? nil : known[key], merged, hasBase: base != nil)
      } else if let before = known[key] {
        try promise((result[key] != nil) == isChanged(row, before), "\(name), which one side removed")
      } else {
        let tombstone = stamp(ofTombstone: key, in: other)
        let isLater = (row.item?.lastModified?.milliseconds ?? -1) > tombstone ?? .max
        if tombstone == nil || isLater {
          try promise(result[key] != nil, "\(name), which nobody deleted, is gone")
        } else if stamp(ofTombstone: key, in: side) == nil {
          try promise(result[key] == nil, "\(name), which a newer tombstone deleted, is back")
        }
      }
    }
    for (text, count) in hidden(side) {
      let before = base.map { hidden($0)[text] ?? 0 } ?? 0
      let atLeast = base == nil ? count : min(count, max(hidden(other)[text] ?? 0, count > before ? count : 0))
      try promise(hidden(merged)[text] ?? 0 >= atLeast, "a hidden row is gone: \(shown(text))")
    }
  }

  private func members(
    _ name: String, of row: Row, _ twin: Row, _ before: Row?, _ merged: Row, hasBase: Bool
  ) throws {
    let keys = Set(row.value.members.map(\.key)).union(twin.value.members.map(\.key)).union(Row.knownMembers)
    for key in keys where key != "lastModified" {
      guard let before else {
        if !Row.knownMembers.contains(key), row.value[key] != nil {
          try promise(merged.value[key] != nil, "\(name): \(key), which nobody knows, is gone")
        }
        continue
      }
      if Row.meansTheSame(key, twin.value[key], before.value[key]) {
        try promise(
          Row.meansTheSame(key, merged.value[key], row.value[key]), "\(name): \(key), which one side alone changed")
      } else if !Row.knownMembers.contains(key), row.value[key] != nil,
        !Row.meansTheSame(key, row.value[key], before.value[key])
      {
        try promise(merged.value[key] != nil, "\(name): \(key), which was changed, is gone")
      }
    }
  }

  private func isChanged(_ row: Row, _ before: Row) -> Bool {
    let keys = Set(row.value.members.map(\.key)).union(before.value.members.map(\.key))
    return !keys.union(Row.knownMembers).subtracting(["lastModified"]).allSatisfy {
      Row.meansTheSame($0, row.value[$0], before.value[$0])
    }
  }

  private func rows(_ document: Document) -> [ItemID.Key: Row] {
    Dictionary(
      document.rows.compactMap { row in row.item.map { (ItemID.Key($0.id), row) } },
      uniquingKeysWith: { first, _ in first })
  }

  private func hidden(_ document: Document) -> [[UInt8]: Int] {
    Dictionary(document.rows.filter { $0.item == nil }.map { ($0.value.canonicalText, 1) }, uniquingKeysWith: +)
  }

  private func stamp(ofTombstone key: ItemID.Key, in document: Document) -> Int64? {
    document.tombstones.compactMap(Tombstone.init(reading:)).filter { ItemID.Key($0.id) == key }
      .map { $0.lastModified?.milliseconds ?? -1 }.max()
  }

  // MARK: - Inputs

  private typealias Lists = (base: Document?, ours: Document, theirs: Document)

  private func texts(_ bytes: [UInt8]) -> Lists? {
    let lists = bytes.split(separator: 10).prefix(3).map { try? Document(decoding: Array($0)) }
    guard lists.count >= 2, let ours = lists[0], let theirs = lists[1] else { return nil }
    return (lists.count > 2 ? lists[2] : nil, ours, theirs)
  }

  private func choices(_ bytes: [UInt8]) -> Lists? {
    var writer = ListWriter(Choices(bytes))
    guard let base = writer.list() else { return nil }
    guard let ours = writer.edited(base), let theirs = writer.edited(base) else { return nil }
    return (writer.choices.happens(oneIn: 3) ? nil : base, ours, theirs)
  }
}

/// Makes lists and edits them as the input chooses. All values come from small sets, so that writers often meet.
private struct ListWriter {
  var choices: Choices
  private var made = 0
  private var now: Int64 = 1_796_071_272_000

  init(_ choices: Choices) { self.choices = choices }

  private static let ids: [JSONValue] = [
    "7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C11", "7d0c4e0a-2b7c-4d1b-9a55-0d8e5b1f3c11", "eggs", "a/b", 17, true, .null,
  ]
  private static let values: [JSONValue] = [
    "Milk", "milk ", "Caf\u{E9}", "Dairy", "", true, false, "yes", 1, .number(text: "1.0"), .null, ["a", ["b": 2]],
  ]
  private static let stamps: [JSONValue] = [
    "2026-11-30T20:41:12.345Z", "2026-11-30T20:41:12.346Z", "2026-11-30T21:41:12+01:00", 1_796_071_272,
    1_796_071_272_345, .number(text: "817764072.5"), "9999-12-31T23:59:59.999Z", "yesterday", .null,
  ]
  private static let keys = ["id", "name", "amount", "section", "optional", "checked", "lastModified", "note", "x"]

  mutating func list() -> Document? {
    var members: [(key: String, value: JSONValue)] = [("items", .array((0..<choices.below(5)).map { _ in row() }))]
    if choices.happens(oneIn: 2) { members.append(("sections", .array((0..<choices.below(4)).map { _ in value() }))) }
    if choices.happens(oneIn: 3) {
      members.append(("deletedItems", .array((0..<choices.below(3)).map { _ in tombstone() })))
    }
    if choices.happens(oneIn: 4) { members.append(("note", value())) }
    return document(.object(members))
  }

  private mutating func document(_ root: JSONValue) -> Document? {
    try? Document(decoding: root.encoded(style: choices.pick([.compact, .app, .node])))
  }

  private mutating func value() -> JSONValue { choices.pick(Self.values) }

  private mutating func row() -> JSONValue {
    if choices.happens(oneIn: 12) { return value() }
    var members: [(key: String, value: JSONValue)] = [
      ("id", choices.pick(Self.ids)), ("name", choices.pick(["Milk", "Tea", "Eggs"])),
    ]
    for _ in 0..<choices.below(4) {
      let key = choices.pick(Self.keys)
      members.append((key, key == "lastModified" ? choices.pick(Self.stamps) : value()))
    }
    return .object(members)
  }

  private mutating func tombstone() -> JSONValue {
    ["id": choices.pick(Self.ids), "lastModified": choices.pick(Self.stamps)]
  }

  /// What this server, or anybody with an editor, makes of a list.
  mutating func edited(_ list: Document) -> Document? {
    var list = list
    for _ in 0..<choices.below(4) {
      now += Int64(choices.below(3))
      if choices.happens(oneIn: 3) {
        guard let scribbled = scribbled(list) else { return nil }
        list = scribbled
      } else {
        serve(&list)
      }
    }
    return list
  }

  private mutating func serve(_ list: inout Document) {
    made += 1
    let id = "NEW-\(made)"
    let context = EditContext(now: Instant(milliseconds: now)) { id }
    let item = list.items.isEmpty ? nil : choices.pick(list.items)
    switch (choices.below(5), item) {
    case (0, _): _ = list.add([Addition(name: choices.pick(["Milk", "Rice"]), section: "Dairy")], in: context)
    case (1, let item?): _ = list.remove(ids: [item.id], in: context)
    case (2, _):
      _ = list.arrangeSections([choices.pick(["Dairy", "Fruit", "milk"])], droppingEmpty: choices.happens(oneIn: 2))
    case (_, let item?):
      let changes = ItemChanges(
        name: choices.pick([nil, "Milk"]), amount: choices.pick([nil, "2"]), section: choices.pick([nil, "Fruit"]),
        checked: choices.pick([nil, true, false]))
      _ = list.change([(item.id, changes)], in: context)
    default: return
    }
  }

  private mutating func scribbled(_ list: Document) -> Document? {
    guard var root = try? JSONValue(parsing: list.encoded()) else { return nil }
    var rows = Array(root["items"]?.elements ?? JSONValue.array([]).elements)
    switch (choices.below(5), rows.isEmpty) {
    case (0, _): rows.insert(row(), at: choices.below(rows.count + 1))
    case (1, false): rows.remove(at: choices.below(rows.count))
    case (2, false): rows.swapAt(choices.below(rows.count), choices.below(rows.count))
    case (3, false):
      let place = choices.below(rows.count)
      let key = choices.pick(Self.keys)
      rows[place] =
        choices.happens(oneIn: 3)
        ? rows[place].removing(key)
        : rows[place].setting(key, to: key == "lastModified" ? choices.pick(Self.stamps) : value())
    default: root = root.setting("deletedItems", to: .array([tombstone()]))
    }
    return document(root.setting("items", to: .array(rows)))
  }
}
