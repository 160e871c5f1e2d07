// From the file to the store.
//
// `ChangeSignals.fileChanged` asks for an import. The file is read with every conflict copy beside it and every version
// that the platform keeps (`ConflictVersions`), all merged; if that says what was seen last, it is an echo, whatever its
// date. Else the store gets what is new. Changes of the store that are not exported yet are merged, and the merged list
// is written at once: by then it says something that neither side had. Conflict copies and versions are merged into the
// file, too, and only when that has been written they are put away and marked resolved.
//
// A file that cannot be read, as it is half there or not downloaded, is read again after 1, 2 and 4 s; then it is a
// problem for the app to show.

import ShoppingList

public final class Importer {
  private let state: SyncState
  private let exporter: Exporter
  private let conflicts: ConflictVersions

  init(_ state: SyncState, _ exporter: Exporter, conflicts: ConflictVersions) {
    self.state = state
    self.exporter = exporter
    self.conflicts = conflicts
  }

  /// Imports if an import is due.
  public func perform() {
    let now = state.now
    guard let cause = state.signals.takeImport(at: now) else { return }
    if cause == .event, case .dropped(let again?) = state.loopGuard.judgeReading(at: now) {
      return state.signals.lookAtFile(at: again)
    }
    do throws(AppStoreError) {
      try state.load()
      switch state.file.read() {
      case .list(let version): try take(version, cause)
      case .missing: try takeMissing()
      case .unreadable(let error, let date): takeUnreadable(error, date)
      }
    } catch {
      state.fail(.store(error.message), again: state.signals.lookAtFile)
    }
  }

  private func take(_ version: FileVersion, _ cause: ChangeSignals.Cause) throws(AppStoreError) {
    let versions = conflicts.unresolved()
    var copies: [Document] = []
    var merged: [ConflictVersions.Version] = []
    var unreadable: String?
    for version in versions {
      do throws(DocumentError) {
        copies.append(try Document(decoding: version.bytes))
        merged.append(version)
      } catch {
        // It stays unresolved, for the user to look at.
        unreadable = "A conflict version of the list \(error.message)"
      }
    }
    let seen = version.document.merging(copies: copies)
    let believing = cause == .event && !state.loopGuard.checks.contains(.revision)
    var mustWrite = version.hasCopies
    if believing, case .dropped(let again?) = state.loopGuard.judgeImport(date: version.date, at: state.now) {
      state.signals.lookAtFile(at: again)
    } else if believing || seen.revision != state.lastSeen {
      var plan = Reconciler.reconcile(
        local: try state.store.items(), file: .list(seen), base: state.base, policy: state.policy, now: state.time)
      if believing, let all = plan.document?.items {
        let new = Set(plan.inserts.map(\.id))
        plan.updates = all.filter { !new.contains($0.id) }
      }
      mustWrite = mustWrite || plan.writesFile
      try state.apply(plan, date: version.date, common: seen)
    }
    var isDone = true
    if mustWrite || !copies.isEmpty { isDone = exporter.export(copies: copies, mustWrite: mustWrite) }
    guard isDone else { return }
    for version in merged { version.markResolved() }
    state.succeed()
    if let unreadable { state.problem = .file(unreadable) }
  }

  private func takeMissing() throws(AppStoreError) {
    // Whether there never was one, or it was deleted, or is about to come back: the exporter's write looks closer, and
    // puts the app's rows there again.
    let isEmpty = try state.store.items().isEmpty
    if state.base != nil || !isEmpty {
      exporter.export(mustWrite: true)
    } else {
      state.succeed()
    }
  }

  private func takeUnreadable(_ error: ListFileError, _ date: Int64?) {
    if let date, case .dropped = state.loopGuard.judgeImport(date: date, at: state.now) { return }
    state.fail(.file(error.message), again: state.signals.lookAtFile)
  }
}
