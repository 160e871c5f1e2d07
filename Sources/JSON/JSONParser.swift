// From bytes to tape: checks a text against RFC 8259 and notes where its tokens are.
//
// It is a loop, not a recursion: while a container is open, its `next` word holds the position of the
// container around it, so the tape itself is the stack, and depth costs nothing but a counter.
//
// The tape is written into memory that is sized by a guess. Where that does not suffice, `run` returns early
// and is called again with a larger one; all that it has to remember is in the parser's stored properties.
//
//     let tape = try JSONParser.tape(of: bytes, maximumDepth: 512)
//
// Any mistake ends the run; `JSONParser+Diagnosis` then says what it was. Every read is behind a comparison
// with `count`.

struct JSONParser {
  let text: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int

  /// What the grammar allows next.
  private enum Goal {
    case value, firstElement, firstKey, key
  }

  private var goal = Goal.value
  /// The next byte to look at.
  private var position = 0
  /// Words of the tape that are written.
  private var used = 0
  /// The container that is open, by its position on the tape; `noContainer` outside of all.
  private var container = noContainer
  private var isObject = false
  /// Entries of the open container so far.
  private var entries: UInt32 = 0
  private var depth = 0
  /// Where the latest white space ended: a container that starts before has some in it.
  private var spaceEnd = 0
  /// What one array of the text is expected to have in it.
  private let expected: ExpectedElements?
  /// That array, once it is open.
  private var expectedContainer = noArray
  /// Which elements of it were taken over.
  private var taken: [Bool]
  /// The first element of it that may be the start of a run that was not tried yet.
  private var firstUntried: UInt32 = 0

  private static let noContainer = Int(UInt32.max)
  private static let noArray = -1
  /// A round writes a key and a container at most.
  private static let roundWords = JSONSource.scalarWords + JSONSource.containerWords

  /// The tape of a text.
  static func tape(of bytes: [UInt8], maximumDepth: Int) throws(JSONError) -> [UInt32] {
    try tape(of: bytes, maximumDepth: maximumDepth, expecting: nil).tape
  }

  /// The tape of a text that was written, and which of the elements that are expected in it were found as they stand
  /// elsewhere.
  static func tape(
    of bytes: [UInt8], maximumDepth: Int = JSONValue.maximumDepth, expecting expected: ExpectedElements?
  ) throws(JSONError) -> (tape: [UInt32], taken: [Bool]) {
    try bytes.withUnsafeBufferPointer { (text) throws(JSONError) -> (tape: [UInt32], taken: [Bool]) in
      var parser = try JSONParser(text: text, maximumDepth: maximumDepth, expected)
      // A token in twelve bytes is a guess at pretty-printed rows. Memory that is not written costs nothing.
      var capacity = text.count / 6 + 16
      var tape: [UInt32] = []
      var isComplete = false
      while !isComplete {
        // An array's initializer takes no typed throws, so the error is carried out by hand.
        var failure: JSONError?
        tape = [UInt32](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
          let copied = buffer.initialize(fromContentsOf: tape)
          do throws(JSONError) {
            isComplete = try parser.run(buffer)
            initializedCount = parser.used
          } catch {
            failure = error
            initializedCount = copied
          }
        }
        if let failure { throw failure }
        capacity *= 2
      }
      return (tape, parser.taken)
    }
  }

  private init(
    text: UnsafeBufferPointer<UInt8>, maximumDepth: Int, _ expected: ExpectedElements?
  ) throws(JSONError) {
    self.text = text
    self.maximumDepth = maximumDepth
    self.expected = expected
    taken = Array(repeating: false, count: expected?.elements.count ?? 0)
    guard text.count <= JSONSource.maximumSize else {
      throw JSONError(
        .tooLarge, "a text of 2 GiB or more", at: 0, in: UnsafeBufferPointer(rebasing: text[..<0]))
    }
    if text.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) { position = 3 }
  }

  // MARK: - Structure

  /// Writes tokens until the text ends or the tape is full.
  ///
  /// - Returns: whether the text is complete; false asks for a larger tape with the same contents.
  private mutating func run(_ tape: UnsafeMutableBufferPointer<UInt32>) throws(JSONError) -> Bool {
    while true {
      if used + Self.roundWords > tape.count { return false }
      skipSpace()
      if goal != .value {
        if goal == .firstElement {
          if position < text.count, text[position] == .closeBracket {
            close(tape)
            if try finishValue(tape) { return true }
            continue
          }
        } else {
          if goal == .firstKey, position < text.count, text[position] == .closeBrace {
            close(tape)
            if try finishValue(tape) { return true }
            continue
          }
          guard position < text.count, text[position] == .quote else { throw unexpected(.key) }
          try scanString(tape)
          skipSpace()
          guard position < text.count, text[position] == .colon else { throw unexpected(.colon) }
          position += 1
          skipSpace()
        }
      }
      guard position < text.count else { throw unexpected(.value) }
      let byte = text[position]
      switch byte {
      case .quote:
        try scanString(tape)
      case .openBrace, .openBracket:
        if container == expectedContainer {
          guard let isTaken = takeOver(tape) else { return false }
          if isTaken { break }
        }
        try open(tape, isObject: byte == .openBrace)
        continue
      case .minus, 0x30...0x39:
        try scanNumber(tape)
      case UInt8(ascii: "t"): try scanLiteral("true", tape)
      case UInt8(ascii: "f"): try scanLiteral("false", tape)
      case UInt8(ascii: "n"): try scanLiteral("null", tape)
      default: throw unexpected(.value)
      }
      if try finishValue(tape) { return true }
    }
  }

  /// Goes on behind a complete value: past a comma, or out of the containers that end here.
  ///
  /// - Returns: whether the text is complete.
  @inline(__always)
  private mutating func finishValue(_ tape: UnsafeMutableBufferPointer<UInt32>) throws(JSONError) -> Bool {
    while container != Self.noContainer {
      entries &+= 1
      skipSpace()
      guard position < text.count else { throw unexpected(isObject ? .commaOrBrace : .commaOrBracket) }
      let byte = text[position]
      if byte == .comma {
        position += 1
        goal = isObject ? .key : .value
        return false
      }
      guard byte == (isObject ? .closeBrace : .closeBracket) else {
        throw unexpected(isObject ? .commaOrBrace : .commaOrBracket)
      }
      close(tape)
    }
    skipSpace()
    guard position == text.count else { throw trailingText() }
    return true
  }

  private mutating func open(_ tape: UnsafeMutableBufferPointer<UInt32>, isObject: Bool) throws(JSONError) {
    depth += 1
    guard depth <= maximumDepth else { throw tooDeep() }
    if container != Self.noContainer { tape[container + 3] = entries }
    tape[used] = UInt32(truncatingIfNeeded: position)
    tape[used + 1] = 0
    tape[used + 2] = UInt32(truncatingIfNeeded: container)
    tape[used + 3] = 0
    if !isObject, depth == 2, let expected, expected.member == Int(entries) { expectedContainer = used }
    container = used
    used += JSONSource.containerWords
    self.isObject = isObject
    entries = 0
    goal = isObject ? .firstKey : .firstElement
    position += 1
  }

  /// Takes over the elements that are expected from here on, as far as they stand one behind the other in one text, if
  /// they stand here, too.
  ///
  /// - Returns: false where they do not, and nothing was done; nil where the tape is too short for them.
  private mutating func takeOver(_ tape: UnsafeMutableBufferPointer<UInt32>) -> Bool? {
    guard let expected, entries >= firstUntried, let run = expected.run(at: Int(entries)) else { return false }
    firstUntried = entries + UInt32(run.count)
    let range = run.source.start(run.first)..<run.source.end(run.last)
    // An element from elsewhere may have been less deep there; it has no more levels than its words would suffice for.
    guard range.count <= text.count - position,
      depth + run.mostWords / JSONSource.containerWords <= maximumDepth
    else { return false }
    let here = UnsafeBufferPointer(rebasing: text[position..<position + range.count])
    guard run.source.withBytes(range, { $0.hasSameBytes(as: here) }) else { return false }
    let words = run.source.next(run.last) - run.first
    guard used + words + Self.roundWords <= tape.count else {
      firstUntried = entries
      return nil
    }
    run.source.copyTokens(run.first..<run.first + words, startingAt: position, to: tape, at: used)
    used += words
    if run.hasSpace { spaceEnd = position + 1 }
    position += range.count
    for element in Int(entries)..<Int(entries) + run.count { taken[element] = true }
    entries += UInt32(run.count - 1)
    return true
  }

  /// Ends the open container at its closing bracket, and goes back to the one around it.
  private mutating func close(_ tape: UnsafeMutableBufferPointer<UInt32>) {
    position += 1
    let outer = tape[container + 2]
    let hasSpace = spaceEnd > Int(tape[container])
    tape[container + 1] = UInt32(truncatingIfNeeded: position) | (hasSpace ? JSONSource.mark : 0)
    tape[container + 2] = UInt32(truncatingIfNeeded: used)
    tape[container + 3] = entries
    depth -= 1
    container = Int(outer)
    if container != Self.noContainer {
      entries = tape[container + 3]
      isObject = text[Int(tape[container])] == .openBrace
    }
  }

  @inline(__always)
  private mutating func skipSpace() {
    if position < text.count, text[position] > .space { return }
    skipLongSpace()
  }

  private mutating func skipLongSpace() {
    let start = position
    while position < text.count, text[position].isJSONSpace {
      position += 1
      // Indentation comes in runs of spaces.
      while position + 8 <= text.count {
        let spaces = ByteWord(at: text.baseAddress.unsafelyUnwrapped + position).leadingSpaces
        position += spaces
        if spaces < 8 { break }
      }
    }
    if position > start { spaceEnd = position }
  }

  // MARK: - Tokens

  @inline(__always)
  private mutating func append(
    _ tape: UnsafeMutableBufferPointer<UInt32>, from start: Int, marked: Bool = false
  ) {
    tape[used] = UInt32(truncatingIfNeeded: start)
    tape[used + 1] = UInt32(truncatingIfNeeded: position) | (marked ? JSONSource.mark : 0)
    used += JSONSource.scalarWords
  }

  @inline(__always)
  private mutating func scanString(_ tape: UnsafeMutableBufferPointer<UInt32>) throws(JSONError) {
    let start = position
    var hasEscapes = false
    position += 1
    while true {
      skipPlainText()
      guard position < text.count else { throw endOfText(inside: "a string") }
      let byte = text[position]
      if byte == .quote { break }
      if byte == .backslash {
        hasEscapes = true
        try skipEscape()
      } else if byte >= 0x80 {
        let length = UTF8Sequence.length(at: position, in: text)
        guard length > 0 else { throw invalidUTF8() }
        position += length
      } else {
        throw controlCharacter()
      }
    }
    position += 1
    append(tape, from: start, marked: hasEscapes)
  }

  /// Stops at the next byte of a string that needs a look, or at the end of the text.
  @inline(__always)
  private mutating func skipPlainText() {
    var end = position
    defer { position = end }
    while end + 8 <= text.count {
      let stops = ByteWord(at: text.baseAddress.unsafelyUnwrapped + end).stringStops
      end += ByteWord.first(in: stops)
      if stops != 0 { return }
    }
    while end < text.count {
      let byte = text[end]
      if byte < 0x20 || byte >= 0x80 || byte == .quote || byte == .backslash { return }
      end += 1
    }
  }

  /// Skips a backslash and what belongs to it. `\u` takes any four digits: a lone surrogate is a program's
  /// mistake that JSON's grammar allows, and one damaged string must not cost the list.
  private mutating func skipEscape() throws(JSONError) {
    guard position + 1 < text.count else { throw endOfText(inside: "a string") }
    switch text[position + 1] {
    case .quote, .backslash, .slash,
      UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      for index in position + 2..<position + 6 {
        guard index < text.count else { throw endOfText(inside: "a string") }
        guard text[index].hexDigit != nil else { throw invalidEscape() }
      }
      position += 6
    default:
      throw invalidEscape()
    }
  }

  /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  private mutating func scanNumber(_ tape: UnsafeMutableBufferPointer<UInt32>) throws(JSONError) {
    let start = position
    if text[position] == .minus { position += 1 }
    if position < text.count, text[position] == .zero {
      position += 1
      if position < text.count, text[position].isDigit { throw invalidNumber(from: start) }
    } else {
      guard skipDigits() else { throw invalidNumber(from: start) }
    }
    if position < text.count, text[position] == .dot {
      position += 1
      guard skipDigits() else { throw invalidNumber(from: start) }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == .plus || text[position] == .minus { position += 1 }
      guard skipDigits() else { throw invalidNumber(from: start) }
    }
    append(tape, from: start)
  }

  /// - Returns: whether there was at least one digit.
  @inline(__always)
  private mutating func skipDigits() -> Bool {
    let start = position
    while position < text.count, text[position].isDigit { position += 1 }
    return position > start
  }

  private mutating func scanLiteral(
    _ word: StaticString, _ tape: UnsafeMutableBufferPointer<UInt32>
  ) throws(JSONError) {
    let start = position
    let length = word.utf8CodeUnitCount
    let word = UnsafeBufferPointer(start: word.utf8Start, count: length)
    guard length <= text.count - start,
      UnsafeBufferPointer(rebasing: text[start..<start + length]).hasSameBytes(as: word)
    else { throw invalidLiteral() }
    position = start + length
    append(tape, from: start)
  }

  /// Where the run stopped, for the diagnosis.
  var stop: Int { position }
  var isInObject: Bool { container != Self.noContainer && isObject }
}
