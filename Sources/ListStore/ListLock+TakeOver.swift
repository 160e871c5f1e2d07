// Taking over a lock whose holder is gone, without a race.
//
// "Read the pid, it does not run, remove the file by its name" lets two hold the lock at once: between the reading and
// the removing another may have done the same and made a new lock, and the name then leads to that one. So who wants to
// remove a lock first locks that very file in the kernel, judges what it reads from that very descriptor, and makes sure
// that the name still leads there:
//
// 1. open the lock file; 2. `flock` it without waiting: taken, somebody else is at it; 3. judge it by this descriptor;
// 4. the name leads to this file still? else begin again; 5. remove it; 6. compete for the name like anyone else; 7. having
// won, wait a moment and look whether the lock is still ours (`takeLockFile`).
//
// Where files cannot be locked, the lock is renamed to a private name instead, which only one can do, and put back if it
// turns out to be another than was judged.

import Platform

extension ListLock {
  /// Removes the lock that was found stale, if it still is. False when another is at it, and waiting is better than
  /// looking again at once.
  func takeOver(_ attempt: LockAttempt) throws(StoreError) -> Bool {
    guard let file = try openLock(attempt) else { return true }
    do {
      try syscalls.flock(file.descriptor, .exclusiveWithoutWaiting)
    } catch .wouldBlock {
      return false
    } catch  where error.isMissingLock {
      return try takeOverByName(file, attempt)
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
    guard try judge(read(file, attempt), attempt) == .stale else { return true }
    do {
      let named = try syscalls.fstatat(attempt.folder.descriptor, attempt.name)
      guard try syscalls.fstat(file.descriptor).isSameFile(as: named) else { return true }
      try syscalls.unlinkat(attempt.folder.descriptor, attempt.name)
      return true
    } catch .noEntry {
      return true
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }

  /// Nil when there is no lock any more. For writing where that is allowed: some network file systems lock only what is
  /// open so.
  private func openLock(_ attempt: LockAttempt) throws(StoreError) -> OwnedDescriptor? {
    let folder = attempt.folder.descriptor
    do {
      do {
        return try OwnedDescriptor(
          opening: attempt.name, in: folder, [.read, .write, .noFollow, .nonBlocking], with: syscalls)
      } catch .accessDenied {
        return try OwnedDescriptor(
          opening: attempt.name, in: folder, [.read, .noFollow, .nonBlocking], with: syscalls)
      }
    } catch .noEntry {
      return nil
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }

  private func read(_ file: borrowing OwnedDescriptor, _ attempt: LockAttempt) throws(StoreError) -> FoundLock {
    do {
      return try read(file.descriptor)
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }

  /// The way without `flock`. The private name is like that of a lock on its way: what is left under it by a crash is
  /// removed a minute later.
  private func takeOverByName(
    _ file: borrowing OwnedDescriptor, _ attempt: LockAttempt
  ) throws(StoreError) -> Bool {
    let judged = try read(file, attempt)
    guard try judge(judged, attempt) == .stale else { return true }
    let folder = attempt.folder.descriptor
    let name = privateName(attempt)
    do {
      // Looked at once more, since what follows takes away whatever has the name.
      guard try syscalls.fstatat(folder, attempt.name).isSameFile(as: judged.status) else { return true }
      try syscalls.renameat(folder, attempt.name, folder, name)
    } catch .noEntry {
      return true
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
    do {
      let taken = try OwnedDescriptor(
        opening: name, in: folder, [.read, .noFollow, .nonBlocking], with: syscalls)
      if try read(taken.descriptor).isSame(as: judged) {
        try syscalls.unlinkat(folder, name)
      } else {
        try putBack(name, attempt)
      }
      return true
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }

  /// Gives somebody's lock its name again. If another has made one meanwhile, that one stays: the first holder finds its
  /// lock gone before it changes anything, and begins again.
  private func putBack(_ name: String, _ attempt: LockAttempt) throws(Errno) {
    let folder = attempt.folder.descriptor
    do {
      try syscalls.linkat(folder, name, folder, attempt.name)
    } catch .exists {
    } catch  where error.isMissingLink {
      do {
        try syscalls.renameNoReplace(folder, name, folder, attempt.name)
        return
      } catch .exists {
      } catch  where error.isUnsupported {
        return try syscalls.renameat(folder, name, folder, attempt.name)
      }
    }
    try syscalls.unlinkat(folder, name)
  }
}
