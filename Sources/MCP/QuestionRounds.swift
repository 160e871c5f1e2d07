// How often a modern call was answered with a question.
//
// Each retry of such a call is a request of its own, and says nothing about those before it. So that a list which changes
// all the time does not make its user click for ever, the last few calls are remembered by what they call.

import JSON

/// Counts the questions of calls whose retries are still to come.
struct QuestionRounds {
  private var rounds: [(subject: [UInt8], count: Int)] = []

  /// More calls than these do not wait for one user at a time.
  private static let capacity = 16

  /// What a call and its retries have in common.
  static func subject(tool: String, _ arguments: JSONValue) -> [UInt8] {
    var bytes = Array(tool.utf8) + [0]
    arguments.appendCanonical(to: &bytes)
    return bytes
  }

  /// Counts one more question, and returns how many there are now.
  mutating func begin(_ subject: [UInt8]) -> Int {
    let count = (rounds.first { $0.subject == subject }?.count ?? 0) + 1
    forget(subject)
    if rounds.count == Self.capacity { rounds.removeFirst() }
    rounds.append((subject, count))
    return count
  }

  /// The call is over, or begins anew.
  mutating func forget(_ subject: [UInt8]) {
    rounds.removeAll { $0.subject == subject }
  }
}
