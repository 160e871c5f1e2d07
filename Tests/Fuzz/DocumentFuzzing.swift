// Any bytes as a list's file, and edits of it that the bytes' digest chooses.
//
// Promised:
// - Nothing traps. A list that was not edited is written as it was read.
// - What an edit made of it is read back as what was meant.
// - What nobody here knows stays: members of the list and of rows, rows that are hidden, the text of each row that the
//   edit did not touch.

import JSON
import Seeded

@testable import ShoppingList

struct DocumentFuzzing {
  let planted: Bool

  func run(_ bytes: [UInt8]) throws {
    let original: Document
    do {
      original = try Document(decoding: bytes)
    } catch {
      return try promise(!error.message.isEmpty, "an error without a word")
    }
    try promise(original.encoded() == bytes, "written otherwise than it was read")
    try promise(original.revision.utf8.count == 16, "revision \(original.revision)")
    if original.hasRowsByOrder { return }
    var random = SplitMix64(seed: digest(bytes))
    var list = original
    var touched: Set<ItemID.Key> = []
    for _ in 0..<3 {
      edit(&list, &touched, &random)
      let read = try self.read(list)
      try sameBesides(original, read, touched)
      // As the next writer finds it.
      if Bool.random(using: &random) { list = read }
    }
  }

  private func read(_ list: Document) throws -> Document {
    let text = list.encoded()
    do {
      let read = try Document(decoding: text)
      try promise(read.isEquivalent(to: list), "read back as something else: \(shown(text))")
      try promise(read.revision == list.revision, "another revision: \(shown(text))")
      return read
    } catch let error as DocumentError {
      throw Violation("\(error.message): \(shown(text))")
    }
  }

  private func edit(_ list: inout Document, _ touched: inout Set<ItemID.Key>, _ random: inout SplitMix64) {
    // As good as random: never one that the file has.
    let id = "new-\(UInt64.random(in: .min ... .max, using: &random))"
    let context = EditContext(now: Instant(milliseconds: 1_796_071_272_345)) {
      id
    }
    let items = list.items
    let item = items.isEmpty ? nil : random.pick(items)
    let name = random.pick(["Milk", "Caf\u{E9} \"x\"/", "\u{1F34C}", item?.name ?? "Tea"])
    let section = random.pick([nil, "", "Dairy", item?.section ?? "New"])
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      for outcome in list.add([Addition(name: name, amount: "2", section: section)], in: context) {
        switch outcome {
        case .new(let item), .alreadyThere(let item), .backOnList(_, let item): touched.insert(ItemID.Key(item.id))
        }
      }
    case 1, 2:
      guard let item else { return }
      touched.insert(ItemID.Key(item.id))
      let changes = ItemChanges(
        name: random.pick([nil, name]), amount: random.pick([nil, "", "3 kg"]), section: section,
        optional: random.pick([nil, true, false]), checked: random.pick([nil, true, false]))
      if planted, changes.checked == true {
        list.rows = list.rows.map {
          ItemID.Key($0.item?.id ?? "") == ItemID.Key(item.id) ? Row(reading: ["name": "Milk"]) : $0
        }
        list.isEdited = true
      } else {
        _ = list.change([(item.id, changes)], in: context)
      }
    case 3:
      guard let item else { return }
      touched.insert(ItemID.Key(item.id))
      _ = list.remove(ids: [item.id], in: context)
    case 4: _ = list.arrangeSections([name, section ?? "x"], droppingEmpty: Bool.random(using: &random))
    default:
      for item in items { touched.insert(ItemID.Key(item.id)) }
      let rows = items.shuffled(using: &random).prefix(4).map {
        ReplacementRow(id: $0.id, changes: ItemChanges(name: $0.name))
      }
      let new = ReplacementRow(changes: ItemChanges(name: name))
      _ = list.replace(with: rows + [new], sections: random.pick([nil, ["Dairy"]]), in: context)
    }
  }

  private func sameBesides(_ before: Document, _ after: Document, _ touched: Set<ItemID.Key>) throws {
    let own = ["schemaVersion", "items", "sections", "deletedItems"]
    for member in before.root.members where !own.contains(member.key) {
      // Of duplicates the last one counts.
      let now = after.root.members.filter { $0.key == member.key }.map(\.value.sourceBytes)
      try promise(
        now.contains(member.value.sourceBytes), "the list's member \(member.key) is gone, or has another text")
    }
    let hidden = after.rows.filter { $0.item == nil }.map(\.value.sourceBytes)
    try promise(
      before.rows.filter { $0.item == nil }.map(\.value.sourceBytes).sorted(by: { $0.lexicographicallyPrecedes($1) })
        == hidden.sorted { $0.lexicographicallyPrecedes($1) }, "hidden rows are others")
    var rows: [ItemID.Key: Row] = [:]
    for row in after.rows { if let item = row.item { rows[ItemID.Key(item.id)] = row } }
    for row in before.rows {
      guard let item = row.item else { continue }
      let key = ItemID.Key(item.id)
      guard let now = rows[key] else {
        try promise(touched.contains(key), "\(item.name), which nobody touched, is gone")
        continue
      }
      if !touched.contains(key) {
        // An id that was missing is written down.
        let isSame =
          row.value.isParsed ? now.value.sourceBytes == row.value.sourceBytes : now.value.isEquivalent(to: row.value)
        try promise(isSame, "\(item.name), which nobody touched, is \(shown(now.value.sourceBytes))")
      }
      // A key with a lone surrogate is shown as another, and nobody can ask for its member.
      for member in row.value.members
      where !Row.knownMembers.contains(member.key) && row.value[member.key] != nil {
        try promise(now.value[member.key] != nil, "\(item.name): \(member.key), which nobody knows, is gone")
      }
    }
  }
}

extension Document {
  /// Whether several rows have one id of a kind that nobody can name, `true` or `{}`. They go by their order among each
  /// other, so that what is promised of a row does not hold for them: the next takes the place of one that is removed.
  var hasRowsByOrder: Bool {
    let ids = rows.filter { $0.identity == .strange && $0.item != nil }.compactMap { $0.value["id"]?.canonicalText }
    return Set(ids).count < ids.count
  }
}
