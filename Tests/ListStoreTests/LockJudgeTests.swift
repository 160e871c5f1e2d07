import Platform
import ShoppingList
import Testing

@testable import ListStore

/// Each row of the table of stale locks, with a host, processes and clocks that are made up.
@Suite struct LockJudgeTests {
  static let second: Int64 = 1_000_000_000

  /// What the lock file says.
  enum Text: Sendable, CustomStringConvertible {
    case ours(pid: Int32, started: String? = "500", kernel: Bool = false)
    case earlierBoot
    /// It does not say of which boot it is.
    case unknownBoot
    case otherMachine(pid: Int32 = 10)
    case otherNamespace
    case bare(Int32)
    case raw(String)

    var description: String {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " ")
    }

    var bytes: [UInt8] {
      var record = LockRecord(
        of: LockJudgeTests.process(), nonce: "n", since: Instant(milliseconds: 0), hasKernelLock: false)
      switch self {
      case .ours(let pid, let started, let kernel):
        record.pid = pid
        record.started = started
        record.hasKernelLock = kernel
      case .earlierBoot:
        record.pid = 10
        record.boot = "boot 0"
        record.hasKernelLock = true
      case .unknownBoot:
        record.pid = 12
        record.boot = nil
      case .otherMachine(let pid):
        record = LockRecord(
          of: LockJudgeTests.process(machine: "another"), nonce: "n", since: Instant(milliseconds: 0),
          hasKernelLock: true)
        record.pid = pid
      case .otherNamespace:
        record = LockRecord(
          of: LockJudgeTests.process(namespace: "2"), nonce: "n", since: Instant(milliseconds: 0),
          hasKernelLock: true)
      case .bare(let pid): return Array("\(pid)\n".utf8)
      case .raw(let text): return Array(text.utf8)
      }
      return record.bytes
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let text: Text
    /// In seconds, by the file system's clock.
    var age: Double = 0
    var hasKernelLock = false
    var uptime: UInt64 = 1_000_000
    let verdict: LockJudge.Verdict

    var testDescription: String { "\(text), \(age) s old\(hasKernelLock ? ", kernel's lock held" : "")" }
  }

  // Pids of the made-up system: 10 runs, started 5 s (500 ticks) after boot; 11 runs, another user's, start unknown; 12
  // is a zombie or gone; 13 started at 999,990 s of 1,000,000, so 10 s ago; 14 a second ago; of 15 the system does not
  // tell whether it runs.
  static let rows: [Row] = [
    // This machine and boot, and the kernel's lock.
    Row(text: .ours(pid: 10, kernel: true), hasKernelLock: true, verdict: .stale),
    Row(text: .ours(pid: 10, kernel: true), age: 1000, hasKernelLock: false, verdict: .held),
    Row(text: .ours(pid: 10, kernel: false), age: 1000, hasKernelLock: true, verdict: .held),
    // … a pid that does not run.
    Row(text: .ours(pid: 12), verdict: .stale),
    // … a running pid, however old the file looks.
    Row(text: .ours(pid: 10), age: 100_000, verdict: .held),
    Row(text: .ours(pid: 10, started: nil), age: 100_000, verdict: .held),
    Row(text: .ours(pid: 11), age: 100_000, verdict: .held),
    Row(text: .ours(pid: 15), age: 100_000, verdict: .held),
    // … a pid that was given again.
    Row(text: .ours(pid: 10, started: "499"), verdict: .stale),
    // … a number that is no pid.
    Row(text: .ours(pid: 0), age: 4.9, verdict: .held),
    Row(text: .ours(pid: 0), age: 5.1, verdict: .stale),
    Row(text: .ours(pid: -1), age: 5.1, verdict: .stale),
    Row(text: .ours(pid: 40_000), age: 4.9, verdict: .held),
    Row(text: .ours(pid: 40_000), age: 5.1, verdict: .stale),
    // This machine, another boot.
    Row(text: .earlierBoot, age: 11, uptime: 10, verdict: .stale),
    Row(text: .earlierBoot, age: 9, uptime: 10, verdict: .held),
    Row(text: .earlierBoot, age: 59, hasKernelLock: true, verdict: .held),
    Row(text: .earlierBoot, age: 60, verdict: .held),
    Row(text: .earlierBoot, age: 61, verdict: .stale),
    // … or one that is not known: the pid says nothing.
    Row(text: .unknownBoot, age: 59, hasKernelLock: true, verdict: .held),
    Row(text: .unknownBoot, age: 61, verdict: .stale),
    Row(text: .unknownBoot, age: 11, uptime: 10, verdict: .stale),
    // Another machine, another namespace, another program's second line.
    Row(text: .otherMachine(), age: 59, hasKernelLock: true, verdict: .held),
    Row(text: .otherMachine(), age: 60, verdict: .held),
    Row(text: .otherMachine(), age: 61, verdict: .stale),
    Row(text: .otherMachine(pid: 0), age: 59, verdict: .held),
    Row(text: .otherMachine(pid: 0), age: 61, verdict: .stale),
    Row(text: .otherMachine(pid: 12), age: 59, verdict: .held),
    Row(text: .otherMachine(pid: 4_000_000), age: 59, verdict: .held),
    Row(text: .otherNamespace, age: 59, hasKernelLock: true, verdict: .held),
    Row(text: .otherNamespace, age: 61, verdict: .stale),
    Row(text: .raw("12\nkitchen-laptop\n"), age: 59, verdict: .held),
    Row(text: .raw("12\nkitchen-laptop\n"), age: 61, verdict: .stale),
    // A bare pid that does not run.
    Row(text: .bare(12), age: 4.9, verdict: .held),
    Row(text: .bare(12), age: 5, verdict: .held),
    Row(text: .bare(12), age: 5.1, verdict: .stale),
    Row(text: .bare(12), age: 4.9, hasKernelLock: true, verdict: .held),
    Row(text: .raw("12\ncolour=red\n"), age: 5.1, verdict: .stale),
    // … that runs.
    Row(text: .bare(10), age: 100_000, hasKernelLock: true, verdict: .held),
    Row(text: .bare(11), age: 100_000, verdict: .held),
    Row(text: .bare(15), age: 100_000, verdict: .held),
    // … that was started after the file was made: 10 s ago, the file 12 s or less before.
    Row(text: .bare(13), age: 12.1, verdict: .stale),
    Row(text: .bare(13), age: 12, verdict: .stale),
    Row(text: .bare(13), age: 11.9, verdict: .held),
    Row(text: .bare(13), age: 9, verdict: .held),
    Row(text: .bare(14), age: 4.9, verdict: .held),
    Row(text: .bare(14), age: 5.1, verdict: .stale),
    // Nothing that can be read.
    Row(text: .raw(""), age: 4.9, verdict: .held),
    Row(text: .raw(""), age: 5.1, verdict: .stale),
    Row(text: .raw("half a li"), age: 4.9, verdict: .held),
    Row(text: .raw("half a li"), age: 5.1, verdict: .stale),
    Row(text: .raw("99999999999\n"), age: 4.9, verdict: .held),
    Row(text: .raw("99999999999\n"), age: 5.1, verdict: .stale),
    Row(text: .bare(0), age: 4.9, verdict: .held),
    Row(text: .bare(0), age: 5.1, verdict: .stale),
    Row(text: .bare(-1), age: 5.1, verdict: .stale),
    Row(text: .bare(40_000), age: 4.9, verdict: .held),
    Row(text: .bare(40_000), age: 5.1, verdict: .stale),
  ]

  @Test(arguments: rows) func judgesByTheFirstRowThatFits(row: Row) throws {
    var judge = LockJudge(
      process: Self.process(), syscalls: Self.syscalls(VirtualTime(), uptime: row.uptime))
    let verdict = try judge.judge(
      Self.lock(row.text, age: row.age), hasKernelLock: row.hasKernelLock, fileSystemTime: { 0 })
    #expect(verdict == row.verdict)
  }

  /// A pid of 0 or below names groups of processes: asking after it could signal them all.
  @Test func neverAsksAfterWhatIsNoPid() throws {
    var syscalls = Self.syscalls(VirtualTime())
    syscalls.isAlive = { pid in
      #expect((1...32_768).contains(pid))
      return .running
    }
    var judge = LockJudge(process: Self.process(), syscalls: syscalls)
    for text in [Text.bare(0), .bare(-1), .bare(.min), .bare(32_769), .ours(pid: 0), .bare(1)] {
      _ = try judge.judge(Self.lock(text, age: 0), hasKernelLock: false, fileSystemTime: { 0 })
    }
  }

  /// A file whose time is in the future is as old as the time since it was first seen so.
  @Test(arguments: [
    (Text.bare(12), 5), (.bare(0), 5), (.ours(pid: 0), 5), (.raw(""), 5), (.otherMachine(), 60), (.otherNamespace, 60),
    (.raw("12\nkitchen-laptop\n"), 60), (.earlierBoot, 60), (.unknownBoot, 60),
  ])
  func aFutureTimeCountsFromTheFirstSight(text: Text, limit: Double) throws {
    let time = VirtualTime()
    var judge = LockJudge(process: Self.process(), syscalls: Self.syscalls(time))
    let lock = Self.lock(text, age: -1000)
    func judged(_ lock: FoundLock) throws -> LockJudge.Verdict {
      try judge.judge(lock, hasKernelLock: false, fileSystemTime: { 0 })
    }
    #expect(try judged(lock) == .held)
    Self.pass(limit - 0.1, time)
    #expect(try judged(lock) == .held)
    Self.pass(0.2, time)
    #expect(try judged(lock) == .stale)
    // Another file, another time or other bytes: it begins anew.
    var status = lock.status
    status.modified += 1
    for changed in [
      Self.lock(text, age: -1000, inode: 8), FoundLock(status: status, bytes: lock.bytes),
      FoundLock(status: lock.status, bytes: lock.bytes + [10]),
    ] {
      #expect(try judged(changed) == .held)
      Self.pass(limit + 0.1, time)
      #expect(try judged(changed) == .stale)
    }
  }

  /// A process started while we watch a lock of the future has not made it.
  @Test func aFutureTimeCountsForBarePidsToo() throws {
    let time = VirtualTime()
    var syscalls = Self.syscalls(time)
    syscalls.uptime = { 1_000_000 * UInt64(Self.second) + time.elapsed }
    syscalls.processStart = { _ in ProcessStart(identity: "x", uptime: 1_000_003 * UInt64(Self.second)) }
    var judge = LockJudge(process: Self.process(), syscalls: syscalls)
    let lock = Self.lock(.bare(10), age: -1000)
    #expect(try judge.judge(lock, hasKernelLock: false, fileSystemTime: { 0 }) == .held)
    Self.pass(6, time)
    #expect(try judge.judge(lock, hasKernelLock: false, fileSystemTime: { 0 }) == .stale)
  }

  @Test func asksForTheFileSystemsTimeOnlyWhereAgeCounts() throws {
    var judge = LockJudge(process: Self.process(), syscalls: Self.syscalls(VirtualTime()))
    for text in [Text.ours(pid: 10), .ours(pid: 12), .ours(pid: 10, started: "1")] {
      _ = try judge.judge(Self.lock(text, age: 0), hasKernelLock: false) { () throws(StoreError) in
        Issue.record("asked for \(text)")
        return 0
      }
    }
  }

  @Test func knowsItsOwnLockThatCouldNotBeRemoved() throws {
    var judge = LockJudge(process: Self.process(), syscalls: Self.syscalls(VirtualTime()))
    let lock = Self.lock(.ours(pid: 10), age: 0)
    #expect(try judge.judge(lock, hasKernelLock: false, fileSystemTime: { 0 }) == .held)
    judge.leftNonce = "n"
    #expect(try judge.judge(lock, hasKernelLock: false, fileSystemTime: { 0 }) == .stale)
  }

  // MARK: A system that is made up

  static func process(machine: String = "this", namespace: String = "1") -> ProcessIdentity {
    var syscalls = Syscalls.live
    syscalls.pid = { 10 }
    syscalls.machineID = { machine }
    syscalls.pidNamespace = { namespace }
    syscalls.bootID = { "boot 1" }
    syscalls.processStart = { _ in ProcessStart(identity: "500", uptime: 5) }
    return ProcessIdentity(syscalls)
  }

  /// - Parameter uptime: in seconds.
  static func syscalls(_ time: VirtualTime, uptime: UInt64 = 1_000_000) -> Syscalls {
    var syscalls = time.syscalls()
    syscalls.maximumPID = { 32_768 }
    syscalls.uptime = { uptime * UInt64(second) }
    syscalls.isAlive = { $0 == 12 ? .notRunning : $0 == 15 ? .unknown : .running }
    syscalls.processStart = { pid in
      switch pid {
      case 10: ProcessStart(identity: "500", uptime: 5 * UInt64(second))
      case 13: ProcessStart(identity: "99999000", uptime: 999_990 * UInt64(second))
      case 14: ProcessStart(identity: "99999900", uptime: 999_999 * UInt64(second))
      default: nil
      }
    }
    return syscalls
  }

  /// A lock so many seconds old for a file system whose time is 0.
  static func lock(_ text: Text, age: Double, inode: UInt64 = 7) -> FoundLock {
    FoundLock(
      status: FileStatus(
        kind: .file, device: 1, inode: inode, links: 1, size: 0, mode: 0o644, owner: 0, group: 0,
        modified: -Int64(age * Double(second))),
      bytes: text.bytes)
  }

  static func pass(_ seconds: Double, _ time: VirtualTime) {
    _ = time.syscalls().sleep(UInt64(seconds * Double(second)))
  }
}
