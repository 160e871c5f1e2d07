// The value of a member while `forEachMember` is at it.
//
// It reads in place what a `JSONValue` reads, without keeping the source alive: counting who does takes longer than reading
// a short member. It must not outlive the call that it is given to.

/// A value that is only looked at.
package struct PassingValue {
  enum Content {
    /// The text of a token of a parsed text; a string's mark says that it has escapes.
    case text(UnsafeBufferPointer<UInt8>, isMarked: Bool)
    case kept(JSONValue)
  }

  private let content: Content

  init(_ content: Content) { self.content = content }

  /// A value that is kept, for what takes either.
  package init(_ value: JSONValue) { content = .kept(value) }

  package var kind: JSONValue.Kind {
    switch content {
    case .text(let text, _): JSONValue.Kind(firstByte: text[0])
    case .kept(let value): value.kind
    }
  }

  /// Nil when this is no boolean.
  package var bool: Bool? {
    switch content {
    case .text(let text, _): JSONValue.bool(firstByte: text[0])
    case .kept(let value): value.bool
    }
  }

  /// The decoded string, nil when this is none. A lone surrogate is shown as U+FFFD.
  package var string: String? {
    switch content {
    case .text(let text, let isMarked):
      guard text[0] == .quote else { return nil }
      return StringText.string(UnsafeBufferPointer(rebasing: text[1..<text.count - 1]), hasEscapes: isMarked)
    case .kept(let value): return value.string
    }
  }

  /// A number as it is written, nil when this is none.
  package var numberText: String? {
    switch content {
    case .text(let text, _): kind == .number ? String(decoding: text, as: UTF8.self) : nil
    case .kept(let value): value.numberText
    }
  }

  /// Calls `body` with what a string says; see `JSONValue.withExactBytes`. With none for other values.
  package func withExactBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    switch content {
    case .text(let text, let isMarked):
      guard text[0] == .quote else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
      let inner = UnsafeBufferPointer(rebasing: text[1..<text.count - 1])
      return isMarked ? StringText.exactBytes(inner).withUnsafeBufferPointer(body) : body(inner)
    case .kept(let value): return value.withExactBytes(body)
    }
  }
}
