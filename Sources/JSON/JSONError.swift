// Why a text is not JSON, and where.
//
// An error is made for a person who has to repair a file by hand: it names the line and column, and says what
// is there or what is missing, in words ("a trailing comma"). `kind` is for code that treats some mistakes
// differently, such as an empty file or one in UTF-16.

/// The first mistake in a text that is not JSON.
package struct JSONError: Error, Equatable, Sendable {
  /// The closed set of mistakes.
  package enum Kind: Sendable, Equatable {
    /// Nothing but white space or NUL bytes: often an interrupted write.
    case blank
    /// The text is UTF-16 or UTF-32.
    case otherEncoding
    /// Bytes that are not UTF-8: cut short, overlong, a surrogate or above U+10FFFF.
    case invalidUTF8
    /// The text ends too early.
    case endOfText
    /// A comma before a closing bracket.
    case trailingComma
    /// `//`, `/*` or `#`.
    case comment
    /// A line left by a version control system: `<<<<<<<`, `=======` or `>>>>>>>`.
    case conflictMarker
    /// Something else than the grammar allows here.
    case unexpected
    /// A number that JSON does not allow, such as `01`, `1.` or `+1`.
    case invalidNumber
    /// A word that is not `true`, `false` or `null`.
    case invalidLiteral
    /// A backslash with something that is no escape.
    case invalidEscape
    /// A control character inside a string.
    case controlCharacter
    /// More text behind the value.
    case trailingText
    /// More levels of arrays and objects than allowed.
    case tooDeep
    /// More bytes than offsets can count.
    case tooLarge
  }

  package let kind: Kind
  /// Bytes before the mistake.
  package let offset: Int
  /// 1 for the first line. Lines end with LF, CR LF or CR.
  package let line: Int
  /// 1 for the first character of a line, counted in Unicode scalars; a byte order mark does not count.
  package let column: Int
  /// What is wrong, without the place, in lower case and without a full stop: "a trailing comma".
  package let message: String

  /// - Parameter text: the whole text, from which line and column are counted.
  init(_ kind: Kind, _ message: String, at offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    self.kind = kind
    self.message = message
    self.offset = offset
    (line, column) = Self.place(of: offset, in: text)
  }

  /// Line and column of a byte offset, both from 1.
  private static func place(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var index = text.starts(with: byteOrderMark) ? 3 : 0
    while index < min(offset, text.count) {
      let byte = text[index]
      index += 1
      if byte == .lineFeed || (byte == .carriageReturn && !(index < text.count && text[index] == .lineFeed)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != .carriageReturn {
        column += 1
      }
    }
    return (line, column)
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(message)" }
}
