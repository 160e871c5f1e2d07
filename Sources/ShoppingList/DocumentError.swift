import JSON

/// Why bytes are not a shopping list. Forgiving where nothing can be lost, loud where something could: none of these is
/// ever taken for an empty list.
///
/// The texts name no file: who read the bytes knows it and puts it in front.
public struct DocumentError: Error, Hashable, Sendable {
  /// The ways in which a file is no list that can be used.
  public enum Kind: Hashable, Sendable {
    /// Nothing in it, or only blanks or zero bytes: an interrupted write.
    case empty
    /// Not JSON, at this place (line and column count from 1).
    case notJSON(line: Int, column: Int)
    /// UTF-16 or UTF-32 text.
    case notUTF8
    /// Deeper than 512 levels.
    case tooDeep
    /// JSON, but no object.
    case notAnObject
    /// `items`, `sections` or `deletedItems` is there, and no array.
    case notAnArray(member: String)
    /// An object of somebody else's.
    case notAList
    /// `schemaVersion` is another one than 1.
    case version
  }

  public let kind: Kind
  /// What is wrong, for a person: "is not valid JSON: line 3, column 7: expected ','".
  public let message: String
  /// What to do about it.
  public let advice: String

  init(_ kind: Kind, _ message: String, advice: String) {
    self.kind = kind
    self.message = message
    self.advice = advice
  }

  static let empty = DocumentError(
    .empty, "is empty or blank, as an interrupted write leaves it; it is not taken for an empty list",
    advice: "Restore an earlier copy of it, or delete the file to start a new list.")

  static let notUTF8 = DocumentError(
    .notUTF8, "is UTF-16 or UTF-32 text, not UTF-8",
    advice: "Save it again as UTF-8.")

  static let notAnObject = DocumentError(
    .notAnObject, "is JSON, but no object with items", advice: pathAdvice)

  static let notAList = DocumentError(
    .notAList, "is a JSON object with neither items nor sections: it looks like another program's file",
    advice: pathAdvice)

  static func notAnArray(_ member: String) -> DocumentError {
    DocumentError(
      .notAnArray(member: member), "has a member \"\(member)\" that is no array",
      advice: "Correct that member by hand, or restore an earlier copy of the file.")
  }

  static func version(_ found: JSONValue) -> DocumentError {
    var text: [UInt8] = []
    found.appendCompact(to: &text)
    let shown = String(decoding: text.prefix(40), as: UTF8.self)
    guard let number = found.double else {
      return DocumentError(
        .version, "has a schemaVersion that is no number (\(shown))",
        advice: "Set it to 1 by hand if the file is a shopping list of this version.")
    }
    return DocumentError(
      .version, "has schemaVersion \(shown); this server knows version 1",
      advice: number > 1
        ? "It was written by a newer program: update get-bananas."
        : "Set it to 1 by hand if the file is a shopping list of this version.")
  }

  init(_ error: JSONError) {
    self.init(
      error.kind == .tooDeep ? .tooDeep : .notJSON(line: error.line, column: error.column),
      "is not valid JSON: line \(error.line), column \(error.column): \(error.message)",
      advice: "Correct it there by hand, or restore an earlier copy of the file.")
  }

  private static let pathAdvice = "Check that the path is the shopping list's."
}
