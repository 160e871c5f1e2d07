// Which section an item stood in when it was last on the list.
//
// Asked for one name after the other, it goes back through the versions of the list only as far as it must, reads none of
// them twice, and reads none at all until it is asked.

import ShoppingList

final class SectionMemory {
  private var versions: AnyIterator<Document>?
  private let open: () -> AnyIterator<Document>
  private var known: [FoldedName: String] = [:]

  /// - Parameter versions: the newest first; called at the first question.
  init(_ versions: @escaping () -> AnyIterator<Document>) {
    open = versions
  }

  /// Nil when none of the versions has the item; empty when it stood in no section.
  func section(of name: FoldedName) -> String? {
    let versions = versions ?? open()
    self.versions = versions
    while true {
      if let section = known[name] { return section }
      guard let version = versions.next() else { return nil }
      for item in version.items {
        let name = FoldedName(item.name)
        if known[name] == nil { known[name] = item.section }
      }
    }
  }
}
