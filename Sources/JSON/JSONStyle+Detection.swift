// The style of a parsed text.
//
// Each property is decided by what the text shows, by itself: an indentation by the first container that is
// broken into lines, a colon by the first member, and so on. What the text does not show is filled in from
// what it does: `" : "` and blank lines in empty containers are the app's, and the app escapes slashes and
// sorts.

extension JSONStyle {
  /// The style of the text that a value was parsed from, or changed from. A value that was made from nothing
  /// has none; for it, and for a text that shows nothing, this is `node`.
  package static func detected(in root: JSONValue) -> JSONStyle {
    switch root.content {
    case .source(let source, _): StyleEvidence(source).style
    default: root.origin.map { StyleEvidence($0.source).style } ?? .node
    }
  }
}

/// What one walk over the tape and one over the bytes bring to light.
private struct StyleEvidence {
  private let source: JSONSource
  private var indent: String?
  private var colon: String?
  private var comma: String?
  private var newline: String?
  private var empty: JSONStyle.EmptyContainer?
  private var hasManyMembers = false
  private var isSorted = true
  private var escapedSlashes = 0
  private var plainSlashes = 0
  private var hasEscapedNonASCII = false
  private var hasPlainNonASCII = false

  init(_ source: JSONSource) {
    self.source = source
    walkTape()
    walkBytes()
  }

  var style: JSONStyle {
    let root = source.range(JSONSource.root)
    let isApps = colon == " : " || (colon == nil && empty == .blankLine)
    // A lone `{}` or `[]` shows no lines, but is nobody's one-line file either.
    let hasNoEntries = source.isContainer(JSONSource.root) && source.count(JSONSource.root) == 0
    let indent = indent ?? (empty == .blankLine || hasNoEntries ? "  " : nil)
    let colon = colon ?? (isApps ? " : " : indent != nil || comma == ", " ? ": " : ":")
    let tail = source.bytes[root.upperBound...]
    return JSONStyle(
      indent: indent,
      colon: colon,
      comma: comma ?? (indent != nil || colon != ":" ? ", " : ","),
      escapesSlash: escapedSlashes == plainSlashes ? isApps : escapedSlashes > plainSlashes,
      escapesNonASCII: hasEscapedNonASCII && !hasPlainNonASCII,
      newline: newline ?? (tail.suffix(2).elementsEqual("\r\n".utf8) ? "\r\n" : "\n"),
      emptyContainer: empty ?? (isApps ? .blankLine : .tight),
      finalNewline: tail.last == .lineFeed,
      byteOrderMark: source.bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]),
      sortsKeys: hasManyMembers ? isSorted : isApps)
  }

  // MARK: - Structure

  /// Looks at every container, until nothing is left to be learned.
  private mutating func walkTape() {
    var node = JSONSource.root
    let end = source.next(node)
    while let container = source.nextContainer(from: node, to: end) {
      look(atContainer: container)
      // Most objects hold no container: their tokens need not be looked at.
      let first = source.firstEntry(container)
      let isObject = source.firstByte(container) == .openBrace
      let isFlat =
        source.next(container) - first == source.count(container) * (isObject ? 2 : 1) * JSONSource.scalarWords
      node = isFlat ? source.next(container) : first
      if indent != nil, colon != nil, comma != nil, empty != nil, hasManyMembers, !isSorted { return }
    }
  }

  private mutating func look(atContainer node: Int) {
    let count = source.count(node)
    guard count > 0 else {
      if empty == nil {
        let space = source.bytes[source.start(node) + 1..<source.end(node) - 1]
        empty = space.count(where: { $0 == .lineFeed }) >= 2 ? .blankLine : .tight
        if newline == nil, space.contains(.lineFeed) {
          newline = space.contains(.carriageReturn) ? "\r\n" : "\n"
        }
      }
      return
    }
    let first = source.firstEntry(node)
    if indent == nil { look(atIndentOf: node, firstEntry: first) }
    let isObject = source.firstByte(node) == .openBrace
    let firstValue = isObject ? source.value(ofKey: first) : first
    if isObject, colon == nil {
      let gap = source.bytes[source.end(first)..<source.start(firstValue)]
      if !gap.contains(where: \.breaksLine) { colon = String(decoding: gap, as: UTF8.self) }
    }
    guard count > 1 else { return }
    if comma == nil {
      let second = source.next(firstValue)
      let gap = source.bytes[source.end(firstValue)..<source.start(second)]
      if !gap.contains(where: \.breaksLine) { comma = String(decoding: gap, as: UTF8.self) }
    }
    if isObject, isSorted {
      hasManyMembers = true
      isSorted = hasSortedKeys(node)
    }
  }

  /// The indentation of the first entry less that of the line on which its container is.
  private mutating func look(atIndentOf node: Int, firstEntry first: Int) {
    let gap = source.bytes[source.start(node) + 1..<source.start(first)]
    guard let lineFeed = gap.lastIndex(of: .lineFeed) else { return }
    newline = lineFeed > gap.startIndex && source.bytes[lineFeed - 1] == .carriageReturn ? "\r\n" : "\n"
    let inner = source.bytes[lineFeed + 1..<source.start(first)]
    let outer = source.bytes.lineIndentation(at: source.start(node))
    indent = String(decoding: inner.starts(with: outer) ? inner.dropFirst(outer.count) : inner, as: UTF8.self)
  }

  private func hasSortedKeys(_ object: Int) -> Bool {
    var key = source.firstEntry(object)
    for _ in 1..<source.count(object) {
      let following = source.next(source.value(ofKey: key))
      if !source.key(key, precedes: following) { return false }
      key = following
    }
    return true
  }

  // MARK: - Characters

  /// Counts slashes and looks for characters outside ASCII, escaped or not. Outside strings there are none of
  /// them.
  private mutating func walkBytes() {
    source.bytes.withUnsafeBufferPointer { text in
      var position = source.start(JSONSource.root)
      let end = source.end(JSONSource.root)
      while position < end {
        // Once one character outside ASCII was seen, the others say nothing new.
        position = Self.nextStop(from: position, to: end, in: text, passingNonASCII: hasPlainNonASCII)
        guard position < end else { return }
        switch text[position] {
        case .slash: plainSlashes += 1
        case .backslash: position += look(atEscape: position, in: text)
        case 0x80...: hasPlainNonASCII = true
        default: break
        }
        position += 1
      }
    }
  }

  /// The next slash, backslash or, unless these are passed over, byte outside ASCII; or a few bytes before the end.
  private static func nextStop(
    from start: Int, to end: Int, in text: UnsafeBufferPointer<UInt8>, passingNonASCII: Bool
  ) -> Int {
    guard let bytes = text.baseAddress else { return end }
    let nonASCII: UInt64 = passingNonASCII ? 0 : .max
    var position = start
    while position + 8 <= end {
      let word = ByteWord(at: bytes + position)
      let stops = word.marks(of: .slash) | word.marks(of: .backslash) | word.nonASCII & nonASCII
      if stops != 0 { return position + ByteWord.first(in: stops) }
      position += 8
    }
    return position
  }

  /// Notes what an escape shows, and returns the bytes of it behind the backslash.
  private mutating func look(atEscape index: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    switch text[index + 1] {
    case .slash: escapedSlashes += 1
    case UInt8(ascii: "u"):
      var unit: UInt32 = 0
      for digit in text[index + 2..<index + 6] { unit = unit << 4 | (digit.hexDigit ?? 0) }
      // Line separators, joiners and the like are escaped one by one by people who want to see them; letters
      // are not.
      if unit >= 0xA1, !(0x2000...0x206F).contains(unit), unit < 0xD800 || unit > 0xDFFF, unit != 0xFEFF {
        hasEscapedNonASCII = true
      } else if (0xD800...0xDBFF).contains(unit), index + 7 < text.count, text[index + 6] == .backslash,
        text[index + 7] == UInt8(ascii: "u")
      {
        hasEscapedNonASCII = true
      }
      return 5
    default: break
    }
    return 1
  }
}
