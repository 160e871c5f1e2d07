// The shared file: read without a lock, written under two.
//
//     let store = Store(path: location.path, syscalls: syscalls, createsFolder: location.createsFolder, history: …)
//     let snapshot = try store.read()
//     let written = try store.write { list, context in list.add([Addition(name: "Milk")], in: context) }
//
// What callers may rely on:
// - A reader sees the old bytes or the new ones: the file is never edited in place.
// - `write` returns when the new version is on the device. When it throws, the file is as it was, unless the error says
//   that the edit may have taken effect.
// - The edit is run on the list as it is under the lock, and again if somebody else changes it meanwhile. It is pure, and
//   its answer that of the run that was written. What another program saves in the very moment is merged with it.
// - Nothing that others wrote is removed without a copy in the history or the archive.
// - What cannot be read is an error, never an empty list; a missing file is a new list only where nothing says that there
//   is one.
// - Every wait is bounded, and ends when `syscalls.sleep` says that a stop was asked for.
// - Making a store touches no file. One thread owns it.
//
// Writing is in Store+Writing.swift and Store+Replacing.swift; what lies beside the list is merged in Store+Merging.swift;
// earlier versions are reached by Store+History.swift.

import Platform
import ShoppingList

package final class Store {
  /// As it was given: absolute, and resolved anew at each use.
  package let path: String
  let syscalls: Syscalls
  let historyPlace: HistoryPlace
  let createsFolder: Bool
  private let lockPatience: UInt64
  private let maximumSize: Int
  lazy var lock = ListLock(syscalls: syscalls, process: ProcessIdentity(syscalls), patience: lockPatience)
  /// Whether the file was there when it was last looked for; nil before the first look. If it is missing then, somebody
  /// may be replacing it.
  var sawList: Bool?
  /// The version that was read or written last, and what it says: as long as the file has these bytes, they need not be
  /// understood again.
  private var lastKnown: KnownList?
  /// The list as it was found by the last reading, and by the last one that looked through it for dropped edits.
  private var lastSeen: FoundList?
  private var lookedThrough: FoundList?
  /// The hash of the version that this store wrote last, and its file.
  var lastWritten: (id: String, status: FileStatus)?
  let sectionMemory = SectionMemory()
  /// Which saves of others have been looked through for dropped edits, since our newest one was made.
  var comparedSaves: (newest: String, saves: Set<String>) = ("", [])
  /// The lists of others that interrupted writes have displaced, by the hashes of their bytes, and our edits before; until
  /// somebody was told of them.
  var met: (recent: RecentEdits, lists: [String: Document])?

  /// - Parameters:
  ///   - createsFolder: whether the first write makes the list's folder.
  ///   - lockPatience: how long a write waits for others, in nanoseconds.
  ///   - maximumSize: how large the file may be, in bytes; more is neither read nor written.
  ///   - history: where earlier versions are kept.
  package init(
    path: String, syscalls: Syscalls = .live, createsFolder: Bool = false,
    lockPatience: UInt64 = ListLock.defaultPatience, maximumSize: Int = ListFolder.maximumSize,
    history: HistoryPlace = .nowhere
  ) {
    self.path = path
    self.syscalls = syscalls
    self.createsFolder = createsFolder
    self.lockPatience = lockPatience
    self.maximumSize = maximumSize
    historyPlace = history
  }

  // MARK: Reading

  /// The list as it is now, with the conflict copies beside it. Takes no lock, and writes nothing.
  ///
  /// - Parameter quietly: leaves out the notices; for who has nobody to show them to. Some are given only once.
  package func read(quietly: Bool = false) throws(StoreError) -> Snapshot {
    let folder = try folderToRead()
    func look() throws(StoreError) -> (FoundList?, Document) {
      var opened = folder
      return try settled(
        within: Self.readPatience,
        isKnown: folder.flatMap { openHistory(of: $0) }.map { !$0.names.isEmpty } ?? false
      ) { () throws(StoreError) -> ListFolder? in
        defer { opened = nil }
        if let opened { return opened }
        return try folderToRead()
      }
    }
    var names: [String] = []
    var copies = ConflictCopies()
    var found: FoundList?
    var read: Document?
    var history: History?
    var isLookedUp = false
    // Nil when an edit of ours was on its way: it may be in the list, or saved over, and is not in the history yet.
    var undisturbed: FoundList?
    for _ in 0..<Self.looks {
      // Before the list: a copy that is put away in between is in the list by then.
      if let folder {
        names = try folder.names()
        copies = try folder.conflictCopies(among: names)
      }
      (found, read) = try look()
      // As long as nobody has written it, nothing about it is new.
      if let found, (quietly ? lastSeen : lookedThrough)?.isSame(as: found) ?? false { break }
      guard let folder else { break }
      if !quietly && !isLookedUp {
        if try !folder.hasVersions(of: lock.process, among: folder.names()) { undisturbed = found }
        history = openHistory(of: folder)
        isLookedUp = true
        // The list is read again: an older one would lack what the history has by now.
        if history != nil { continue }
      }
      // A copy that has come in between is a part of what the list says now.
      guard try folder.hasConflictCopies(besides: folder.conflictCopyNames(among: names)) else { break }
    }
    lastSeen = found
    let document = read ?? Document()
    var notices: [Notice] = []
    if !quietly {
      if !copies.found.isEmpty { notices.append(.showsCopies(copies.found.map(\.name))) }
      notices += copies.notices
      if let found, let history {
        let ours = Set(folder?.versions(among: names) ?? [])
        let compared = comparison(of: found, document, history, ours: ours)
        notices += [compared?.notice].compactMap(\.self)
        noteTold(compared)
      }
      if isLookedUp {
        lookedThrough = found.flatMap { found in undisturbed.flatMap { $0.isSame(as: found) ? found : nil } }
      }
    }
    let merged = merge(copies.found.map(\.document), into: document) {
      isLookedUp ? history : folder.flatMap { openHistory(of: $0) }
    }
    let isKnown = copies.found.isEmpty && found?.version === lastKnown?.version
    return Snapshot(
      document: merged, bytes: found?.bytes, notices: notices, modified: found?.status.modified,
      hasCopies: !copies.found.isEmpty, known: isKnown ? lastKnown : nil)
  }

  /// What an edit would come to on the list as it is now. Takes no lock, writes nothing, and keeps the notices for the
  /// write. Earlier versions are not looked at, so that sections that an item had before are not known.
  package func preview<Answer>(_ edit: (Document, EditContext) -> Answer) throws(StoreError) -> Answer {
    let document = try read(quietly: true).document
    return edit(document, EditContext(now: Instant(milliseconds: syscalls.now()), newID: newID))
  }

  func newID() -> String { ItemID.random(from: syscalls.random(16)) }

  func openFolder() throws(StoreError) -> ListFolder {
    try ListFolder(opening: path, maximumSize: maximumSize, with: syscalls)
  }

  /// Nil when the folder is yet to be made.
  private func folderToRead() throws(StoreError) -> ListFolder? {
    do throws(StoreError) {
      return try openFolder()
    } catch  where error.kind == .missingFolder && createsFolder {
      return nil
    }
  }

  func folderToWrite() throws(StoreError) -> ListFolder {
    do throws(StoreError) {
      return try openFolder()
    } catch  where error.kind == .missingFolder && createsFolder {
      try ListFolder.make(for: path, with: syscalls)
      return try openFolder()
    }
  }

  /// Reads the list until it is one. Bytes that are no JSON may be half of what somebody writes in place, and a file
  /// that is gone may be about to come back: both are looked at again for so many nanoseconds before they are believed.
  ///
  /// - Parameters:
  ///   - isKnown: whether something else than this store's memory says that there was a list; asked only where it is missing.
  ///   - folder: where the list is; nil when its folder is yet to be made.
  func settled(
    within patience: UInt64, isKnown: @autoclosure () -> Bool, _ folder: () throws(StoreError) -> ListFolder?
  ) throws(StoreError) -> (FoundList?, Document) {
    let deadline = syscalls.monotonic() &+ patience
    while true {
      let isLast = syscalls.monotonic() >= deadline
      do {
        if let folder = try folder() {
          if let known = lastKnown, let status = folder.statusOfList(having: known.version.bytes) {
            return (FoundList(known.version, status: status), known.document)
          }
          if let found = try folder.readList() {
            let document = try understood(found, in: folder)
            sawList = true
            return (found, document)
          }
        }
        if isLast || !(sawList ?? isKnown()) {
          sawList = false
          return (nil, Document())
        }
      } catch  where !isLast && error.mayPass {}
      try pause()
    }
  }

  /// What the list says.
  private func understood(_ found: FoundList, in folder: ListFolder) throws(StoreError) -> Document {
    let document: Document
    do {
      document = try Document(decoding: found.bytes)
    } catch {
      throw folder.error(.invalid(error))
    }
    know(found.version, document)
    return document
  }

  /// Remembers what the list is now.
  func know(_ version: VersionBytes, _ document: Document) {
    sectionMemory.follow(from: lastKnown?.document, to: document, id: version.id)
    lastKnown = KnownList(version, document)
    // Of another version by now, whose bytes would be kept for nothing.
    (lastSeen, lookedThrough) = (nil, nil)
  }

  /// Lets others get on with what they do; longer each time they must be waited for.
  func pause(doubled times: Int = 0) throws(StoreError) {
    guard syscalls.sleep(Self.pauseBetweenLooks << UInt64(min(times, 5))) else {
      throw StoreError(.stopped, path: path)
    }
  }

  /// How often a read begins again since conflict copies have come meanwhile.
  private static let looks = 4
  /// How long a read looks again at what may pass, in nanoseconds.
  private static let readPatience: UInt64 = 200_000_000
  /// The same for a write, which has more to lose.
  static let writePatience: UInt64 = 2_000_000_000
  private static let pauseBetweenLooks: UInt64 = 20_000_000
}

extension StoreError {
  /// Whether it may be the sight of somebody else's write in the middle.
  fileprivate var mayPass: Bool {
    switch kind {
    case .notAFile(.symbolicLink): true  // it was resolved just before
    case .invalid(let error): error.mayBeHalfWritten
    default: false
    }
  }
}
