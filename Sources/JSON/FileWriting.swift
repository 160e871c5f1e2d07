// A value as a file.
//
//     root.encoded(style: .detected(in: root))
//
// Where the root is a parsed text, or was changed from one, everything that belongs to that source and was
// not touched is copied byte for byte; only containers on the way to a change are laid out again:
//
// - with their own white space, as `Layout` reads it off their first entries; between entries that were
//   neighbours before, with the very bytes that stood there;
// - a new entry that is a container itself takes the layout of the value it replaces, else of a sibling of
//   its kind, and so do the containers in it, each of the one in the same place; where there is none, the
//   style decides;
// - an emptied container is written in the style's way, and so is one that was empty and is no longer.
//
// Values from other sources keep the text of their numbers, and their strings say the same in the style's
// escapes.

extension JSONValue {
  /// The text of a file with this value.
  ///
  /// - Parameter style: decides where the source shows nothing; for a root that was not parsed, everything.
  package func encoded(style: JSONStyle) -> [UInt8] {
    switch content {
    case .source(let source, let node) where node == JSONSource.root:
      return source.bytes
    case .source(let source, _):
      return FileWriter(source: source, style: style).file(self, around: nil)
    default:
      let source = origin?.source
      let isRoot = origin?.node == JSONSource.root
      return FileWriter(source: source, style: style).file(self, around: isRoot ? source : nil)
    }
  }
}

/// Writes one file.
struct FileWriter {
  /// The text that the root belongs to.
  let source: JSONSource?
  let style: JSONStyle
  let rules: EscapeRules
  private var output: [UInt8] = []
  /// Bytes of the source that are still to be copied: what was adjacent is copied at once.
  private var pending = 0..<0
  /// The style's layouts that were needed last.
  private var ladder: StyleLadder
  /// The form of the entry that was just written, if it is an object that was made.
  var rowForm: RowForm?
  /// The style's layout for containers on one line.
  let inlineLayout: Layout

  init(source: JSONSource?, style: JSONStyle) {
    self.source = source
    self.style = style
    rules = style.escapeRules
    ladder = StyleLadder(style, base: [])
    inlineLayout = Layout(
      open: [], separator: Array(style.comma.utf8)[...], close: [], colon: Array(style.colon.utf8)[...],
      isInline: true)
  }

  /// The file.
  ///
  /// - Parameter around: the source whose text before and behind the root is kept; the style decides where it
  ///   is nil.
  consuming func file(_ root: JSONValue, around: JSONSource?) -> [UInt8] {
    if let around {
      output.reserveCapacity(around.bytes.count + 1024)
      copy(0..<around.start(JSONSource.root))
    } else if style.byteOrderMark {
      append([0xEF, 0xBB, 0xBF])
    }
    writeAll(of: root, Context(isAtHome: around != nil))
    if let around {
      copy(around.end(JSONSource.root)..<around.bytes.count)
    } else if style.finalNewline {
      append(style.newline.utf8)
    }
    flush()
    return output
  }

  /// Where a value is written.
  struct Context {
    /// Whether the value stands in the source where it is written now, or was changed from one that does.
    /// Otherwise it may have come from another depth.
    var isAtHome: Bool
    /// Whether the container around has all its entries on one line.
    var isInline = false
    /// How lines of the source move here; nil if they stay. For values at home, and for templates.
    var shift: LineShift?
    /// A container of the source, not empty, whose layout a new one takes.
    var template: Int?
    /// The style's layouts, and the one that a container takes here, if the container around was laid out by
    /// the style.
    var ladder: StyleLadder?
    var step = 0
  }

  /// Writes a value and what is in it. The open containers are a list, not calls of this function within each
  /// other, so that depth does not cost stack.
  private mutating func writeAll(of root: JSONValue, _ context: Context) {
    var open: [OpenContainer] = []
    if let container = write(root, context) { open.append(container) }
    while let innermost = open.last {
      copyNeighbours(innermost)
      if let entry = innermost.next() {
        if writeRow(entry.value, innermost) { continue }
        let isFirst = innermost.isFirst
        rowForm = nil
        if let context = writeLead(of: entry, innermost), let container = write(entry.value, context) {
          open.append(container)
        }
        if let rowForm, !isFirst, !innermost.isObject { take(rowForm, in: innermost) }
      } else {
        close(innermost)
        open.removeLast()
      }
    }
  }

  /// Writes a value; of a container that has to be laid out, only the opening bracket.
  ///
  /// - Returns: that container.
  private mutating func write(_ value: JSONValue, _ context: Context) -> OpenContainer? {
    switch value.content {
    case .source(let source, let node):
      if source === self.source {
        copy(node, shift: context.isAtHome ? context.shift : shift(of: node))
      } else if source.isContainer(node) {
        return open(value, context)
      } else {
        writeScalar(value)
      }
    case .array, .object: return open(value, context)
    case .null, .bool, .number, .string: writeScalar(value)
    }
    return nil
  }

  /// Writes a value that has no layout.
  mutating func writeScalar(_ value: JSONValue) {
    flush()
    switch value.content {
    case .source(let source, let node) where source === self.source:
      copy(node, shift: nil)
    case .source(let source, let node) where source.firstByte(node) == .quote:
      source.withText(of: node) { output.appendRewritten($0, rules) }
    case .string(let string):
      output.appendString(string, rules)
    default:
      value.appendCompact(to: &output)
    }
  }

  /// The token of the source that a value is, or came from.
  func node(of value: JSONValue) -> Int? {
    guard let source else { return nil }
    if case .source(let other, let node) = value.content { return other === source ? node : nil }
    return value.origin.flatMap { $0.source === source ? $0.node : nil }
  }

  /// How the lines of a container from elsewhere in the source move to the line that is being written; nil if
  /// they stay.
  mutating func shift(of node: Int) -> LineShift? {
    guard let source, source.isContainer(node), source.hasSpace(node),
      source.bytes[source.range(node)].contains(where: \.breaksLine)
    else { return nil }
    let from = source.bytes.lineIndentation(at: source.start(node))
    let to = currentIndentation()
    return from == to ? nil : LineShift(from: from, to: to)
  }

  /// The style's layouts for a container on the line that is being written.
  mutating func ladderHere() -> StyleLadder {
    let indentation = currentIndentation()
    if ladder.base != indentation { ladder = StyleLadder(style, base: indentation) }
    return ladder
  }

  /// The white space at the start of the line that is being written.
  private mutating func currentIndentation() -> ArraySlice<UInt8> {
    flush()
    return output.lineIndentation(at: output.count)
  }

  // MARK: - Output

  mutating func append(_ bytes: some Collection<UInt8>) {
    flush()
    output.append(contentsOf: bytes)
  }

  mutating func append(_ byte: UInt8) {
    flush()
    output.append(byte)
  }

  /// Appends an object that fits a form, behind what stands before it.
  mutating func write(_ members: [JSONValue.RawMember], as form: RowForm, behind gap: ArraySlice<UInt8>) {
    flush()
    form.append(members, behind: gap, to: &output, rules)
  }

  /// Lets the entries that follow be written in the form of the one before, and makes room for them.
  private mutating func take(_ form: RowForm, in container: OpenContainer) {
    container.rowForm = form
    output.reserve(container.left * form.usualSize)
  }

  /// Copies a token of the source with all that is in it.
  mutating func copy(_ node: Int, shift: LineShift?) {
    if let source { copy(source.range(node), shift: shift) }
  }

  /// Copies bytes of the source.
  mutating func copy(_ range: Range<Int>, shift: LineShift? = nil) {
    if let shift, let source {
      append(shift.applied(to: source.bytes[range]))
    } else if range.lowerBound == pending.upperBound {
      pending = pending.lowerBound..<range.upperBound
    } else {
      flush()
      pending = range
    }
  }

  private mutating func flush() {
    guard let source, !pending.isEmpty else { return }
    source.bytes.withUnsafeBufferPointer {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[pending]))
    }
    pending = pending.upperBound..<pending.upperBound
  }
}
