// Whether another program has saved the list without an edit that we acknowledged a short while before.
//
// The history has what we wrote. When the file is none of it, and our last edits are not older than 10 minutes, what they
// did is looked for in the file. What is missing is told once; nothing is put back by itself, for it may have been meant.

import Platform
import ShoppingList

/// A save of another program's that was looked through for dropped edits.
struct ComparedSave {
  /// The hash of what it saved.
  let id: String
  /// The id of our newest version by then.
  let newest: String
  /// What is to be told of it.
  let notice: Notice?
}

/// What we did lately, the oldest first, and the id of our newest version.
struct RecentEdits {
  let edits: [(edit: AcknowledgedEdit, time: Instant)]
  let newest: String
}

extension Store {
  /// Nil when there is nothing to compare it with, or it is ours, or what it lacks was told before.
  ///
  /// - Parameter ours: the ids of versions that are ours, whether or not the history knows them.
  func comparison(
    of found: FoundList, _ document: Document, _ history: History?, ours: Set<String>
  ) -> ComparedSave? {
    let now = syscalls.now()
    guard let history, let newest = newestOfOurs(in: history),
      (0...Self.memory).contains(appearance(found, after: newest, now: now) - newest.time.milliseconds)
    else { return nil }
    let id = found.id
    guard id != newest.id, !ours.contains(id),
      comparedSaves.newest != newest.id || !comparedSaves.saves.contains(id)
    else { return nil }
    let recent = RecentEdits(edits: edits(upTo: newest, in: history), newest: newest.id)
    return ComparedSave(
      id: id, newest: newest.id, notice: notice(of: recent, missingIn: [document], now: now))
  }

  /// What is missing is told once: to be called when it is sure to be told. An attempt that comes to nothing tells nobody.
  func noteTold(_ save: ComparedSave?) {
    guard let save else { return }
    if comparedSaves.newest != save.newest { comparedSaves = (save.newest, []) }
    comparedSaves.saves.insert(save.id)
  }

  /// The same of versions that were merged, with an edit in the moment of its exchange or after a crash: a merge takes a
  /// row that is gone for one that was deleted. What it has kept is not missing.
  ///
  /// - Parameter recent: our edits as they were before the history had the merged list.
  func noticeOfDroppedEdits(
    _ recent: RecentEdits?, metBy met: [Document], merged: Document, besides notices: [Notice]
  ) -> Notice? {
    guard let recent, !met.isEmpty else { return nil }
    return notice(of: recent, missingIn: met, and: merged, now: syscalls.now(), besides: notices)
  }

  /// Nil where there are none within the time.
  func recentEdits(in history: History?) -> RecentEdits? {
    guard let history, let newest = newestOfOurs(in: history),
      (0...Self.memory).contains(syscalls.now() - newest.time.milliseconds)
    else { return nil }
    return RecentEdits(edits: edits(upTo: newest, in: history), newest: newest.id)
  }

  private func newestOfOurs(in history: History) -> VersionName? {
    history.names.first { $0.replaced != nil }
  }

  /// What one of these lists lacks, and the one that came of them.
  private func notice(
    of recent: RecentEdits, missingIn lists: [Document], and merged: Document? = nil, now: Int64,
    besides notices: [Notice] = []
  ) -> Notice? {
    let edits = recent.edits.map(\.edit)
    var missing: [DroppedEdit] = []
    for list in lists {
      for loss in list.dropped(from: edits) where !missing.contains(loss) { missing.append(loss) }
    }
    if let merged {
      let still = Set(merged.dropped(from: edits))
      missing.removeAll { !still.contains($0) }
    }
    let told = Set(notices.flatMap(\.losses).map(\.kind))
    let losses = missing.filter { !told.contains($0.kind) }.map {
      Notice.Loss(kind: $0.kind, age: max(0, now - recent.edits[$0.edit].time.milliseconds))
    }
    return losses.isEmpty ? nil : .dropped(losses, version: recent.newest)
  }

  /// When the other program saved it, in Unix milliseconds: as the file says, if it can be right.
  private func appearance(_ found: FoundList, after edit: VersionName, now: Int64) -> Int64 {
    let saved = found.status.modified / 1_000_000
    return edit.time.milliseconds <= saved && saved <= now ? saved : now
  }

  /// Our edits within the time before the newest, the oldest first, as far as their versions can be read.
  private func edits(
    upTo newest: VersionName, in history: History
  ) -> [(edit: AcknowledgedEdit, time: Instant)] {
    var bytesLeft = Self.historyBudget
    var edits: [(edit: AcknowledgedEdit, time: Instant)] = []
    for name in history.names {
      guard let replaced = name.replaced else { continue }
      bytesLeft -= 2 * name.size
      guard bytesLeft >= 0, newest.time.milliseconds - name.time.milliseconds <= Self.memory else { break }
      do {
        guard let before = try history.document(ofID: replaced),
          let after = try history.document(ofID: name.id)
        else { break }
        edits.append((AcknowledgedEdit(before: before, after: after), name.time))
      } catch {
        break
      }
    }
    return edits.reversed()
  }

  /// How long an edit is looked for, in milliseconds.
  private static let memory: Int64 = 600_000
}
