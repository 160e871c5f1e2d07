// One line, no white space outside strings: what goes over a wire.
//
// String and number text of sources is kept. A parsed container without white space, which the parser has noted, is
// copied as a whole; otherwise its tokens are copied one by one.

extension JSONValue {
  /// Appends this value on one line, without white space outside strings. The result holds no control character, so no
  /// line break either.
  package func appendCompact(to bytes: inout [UInt8]) {
    switch content {
    case .source(let source, let node): source.appendCompact(node, to: &bytes)
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let string): bytes.appendString(string, .minimal)
    case .array(let elements, _):
      bytes.append(.openBracket)
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(.comma) }
        element.appendCompact(to: &bytes)
      }
      bytes.append(.closeBracket)
    case .object(let members, _):
      bytes.append(.openBrace)
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(.comma) }
        member.key.appendCompact(to: &bytes)
        bytes.append(.colon)
        member.value.appendCompact(to: &bytes)
      }
      bytes.append(.closeBrace)
    }
  }
}

extension JSONSource {
  /// Appends a token and what is in it without white space.
  func appendCompact(_ node: Int, to output: inout [UInt8]) {
    guard isContainer(node), hasSpace(node) else {
      output.append(contentsOf: bytes[range(node)])
      return
    }
    let isObject = firstByte(node) == .openBrace
    output.append(isObject ? .openBrace : .openBracket)
    var entry = firstEntry(node)
    for index in 0..<count(node) {
      if index > 0 { output.append(.comma) }
      if isObject {
        output.append(contentsOf: bytes[range(entry)])
        output.append(.colon)
        entry = value(ofKey: entry)
      }
      appendCompact(entry, to: &output)
      entry = next(entry)
    }
    output.append(isObject ? .closeBrace : .closeBracket)
  }
}
