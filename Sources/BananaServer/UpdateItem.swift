import ListStore
import MCP
import ShoppingList

/// `update_item`: changes items that are on the list; ticking off is the change made most.
struct UpdateItem {
  let store: Store

  private static let newName = Field.text("new_name", "A new name for it.", limit: TextLimit.name)
  private static let checked = Field.flag("checked", "true: bought, ticked off; false: to buy again.")
  private static let optional = Field.flag("optional", "true: nice to have; false: needed.")
  private static let items = Field.rows(
    "items",
    fields: [
      ItemFields.id, ItemFields.targetName, newName, ItemFields.amount, ItemFields.section, checked, optional,
    ],
    "Several items in one call: [{\"name\": \"Milk\"}, …] with what to change in each, or beside items for all.",
    nameField: "name")

  var tool: Tool {
    Tool(
      name: "update_item", title: "Change items",
      description: """
        Changes items on the shopping list: checked true ticks off what was bought, amount sets a new amount (the total, \
        not what comes on top), section moves, new_name renames. One item by name, or several by items in one call, e.g. \
        {"items": [{"name": "Milk"}, {"name": "Eggs"}], "checked": true}. A name that fits nothing, or several items, \
        changes nothing and is answered with what is near.
        """,
      hints: .init(readOnly: false, destructive: false, idempotent: true, openWorld: false),
      fields: [
        ItemFields.targetName, ItemFields.id, Self.checked, ItemFields.amount, ItemFields.section,
        Self.newName,
        Self.optional, Self.items,
      ],
      unknownArguments: .refused(aliases: argumentAliases), outputSchema: WriteReport.outputSchema
    ) { arguments, _ throws(ToolFailure) in
      .done(try run(arguments))
    }
  }

  private func run(_ arguments: Arguments) throws(ToolFailure) -> ToolResult {
    var wanted: [(reference: ItemReference, changes: ItemChanges)] = []
    let entries = try arguments.entries(
      in: Self.items, defaults: [Self.checked, ItemFields.amount, ItemFields.section, Self.optional])
    for entry in entries {
      let reference = ItemReference(
        id: try entry.value(of: ItemFields.id), name: try entry.value(of: ItemFields.targetName))
      let changes = ItemChanges(
        name: try entry.value(of: Self.newName), amount: clearable(try entry.value(of: ItemFields.amount)),
        section: clearable(try entry.value(of: ItemFields.section)),
        optional: try entry.value(of: Self.optional),
        checked: try entry.value(of: Self.checked))
      guard !changes.isEmpty else {
        throw entry.refusal(
          "nothing to change: give checked, amount, section, new_name or optional. Nothing was changed.")
      }
      if let name = changes.name, FoldedName.isBlank(name) {
        throw entry.refusal("new_name is blank. Nothing was changed.")
      }
      wanted.append((reference, changes))
    }
    let (written, (outcomes, sectionsBefore)) = try store.edit { document, context throws(Refusal) in
      let lookup = Lookup(wanted.map(\.reference), in: document, renameAdvice: true)
      if let refusal = lookup.refusal { throw refusal }
      let sections = document.sections
      let changes = zip(lookup.items, wanted).map { (id: $0.id, changes: $1.changes) }
      return (document.change(changes, in: context), sections)
    }
    var report = WriteReport()
    let changed = outcomes.filter(\.isChanged)
    report.updated = changed.map(\.after)
    report.unchanged = outcomes.filter { !$0.isChanged }.map(\.after)
    report.sentences += changeSentences(changed)
    if !report.unchanged.isEmpty {
      report.sentences.append("So already: \(enumerated(report.unchanged.map(\.shown), limit: 500)).")
    }
    report.mention(newSectionsIn: written.snapshot.document.sections, before: sectionsBefore)
    if changed.contains(where: { $0.before.checked != $0.after.checked }) {
      let counts = written.snapshot.document.counts
      let left = counts.items - counts.checked
      report.sentences.append("Still to buy: \(counted(left)).")
    }
    return report.result(of: written)
  }
}

/// What was changed, in words: all that was only ticked off in one sentence, a sentence each for the rest.
func changeSentences(_ outcomes: [Document.Changed]) -> [String] {
  var ticked: [Item] = []
  var sentences: [String] = []
  for outcome in outcomes {
    var tickedOnly = outcome.before
    tickedOnly.checked = true
    tickedOnly.lastModified = outcome.after.lastModified
    if outcome.after == tickedOnly {
      ticked.append(outcome.after)
    } else {
      let parts = changeParts(outcome.before, outcome.after)
      sentences.append("\(oneLine(outcome.before.name)): \(parts.joined(separator: ", ")).")
    }
  }
  if !ticked.isEmpty {
    sentences.insert("Ticked off \(enumerated(ticked.map(\.shown), limit: 500)).", at: 0)
  }
  return sentences
}

private func changeParts(_ before: Item, _ after: Item) -> [String] {
  var parts: [String] = []
  func was(_ old: String) -> String { old.isEmpty ? "" : " (was \(oneLine(old)))" }
  if before.name != after.name { parts.append("now called \(quoted(after.name))") }
  if before.amount != after.amount {
    parts.append(
      after.amount.isEmpty
        ? "no amount\(was(before.amount))" : "amount \(oneLine(after.amount))\(was(before.amount))")
  }
  if before.section != after.section {
    parts.append(
      after.section.isEmpty
        ? "in no section\(was(before.section))" : "moved to \(oneLine(after.section))\(was(before.section))")
  }
  if before.optional != after.optional { parts.append(after.optional ? "optional" : "no longer optional") }
  if before.checked != after.checked { parts.append(after.checked ? "ticked off" : "to buy again") }
  return parts
}
