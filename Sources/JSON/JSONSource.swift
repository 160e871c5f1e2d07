// One parsed text: its bytes, and an index of its tokens, the tape. Both never change, so values share them
// freely.
//
// The tape is a flat list of 32-bit words. A token is known by the position of its first word:
//
//     string, number, true, false, null     start, end
//     array, object                         start, end, next, count, then its entries
//
// `start` and `end` are byte offsets (the quotes and brackets belong to the token), `next` is the position
// behind the container's last entry, `count` the number of its entries. An object's entries are key, value,
// key, value. What kind a token is, its first byte tells. So `{"a":[1]}` is
//
//     position   0              4        6               10
//                0 9 12 1       1 4      5 8 12 1        6 7
//                object         "a"      array           1
//
// The highest bit of `end` is a mark: a string has escapes, a container has white space in it. That is why a
// text must be smaller than 2 GiB.

/// The bytes and the tape of one parsed text.
final class JSONSource: Sendable {
  /// The text as it came, a byte order mark and the space around the root included.
  let bytes: [UInt8]
  let tape: [UInt32]

  /// Position of the root on the tape.
  static let root = 0
  /// Words that a container has before its entries.
  static let containerWords = 4
  /// Words of any other token.
  static let scalarWords = 2
  /// The mark in a token's second word.
  static let mark: UInt32 = 1 << 31
  /// The largest text, in bytes.
  static let maximumSize = Int(Int32.max)

  /// - Parameters:
  ///   - bytes: a text that has been checked.
  ///   - tape: the tokens of that very text.
  init(bytes: [UInt8], tape: [UInt32]) {
    self.bytes = bytes
    self.tape = tape
  }

  @inline(__always)
  func start(_ node: Int) -> Int { Int(tape[node]) }

  @inline(__always)
  func end(_ node: Int) -> Int { Int(tape[node + 1] & ~Self.mark) }

  @inline(__always)
  func range(_ node: Int) -> Range<Int> { start(node)..<end(node) }

  /// The first byte of a token, which tells its kind.
  @inline(__always)
  func firstByte(_ node: Int) -> UInt8 { bytes[start(node)] }

  /// Whether a string has escapes.
  @inline(__always)
  func hasEscapes(_ node: Int) -> Bool { tape[node + 1] >= Self.mark }

  /// Whether a container has white space between its brackets, outside strings.
  @inline(__always)
  func hasSpace(_ node: Int) -> Bool { tape[node + 1] >= Self.mark }

  @inline(__always)
  func isContainer(_ node: Int) -> Bool { firstByte(node).opensContainer }

  /// Entries of a container.
  @inline(__always)
  func count(_ container: Int) -> Int { Int(tape[container + 3]) }

  /// Where a container's first element, or first key, stands.
  @inline(__always)
  func firstEntry(_ container: Int) -> Int { container + Self.containerWords }

  /// The position behind a token with all that is in it: its next sibling's, where it has one.
  @inline(__always)
  func next(_ node: Int) -> Int { isContainer(node) ? Int(tape[node + 2]) : node + Self.scalarWords }

  /// How many words of the tape a token takes, with all that is in it.
  @inline(__always)
  func words(_ node: Int) -> Int { next(node) - node }

  /// The value that belongs to a key.
  @inline(__always)
  func value(ofKey key: Int) -> Int { key + Self.scalarWords }

  func kind(_ node: Int) -> JSONValue.Kind { JSONValue.Kind(firstByte: firstByte(node)) }

  /// The first container among the tokens from one position to another, whatever they are in.
  func nextContainer(from start: Int, to end: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      tape.withUnsafeBufferPointer { tape in
        var node = start
        while node < end {
          if bytes[Int(tape[node])].opensContainer { return node }
          node += Self.scalarWords
        }
        return nil
      }
    }
  }

  /// Calls `body` with some bytes of the text.
  @inline(__always)
  func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Calls `body` with the bytes of a string between its quotes.
  @inline(__always)
  func withText<Result>(of string: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withBytes(start(string) + 1..<end(string) - 1, body)
  }

  /// Calls `body` with what a string says, in bytes that are equal where strings are; see
  /// `StringText.exactBytes`.
  @inline(__always)
  func withExactBytes<Result>(of string: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withText(of: string) { text in
      hasEscapes(string) ? StringText.exactBytes(text).withUnsafeBufferPointer(body) : body(text)
    }
  }
}
