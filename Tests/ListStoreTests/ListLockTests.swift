import Foundation
import Platform
import Testing

@testable import ListStore

/// The two locks on real files: who excludes whom, what is waited for, what is left.
@Suite struct ListLockTests {
  let folder: TestFolder
  let time = VirtualTime()

  init() throws {
    folder = try TestFolder(list: listText("Milk"))
  }

  // MARK: Holding

  @Test func showsWhoHoldsItWhileItIsHeld() throws {
    let lock = ListLock(syscalls: .live, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(.live)) { (held) throws(StoreError) in
      let record = LockRecord(parsing: (try? Array(Data(contentsOf: lockURL))) ?? [])
      #expect(record?.pid == getpid())
      #expect(record?.nonce == held.nonce)
      #expect(record?.hasKernelLock == true)
      #expect(record?.since != nil)
      #expect(try held.isStillOurs())
    }
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func canBeReadByOthersWhateverTheUmask() throws {
    let lock = ListLock(syscalls: .live, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(.live)) { _ in
      #expect((try? folder.mode("BananaList.json.lock")) == 0o644)
    }
  }

  @Test func letsGoAfterAnError() throws {
    let lock = ListLock(syscalls: .live, process: ProcessIdentity(.live))
    let listFolder = try listFolder(.live)
    let error = #expect(throws: StoreError.self) {
      try lock.holding(listFolder) { (_) throws(StoreError) in throw listFolder.error(.vanished) }
    }
    #expect(error?.kind == .vanished)
    #expect(try folder.names() == ["BananaList.json"])
    let other = try folder.open()
    try Syscalls.live.flock(other.descriptor, .exclusiveWithoutWaiting)
  }

  @Test func neverRemovesALockThatIsNotItsOwn() throws {
    let lock = ListLock(syscalls: .live, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(.live)) { (held) throws(StoreError) in
      try? folder.write("1\n", to: "BananaList.json.lock")
      #expect(try !held.isStillOurs())
    }
    #expect(try folder.text("BananaList.json.lock") == "1\n")
  }

  // MARK: Waiting

  @Test func waitsForTheKernelsLockAndNamesItsHolder() throws {
    let other = try folder.open()
    try Syscalls.live.flock(other.descriptor, .exclusiveWithoutWaiting)
    let error = #expect(throws: StoreError.self) { try take() }
    #expect(error?.kind == .locked(nil))
    #expect(time.elapsed >= 6_000_000_000 && time.elapsed < 6_100_000_000)
    #expect(time.naps > 1000, "every millisecond, later every four")
    try folder.write("1\nhost=elsewhere\nsince=2026-11-30T20:41:12.345Z\n", to: "BananaList.json.lock")
    let named = #expect(throws: StoreError.self) { try take() }
    #expect(
      named?.message
        == "\(folder.listPath) is locked by process 1 of another machine or container since 2026-11-30T20:41:12.345Z. "
        + "Nothing was changed. Try again in a minute; if that machine is gone for good, delete \(folder.lockPath)."
    )
  }

  @Test func takesTheKernelsLockWhenItIsLetGo() throws {
    let other = try folder.open()
    let number = other.descriptor
    try Syscalls.live.flock(number, .exclusiveWithoutWaiting)
    time.whileSleeping = { nap in
      if nap == 10 { try? Syscalls.live.flock(number, .unlock) }
    }
    try take()
    #expect(time.elapsed == 1_000_000 * (1 + 2 + 4 * 8))
  }

  @Test func waitsForTheLockFileAndNamesItsHolder() throws {
    try folder.write("1\n", to: "BananaList.json.lock")
    let error = #expect(throws: StoreError.self) { try take() }
    guard case .locked(let holder) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(holder?.pid == 1)
    #expect(holder?.isHere == true)
    #expect(holder?.since != nil)
    #expect(error?.message.contains("process 1 of this machine since 20") == true)
    #expect(time.elapsed >= 6_000_000_000 && time.elapsed < 6_100_000_000)
    #expect((100...150).contains(time.naps), "every 50 ms, a fifth more or less")
    #expect(try folder.text("BananaList.json.lock") == "1\n")
  }

  @Test func takesTheLockFileWhenItIsLetGo() throws {
    try folder.write("1\n", to: "BananaList.json.lock")
    time.whileSleeping = { [folder] nap in
      if nap == 3 { try? FileManager.default.removeItem(atPath: folder.lockPath) }
    }
    try take()
    #expect(time.naps == 3)
  }

  @Test func theStopEndsEveryWait() throws {
    time.napsBeforeStop = 2
    try folder.write("1\n", to: "BananaList.json.lock")
    #expect(throws: StoreError.self) { try take() }.map { #expect($0.kind == .stopped) }
    let other = try folder.open()
    try Syscalls.live.flock(other.descriptor, .exclusiveWithoutWaiting)
    #expect(throws: StoreError.self) { try take() }.map { #expect($0.kind == .stopped) }
    #expect(time.naps == 2)
  }

  /// The wait is longer than the age at which such a lock is stale, so that a lock that turns old meanwhile is taken.
  @Test func takesALockThatTurnsStaleWhileItWaits() throws {
    try folder.write("", to: "BananaList.json.lock")
    try take()
    #expect(time.elapsed >= 5_000_000_000 && time.elapsed < 5_200_000_000)
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func looksAtTheFileSystemsClockOnce() throws {
    try folder.write("", to: "BananaList.json.lock")
    let plan = FaultPlan()
    let syscalls = plan.syscalls(over: time.syscalls())
    try take(syscalls)
    #expect(plan.calls.count { $0 == "unlinkat" } <= 4, "one private file for the time, one for the lock")
  }

  // MARK: In the lock's place

  @Test(arguments: [FileStatus.Kind.directory, .symbolicLink, .fifo])
  func namesWhatIsInTheLocksPlace(kind: FileStatus.Kind) throws {
    switch kind {
    case .directory:
      try FileManager.default.createDirectory(atPath: folder.lockPath, withIntermediateDirectories: false)
    case .symbolicLink:
      try FileManager.default.createSymbolicLink(
        atPath: folder.lockPath, withDestinationPath: "BananaList.json")
    default: #expect(mkfifo(folder.lockPath, 0o600) == 0)
    }
    let error = #expect(throws: StoreError.self) { try take() }
    #expect(error?.kind == .lockObstructed(kind))
    #expect(error?.message.contains(folder.lockPath) == true)
    #expect(time.naps == 0)
  }

  @Test func readsNoMoreThanItNeeds() throws {
    try folder.write("1\n" + String(repeating: "x=y\n", count: 1 << 20), to: "BananaList.json.lock")
    let most = Box(0)
    var syscalls = time.syscalls()
    syscalls.read = { (descriptor, buffer) throws(Errno) in
      let count = try Syscalls.live.read(descriptor, buffer)
      most.value = max(most.value, count)
      return count
    }
    #expect(throws: StoreError.self) { try take(syscalls) }
    #expect(most.value <= 1025)
  }

  // MARK: Stale locks

  static let staleLocks: [String] = [
    "dead", "dead kernel", "reused", "bare dead",
  ]

  @Test(arguments: staleLocks, LockMode.allCases) func takesOverAStaleLock(kind: String, mode: LockMode)
    throws
  {
    try folder.write(try staleLock(kind), to: "BananaList.json.lock")
    if kind.hasPrefix("bare") { try folder.age("BananaList.json.lock", bySeconds: 10) }
    try take(mode.syscalls(over: time.syscalls()))
    #expect(time.elapsed == 20_000_000, "at once, but for a moment in which it must stay ours")
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// An older server read the dead pid before we did, and removes what has the name: our new lock.
  @Test func beginsAgainWhenAnOlderServerRemovesItsNewLock() throws {
    try folder.write(try staleLock("dead"), to: "BananaList.json.lock")
    time.whileSleeping = { [folder] nap in
      if nap == 1 { try? FileManager.default.removeItem(atPath: folder.lockPath) }
    }
    try take()
    #expect(time.naps == 2)
  }

  @Test func aStopAfterATakeOverLeavesNoLock() throws {
    try folder.write(try staleLock("dead"), to: "BananaList.json.lock")
    time.napsBeforeStop = 0
    #expect(throws: StoreError.self) { try take() }.map { #expect($0.kind == .stopped) }
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// Somebody else has the stale file locked in the kernel, and is about to remove it.
  @Test func leavesAStaleLockToWhoIsAtItAlready() throws {
    try folder.write(try staleLock("dead"), to: "BananaList.json.lock")
    let other = try OwnedDescriptor(opening: folder.lockPath, [.read], with: .live)
    let number = other.descriptor
    try Syscalls.live.flock(number, .exclusiveWithoutWaiting)
    time.whileSleeping = { [folder] nap in
      guard nap == 5 else { return }
      try? FileManager.default.removeItem(atPath: folder.lockPath)
      try? Syscalls.live.flock(number, .unlock)
    }
    try take()
    #expect(time.naps == 6)
  }

  /// Without the kernel's lock nothing but our own memory says that this lock, of a process that runs, is stale.
  @Test func takesBackALockThatItCouldNotRemove() throws {
    let fails = Box(true)
    var syscalls = LockMode.noLocks.syscalls(over: time.syscalls())
    syscalls.unlinkat = { (folder, name) throws(Errno) in
      if fails.value && name.hasSuffix(".lock") { throw .inputOutput }
      try Syscalls.live.unlinkat(folder, name)
    }
    let lock = ListLock(syscalls: syscalls, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(syscalls)) { _ in }
    #expect(folder.exists("BananaList.json.lock"))
    fails.value = false
    try lock.holding(try listFolder(syscalls)) { _ in }
    #expect(try folder.names() == ["BananaList.json"])
  }

  // MARK: Other file systems

  @Test(arguments: [Errno.badDescriptor, .noLocks, .notSupported, .invalid, .notImplemented])
  func passesOverAMissingKernelLock(error: Errno) throws {
    var syscalls = time.syscalls()
    syscalls.flock = { (_, _) throws(Errno) in throw error }
    let lock = ListLock(syscalls: syscalls, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(syscalls)) { _ in
      #expect((try? folder.text("BananaList.json.lock"))?.contains("kernel=1") == false)
    }
  }

  @Test func otherFailuresOfTheKernelsLockAreErrors() throws {
    var syscalls = time.syscalls()
    syscalls.flock = { (_, _) throws(Errno) in throw .inputOutput }
    let error = #expect(throws: StoreError.self) { try take(syscalls) }
    #expect(error?.kind == .failed(.lock))
    #expect(error?.errno == .inputOutput)
  }

  @Test(arguments: [true, false]) func makesTheLockWithoutLinks(hasNoReplace: Bool) throws {
    var syscalls = time.syscalls()
    syscalls.linkat = { (_, _, _, _) throws(Errno) in throw .notPermitted }
    if !hasNoReplace { syscalls.renameNoReplace = { (_, _, _, _) throws(Errno) in throw .invalid } }
    let lock = ListLock(syscalls: syscalls, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(syscalls)) { (held) throws(StoreError) in
      #expect(try held.isStillOurs())
    }
    #expect(try folder.names() == ["BananaList.json"])
    try folder.write("1\n", to: "BananaList.json.lock")
    #expect(throws: StoreError.self) { try take(syscalls) }
    #expect(try folder.text("BananaList.json.lock") == "1\n")
  }

  /// The link was made, and the answer lost; asked again, the file system says that the name exists.
  @Test func knowsItsOwnLinkWhenTheAnswerWasLost() throws {
    var syscalls = time.syscalls()
    syscalls.linkat = { (folder, name, newFolder, newName) throws(Errno) in
      try Syscalls.live.linkat(folder, name, newFolder, newName)
      throw .exists
    }
    try take(syscalls)
    #expect(try folder.names() == ["BananaList.json"])
  }

  // MARK: -

  private var lockURL: URL { URL(fileURLWithPath: folder.lockPath) }

  // MARK: Leaving it to others

  /// How long each of many edits waits before it takes the locks that it then holds for so long, in nanoseconds.
  private func waits(edits: Int, held: UInt64, between: UInt64 = 0) throws -> [UInt64] {
    let syscalls = time.syscalls()
    let lock = ListLock(syscalls: syscalls, process: ProcessIdentity(.live))
    var waits: [UInt64] = []
    for _ in 0..<edits {
      let folder = try listFolder(syscalls)
      let before = time.elapsed
      try lock.holding(folder) { _ in
        waits.append(time.elapsed - before)
        _ = syscalls.sleep(held)
      }
      _ = syscalls.sleep(between)
    }
    return waits.filter { $0 > 0 }
  }

  @Test func whoHasManyEditsLeavesTheListToOthersForAsLongAsTheyNeedToSeeIt() throws {
    #expect(try waits(edits: 400, held: 1_000_000) == Array(repeating: 5_000_000, count: 9))
    #expect(try waits(edits: 3, held: 1_000_000_000) == [5_000_000, 5_000_000])
    // Some time passes between two edits however soon the second one follows: a part of it.
    #expect(try waits(edits: 400, held: 1_000_000, between: 1_000) == Array(repeating: 4_999_000, count: 9))
    #expect(try waits(edits: 3, held: 1_000_000_000, between: 1_000_000) == [4_000_000, 4_000_000])
  }

  @Test func whoHasFewEditsOrTakesHisTimeDoesNotWait() throws {
    #expect(try waits(edits: 30, held: 1_000_000) == [])
    #expect(try waits(edits: 400, held: 1_000_000, between: 125_000) == [])
    #expect(try waits(edits: 5, held: 1_000_000_000, between: 5_000_000) == [])
  }

  private func listFolder(_ syscalls: Syscalls) throws(StoreError) -> ListFolder {
    try ListFolder(opening: folder.listPath, with: syscalls)
  }

  /// Takes both locks and lets them go.
  private func take(_ syscalls: Syscalls? = nil) throws(StoreError) {
    let syscalls = syscalls ?? time.syscalls()
    let lock = ListLock(syscalls: syscalls, process: ProcessIdentity(.live))
    try lock.holding(try listFolder(syscalls)) { (held) throws(StoreError) in
      #expect(try held.isStillOurs())
    }
  }
}

/// What can lock.
enum LockMode: CaseIterable {
  case everything
  /// The folder cannot be locked in the kernel, its files can.
  case filesOnly
  case noLocks

  func syscalls(over base: Syscalls) -> Syscalls {
    var syscalls = base
    switch self {
    case .everything: break
    case .filesOnly:
      syscalls.flock = { (descriptor, operation) throws(Errno) in
        guard try Syscalls.live.fstat(descriptor).kind != .directory else { throw .notSupported }
        try base.flock(descriptor, operation)
      }
    case .noLocks: syscalls.flock = { (_, _) throws(Errno) in throw .notSupported }
    }
    return syscalls
  }
}

/// The text of a lock that nobody holds.
func staleLock(_ kind: String) throws -> String {
  if kind == "bare dead" { return "\(Syscalls.live.maximumPID())\n" }
  var syscalls = Syscalls.live
  let pid = try deadPID()
  if kind.hasPrefix("dead") { syscalls.pid = { pid } }
  if kind == "reused" { syscalls.processStart = { _ in ProcessStart(identity: "another", uptime: 0) } }
  let record = LockRecord(
    of: ProcessIdentity(syscalls), nonce: "stale", since: .init(milliseconds: 0),
    hasKernelLock: kind.hasSuffix("kernel"))
  return String(decoding: record.bytes, as: UTF8.self)
}

/// The pid of a process that has ended.
func deadPID() throws -> Int32 {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", "exit 0"]
  try process.run()
  process.waitUntilExit()
  return process.processIdentifier
}
