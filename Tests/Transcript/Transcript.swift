// A whole conversation, as a person reads it, held against the one that was reviewed.
//
//     var transcript = Transcript()
//     transcript.note("ten minutes pass")
//     transcript.send(line)
//     transcript.receive(frame)
//     #expect(try transcript.difference(from: file) == nil)
//
// "→" is what the client sends, "←" what it gets, what happens besides stands in parentheses. What is received is shown with
// line breaks; that it is sent without any is checked on the way. With RENEW_GOLDEN=1 in the environment the file is
// written instead: after a change that is meant, and then reviewed as a change of the file.

import Foundation
import JSON

package struct Transcript {
  private var lines: [String] = []

  package init() {}

  /// What happens outside of the conversation.
  package mutating func note(_ event: String) { lines.append("(\(event))") }

  /// What the client sends, as it is.
  package mutating func send(_ line: String) { lines.append("→ \(line)") }

  /// A frame that the server sends.
  package mutating func receive(_ frame: [UInt8]) throws {
    let value = try JSONValue(parsing: frame)
    var compact: [UInt8] = []
    value.appendCompact(to: &compact)
    guard frame == compact else { throw NotCompact(frame: String(decoding: frame, as: UTF8.self)) }
    lines.append("← \(pretty(value))")
  }

  /// A frame has white space outside of its strings, and may be more than one line.
  package struct NotCompact: Error {
    let frame: String
  }

  /// The first line that is another than in the file, and what stands there; nil when all are the same.
  package func difference(from file: URL) throws -> String? {
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["RENEW_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file)
      return nil
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    // Bytes are compared: two spellings of one character are no equals on the wire.
    guard !text.utf8.elementsEqual(expected.utf8) else { return nil }
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    let reviewed = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(all, reviewed).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    func line(_ lines: [Substring]) -> String { place < lines.count ? String(lines[place]) : "the end" }
    return "\(file.lastPathComponent):\(place + 1): \(line(all))\ninstead of \(line(reviewed))"
  }
}
