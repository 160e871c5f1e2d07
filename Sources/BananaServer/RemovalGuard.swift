import JSON
import MCP
import ShoppingList

/// What stands between a call and the rows that it would take off the list.
///
///     if let question = try removals.question(before: outcome.removed, of: count) { … }    // inside the edit
///     …
///     return .ask(question) { answer throws(ToolFailure) in
///       try edit(with: removals.after(answer, to: question))                               // from the beginning
///     }
///
/// Where the client can ask, its user decides, and nobody else. A yes counts for the rows that were shown and for no
/// others: the question's key is made of them, and whoever goes on with a yes looks up again, under the lock, which rows
/// would go now. Where the client cannot ask, the caller has to prove by the present revision that it has seen them all.
struct RemovalGuard {
  /// The revision that the caller has given; it is the present one, or the call was refused before.
  let expected: String?
  /// Whether a question would reach the user.
  private(set) var canAsk: Bool
  /// The key of the question that the user has said yes to.
  private var agreed: String?

  init(expected: String?, in context: CallContext) {
    self.expected = expected
    canAsk = context.canAsk
  }

  /// What to ask before these rows go; nil when they may.
  ///
  /// - Parameters:
  ///   - count: how many rows there are.
  ///   - others: what else would be done, each as a clause: `2 items would be added`.
  func question(
    before removed: [Item], of count: Int, besides others: [String] = []
  ) throws(Refusal) -> Question? {
    if removed.isEmpty { return nil }
    guard canAsk else {
      if expected == nil { throw Self.refusal(toRemove: removed, of: count) }
      return nil
    }
    let key = Self.key(of: removed)
    return key == agreed ? nil : Self.question(key, removed, of: count, besides: others)
  }

  /// The guard of the same call once its user was asked; a refusal where the answer was no yes.
  func after(_ answer: Answer, to question: Question) throws(ToolFailure) -> RemovalGuard {
    var next = self
    switch answer {
    case .confirmed: next.agreed = question.key
    case .unavailable: next.canAsk = false
    case .refused:
      throw ToolFailure(
        "The user was asked and did not agree: nothing was changed. Do not retry unless the user asks for it."
      )
    case .unanswered:
      throw ToolFailure(
        "The user was asked and did not answer: nothing was changed. Do not retry unless the user asks for it."
      )
    }
    return next
  }

  /// `remove-` and 16 hexadecimal digits over ids and names, in whatever order the rows stand.
  static func key(of removed: [Item]) -> String {
    var rows = removed.map { item in
      var bytes: [UInt8] = []
      JSONValue.array([JSONValue(item.id), JSONValue(item.name)]).appendCanonical(to: &bytes)
      return bytes
    }
    rows.sort { $0.lexicographicallyPrecedes($1) }
    return "remove-" + hexadecimal(SHA256.hash(Array(rows.joined())).prefix(8))
  }

  private static func question(
    _ key: String, _ removed: [Item], of count: Int, besides others: [String]
  ) -> Question {
    let names = enumerated(removed.map(\.shown))
    var message =
      if removed.count < count {
        "Take \(removed.count) of \(counted(count)) off the shopping list? \(names)."
      } else if others.isEmpty {
        "Empty the shopping list? \(counted(count)) would go: \(names)."
      } else {
        "Take all \(counted(count)) off the shopping list? \(names)."
      }
    if !others.isEmpty { message += " Besides, \(enumerated(others))." }
    return Question(
      key: key, message: message,
      confirmTitle: removed.count == 1 ? "Remove it" : "Remove these \(removed.count)",
      confirmDescription: "Without the tick nothing is changed.")
  }

  private static func refusal(toRemove items: [Item], of count: Int) -> Refusal {
    Refusal(
      """
      REFUSED, nothing was changed: this would remove \(items.count) of \(counted(count)): \
      \(enumerated(items.map(\.shown))). If the user wants that, read the whole list with get_shopping_list, ask the \
      user, and send its revision as expected_revision. To add, change or remove single items, use add_item, \
      update_item and remove_item.
      """)
  }
}
