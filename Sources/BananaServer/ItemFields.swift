import MCP
import ShoppingList

// The arguments that several tools share, each declared once, and how their words are meant.

/// The limits for text that is newly written, in Unicode scalars. What stands in the file already may be longer.
enum TextLimit {
  static let name = 200
  static let amount = 100
  static let section = 100
}

enum ItemFields {
  static let id = Field.identifier(
    "id", "The item's id. Needed only when several items have the same name.")
  static let targetName = Field.text(
    "name", "The name of the item as it is on the list; capitals and spaces do not matter.")
  static let amount = Field.text(
    "amount", "How much, free text such as \"3\", \"2 l\" or \"a bunch\". \"none\" clears it.",
    limit: TextLimit.amount)
  static let section = Field.text(
    "section", "The section, such as Produce or Dairy. \"none\" means no section.",
    limit: TextLimit.section, absentTexts: ["null"])
}

/// The argument names that models and people use for ours; only ever suggested.
let argumentAliases = [
  "quantity": "amount", "qty": "amount", "count": "amount",
  "category": "section", "aisle": "section", "store": "section", "department": "section",
  "item": "name", "title": "name", "product": "name",
  "done": "checked", "bought": "checked", "completed": "checked",
]

/// An amount or section as an edit takes it: `none`, in any capitals, is the empty one.
func clearable(_ text: String?) -> String? {
  guard let text else { return nil }
  return FoldedName(text).text == "none" ? "" : text
}
