// From the store to the file.
//
// `ChangeSignals.noteChange` asks for an export; after 0.5 s without another change, and if no layer of the guard drops
// it, the store's rows are put onto the list that was seen last, and that is merged with the list as the file has it
// under the lock. If the result says what the file says, nothing is written. Else it is written in the app's style. What
// others had changed meanwhile goes into the store at once.

import ShoppingList

public final class Exporter {
  private let state: SyncState

  init(_ state: SyncState) {
    self.state = state
  }

  /// Exports if an export is due.
  public func perform() {
    let now = state.now
    guard let cause = state.signals.takeExport(at: now) else { return }
    if case .dropped(let again) = state.loopGuard.judgeExport(at: now) { return state.signals.dropExport(again) }
    export(believing: cause == .event && !state.loopGuard.checks.contains(.revision))
  }

  /// - Parameters:
  ///   - believing: takes for granted that there is something to export, and exports all rows as they are.
  ///   - copies: versions of the list to merge in.
  ///   - mustWrite: conflict copies lie beside the file, to be put away by a write.
  /// - Returns: whether the list on the device has all of it.
  @discardableResult
  func export(believing: Bool = false, copies: [Document] = [], mustWrite: Bool = false) -> Bool {
    // What is to be merged besides is found again by who looks at the file.
    let again = copies.isEmpty && !mustWrite ? state.signals.lookAtStore : state.signals.lookAtFile
    do throws(AppStoreError) {
      try state.load()
      let local = try state.store.items()
      let isSame = state.base.map { $0.saysTheSame(as: local) } ?? local.isEmpty
      if isSame && !believing && copies.isEmpty && !mustWrite { return true }
      let comparison: Document.RowComparison = believing ? .stamps : .contents
      var meant = Meant()
      let written: FileVersion
      do throws(ListFileError) {
        written = try write(local, copies, believing, comparison, &meant)
      } catch {
        state.fail(.file(error.message), again: again)
        return false
      }
      // The store may have been changed meanwhile.
      let common = meant.common(written.document)
      let plan = Reconciler.reconcile(
        local: try state.store.items(), file: .list(common), base: meant.plan.ours ?? state.base, policy: .newestWins,
        now: state.time)
      if plan.changesStore {
        try state.apply(plan, date: nil, common: written.document)
      } else {
        try state.remember(written.document)
      }
      state.succeed()
      return true
    } catch {
      state.fail(.store(error.message), again: again)
      return false
    }
  }

  private func write(
    _ local: [Item], _ copies: [Document], _ believing: Bool, _ comparison: Document.RowComparison,
    _ meant: inout Meant
  ) throws(ListFileError) -> FileVersion {
    let base = state.base
    let now = state.time
    let keepsNewer = state.policy == .newestWins
    state.loopGuard.beginExport()
    var written: FileVersion?
    defer { state.loopGuard.endExport(at: state.now, date: written.flatMap { $0.isNew ? $0.date : nil }) }
    let version = try state.file.write { current in
      let file = current.map { .list($0.merging(copies: copies)) } ?? FileState.missing
      let plan = Reconciler.reconcile(
        local: local, file: file, base: base, policy: .newestWins, now: now, comparing: comparison,
        keepsNewer: keepsNewer)
      guard let document = plan.document else { return nil }
      let isNew = current.map { !document.shows(theSameAs: $0) } ?? plan.writesFile
      let hasCopies = !copies.isEmpty && current.map { !document.isEquivalent(to: $0) } ?? true
      meant = Meant(current: current, plan: plan, isWritten: isNew || believing || hasCopies)
      return meant.isWritten ? document.inAppStyle : nil
    }
    written = version
    return version
  }
}

/// What the last run of an edit made of the list.
private struct Meant {
  /// The list as it was given.
  var current: Document?
  var plan = Reconciliation()
  /// Whether the edit changed the list.
  var isWritten = false

  /// What the store is to have.
  ///
  /// - Parameter written: what the file has now. It comes from what the edit made, and others may have saved meanwhile.
  func common(_ written: Document) -> Document {
    guard !isWritten, let document = plan.document else { return written }
    // It says what the file says, but for stamps: a row that was edited elsewhere outlives its deletion in the store.
    return Document.merge(base: current, ours: document, theirs: written)
  }
}
