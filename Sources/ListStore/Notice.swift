// What is no error, and what the user should know all the same: a sentence each, with what to do about it.

import ShoppingList

/// Something that was found or done beside what was asked for.
package enum Notice: Hashable, Sendable {
  /// Conflict copies that are merged into what is shown, and not into the file yet.
  case showsCopies([String])
  /// Conflict copies that were merged into the file.
  case mergedCopies([String])
  /// Another program saved the list during the edit, or during one that was interrupted.
  case mergedOverlap
  /// A file by the name of a conflict copy that cannot be merged.
  case unusableCopy(name: String, why: String)
  /// Files that may be copies of the list, or a person's own.
  case possibleCopies([String], folder: String)
  /// A file that was to go to the archive and stays where it is.
  case notPutAway(name: String)
  /// A left-over that cannot be read, or not be removed.
  case unreadableLeftOver(name: String)
  /// Why the history does not have what it should.
  case noHistory(String)
  /// Acknowledged edits that a save of another program lacks.
  case dropped([Loss], version: String)

  /// An acknowledged edit that is not in the list any more.
  package struct Loss: Hashable, Sendable {
    package let kind: DroppedEdit.Kind
    /// How long ago it was made, in milliseconds.
    package let age: Int64
  }

  /// The edits that it tells of, if it tells of edits.
  var losses: [Loss] {
    if case .dropped(let losses, _) = self { losses } else { [] }
  }

  /// Names of files and of items stand in it as they are: who shows it sees to it that they stay on one line.
  package var message: String {
    switch self {
    case .showsCopies(let names):
      "The sync service left \(counted(names, "conflict copy", "conflict copies")) beside the list (\(listed(names))); "
        + "what they hold is merged into what is shown here, and the next edit writes it into the list."
    case .mergedCopies(let names):
      "The sync service had left \(counted(names, "conflict copy", "conflict copies")) beside the list "
        + "(\(listed(names))); merged into the list."
    case .mergedOverlap: "Another program saved the list at the same time; both edits are in it."
    case .unusableCopy(let name, let why):
      "\(name), beside the list, is named like a conflict copy of it, and \(why). It was left alone."
    case .possibleCopies(let names, let folder):
      "Beside the list there is \(listed(names)): if that is a copy of the list with edits of its own, merge it by "
        + "get-bananas absorb \"\(folder)/\(names.first ?? "")\"; else rename it."
    case .notPutAway(let name):
      "\(name), beside the list, is no longer needed and could not be moved to the archive; it was left where it is."
    case .unreadableLeftOver(let name):
      "\(name), beside the list, was left by an interrupted write, and can neither be read nor removed. Look at it, "
        + "then delete it."
    case .noHistory(let why):
      "The history of the list could not be written (\(why)): the list as it was may be lost."
    case .dropped(let losses, let version):
      "Another program saved the list without \(losses.map(\.message).joined(separator: ", ")). It may have meant to. "
        + "To bring it back, do it again, or restore \"\(version)\", the list as it was then."
    }
  }

  private func counted(_ names: [String], _ one: String, _ many: String) -> String {
    names.count == 1 ? "a \(one)" : "\(names.count) \(many)"
  }

  private func listed(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }
}

extension Notice.Loss {
  var message: String {
    switch kind {
    case .added(let item): "the \(item.name) added \(ago)"
    case .changed(let item): "the change to \(item.name) made \(ago)"
    case .removed(let item): "the removal of \(item.name) made \(ago)"
    }
  }

  private var ago: String {
    let minutes = age / 60_000
    return minutes < 1 ? "less than a minute ago" : "\(minutes) minute\(minutes == 1 ? "" : "s") ago"
  }
}
