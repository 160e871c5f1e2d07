// When two values say the same.
//
// Objects are sets of members, of which the last so named counts; strings are compared decoded, lone
// surrogates distinct; numbers as they are written (1 and 1.0 differ); arrays in order. `appendCanonical`
// writes the same notion as bytes: two values have the same canonical encoding exactly where they are
// equivalent, so a hash of it is a fingerprint of what a list says, whatever its style.

extension JSONValue {
  /// Whether two values say the same.
  package func isEquivalent(to other: JSONValue) -> Bool {
    if hasSameText(as: other) { return true }
    let kind = kind
    guard kind == other.kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return bool == other.bool
    case .number: return numberText == other.numberText
    case .string: return isSameString(as: other)
    case .array:
      let elements = elements
      let others = other.elements
      return elements.count == others.count && zip(elements, others).allSatisfy { $0.isEquivalent(to: $1) }
    case .object:
      let members = effectiveMembers
      let others = other.effectiveMembers
      return members.count == others.count
        && zip(members, others).allSatisfy {
          $0.key.isSameString(as: $1.key) && $0.value.isEquivalent(to: $1.value)
        }
    }
  }

  /// Appends the canonical encoding: one line, members sorted by key as UTF-8, of members with one key only
  /// the last, strings with the fewest escapes, numbers as they are written.
  package func appendCanonical(to bytes: inout [UInt8]) {
    switch content {
    case .source(let source, let node): source.appendCanonical(node, to: &bytes)
    case .null, .bool, .number, .string: appendCompact(to: &bytes)
    case .array(let elements, _):
      bytes.append(.openBracket)
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(.comma) }
        element.appendCanonical(to: &bytes)
      }
      bytes.append(.closeBracket)
    case .object:
      bytes.append(.openBrace)
      for (index, member) in effectiveMembers.enumerated() {
        if index > 0 { bytes.append(.comma) }
        member.key.appendCanonical(to: &bytes)
        bytes.append(.colon)
        member.value.appendCanonical(to: &bytes)
      }
      bytes.append(.closeBrace)
    }
  }

  /// A quick yes: the same place, or places with the same bytes.
  private func hasSameText(as other: JSONValue) -> Bool {
    guard case .source(let source, let node) = content,
      case .source(let otherSource, let otherNode) = other.content
    else { return false }
    if source === otherSource, node == otherNode { return true }
    return source.withBytes(source.range(node)) { text in
      otherSource.withBytes(otherSource.range(otherNode)) { text.hasSameBytes(as: $0) }
    }
  }

  private func isSameString(as other: JSONValue) -> Bool {
    withExactBytes { text in other.withExactBytes { text.hasSameBytes(as: $0) } }
  }

  /// The members that count, sorted by key.
  private var effectiveMembers: [RawMember] {
    if case .source(let source, let node) = content {
      return source.effectiveKeys(of: node).map { source.member($0) }
    }
    // The sort keeps the order of equal keys, so the last of them is the last so named.
    let sorted = memberList.sorted { $0.key.precedes($1.key) }
    return sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0].key.precedes(sorted[$0 + 1].key) }
      .map { sorted[$0] }
  }

  private func precedes(_ other: JSONValue) -> Bool {
    withExactBytes { text in other.withExactBytes { text.lexicographicallyPrecedes($0) } }
  }
}

extension JSONSource {
  /// Appends the canonical encoding of a token with all that is in it.
  func appendCanonical(_ node: Int, to output: inout [UInt8]) {
    guard isContainer(node) else {
      // A string without escapes is as short as can be.
      if firstByte(node) == .quote, hasEscapes(node) {
        withText(of: node) { output.appendRewritten($0, .minimal) }
      } else {
        withBytes(range(node)) { output.append(contentsOf: $0) }
      }
      return
    }
    let isObject = firstByte(node) == .openBrace
    output.append(isObject ? .openBrace : .openBracket)
    if isObject {
      for (index, key) in effectiveKeys(of: node).enumerated() {
        if index > 0 { output.append(.comma) }
        appendCanonical(key, to: &output)
        output.append(.colon)
        appendCanonical(value(ofKey: key), to: &output)
      }
    } else {
      var element = firstEntry(node)
      for index in 0..<count(node) {
        if index > 0 { output.append(.comma) }
        appendCanonical(element, to: &output)
        element = next(element)
      }
    }
    output.append(isObject ? .closeBrace : .closeBracket)
  }

  /// The keys of an object that count, sorted.
  func effectiveKeys(of object: Int) -> [Int] {
    var keys = entries(of: object)
    if zip(keys, keys.dropFirst()).allSatisfy({ key($0, precedes: $1) }) { return keys }
    // The sort keeps the order of equal keys, so the last of them is the last so named.
    keys.sort { key($0, precedes: $1) }
    return keys.indices.filter { $0 + 1 == keys.count || key(keys[$0], precedes: keys[$0 + 1]) }
      .map { keys[$0] }
  }

  /// Whether a key comes before another, as UTF-8.
  func key(_ key: Int, precedes other: Int) -> Bool {
    withExactBytes(of: key) { text in withExactBytes(of: other) { text.lexicographicallyPrecedes($0) } }
  }
}
