import JSON

extension Document {
  /// Orders the sections: first these names, in this order, then the others as they stood. A name that exists in another
  /// spelling is that section; one that does not is new.
  ///
  /// - Parameter droppingEmpty: leaves out sections that are not named here and hold no item.
  /// - Returns: whether anything was changed.
  package mutating func arrangeSections(_ names: [String], droppingEmpty: Bool) -> Bool {
    var seen: Set<FoldedName> = []
    var arranged: [String] = []
    for name in names {
      let key = FoldedName(name)
      if key.isEmpty || !seen.insert(key).inserted { continue }
      arranged.append(sections.first { FoldedName($0) == key } ?? name)
    }
    let used = Set(rows.compactMap { $0.item.map { FoldedName($0.section) } })
    for name in sections where !seen.contains(FoldedName(name)) {
      if droppingEmpty && !used.contains(FoldedName(name)) { continue }
      arranged.append(name)
    }
    guard arranged != sections else { return false }
    // Entries that name no section are not understood, so they stay; a section's own entry keeps its text.
    let entries = sectionEntries ?? []
    var byName: [FoldedName: JSONValue] = [:]
    for entry in entries {
      if let name = entry.string, byName[FoldedName(name)] == nil { byName[FoldedName(name)] = entry }
    }
    sectionEntries =
      arranged.map { byName[FoldedName($0)] ?? JSONValue($0) }
      + entries.filter { $0.string.map { FoldedName.isBlank($0) } ?? true }
    sections = arranged
    isEdited = true
    return true
  }
}
