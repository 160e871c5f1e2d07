// From bytes to tape: checks a text against RFC 8259 and notes where its tokens are.
//
// It is a loop, not a recursion: while a container is open, its `next` word holds the position of the
// container around it, so the tape itself is the stack, and depth costs nothing but a counter.
//
// The tape is written into memory that is sized by a guess. Where that does not suffice, `run` returns early
// and is called again with a larger one; all that it has to remember is in `Progress`. While it runs it works
// on a copy of that, which never leaves the processor's registers: so what it calls gets no more of it than
// numbers, or is a part of the loop.
//
//     let tape = try JSONParser.tape(of: bytes, maximumDepth: 512)
//
// Any mistake ends the run; `JSONParser+Diagnosis` then says what it was. Every read is behind a comparison
// with `count`.

struct JSONParser {
  let text: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int

  /// What the grammar allows next.
  fileprivate enum Goal {
    case value, firstElement, firstKey, key
  }

  /// What does not fit; `JSONParser+Diagnosis` looks at it once more.
  enum Mistake: Error {
    case unexpected(Expectation)
    case endOfString, invalidUTF8, controlCharacter, invalidEscape, invalidLiteral, tooDeep, trailingText
    case invalidNumber(start: Int)
  }

  /// How far the run has come.
  fileprivate struct Progress {
    var goal = Goal.value
    /// The next byte to look at.
    var position = 0
    /// Words of the tape that are written.
    var used = 0
    /// The container that is open, by its position on the tape; `noContainer` outside of all.
    var container = noContainer
    var isObject = false
    /// Entries of the open container so far.
    var entries: UInt32 = 0
    var depth = 0
    /// Where the latest white space ended: a container that starts before has some in it.
    var spaceEnd = 0
  }

  private var progress = Progress()
  /// What one array of the text is expected to have in it.
  private let expected: ExpectedElements?
  /// That array, once it is open.
  private var expectedContainer = noArray
  /// Which elements of it were taken over.
  private var taken: [Bool]
  /// The first element of it that may be the start of a run that was not tried yet.
  private var firstUntried: UInt32 = 0

  fileprivate static let noContainer = Int(UInt32.max)
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
            initializedCount = parser.progress.used
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
    if text.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) { progress.position = 3 }
  }

  // MARK: - Structure

  /// Writes tokens until the text ends or the tape is full.
  ///
  /// - Returns: whether the text is complete; false asks for a larger tape with the same contents.
  private mutating func run(_ tape: UnsafeMutableBufferPointer<UInt32>) throws(JSONError) -> Bool {
    var progress = progress
    do throws(Mistake) {
      let isComplete = try advance(&progress, tape)
      self.progress = progress
      return isComplete
    } catch {
      self.progress = progress
      throw diagnosis(of: error)
    }
  }

  @inline(__always)
  private mutating func advance(
    _ at: inout Progress, _ tape: UnsafeMutableBufferPointer<UInt32>
  ) throws(Mistake) -> Bool {
    let text = text
    while true {
      if at.used + Self.roundWords > tape.count { return false }
      at.skipSpace(text)
      if at.goal != .value {
        if at.goal == .firstElement {
          if at.position < text.count, text[at.position] == .closeBracket {
            at.close(tape, text)
            if try at.finishValue(tape, text) { return true }
            continue
          }
        } else {
          if at.goal == .firstKey, at.position < text.count, text[at.position] == .closeBrace {
            at.close(tape, text)
            if try at.finishValue(tape, text) { return true }
            continue
          }
          guard at.position < text.count, text[at.position] == .quote else { throw .unexpected(.key) }
          try at.scanString(tape, text)
          at.skipSpace(text)
          guard at.position < text.count, text[at.position] == .colon else { throw .unexpected(.colon) }
          at.position += 1
          at.skipSpace(text)
        }
      }
      guard at.position < text.count else { throw .unexpected(.value) }
      let byte = text[at.position]
      switch byte {
      case .quote:
        try at.scanString(tape, text)
      case .openBrace, .openBracket:
        if at.container == expectedContainer {
          let run = takeOver(
            from: at.entries, at: at.position, depth: at.depth, tape: tape, used: at.used)
          if run.isTooLong { return false }
          if run.count > 0 {
            at.entries += run.count - 1
            at.position += run.bytes
            at.used += run.words
            if run.hasSpace { at.spaceEnd = at.position - run.bytes + 1 }
            break
          }
        }
        let isObject = byte == .openBrace
        if !isObject, at.depth == 1, expected?.member == Int(at.entries) { expectedContainer = at.used }
        try at.open(tape, isObject: isObject, maximumDepth: maximumDepth)
        continue
      case .minus, 0x30...0x39:
        let start = at.position
        let (end, isNumber) = Self.numberEnd(from: start, in: text)
        at.position = end
        guard isNumber else { throw .invalidNumber(start: start) }
        at.append(tape, from: start)
      case UInt8(ascii: "t"): try at.scanLiteral("true", tape, text)
      case UInt8(ascii: "f"): try at.scanLiteral("false", tape, text)
      case UInt8(ascii: "n"): try at.scanLiteral("null", tape, text)
      default: throw .unexpected(.value)
      }
      if try at.finishValue(tape, text) { return true }
    }
  }

  /// What was taken over of what is expected.
  private struct TakenRun {
    /// Elements; 0 where there are none, and nothing was done.
    var count: UInt32 = 0
    /// Where their bytes and tokens end, counted from where they begin.
    var bytes = 0
    var words = 0
    var hasSpace = false
    /// Whether the tape has no room for them.
    var isTooLong = false
  }

  /// Takes over the elements that are expected from here on, as far as they stand one behind the other in one text, if
  /// they stand here, too.
  @inline(never)
  private mutating func takeOver(
    from entries: UInt32, at position: Int, depth: Int, tape: UnsafeMutableBufferPointer<UInt32>, used: Int
  ) -> TakenRun {
    // An element from elsewhere may have been less deep there; it has no more levels than its words would suffice for.
    let maximumWords = (maximumDepth - depth) * JSONSource.containerWords
    guard let expected, entries >= firstUntried,
      let run = expected.run(at: Int(entries), maximumWords: maximumWords)
    else { return TakenRun() }
    firstUntried = entries + UInt32(run.count)
    let range = run.source.start(run.first)..<run.source.end(run.last)
    guard range.count <= text.count - position else { return TakenRun() }
    let here = UnsafeBufferPointer(rebasing: text[position..<position + range.count])
    guard run.source.withBytes(range, { $0.hasSameBytes(as: here) }) else { return TakenRun() }
    let words = run.source.next(run.last) - run.first
    guard used + words + Self.roundWords <= tape.count else {
      firstUntried = entries
      return TakenRun(isTooLong: true)
    }
    run.source.copyTokens(run.first..<run.first + words, startingAt: position, to: tape, at: used)
    for element in Int(entries)..<Int(entries) + run.count { taken[element] = true }
    return TakenRun(count: UInt32(run.count), bytes: range.count, words: words, hasSpace: run.hasSpace)
  }

  // MARK: - Tokens

  /// Where white space ends.
  @inline(never)
  fileprivate static func spaceEnd(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var position = start
    while position < text.count, text[position].isJSONSpace {
      position += 1
      // Indentation comes in runs of spaces.
      while position + 8 <= text.count {
        let spaces = ByteWord(at: text.baseAddress.unsafelyUnwrapped + position).leadingSpaces
        position += spaces
        if spaces < 8 { break }
      }
    }
    return position
  }

  /// The next byte of a string that needs a look, or the end of the text.
  @inline(__always)
  fileprivate static func plainTextEnd(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var end = start
    while end + 8 <= text.count {
      let stops = ByteWord(at: text.baseAddress.unsafelyUnwrapped + end).stringStops
      end += ByteWord.first(in: stops)
      if stops != 0 { return end }
    }
    while end < text.count {
      let byte = text[end]
      if byte < 0x20 || byte >= 0x80 || byte == .quote || byte == .backslash { break }
      end += 1
    }
    return end
  }

  /// The closing quote of a string that has more than plain text.
  ///
  /// - Parameter start: the first byte of it that needs a look.
  /// - Returns: where the quote, or the mistake, is.
  @inline(never)
  fileprivate static func stringEnd(
    from start: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> (end: Int, hasEscapes: Bool, mistake: Mistake?) {
    var position = start
    var hasEscapes = false
    while position < text.count {
      let byte = text[position]
      if byte == .quote { return (position, hasEscapes, nil) }
      if byte == .backslash {
        hasEscapes = true
        switch escapeLength(at: position, in: text) {
        case .success(let length): position += length
        case .failure(let mistake): return (position, hasEscapes, mistake)
        }
      } else if byte >= 0x80 {
        let length = UTF8Sequence.length(at: position, in: text)
        guard length > 0 else { return (position, hasEscapes, .invalidUTF8) }
        position += length
      } else {
        return (position, hasEscapes, .controlCharacter)
      }
      position = plainTextEnd(from: position, in: text)
    }
    return (position, hasEscapes, .endOfString)
  }

  /// The length of a backslash and what belongs to it. `\u` takes any four digits: a lone surrogate is a program's
  /// mistake that JSON's grammar allows, and one damaged string must not cost the list.
  private static func escapeLength(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Result<Int, Mistake> {
    guard start + 1 < text.count else { return .failure(.endOfString) }
    switch text[start + 1] {
    case .quote, .backslash, .slash,
      UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return .success(2)
    case UInt8(ascii: "u"):
      for index in start + 2..<start + 6 {
        guard index < text.count else { return .failure(.endOfString) }
        guard text[index].hexDigit != nil else { return .failure(.invalidEscape) }
      }
      return .success(6)
    default:
      return .failure(.invalidEscape)
    }
  }

  /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  ///
  /// - Returns: where it ends, or does not go on as it should.
  @inline(never)
  private static func numberEnd(
    from start: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> (end: Int, isNumber: Bool) {
    var position = start
    /// Whether there was at least one digit.
    func skipDigits() -> Bool {
      let start = position
      while position < text.count, text[position].isDigit { position += 1 }
      return position > start
    }
    if text[position] == .minus { position += 1 }
    if position < text.count, text[position] == .zero {
      position += 1
      if position < text.count, text[position].isDigit { return (position, false) }
    } else {
      guard skipDigits() else { return (position, false) }
    }
    if position < text.count, text[position] == .dot {
      position += 1
      guard skipDigits() else { return (position, false) }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == .plus || text[position] == .minus { position += 1 }
      guard skipDigits() else { return (position, false) }
    }
    return (position, true)
  }

  /// Where the run stopped, for the diagnosis.
  var stop: Int { progress.position }
  var isInObject: Bool { progress.container != Self.noContainer && progress.isObject }
}

extension JSONParser.Progress {
  /// Goes on behind a complete value: past a comma, or out of the containers that end here.
  ///
  /// - Returns: whether the text is complete.
  @inline(__always)
  fileprivate mutating func finishValue(
    _ tape: UnsafeMutableBufferPointer<UInt32>, _ text: UnsafeBufferPointer<UInt8>
  ) throws(JSONParser.Mistake) -> Bool {
    while container != JSONParser.noContainer {
      entries &+= 1
      skipSpace(text)
      guard position < text.count else { throw .unexpected(isObject ? .commaOrBrace : .commaOrBracket) }
      let byte = text[position]
      if byte == .comma {
        position += 1
        goal = isObject ? .key : .value
        return false
      }
      guard byte == (isObject ? .closeBrace : .closeBracket) else {
        throw .unexpected(isObject ? .commaOrBrace : .commaOrBracket)
      }
      close(tape, text)
    }
    skipSpace(text)
    guard position == text.count else { throw .trailingText }
    return true
  }

  @inline(__always)
  fileprivate mutating func open(
    _ tape: UnsafeMutableBufferPointer<UInt32>, isObject: Bool, maximumDepth: Int
  ) throws(JSONParser.Mistake) {
    depth += 1
    guard depth <= maximumDepth else { throw .tooDeep }
    if container != JSONParser.noContainer { tape[container + 3] = entries }
    tape[used] = UInt32(truncatingIfNeeded: position)
    tape[used + 1] = 0
    tape[used + 2] = UInt32(truncatingIfNeeded: container)
    tape[used + 3] = 0
    container = used
    used += JSONSource.containerWords
    self.isObject = isObject
    entries = 0
    goal = isObject ? .firstKey : .firstElement
    position += 1
  }

  /// Ends the open container at its closing bracket, and goes back to the one around it.
  @inline(__always)
  fileprivate mutating func close(
    _ tape: UnsafeMutableBufferPointer<UInt32>, _ text: UnsafeBufferPointer<UInt8>
  ) {
    position += 1
    let outer = tape[container + 2]
    let hasSpace = spaceEnd > Int(tape[container])
    tape[container + 1] = UInt32(truncatingIfNeeded: position) | (hasSpace ? JSONSource.mark : 0)
    tape[container + 2] = UInt32(truncatingIfNeeded: used)
    tape[container + 3] = entries
    depth -= 1
    container = Int(outer)
    if container != JSONParser.noContainer {
      entries = tape[container + 3]
      isObject = text[Int(tape[container])] == .openBrace
    }
  }

  @inline(__always)
  fileprivate mutating func skipSpace(_ text: UnsafeBufferPointer<UInt8>) {
    if position < text.count, text[position] > .space { return }
    let end = JSONParser.spaceEnd(from: position, in: text)
    if end > position { spaceEnd = end }
    position = end
  }

  @inline(__always)
  fileprivate mutating func append(
    _ tape: UnsafeMutableBufferPointer<UInt32>, from start: Int, marked: Bool = false
  ) {
    tape[used] = UInt32(truncatingIfNeeded: start)
    tape[used + 1] = UInt32(truncatingIfNeeded: position) | (marked ? JSONSource.mark : 0)
    used += JSONSource.scalarWords
  }

  @inline(__always)
  fileprivate mutating func scanString(
    _ tape: UnsafeMutableBufferPointer<UInt32>, _ text: UnsafeBufferPointer<UInt8>
  ) throws(JSONParser.Mistake) {
    let start = position
    var hasEscapes = false
    position = JSONParser.plainTextEnd(from: start + 1, in: text)
    if position >= text.count || text[position] != .quote {
      let mistake: JSONParser.Mistake?
      (position, hasEscapes, mistake) = JSONParser.stringEnd(from: position, in: text)
      if let mistake { throw mistake }
    }
    position += 1
    append(tape, from: start, marked: hasEscapes)
  }

  @inline(__always)
  fileprivate mutating func scanLiteral(
    _ word: StaticString, _ tape: UnsafeMutableBufferPointer<UInt32>, _ text: UnsafeBufferPointer<UInt8>
  ) throws(JSONParser.Mistake) {
    let start = position
    let length = word.utf8CodeUnitCount
    let word = UnsafeBufferPointer(start: word.utf8Start, count: length)
    guard length <= text.count - start,
      UnsafeBufferPointer(rebasing: text[start..<start + length]).hasSameBytes(as: word)
    else { throw .invalidLiteral }
    position = start + length
    append(tape, from: start)
  }
}
