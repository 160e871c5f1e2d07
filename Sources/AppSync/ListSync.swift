// An app's side of the shared list: its store and the file, kept the same.
//
//     let sync = ListSync(
//       store: store, file: LockedListFile(path: path, historyFolder: history), memory: memory) { timer.fire() }
//     observer = { sync.signals.noteChange() }                                     // the store was changed
//     watch = ListFileWatch(path: path, signals: sync.signals)                    // the file was
//     sync.start()
//     …
//     sync.perform()                           // does what is due
//     arm(timer, at: sync.signals.nextDue)     // and this is when to call it again
//
// What callers may rely on:
// - A change of the store is in the file, on the device, about half a second after the last one; 5 s at most after an
//   import. A change of the file is in the store at once; 2 s at most after an export.
// - What one side changed and the other did not is never undone, what both changed is merged (the later stamp of a row
//   decides a member that both changed), and a crash between any two steps loses nothing of either.
// - What says the same is not written: no chain of exports and imports begins without a change by somebody.
//
// One thread owns it, the store's; only `signals` may be used from others. Nothing happens but in `perform`, which may wait
// for the file's lock, 6 s at most.

import ShoppingList

public final class ListSync {
  /// For the observers of the store and of the file.
  public let signals: ChangeSignals
  public let exporter: Exporter
  public let importer: Importer
  private let state: SyncState

  /// Touches neither the store nor the file.
  ///
  /// - Parameters:
  ///   - store: the app's rows.
  ///   - file: the shared list.
  ///   - memory: where the list that was seen last is kept.
  ///   - policy: what counts as long as none was seen.
  ///   - conflicts: the versions of the file that only the platform knows.
  ///   - loopGuard: an app leaves it as it is.
  ///   - clock: the machine's clocks, unless it is a test.
  ///   - wake: called, on any thread, when `signals.nextDue` may be another; must not call back.
  public init(
    store: any AppStore, file: any ListFile, memory: BaseMemory, policy: ReconciliationPolicy = .newestWins,
    conflicts: ConflictVersions = .none, loopGuard: LoopGuard = LoopGuard(), clock: AppClock = .system,
    wake: @escaping @Sendable () -> Void
  ) {
    signals = ChangeSignals(loopGuard, clock: clock, wake: wake)
    state = SyncState(store: store, file: file, memory: memory, policy: policy, signals: signals)
    exporter = Exporter(state)
    importer = Importer(state, exporter, conflicts: conflicts)
  }

  /// Has both looked at: they may have been changed while the app did not run.
  public func start() {
    let now = state.now
    signals.lookAtFile(at: now)
    signals.lookAtStore(at: now)
  }

  /// Does all that is due.
  public func perform() {
    importer.perform()
    exporter.perform()
  }

  /// The list as store and file had it in common last: the order of rows and sections, for screens that show them so.
  public var list: Document? { state.base }

  /// What the user has to know; nil when all is well.
  public var problem: SyncProblem? { state.problem }
}
