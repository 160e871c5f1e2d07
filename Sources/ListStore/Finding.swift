// What an examination of the list's set-up says: one finding for each thing that was looked at.

import JSON

/// One thing that was looked at, and how it is.
package struct Finding: Sendable {
  package enum Verdict: String, Hashable, Sendable {
    /// As it should be.
    case fine
    /// Worth knowing; it mends itself, or cannot be helped.
    case note
    /// Somebody has to do something.
    case trouble
  }

  /// What was looked at: "list", "folder", "lock" and so on. Programs may rely on these words.
  package let topic: String
  package let verdict: Verdict
  /// How it is: a sentence or two on one line.
  package let text: String
  /// A command that mends it, or shows more where only a person can decide; ready for a POSIX shell.
  package let remedy: String?
  /// The same for programs. Names of items are never among them, so a report can be shown around.
  package let facts: [(key: String, value: JSONValue)]

  package init(
    _ topic: String, _ verdict: Verdict, _ text: String, remedy: String? = nil,
    facts: [(key: String, value: JSONValue)] = []
  ) {
    self.topic = topic
    self.verdict = verdict
    self.text = text
    self.remedy = remedy
    self.facts = facts
  }
}
