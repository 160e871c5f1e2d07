import JSON
import ListStore
import MCP
import ShoppingList

/// What `get_shopping_list` answered last: models ask the same again and again.
final class LastShown {
  fileprivate var query: GetShoppingList.Query?
  /// Of which list; weak, or it would outlive its file.
  fileprivate weak var list: AnyObject?
  fileprivate var result: ToolResult?

  /// To be called before what takes much memory, and makes the answer an old one.
  func forget() { result = nil }
}

/// `get_shopping_list`: shows the list, or a part of it.
///
/// Text and structure both hold all that is shown. The revision stands only under the whole list: it is what allows
/// `update_shopping_list` to remove things, and who has not seen all of them should not have it.
struct GetShoppingList {
  let store: Store
  let last: LastShown

  /// What is asked for.
  fileprivate struct Query: Equatable {
    let section: String?
    let status: String
    let search: FoldedName?
    let limit: Int
    let offset: Int
  }

  private static let section = Field.text(
    "section", "Only this section; \"none\" for items without one.", absentTexts: ["null"])
  private static let status = Field.choice(
    "status", ["all", "unchecked", "checked"], "unchecked: still to buy; checked: bought. Default all.")
  private static let search = Field.text("search", "Only items whose name contains this.")
  private static let limit = Field.integer(
    "limit", "How many items to show at most; default 100. Raise it to see a longer list whole.", minimum: 0)
  private static let offset = Field.integer("offset", "How many matching items to skip first.", minimum: 0)

  /// What is shown where no limit is given; a limit of 0, a filler of strict clients, is none.
  private static let defaultLimit = 100

  var tool: Tool {
    Tool(
      name: "get_shopping_list", title: "Show the shopping list",
      description: """
        Shows the user's shopping list: what to buy, how much, by section, and what is already bought. Use it for any \
        question about the list; for a part of it give section ("what do I need from the bakery?"), status or search. The \
        tools for single items need no look at the list before, since they take items by name. update_shopping_list does: \
        read the whole list then. Ids are shown only where a name occurs twice.
        """,
      hints: .init(readOnly: true, destructive: false, idempotent: true, openWorld: false),
      fields: [Self.section, Self.status, Self.search, Self.limit, Self.offset],
      unknownArguments: .ignored, outputSchema: Self.outputSchema, view: ListView.uri
    ) { arguments, _ throws(ToolFailure) in
      .done(try run(arguments))
    }
  }

  private static let outputSchema: JSONValue = [
    "type": "object",
    "properties": [
      "total": ["type": "integer"], "matched": ["type": "integer"],
      "sections": ["type": "array", "items": ["type": "string"]],
      "items": ["type": "array", "items": ["type": "object"]],
      "revision": ["type": "string"],
    ],
    "required": ["total", "matched", "sections", "items"],
  ]

  private func run(_ arguments: Arguments) throws(ToolFailure) -> ToolResult {
    // First: what the store says only once must not be said to a call that is refused.
    let query = Query(
      section: try arguments.value(of: Self.section), status: try arguments.value(of: Self.status) ?? "all",
      search: try arguments.value(of: Self.search).map(FoldedName.init),
      limit: try arguments.value(of: Self.limit) ?? 0, offset: try arguments.value(of: Self.offset) ?? 0)
    let snapshot: Snapshot
    do {
      snapshot = try store.read()
    } catch {
      throw ToolFailure(error.message)
    }
    guard let list = snapshot.identity, snapshot.notices.isEmpty else { return show(query, of: snapshot) }
    if let result = last.result, last.list === list, last.query == query { return result }
    // Of a long list, two results would take as much memory as the list does.
    last.forget()
    let shown = show(query, of: snapshot)
    let result = ToolResult(text: shown.text, structured: shown.structured.compacted)
    (last.query, last.list, last.result) = (query, list, result)
    return result
  }

  private func show(_ query: Query, of snapshot: Snapshot) -> ToolResult {
    let (status, offset) = (query.status, query.offset)
    let document = snapshot.document
    let all = document.items
    let sectionKey = clearable(query.section).map(FoldedName.init)
    var matching = all
    // All of a long list need not be there twice.
    if status != "all" || sectionKey != nil || query.search != nil {
      matching = all.filter { item in
        (status == "all" || item.checked == (status == "checked"))
          && (sectionKey == nil || FoldedName(item.section) == sectionKey)
          && (query.search.map { FoldedName(item.name).contains($0) } ?? true)
      }
    }
    let limit = query.limit == 0 ? Self.defaultLimit : query.limit
    let shown = offset == 0 && limit >= matching.count ? matching : Array(matching.dropFirst(offset).prefix(limit))
    let isWhole = shown.count == all.count
    let revision = isWhole ? snapshot.revision : nil

    let list = ListText(
      items: shown, sections: document.sections, ambiguous: ListText.ambiguousNames(of: all))
    var lines = list.lines()
    if !lines.isEmpty { lines.append("") }
    let hasSection = document.sections.contains { FoldedName($0) == sectionKey }
    if let sectionKey, !sectionKey.isEmpty, !hasSection {
      let known = document.sections.map(oneLine)
      lines.append(
        "No section is called \(quoted(query.section ?? "")). "
          + (known.isEmpty ? "The list has no sections." : "The sections: \(enumerated(known, limit: 100))."))
    }
    lines.append(summary(of: document, all: all, matching: matching, shown: shown, offset: offset, revision: revision))
    lines += snapshot.noticeLines

    var members: [(key: String, value: JSONValue)] = [
      ("total", JSONValue(all.count)), ("matched", JSONValue(matching.count)),
      ("sections", .array(document.sections.map { JSONValue($0) })),
      ("items", .array(shown.map { $0.inBrief(withID: list.isAmbiguous($0)) })),
    ]
    if let revision { members.append(("revision", JSONValue(revision))) }
    return ToolResult(text: lines.joined(separator: "\n"), structured: .object(members))
  }

  private func summary(
    of document: Document, all: [Item], matching: [Item], shown: [Item], offset: Int, revision: String?
  ) -> String {
    var text: String
    if all.isEmpty {
      text = "The shopping list is empty."
    } else if matching.count == all.count {
      text = tally(document) + "."
    } else {
      text = "\(matching.count) of \(counted(all.count)) \(matching.count == 1 ? "matches" : "match")."
    }
    if shown.count < matching.count {
      let next = offset + shown.count
      text += " Shown: \(shown.isEmpty ? "none" : "\(offset + 1) to \(next)")."
      if next < matching.count { text += " For more: offset \(next)." }
    }
    if let revision { text += " Revision \(revision)." }
    return text
  }
}
