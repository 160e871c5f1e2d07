// A change of the list on its way into the file: what it was made from, what it makes, and what it would be without the
// edit. All three move on when another program saves the list meanwhile.

import ShoppingList

struct PendingChange {
  /// The list as it was found; nil when there was none.
  let found: FoundList?
  /// The id of what the file holds, or would hold if the list as it was read were written.
  let foundID: String
  /// What was read: the base of every merge with what another program saves meanwhile.
  let base: Document
  /// The list with all that others did, and without the edit: what an undo goes back to.
  private(set) var undone: Document
  /// The list with the edit.
  var ours: Document
  /// What the file is to hold.
  private(set) var version: VersionBytes
  /// What that was made from, until it was read again.
  private var encoding: Document.Encoding?
  /// What it would hold without the edit.
  private(set) var undoneBytes: [UInt8]
  /// The versions that were written for it; the last is the one in place once it is done.
  var versions: [WrittenVersion] = []
  /// The second name, beside the list, of the file that was found; nil where there is none.
  var aside: LaidAside?
  /// The one under whose name lies what was found, as was just seen.
  var displacedAsMeant: String?
  /// The names of those that hold another program's version which was merged, and the hashes of what was merged.
  var merged: [String: String] = [:]
  /// Whether there is no copy of what was found, and it is not ours to lose.
  var isOnlyCopy = false
  /// What those versions said.
  private(set) var met: [Document] = []

  init(found: FoundList?, base: Document, undone: Document, ours: Document) {
    self.found = found
    self.base = base
    self.undone = undone
    self.ours = ours
    // As a rule that is what was found: a large list need not be there twice.
    let undoneBytes = undone.encoded()
    self.undoneBytes = found.flatMap { undoneBytes.hasSameBytes(as: $0.bytes) ? $0.bytes : nil } ?? undoneBytes
    let encoding = ours.encoding()
    self.encoding = encoding
    version = VersionBytes(encoding.bytes)
    foundID = found?.id ?? TemporaryName.hash(base.encoded())
  }

  var bytes: [UInt8] { version.bytes }

  /// The temporary files that were written for it.
  var temporaries: [String] { versions.map(\.name) }

  /// What the file holds, or would hold if the list as it was read were written.
  var foundBytes: [UInt8] { found?.bytes ?? base.encoded() }

  /// The id of what it would hold without the edit.
  var undoneID: String { undoneBytes.hasSameBytes(as: foundBytes) ? foundID : TemporaryName.hash(undoneBytes) }

  /// Whether the file must be written.
  var isNeeded: Bool { !bytes.hasSameBytes(as: foundBytes) }

  /// Whether the edit itself changed anything.
  var isEdit: Bool { !bytes.hasSameBytes(as: undoneBytes) }

  /// Takes in what another program saved.
  ///
  /// - Parameter isDescendant: it was made from what was read, or from what was put in its place meanwhile. What a sync
  ///   service brings from elsewhere was not, if it lays the version that was read aside as a conflict copy: then what is
  ///   not in it was not taken back.
  mutating func meet(_ theirs: Document, isDescendant: Bool) {
    met.append(theirs)
    let base = isDescendant ? base : nil
    ours = Document.merge(base: base, ours: ours, theirs: theirs)
    undone = Document.merge(base: base, ours: undone, theirs: theirs)
    let encoding = ours.encoding()
    self.encoding = encoding
    version = VersionBytes(encoding.bytes)
    undoneBytes = undone.encoded()
  }

  /// Reads the list with the edit again from what the file is to hold, once for each version of it.
  ///
  /// - Returns: false where that says something else than was meant.
  mutating func reread() -> Bool {
    guard let encoding else { return true }
    guard ours.reread(from: encoding) else { return false }
    self.encoding = nil
    return true
  }

  /// What the edit did, in a few words, for the history.
  var summary: String { isEdit ? ours.difference(from: undone).summary : "merged" }
}
