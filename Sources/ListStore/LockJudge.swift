// Whether a lock that was found is held, or left behind by a process that is gone.
//
// The pid decides, not the age: a holder may be slow, and a folder may sync slowly. Age counts only where the pid says
// nothing. The first row that fits decides:
//
// | the lock says                                                        | judged                                   |
// | one that we let go and could not remove                              | stale                                    |
// | this machine and boot, `kernel=1`, and we have the kernel's lock     | stale: its holder would have it          |
// | this machine and boot, a pid that does not run                       | stale                                    |
// | this machine and boot, a pid that runs since the time given, or      | held, however old the file is            |
// |   since a time not known                                             |                                          |
// | this machine and boot, a pid that runs since another time            | stale: the pid was given again           |
// | this machine, another boot                                           | stale if older than this boot, else as   |
// |                                                                      |   another machine: cloned images share   |
// |                                                                      |   their machine's id                     |
// | another machine or pid namespace                                     | stale when older than 60 s               |
// | a bare pid, taken for this machine's, that does not run, or that was | stale when older than 5 s                |
// |   started 2 s or more after the file was made                        |                                          |
// | a bare pid that runs                                                 | held                                     |
// | nothing that can be read, or a number that is no pid                 | being written, or left by a crash: stale |
// |                                                                      |   when older than 5 s                    |
//
// Ages are told by the file system's own clock, which for a network mount is another machine's. A time that it calls
// future counts instead from when this judge first saw the file as it is, on our own monotonic clock: so a judge is kept
// for as long as its store.

import Platform

/// A lock file as it was read, from one open descriptor.
struct FoundLock {
  let status: FileStatus
  let bytes: [UInt8]

  var record: LockRecord? { LockRecord(parsing: bytes) }

  /// Whether both are one file with one content.
  func isSame(as other: FoundLock) -> Bool {
    status.isSameFile(as: other.status) && bytes == other.bytes
  }
}

struct LockJudge {
  enum Verdict: Hashable {
    case held, stale
  }

  let process: ProcessIdentity
  private let syscalls: Syscalls
  private var firstSeen: (lock: FoundLock, at: UInt64)?
  /// The nonce of a lock of ours that could not be removed when it was let go.
  var leftNonce: String?

  init(process: ProcessIdentity, syscalls: Syscalls) {
    self.process = process
    self.syscalls = syscalls
  }

  /// - Parameters:
  ///   - hasKernelLock: whether we have the kernel's lock on the folder.
  ///   - fileSystemTime: Unix time in nanoseconds by the clock that stamps files there. Asked for only where age counts.
  mutating func judge(
    _ lock: FoundLock, hasKernelLock: Bool, fileSystemTime: () throws(StoreError) -> Int64
  ) throws(StoreError) -> Verdict {
    guard let record = lock.record else { return try older(lock, than: Self.writing, fileSystemTime) }
    if let nonce = record.nonce, nonce == leftNonce { return .stale }
    let isForeign = record.isForeign || (record.host != nil && record.host != process.host)
    if isForeign { return try older(lock, than: Self.elsewhere, fileSystemTime) }
    if record.host != nil && record.boot != process.boot {
      let age = try age(of: lock, fileSystemTime())
      return age > min(Int64(clamping: syscalls.uptime()), Self.elsewhere) ? .stale : .held
    }
    if record.host != nil && record.hasKernelLock && hasKernelLock { return .stale }
    guard record.pid >= 1, record.pid <= syscalls.maximumPID() else {
      return try older(lock, than: Self.writing, fileSystemTime)
    }
    let runs = syscalls.isAlive(record.pid) != .notRunning
    if record.host != nil {
      guard runs else { return .stale }
      guard let started = record.started, let actual = syscalls.processStart(record.pid) else { return .held }
      return started == actual.identity ? .held : .stale
    }
    let age = try age(of: lock, fileSystemTime())
    if runs && !startedAfter(lockOfAge: age, record.pid) { return .held }
    return age > Self.writing ? .stale : .held
  }

  /// Whether the process is so much younger than the lock file that it cannot have made it.
  private func startedAfter(lockOfAge age: Int64, _ pid: Int32) -> Bool {
    guard let start = syscalls.processStart(pid) else { return false }
    let processAge = Int64(clamping: syscalls.uptime()) - Int64(clamping: start.uptime)
    return age - processAge >= Self.startMargin
  }

  private mutating func older(
    _ lock: FoundLock, than limit: Int64, _ fileSystemTime: () throws(StoreError) -> Int64
  ) throws(StoreError) -> Verdict {
    try age(of: lock, fileSystemTime()) > limit ? .stale : .held
  }

  /// In nanoseconds.
  private mutating func age(of lock: FoundLock, _ fileSystemTime: Int64) -> Int64 {
    let age = fileSystemTime - lock.status.modified
    guard age < 0 else { return age }
    let now = syscalls.monotonic()
    if let firstSeen, firstSeen.lock.isSame(as: lock), firstSeen.lock.status.modified == lock.status.modified {
      return Int64(clamping: now - firstSeen.at)
    }
    firstSeen = (lock, now)
    return 0
  }

  /// How old, in nanoseconds, a lock must be that says nothing, or whose bare pid does not run.
  private static let writing: Int64 = 5_000_000_000
  /// How old a lock of another machine must be.
  private static let elsewhere: Int64 = 60_000_000_000
  /// How much younger than the lock a process must be to have been given its pid again: process starts are told in
  /// hundredths of a second, file times sometimes in whole seconds.
  private static let startMargin: Int64 = 2_000_000_000
}
