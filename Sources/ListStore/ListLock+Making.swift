// How a lock file comes into being: whole, at once, or not at all.
//
// It is written under a private name and then linked to its own, which fails where there is one. Where the file system
// has no links it is renamed without replacing, and where it has neither, made in place, empty for a moment: that is why
// an empty lock counts as being written.

import Platform
import ShoppingList

extension ListLock {
  /// Makes the lock file; nil when another was quicker.
  func make(_ attempt: LockAttempt) throws(StoreError) -> HeldLock? {
    let record = LockRecord(
      of: process, nonce: hexadecimal(syscalls.random(8)), since: Instant(milliseconds: syscalls.now()),
      hasKernelLock: attempt.hasKernelLock)
    let time = try withPrivateFile(record, attempt) { (file, name) throws(Errno) -> Int64? in
      let time = try syscalls.fstat(file).modified
      return try put(file, name, record, attempt) ? time : nil
    }
    return time.map {
      HeldLock(
        nonce: record.nonce ?? "", bytes: record.bytes, fileSystemTime: $0, lock: self, attempt: attempt)
    }
  }

  /// Unix time in nanoseconds by the clock that stamps files in the folder: that of a file made there for the purpose,
  /// once for each attempt, and our own clock from then on.
  func fileSystemTime(_ attempt: LockAttempt) throws(StoreError) -> Int64 {
    if let known = attempt.fileSystemTime {
      return known.theirs + Int64(clamping: syscalls.monotonic() - known.ours)
    }
    let time = try withPrivateFile(nil, attempt) { (file, _) throws(Errno) in
      try syscalls.fstat(file).modified
    }
    attempt.fileSystemTime = (time, syscalls.monotonic())
    return time
  }

  /// Makes a file under a name of its own, and removes that name again, whatever the body did.
  private func withPrivateFile<Result>(
    _ record: LockRecord?, _ attempt: LockAttempt,
    _ body: (_ file: Int32, _ name: String) throws(Errno) -> Result
  ) throws(StoreError) -> Result {
    let folder = attempt.folder.descriptor
    let name = privateName(attempt)
    do {
      let file = try OwnedDescriptor(
        opening: name, in: folder, [.write, .createNew, .noFollow], mode: 0o644, with: syscalls)
      // A name that stays is a left-over that is removed a minute later.
      defer { do { try syscalls.unlinkat(folder, name) } catch {} }
      if let record { try write(record, to: file.descriptor) }
      return try body(file.descriptor, name)
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }

  func privateName(_ attempt: LockAttempt) -> String {
    TemporaryName(.lock, machine: process.machine, syscalls: syscalls).text(ofList: attempt.folder.listName)
  }

  private func write(_ record: LockRecord, to file: Int32) throws(Errno) {
    try syscalls.writeFile(file, record.bytes)
    // Other users wait for a lock by what it says, so they must be able to read it whatever our umask is. Where there
    // are no modes, there is nothing that keeps them from it.
    do { try syscalls.fchmod(file, 0o644) } catch {}
  }

  /// Gives the private file the lock's name; false when there is a lock.
  private func put(
    _ file: Int32, _ name: String, _ record: LockRecord, _ attempt: LockAttempt
  ) throws(Errno) -> Bool {
    let folder = attempt.folder.descriptor
    do {
      try syscalls.linkat(folder, name, folder, attempt.name)
      return true
    } catch .exists {
      // A network file system may do it and lose the answer; asked again it finds its own link.
      return try syscalls.fstat(file).links > 1
    } catch  where error.isMissingLink {}
    do {
      try syscalls.renameNoReplace(folder, name, folder, attempt.name)
      return true
    } catch .exists {
      return false
    } catch  where error.isUnsupported {}
    do {
      let lock = try OwnedDescriptor(
        opening: attempt.name, in: folder, [.write, .createNew, .noFollow], mode: 0o644, with: syscalls)
      try write(record, to: lock.descriptor)
      return true
    } catch .exists {
      return false
    }
  }
}
