// One write, from the edit to the acknowledgement.
//
// Under both locks:
// 1. What earlier writes have left is cleared up. The conflict copies are read, then the list, last.
// 2. What lies beside the list is merged into it, the edit is applied, and the result encoded. If that is what the file
//    holds, nothing is written. Else it is read again and must be what was meant, before any file sees it.
// 3. What was read goes into the history, so that an undo has its aim, and a merge after a crash its base: what others
//    wrote is synced there. What an edit of ours wrote was synced when it was written; its file gets a second name beside
//    the list until all is done.
// 4. The list is replaced (Store+Replacing.swift), and the folder synced. Now the edit will last.
// 5. The history gets the new version. What this write has left is cleared up by the same rules as in 1, and the conflict
//    copies go to the archive.
// If the list, or the way to it, is another one by step 4, all begins again, for 2 s at most.

import Platform
import ShoppingList

/// What a write is to do besides its edit.
struct WriteRequest {
  /// The name, beside the list, of a file that is to be merged.
  var absorbed: String?
  /// Refuses rather than change what cannot be kept.
  var mustBeUndoable = false
}

/// What the attempts of one write know of each other.
struct WriteProgress {
  /// Whether the file was seen; if so, it is never taken for a new list.
  var foundIt = false
  /// When to give up, on the monotonic clock; nil before the first attempt has failed.
  var deadline: UInt64?
  /// What was put in place for a moment, and what was found to have been written there by then, which was no list.
  var overwritten: (ours: [UInt8], theirs: [UInt8])?
}

extension Store {
  /// Edits the list. An edit that leaves it as it was writes nothing, unless there are conflict copies to merge.
  ///
  /// - Parameter mustBeUndoable: for an edit that could lose the list: throws, with nothing changed, where the list as it
  ///   is cannot be kept in the history.
  package func write<Answer>(
    mustBeUndoable: Bool = false, _ edit: (inout Document, EditContext) -> Answer
  ) throws(StoreError) -> Written<Answer> {
    try write(WriteRequest(mustBeUndoable: mustBeUndoable), edit)
  }

  func write<Answer>(
    _ request: WriteRequest, _ edit: (inout Document, EditContext) -> Answer
  ) throws(StoreError) -> Written<Answer> {
    var progress = WriteProgress()
    while true {
      if let written = try attempt(request, edit, &progress) { return written }
      // Somebody else came between the reading and the writing.
      let now = syscalls.monotonic()
      let end = progress.deadline ?? now &+ Self.writePatience
      progress.deadline = end
      guard now < end else { throw StoreError(.keepsChanging, path: path) }
      try pause()
    }
  }

  /// Nil when the list, or the way to it, changed meanwhile, and nothing was done.
  private func attempt<Answer>(
    _ request: WriteRequest, _ edit: (inout Document, EditContext) -> Answer, _ progress: inout WriteProgress
  ) throws(StoreError) -> Written<Answer>? {
    let folder = try folderToWrite()
    return try lock.holding(folder) { (held) throws(StoreError) -> Written<Answer>? in
      guard try folder.isStillAt(path) else { return nil }
      let keeping = try Safekeeping(historyPlace, of: folder, isRequired: request.mustBeUndoable)
      var beside = try lookAround(folder, held, request, keeping)
      let (found, read) = try readList(in: folder, keeping, &progress)
      // A copy that has come since belongs to this list: an edit that knows what it was before (an app's) would else take
      // what the list lacks for deleted.
      guard try !folder.hasConflictCopies(besides: beside.copyNames) else { return nil }
      let compared = found.flatMap { comparison(of: $0, read, keeping.history, ours: beside.ours) }
      beside.notices += [compared?.notice].compactMap(\.self)
      let before = merge(beside, into: read, isNew: found == nil, keeping)
      if let notice = noticeOfDroppedEdits(
        met?.recent, metBy: (met?.lists ?? [:]).sorted { $0.key < $1.key }.map(\.value), merged: before,
        besides: beside.notices)
      {
        beside.notices.append(notice)
      }
      var edited = before
      let isNew = found == nil && beside.copies.isEmpty && beside.unmerged.isEmpty
      let answer = edit(&edited, context(keeping, isNew: isNew))
      // Not kept besides: it is changed where it is, when it is read again.
      var change = PendingChange(found: found, base: read, undone: before, ours: consume edited)
      var undo: String?
      if change.isNeeded {
        let isUndoable: Bool
        do throws(StoreError) {
          isUndoable = try prepare(&change, &beside, in: folder, keeping)
          let outcome = try replace(
            &change, in: folder, held, besides: beside.copyNames, until: progress.deadline)
          guard case .done = outcome else {
            folder.remove(change.aside)
            if case .overwritten(let theirs) = outcome { progress.overwritten = (change.bytes, theirs) }
            return nil
          }
        } catch {
          // What the next write is to merge needs what it was made from.
          if error.kind != .uncertain && error.kind != .unsettled { folder.remove(change.aside) }
          throw error
        }
        try folder.synchronize()
        undo = finish(change, &beside, isUndoable: isUndoable, in: folder, keeping)
      } else {
        clearUp(after: change, &beside, in: folder, keeping)
        putAwayCopies(&beside, in: folder, keeping)
      }
      noteTold(compared)
      met = nil
      beside.notices += beside.mergeNotices(absorbed: request.absorbed) + [keeping.notice].compactMap(\.self)
      let snapshot = Snapshot(
        document: change.ours, bytes: change.isNeeded ? change.bytes : found?.bytes, notices: beside.notices,
        modified: change.isNeeded ? change.versions.last?.status.modified : found?.status.modified)
      return Written(
        before: read, snapshot: snapshot, answer: answer, changed: change.isNeeded, undo: undo)
    }
  }

  private func readList(
    in folder: ListFolder, _ keeping: Safekeeping, _ progress: inout WriteProgress
  ) throws(StoreError) -> (FoundList?, Document) {
    let isKnown = keeping.history.map { !$0.names.isEmpty } ?? false
    let (found, document): (FoundList?, Document)
    do {
      (found, document) = try settled(within: Self.writePatience, isKnown: isKnown) { folder }
    } catch {
      guard case .invalid = error.kind, let (ours, theirs) = progress.overwritten else { throw error }
      func putAway(_ bytes: [UInt8], _ label: String) -> String? {
        let id = TemporaryName.hash(bytes)
        return keeping.putAway(bytes, id: id, label: label) ? id : nil
      }
      throw folder.error(
        .overwritten(
          ours: putAway(ours, "an edit that did not get into the list"),
          theirs: putAway(theirs, "written over the list, and no list")))
    }
    guard found != nil || !progress.foundIt else { throw folder.error(.vanished) }
    progress.foundIt = found != nil
    return (found, document)
  }

  private func context(_ keeping: Safekeeping, isNew: Bool) -> EditContext {
    var budget = Self.historyBudget
    return EditContext(
      now: Instant(milliseconds: syscalls.now()),
      newID: newID, isNew: isNew,
      formerSection: { [sectionMemory] name in
        sectionMemory.section(of: name, in: keeping.history?.names ?? [], budget: &budget) {
          keeping.document(ofID: $0.id)
        }
      })
  }

  /// All that must be so before the list is replaced.
  ///
  /// - Returns: whether the list without the edit is in the history.
  private func prepare(
    _ change: inout PendingChange, _ beside: inout Surroundings, in folder: ListFolder, _ keeping: Safekeeping
  ) throws(StoreError) -> Bool {
    if let found = change.found { try folder.mustBeWritable(found) }
    try check(&change, in: folder)
    let source = change.found.map {
      VersionSource(folder: folder.descriptor, name: folder.listName, status: $0.status)
    }
    // What is ours need not be kept for anybody: only a merge after a crash needs it, and that will find it beside the list.
    if let found = change.found, keeping.hasOurs(found.id) {
      change.aside = folder.layAside(
        found, for: change.version, of: lock.process, lastWritten: lastWritten?.status)
    }
    let isKept = try keeping.keepRead(
      change.foundBytes, id: change.foundID, source: source, isAside: change.aside != nil)
    change.isOnlyCopy = !isKept && historyPlace != .nowhere && !beside.ours.contains(change.foundID)
    renameForMerging(&beside.unmerged, displacing: change.foundID, in: folder, keeping)
    guard !change.undoneBytes.hasSameBytes(as: change.foundBytes) else { return isKept }
    return try keeping.keepRead(change.undoneBytes, id: change.undoneID, source: nil)
  }

  /// All that is to be done once the new version is in place, and will last. Nothing of it can fail the write any more.
  ///
  /// - Returns: the id by which the edit is undone.
  private func finish(
    _ change: PendingChange, _ beside: inout Surroundings, isUndoable: Bool, in folder: ListFolder,
    _ keeping: Safekeeping
  ) -> String? {
    sawList = true
    guard let version = change.versions.last else { return nil }
    for displaced in change.versions.dropLast() { _ = keeping.keepAside(displaced.bytes, id: displaced.id) }
    let undoneID = change.undoneID
    var isUndoable = isUndoable
    if !change.merged.isEmpty {
      beside.notices.append(.mergedOverlap)
      if let notice = noticeOfDroppedEdits(
        recentEdits(in: keeping.history), metBy: change.met, merged: change.ours, besides: beside.notices)
      {
        beside.notices.append(notice)
      }
      isUndoable = keeping.keepAside(change.undoneBytes, id: undoneID)
    }
    let isTold = keeping.keepWritten(
      change.bytes, id: version.id, replaced: change.isEdit ? undoneID : change.foundID,
      label: change.summary,
      source: VersionSource(folder: folder.descriptor, name: folder.listName, status: version.status))
    know(change.version, change.ours)
    lastWritten = (version.id, version.status)
    folder.remove(change.aside)
    // As long as the history does not have the version, the temporary files tell whose it is.
    if isTold { clearUp(after: change, &beside, in: folder, keeping) }
    putAwayCopies(&beside, in: folder, keeping)
    return isUndoable && change.isEdit ? undoneID : nil
  }
}
