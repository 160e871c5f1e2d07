// The white space of one container.
//
// It is either read off a parsed container (`init(of:in:…)`), so that a file with a row per line, or `[{…}]` inline in an
// indented file, keeps its look, or made by the style (`init(style:…)`).

/// What stands around the entries of a container, and between them.
struct Layout {
  /// Between the opening bracket and the first entry.
  let open: [UInt8]
  /// Between two entries, the comma included.
  let separator: [UInt8]
  /// Between the last entry and the closing bracket.
  let close: [UInt8]
  /// Between key and value, the colon included.
  let colon: [UInt8]
  /// Whether the entries stand on the line of the bracket.
  let isInline: Bool

  /// What a style writes for a container on a line with this indentation.
  ///
  /// - Parameter isInline: whether the container around it has everything on one line; then this one has too.
  init(style: JSONStyle, indentation: ArraySlice<UInt8>, isInline: Bool) {
    colon = Array(style.colon.utf8)
    guard let indent = style.indent, !isInline else {
      open = []
      separator = Array(style.comma.utf8)
      close = []
      self.isInline = true
      return
    }
    close = Array(style.newline.utf8) + indentation
    open = close + Array(indent.utf8)
    separator = [.comma] + open
    self.isInline = false
  }

  /// The layout of a parsed container that has entries, read off its first two.
  ///
  /// - Parameter shift: how lines are moved to where the container is written.
  init(of node: Int, in source: JSONSource, style: JSONStyle, shift: LineShift?) {
    let bytes = source.bytes
    let first = source.firstEntry(node)
    let firstValue = source.firstByte(node) == .openBrace ? source.value(ofKey: first) : first
    func gap(_ range: Range<Int>) -> [UInt8] { shift?.applied(to: bytes[range]) ?? Array(bytes[range]) }

    let open = gap(source.start(node) + 1..<source.start(first))
    var closeStart = source.end(node) - 1
    while bytes[closeStart - 1].isJSONSpace { closeStart -= 1 }
    self.open = open
    close = gap(closeStart..<source.end(node) - 1)
    if source.count(node) > 1 {
      separator = gap(source.end(firstValue)..<source.start(source.next(firstValue)))
    } else if open.contains(where: \.breaksLine) {
      separator = [.comma] + open
    } else {
      separator = Array(style.comma.utf8)
    }
    colon = firstValue == first ? Array(style.colon.utf8) : gap(source.end(first)..<source.start(firstValue))
    isInline = !open.contains(where: \.breaksLine) && !separator.contains(where: \.breaksLine)
  }
}

extension ArraySlice<UInt8> {
  /// The indentation of the line that goes on behind this gap between two tokens.
  ///
  /// - Parameter line: the indentation of the line on which the gap starts.
  func indentation(on line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let lineBreak = lastIndex(where: \.breaksLine) else { return line }
    return self[(lineBreak + 1)...].prefix { $0 == .space || $0 == .tab }
  }
}

/// Lines of a source that are written with another indentation.
struct LineShift {
  let from: ArraySlice<UInt8>
  let to: ArraySlice<UInt8>

  /// The text with the indentation of every line but the first exchanged. Strings are safe: they have no line breaks.
  func applied(to text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text
    while let lineFeed = rest.firstIndex(where: \.breaksLine) {
      result.append(contentsOf: rest[...lineFeed])
      rest = rest[(lineFeed + 1)...]
      if rest.starts(with: from), rest.first?.breaksLine != true {
        result.append(contentsOf: to)
        rest = rest.dropFirst(from.count)
      }
    }
    result.append(contentsOf: rest)
    return result
  }
}
