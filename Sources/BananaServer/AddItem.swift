import ListStore
import MCP
import ShoppingList

/// `add_item`: puts one or many items on the list, and never makes two rows of one thing by itself.
struct AddItem {
  let store: Store

  private static let name = Field.text(
    "name", "What to buy, such as Bananas; the amount goes into amount.", limit: TextLimit.name)
  private static let optional = Field.flag(
    "optional", "true: nice to have, not needed.", falseIsAbsent: true)
  private static let items = Field.rows(
    "items", fields: [name, ItemFields.amount, ItemFields.section, optional],
    "Several items in one call: [{\"name\": \"Milk\", \"amount\": \"2 l\"}, …]. Fields beside items are defaults for each.",
    nameField: "name")
  private static let allowDuplicate = Field.flag(
    "allow_duplicate", "true: add it even if it is on the list already.", falseIsAbsent: true)

  var tool: Tool {
    Tool(
      name: "add_item", title: "Add items",
      description: """
        Adds items to the shopping list: one by name, or many by items, in one call (all ingredients of a recipe, say). \
        What is already on the list is not added again: the answer then begins with NOT ADDED and shows the item there, \
        so that its amount can be set with update_item. What was bought before comes back on the list. Leave section \
        out if unsure: an item goes where it was before. Amounts go into amount, not into the name.
        """,
      hints: .init(readOnly: false, destructive: false, idempotent: false, openWorld: false),
      fields: [
        Self.name, ItemFields.amount, ItemFields.section, Self.optional, Self.items, Self.allowDuplicate,
      ],
      unknownArguments: .refused(aliases: argumentAliases), outputSchema: WriteReport.outputSchema
    ) { arguments, _ throws(ToolFailure) in
      .done(try run(arguments))
    }
  }

  private func run(_ arguments: Arguments) throws(ToolFailure) -> ToolResult {
    let allowsDuplicate = try arguments.value(of: Self.allowDuplicate) ?? false
    var additions: [Addition] = []
    let entries = try arguments.entries(
      in: Self.items, defaults: [ItemFields.amount, ItemFields.section, Self.optional])
    for entry in entries {
      guard let name = try entry.value(of: Self.name), !FoldedName.isBlank(name) else {
        throw entry.refusal("name is missing: say what to add. Nothing was changed.")
      }
      additions.append(
        Addition(
          name: name, amount: clearable(try entry.value(of: ItemFields.amount)),
          section: clearable(try entry.value(of: ItemFields.section)),
          optional: try entry.value(of: Self.optional), allowsDuplicate: allowsDuplicate))
    }
    let (written, (outcomes, sectionsBefore)) = try store.edit { document, context in
      let sections = document.sections
      return (document.add(additions, in: context), sections)
    }
    return report(outcomes, sectionsBefore: sectionsBefore, written: written)
  }

  private func report(_ outcomes: [Added], sectionsBefore: [String], written: Edited) -> ToolResult {
    var report = WriteReport()
    var back: [Item] = []
    for outcome in outcomes {
      switch outcome {
      case .new(let item): report.added.append(item)
      case .backOnList(_, let item):
        report.updated.append(item)
        back.append(item)
      case .alreadyThere(let item): report.unchanged.append(item)
      }
    }
    report.sentences += report.unchanged.map { item in
      let place = item.section.isEmpty ? "" : " in \(oneLine(item.section))"
      let amount = item.amount.isEmpty ? "without an amount" : "with the amount \(quoted(item.amount))"
      return "NOT ADDED: \(item.shownName) is already on the list\(place), \(amount). "
        + "To set a new total: update_item with name \(quoted(item.name)) and amount."
    }
    if !report.added.isEmpty { report.sentences.append("Added \(placed(report.added)).") }
    if !back.isEmpty { report.sentences.append("Back on the list: \(placed(back)).") }
    report.mention(newSectionsIn: written.snapshot.document.sections, before: sectionsBefore)
    return report.result(of: written)
  }

  /// `Bananas (6) and Apples to Produce; Milk`.
  private func placed(_ items: [Item]) -> String {
    var order: [String] = []
    var bySection: [String: [Item]] = [:]
    for item in items {
      if bySection[item.section] == nil { order.append(item.section) }
      bySection[item.section, default: []].append(item)
    }
    return order.map { section in
      enumerated(bySection[section, default: []].map(\.shown), limit: 500)
        + (section.isEmpty ? "" : " in \(oneLine(section))")
    }.joined(separator: "; ")
  }
}
