import JSON
import ShoppingList

// How items stand in a result's structured content.

extension Item {
  /// Every member: what a tool that writes says of a row.
  var inFull: JSONValue {
    .object([
      ("id", JSONValue(id)), ("name", JSONValue(name)), ("amount", JSONValue(amount)),
      ("section", JSONValue(section)), ("optional", JSONValue(optional)), ("checked", JSONValue(checked)),
    ])
  }

  /// The members that are not at their default, and the id only where the name does not tell the row from others: what
  /// a reading of a long list costs a model.
  func inBrief(withID: Bool) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    if withID { members.append(("id", JSONValue(id))) }
    members.append(("name", JSONValue(name)))
    if !amount.isEmpty { members.append(("amount", JSONValue(amount))) }
    if !section.isEmpty { members.append(("section", JSONValue(section))) }
    if optional { members.append(("optional", JSONValue(true))) }
    if checked { members.append(("checked", JSONValue(true))) }
    return .object(members)
  }
}

extension [Item] {
  /// All rows in full, as an array.
  var inFull: JSONValue { .array(map(\.inFull)) }
}
