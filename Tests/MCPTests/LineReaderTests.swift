// Lines out of bytes, however the bytes are cut.

import MCP
import Seeded
import Testing

@Suite("Line reader")
struct LineReaderTests {
  private typealias Line = LineReader.Line

  /// All lines of `chunks`, with the end of input after them.
  private func lines(_ chunks: [[UInt8]], limit: Int = 100) -> [Line] {
    var reader = LineReader(limit: limit)
    var lines = chunks.flatMap { reader.append($0[...]) }
    if let last = reader.finish() { lines.append(last) }
    return lines
  }

  private func lines(_ text: String, limit: Int = 100) -> [Line] {
    lines([Array(text.utf8)], limit: limit)
  }

  private func complete(_ texts: String...) -> [Line] {
    texts.map { .complete(Array($0.utf8)) }
  }

  @Test("only byte 10 ends a line")
  func lineEnd() {
    #expect(lines("a\nb\u{2028}c\u{85}d\u{0B}e\rf\n") == complete("a", "b\u{2028}c\u{85}d\u{0B}e\rf"))
  }

  @Test("one carriage return belongs to the line end")
  func carriageReturn() {
    #expect(lines("a\r\nb\r\r\nc\r") == complete("a", "b\r", "c"))
  }

  @Test("a last line without a newline counts, nothing after the last newline does not")
  func lastLine() {
    #expect(lines("a\nb") == complete("a", "b"))
    #expect(lines("a\n") == complete("a"))
    #expect(lines("") == [])
  }

  @Test("blank lines are left out", arguments: ["", " ", "\t", "\r", " \t \r", "\u{FEFF}", "\u{FEFF} \r"])
  func blank(line: String) {
    #expect(lines("a\n\(line)\nb\n\(line)") == complete("a", "b"))
  }

  @Test("a byte order mark before content stays with it")
  func byteOrderMark() {
    #expect(lines("\u{FEFF}a\n\u{FEFF}b") == complete("\u{FEFF}a", "\u{FEFF}b"))
  }

  @Test("bytes that are no UTF-8 are handed on")
  func invalidUTF8() {
    #expect(lines([[0xFF, 0xC3, 0x0A, 0x00, 0x0A]]) == [.complete([0xFF, 0xC3]), .complete([0x00])])
  }

  @Test("every way to cut the input gives the same lines")
  func everySplit() {
    let text = Array("\u{FEFF}one\r\n\n{\"é\": 2}\nvery long line here\r\n \nlast\r".utf8)
    let whole = lines([text], limit: 15)
    #expect(whole == complete("\u{FEFF}one", "{\"é\": 2}") + [.oversized] + complete("last"))
    for first in 0...text.count {
      #expect(lines([Array(text[..<first]), Array(text[first...])], limit: 15) == whole)
      for second in first...text.count {
        let cut = [Array(text[..<first]), Array(text[first..<second]), Array(text[second...])]
        #expect(lines(cut, limit: 15) == whole)
      }
    }
    #expect(lines(text.map { [$0] }, limit: 15) == whole)
  }

  @Test("the limit counts the bytes of a line without its end", arguments: ["", "\n", "\r\n", "\r"])
  func limit(end: String) {
    for length in 8...12 {
      let line = String(repeating: "x", count: length)
      let expected: [Line] = length <= 10 ? complete(line) : [.oversized]
      #expect(lines(line + end, limit: 10) == expected, "\(length) bytes")
      #expect(lines((line + end).utf8.map { [$0] }, limit: 10) == expected, "\(length) bytes, one by one")
    }
  }

  @Test("what follows an oversized line is served, however long it was")
  func oversized() {
    for length in [11, 12, 50, 1000] {
      let text = String(repeating: "x", count: length) + "\nnext\n"
      #expect(lines(text, limit: 10) == [.oversized] + complete("next"))
      #expect(lines(text.utf8.map { [$0] }, limit: 10) == [.oversized] + complete("next"))
    }
    #expect(lines("a\n" + String(repeating: "x", count: 99), limit: 10) == complete("a") + [.oversized])
  }

  @Test("an oversized line is reported when it gets too long, not when it ends")
  func oversizedAtOnce() {
    var reader = LineReader(limit: 3)
    #expect(reader.append(ArraySlice("abc".utf8)) == [])
    #expect(reader.append(ArraySlice("de".utf8)) == [.oversized])
    #expect(reader.append(ArraySlice("fghijk".utf8)) == [])
    #expect(reader.append(ArraySlice("\nx\n".utf8)) == complete("x"))
  }

  @Test("the limit of the protocol is 16 MiB")
  func defaultLimit() {
    #expect(LineReader.defaultLimit == 16 * 1024 * 1024)
  }

  @Test("random input in random pieces is what splitting the whole gives")
  func random() {
    var generator = SplitMix64(seed: 20_260_728)
    let alphabet: [UInt8] = [0x0A, 0x0A, 0x0D, 0x20, 0x61, 0x62, 0xEF, 0xBB, 0xBF]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0x0A
      }
      var chunks: [[UInt8]] = []
      var rest = text[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &generator)
        chunks.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(lines(chunks, limit: 8) == reference(text, limit: 8), "\(text)")
    }
  }

  /// The same rules, the slow and obvious way.
  private func reference(_ text: [UInt8], limit: Int) -> [Line] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).compactMap { piece in
      let line = piece.last == 0x0D ? piece.dropLast() : piece
      if line.count > limit { return .oversized }
      let content = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
      return content.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } ? nil : .complete(Array(line))
    }
  }
}
