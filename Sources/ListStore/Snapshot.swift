// What reading and writing give back.

import ShoppingList

/// The list as it was at one moment.
package struct Snapshot {
  /// The list with all conflict copies merged in.
  package let document: Document
  /// The file's bytes, without the copies; nil when there is no file yet.
  package let bytes: [UInt8]?
  /// What the user should know besides.
  package let notices: [Notice]
  /// When the file was last changed: Unix time in nanoseconds, by the file system's clock; nil when there is no file.
  package let modified: Int64?
  /// Whether conflict copies lie beside the file, whose rows the document has.
  package let hasCopies: Bool

  /// The same object for as long as the store knows that the list has not changed; nil where that is not known.
  package var identity: AnyObject? { known }
  private let known: KnownList?

  init(
    document: Document, bytes: [UInt8]?, notices: [Notice], modified: Int64?, hasCopies: Bool = false,
    known: KnownList? = nil
  ) {
    self.document = document
    self.bytes = bytes
    self.notices = notices
    self.modified = modified
    self.hasCopies = hasCopies
    self.known = known
  }

  /// What identifies what the list says, whatever its style: 16 hexadecimal digits.
  package var revision: String { known?.revision ?? document.revision }
}

/// What a write did.
package struct Written<Answer> {
  /// The list as the file had it before.
  let before: Document
  /// The list after the write.
  package let snapshot: Snapshot
  /// What the edit answered, the last time it was run.
  package let answer: Answer
  /// Whether the file was changed; an edit that changes nothing writes nothing.
  package let changed: Bool
  /// The id of the version that the list was before the edit, for `Store.version`: going back to it undoes the edit, and
  /// leaves what others did meanwhile. Nil where nothing was changed, or nothing is kept.
  package let undo: String?
}
