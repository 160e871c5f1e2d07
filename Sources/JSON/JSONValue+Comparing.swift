// When two values say the same.
//
// Objects are sets of members, of which the last so named counts; strings are compared decoded, lone surrogates
// distinct; numbers as they are written (1 and 1.0 differ); arrays in order. `appendCanonical` writes the same notion
// as bytes: two values have the same canonical encoding exactly where they are equivalent, so a hash of it is a
// fingerprint of what a list says, whatever its style.

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
    case .string: return exactBytes == other.exactBytes
    case .array:
      let elements = elements
      let others = other.elements
      return elements.count == others.count && zip(elements, others).allSatisfy { $0.isEquivalent(to: $1) }
    case .object:
      let members = effectiveMembers
      let others = other.effectiveMembers
      return members.count == others.count
        && zip(members, others).allSatisfy { $0.key == $1.key && $0.value.isEquivalent(to: $1.value) }
    }
  }

  /// Appends the canonical encoding: one line, members sorted by key as UTF-8, of members with one key only the last,
  /// strings with the fewest escapes, numbers as they are written.
  package func appendCanonical(to bytes: inout [UInt8]) {
    switch kind {
    case .null, .bool, .number:
      appendCompact(to: &bytes)
    case .string:
      appendCanonicalString(to: &bytes)
    case .array:
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
        member.name.appendCanonicalString(to: &bytes)
        bytes.append(.colon)
        member.value.appendCanonical(to: &bytes)
      }
      bytes.append(.closeBrace)
    }
  }

  private func appendCanonicalString(to bytes: inout [UInt8]) {
    switch content {
    case .source(let source, let node):
      source.withText(of: node) { bytes.appendRewritten($0, .minimal) }
    case .string(let string): bytes.appendString(string, .minimal)
    default: break
    }
  }

  /// A quick yes: the same place, or places with the same bytes.
  private func hasSameText(as other: JSONValue) -> Bool {
    guard case .source(let source, let node) = content,
      case .source(let otherSource, let otherNode) = other.content
    else { return false }
    if source === otherSource, node == otherNode { return true }
    let range = source.range(node)
    let otherRange = otherSource.range(otherNode)
    guard range.count == otherRange.count else { return false }
    return source.bytes[range] == otherSource.bytes[otherRange]
  }

  /// A member with its key in comparable form.
  private struct EffectiveMember {
    let key: [UInt8]
    let name: JSONValue
    let value: JSONValue
  }

  /// The members that count, sorted by key.
  private var effectiveMembers: [EffectiveMember] {
    // The sort keeps the order of equal keys, so the last of them is the last so named.
    let sorted = rawMembers.map { EffectiveMember(key: $0.key.exactBytes, name: $0.key, value: $0.value) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0].key != sorted[$0 + 1].key }
      .map { sorted[$0] }
  }
}
