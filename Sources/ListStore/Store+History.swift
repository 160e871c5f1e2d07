// Earlier versions of the list, and what was put away: listed, looked up, brought back by an edit.
//
//     for version in try store.history() { … version.id, version.time, version.edit … }
//     let version = try store.version("9f86d081884c7d65")
//     try store.write(mustBeUndoable: true) { list, context in list.restore(version.document, in: context) }
//
// An id is looked for in the listing. It is never used as a path.

import Platform
import ShoppingList

/// A version of the list in the history, or something in the archive.
package struct PastVersion: Hashable, Sendable {
  package enum Place: String, Hashable, Sendable {
    case history, archive
  }

  package let id: String
  /// When it was put there.
  package let time: Instant
  package let place: Place
  /// The edit of ours that made it, in words; nil where it is another program's.
  package let edit: String?
  /// How it came there, where it is another program's.
  package let origin: String?
  /// How many items it has, and how many of them are bought; nil where it is no list that can be read.
  package let items: Int?
  package let bought: Int?
}

/// A version to go back to.
package struct Version: Sendable {
  package let id: String
  package let document: Document
  /// The ids of the versions that edits of ours made of this one.
  private let successors: Set<String>

  fileprivate init(id: String, document: Document, successors: Set<String>) {
    self.id = id
    self.document = document
    self.successors = successors
  }

  /// Whether the list, as an edit is given it, is still what an edit of ours made of this version: going back then undoes
  /// that edit and nothing else.
  package func isUndone(by list: Document) -> Bool {
    !list.isEdited && successors.contains(TemporaryName.hash(list.encoded()))
  }
}

/// What a file brought that was merged on request.
package struct Absorbed: Hashable, Sendable {
  /// What came of the list, in words; nil when the file had nothing new.
  package let gain: String?
  package let notices: [Notice]
}

extension Store {
  /// All versions that are kept, the newest first.
  package func history() throws(StoreError) -> [PastVersion] {
    try withHistory { (history) throws(HistoryFailure) in
      let kept = try history.names.map { (name) throws(HistoryFailure) in
        pastVersion(name, .history, try history.bytes(ofID: name.id))
      }
      let archived = try history.archivedNames().map { (name) throws(HistoryFailure) in
        pastVersion(name, .archive, try history.archivedBytes(ofID: name.id))
      }
      return (kept + archived).sorted { $0.time > $1.time }
    } ?? []
  }

  private func pastVersion(_ name: VersionName, _ place: PastVersion.Place, _ bytes: [UInt8]?) -> PastVersion {
    let items = bytes.flatMap(History.document(decoding:))?.items
    let isOurs = name.replaced != nil
    return PastVersion(
      id: name.id, time: name.time, place: place, edit: isOurs ? name.label : nil,
      origin: isOurs ? nil : name.label, items: items?.count, bought: items.map { $0.count { $0.checked } })
  }

  /// The version with this id, from the history or the archive.
  package func version(_ id: String) throws(StoreError) -> Version {
    let wanted = id.lowercased()
    let found = try withHistory {
      (history) throws(HistoryFailure) -> (bytes: [UInt8]?, successors: Set<String>)? in
      let successors = Set(history.names.filter { $0.replaced == wanted }.map(\.id))
      if history.has(wanted) { return (try history.bytes(ofID: wanted), successors) }
      guard try history.archivedNames().contains(where: { $0.id == wanted }) else { return nil }
      return (try history.archivedBytes(ofID: wanted), successors)
    }
    guard let found = found ?? nil else { throw StoreError(.noSuchVersion(id), path: path) }
    guard let document = found.bytes.flatMap(History.document(decoding:)) else {
      throw StoreError(.damagedVersion(id), path: path)
    }
    return Version(id: wanted, document: document, successors: found.successors)
  }

  /// Nil where no history is kept.
  private func withHistory<Result>(
    _ body: (History) throws(HistoryFailure) -> Result
  ) throws(StoreError) -> Result? {
    guard case .folder(let place) = historyPlace else { return nil }
    let folder = try openFolder()
    do throws(HistoryFailure) {
      return try body(History(in: place, ofList: folder.listPath, with: syscalls, making: false))
    } catch {
      throw folder.error(.historyUnreadable(error.path), error.errno)
    }
  }

  // MARK: Merging what the user names

  /// Merges a file into the list, as if a sync service had left it as a conflict copy, and puts it into the archive.
  ///
  /// - Parameter file: an absolute path; the file lies beside the list, or beside what the list's path leads to.
  package func absorb(_ file: String) throws(StoreError) -> Absorbed {
    let folder = try openFolder()
    let (place, name) = ListFolder.split(file)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw folder.error(.notAbsorbed(name: file, why: "that is no file's name"))
    }
    guard try isFolder(place, of: folder) else {
      throw folder.error(
        .notAbsorbed(name: file, why: "it lies in another folder; move it beside the list first"))
    }
    let isTemporary = TemporaryName(parsing: name, ofList: folder.listName) != nil
    guard name != folder.listName, name != folder.listName + LockName.suffix, !isTemporary else {
      throw folder.error(
        .notAbsorbed(name: name, why: "that is the list itself, or a file of this program's"))
    }
    let written = try write(WriteRequest(absorbed: name, mustBeUndoable: true)) { _, _ in }
    let gain = written.changed ? written.snapshot.document.difference(from: written.before).summary : nil
    return Absorbed(gain: gain, notices: written.snapshot.notices)
  }

  private func isFolder(_ path: String, of folder: ListFolder) throws(StoreError) -> Bool {
    do {
      let named = try OwnedDescriptor(opening: path, [.read, .directory], with: syscalls)
      return try syscalls.fstat(named.descriptor).isSameFile(as: syscalls.fstat(folder.descriptor))
    } catch {
      throw folder.error(.failed(.find), error)
    }
  }
}
