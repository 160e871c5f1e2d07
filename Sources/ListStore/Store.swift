// The shopping list's file: read without a lock, written under two.
//
//     let store = Store(path: location.path, syscalls: syscalls, createsFolder: location.createsFolder)
//     let snapshot = try store.read()
//     let written = try store.write { list, context in list.add([Addition(name: "Milk")], in: context) }
//
// What callers may rely on:
// - A reader sees the old bytes or the new ones: the file is never edited in place.
// - `write` returns when the new version is on the device. When it throws, the file is as it was, unless the error says
//   that the edit may have taken effect.
// - The edit is run on the list as it is under the lock, and again if somebody else changes it meanwhile. It is pure, and
//   its answer that of the run that was written.
// - What cannot be read is an error, never an empty list; a missing file is a new list only where nothing says that there
//   is one.
// - Every wait is bounded, and ends when `syscalls.sleep` says that a stop was asked for.
// - Making a store touches no file. One thread owns it.

import Platform
import ShoppingList

package final class Store {
  /// As it was given: absolute, and resolved anew at each use.
  package let path: String
  private let syscalls: Syscalls
  private let createsFolder: Bool
  private let lockPatience: UInt64
  private let maximumSize: Int
  private lazy var lock = ListLock(
    syscalls: syscalls, process: ProcessIdentity(syscalls), patience: lockPatience)
  /// Whether the file was there when it was last looked for. If it is missing then, somebody may be replacing it.
  private var hasSeenList = false

  /// - Parameters:
  ///   - createsFolder: whether the first write makes the list's folder.
  ///   - lockPatience: how long a write waits for others, in nanoseconds.
  ///   - maximumSize: how large the file may be, in bytes; more is neither read nor written.
  package init(
    path: String, syscalls: Syscalls = .live, createsFolder: Bool = false,
    lockPatience: UInt64 = ListLock.defaultPatience, maximumSize: Int = ListFolder.maximumSize
  ) {
    self.path = path
    self.syscalls = syscalls
    self.createsFolder = createsFolder
    self.lockPatience = lockPatience
    self.maximumSize = maximumSize
  }

  // MARK: Reading

  /// The list as it is now. Takes no lock, and writes nothing.
  package func read() throws(StoreError) -> Snapshot {
    let (found, document) = try settled(within: Self.readPatience) { () throws(StoreError) in
      do throws(StoreError) {
        return try ListFolder(opening: path, maximumSize: maximumSize, with: syscalls)
      } catch  where error.kind == .missingFolder && createsFolder {
        return nil
      }
    }
    return Snapshot(document: document, bytes: found?.bytes, notices: [])
  }

  /// Reads the list until it is one. Bytes that are no JSON may be half of what somebody writes in place, and a file
  /// that is gone may be about to come back: both are looked at again for so many nanoseconds before they are believed.
  ///
  /// - Parameter folder: where the list is; nil when its folder is yet to be made.
  private func settled(
    within patience: UInt64, _ folder: () throws(StoreError) -> ListFolder?
  ) throws(StoreError) -> (FoundList?, Document) {
    let deadline = syscalls.monotonic() &+ patience
    while true {
      let isLast = syscalls.monotonic() >= deadline
      do {
        if let folder = try folder(), let found = try folder.readList() {
          let document = try decode(found.bytes, in: folder)
          hasSeenList = true
          return (found, document)
        }
        if isLast || !hasSeenList {
          hasSeenList = false
          return (nil, Document())
        }
      } catch  where !isLast && error.mayPass {}
      try pause()
    }
  }

  private func decode(_ bytes: [UInt8], in folder: ListFolder) throws(StoreError) -> Document {
    do {
      return try Document(decoding: bytes)
    } catch {
      throw folder.error(.invalid(error))
    }
  }

  // MARK: Writing

  /// Edits the list. An edit that leaves it as it was writes nothing.
  package func write<Answer>(
    _ edit: (inout Document, EditContext) -> Answer
  ) throws(StoreError) -> Written<Answer> {
    var foundIt = false
    var deadline: UInt64?
    while true {
      if let written = try attempt(edit, &foundIt) { return written }
      // Somebody else came between the reading and the writing.
      let now = syscalls.monotonic()
      let end = deadline ?? now &+ Self.writePatience
      deadline = end
      guard now < end else { throw StoreError(.keepsChanging, path: path) }
      try pause()
    }
  }

  /// Nil when the list, or the way to it, changed meanwhile, and nothing was done.
  ///
  /// - Parameter foundIt: whether this write has seen the file; if so, it is never taken for a new list.
  private func attempt<Answer>(
    _ edit: (inout Document, EditContext) -> Answer, _ foundIt: inout Bool
  ) throws(StoreError) -> Written<Answer>? {
    let folder = try openFolder()
    return try lock.holding(folder) { (held) throws(StoreError) -> Written<Answer>? in
      guard try folder.isStillAt(path) else { return nil }
      let notices = try folder.clearLeftOvers(of: lock.process, at: held.fileSystemTime)
      let (found, before) = try settled(within: Self.writePatience) { folder }
      guard found != nil || !foundIt else { throw folder.error(.vanished) }
      foundIt = found != nil
      var edited = before
      let answer = edit(&edited, context)
      let bytes = edited.encoded()
      if bytes == found?.bytes ?? before.encoded() {
        let snapshot = Snapshot(document: before, bytes: found?.bytes, notices: notices)
        return Written(snapshot: snapshot, answer: answer, changed: false, undo: nil)
      }
      if let found { try folder.mustBeWritable(found) }
      let after = try checked(bytes, meaning: edited, in: folder)
      guard try folder.replaceList(found, with: bytes, of: lock.process, if: held.isStillOurs) else {
        return nil
      }
      hasSeenList = true
      let snapshot = Snapshot(document: after, bytes: bytes, notices: notices)
      return Written(snapshot: snapshot, answer: answer, changed: true, undo: nil)
    }
  }

  private func openFolder() throws(StoreError) -> ListFolder {
    do {
      return try ListFolder(opening: path, maximumSize: maximumSize, with: syscalls)
    } catch  where error.kind == .missingFolder && createsFolder {
      try ListFolder.make(for: path, with: syscalls)
      return try ListFolder(opening: path, maximumSize: maximumSize, with: syscalls)
    }
  }

  private var context: EditContext {
    EditContext(now: Instant(milliseconds: syscalls.now())) { [syscalls] in
      ItemID.random(from: syscalls.random(16))
    }
  }

  /// What the bytes read as, which must be what was meant, before any file sees them.
  private func checked(
    _ bytes: [UInt8], meaning document: Document, in folder: ListFolder
  ) throws(StoreError) -> Document {
    guard bytes.count <= folder.maximumSize else { throw folder.error(.wouldBeTooLarge) }
    do {
      let decoded = try Document(decoding: bytes)
      if decoded.isEquivalent(to: document) { return decoded }
    } catch {}
    throw folder.error(.notFaithful)
  }

  private func pause() throws(StoreError) {
    guard syscalls.sleep(Self.pauseBetweenLooks) else { throw StoreError(.stopped, path: path) }
  }

  /// How long a read looks again at what may pass, in nanoseconds.
  private static let readPatience: UInt64 = 200_000_000
  /// The same for a write, which has more to lose.
  private static let writePatience: UInt64 = 2_000_000_000
  private static let pauseBetweenLooks: UInt64 = 20_000_000
}

extension StoreError {
  /// Whether it may be the sight of somebody else's write in the middle.
  fileprivate var mayPass: Bool {
    switch kind {
    case .notAFile(.symbolicLink): return true  // it was resolved just before
    case .invalid(let error):
      switch error.kind {
      case .empty, .notJSON: return true
      default: return false
      }
    default: return false
    }
  }
}
