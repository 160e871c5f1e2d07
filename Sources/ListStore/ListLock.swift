// The two locks of a list, held together for one read, edit and write, and never while a person is asked.
//
//     try lock.holding(folder) { held in
//       …                                        // read, edit, write a temporary file
//       guard try held.isStillOurs() else { … }  // somebody took the lock over: begin again
//       …                                        // put it in the list's place
//     }
//
// 1. The kernel's lock on the folder (`flock`). It dies with its process, so nothing is ever left of it. File systems
//    that know no such lock (network mounts) are passed over.
// 2. The lock file, `<list>.lock`: for older servers, scripts, other machines, and file systems without the first. It
//    appears with its whole content at once, and is removed only by who finds the nonce of its own in it.
//
// Neither lock has a queue. So that a process with a hundred edits to do does not keep all others out, it leaves the
// list to them for an eighth of the time it held it: all at once, when that has come to as long as the others, who look
// every few milliseconds, need to find it free. Whoever has few edits to do does not wait.
//
// Both together are waited for at most 6 s (a lock that turns 5 s old meanwhile is still taken over), then an error
// names the holder. Every wait ends when the program is asked to stop. How a lock whose holder is gone is taken over
// without a race is in ListLock+TakeOver.swift; whether its holder is gone, in LockJudge.swift.

import Platform
import ShoppingList

package final class ListLock {
  let syscalls: Syscalls
  let process: ProcessIdentity
  /// How long both locks are waited for together, in nanoseconds.
  private let patience: UInt64
  var judge: LockJudge
  /// For how long, in nanoseconds, the list is still to be left to others.
  private var owed: UInt64 = 0
  /// When it was last let go, by the monotonic clock.
  private var letGoAt: UInt64 = 0

  package static let defaultPatience: UInt64 = 6_000_000_000

  package init(syscalls: Syscalls, process: ProcessIdentity, patience: UInt64 = ListLock.defaultPatience) {
    self.syscalls = syscalls
    self.process = process
    self.patience = patience
    judge = LockJudge(process: process, syscalls: syscalls)
  }

  /// Runs the body with both locks, and lets them go.
  package func holding<Result>(
    _ folder: ListFolder, _ body: (HeldLock) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let start = syscalls.monotonic()
    let attempt = LockAttempt(folder: folder, deadline: start &+ patience)
    let wasFree = start > letGoAt ? start - letGoAt : 0
    if owed < Self.freeTime {
      owed -= min(owed, wasFree)
    } else {
      if wasFree < Self.freeTime { try sleep(Self.freeTime - wasFree, attempt) }
      owed = 0
    }
    attempt.hasKernelLock = try takeKernelLock(attempt)
    let taken = syscalls.monotonic()
    defer {
      letGoOfKernelLock(attempt)
      letGoAt = syscalls.monotonic()
      owed = min(owed + (letGoAt - taken) / Self.freeShare, Self.freeTime)
    }
    let held = try takeLockFile(attempt)
    defer { letGo(of: held) }
    return try body(held)
  }

  // MARK: The kernel's lock

  /// False where the file system has no such lock.
  private func takeKernelLock(_ attempt: LockAttempt) throws(StoreError) -> Bool {
    var pause = Self.shortestPause
    while true {
      do {
        try syscalls.flock(attempt.folder.descriptor, .exclusiveWithoutWaiting)
        return true
      } catch .wouldBlock {
        guard syscalls.monotonic() < attempt.deadline else {
          throw attempt.folder.error(.locked(try holderByLockFile(attempt)))
        }
        try sleep(pause, attempt)
        pause = min(pause * 2, Self.longestPause)
      } catch  where error.isMissingLock {
        return false
      } catch {
        throw attempt.folder.error(.failed(.lock), error)
      }
    }
  }

  func letGoOfKernelLock(_ attempt: LockAttempt) {
    guard attempt.hasKernelLock else { return }
    // Closing the folder ends it just as well.
    do { try syscalls.flock(attempt.folder.descriptor, .unlock) } catch {}
  }

  /// Who has the kernel's lock has the lock file, too, or is about to make it.
  private func holderByLockFile(_ attempt: LockAttempt) throws(StoreError) -> LockHolder? {
    try find(attempt).lock.map { holder($0) }
  }

  // MARK: The lock file

  private func takeLockFile(_ attempt: LockAttempt) throws(StoreError) -> HeldLock {
    var sawStaleLock = false
    while true {
      let pause: UInt64
      switch try find(attempt) {
      case .none:
        if let held = try make(attempt) {
          guard sawStaleLock else { return held }
          // An older server may have been about to remove the stale lock by its name, and removes ours instead.
          if try isOurs(held, afterPauseIn: attempt) { return held }
        }
        pause = 0
      case .unreadable:
        attempt.holder = LockHolder(pid: nil, isHere: true, since: nil)
        pause = jittered()
      case .lock(let lock):
        attempt.holder = holder(lock)
        switch try judge(lock, attempt) {
        case .held: pause = jittered()
        case .stale:
          sawStaleLock = true
          pause = try takeOver(attempt) ? 0 : Self.shortestPause
        }
      }
      guard syscalls.monotonic() < attempt.deadline else {
        throw attempt.folder.error(.locked(attempt.holder))
      }
      if pause > 0 { try sleep(pause, attempt) }
    }
  }

  private func isOurs(_ held: HeldLock, afterPauseIn attempt: LockAttempt) throws(StoreError) -> Bool {
    do {
      try sleep(Self.settling, attempt)
      return try held.isStillOurs()
    } catch {
      letGo(of: held)
      throw error
    }
  }

  enum Found {
    case none
    /// Another user's, who does not let us read it.
    case unreadable
    case lock(FoundLock)

    var lock: FoundLock? {
      if case .lock(let lock) = self { lock } else { nil }
    }
  }

  /// What the lock's name leads to.
  func find(_ attempt: LockAttempt) throws(StoreError) -> Found {
    guard let status = try attempt.folder.status(of: attempt.name) else { return .none }
    guard status.kind == .file else { throw attempt.folder.error(.lockObstructed(status.kind)) }
    do {
      let file = try OwnedDescriptor(
        opening: attempt.name, in: attempt.folder.descriptor, [.read, .noFollow, .nonBlocking], with: syscalls
      )
      return .lock(try read(file.descriptor))
    } catch .noEntry {
      return .none
    } catch .accessDenied {
      return .unreadable
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }

  func read(_ descriptor: Int32) throws(Errno) -> FoundLock {
    let status = try syscalls.fstat(descriptor)
    return FoundLock(
      status: status, bytes: try syscalls.readAll(descriptor, limit: LockRecord.maximumSize))
  }

  func judge(_ lock: FoundLock, _ attempt: LockAttempt) throws(StoreError) -> LockJudge.Verdict {
    try judge.judge(lock, hasKernelLock: attempt.hasKernelLock) { () throws(StoreError) in
      try fileSystemTime(attempt)
    }
  }

  func holder(_ lock: FoundLock) -> LockHolder {
    let record = lock.record
    let isHere = record.map { !$0.isForeign && ($0.host == nil || $0.host == process.host) } ?? true
    let made = Instant(milliseconds: lock.status.modified / 1_000_000)
    return LockHolder(pid: record?.pid, isHere: isHere, since: record?.since ?? made)
  }

  private func letGo(of held: HeldLock) {
    do throws(StoreError) {
      if try held.isStillOurs() { try held.remove() }
    } catch {
      // What was written is written. The file names us, and we run: others could only wait. Whoever has the kernel's
      // lock knows better; where there is none, we do, the next time.
      judge.leftNonce = held.nonce
    }
  }

  // MARK: Waiting

  func sleep(_ nanoseconds: UInt64, _ attempt: LockAttempt) throws(StoreError) {
    guard syscalls.sleep(nanoseconds) else { throw attempt.folder.error(.stopped) }
  }

  /// 50 ms, a fifth more or less, so that two that wait do not always meet.
  private func jittered() -> UInt64 {
    40_000_000 + UInt64(syscalls.random(1).first ?? 0) * 20_000_000 / 255
  }

  private static let shortestPause: UInt64 = 1_000_000
  private static let longestPause: UInt64 = 4_000_000
  /// For which part of the time it was held the list is left to others, and for how long at once: whoever waits looks
  /// within that time.
  private static let freeShare: UInt64 = 8
  private static let freeTime = longestPause + shortestPause
  /// How long a lock that followed a stale one must stay ours.
  private static let settling: UInt64 = 20_000_000
}

/// One attempt at both locks: what it has found out so far.
final class LockAttempt {
  let folder: ListFolder
  /// On the monotonic clock, in nanoseconds.
  let deadline: UInt64
  var hasKernelLock = false
  var holder: LockHolder?
  /// The file system's time, in nanoseconds, and ours when that was.
  var fileSystemTime: (theirs: Int64, ours: UInt64)?

  init(folder: ListFolder, deadline: UInt64) {
    self.folder = folder
    self.deadline = deadline
  }

  /// The lock file's.
  var name: String { folder.listName + LockName.suffix }
}

extension Errno {
  /// Whether the file system has no lock of this kind: network mounts say it in several ways (one, EBADF, because there
  /// the lock becomes one that needs a file open for writing).
  var isMissingLock: Bool { isUnsupported || self == .badDescriptor || self == .noLocks }

  /// Whether the file system has no second names for files.
  var isMissingLink: Bool { isUnsupported || self == .notPermitted || self == .tooManyLinks }
}
