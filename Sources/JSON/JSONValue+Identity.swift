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

  /// Whether both are places in one parsed text.
  package func isInSameText(as other: JSONValue) -> Bool {
    guard case .source(let source, _) = content, case .source(let otherSource, _) = other.content else { return false }
    return source === otherSource
  }

  /// Whether this was made from a parsed object by putting more into it, and behind what its arrays have: all that shows
  /// the style of its text is still there then, and stands where it stood.
  package func onlyAdds(to old: JSONValue) -> Bool {
    guard case .object(let members, let origin?) = content, case .source(let source, let node) = old.content,
      origin.source === source, origin.node == node
    else { return false }
    var rest = members[...]
    for key in source.entries(of: node) {
      guard let place = rest.firstIndex(where: { $0.key.isToken(key, of: source) }),
        rest[place].value.hasAllEntries(of: source.value(ofKey: key), in: source)
      else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }

  /// Whether this is that token, or an array that begins with its elements, of which there are some.
  private func hasAllEntries(of node: Int, in source: JSONSource) -> Bool {
    if isToken(node, of: source) { return true }
    guard case .array(let elements, _) = content, source.firstByte(node) == .openBracket, source.count(node) > 0,
      source.count(node) <= elements.count
    else { return false }
    var token = source.firstEntry(node)
    for element in elements.prefix(source.count(node)) {
      guard element.isToken(token, of: source) else { return false }
      token = source.next(token)
    }
    return true
  }

  /// Whether both are the very same place in the same parsed text. Costs nothing, and is never true of made values.
  package func isSame(as other: JSONValue) -> Bool {
    guard case .source(let source, let node) = other.content else { return false }
    return isToken(node, of: source)
  }
}
