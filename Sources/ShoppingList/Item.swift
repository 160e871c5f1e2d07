/// One thing to buy, as every tool and app sees it: the reading of a row of the file.
///
/// The row itself, with the members that nobody here knows and the text of its numbers, stays in the `Document`.
public struct Item: Hashable, Sendable {
  /// Opaque; mostly a UUID. Compare by `ItemID.Key`, since UUIDs compare without case.
  public var id: String
  /// Never blank: rows without a name are hidden.
  public var name: String
  /// Free text, `2 l`; empty where there is none.
  public var amount: String
  /// The section it stands in, in the spelling of the list's sections; empty where there is none.
  public var section: String
  /// Nice to have, not needed.
  public var optional: Bool
  /// Bought.
  public var checked: Bool
  /// When it was last changed, where the file says so in a way that can be read.
  public var lastModified: Instant?

  public init(
    id: String, name: String, amount: String = "", section: String = "", optional: Bool = false,
    checked: Bool = false, lastModified: Instant? = nil
  ) {
    self.id = id
    self.name = name
    self.amount = amount
    self.section = section
    self.optional = optional
    self.checked = checked
    self.lastModified = lastModified
  }
}

/// What a change sets; what is nil keeps its value. An empty amount or section clears it.
package struct ItemChanges: Hashable, Sendable {
  package var name: String?
  package var amount: String?
  package var section: String?
  package var optional: Bool?
  package var checked: Bool?

  package init(
    name: String? = nil, amount: String? = nil, section: String? = nil, optional: Bool? = nil,
    checked: Bool? = nil
  ) {
    self.name = name
    self.amount = amount
    self.section = section
    self.optional = optional
    self.checked = checked
  }

  package var isEmpty: Bool { self == ItemChanges() }
}

/// What an edit needs from outside, so that edits stay pure: the time, ids for new rows, and what the list was before.
package struct EditContext {
  package let now: Instant
  /// A new id at every call.
  package let newID: () -> String
  /// The section that an item of this name stood in when it was last on the list; nil where it is not known to have
  /// been. Looked up in earlier versions, which takes time: asked only where the list itself does not tell.
  package let formerSection: (FoldedName) -> String?
  /// Whether the list is a new one, since there is no file, nor anything that would be merged into it.
  package let isNew: Bool

  package init(
    now: Instant, newID: @escaping () -> String, isNew: Bool = false,
    formerSection: @escaping (FoldedName) -> String? = { _ in nil }
  ) {
    self.isNew = isNew
    self.now = now
    self.newID = newID
    self.formerSection = formerSection
  }
}
