import Foundation
import Testing

@testable import Platform

/// The live system calls on real files: each does what its field promises, and fails with the errno that callers
/// decide by.
@Suite struct LiveFilesTests {
  let folder: TemporaryFolder
  let syscalls = Syscalls.live

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func createsWritesAndReads() throws {
    let directory = try folder.open()
    let file = try OwnedDescriptor(
      opening: "a", in: directory.descriptor, [.write, .createNew, .noFollow], mode: 0o640, with: syscalls)
    let bytes = Array("hello".utf8)
    let count = try bytes.withUnsafeBytes { try syscalls.write(file.descriptor, $0) }
    #expect(count == 5)
    try syscalls.fsync(file.descriptor)
    try syscalls.fsync(directory.descriptor)
    let status = try syscalls.fstat(file.descriptor)
    #expect(status.kind == .file)
    #expect(status.size == 5)
    #expect(status.links == 1)
    #expect(status.mode & 0o777 == 0o640)
    #expect(status.owner == geteuid())
    #expect(try syscalls.fstatat(directory.descriptor, "a").isSameFile(as: status))
    #expect(abs(status.modified / 1_000_000 - syscalls.now()) < 60_000)
    try file.close()

    let again = try OwnedDescriptor(opening: folder.path("a"), [.read], with: syscalls)
    #expect(try syscalls.readAll(again.descriptor, limit: 100) == bytes)
  }

  /// File systems keep times that no count of nanoseconds can tell. They are told as the furthest that can be, near enough
  /// to now that an age can be computed from any of them.
  @Test(arguments: [-1_000_000_000_000, -5_000_000_000, 10_400_000_000, 1_000_000_000_000])
  func aTimeFarAwayIsStillATime(seconds: Int) throws {
    try folder.write("", to: "a")
    var times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 999_999_999), count: 2)
    try #require(utimensat(AT_FDCWD, folder.path("a"), &times, 0) == 0)
    let directory = try folder.open()
    let modified = try syscalls.fstatat(directory.descriptor, "a").modified
    #expect((modified < 0) == (seconds < 0), "\(modified)")
    for other in [syscalls.now() * 1_000_000, -modified] {
      #expect(!other.subtractingReportingOverflow(modified).overflow, "\(other) - \(modified)")
    }
  }

  @Test func createNewRefusesWhatIsThere() throws {
    try folder.write("", to: "a")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("dangling"), withDestinationPath: "nowhere")
    let directory = try folder.open()
    for name in ["a", "dangling"] {
      #expect(throws: Errno.exists) {
        _ = try OwnedDescriptor(
          opening: name, in: directory.descriptor, [.write, .createNew], mode: 0o600, with: syscalls)
      }
    }
  }

  @Test func noFollowRefusesALink() throws {
    try folder.write("x", to: "a")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "a")
    let directory = try folder.open()
    #expect(throws: Errno.symbolicLinkLoop) {
      _ = try OwnedDescriptor(opening: "link", in: directory.descriptor, [.read, .noFollow], with: syscalls)
    }
    #expect(try syscalls.fstatat(directory.descriptor, "link").kind == .symbolicLink)
    #expect(try syscalls.realpath(folder.path("link")) == syscalls.realpath(folder.path) + "/a")
  }

  @Test func tellsKindsOfFile() throws {
    #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("folder"), withIntermediateDirectories: false)
    let directory = try folder.open()
    #expect(try syscalls.fstatat(directory.descriptor, "fifo").kind == .fifo)
    #expect(try syscalls.fstatat(directory.descriptor, "folder").kind == .directory)
    #expect(try syscalls.fstatat(directory.descriptor, "/dev/null").kind == .device)
    // Opening a FIFO that nobody writes to would wait for ever.
    let fifo = try OwnedDescriptor(
      opening: "fifo", in: directory.descriptor, [.read, .nonBlocking], with: syscalls)
    #expect(try syscalls.fstat(fifo.descriptor).kind == .fifo)
    #expect(throws: Errno.notDirectory) {
      _ = try OwnedDescriptor(
        opening: "fifo", in: directory.descriptor, [.read, .directory], with: syscalls)
    }
  }

  @Test func listsNamesAgainAndAgain() throws {
    for name in ["a", "b", "ü"] { try folder.write("", to: name) }
    let directory = try folder.open()
    for _ in 0..<2 {
      #expect(try syscalls.readdir(directory.descriptor).sorted() == ["a", "b", "ü"])
    }
    #expect(throws: Errno.badDescriptor) { try syscalls.readdir(-1) }
  }

  @Test func renames() throws {
    try folder.write("a", to: "a")
    try folder.write("b", to: "b")
    let directory = try folder.open()
    let number = directory.descriptor
    #expect(throws: Errno.exists) { try syscalls.renameNoReplace(number, "a", number, "b") }
    #expect(throws: Errno.exists) { try syscalls.linkat(number, "a", number, "b") }
    try syscalls.exchange(number, "a", "b")
    #expect(try text("a") == "b")
    #expect(try text("b") == "a")
    try syscalls.renameat(number, "a", number, "b")
    #expect(try text("b") == "b")
    try syscalls.renameNoReplace(number, "b", number, "c")
    try syscalls.linkat(number, "c", number, "d")
    #expect(try syscalls.fstatat(number, "c").links == 2)
    try syscalls.unlinkat(number, "c")
    #expect(throws: Errno.noEntry) { try syscalls.unlinkat(number, "c") }
    #expect(throws: Errno.noEntry) { try syscalls.exchange(number, "c", "d") }
    #expect(try syscalls.readdir(number) == ["d"])
  }

  @Test func changesModeAndOwner() throws {
    try folder.write("", to: "a")
    let file = try OwnedDescriptor(opening: folder.path("a"), [.read, .write], with: syscalls)
    try syscalls.fchmod(file.descriptor, 0o604)
    let status = try syscalls.fstat(file.descriptor)
    #expect(status.mode == 0o604)
    try syscalls.fchown(file.descriptor, status.owner, status.group)
    let directory = try folder.open()
    try syscalls.mayWrite(directory.descriptor, "a")
    #expect(throws: Errno.noEntry) { try syscalls.mayWrite(directory.descriptor, "b") }
  }

  #if os(Linux)
    @Test func copiesExtendedAttributes() throws {
      try folder.write("", to: "a")
      try folder.write("", to: "b")
      guard setExtendedAttribute("kept", of: folder.path("a")) else {
        try Test.cancel("this file system has no extended attributes")
      }
      let from = try OwnedDescriptor(opening: folder.path("a"), [.read], with: syscalls)
      let to = try OwnedDescriptor(opening: folder.path("b"), [.read, .write], with: syscalls)
      try syscalls.copyExtendedAttributes(from.descriptor, to.descriptor)
      #expect(extendedAttribute(of: folder.path("b")) == "kept")
    }
  #endif

  @Test func makesFoldersAndTellsTheFileSystem() throws {
    try syscalls.mkdir(folder.path("new"), 0o700)
    #expect(throws: Errno.exists) { try syscalls.mkdir(folder.path("new"), 0o700) }
    let directory = try folder.open()
    #expect(try syscalls.fstatat(directory.descriptor, "new").mode == 0o700)
    let fileSystem = try syscalls.fstatfs(directory.descriptor)
    #expect(fileSystem.type != 0)
    #expect(fileSystem.availableBytes > 0)
  }

  @Test func locksExcludeEachOther() throws {
    let first = try folder.open()
    let second = try folder.open()
    try syscalls.flock(first.descriptor, .exclusiveWithoutWaiting)
    #expect(throws: Errno.wouldBlock) {
      try syscalls.flock(second.descriptor, .exclusiveWithoutWaiting)
    }
    try syscalls.flock(first.descriptor, .unlock)
    try syscalls.flock(second.descriptor, .exclusiveWithoutWaiting)
    // The lock dies with its last descriptor; a process that another test is starting just now has one for a moment.
    try second.close()
    #expect(try waitForLock(first.descriptor))
  }

  /// Tries until nobody else has the lock.
  private func waitForLock(_ descriptor: Int32) throws(Errno) -> Bool {
    while true {
      do {
        try syscalls.flock(descriptor, .exclusiveWithoutWaiting)
        return true
      } catch .wouldBlock {
        sched_yield()
      }
    }
  }

  @Test func closesExactlyOnce() throws {
    let closed = EventQueue<Int32>()
    var counting = syscalls
    counting.close = { (descriptor) throws(Errno) in
      closed.pushWithoutWaiting(descriptor)
      try Syscalls.live.close(descriptor)
    }
    let numbers: [Int32] = try {
      let left = try OwnedDescriptor(opening: folder.path, [.read], with: counting)
      let closed = try OwnedDescriptor(opening: folder.path, [.read], with: counting)
      let numbers = [closed.descriptor, left.descriptor]
      try closed.close()
      return numbers
    }()
    #expect(closed.takeAll(deadline: 0) == numbers)
  }

  /// Its number is all that the calls get: it must not be closed when that was read for the last time.
  @Test func staysOpenToTheEndOfItsScope() throws {
    let file = try OwnedDescriptor(opening: folder.path, [.read], with: syscalls)
    let number = file.descriptor
    for _ in 0..<3 { #expect(try syscalls.fstat(number).kind == .directory) }
  }

  @Test func closingTellsItsError() throws {
    var failing = syscalls
    failing.close = { (descriptor) throws(Errno) in
      try Syscalls.live.close(descriptor)
      throw .inputOutput
    }
    #expect(throws: Errno.inputOutput) {
      let file = try OwnedDescriptor(opening: folder.path, [.read], with: failing)
      try file.close()
    }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }
}
