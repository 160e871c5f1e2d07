import AppSync
import ShoppingList

/// An app without screens, for tests: a store, a file and a clock in memory, and a sync between them.
final class Desk: @unchecked Sendable {  // used by one thread
  let store = DictionaryStore()
  let file = MemoryFile()
  let sync: ListSync
  private let clock: ManualClock
  private let memory: MemoryBase

  /// - Parameters:
  ///   - rows: what the app has, seen in the file before if `isSeen`.
  ///   - list: the file.
  init(
    _ rows: [Item] = [], list: String? = nil, isSeen: Bool = false, policy: ReconciliationPolicy = .newestWins,
    checks: LoopChecks = .all, conflicts: ConflictVersions = .none
  ) throws {
    let (clock, memory) = (ManualClock(), MemoryBase())
    (self.clock, self.memory) = (clock, memory)
    for row in rows { store.rows[row.id] = row }
    if let list { try file.save(list) }
    if isSeen { memory.bytes = file.bytes }
    sync = ListSync(
      store: store, file: file, memory: memory.access, policy: policy, conflicts: conflicts,
      loopGuard: LoopGuard(checks: checks), clock: clock.clock, wake: {})
    store.changed = { [signals = sync.signals] in signals.noteChange() }
    file.date = { [clock] in clock.milliseconds * 1_000_000 }
  }

  /// What the app saw last.
  var base: [UInt8]? { memory.bytes }

  /// What the memory holds when the app starts.
  func remember(_ text: String) { memory.bytes = Array(text.utf8) }

  /// Lets so much time pass, in milliseconds, and does what is due meanwhile when it is due.
  func pass(_ milliseconds: Int64) {
    let end = clock.milliseconds + milliseconds
    while let due = sync.signals.nextDue, Int64(due / 1_000_000) <= end {
      clock.milliseconds = max(clock.milliseconds, Int64((due + 999_999) / 1_000_000))
      sync.perform()
    }
    clock.milliseconds = end
  }

  /// Starts the app, and lets it come to rest.
  func start() {
    sync.start()
    pass(10_000)
  }

  /// The user's change.
  func type(_ item: Item) {
    var item = item
    item.lastModified = clock.instant
    store.rows[item.id] = item
    store.changed()
  }

  func delete(_ id: String) {
    store.rows[id] = nil
    store.changed()
  }

  /// Another program's save, of which the app hears at once.
  func save(_ list: String) throws {
    try file.save(list)
    sync.signals.fileChanged()
  }
}

/// A store as small as one can be.
final class DictionaryStore: AppStore {
  var rows: [String: Item] = [:]
  var changed: () -> Void = {}
  /// How often the sync has changed it.
  private(set) var changes = 0
  /// The next call fails.
  var failure: AppStoreError?

  func items() throws(AppStoreError) -> [Item] {
    if let failure { throw failure }
    return rows.values.sorted { $0.id < $1.id }
  }

  func insert(_ items: [Item]) { set(items) }

  func update(_ items: [Item]) { set(items) }

  func delete(ids: [String]) {
    for id in ids { rows[id] = nil }
    changes += 1
    changed()
  }

  private func set(_ items: [Item]) {
    for item in items { rows[item.id] = item }
    changes += 1
    changed()
  }
}

/// A file in memory.
final class MemoryFile: ListFile {
  private(set) var bytes: [UInt8]?
  private(set) var modified: Int64 = 0
  private(set) var writes = 0
  var date: () -> Int64 = { 0 }
  /// Neither reading nor writing goes.
  var failure: ListFileError?
  var failsToWrite: ListFileError?

  /// - Parameter dated: another date than the clock's.
  func save(_ text: String?, dated: Int64? = nil) throws {
    bytes = text.map { Array($0.utf8) }
    modified = dated ?? date()
  }

  func text() -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  func document() throws -> Document { try Document(decoding: bytes ?? []) }

  func read() -> FileReading {
    if let failure { return .unreadable(failure, date: modified) }
    guard let bytes else { return .missing }
    do {
      return .list(FileVersion(document: try Document(decoding: bytes), date: modified))
    } catch {
      return .unreadable(ListFileError("The list \(error)"), date: modified)
    }
  }

  func write(_ edit: (Document?) -> Document?) throws(ListFileError) -> FileVersion {
    if let failure = failure ?? failsToWrite { throw failure }
    do {
      let current = try bytes.map { (bytes) throws(DocumentError) in try Document(decoding: bytes) }
      let new = edit(current)?.encoded()
      let isNew = new != nil && new != bytes
      if let new, isNew {
        bytes = new
        modified = date()
        writes += 1
      }
      return FileVersion(document: try Document(decoding: bytes ?? []), date: modified, isNew: isNew)
    } catch {
      throw ListFileError("The list \(error)")
    }
  }
}

/// Where a test keeps what the app saw last.
final class MemoryBase {
  var bytes: [UInt8]?

  var access: BaseMemory {
    BaseMemory(
      load: { () throws(AppStoreError) in self.bytes },
      save: { (bytes) throws(AppStoreError) in self.bytes = bytes })
  }
}

/// A clock that a test sets. `@unchecked`: used by one thread.
final class ManualClock: @unchecked Sendable {
  /// Since 1970.
  var milliseconds: Int64 = 1_796_068_800_000

  var instant: Instant { Instant(milliseconds: milliseconds) }

  var clock: AppClock { AppClock(monotonic: { UInt64(self.milliseconds) * 1_000_000 }, now: { self.instant }) }
}

/// A list with these rows: `Milk`, `Milk:2`, each with the id of its name in small letters.
func listText(_ rows: String..., stamped: String? = "2026-11-30T12:00:00.000Z", deleted: [String] = []) -> String {
  let items = rows.map { row in
    let parts = row.split(separator: ":").map(String.init)
    let stamp = stamped.map { ",\"lastModified\":\"\($0)\"" } ?? ""
    return
      "{\"id\":\"\(parts[0].lowercased())\",\"name\":\"\(parts[0])\",\"amount\":\"\(parts.dropFirst().first ?? "")\"\(stamp)}"
  }
  let graves = deleted.map { "{\"id\":\"\($0)\",\"lastModified\":\"2026-11-30T13:00:00.000Z\"}" }
  return
    "{\"sections\":[],\"items\":[\(items.joined(separator: ","))],\"deletedItems\":[\(graves.joined(separator: ","))]}"
}

/// A row with the id of its name in small letters.
func row(_ name: String, _ amount: String = "", at stamp: Int64? = 1_796_040_000_000) -> Item {
  Item(
    id: name.lowercased(), name: name, amount: amount,
    lastModified: stamp.map { Instant(milliseconds: $0) })
}

extension Document {
  /// `Milk:2` for each item.
  var brief: [String] { items.map { $0.amount.isEmpty ? $0.name : "\($0.name):\($0.amount)" } }
}

extension DictionaryStore {
  var brief: [String] {
    rows.values.map { $0.amount.isEmpty ? $0.name : "\($0.name):\($0.amount)" }.sorted()
  }
}
