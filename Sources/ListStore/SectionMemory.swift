// Which section an item stood in when it was last on the list.
//
// Asked for one name after the other, it goes back through the versions of the list only as far as it must, and reads each
// of them once in the life of its store: none at all until it is asked, and after that, as a rule, the one that the last
// edit made.

import ShoppingList

final class SectionMemory {
  /// Where each item stood last, and in which version.
  private var known: [FoldedName: (section: String, number: Int)] = [:]
  /// The numbers of the versions that were read.
  private var read: Set<Int> = []

  /// - Parameters:
  ///   - versions: the newest first.
  ///   - budget: how many bytes to read at most.
  ///   - document: reads a version; nil where it cannot be read.
  /// - Returns: nil when none of the versions is known to have the item; empty when it stood in no section.
  func section(
    of name: FoldedName, in versions: [VersionName], budget: inout Int, document: (VersionName) -> Document?
  ) -> String? {
    for version in versions {
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
