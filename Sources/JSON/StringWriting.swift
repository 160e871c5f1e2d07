// Writing strings: which characters are escaped, and how.
//
// The quote, the backslash and control characters always are. The two known writers agree on the form: \b \f
// \n \r \t, and \u00 with lower-case digits for the other control characters. They differ in the slash, and
// some writers escape everything outside ASCII; that is what `EscapeRules` holds.

/// What is escaped besides what has to be.
struct EscapeRules {
  var slash = false
  var nonASCII = false

  /// Nothing else: the shortest text.
  static let minimal = EscapeRules()

  /// Whether anything in a text is escaped.
  @inline(__always)
  func escapesAny(of text: UnsafeBufferPointer<UInt8>) -> Bool {
    nextToEscape(in: text, from: 0) < text.count
  }

  /// The first place from `index` on with a character to escape; the text's end if there is none.
  func nextToEscape(in text: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
    var position = index
    guard let start = text.baseAddress else { return index }
    while position + 8 <= text.count {
      let stops = stops(in: ByteWord(at: start + position))
      position += ByteWord.first(in: stops)
      if stops != 0 { return position }
    }
    // The last bytes, some of them for a second time, are looked at in one word, too, and one by one only if there is
    // something among them.
    if position < text.count, text.count >= 4, stops(in: ByteWord(endOf: text)) == 0 { return text.count }
    while position < text.count {
      let byte = text[position]
      if byte < 0x20 || byte == .quote || byte == .backslash || (slash && byte == .slash)
        || (nonASCII && byte >= 0x80)
      {
        return position
      }
      position += 1
    }
    return position
  }

  @inline(__always)
  private func stops(in word: ByteWord) -> UInt64 {
    var stops = word.escapeStops
    if slash { stops |= word.marks(of: .slash) }
    if nonASCII { stops |= word.nonASCII }
    return stops
  }
}

extension [UInt8] {
  /// Appends a string with its quotes.
  mutating func appendString(_ string: String, _ rules: EscapeRules) {
    var string = string
    string.withUTF8 { appendString($0, rules) }
  }

  /// The same of UTF-8 text.
  mutating func appendString(_ text: UnsafeBufferPointer<UInt8>, _ rules: EscapeRules) {
    // Most texts have nothing to escape: they are looked at once, and copied with their quotes at once.
    guard rules.escapesAny(of: text) else {
      reserve(text.count + 2)
      append(.quote)
      append(contentsOf: text)
      append(.quote)
      return
    }
    append(.quote)
    appendEscaped(text, rules)
    append(.quote)
  }

  /// Makes room for so many bytes more; the room grows as it does when bytes are appended.
  mutating func reserve(_ more: Int) {
    if count + more > capacity { reserveCapacity(Swift.max(count + more, 2 * capacity)) }
  }

  /// Appends UTF-8 text, escaped by the rules, without quotes.
  mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, _ rules: EscapeRules) {
    var start = 0
    var position = 0
    while true {
      position = rules.nextToEscape(in: text, from: position)
      append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
      guard position < text.count else { return }
      position += appendEscape(of: text, at: position)
      start = position
    }
  }

  /// Appends the escape of one character and returns how many bytes the character has in the text.
  private mutating func appendEscape(of text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = text[index]
    let letter: UInt8
    switch byte {
    case .quote, .backslash, .slash: letter = byte
    case 0x08: letter = UInt8(ascii: "b")
    case 0x0C: letter = UInt8(ascii: "f")
    case .lineFeed: letter = UInt8(ascii: "n")
    case .carriageReturn: letter = UInt8(ascii: "r")
    case .tab: letter = UInt8(ascii: "t")
    case 0x80...:
      let length = UTF8Sequence.length(at: index, in: text)
      let character = String(decoding: text[index..<index + length], as: UTF8.self)
      for unit in character.utf16 { appendUnicodeEscape(unit) }
      return length
    default:
      appendUnicodeEscape(UInt16(byte))
      return 1
    }
    append(.backslash)
    append(letter)
    return 1
  }

  /// Appends `\u` and four lower-case digits.
  mutating func appendUnicodeEscape(_ unit: UInt16) {
    append(.backslash)
    append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt16] {
      let digit = UInt8(unit >> shift & 0xF)
      append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Appends a parsed string, with its quotes, as a writer with these rules would have written it; a lone
  /// surrogate stays an escape.
  ///
  /// - Parameter text: checked text without the quotes.
  mutating func appendRewritten(_ text: UnsafeBufferPointer<UInt8>, _ rules: EscapeRules) {
    append(.quote)
    var pieces = StringPieces(text)
    while let piece = pieces.next() {
      switch piece {
      case .plain(let range):
        appendEscaped(UnsafeBufferPointer(rebasing: text[range]), rules)
      case .scalar(let scalar):
        Array(scalar.utf8).withUnsafeBufferPointer { appendEscaped($0, rules) }
      case .loneSurrogate(let unit):
        appendUnicodeEscape(unit)
      }
    }
    append(.quote)
  }
}
