// An array's elements and an object's members, one after the other.
//
//     for row in items.elements { … }
//     for (key, value) in row.members { … }
//
// A parsed container has no table of its entries, only a link from each to the next. So elements come in order, their
// count is known, and one in the middle is reached by way of those before it; `Array(elements)` gives random access.

extension JSONValue {
  /// The elements of an array; empty when this is none.
  package var elements: Elements { Elements(self) }

  /// The members of an object as they are written, duplicates included; empty when this is none.
  package var members: Members { Members(rawMembers) }

  /// The value of the last member with this key; nil when there is none, or this is no object. Keys are compared as
  /// UTF-8 bytes.
  package subscript(key: String) -> JSONValue? {
    var found: JSONValue?
    var key = key
    key.withUTF8 { key in
      switch content {
      case .source(let source, let node):
        guard let entry = source.lastEntry(of: node, key: key) else { return }
        found = JSONValue(.source(source, source.value(ofKey: entry)))
      case .object(let members, _):
        found = members.last { $0.key.isString(key) }?.value
      default: break
      }
    }
    return found
  }

  package struct Elements: Sequence, Sendable {
    private let content: Content
    package let count: Int

    init(_ value: JSONValue) {
      switch value.content {
      case .source(let source, let node) where source.firstByte(node) == .openBracket:
        content = value.content
        count = source.count(node)
      case .array(let elements, _):
        content = value.content
        count = elements.count
      default:
        content = .null
        count = 0
      }
    }

    package var isEmpty: Bool { count == 0 }
    package var first: JSONValue? {
      var iterator = makeIterator()
      return iterator.next()
    }
    package var underestimatedCount: Int { count }

    package func makeIterator() -> Iterator { Iterator(content, count) }

    package struct Iterator: IteratorProtocol {
      private let content: Content
      private var left: Int
      /// The next element's position on the tape, or its index.
      private var position = 0

      fileprivate init(_ content: Content, _ count: Int) {
        self.content = content
        left = count
        if case .source(let source, let node) = content { position = source.firstEntry(node) }
      }

      package mutating func next() -> JSONValue? {
        guard left > 0 else { return nil }
        left -= 1
        switch content {
        case .source(let source, _):
          let element = position
          position = source.next(element)
          return JSONValue(.source(source, element))
        case .array(let elements, _):
          defer { position += 1 }
          return elements[position]
        default:
          return nil
        }
      }
    }
  }

  /// One member of an object.
  package typealias Member = (key: String, value: JSONValue)

  package struct Members: Sequence, Sendable {
    private let raw: RawMembers
    fileprivate init(_ raw: RawMembers) { self.raw = raw }

    package var count: Int { raw.count }
    package var isEmpty: Bool { count == 0 }
    package var underestimatedCount: Int { count }
    package func makeIterator() -> Iterator { Iterator(raw: raw.makeIterator()) }

    package struct Iterator: IteratorProtocol {
      fileprivate var raw: RawMembers.Iterator
      package mutating func next() -> Member? {
        raw.next().map { (key: $0.key.string ?? "", value: $0.value) }
      }
    }
  }

  var rawMembers: RawMembers { RawMembers(self) }

  /// The members with their keys as they are, not decoded.
  struct RawMembers: Sequence, Sendable {
    private let content: Content
    let count: Int

    init(_ value: JSONValue) {
      switch value.content {
      case .source(let source, let node) where source.firstByte(node) == .openBrace:
        content = value.content
        count = source.count(node)
      case .object(let members, _):
        content = value.content
        count = members.count
      default:
        content = .null
        count = 0
      }
    }

    var isEmpty: Bool { count == 0 }
    var underestimatedCount: Int { count }
    func makeIterator() -> Iterator { Iterator(content, count) }

    struct Iterator: IteratorProtocol {
      private let content: Content
      private var left: Int
      private var position = 0

      fileprivate init(_ content: Content, _ count: Int) {
        self.content = content
        left = count
        if case .source(let source, let node) = content { position = source.firstEntry(node) }
      }

      mutating func next() -> RawMember? {
        guard left > 0 else { return nil }
        left -= 1
        switch content {
        case .source(let source, _):
          let key = position
          let value = source.value(ofKey: key)
          position = source.next(value)
          return RawMember(key: JSONValue(.source(source, key)), value: JSONValue(.source(source, value)))
        case .object(let members, _):
          defer { position += 1 }
          return members[position]
        default:
          return nil
        }
      }
    }
  }

  /// Whether this is the string with these UTF-8 bytes.
  func isString(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    kind == .string && withExactBytes { $0.hasSameBytes(as: bytes) }
  }

  /// Calls `body` with what a string says, in bytes that are equal where strings are; see `StringText.exactBytes`. With
  /// none for other values.
  func withExactBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    switch content {
    case .source(let source, let node) where source.firstByte(node) == .quote:
      return source.withExactBytes(of: node, body)
    case .string(var string):
      return string.withUTF8(body)
    default:
      return body(UnsafeBufferPointer(start: nil, count: 0))
    }
  }
}

extension JSONSource {
  /// The position of the last key of an object that equals these bytes.
  func lastEntry(of object: Int, key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard firstByte(object) == .openBrace else { return nil }
    var found: Int?
    var entry = firstEntry(object)
    for _ in 0..<count(object) {
      if isKey(entry, key) { found = entry }
      entry = next(value(ofKey: entry))
    }
    return found
  }

  /// Whether a key has these UTF-8 bytes.
  @inline(__always)
  private func isKey(_ key: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Most keys differ in length, which the tape alone tells.
    if !hasEscapes(key), end(key) - start(key) - 2 != bytes.count { return false }
    return withExactBytes(of: key) { $0.hasSameBytes(as: bytes) }
  }
}
