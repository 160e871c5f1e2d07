// Any bytes as lines. The first byte of the input is the longest line that is accepted, and each of the next eight the
// length of a piece.
//
// Promised: however the bytes are cut, the lines are those that a plain look at the whole input finds.

import MCP

struct LineFuzzing {
  let planted: Bool

  func run(_ bytes: [UInt8]) throws {
    let limit = Int(bytes.first ?? 0)
    let cuts = bytes.dropFirst().prefix(8).map { Int($0) }
    let text = Array(bytes.dropFirst(9))
    let expected = plainly(text, limit: limit)
    for pieces in [[], [1], cuts] {
      let found = lines(of: text, cutInto: pieces, limit: limit)
      try promise(found == expected, "limit \(limit), pieces \(pieces): \(found), not \(expected)")
    }
  }

  /// The lines of the text when it arrives in pieces of these lengths, over and over; all at once for none.
  private func lines(of text: [UInt8], cutInto pieces: [Int], limit: Int) -> [LineReader.Line] {
    var reader = LineReader(limit: limit)
    var lines: [LineReader.Line] = []
    var rest = text[...]
    var turn = 0
    while !rest.isEmpty {
      let length = pieces.isEmpty ? rest.count : max(pieces[turn % pieces.count], 1)
      var piece = rest.prefix(length)
      // Each piece as a line end of its own where a carriage return ends it.
      if planted, piece.last == 13 { piece = piece.dropLast() + [10] }
      lines += reader.append(piece)
      rest = rest.dropFirst(length)
      turn += 1
    }
    if let last = reader.finish() { lines.append(last) }
    return lines
  }

  private func plainly(_ text: [UInt8], limit: Int) -> [LineReader.Line] {
    text.split(separator: 10, omittingEmptySubsequences: false).compactMap { whole in
      let line = whole.last == 13 ? Array(whole.dropLast()) : Array(whole)
      if line.count > limit { return .oversized }
      let content = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...]
      return content.allSatisfy { [9, 13, 32].contains($0) } ? nil : .complete(line)
    }
  }
}
