import ListStore
import MCP
import ShoppingList

/// `remove_item`: takes items off the list, named ones or all that is bought.
struct RemoveItem {
  let store: Store

  private static let items = Field.rows(
    "items", fields: [ItemFields.id, ItemFields.targetName],
    "Several items in one call: [{\"name\": \"Milk\"}, …].", nameField: "name")
  private static let allChecked = Field.flag(
    "all_checked", "true, alone: removes everything that is bought.", falseIsAbsent: true)

  var tool: Tool {
    Tool(
      name: "remove_item", title: "Remove items",
      description: """
        Takes items off the shopping list: one by name, several by items, or everything that is bought by all_checked. \
        Something that was bought is ticked off with update_item instead, unless the user wants it off the list. A name \
        that fits nothing, or several items, changes nothing and is answered with what is near.
        """,
      hints: .init(readOnly: false, destructive: true, idempotent: true, openWorld: false),
      fields: [ItemFields.targetName, ItemFields.id, Self.items, Self.allChecked],
      unknownArguments: .refused(aliases: argumentAliases), outputSchema: WriteReport.outputSchema
    ) { arguments, _ throws(ToolFailure) in
      .done(try run(arguments))
    }
  }

  private func run(_ arguments: Arguments) throws(ToolFailure) -> ToolResult {
    if try arguments.value(of: Self.allChecked) ?? false {
      for field in [ItemFields.id, ItemFields.targetName] where try field.isGiven(in: arguments) {
        throw arguments.refusal("all_checked stands alone: leave out \(field.name). Nothing was changed.")
      }
      if let items = try arguments.value(of: Self.items), !items.isEmpty {
        throw arguments.refusal("all_checked stands alone: leave out items. Nothing was changed.")
      }
      let (written, removed) = try store.edit { document, context in
        document.removeChecked(in: context)
      }
      return report(removed, nothing: "Nothing on the list is bought; nothing was changed.", written: written)
    }
    var references: [ItemReference] = []
    for entry in try arguments.entries(in: Self.items) {
      references.append(
        ItemReference(
          id: try entry.value(of: ItemFields.id), name: try entry.value(of: ItemFields.targetName)))
    }
    let (written, removed) = try store.edit { document, context throws(Refusal) in
      let lookup = Lookup(references, in: document, renameAdvice: false)
      if let refusal = lookup.refusal { throw refusal }
      return document.remove(ids: lookup.items.map(\.id), in: context)
    }
    return report(removed, nothing: "Nothing was changed.", written: written)
  }

  private func report(_ removed: [Item], nothing: String, written: Edited) -> ToolResult {
    var report = WriteReport()
    report.removed = removed
    report.sentences = [
      removed.isEmpty
        ? nothing
        : "Removed \(enumerated(removed.map(\.shown), limit: 500)). "
          + "On the list: \(tally(written.snapshot.document))."
    ]
    return report.result(of: written)
  }
}
