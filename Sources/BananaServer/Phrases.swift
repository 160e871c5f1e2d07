import ShoppingList

// The small pieces that the tools' sentences are made of.

/// `A`, `A and B`, `A, B and C`; beyond `limit` names: `A, B and 18 more`.
func enumerated(_ names: [String], limit: Int = 20) -> String {
  var shown = names
  if names.count > limit { shown = names.prefix(limit - 1) + ["\(names.count - limit + 1) more"] }
  guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
  return shown.dropLast().joined(separator: ", ") + " and " + last
}

/// `1 item`, `2 items`.
func counted(_ count: Int, _ noun: String = "item") -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension Item {
  /// The name as a sentence shows it.
  var shownName: String { oneLine(name) }

  /// Name and amount: `Milk (2 l)`.
  var shown: String { amount.isEmpty ? shownName : "\(shownName) (\(oneLine(amount)))" }

  /// Enough to tell it from its namesakes: `Milk (2 l) in Dairy, bought, id 7D0C…`.
  var shownWithID: String {
    var text = shown
    if !section.isEmpty { text += " in \(oneLine(section))" }
    if checked { text += ", bought" }
    return text + ", id \(oneLine(id))"
  }
}

/// `"Milk"`, for a name that is not on the list.
func quoted(_ name: String) -> String { "\"\(oneLine(name))\"" }
