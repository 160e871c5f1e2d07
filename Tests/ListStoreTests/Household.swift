import Foundation
import ListStore
import Platform
import ShoppingList

@testable import ListStore

/// A list's folder and, apart from it, the folder where versions are kept; and the programs that use them.
final class Household: @unchecked Sendable {  // used by one thread
  let folder: TestFolder
  let state: TestFolder
  /// Nothing waits in these tests.
  let time = VirtualTime()

  init(list: String? = nil, quick: Bool = false) throws {
    folder = try TestFolder(list: list, quick: quick)
    state = try TestFolder(quick: quick)
  }

  /// A new copy of the program.
  func store(over syscalls: Syscalls = .live, history: HistoryPlace? = nil) -> Store {
    Store(
      path: folder.listPath, syscalls: time.syscalls(over: syscalls),
      history: history ?? .folder(state.path))
  }

  /// The names in the list's folder.
  func names() throws -> [String] { try folder.names() }

  /// What the file says, by nobody's but the decoder's reading.
  func document(_ name: String = "BananaList.json") throws -> Document {
    try Document(decoding: Array(folder.text(name).utf8))
  }

  /// The names of the items in the file.
  func items() throws -> [String] { try document().items.map(\.name) }

  /// Another program that takes no lock: writes beside the list and renames, as most do.
  func save(_ text: String, as name: String = "BananaList.json") throws {
    let beside = "other-\(UUID().uuidString)"
    try folder.write(text, to: beside)
    guard rename(folder.path(beside), folder.path(name)) == 0 else { throw Errno(rawValue: errno) }
  }

  /// The files below the state folder, by their paths from there.
  func kept() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: state.path).filter { $0.hasSuffix(".json") }.sorted()
  }

  /// The texts of all versions that are kept, or of those in one of the two places.
  func keptTexts(_ place: String? = nil) throws -> [String] {
    try kept().filter { path in place.map { path.contains("/\($0)/") } ?? true }.map { try state.text($0) }
  }
}

extension Box where Value == Int {
  /// 0 the first time, then 1 …
  func next() -> Int {
    value += 1
    return value - 1
  }
}

/// A list whose rows have the names, ids and amounts given: `Milk`, `Milk:2`.
func list(_ rows: String..., stamped: String? = nil, deleted: [String] = []) -> String {
  let items = rows.map { row -> String in
    let parts = row.split(separator: ":").map(String.init)
    let stamp = stamped.map { ", \"lastModified\": \"\($0)\"" } ?? ""
    return "{ \"id\": \"\(parts[0].lowercased())\", \"name\": \"\(parts[0])\", "
      + "\"amount\": \"\(parts.count > 1 ? parts[1] : "")\"\(stamp) }"
  }
  let graves = deleted.map { "{ \"id\": \"\($0.lowercased())\", \"lastModified\": \"2026-11-30T12:00:00.000Z\" }" }
  return "{\n  \"schemaVersion\": 1,\n  \"sections\": [],\n  \"items\": [\n    "
    + items.joined(separator: ",\n    ") + "\n  ]"
    + (graves.isEmpty ? "" : ",\n  \"deletedItems\": [\n    " + graves.joined(separator: ",\n    ") + "\n  ]")
    + "\n}\n"
}

extension Document {
  /// `Milk:2` for each item.
  var brief: [String] { items.map { $0.amount.isEmpty ? $0.name : "\($0.name):\($0.amount)" } }
}

extension Store {
  /// An edit that changes nothing: what lies beside the list is taken in all the same.
  @discardableResult
  func tidy() throws(StoreError) -> Written<Void> { try write { _, _ in } }

  /// Sets an amount.
  @discardableResult
  func set(_ name: String, _ amount: String) throws(StoreError) -> Written<Void> {
    try write { document, context in
      guard case .one(let item) = document.find(ItemReference(name: name)) else { return }
      _ = document.change([(id: item.id, changes: ItemChanges(amount: amount))], in: context)
    }
  }

  @discardableResult
  func remove(_ name: String) throws(StoreError) -> Written<Void> {
    try write { document, context in
      guard case .one(let item) = document.find(ItemReference(name: name)) else { return }
      _ = document.remove(ids: [item.id], in: context)
    }
  }

  @discardableResult
  func restore(_ id: String) throws -> Written<Replaced> {
    let version = try version(id)
    return try write(mustBeUndoable: true) { document, context in
      document.restore(version.document, in: context)
    }
  }
}
