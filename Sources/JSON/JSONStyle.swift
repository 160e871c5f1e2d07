// How a file looks: what one writer does differently from another.
//
// The list is written by programs that were not built together, and each of them writes the whole file in its
// own style. A file keeps its style, or two writers would rewrite each other for ever. `detected(in:)` finds
// the style of a parsed text; `app` and `node` are those of the two known writers.

package struct JSONStyle: Sendable, Equatable {
  /// How an array or object without entries is written.
  package enum EmptyContainer: Sendable, Equatable {
    /// `[]`
    case tight
    /// The bracket, a blank line, and the other bracket with its indentation, as Foundation's JSONEncoder
    /// does.
    case blankLine
  }

  /// The white space that a line has more than the one its container is on; nil when everything is on one
  /// line.
  package var indent: String?
  /// What is between key and value, the colon included.
  package var colon: String
  /// What is between two entries on one line, the comma included.
  package var comma: String
  /// Whether `/` in strings is written `\/`.
  package var escapesSlash: Bool
  /// Whether characters outside ASCII are written `\u…`.
  package var escapesNonASCII: Bool
  /// LF or CR LF.
  package var newline: String
  package var emptyContainer: EmptyContainer
  /// Whether the text ends with a newline.
  package var finalNewline: Bool
  /// Whether the text starts with a byte order mark.
  package var byteOrderMark: Bool
  /// Whether members are sorted by key as UTF-8. Nothing is sorted by the encoder: it is a hint where to put
  /// new ones.
  package var sortsKeys: Bool

  /// One line without white space, unless told otherwise.
  package init(
    indent: String? = nil, colon: String = ":", comma: String = ",", escapesSlash: Bool = false,
    escapesNonASCII: Bool = false, newline: String = "\n", emptyContainer: EmptyContainer = .tight,
    finalNewline: Bool = false, byteOrderMark: Bool = false, sortsKeys: Bool = false
  ) {
    self.indent = indent
    self.colon = colon
    self.comma = comma
    self.escapesSlash = escapesSlash
    self.escapesNonASCII = escapesNonASCII
    self.newline = newline
    self.emptyContainer = emptyContainer
    self.finalNewline = finalNewline
    self.byteOrderMark = byteOrderMark
    self.sortsKeys = sortsKeys
  }

  /// Foundation's `JSONEncoder` with `.prettyPrinted` and `.sortedKeys`: the phone app's export.
  package static let app = JSONStyle(
    indent: "  ", colon: " : ", comma: ", ", escapesSlash: true, emptyContainer: .blankLine, sortsKeys: true)

  /// `JSON.stringify(…, null, 2)` of Node.js.
  package static let node = JSONStyle(indent: "  ", colon: ": ", comma: ", ")

  /// One line, no white space.
  package static let compact = JSONStyle()

  var escapeRules: EscapeRules { EscapeRules(slash: escapesSlash, nonASCII: escapesNonASCII) }
}
