// Cuts the bytes of standard input into lines.
//
//     var reader = LineReader()
//     for line in reader.append(chunk) { … }      // as often as bytes arrive, however they are cut
//     if let line = reader.finish() { … }         // at the end of input: a last line without a newline counts
//
// A line ends at byte 10 and nowhere else; one carriage return before it belongs to the line end. Lines without
// content (white space, or a byte order mark alone) are left out, since hand-written input and some hosts have them.
// Else a line is handed on as it came: a byte order mark before it is the JSON parser's business.
//
// Callers rely on two bounds. Time is linear in the bytes received: every byte is searched once, however the input is
// cut. Memory is bounded by the limit: a longer line is reported once, at the moment it gets too long, and the rest of
// it is dropped as it arrives.

/// The line splitter of the input; pure, so that every cut can be tested.
package struct LineReader: Sendable {
  package enum Line: Equatable, Sendable {
    /// A line with content, without its line end.
    case complete([UInt8])
    /// A line longer than the limit; none of it is kept.
    case oversized
  }

  /// The longest line that is accepted, in bytes without the line end.
  package static let defaultLimit = 16 << 20

  private let limit: Int
  /// The beginning of a line whose end has not arrived.
  private var pending: [UInt8] = []
  /// Whether the line at hand was reported as oversized and is being dropped.
  private var isSkipping = false

  package init(limit: Int = LineReader.defaultLimit) {
    self.limit = limit
  }

  /// Takes the next bytes of the input and returns the lines that they complete, in order.
  package mutating func append(_ chunk: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var rest = chunk
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let line = add(rest[..<end], endsLine: true) { lines.append(line) }
      isSkipping = false
      rest = rest[(end + 1)...]
    }
    if let line = add(rest, endsLine: false) { lines.append(line) }
    return lines
  }

  /// Ends the input: what stands after the last newline is a line too.
  package mutating func finish() -> Line? {
    let skipped = isSkipping
    isSkipping = false
    return skipped ? nil : takeLine()
  }

  /// Adds a piece without newline to the line at hand, and returns the line when it ends here or becomes too long.
  private mutating func add(_ piece: ArraySlice<UInt8>, endsLine: Bool) -> Line? {
    guard !isSkipping else { return nil }
    // One byte above the limit may still turn out to be the carriage return of the line end.
    guard pending.count + piece.count <= limit + 1 else {
      pending = []
      isSkipping = true
      return .oversized
    }
    pending += piece
    return endsLine ? takeLine() : nil
  }

  /// Takes the line at hand over, which is whole; nil when there is nothing on it.
  private mutating func takeLine() -> Line? {
    var bytes: [UInt8] = []
    swap(&bytes, &pending)
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.count <= limit else { return .oversized }
    return Self.isBlank(bytes) ? nil : .complete(bytes)
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    let content = bytes.starts(with: byteOrderMark) ? bytes[byteOrderMark.count...] : bytes[...]
    return content.allSatisfy {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
    }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
