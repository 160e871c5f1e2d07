import ListStore
import MCP
import ShoppingList

/// `update_shopping_list`: replaces the whole list, goes back to an earlier one, or orders its sections.
///
/// The one tool with which a list can be lost: a model that has seen ten of forty items, or read them yesterday, writes
/// back "the list". So it meets rows with the ones that exist, and removes nothing without the user's own yes; where the
/// client cannot ask, nothing unless the caller proves, by the present revision, that it has seen all that would go. Going
/// back is guarded in the same way, unless it undoes the last edit and nothing else. Where the list as it is cannot be kept
/// in the history, nothing is done.
struct UpdateShoppingList {
  let store: Store
  let shown: LastShown

  private static let name = Field.text("name", "", limit: TextLimit.name)
  private static let optional = Field.flag("optional", "")
  private static let checked = Field.flag("checked", "")
  private static let items = Field.rows(
    "items",
    fields: [ItemFields.id, name, ItemFields.amount, ItemFields.section, optional, checked],
    """
    The complete new list, in order. Items are met with those on the list by id or name; what is left out of one keeps \
    its value. [] empties the list.
    """,
    nameField: "name", maximum: 100_000)
  private static let sections = Field.texts(
    "sections",
    "The sections in their order. With items, empty sections left out are dropped; alone, it only orders and adds.",
    limit: TextLimit.section)
  private static let expectedRevision = Field.identifier(
    "expected_revision",
    "The revision that get_shopping_list showed under the whole list. Needed to remove anything where the user cannot be asked."
  )
  private static let restore = Field.identifier(
    "restore",
    "To undo: the id that an answer gave for it. The list becomes what it was then. Stands without items and sections."
  )

  var tool: Tool {
    Tool(
      name: "update_shopping_list", title: "Replace the whole list",
      description: """
        Replaces the whole shopping list at once, orders its sections, or undoes an edit (restore). Only for rewriting or \
        reordering everything: use add_item, update_item and remove_item for single items. Read the whole list first with \
        get_shopping_list and keep every item that the user has not asked to remove. If anything would be removed, the \
        user is asked; where that cannot be done, ask the user yourself, and send the revision of the list that you read \
        as expected_revision. Else nothing is changed. Undoing the last edit needs restore alone.
        """,
      hints: .init(readOnly: false, destructive: true, idempotent: true, openWorld: false),
      fields: [Self.items, Self.sections, Self.expectedRevision, Self.restore],
      unknownArguments: .refused(aliases: argumentAliases), outputSchema: WriteReport.outputSchema
    ) { arguments, context throws(ToolFailure) in
      try run(arguments, in: context)
    }
  }

  private func run(_ arguments: Arguments, in context: CallContext) throws(ToolFailure) -> Outcome {
    let sections = try arguments.value(of: Self.sections)
    let expected = try arguments.value(of: Self.expectedRevision)
    if let id = try arguments.value(of: Self.restore) {
      if try !(arguments.value(of: Self.items) ?? []).isEmpty || !(sections ?? []).isEmpty {
        throw arguments.refusal("restore stands alone: leave out items and sections. Nothing was changed.")
      }
      return try goBack(to: id, guardedBy: RemovalGuard(expected: expected, in: context))
    }
    guard let rows = try Self.rows(of: arguments) else {
      guard let sections, !sections.isEmpty else {
        throw arguments.refusal("items is missing: give the complete new list. Nothing was changed.")
      }
      return .done(try arrange(sections, expected: expected))
    }
    return try make(guardedBy: RemovalGuard(expected: expected, in: context)) {
      (document, context) throws(Refusal) in
      let outcome = document.replace(with: rows, sections: sections, in: context)
      if let place = outcome.nameless.first {
        throw Refusal("Nothing was changed. items[\(place)] names no item: give its name.")
      }
      return (outcome, isUndo: false)
    }
  }

  /// The new list; nil where none is given. By itself, so that the entries are gone before the list is replaced.
  private static func rows(of arguments: Arguments) throws(ToolFailure) -> [ReplacementRow]? {
    guard let entries = try arguments.value(of: items) else { return nil }
    var rows: [ReplacementRow] = []
    rows.reserveCapacity(entries.count)
    for entry in entries {
      let changes = ItemChanges(
        name: try entry.value(of: name), amount: clearable(try entry.value(of: ItemFields.amount)),
        section: clearable(try entry.value(of: ItemFields.section)),
        optional: try entry.value(of: optional),
        checked: try entry.value(of: checked))
      rows.append(ReplacementRow(id: try entry.value(of: ItemFields.id), changes: changes))
    }
    return rows
  }

  private func goBack(to id: String, guardedBy removals: RemovalGuard) throws(ToolFailure) -> Outcome {
    let version: Version
    do {
      version = try store.version(id)
    } catch {
      throw ToolFailure(error.message)
    }
    return try make(guardedBy: removals) { (document, context) throws(Refusal) in
      let undoesLastEdit = version.isUndone(by: document)
      return (document.restore(version.document, in: context), isUndo: undoesLastEdit)
    }
  }

  /// A change of the whole list. `isUndo`: it takes back the last edit and nothing else, so nobody need be asked.
  private typealias Change =
    (inout Document, EditContext) throws(Refusal) -> (outcome: Replaced, isUndo: Bool)

  /// What a change comes to.
  private enum Attempt {
    case made(Replaced)
    /// Nothing is to be changed before the user was asked.
    case mustAsk(Question)
  }

  /// Makes a change of the whole list, once whoever must agree to what it removes has done so. Whether the user is to be
  /// asked is found out by a look, without the lock and without a trace; under the lock it is seen whether that still holds.
  ///
  /// - Parameter said: what the store had to say to earlier attempts, a line each.
  private func make(
    guardedBy removals: RemovalGuard, said: [String] = [], _ change: @escaping Change
  ) throws(ToolFailure) -> Outcome {
    if removals.canAsk {
      // Refusals are left to the write, which says what else there is to say.
      let look = try store.look { document, context throws(Refusal) in
        try Self.attempt(change, on: document, guardedBy: removals, in: context).attempt
      }
      if case .success(.mustAsk(let question)) = look { return ask(question, for: removals, said: said, change) }
    }
    shown.forget()
    let (written, attempt) = try store.edit(mustBeUndoable: true) {
      (document, context) throws(Refusal) -> Attempt in
      let (attempt, changed) = try Self.attempt(change, on: document, guardedBy: removals, in: context)
      document = changed
      return attempt
    }
    switch attempt {
    case .made(let outcome): return .done(report(outcome, said: said, written: written))
    case .mustAsk(let question):
      return ask(question, for: removals, said: said + written.snapshot.noticeLines, change)
    }
  }

  /// The change on the list as it is, or the list unchanged and what is to be asked first.
  private static func attempt(
    _ change: Change, on document: Document, guardedBy removals: RemovalGuard, in context: EditContext
  ) throws(Refusal) -> (attempt: Attempt, document: Document) {
    try checkRevision(removals.expected, of: document)
    var changed = document
    let (outcome, isUndo) = try change(&changed, context)
    if !isUndo {
      let question = try removals.question(
        before: outcome.removed, of: document.counts.items, besides: others(outcome))
      if let question { return (.mustAsk(question), document) }
    }
    return (.made(outcome), changed)
  }

  private func ask(
    _ question: Question, for removals: RemovalGuard, said: [String], _ change: @escaping Change
  ) -> Outcome {
    .ask(question) { answer throws(ToolFailure) in
      try make(guardedBy: removals.after(answer, to: question), said: said, change)
    }
  }

  /// What a change does beside removing, for the question.
  private static func others(_ outcome: Replaced) -> [String] {
    [(outcome.added.count, "added"), (outcome.changed.count, "changed")].compactMap { count, what in
      count == 0 ? nil : "\(counted(count)) would be \(what)"
    }
  }

  private func arrange(_ sections: [String], expected: String?) throws(ToolFailure) -> ToolResult {
    let (written, isChanged) = try store.edit(mustBeUndoable: true) { document, _ throws(Refusal) in
      try Self.checkRevision(expected, of: document)
      return document.arrangeSections(sections, droppingEmpty: false)
    }
    var report = WriteReport()
    let order = enumerated(written.snapshot.document.sections.map(oneLine), limit: 500)
    report.sentences = [
      isChanged ? "The sections are now: \(order)." : "The sections stood so already: \(order)."
    ]
    return report.result(of: written)
  }

  private static func checkRevision(_ expected: String?, of document: Document) throws(Refusal) {
    guard let expected, expected.lowercased() != document.revision else { return }
    throw Refusal(
      """
      Nothing was changed: the list is not the one with revision \(quoted(expected)); it has changed since, or only \
      a part of it was read. Read the whole list again with get_shopping_list and start from that.
      """)
  }

  private func report(_ outcome: Replaced, said: [String], written: Edited) -> ToolResult {
    var report = WriteReport()
    report.added = outcome.added
    report.updated = outcome.changed.map(\.after)
    report.removed = outcome.removed
    report.unchanged = outcome.unchanged
    func say(_ what: String, _ items: [Item]) {
      guard !items.isEmpty else { return }
      report.sentences.append("\(what) \(counted(items.count)): \(enumerated(items.map(\.shown))).")
    }
    say("Added", outcome.added)
    report.sentences += changeSentences(outcome.changed)
    say("Removed", outcome.removed)
    if outcome.isReordered { report.sentences.append("The items are in the new order.") }
    if outcome.sectionsChanged {
      let order = written.snapshot.document.sections.map(oneLine)
      report.sentences.append(
        order.isEmpty
          ? "There are no sections now." : "The sections are now: \(enumerated(order, limit: 500)).")
    }
    if report.sentences.isEmpty { report.sentences.append("The list was so already; nothing was changed.") }
    report.sentences.append("On the list: \(tally(written.snapshot.document)).")
    report.sentences += said
    return report.result(of: written)
  }
}
