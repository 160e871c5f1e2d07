// What reading and writing give back.

import ShoppingList

/// The list as it was at one moment.
package struct Snapshot: Sendable {
  package let document: Document
  /// The file's bytes; nil when there is no file yet.
  package let bytes: [UInt8]?
  /// What the user should know besides.
  package let notices: [Notice]

  /// What identifies what the list says, whatever its style: 16 hexadecimal digits.
  package var revision: String { document.revision }
}

/// Something that is no error, and that the user should know.
package struct Notice: Hashable, Sendable {
  /// A sentence, with what to do about it.
  package let message: String
}

/// What a write did.
package struct Written<Answer> {
  /// The list after the write.
  package let snapshot: Snapshot
  /// What the edit answered, the last time it was run.
  package let answer: Answer
  /// Whether the file was changed; an edit that changes nothing writes nothing.
  package let changed: Bool
  /// What brings back the list as it was before; nil where nothing does.
  package let undo: String?
}
