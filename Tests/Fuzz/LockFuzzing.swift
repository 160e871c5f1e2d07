// Any bytes as a lock file. The first byte says what is known of the process that it names and of us.
//
// Promised:
// - Nothing traps; what can be read is written and read as the same.
// - A process of this machine that runs, and may be the one that made the lock, holds it, however old it is, unless the
//   kernel says that it does not.
// - A young lock that nothing can be known of is held.

import Platform

@testable import ListStore

struct LockFuzzing {
  let planted: Bool

  func run(_ bytes: [UInt8]) throws {
    let known = bytes.first ?? 0
    let text = Array(bytes.dropFirst().prefix(LockRecord.maximumSize))
    let record = LockRecord(parsing: text)
    if let record { try written(record) }
    try judged(text, record, known: known)
  }

  private func written(_ record: LockRecord) throws {
    var expected = record
    // Our own second line is never another program's.
    expected.isForeign = false
    var bytes = record.bytes
    if planted, record.since != nil { bytes.removeLast(12) }
    try promise(bytes.first != 0 && bytes.last == 10, "\(record)")
    try promise(LockRecord(parsing: bytes) == expected, "\(record), read back as \(LockRecord(parsing: bytes) as Any)")
  }

  private func judged(_ text: [UInt8], _ record: LockRecord?, known: UInt8) throws {
    var syscalls = Syscalls.live
    let life: ProcessLife = known & 1 == 0 ? .running : .notRunning
    let start = known & 2 == 0 ? ProcessStart(identity: "1", uptime: 50_000_000_000) : nil
    syscalls.pid = { 4_242 }
    syscalls.isAlive = { _ in life }
    syscalls.processStart = { _ in start }
    syscalls.maximumPID = { 4_194_304 }
    syscalls.machineID = { "machine" }
    syscalls.pidNamespace = { "1" }
    syscalls.bootID = { "boot" }
    syscalls.uptime = { 100_000_000_000 }
    syscalls.monotonic = { 100_000_000_000 }
    let process = ProcessIdentity(syscalls)
    // A time that the clock calls future counts from now.
    let isOld = known & 0x14 == 0x04 || known & 0x34 == 0x14
    let hasKernelLock = known & 8 != 0
    let now: Int64 = 1_800_000_000_000_000_000
    let status = FileStatus(
      kind: .file, device: 1, inode: 1, links: 1, size: Int64(text.count), mode: 0o600, owner: 0, group: 0,
      modified: Self.modified(known, now: now))
    var judge = LockJudge(process: process, syscalls: syscalls)
    let verdict = try judge.judge(
      FoundLock(status: status, bytes: text), hasKernelLock: hasKernelLock, fileSystemTime: { now })
    guard let record else {
      return try promise((verdict == .stale) == isOld, "unreadable, and \(verdict)")
    }
    let isOurs = record.host == process.host && record.boot == process.boot && !record.isForeign
    let mayBeTheHolder = record.started == nil || start == nil || record.started == start?.identity
    if isOurs, (1...4_194_304).contains(record.pid), life == .running, mayBeTheHolder,
      !(record.hasKernelLock && hasKernelLock)
    {
      try promise(verdict == .held, "the holder runs, and \(verdict): \(record)")
    }
    if record.isForeign || (record.host != nil && record.host != process.host) {
      try promise((verdict == .stale) == isOld, "another machine's, and \(verdict): \(record)")
    }
  }

  /// When the file was last changed: a second or 90 s ago, or at one of the ends of what is told.
  private static func modified(_ known: UInt8, now: Int64) -> Int64 {
    switch (known & 4 != 0, known & 0x10 != 0, known & 0x20 != 0) {
    case (false, _, _): now - 1_000_000_000
    case (true, false, _): now - 90_000_000_000
    case (true, true, false): -4_611_686_017_000_000_000
    case (true, true, true): 4_611_686_017_999_999_999
    }
  }
}
