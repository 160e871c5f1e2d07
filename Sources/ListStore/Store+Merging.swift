// What lies beside the list and belongs to it: conflict copies, and what an interrupted write has not merged.

import Platform
import ShoppingList

extension Store {
  /// How much of the history is read for one purpose, in bytes: enough for thousands of items in every version, and soon
  /// done even on a slow disk.
  static let historyBudget = 8 << 20

  /// Opens the history for reading. A history that cannot be read is as none: nothing is lost by that.
  func openHistory(of folder: ListFolder) -> History? {
    guard case .folder(let place) = historyPlace else { return nil }
    do {
      return try History(in: place, ofList: folder.listPath, with: syscalls, making: false)
    } catch {
      return nil
    }
  }

  /// The list with these copies, of which nobody knows what they were made from.
  ///
  /// - Parameter history: for the deletions that the list has forgotten; asked for only where there is something to merge.
  func merge(_ copies: [Document], into document: Document, _ history: () -> History?) -> Document {
    guard !copies.isEmpty else { return document }
    return recalling(document, from: history()).merging(copies: copies)
  }

  /// The list with all that a write must take in.
  ///
  /// - Parameter isNew: there is no list: what an interrupted write left is all that is known of it, and no deletion.
  func merge(
    _ surroundings: Surroundings, into document: Document, isNew: Bool, _ keeping: Safekeeping
  ) -> Document {
    guard !surroundings.unmerged.isEmpty || !surroundings.copies.isEmpty else { return document }
    var merged = recalling(document, from: keeping.history)
    let copies = Set(surroundings.copies.map(\.id))
    for version in surroundings.unmerged {
      // What a sync service put in the place of a version that it laid aside as a copy was not made from that version.
      let isForeign = version.bases.contains(where: copies.contains)
      let base = isNew || isForeign ? nil : keeping.document(ofFirst: version.bases)
      merged = Document.merge(base: base, ours: merged, theirs: version.theirs)
    }
    merged = merged.merging(copies: surroundings.copies.map(\.document))
    return merged.isEquivalent(to: document) ? document : merged
  }

  private func recalling(_ document: Document, from history: History?) -> Document {
    guard let history else { return document }
    var recalling = document
    recalling.recallTombstones(of: versions(in: history))
    return recalling
  }

  /// The newest versions in the history, as far as the budget goes and they can be read, the newest first.
  private func versions(in history: History) -> [Document] {
    var bytesLeft = Self.historyBudget
    var versions: [Document] = []
    for name in history.names {
      bytesLeft -= name.size
      guard bytesLeft >= 0 else { break }
      do {
        if let version = try history.document(ofID: name.id) { versions.append(version) }
      } catch {
        break
      }
    }
    return versions
  }
}
