import Testing

@testable import JSON
@testable import ShoppingList

// Short ways to write lists and edits in tests.

/// Decodes a list; the test fails where it cannot be.
func list(_ text: String) throws -> Document { try Document(decoding: Array(text.utf8)) }

/// The text that the document would be written as.
func text(_ document: Document) -> String { String(decoding: document.encoded(), as: UTF8.self) }

/// An edit's surroundings: a fixed time, and the ids NEW-1, NEW-2, …
func context(at milliseconds: Int64 = 1_796_071_272_345) -> EditContext {
  let counter = Counter()
  return EditContext(now: Instant(milliseconds: milliseconds)) {
    counter.count += 1
    return "NEW-\(counter.count)"
  }
}

private final class Counter {
  var count = 0
}

extension Document {
  var names: [String] { items.map(\.name) }

  /// The item of a name that is on the list once.
  func item(_ name: String) throws -> Item {
    let matches = items.filter { $0.name == name }
    try #require(matches.count == 1, "\(name) occurs \(matches.count) times")
    return matches[0]
  }

  /// Applies changes to the item of a name.
  mutating func change(_ name: String, _ changes: ItemChanges, in context: EditContext) throws -> Changed {
    let outcomes = change([(try item(name).id, changes)], in: context)
    return try #require(outcomes.first)
  }
}
