// A text that was written for a value, parsed to see that it says that.
//
//     let bytes = changed.encoded(style: style)
//     guard let root = try JSONValue(rereading: bytes, of: changed) else { … }   // something else stands there
//
// Most of such a text was copied, element by element, from a text that was parsed before. Where the bytes of an element
// are those, its tokens are the same, too, only elsewhere: they are taken over, and the element says what it did.
// Everything else is parsed and compared. So the result is what parsing gives, whatever the bytes are.

extension JSONValue {
  /// Parses the text that was written for a value; nil where it says something else. Of a changed object the members must
  /// stand there as they were written, one by one.
  ///
  /// - Throws: the first mistake in the text.
  package init?(rereading bytes: [UInt8], of written: JSONValue) throws(JSONError) {
    guard case .object(let members, _) = written.content, let expected = ExpectedElements(in: members) else {
      try self.init(parsing: bytes)
      guard isEquivalent(to: written) else { return nil }
      return
    }
    let (tape, taken) = try JSONParser.tape(of: bytes, expecting: expected)
    let source = JSONSource(bytes: bytes, tape: tape)
    self.init(.source(source, JSONSource.root))
    guard kind == .object, source.count(JSONSource.root) == members.count else { return nil }
    var key = source.firstEntry(JSONSource.root)
    for (index, member) in members.enumerated() {
      let (found, value) = (JSONValue(.source(source, key)), source.value(ofKey: key))
      guard found.isEquivalent(to: member.key) else { return nil }
      let isSame =
        index == expected.member
        ? source.hasElements(at: value, equivalentTo: expected.elements, known: taken)
        : JSONValue(.source(source, value)).isEquivalent(to: member.value)
      guard isSame else { return nil }
      key = source.next(value)
    }
  }
}

/// The elements of the longest array that a changed object has as a member, which a text is expected to have.
struct ExpectedElements {
  /// Which of the object's members it is.
  let member: Int
  let elements: [JSONValue]

  /// Nil where no member is a changed array.
  init?(in members: [JSONValue.RawMember]) {
    var longest: ExpectedElements?
    for (member, entry) in members.enumerated() {
      guard case .array(let elements, _) = entry.value.content, elements.count > longest?.elements.count ?? 0 else {
        continue
      }
      longest = ExpectedElements(member: member, elements: elements)
    }
    guard let longest else { return nil }
    self = longest
  }

  private init(member: Int, elements: [JSONValue]) {
    self.member = member
    self.elements = elements
  }

  /// Containers that stand one behind the other in an array of one text.
  struct Run {
    let source: JSONSource
    let first: Int
    var last: Int
    var count = 1
    /// Whether there is white space in one of them, or between two.
    var hasSpace: Bool
  }

  /// As many of the elements from an index on as stand so; nil where the first is no container of a parsed text.
  ///
  /// - Parameter maximumWords: how many words of the tape each of them may take.
  func run(at index: Int, maximumWords: Int) -> Run? {
    guard index < elements.count, case .source(let source, let node) = elements[index].content,
      source.isContainer(node), source.words(node) <= maximumWords
    else { return nil }
    var run = Run(source: source, first: node, last: node, hasSpace: source.hasSpace(node))
    elements.withUnsafeBufferPointer { elements in
      for element in index + 1..<elements.count {
        let next = source.next(run.last)
        // The token behind the last element of an array belongs to another container.
        guard elements[element].isToken(next, of: source), source.isContainer(next), source.hasComma(behind: run.last),
          source.words(next) <= maximumWords
        else { return }
        run.hasSpace = run.hasSpace || source.hasSpace(next) || source.start(next) > source.end(run.last) + 1
        run.last = next
        run.count += 1
      }
    }
    return run
  }
}

extension JSONSource {
  /// Whether an array has such elements.
  ///
  /// - Parameter known: of which elements this is known.
  fileprivate func hasElements(at array: Int, equivalentTo elements: [JSONValue], known: [Bool]) -> Bool {
    guard firstByte(array) == .openBracket, count(array) == elements.count else { return false }
    var element = firstEntry(array)
    for index in elements.indices {
      if !known[index], !JSONValue(.source(self, element)).isEquivalent(to: elements[index]) { return false }
      element = next(element)
    }
    return true
  }

  /// Whether the next thing behind a value is a comma.
  @inline(__always)
  fileprivate func hasComma(behind node: Int) -> Bool {
    var position = end(node)
    while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
    return position < bytes.count && bytes[position] == .comma
  }

  /// Writes tokens to a tape, as they are where their bytes stand elsewhere.
  ///
  /// - Parameters:
  ///   - range: their words; of values with all that is in them.
  ///   - start: where the bytes of the first stand there.
  ///   - position: where on that tape. It has room for them.
  func copyTokens(
    _ range: Range<Int>, startingAt start: Int, to tape: UnsafeMutableBufferPointer<UInt32>, at position: Int
  ) {
    self.tape.withUnsafeBufferPointer { all in
      bytes.withUnsafeBufferPointer { bytes in
        let tokens = UnsafeBufferPointer(rebasing: all[range])
        let copy = UnsafeMutableBufferPointer(rebasing: tape[position..<position + tokens.count])
        _ = copy.initialize(from: tokens)
        let moved = UInt32(truncatingIfNeeded: start - Int(tokens[0]))
        let shifted = UInt32(truncatingIfNeeded: position - range.lowerBound)
        if moved == 0 && shifted == 0 { return }
        var index = 0
        while index < tokens.count {
          // The mark is the highest bit, which no place in a text reaches.
          copy[index] = tokens[index] &+ moved
          copy[index + 1] = tokens[index + 1] &+ moved
          let isContainer = bytes[Int(tokens[index])].opensContainer
          index += JSONSource.scalarWords
          guard isContainer else { continue }
          copy[index] = tokens[index] &+ shifted
          index += JSONSource.containerWords - JSONSource.scalarWords
        }
      }
    }
  }
}
