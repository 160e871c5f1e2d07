// What an app's observers tell, from whatever thread, and when it is due.
//
//     let signals = sync.signals
//     observe(store) { signals.noteChange() }
//     let watch = ListFileWatch(path: path, signals: signals)
//
// Nothing is done here: each signal sets a time, and `wake` tells the thread that owns the sync to ask for `nextDue`.

import Platform
import ShoppingList

/// The clocks that an app gives.
public struct AppClock: Sendable {
  /// Nanoseconds from some point on, whatever is done to the machine's clock.
  public let monotonic: @Sendable () -> UInt64
  /// The time as people have it.
  public let now: @Sendable () -> Instant

  /// - Parameters:
  ///   - monotonic: nanoseconds that never go back.
  ///   - now: the time as people have it.
  public init(monotonic: @escaping @Sendable () -> UInt64, now: @escaping @Sendable () -> Instant) {
    self.monotonic = monotonic
    self.now = now
  }

  /// The machine's.
  public static let system = AppClock(
    monotonic: Syscalls.live.monotonic, now: { Instant(milliseconds: Syscalls.live.now()) })
}

/// The events of one sync. Any thread may tell them.
public final class ChangeSignals: Sendable {
  /// How long the store must be quiet before it is exported, in nanoseconds.
  public static let debounce: UInt64 = 500_000_000
  /// How long an export waits for the store to be quiet, in nanoseconds: who never stops typing is exported all the same.
  public static let patience: UInt64 = 5_000_000_000

  /// Why something is done.
  enum Cause: Hashable {
    /// An event that no layer dropped.
    case event
    /// A look at what was dropped, or failed: contents decide.
    case look
  }

  private struct Agenda: Sendable {
    var export: UInt64?
    var firstNoted: UInt64?
    var lookAtStore: UInt64?
    var looksAfterImport = false
    var importing: UInt64?
    var lookAtFile: UInt64?

    var next: UInt64? { [export, lookAtStore, importing, lookAtFile].compactMap(\.self).min() }
  }

  let loopGuard: LoopGuard
  let clock: AppClock
  private let wake: @Sendable () -> Void
  private let agenda = Guarded(Agenda())

  init(_ loopGuard: LoopGuard, clock: AppClock, wake: @escaping @Sendable () -> Void) {
    self.loopGuard = loopGuard
    self.clock = clock
    self.wake = wake
  }

  /// The store was changed, by whomever.
  public func noteChange() {
    let now = clock.monotonic()
    switch loopGuard.judgeExport(at: now) {
    case .passes:
      agenda.withLock { agenda in
        let first = agenda.firstNoted ?? now
        agenda.firstNoted = first
        agenda.export = min(now &+ Self.debounce, first &+ Self.patience)
      }
    case .dropped(let again): dropExport(again)
    }
    wake()
  }

  /// The file, or what lies beside it, was changed, by whomever.
  public func fileChanged() {
    let now = clock.monotonic()
    agenda.withLock { $0.importing = min($0.importing ?? now, now) }
    wake()
  }

  /// When there is something to do, in nanoseconds of the monotonic clock; nil when there is nothing.
  public var nextDue: UInt64? { agenda.withLock(\.next) }

  // MARK: For the sync

  func lookAtStore(at time: UInt64) {
    agenda.withLock { $0.lookAtStore = min($0.lookAtStore ?? time, time) }
  }

  func lookAtFile(at time: UInt64) {
    agenda.withLock { $0.lookAtFile = min($0.lookAtFile ?? time, time) }
  }

  func dropExport(_ again: UInt64?) {
    guard let again else { return agenda.withLock { $0.looksAfterImport = true } }
    lookAtStore(at: again)
  }

  /// Has the store looked at again after the import, if a change of it was dropped meanwhile.
  func importEnded(at now: UInt64) {
    guard
      agenda.withLock({ agenda in
        defer { agenda.looksAfterImport = false }
        return agenda.looksAfterImport
      })
    else { return }
    if case .dropped(let again?) = loopGuard.judgeExport(at: now) {
      lookAtStore(at: again)
    } else {
      lookAtStore(at: now)
    }
  }

  /// Takes what of the exports is due.
  func takeExport(at now: UInt64) -> Cause? {
    agenda.withLock { agenda in
      let isNoted = agenda.export.map { $0 <= now } ?? false
      let isLook = agenda.lookAtStore.map { $0 <= now } ?? false
      if isNoted { (agenda.export, agenda.firstNoted) = (nil, nil) }
      if isLook { agenda.lookAtStore = nil }
      return isNoted ? .event : isLook ? .look : nil
    }
  }

  /// Takes what of the imports is due.
  func takeImport(at now: UInt64) -> Cause? {
    agenda.withLock { agenda in
      let isEvent = agenda.importing.map { $0 <= now } ?? false
      let isLook = agenda.lookAtFile.map { $0 <= now } ?? false
      if isEvent { agenda.importing = nil }
      if isLook { agenda.lookAtFile = nil }
      return isLook ? .look : isEvent ? .event : nil
    }
  }
}
