// One line, no white space outside strings: what goes over a wire.
//
// String and number text of sources is kept. A parsed container without white space, which the parser has
// noted, is copied as a whole; otherwise its tokens are copied one by one.

extension JSONValue {
  /// Appends this value on one line, without white space outside strings. The result holds no control
  /// character, so no line break either.
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

extension JSONValue {
  /// The same value as one text: quick to write, and small, where many objects were made.
  package var compacted: JSONValue {
    var bytes: [UInt8] = []
    appendCompact(to: &bytes)
    // What is written here is JSON; deeper than what is read it may be.
    do { return try JSONValue(parsing: bytes) } catch { return self }
  }
}

extension JSONSource {
  /// Appends a token and what is in it without white space.
  func appendCompact(_ node: Int, to output: inout [UInt8]) {
    let range = range(node)
    guard isContainer(node), hasSpace(node) else {
      return withBytes(range) { output.append(contentsOf: $0) }
    }
    // What is left never needs more room than there was.
    output += [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      bytes.withUnsafeBufferPointer { text in
        var copy = CompactCopy(text: text, output: buffer)
        self.copy(node, to: &copy)
        count = copy.count
      }
    }
  }

  private func copy(_ node: Int, to output: inout CompactCopy) {
    guard isContainer(node), hasSpace(node) else { return output.append(start(node), end(node)) }
    let isObject = firstByte(node) == .openBrace
    output.append(isObject ? .openBrace : .openBracket)
    var entry = firstEntry(node)
    for index in 0..<count(node) {
      if index > 0 { output.append(.comma) }
      if isObject {
        output.append(start(entry), end(entry))
        output.append(.colon)
        entry = value(ofKey: entry)
      }
      copy(entry, to: &output)
      entry = next(entry)
    }
    output.append(isObject ? .closeBrace : .closeBracket)
  }
}

/// Copies parts of a text into a buffer that is as large as the text.
private struct CompactCopy {
  let text: UnsafeBufferPointer<UInt8>
  let output: UnsafeMutableBufferPointer<UInt8>
  var count = 0

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    output.initializeElement(at: count, to: byte)
    count += 1
  }

  /// Appends bytes of the text. Most tokens are short, so eight bytes are copied at a time, a few too many
  /// where there is room on both sides.
  @inline(__always)
  mutating func append(_ start: Int, _ end: Int) {
    let length = end - start
    if length <= 64, start + length + 8 <= text.count, count + length + 8 <= output.count {
      let source = UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped) + start
      let target = UnsafeMutableRawPointer(output.baseAddress.unsafelyUnwrapped) + count
      var offset = 0
      while offset < length {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self), toByteOffset: offset,
          as: UInt64.self)
        offset += 8
      }
    } else {
      _ = UnsafeMutableBufferPointer(rebasing: output[count...]).initialize(fromContentsOf: text[start..<end])
    }
    count += length
  }
}
