// Which section an item stood in when it was last on the list.
//
// Asked for one name after the other, it goes back through the versions of the list only as far as it must, and reads each
// of them once in the life of its store: none at all until it is asked. Versions that the store has had in its hands are not
// read at all: from one to the next it is told what went. It forgets all of that when it is too much, and reads again.

import ShoppingList

final class SectionMemory {
  /// Where each item stood last, and in which version.
  private(set) var known: [FoldedName: (section: String, number: Int)] = [:]
  /// The numbers of the versions that were read.
  private var read: Set<Int> = []
  /// The ids of the versions whose items are on the list now, or were noted when they went.
  private var followed: Set<String> = []
  /// The greatest number of a version that was seen.
  private var newest = 0

  /// Notes what went from the list.
  ///
  /// - Parameters:
  ///   - earlier: the list as the store knew it; nil where it has not known any.
  ///   - later: the list as it is now, and the id of its version.
  func follow(from earlier: Document?, to later: Document, id: String) {
    followed.insert(id)
    guard let earlier else { return }
    let difference = later.difference(from: earlier)
    let renamed = difference.changed.filter { $0.before.name != $0.after.name }.map(\.before)
    for item in difference.removed + renamed { known[FoldedName(item.name)] = (item.section, newest) }
    // A server may live for months, and see ever new names come and go.
    if known.count > Self.mostKnown, known.count > Self.mostKnown + 2 * later.counts.items {
      known = [:]
      read = []
      followed = [id]
    }
  }

  /// More than a history ever holds.
  private static let enough = 200
  /// How many items are remembered besides those that the history of the list may have now.
  private static let mostKnown = 10_000

  /// - Parameters:
  ///   - versions: the newest first.
  ///   - budget: how many bytes to read at most.
  ///   - document: reads a version; nil where it cannot be read.
  /// - Returns: nil when none of the versions is known to have the item; empty when it stood in no section.
  func section(
    of name: FoldedName, in versions: [VersionName], budget: inout Int, document: (VersionName) -> Document?
  ) -> String? {
    if followed.count > Self.enough { followed.formIntersection(versions.map(\.id)) }
    newest = max(newest, versions.first?.number ?? 0)
    for version in versions where !followed.contains(version.id) {
      if let found = known[name], found.number >= version.number { return found.section }
      if read.contains(version.number) { continue }
      budget -= version.size
      guard budget >= 0 else { break }
      read.insert(version.number)
      for item in document(version)?.items ?? [] {
        let name = FoldedName(item.name)
        if known[name].map({ $0.number < version.number }) ?? true {
          known[name] = (item.section, version.number)
        }
      }
    }
    return known[name]?.section
  }
}
