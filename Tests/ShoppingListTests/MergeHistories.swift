// Random lists and what random writers do to them: this server, an app's export, a person with an editor.
//
// All values come from small sets, so that two writers often touch one row and often stamp alike. The same seed makes
// the same history everywhere.

import Seeded

@testable import JSON
@testable import ShoppingList

/// Makes lists and edits them, one history a seed.
struct MergeHistory {
  var random: SplitMix64
  /// The time of the server's edits; it moves on by a millisecond or not at all.
  private var now: Int64 = 1_796_071_272_000
  private var made = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let names = ["Milk", "Bread", "milk", "Caf\u{E9}", "Eggs"]
  private static let sections = ["Dairy", "Produce", "dairy", "Bakery", ""]
  private static let ids = [
    "7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C11", "0b9e0b5e-75bb-4c3f-8d0e-1d8b2a6f9c20", "eggs-1", "a/b",
  ]
  private static let unknown: [JSONValue] = [
    1, .number(text: "1.0"), .null, "x", ["a", ["b": 2]], ["z": true],
  ]

  // MARK: - Lists

  mutating func list() throws -> Document {
    let rows = Self.ids.shuffled(using: &random).prefix(random.below(5)).map { row($0) }
    var members: [(key: String, value: JSONValue)] = [
      ("schemaVersion", 1),
      ("sections", .array(Self.sections.prefix(4).shuffled(using: &random).prefix(3).map { JSONValue($0) })),
      ("items", .array(rows)),
    ]
    if random.happens(oneIn: 2) { members.append(("deletedItems", [tombstone()])) }
    if random.happens(oneIn: 5) { members.append(("note", random.pick(Self.unknown))) }
    return try file(.object(members), style: random.pick([.app, .node, .compact]))
  }

  private mutating func row(_ id: String) -> JSONValue {
    var row: JSONValue = [
      "id": JSONValue(id), "name": JSONValue(random.pick(Self.names)), "amount": random.pick(["", "2 l", 3]),
      "section": JSONValue(random.pick(Self.sections)), "optional": false,
      "checked": random.pick([true, false, "no", 1]),
    ]
    if random.happens(oneIn: 4) { row = row.removing(random.pick(["amount", "section", "checked"])) }
    if !random.happens(oneIn: 4) { row = row.setting("lastModified", to: stamp()) }
    if random.happens(oneIn: 3) { row = row.setting("note", to: random.pick(Self.unknown)) }
    return row
  }

  private mutating func tombstone() -> JSONValue {
    ["id": JSONValue(random.pick(Self.ids)), "lastModified": stamp()]
  }

  private mutating func stamp() -> JSONValue {
    let format: StampFormat = random.pick([
      .isoMilliseconds, .isoMilliseconds, .isoSeconds, .unixSeconds, .unixMilliseconds,
    ])
    return format.write(Instant(milliseconds: 1_796_071_272_000 + random.pick([0, 1, 2, 3, 999, 1_000])))
  }

  /// The document as a file that was read.
  private func file(_ root: JSONValue, style: JSONStyle) throws -> Document {
    try Document(decoding: root.encoded(style: style))
  }

  // MARK: - Writers

  /// The list after one of the writers was at it.
  mutating func edited(_ document: Document) throws -> Document {
    switch random.below(6) {
    case 0: return try exported(document)
    case 1: return try scribbled(document)
    default:
      var document = document
      for _ in 0...random.below(3) { serve(&document) }
      return random.happens(oneIn: 2) ? document : try Document(decoding: document.encoded())
    }
  }

  /// An edit as this program makes it.
  mutating func serve(_ document: inout Document) {
    now += Int64(random.below(3))
    let prefix = "NEW-\(random.next())-"
    var count = 0
    let context = EditContext(now: Instant(milliseconds: now)) {
      count += 1
      return prefix + "\(count)"
    }
    let item = document.items.isEmpty ? nil : random.pick(document.items)
    switch random.below(6) {
    case 0:
      _ = document.add(
        [Addition(name: random.pick(Self.names), section: random.pick(Self.sections), allowsDuplicate: true)],
        in: context)
    case 1, 2:
      guard let item else { return }
      var changes = ItemChanges()
      switch random.below(3) {
      case 0: changes.checked = !item.checked
      case 1: changes.amount = random.pick(["4", "5"])
      default: changes.section = random.pick(Self.sections)
      }
      _ = document.change([(item.id, changes)], in: context)
    case 3:
      if let item { _ = document.remove(ids: [item.id], in: context) }
    case 4:
      let order = document.items.shuffled(using: &random)
      _ = document.replace(
        with: order.map { ReplacementRow(id: $0.id, changes: ItemChanges()) }, sections: nil, in: context)
    default:
      let names = document.sections.shuffled(using: &random).prefix(2)
      _ = document.arrangeSections(Array(names), droppingEmpty: random.happens(oneIn: 2))
    }
  }

  /// The list as an app writes it that knows rows and sections and nothing else, and perhaps changed a row.
  private mutating func exported(_ document: Document) throws -> Document {
    let keepsStamps = random.happens(oneIn: 2)
    var rows: [JSONValue] = []
    for item in document.items where !random.happens(oneIn: 6) {
      var row: JSONValue = [
        "amount": JSONValue(item.amount), "checked": JSONValue(item.checked != random.happens(oneIn: 4)),
        "id": JSONValue(item.id.uppercased()),
      ]
      if keepsStamps, let stamp = item.lastModified {
        row = row.setting("lastModified", to: JSONValue(stamp.iso8601))
      }
      row = row.setting("name", to: JSONValue(item.name)).setting("optional", to: JSONValue(item.optional))
      rows.append(row.setting("section", to: JSONValue(item.section)))
    }
    let sections = document.sections.map { JSONValue($0) }
    return try file(["items": .array(rows), "schemaVersion": 1, "sections": .array(sections)], style: .app)
  }

  /// The list after a person was at it, or a program that knows less than it thinks.
  private mutating func scribbled(_ document: Document) throws -> Document {
    var root = try JSONValue(parsing: document.encoded())
    var rows = Array((root["items"] ?? []).elements)
    for _ in 0...random.below(3) {
      let place = rows.isEmpty ? nil : random.below(rows.count)
      switch random.below(9) {
      case 0: rows.insert(random.pick([.null, 7, ["name": " ", "id": "eggs-1"]]), at: 0)
      case 1: rows.append(row(random.pick(Self.ids)))
      case 2:
        let entry = random.happens(oneIn: 3) ? .null : tombstone()
        root = root.setting("deletedItems", to: .array((root["deletedItems"] ?? []).elements + [entry]))
      case 3:
        if let place { rows[place] = rows[place].removing(random.pick(["id", "lastModified", "note"])) }
      case 4: if let place { rows[place] = rows[place].setting("note", to: random.pick(Self.unknown)) }
      case 5:
        if let place { rows[place] = rows[place].setting("checked", to: random.pick(["yes", 0, .null])) }
      case 6: if let place { rows.append(rows[place]) }
      case 7: root = random.happens(oneIn: 2) ? root.removing("sections") : root.removing("deletedItems")
      default: root = root.setting("other", to: random.pick(Self.unknown))
      }
    }
    root = root.setting("items", to: .array(rows))
    return try file(root, style: .detected(in: root))
  }

  // MARK: - Histories

  /// A list, and two that were made from it.
  mutating func triple() throws -> (base: Document, ours: Document, theirs: Document) {
    let base = try list()
    var sides: [Document] = []
    for _ in 0..<2 {
      var side = random.happens(oneIn: 10) ? try list() : base
      for _ in 0..<random.below(3) { side = try edited(side) }
      sides.append(side)
    }
    return (base, sides[0], sides[1])
  }
}
