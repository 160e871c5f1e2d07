// An array's elements and an object's members, one after the other.
//
//     for row in items.elements { … }
//     for (key, value) in row.members { … }
//
// A parsed container has no table of its entries, only a link from each to the next. So elements come in
// order, their count is known, and one in the middle is reached by way of those before it; `Array(elements)`
// gives random access.

extension JSONValue {
  /// The elements of an array; empty when this is none.
  package var elements: Elements { Elements(self) }

  /// The members of an object as they are written, duplicates included; empty when this is none.
  package var members: Members { Members(self) }

  /// The value of the last member with this key; nil when there is none, or this is no object. Keys are
  /// compared as UTF-8 bytes.
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

  /// The elements of an array, in order.
  package struct Elements: Sequence, Sendable {
    private let entries: Entries

    fileprivate init(_ value: JSONValue) { entries = Entries(of: value, ifKind: .array) }

    package var count: Int { entries.count }
    package var isEmpty: Bool { count == 0 }
    package var underestimatedCount: Int { count }
    package var first: JSONValue? { entries.first?.value }
    package func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }

    package struct Iterator: IteratorProtocol {
      fileprivate var entries: Entries.Iterator
      package mutating func next() -> JSONValue? { entries.next()?.value }
    }
  }

  /// One member of an object.
  package typealias Member = (key: String, value: JSONValue)

  /// The members of an object, in order, with their keys decoded.
  package struct Members: Sequence, Sendable {
    private let entries: Entries

    fileprivate init(_ value: JSONValue) { entries = Entries(of: value, ifKind: .object) }

    package var count: Int { entries.count }
    package var isEmpty: Bool { count == 0 }
    package var underestimatedCount: Int { count }
    package func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }

    package struct Iterator: IteratorProtocol {
      fileprivate var entries: Entries.Iterator
      package mutating func next() -> Member? {
        entries.next().map { (key: $0.key?.string ?? "", value: $0.value) }
      }
    }
  }

  /// Calls `body` with each member of an object in order: its key as UTF-8 (a lone surrogate as three bytes that no UTF-8
  /// text contains), and its value. For who reads many objects of few known keys.
  package func forEachMember(_ body: (UnsafeBufferPointer<UInt8>, PassingValue) -> Void) {
    guard case .source(let source, let node) = content else {
      for entry in Entries(of: self, ifKind: .object) {
        entry.key?.withExactBytes { body($0, PassingValue(entry.value)) }
      }
      return
    }
    source.forEachMember(of: node, body)
  }

  /// Calls `body` with each element of an array in order, and its index. For who reads many.
  package func forEachElement(_ body: (Int, JSONValue) -> Void) {
    guard case .source(let source, let node) = content else {
      for (index, element) in elements.enumerated() { body(index, element) }
      return
    }
    guard source.firstByte(node) == .openBracket else { return }
    var element = source.firstEntry(node)
    for index in 0..<source.count(node) {
      body(index, JSONValue(.source(source, element)))
      element = source.next(element)
    }
  }

  /// Whether this is a parsed array, and these are the very places of its elements.
  package func hasSameElements(as others: [JSONValue]) -> Bool {
    guard case .source(let source, let node) = content, source.firstByte(node) == .openBracket,
      source.count(node) == others.count
    else { return false }
    var element = source.firstEntry(node)
    for other in others {
      guard other.isToken(element, of: source) else { return false }
      element = source.next(element)
    }
    return true
  }

  /// What an array or object has in it, as it is: keys are not decoded.
  struct Entries: Sequence, Sendable {
    struct Entry: Sendable {
      /// A string; nil in an array.
      let key: JSONValue?
      let value: JSONValue
    }

    private let content: Content
    let count: Int

    /// - Parameter kind: the kind that the value has to be, or there are no entries.
    init(of value: JSONValue, ifKind kind: Kind) {
      content = value.content
      guard value.kind == kind else {
        count = 0
        return
      }
      switch content {
      case .source(let source, let node): count = source.count(node)
      case .array(let elements, _): count = elements.count
      case .object(let members, _): count = members.count
      default: count = 0
      }
    }

    var first: Entry? {
      var iterator = makeIterator()
      return iterator.next()
    }
    var underestimatedCount: Int { count }
    func makeIterator() -> Iterator { Iterator(content, count) }

    struct Iterator: IteratorProtocol {
      private let content: Content
      private let isObject: Bool
      /// How many entries are to come.
      private(set) var left: Int
      /// The next entry: its position on the tape, or its index.
      private var position = 0

      fileprivate init(_ content: Content, _ count: Int) {
        self.content = content
        left = count
        isObject = JSONValue(content).kind == .object
        if count > 0, case .source(let source, let node) = content { position = source.firstEntry(node) }
      }

      mutating func next() -> Entry? {
        guard left > 0 else { return nil }
        left -= 1
        switch content {
        case .source(let source, _):
          let entry = position
          let value = isObject ? source.value(ofKey: entry) : entry
          position = source.next(value)
          return Entry(
            key: isObject ? JSONValue(.source(source, entry)) : nil, value: JSONValue(.source(source, value)))
        case .array(let elements, _):
          defer { position += 1 }
          return Entry(key: nil, value: elements[position])
        case .object(let members, _):
          defer { position += 1 }
          return Entry(key: members[position].key, value: members[position].value)
        default:
          return nil
        }
      }

      /// Passes over elements of a made array that are the next tokens of a text, one behind the other.
      ///
      /// - Parameters:
      ///   - token: the one before them.
      ///   - end: where the container ends that has it.
      /// - Returns: the last of them; nil where there is none.
      mutating func passNeighbours(behind token: Int, of source: JSONSource, to end: Int) -> Int? {
        guard case .array(let elements, _) = content else { return nil }
        var last: Int?
        elements.withUnsafeBufferPointer { elements in
          while left > 0 {
            let next = source.next(last ?? token)
            guard next < end, elements[position].isToken(next, of: source) else { return }
            last = next
            position += 1
            left -= 1
          }
        }
        return last
      }
    }
  }

  /// The members of an object with their keys as they are; empty when this is none.
  var memberList: [RawMember] {
    switch content {
    case .object(let members, _): members
    case .source(let source, let node) where source.firstByte(node) == .openBrace:
      source.entries(of: node).map { source.member($0) }
    default: []
    }
  }

  /// Whether this is the string with these UTF-8 bytes.
  func isString(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    kind == .string && withExactBytes { $0.hasSameBytes(as: bytes) }
  }

  /// Calls `body` with what a string says, in bytes that are equal where strings are: UTF-8, and three bytes that no UTF-8
  /// text contains for a lone surrogate (`StringText.exactBytes`). With none for other values.
  package func withExactBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
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
  /// The elements, or keys, of a container.
  func entries(of container: Int) -> [Int] {
    var entries: [Int] = []
    entries.reserveCapacity(count(container))
    let isObject = firstByte(container) == .openBrace
    var entry = firstEntry(container)
    for _ in 0..<count(container) {
      entries.append(entry)
      entry = next(isObject ? value(ofKey: entry) : entry)
    }
    return entries
  }

  /// Calls `body` with each member of an object; with none of another token.
  func forEachMember(of object: Int, _ body: (UnsafeBufferPointer<UInt8>, PassingValue) -> Void) {
    guard firstByte(object) == .openBrace else { return }
    bytes.withUnsafeBufferPointer { bytes in
      var entry = firstEntry(object)
      for _ in 0..<count(object) {
        let value = value(ofKey: entry)
        let passing = PassingValue(
          .text(UnsafeBufferPointer(rebasing: bytes[range(value)]), isMarked: hasEscapes(value)))
        let key = UnsafeBufferPointer(rebasing: bytes[start(entry) + 1..<end(entry) - 1])
        if hasEscapes(entry) {
          StringText.exactBytes(key).withUnsafeBufferPointer { body($0, passing) }
        } else {
          body(key, passing)
        }
        entry = next(value)
      }
    }
  }

  /// The member with a key.
  func member(_ key: Int) -> JSONValue.RawMember {
    JSONValue.RawMember(
      key: JSONValue(.source(self, key)), value: JSONValue(.source(self, value(ofKey: key))))
  }

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
