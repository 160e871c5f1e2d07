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

  /// Whether this is that token of a parsed text.
  @inline(__always)
  func isToken(_ node: Int, of source: JSONSource) -> Bool {
    guard case .source(let own, let token) = content else { return false }
    return own === source && token == node
  }

  /// Whether both are the very same place in the same parsed text. Costs nothing, and is never true of made values.
  package func isSame(as other: JSONValue) -> Bool {
    guard case .source(let source, let node) = other.content else { return false }
    return isToken(node, of: source)
  }
}
