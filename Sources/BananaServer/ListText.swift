import ShoppingList

/// The list as people read it: sections in their order, a line a row, ticks.
///
///     Produce
///     - [ ] Bananas (6)
///     - [x] Apples
///
///     Dairy
///     - [ ] Milk (2 l), optional
///
/// Rows without a section come last, under `No section` where there are sections at all. An id stands behind a name that
/// occurs twice on the list, since the name alone does not say which.
struct ListText {
  /// The rows to show, in the list's order.
  let items: [Item]
  /// The list's sections, in their order.
  let sections: [String]
  /// The names that several rows of the whole list have.
  let ambiguous: Set<FoldedName>

  /// Names that occur more than once among `items`.
  static func ambiguousNames(of items: [Item]) -> Set<FoldedName> {
    var seen: Set<FoldedName> = []
    var twice: Set<FoldedName> = []
    for item in items {
      let name = FoldedName(item.name)
      if !seen.insert(name).inserted { twice.insert(name) }
    }
    return twice
  }

  /// Whether the name does not say which row is meant.
  func isAmbiguous(_ item: Item) -> Bool { !ambiguous.isEmpty && ambiguous.contains(FoldedName(item.name)) }

  /// The rows by section, sections without rows left out; `title` is nil for rows without a section where no row has one.
  var groups: [(title: String?, items: [Item])] {
    var bySection: [String: [Item]] = [:]
    for item in items { bySection[item.section, default: []].append(item) }
    var groups: [(title: String?, items: [Item])] = sections.compactMap { section in
      bySection[section].map { (oneLine(section), $0) }
    }
    if let rest = bySection[""] { groups.append((groups.isEmpty ? nil : "No section", rest)) }
    return groups
  }

  /// A line for each section and row; a Markdown heading (`## Produce`) for a section if asked for.
  func lines(markdown: Bool = false) -> [String] {
    var lines: [String] = []
    for group in groups {
      if !lines.isEmpty { lines.append("") }
      if let title = group.title { lines += markdown ? heading(title) : [title] }
      lines += group.items.map { line($0, markdown: markdown) }
    }
    return lines
  }

  /// The Markdown heading of a section.
  func heading(_ section: String) -> [String] { ["## \(escaped(oneLine(section)))", ""] }

  private func line(_ item: Item, markdown: Bool) -> String {
    var text = "- [\(item.checked ? "x" : " ")] \(markdown ? escaped(item.shown) : item.shown)"
    if item.optional { text += markdown ? " *optional*" : ", optional" }
    if !markdown && isAmbiguous(item) { text += " [id \(oneLine(item.id))]" }
    return text
  }

  /// What Markdown would take for markup, escaped, so that a name shows as it is.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if #"\`*_[]<>#|~"#.contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}

/// `3 items: 2 to buy, 1 bought`.
func tally(_ list: Document) -> String {
  let (items, bought) = list.counts
  return "\(counted(items)): \(items - bought) to buy, \(bought) bought"
}
