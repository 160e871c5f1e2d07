import AppSync
import Foundation
import Platform
import ShoppingList

/// What wakes the app.
enum Wakening: Sendable {
  case line(String)
  case end
  /// Something may be due earlier than it was.
  case signal
}

/// The app: one thread owns all of it, a second reads the input, a third watches the file.
final class SampleApp {
  private let store = RowStore()
  private let queue = EventQueue<Wakening>()
  private let sync: ListSync
  private let watch: ListFileWatch
  private let statePath: String

  init(list: String, state: String) throws {
    statePath = state
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let saved = state + "/seen.json"
    let memory = BaseMemory(
      load: { () throws(AppStoreError) in FileManager.default.contents(atPath: saved).map { Array($0) } },
      save: { (bytes) throws(AppStoreError) in
        do {
          try Data(bytes).write(to: URL(fileURLWithPath: saved), options: .atomic)
        } catch {
          throw AppStoreError("What was seen last cannot be saved: \(error)")
        }
      })
    // The rows are in memory: without them what was seen last would read as deleted.
    try? FileManager.default.removeItem(atPath: saved)
    let queue = queue
    sync = ListSync(
      store: store, file: LockedListFile(path: list, historyFolder: state + "/history"), memory: memory
    ) { queue.pushWithoutWaiting(.signal) }
    watch = ListFileWatch(path: list, signals: sync.signals)
    store.changed = { [signals = sync.signals] in signals.noteChange() }
  }

  func run() throws {
    try watch.start()
    try Threads.start("reader") { [queue] in
      while let line = readLine() { queue.pushWithoutWaiting(.line(line)) }
      queue.pushWithoutWaiting(.end)
    }
    sync.start()
    var isEnding = false
    while true {
      sync.perform()
      if isEnding && sync.signals.nextDue == nil { return }
      for wakening in queue.takeAll(deadline: sync.signals.nextDue) {
        switch wakening {
        case .line(let line): try answer(line)
        case .end: isEnding = true
        case .signal: break
        }
      }
    }
  }

  private func answer(_ line: String) throws {
    guard let command = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return }
    let name = command["name"] as? String ?? ""
    var answer: [String: Any] = ["ok": true]
    switch command["do"] as? String {
    case "add":
      let stamp = Instant(milliseconds: Syscalls.live.now())
      store.rows.append(
        Item(
          id: UUID().uuidString, name: name, amount: command["amount"] as? String ?? "", lastModified: stamp))
      sync.signals.noteChange()
    case "set":
      answer["ok"] = store.change(name) { row in
        if let amount = command["amount"] as? String { row.amount = amount }
        if let checked = command["checked"] as? Bool { row.checked = checked }
        row.lastModified = Instant(milliseconds: Syscalls.live.now())
      }
      sync.signals.noteChange()
    case "remove":
      let count = store.rows.count
      store.rows.removeAll { $0.name == name }
      answer["ok"] = store.rows.count < count
      sync.signals.noteChange()
    default:
      answer = [
        "items": store.rows.map {
          ["id": $0.id, "name": $0.name, "amount": $0.amount, "checked": $0.checked] as [String: Any]
        },
        "quiet": sync.signals.nextDue == nil,
      ]
      if let problem = sync.problem { answer["problem"] = problem.message }
    }
    let data = try JSONSerialization.data(withJSONObject: answer, options: .sortedKeys)
    FileHandle.standardOutput.write(data + Data("\n".utf8))
  }
}

/// Rows in memory, in the order of their coming.
final class RowStore: AppStore {
  var rows: [Item] = []
  var changed: () -> Void = {}

  func items() -> [Item] { rows }

  func insert(_ items: [Item]) {
    rows += items
    changed()
  }

  func update(_ items: [Item]) {
    for item in items {
      if let place = rows.firstIndex(where: { $0.id == item.id }) { rows[place] = item }
    }
    changed()
  }

  func delete(ids: [String]) {
    rows.removeAll { ids.contains($0.id) }
    changed()
  }

  /// - Returns: whether there is such a row.
  func change(_ name: String, _ change: (inout Item) -> Void) -> Bool {
    guard let place = rows.firstIndex(where: { $0.name == name }) else { return false }
    change(&rows[place])
    return true
  }
}
