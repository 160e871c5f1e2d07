// The example of docs/app-integration.md: all that an app has to write, but for its screens. A test runs it, and another
// keeps the page the same as this.

// example: store
import AppSync
import ShoppingList

/// The rows that the screens show.
final class ListModel: AppStore {
  private(set) var rows: [String: Item] = [:]
  /// Told of every change, the sync's own among them.
  var onChange: () -> Void = {}

  func items() throws(AppStoreError) -> [Item] { Array(rows.values) }

  func insert(_ items: [Item]) throws(AppStoreError) { put(items) }

  func update(_ items: [Item]) throws(AppStoreError) { put(items) }

  func delete(ids: [String]) throws(AppStoreError) {
    for id in ids { rows[id] = nil }
    onChange()
  }

  /// The user's tap, too.
  func put(_ items: [Item]) {
    for item in items { rows[item.id] = item }
    onChange()
  }
}
// example: end

// example: sync
/// Puts a model and a file together.
func makeSync(
  _ model: ListModel, path: String, memory: BaseMemory, wake: @escaping @Sendable () -> Void
) -> (sync: ListSync, watch: ListFileWatch) {
  let sync = ListSync(
    store: model, file: LockedListFile(path: path, historyFolder: nil), memory: memory, wake: wake)
  let signals = sync.signals
  model.onChange = { signals.noteChange() }
  sync.start()
  return (sync, ListFileWatch(path: path, signals: signals))
}
// example: end
