import ShoppingList

/// What exporter and importer have in common. Owned by the thread that calls `ListSync.perform`.
final class SyncState {
  let store: any AppStore
  let file: any ListFile
  let policy: ReconciliationPolicy
  let signals: ChangeSignals
  private let memory: BaseMemory
  /// The list that store and file had in common last; nil before the first time.
  private(set) var base: Document?
  /// Its revision.
  private(set) var lastSeen: String?
  /// Why the last export or import failed for good; nil once one has succeeded.
  var problem: SyncProblem?
  /// How often in a row it has failed.
  private var failures = 0
  private var isLoaded = false
  /// Whether the memory holds more than the base: a list whose rows are getting into the store.
  private var isUnsettled = false

  init(
    store: any AppStore, file: any ListFile, memory: BaseMemory, policy: ReconciliationPolicy,
    signals: ChangeSignals
  ) {
    self.store = store
    self.file = file
    self.memory = memory
    self.policy = policy
    self.signals = signals
  }

  var loopGuard: LoopGuard { signals.loopGuard }
  var now: UInt64 { signals.clock.monotonic() }
  var time: Instant { signals.clock.now() }

  /// Reads the base once. What cannot be read as a list is as none: then the policy decides.
  func load() throws(AppStoreError) {
    guard !isLoaded else { return }
    if let bytes = try memory.load() {
      let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
      let local = parts.count > 1 ? try store.items() : []
      do throws(DocumentError) {
        var document = parts[0].isEmpty ? nil : try Document(decoding: parts[0])
        if parts.count > 1 {
          isUnsettled = true
          document = (document ?? Document()).advanced(
            to: try Document(decoding: parts[1]), asFarAs: local)
        }
        (base, lastSeen) = (document, document?.revision)
      } catch {
        problem = .memory("What this app saw last of the list cannot be read: \(error.message)")
      }
    }
    isLoaded = true
  }

  /// Store and file have this in common now.
  func remember(_ document: Document) throws(AppStoreError) {
    let revision = document.revision
    base = document
    guard revision != lastSeen || isUnsettled else { return }
    lastSeen = revision
    try memory.save(document.encoded())
    isUnsettled = false
  }

  /// The store is about to get what is new in this list. Should the app end in the middle of it, the rows that it has by
  /// then are none of its user's changes.
  private func announce(_ document: Document) throws(AppStoreError) {
    try memory.save((base?.encoded() ?? []) + [0] + document.encoded())
    isUnsettled = true
  }

  /// Puts the rows of a plan into the store, under the guard.
  ///
  /// - Parameter date: the modification date of the file that they come from; nil where it is our own.
  func apply(_ plan: Reconciliation, date: Int64?, common: Document) throws(AppStoreError) {
    loopGuard.beginImport()
    var isDone = false
    defer {
      let end = now
      loopGuard.endImport(at: end, date: isDone ? date : nil)
      signals.importEnded(at: end)
    }
    if plan.changesStore { try announce(common) }
    if !plan.deletes.isEmpty { try store.delete(ids: plan.deletes) }
    if !plan.updates.isEmpty { try store.update(plan.updates) }
    if !plan.inserts.isEmpty { try store.insert(plan.inserts) }
    // Last: a crash before this leaves an older base, with which the rows are merged once more.
    try remember(common)
    isDone = true
  }

  // MARK: Failures

  /// Something went well again.
  func succeed() {
    failures = 0
    problem = nil
  }

  /// Has it tried again after 1, 2 and 4 s; then it is a problem for the app to show, and the next event tries again.
  func fail(_ problem: SyncProblem, again: (UInt64) -> Void) {
    failures += 1
    guard failures <= Self.pauses.count else {
      failures = 0
      self.problem = problem
      return
    }
    again(now &+ Self.pauses[failures - 1])
  }

  /// Nanoseconds.
  private static let pauses: [UInt64] = [1_000_000_000, 2_000_000_000, 4_000_000_000]
}

/// What an app has to show its user: the store and the file are not in step, and will not be by themselves.
public enum SyncProblem: Hashable, Sendable {
  /// The file could not be read or written.
  case file(String)
  /// The store could not.
  case store(String)
  /// What the app saw last is gone: until the next import the policy decides.
  case memory(String)

  /// A sentence for the app to show.
  public var message: String {
    switch self {
    case .file(let message), .store(let message), .memory(let message): message
    }
  }
}
