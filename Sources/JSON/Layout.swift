// The white space of one container.
//
// It is either read off a parsed container (`init(of:style:shift:)`), so that a file with a row per line, or
// `[{…}]` inline in an indented file, keeps its look, or made by the style (`StyleLadder`).

/// What stands around the entries of a container, and between them.
struct Layout {
  /// Between the opening bracket and the first entry.
  let open: ArraySlice<UInt8>
  /// Between two entries, the comma included.
  let separator: ArraySlice<UInt8>
  /// Between the last entry and the closing bracket.
  let close: ArraySlice<UInt8>
  /// Between key and value, the colon included.
  let colon: ArraySlice<UInt8>
  /// Whether the entries stand on one line.
  let isInline: Bool
}

extension Layout {
  /// The layout of a parsed container, read off its first two entries.
  ///
  /// - Parameters:
  ///   - family: the container, which has entries.
  ///   - style: decides what a single entry does not show.
  ///   - shift: how lines are moved to where the layout is used.
  init(of family: Family, style: JSONStyle, shift: LineShift?) {
    let source = family.source
    let bytes = source.bytes
    let first = source.firstEntry(family.container)
    let firstValue = family.value(of: first)
    func gap(_ lower: Int, _ upper: Int) -> ArraySlice<UInt8> {
      shift?.applied(to: bytes[lower..<upper])[...] ?? bytes[lower..<upper]
    }

    let bracket = source.end(family.container) - 1
    var lastEnd = bracket
    while bytes[lastEnd - 1].isJSONSpace { lastEnd -= 1 }
    open = gap(source.start(family.container) + 1, source.start(first))
    close = gap(lastEnd, bracket)
    colon = family.isObject ? gap(source.end(first), source.start(firstValue)) : []
    if source.count(family.container) > 1 {
      separator = gap(source.end(firstValue), source.start(family.entry(behind: first)))
    } else if open.contains(where: \.breaksLine) {
      separator = [.comma] + open
    } else {
      separator = Array(style.comma.utf8)[...]
    }
    isInline = !separator.contains(where: \.breaksLine)
  }
}

/// The layouts of a style: step 0 is for a container on a line with a certain indentation, step 1 for a
/// container that is an entry of such a one, and so on.
///
/// It is an object, so that all values that are written at one depth share it.
final class StyleLadder {
  /// The indentation of the line on which containers of step 0 begin.
  let base: ArraySlice<UInt8>
  private let style: JSONStyle
  private var steps: [Layout] = []

  init(_ style: JSONStyle, base: ArraySlice<UInt8>) {
    self.style = style
    self.base = base
  }

  func layout(at step: Int) -> Layout {
    while step >= steps.count { steps.append(makeLayout(at: steps.count)) }
    return steps[step]
  }

  private func makeLayout(at step: Int) -> Layout {
    let indent = Array((style.indent ?? "").utf8)
    let close = Array(style.newline.utf8) + base + Array(repeatElement(indent, count: step).joined())
    let open = close + indent
    return Layout(
      open: open[...], separator: [.comma] + open, close: close[...], colon: Array(style.colon.utf8)[...],
      isInline: false)
  }
}

/// Lines of a source that are written with another indentation.
final class LineShift {
  private let from: ArraySlice<UInt8>
  private let to: ArraySlice<UInt8>

  init(from: ArraySlice<UInt8>, to: ArraySlice<UInt8>) {
    self.from = from
    self.to = to
  }

  /// The text with the indentation of every line but the first exchanged. Strings are safe: they have no line
  /// breaks.
  func applied(to text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text
    while let lineBreak = rest.firstIndex(where: \.breaksLine) {
      result.append(contentsOf: rest[...lineBreak])
      rest = rest[(lineBreak + 1)...]
      if rest.starts(with: from), rest.first?.breaksLine != true {
        result.append(contentsOf: to)
        rest = rest.dropFirst(from.count)
      }
    }
    result.append(contentsOf: rest)
    return result
  }
}

extension UInt8 {
  /// Whether this white space starts a new line.
  var breaksLine: Bool { self == .lineFeed || self == .carriageReturn }
}

extension [UInt8] {
  /// The white space at the start of the line on which a byte is.
  func lineIndentation(at offset: Int) -> ArraySlice<UInt8> {
    var start = offset
    while start > 0, !self[start - 1].breaksLine { start -= 1 }
    return self[start..<offset].prefix { $0 == .space || $0 == .tab }
  }
}
