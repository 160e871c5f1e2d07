// The list is replaced, and what was displaced is looked at: a program that takes no lock may have saved in the very
// moment between our last look and the exchange.
//
// 1. The new version is written. The lock must still be ours, and the list, looked at once more, what was read; else the
//    write begins again.
// 2. The names are exchanged. What was displaced is what was read: done. (Where names cannot be exchanged the list is
//    replaced, and that is all.)
// 3. It is another list: both are merged, on the base of what was read, and the result takes the place of our version in
//    the same way; and so on, for 2 s at most. If a conflict copy has come meanwhile, a sync service brought the other
//    list, which was not made from what was read: then without a base.
// 4. It is no list: half a file that somebody writes in place. The names are exchanged back, so that the rest gets to
//    where the list is, and the write begins again.
// A failure in 3 exchanges back, too: the other program's version is the list, and the edit did not happen.
//
// A crash in the middle leaves the temporary files as they are, and their names tell the next write what to merge
// (LeftOver.swift).

import Platform
import ShoppingList

extension Store {
  /// What came of replacing the list.
  enum Replacing {
    /// The change is in place. What was displaced is under the names of its temporary files.
    case done
    /// The list, or the lock, was another by then; nothing was changed.
    case outdated
    /// Something that is no list was written over it; it is where it was.
    case overwritten(theirs: [UInt8])
  }

  /// - Parameters:
  ///   - copies: the names of the conflict copies that were there when the list was read.
  ///   - deadline: when to give up, if that was settled before.
  func replace(
    _ change: inout PendingChange, in folder: ListFolder, _ held: HeldLock, besides copies: Set<String>,
    until deadline: UInt64?
  ) throws(StoreError) -> Replacing {
    let version = try write(&change, displacing: change.found == nil ? nil : change.foundID, in: folder)
    do throws(StoreError) {
      guard try held.isStillOurs(), try isUnchanged(change.found, in: folder) else {
        folder.remove(version.name)
        return .outdated
      }
      switch try folder.put(version, displacing: change.found != nil) {
      case .replaced: return .done
      case .exchanged: break
      case .outdated:
        folder.remove(version.name)
        return .outdated
      case .unsupported: return try replaceWithoutExchange(change, by: version, in: folder)
      }
    } catch {
      if error.kind != .uncertain { folder.remove(version.name) }
      throw error
    }
    return try settle(&change, version, in: folder, held, besides: copies, until: deadline)
  }

  private func isUnchanged(_ found: FoundList?, in folder: ListFolder) throws(StoreError) -> Bool {
    guard let found else { return try folder.readList() == nil }
    return folder.statusOfList(having: found.bytes) != nil
  }

  /// Nothing is displaced, what the list was is gone: if there is no other copy of it, one is made first.
  private func replaceWithoutExchange(
    _ change: PendingChange, by version: WrittenVersion, in folder: ListFolder
  ) throws(StoreError) -> Replacing {
    guard change.isOnlyCopy, let found = change.found else {
      try folder.replace(by: version)
      return .done
    }
    let aside = try folder.setAside(found, for: version, of: lock.process)
    do throws(StoreError) {
      guard folder.statusOfList(having: found.bytes) != nil else {
        folder.remove(aside)
        folder.remove(version.name)
        return .outdated
      }
      try folder.replace(by: version)
      return .done
    } catch {
      if error.kind != .uncertain { folder.remove(aside) }
      throw error
    }
  }

  /// Looks at what the version has displaced, and merges until that is what was meant.
  private func settle(
    _ change: inout PendingChange, _ version: WrittenVersion, in folder: ListFolder, _ held: HeldLock,
    besides copies: Set<String>, until deadline: UInt64?
  ) throws(StoreError) -> Replacing {
    var version = version
    var expected = change.found?.bytes
    var overlaps = 0
    let end = deadline ?? syscalls.monotonic() &+ Self.writePatience
    while true {
      if let expected, try folder.isDisplaced(expected, by: version) {
        if overlaps == 0 { change.displacedAsMeant = version.name }
        return .done
      }
      let displaced = try folder.displaced(by: version)
      guard let displaced, let theirs = History.document(decoding: displaced) else {
        try putBack(version, in: folder)
        return .overwritten(theirs: displaced ?? [])
      }
      // A conflict copy that has come meanwhile is what was read, laid aside by a service that put another's in its place.
      let isDescendant: Bool
      do throws(StoreError) {
        isDescendant = try !folder.hasConflictCopies(besides: copies)
      } catch {
        try putBack(version, in: folder)
        throw error
      }
      change.meet(theirs, isDescendant: isDescendant)
      change.merged[version.name] = TemporaryName.hash(displaced)
      overlaps += 1
      if change.bytes.hasSameBytes(as: version.bytes) { return .done }
      let next: WrittenVersion
      do throws(StoreError) {
        if overlaps > 1 { try pause(doubled: overlaps - 2) }
        guard syscalls.monotonic() < end else { throw folder.error(.keepsChanging) }
        try check(&change, in: folder)
        next = try write(&change, displacing: version.id, in: folder)
        // Theirs has no name yet that would be sure to last, and the next exchange is to take this one from it.
        try folder.synchronize()
        guard try held.isStillOurs() else { throw folder.error(.unsettled) }
        guard case .exchanged = try folder.put(next, displacing: true) else { throw folder.error(.vanished) }
      } catch {
        // Without the lock nothing is exchanged; and of what is not known nothing can be taken back.
        if error.kind != .unsettled && error.kind != .uncertain { try putBack(version, in: folder) }
        throw error
      }
      expected = version.bytes
      version = next
    }
  }

  private func write(
    _ change: inout PendingChange, displacing id: String?, in folder: ListFolder
  ) throws(StoreError) -> WrittenVersion {
    let version = try folder.writeVersion(
      change.version, displacing: id, like: change.found, aside: change.versions.isEmpty ? change.aside : nil,
      of: lock.process)
    change.versions.append(version)
    return version
  }

  /// Exchanges back; who came between meanwhile is a left-over, which the next write merges.
  private func putBack(_ version: WrittenVersion, in folder: ListFolder) throws(StoreError) {
    try folder.putBack(version)
    if try folder.isDisplaced(version.bytes, by: version) { folder.remove(version.name) }
  }

  /// Reads again what is to be written, which must be what was meant, before any file sees it.
  func check(_ change: inout PendingChange, in folder: ListFolder) throws(StoreError) {
    guard change.bytes.count <= folder.maximumSize else { throw folder.error(.wouldBeTooLarge) }
    guard change.reread() else { throw folder.error(.notFaithful) }
  }
}
