// Whether another program has saved the list without an edit that we acknowledged a short while before.
//
// The history has what we wrote. When the file is none of it, and our last edits are not older than 10 minutes, what they
// did is looked for in the file. What is missing is told once; nothing is put back by itself, for it may have been meant.

import Platform
import ShoppingList

extension Store {
  /// Nil when nothing is missing, or it was told before.
  ///
  /// - Parameter ours: the ids of versions that are ours, whether or not the history knows them.
  func noticeOfDroppedEdits(
    _ found: FoundList, _ document: Document, _ history: History?, ours: Set<String>
  ) -> Notice? {
    let now = syscalls.now()
    guard let history, let newest = history.names.first(where: { $0.replaced != nil }),
      (0...Self.memory).contains(appearance(found, after: newest, now: now) - newest.time.milliseconds)
    else { return nil }
    let id = found.id
    if comparedSaves.newest != newest.id { comparedSaves = (newest.id, []) }
    guard id != newest.id, !ours.contains(id), comparedSaves.saves.insert(id).inserted else { return nil }
    return notice(of: edits(upTo: newest, in: history), missingIn: [document], now: now, version: newest.id)
  }

  /// The same of versions that were merged with an edit in the moment of its exchange: a merge takes a row that is gone for
  /// one that was deleted. To be asked before the history has the edit; what the merge has kept is not missing.
  func noticeOfDroppedEdits(met: [Document], merged: Document, _ history: History?) -> Notice? {
    let now = syscalls.now()
    guard !met.isEmpty, let history, let newest = history.names.first(where: { $0.replaced != nil }),
      (0...Self.memory).contains(now - newest.time.milliseconds)
    else { return nil }
    let edits = edits(upTo: newest, in: history)
    return met.lazy.compactMap {
      self.notice(of: edits, missingIn: [$0, merged], now: now, version: newest.id)
    }.first
  }

  /// What all of these lists lack.
  private func notice(
    of edits: [(edit: AcknowledgedEdit, time: Instant)], missingIn lists: [Document], now: Int64,
    version: String
  ) -> Notice? {
    var missing = lists.map { $0.dropped(from: edits.map(\.edit)) }
    let first = missing.removeFirst()
    let losses = first.filter { loss in missing.allSatisfy { $0.contains(loss) } }.map {
      Notice.Loss(kind: $0.kind, age: max(0, now - edits[$0.edit].time.milliseconds))
    }
    return losses.isEmpty ? nil : .dropped(losses, version: version)
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
