// What a mistake is called.
//
// The parser only knows that a byte does not fit. Here, off the fast path, the bytes around it are looked at
// once more, so that a person reads "a comment is not JSON" instead of "unexpected /". All mistakes pass
// through `error(_:_:at:)`, where a text in another encoding, and an empty one, are told first: there, the
// place of the mistake means nothing.

extension JSONParser {
  /// What the grammar allows where the parser stopped, in the words of "expected …".
  enum Expectation: String {
    case value = "a value"
    case key = "a member's name in double quotes"
    case colon = "':'"
    case commaOrBracket = "',' or ']'"
    case commaOrBrace = "',' or '}'"
  }

  /// What a mistake is called, at the place where the parser stopped.
  func diagnosis(of mistake: Mistake) -> JSONError {
    switch mistake {
    case .unexpected(let expected): unexpected(expected)
    case .endOfString: endOfText(inside: "a string")
    case .invalidUTF8: invalidUTF8()
    case .controlCharacter: controlCharacter()
    case .invalidEscape: invalidEscape()
    case .invalidLiteral: invalidLiteral()
    case .tooDeep: tooDeep()
    case .trailingText: trailingText()
    case .invalidNumber(let start): invalidNumber(from: start)
    }
  }

  private func error(_ kind: JSONError.Kind, _ message: String, at offset: Int? = nil) -> JSONError {
    blankText ?? otherEncoding ?? JSONError(kind, message, at: offset ?? stop, in: text)
  }

  private func tooDeep() -> JSONError {
    error(.tooDeep, "arrays and objects nested more than \(maximumDepth) deep")
  }

  private func invalidUTF8() -> JSONError {
    let rest = text[stop...].dropFirst()
    let isCut =
      switch text[stop] {
      case 0xC2...0xDF: rest.isEmpty
      case 0xE0...0xEF: rest.count < 2
      case 0xF0...0xF4: rest.count < 3
      default: false
      }
    if isCut, rest.allSatisfy({ $0 & 0xC0 == 0x80 }) { return endOfText(inside: "a character") }
    return error(.invalidUTF8, "invalid UTF-8 (byte \(Self.hex(text[stop])))")
  }

  private func controlCharacter() -> JSONError {
    switch text[stop] {
    case .lineFeed, .carriageReturn:
      error(.controlCharacter, "a line break inside a string (it would have to be written \\n)")
    case .tab:
      error(.controlCharacter, "a tab inside a string (it would have to be written \\t)")
    case let byte:
      error(.controlCharacter, "a control character (\(Self.hex(byte))) inside a string")
    }
  }

  private func invalidEscape() -> JSONError {
    if text[stop + 1] == UInt8(ascii: "u") {
      error(.invalidEscape, "\\u without four hexadecimal digits")
    } else {
      error(.invalidEscape, "a backslash before \(name(at: stop + 1)), which is no escape of JSON")
    }
  }

  private func invalidNumber(from start: Int) -> JSONError {
    if stop >= text.count { return endOfText(inside: "a number") }
    if text[stop - 1] == .zero, text[stop].isDigit {
      return error(.invalidNumber, "a number with a leading zero", at: start)
    }
    if text[stop - 1] == .minus, let word = word(at: stop) {
      return error(.invalidNumber, "-\(word) is no number of JSON", at: start)
    }
    return error(.invalidNumber, "a number that lacks a digit")
  }

  private func invalidLiteral() -> JSONError {
    let word = word(at: stop) ?? ""
    let isCut = stop + word.utf8.count == text.count
    if isCut, ["true", "false", "null"].contains(where: { $0.hasPrefix(word) }) {
      return endOfText(inside: "a word")
    }
    return error(.invalidLiteral, "\(word) is no value of JSON")
  }

  /// Something else than the grammar allows, or the end of the text.
  private func unexpected(_ expected: Expectation) -> JSONError {
    guard stop < text.count else { return endOfText(inside: isInObject ? "an object" : "an array") }
    if let mistake = knownMistake { return mistake }
    if expected == .value {
      if text[stop] == .plus || text[stop] == .dot {
        return error(.invalidNumber, "a number cannot start with \(name(at: stop))")
      }
      if let word = word(at: stop) { return error(.invalidLiteral, "\(word) is no value of JSON") }
    }
    return error(.unexpected, "expected \(expected.rawValue), found \(name(at: stop))")
  }

  private func trailingText() -> JSONError {
    knownMistake
      ?? error(.trailingText, "more text behind the end of the value, from \(name(at: stop)) on")
  }

  private func endOfText(inside what: String) -> JSONError {
    error(.endOfText, "the text ends inside \(what)", at: text.count)
  }

  /// What is wrong wherever it stands, outside of strings.
  private var knownMistake: JSONError? {
    let byte = text[stop]
    if byte >= 0x80, UTF8Sequence.length(at: stop, in: text) == 0 { return invalidUTF8() }
    if byte == .closeBracket || byte == .closeBrace, let comma = commaBefore {
      return error(.trailingComma, "a trailing comma", at: comma)
    }
    if isComment { return error(.comment, "a comment is not JSON") }
    if let marker = conflictMarker {
      return error(.conflictMarker, "a conflict marker (\(marker)); two versions of the text were not merged")
    }
    if byte == UInt8(ascii: "'") { return error(.unexpected, "single quotes; JSON has double quotes") }
    return nil
  }

  // MARK: - Looking around

  private var blankText: JSONError? {
    let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8])
    let contents = text.dropFirst(isMarked ? 3 : 0)
    if contents.isEmpty { return JSONError(.blank, "the text is empty", at: 0, in: text) }
    if contents.allSatisfy({ $0 == 0 }) {
      return JSONError(.blank, "the text consists of NUL bytes", at: 0, in: text)
    }
    if contents.allSatisfy({ $0 == 0 || $0.isJSONSpace }) {
      return JSONError(.blank, "the text is blank", at: 0, in: text)
    }
    return nil
  }

  /// UTF-16 shows itself by a byte order mark, or by a NUL beside the first character, which in JSON is
  /// ASCII. (A row of NULs is something else: the rest of a file that was not written to its end.)
  private var otherEncoding: JSONError? {
    guard text.count >= 2 else { return nil }
    let isUTF16 =
      switch (text[0], text[1]) {
      case (0xFE, 0xFF), (0xFF, 0xFE): true
      case (0, 1...), (1..., 0): text.count % 2 == 0 && !text[2...].prefix(2).elementsEqual([0, 0])
      default: false
      }
    return isUTF16 ? JSONError(.otherEncoding, "UTF-16 text; it has to be UTF-8", at: 0, in: text) : nil
  }

  /// The comma before the stop, if nothing but white space is between.
  private var commaBefore: Int? {
    var index = stop - 1
    while index >= 0, text[index].isJSONSpace { index -= 1 }
    return index >= 0 && text[index] == .comma ? index : nil
  }

  private var isComment: Bool {
    if text[stop] == UInt8(ascii: "#") { return true }
    guard text[stop] == .slash, stop + 1 < text.count else { return false }
    return text[stop + 1] == .slash || text[stop + 1] == UInt8(ascii: "*")
  }

  /// Seven equal signs at the start of a line, as version control systems leave them.
  private var conflictMarker: String? {
    guard stop + 7 <= text.count, stop == 0 || text[stop - 1] == .lineFeed else { return nil }
    let bytes = text[stop..<stop + 7]
    guard let sign = bytes.first, [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")].contains(sign),
      bytes.allSatisfy({ $0 == sign })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The letters from an offset on, at most 20.
  private func word(at offset: Int) -> String? {
    let letters = text[offset...].prefix(20).prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return letters.isEmpty ? nil : String(decoding: letters, as: UTF8.self)
  }

  /// What is at an offset, for a message: the character in quotes, or its number if it cannot be seen.
  private func name(at offset: Int) -> String {
    let length = text[offset] < 0x80 ? 1 : UTF8Sequence.length(at: offset, in: text)
    let character = String(decoding: text[offset..<offset + max(length, 1)], as: UTF8.self)
    guard length > 0, let scalar = character.unicodeScalars.first else { return Self.hex(text[offset]) }
    switch scalar.properties.generalCategory {
    case .control where length == 1: return Self.hex(text[offset])
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(character)'"
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
