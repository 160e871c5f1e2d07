// The app's store and the file, brought together: what has to be done to either. Pure.
//
//     let plan = Reconciler.reconcile(local: rows, file: .list(read), base: lastSeen, policy: .newestWins, now: now)
//     try store.delete(ids: plan.deletes) …
//     if plan.writesFile { … plan.document … }
//
// The base is the list that the app saw last. With it nothing has to be guessed: a row that only the store has was
// typed here if the base lacks it, and deleted elsewhere if the base has it unchanged. Without one, on the first run or
// after the app's data was lost, the policy decides.

import ShoppingList

/// What a store and a file that meet without a base are worth.
public enum ReconciliationPolicy: Hashable, Sendable {
  /// The file is right: its values overwrite the store's, and rows that it lacks are deleted. Changes that the store has
  /// over the base are merged all the same, or the row that was just typed would go.
  case fileWins
  /// The later `lastModified` is right, row by row, and nothing goes but by a tombstone: the merge of two copies of a
  /// list. Also with a base a row of the file that is older than the base's is an older version, and no change: so a
  /// sync service that sets the file back for a moment takes nothing back, and neither does who copies an old file over it
  /// by hand.
  case newestWins
}

/// What is in the file's place.
public enum FileState: Sendable {
  /// A list, with all its conflict copies and versions merged in.
  case list(Document)
  /// No file.
  case missing
  /// Zero bytes, blanks, half a file, no list, or nothing that could be read. It is taken for a broken copy, never for an
  /// empty list.
  case unusable
}

/// What is to be done.
public struct Reconciliation: Sendable {
  /// Rows that the store lacks.
  public internal(set) var inserts: [Item] = []
  /// Rows of the store that get these values.
  public internal(set) var updates: [Item] = []
  /// The ids of rows that go, spelled as in the store.
  public internal(set) var deletes: [String] = []
  /// The list as both are to have it; nil where the file is unusable.
  public internal(set) var document: Document?
  /// Whether the file has to be written with it: whether it says something else than the file does. Stamps alone make no
  /// difference.
  public internal(set) var writesFile = false

  /// The list that the store alone makes of the base; nil where it was not needed.
  var ours: Document?

  /// Whether the store has to be changed.
  public var changesStore: Bool { !inserts.isEmpty || !updates.isEmpty || !deletes.isEmpty }
}

/// See the head of this file.
public enum Reconciler {
  /// - Parameters:
  ///   - local: all rows of the app's store.
  ///   - file: what is in the file's place.
  ///   - base: the list that both had in common when the app saw it last; nil where that is not known.
  ///   - policy: what counts where there is no base.
  ///   - now: stamps what has no stamp: deletions, rows that the store did not stamp, and rows of the file that nobody
  ///     has, as they go into the store.
  public static func reconcile(
    local: [Item], file: FileState, base: Document?, policy: ReconciliationPolicy, now: Instant
  ) -> Reconciliation {
    reconcile(local: local, file: file, base: base, policy: policy, now: now, comparing: .contents)
  }

  /// - Parameters:
  ///   - comparison: whether a row of the store that has nothing but a later stamp was changed.
  ///   - keepsNewer: whether a row of the file that is older than the base's is no change; nil: as the policy says.
  static func reconcile(
    local: [Item], file: FileState, base: Document?, policy: ReconciliationPolicy, now: Instant,
    comparing comparison: Document.RowComparison, keepsNewer: Bool? = nil
  ) -> Reconciliation {
    var plan = Reconciliation()
    switch file {
    case .unusable:
      break
    case .missing:
      // Nobody deletes a list row by row by deleting its file: what the app has is put there again.
      plan.ours = (base ?? Document()).withRows(of: local, comparing: comparison, now: now) { _ in now }
      plan.document = plan.ours
      plan.writesFile = !local.isEmpty
    case .list(let file):
      let merged: Document
      let isPending = base.map { !$0.saysTheSame(as: local) } ?? false
      if policy == .fileWins, !isPending, !isGuarded(file, base, local) {
        merged = file
      } else {
        let known = Set(file.items.map { ItemID.Key($0.id) })
        let ours = (base ?? Document()).withRows(of: local, comparing: comparison, now: now) {
          // A row of which nobody knows when it was changed must not win against one of which somebody does.
          known.contains($0) ? Instant(milliseconds: 0) : now
        }
        plan.ours = ours
        let isKeeping = keepsNewer ?? (policy == .newestWins)
        merged = Document.merge(
          base: base, ours: ours, theirs: isKeeping ? base.map(file.withoutSetBacks) ?? file : file)
      }
      plan.document = merged
      plan.writesFile = !merged.shows(theSameAs: file)
      plan.take(merged, into: local, now: now)
    }
    return plan
  }

  /// An empty list may be a broken backup. It deletes what it has a tombstone for, or what the app has seen in the file;
  /// the rest is merged.
  private static func isGuarded(_ file: Document, _ base: Document?, _ local: [Item]) -> Bool {
    guard file.items.isEmpty else { return false }
    let known = file.deletedKeys.union(base?.items.map { ItemID.Key($0.id) } ?? [])
    return !local.allSatisfy { known.contains(ItemID.Key($0.id)) }
  }
}

extension Reconciliation {
  /// What makes the store say what the list says.
  fileprivate mutating func take(_ list: Document, into local: [Item], now: Instant) {
    var rows: [ItemID.Key: Item] = [:]
    for item in local {
      // Two rows with one id are one row in the list: the first is made to say what that says, the others go.
      if rows[ItemID.Key(item.id)] == nil { rows[ItemID.Key(item.id)] = item }
    }
    for var item in list.items {
      item.lastModified = item.lastModified ?? now
      guard let row = rows.removeValue(forKey: ItemID.Key(item.id)) else {
        inserts.append(item)
        continue
      }
      if row.saysTheSame(as: item) { continue }
      item.id = row.id
      updates.append(item)
    }
    deletes = local.filter { rows[ItemID.Key($0.id)] != nil && !FoldedName.isBlank($0.name) }.map(\.id)
  }
}
