// Adding items, without making two of one.

/// An item to add. What is nil was not given: the section is then the one that the item had before.
package struct Addition: Hashable, Sendable {
  package var name: String
  package var amount: String?
  package var section: String?
  package var optional: Bool?
  /// Add it even if it stands on the list already.
  package var allowsDuplicate: Bool

  package init(
    name: String, amount: String? = nil, section: String? = nil, optional: Bool? = nil,
    allowsDuplicate: Bool = false
  ) {
    self.name = name
    self.amount = amount
    self.section = section
    self.optional = optional
    self.allowsDuplicate = allowsDuplicate
  }
}

/// What became of an item to add.
package enum Added: Hashable, Sendable {
  /// A new row.
  case new(Item)
  /// It stood there as bought, and is to be bought again.
  case backOnList(before: Item, after: Item)
  /// It stands there already, still to buy: nothing was changed.
  case alreadyThere(Item)
}

extension Document {
  /// Adds items in order, so that a second Milk in one call meets the first.
  ///
  /// A name that is on the list, in whatever section, is not added again: an unchecked row stays as it is, else the
  /// checked one that was stamped last goes back on the list with what is given. A section in another spelling is the
  /// one that exists; a new one comes last.
  package mutating func add(_ additions: [Addition], in context: EditContext) -> [Added] {
    var index = RowIndex(rows, names: additions.map(\.name))
    let conventions = conventions()
    var outcomes: [Added] = []
    for addition in additions {
      let positions = index.positions(ofName: addition.name)
      let namesakes = positions.compactMap { position in rows[position].item.map { (position, $0) } }
      if !addition.allowsDuplicate {
        if let (_, item) = namesakes.first(where: { !$0.1.checked }) {
          outcomes.append(.alreadyThere(item))
          continue
        }
        if let (position, before) = Self.latest(of: namesakes) {
          let changes = ItemChanges(
            amount: addition.amount, section: addition.section.map { place(inSection: $0) },
            optional: addition.optional, checked: false)
          _ = rows[position].apply(changes, now: context.now, conventions: conventions)
          isEdited = true
          outcomes.append(.backOnList(before: before, after: rows[position].item ?? before))
          continue
        }
      }
      let section =
        addition.section ?? Self.latest(of: namesakes)?.1.section
        ?? context.formerSection(FoldedName(addition.name)) ?? ""
      let row = Row(
        new: Item(
          id: context.newID(), name: addition.name, amount: addition.amount ?? "",
          section: place(inSection: section), optional: addition.optional ?? false),
        stamp: context.now, conventions: conventions)
      guard let item = row.item else { continue }
      index.insert(item, at: rows.count)
      rows.append(row)
      isEdited = true
      outcomes.append(.new(item))
    }
    return outcomes
  }

  /// The section to use for a name: the one that exists in another spelling, else itself, put behind the others.
  mutating func place(inSection name: String) -> String {
    let key = FoldedName(name)
    if key.isEmpty { return "" }
    if let known = sections.first(where: { FoldedName($0) == key }) { return known }
    sections.append(name)
    return name
  }

  /// The one stamped last; of equals, and of those without a stamp, the last in the list.
  private static func latest(of items: [(Int, Item)]) -> (Int, Item)? {
    items.max { left, right in
      let stamps = (left.1.lastModified?.milliseconds ?? -1, right.1.lastModified?.milliseconds ?? -1)
      return stamps == (stamps.1, stamps.0) ? left.0 < right.0 : stamps.0 < stamps.1
    }
  }
}
