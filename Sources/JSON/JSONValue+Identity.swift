// Asking where a value comes from, without looking at what it says.

extension JSONValue {
  /// Whether this is a place in a parsed text: not made, not changed.
  package var isParsed: Bool {
    if case .source = content { true } else { false }
  }

  /// Whether this is a scalar that was made.
  var isMadeScalar: Bool {
    switch content {
    case .null, .bool, .number, .string: true
    case .source, .array, .object: false
    }
  }

  /// Whether both are the very same place in the same parsed text. Costs nothing, and is never true of made values.
  package func isSame(as other: JSONValue) -> Bool {
    guard case .source(let source, let node) = content,
      case .source(let otherSource, let otherNode) = other.content
    else { return false }
    return source === otherSource && node == otherNode
  }
}
