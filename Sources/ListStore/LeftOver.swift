// What a temporary file of this machine, found with the locks held, was left by, and what becomes of it.
//
// Its name says what it was to hold and what it was to displace, by hashes, and its bytes say what came of that:
//
// | it is                                                        | it was                                     | so          |
// | unfinished, by its name                                      | a version of ours that was never whole     | removed     |
// | empty, or all zero bytes                                     | lost by the file system                    | removed     |
// | what its name says it holds                                  | a version of ours that never took its place | removed    |
// | what it was to displace                                      | displaced as meant, or laid aside to be    | to the      |
// |                                                              |                                            |   history   |
// | another list, and the list is a version of ours that took    | another program's, which is in the list    | to the      |
// |   the place of the one that displaced it                     |                                            |   archive   |
// | another list                                                 | another program's, displaced and not merged | merged     |
// |                                                              |   yet: on the base of the version that it   |   (then to |
// |                                                              |   was itself made from                      |   the      |
// |                                                              |                                            |   archive)  |
// | by its name merged, and what was merged                      | a conflict copy, or another program's, on  | to the      |
// |                                                              |   its way to the archive                   |   archive   |
// | by its name merged, and another list                         | changed at the last moment                 | merged      |
// | anything else                                                | not to be explained                        | to the      |
// |                                                              |                                            |   archive   |
//
// The same table judges after a crash and at the end of every write, so that what recovery relies on is done each time.
// Nothing here does I/O.

import ShoppingList

/// A temporary file and what is in it.
struct LeftOver {
  /// The file's name.
  let name: String
  let says: TemporaryName
  let bytes: [UInt8]
  /// The hash of the bytes.
  let id: String

  /// - Parameter id: the hash of the bytes, where it is known.
  init(name: String, says: TemporaryName, bytes: [UInt8], id: String? = nil) {
    self.name = name
    self.says = says
    self.bytes = bytes
    self.id = id ?? TemporaryName.hash(bytes)
  }

  /// The same file under a new name.
  func renamed(_ name: String, ofList list: String) -> LeftOver {
    LeftOver(name: name, says: TemporaryName(parsing: name, ofList: list) ?? says, bytes: bytes, id: id)
  }

  /// Whether the version for which it was made has taken the list's place: the file holds what was there before.
  var hasDisplaced: Bool {
    guard case .version(let holds, let displaces) = says.purpose, id != holds else { return false }
    return id == displaces || History.document(decoding: bytes) != nil
  }

  /// The list of another program's that was displaced by chance, merged by now or not.
  var foreignList: Document? {
    guard case .version(let holds, let displaces) = says.purpose, id != holds, id != displaces else { return nil }
    return History.document(decoding: bytes)
  }

  enum Verdict {
    case remove
    /// The version that was meant to be displaced.
    case displaced
    /// Another's, and in the list already.
    case merged
    /// Another's, and not in the list. The ids are those of versions on whose base it is to be merged: the first that is
    /// known counts.
    case merge(Document, bases: [String])
    /// Nobody knows.
    case strange
  }

  /// - Parameters:
  ///   - all: all temporary files of this machine for the list, this one among them.
  ///   - listID: the hash of the list's bytes; nil where there is none, or it cannot be read.
  func judge(among all: [LeftOver], listID: String?) -> Verdict {
    if says.purpose == .unfinished || bytes.allSatisfy({ $0 == 0 }) { return .remove }
    switch says.purpose {
    case .lock, .unfinished: return .remove
    case .copy(let holds):
      if id == holds { return .merged }
      return History.document(decoding: bytes).map { .merge($0, bases: []) } ?? .strange
    case .version(let holds, let displaces):
      if id == holds { return .remove }
      if id == displaces { return .displaced }
      guard let document = History.document(decoding: bytes) else { return .strange }
      let isMerged = holds != listID && Self.isInList(holds, among: all, listID: listID)
      return isMerged ? .merged : .merge(document, bases: TemporaryName.bases(from: displaces, among: all.map(\.says)))
    }
  }

  /// Whether the version with this id is the list, or was displaced by one that is, or by one that was displaced by one
  /// that is … A version takes in whatever the one that it displaces has displaced.
  private static func isInList(_ id: String, among all: [LeftOver], listID: String?) -> Bool {
    var reached = [id]
    var next = 0
    while next < reached.count {
      if reached[next] == listID { return true }
      for leftOver in all {
        guard case .version(let holds, reached[next]) = leftOver.says.purpose, leftOver.id != holds,
          !reached.contains(holds)
        else { continue }
        reached.append(holds)
      }
      next += 1
    }
    return false
  }
}

extension LeftOver.Verdict {
  /// Whether it is another program's list, merged or not.
  var isOthers: Bool {
    switch self {
    case .merge, .merged: true
    case .remove, .displaced, .strange: false
    }
  }

  var isMerged: Bool {
    if case .merged = self { true } else { false }
  }
}

extension TemporaryName {
  /// What was to be displaced is what had been read, or, when that was itself a version that had only just been written
  /// (and is in no history), what that was to displace.
  static func bases(from displaced: String, among all: [TemporaryName]) -> [String] {
    var bases = [displaced]
    while let next = all.lazy.compactMap({ $0.displaced(byVersion: bases[bases.count - 1]) }).first,
      !bases.contains(next)
    {
      bases.append(next)
    }
    return bases
  }

  /// What the version with this id was to displace, if this is its name.
  fileprivate func displaced(byVersion id: String) -> String? {
    guard case .version(let holds, let displaces) = purpose, holds == id else { return nil }
    return displaces
  }

  /// The id of the version of ours that the file was made for.
  var versionID: String? {
    guard case .version(let holds, _) = purpose else { return nil }
    return holds
  }
}
