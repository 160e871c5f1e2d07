import Foundation
import Testing

@testable import Platform

/// What the system tells of folders and files. Each wait ends with what it is for; its time is only for the case that it
/// does not.
@Suite struct FolderWatchTests {
  private let folder: TemporaryFolder
  private let ends: Ends
  private let patience: Int32 = 60_000

  init() throws {
    folder = try TemporaryFolder()
    ends = try Ends()
  }

  /// A pipe by which waits are stopped.
  private final class Ends {
    let stop: Int32
    private var stopper: Int32

    init() throws { (stop, stopper) = try FolderWatch.makeStop() }

    func end() {
      if stopper >= 0 { close(stopper) }
      stopper = -1
    }

    deinit {
      end()
      close(stop)
    }
  }

  private func handle(_ name: String) throws -> FileHandle {
    try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(name)))
  }

  @Test func namesOfAFolder() throws {
    try folder.write("x", to: "old")
    for change in [
      { try folder.write("x", to: "new") }, { rename(folder.path("new"), folder.path("newer")) },
      { rename(folder.path("newer"), folder.path("old")) }, { unlink(folder.path("old")) },
      { mkdir(folder.path("inner"), 0o700) },
    ] as [() throws -> Any] {
      var watch = FolderWatch(stop: ends.stop)
      try watch.add(folder.path)
      #expect(watch.wait(milliseconds: 0) == .timedOut)
      _ = try change()
      #expect(watch.wait(milliseconds: patience) == .changed)
    }
  }

  @Test func contentOfAFile() throws {
    try folder.write("x", to: "file")
    let file = try handle("file")
    var watch = FolderWatch(stop: ends.stop)
    try watch.add(folder.path("file"))
    #expect(watch.wait(milliseconds: 0) == .timedOut)
    try file.write(contentsOf: Data("y".utf8))
    #expect(watch.wait(milliseconds: patience) == .changed, "though it is not closed")
  }

  @Test func theFolderItself() throws {
    for change in [
      { rename(folder.path("inner"), folder.path("other")) }, { rmdir(folder.path("inner")) },
    ] as [() -> Int32] {
      mkdir(folder.path("inner"), 0o700)
      var watch = FolderWatch(stop: ends.stop)
      try watch.add(folder.path("inner"))
      #expect(change() == 0)
      #expect(watch.wait(milliseconds: patience) == .changed)
    }
  }

  @Test func whatIsNotThereCannotBeWatched() throws {
    var watch = FolderWatch(stop: ends.stop)
    #expect(throws: Errno.noEntry) { try watch.add(folder.path("nothing")) }
    #expect(watch.wait(milliseconds: 0) == .timedOut)
  }

  @Test func closingTheOtherEndStopsEveryWait() throws {
    var watch = FolderWatch(stop: ends.stop)
    try watch.add(folder.path)
    let ended = DispatchSemaphore(value: 0)
    let (stop, patience) = (ends.stop, patience)
    try Threads.start("waiting") {
      if FolderWatch(stop: stop).wait(milliseconds: patience) == .stopped { ended.signal() }
    }
    ends.end()
    #expect(ended.wait(timeout: .now() + 60) == .success)
    try folder.write("x", to: "new")
    #expect(watch.wait(milliseconds: patience) == .stopped, "the stop comes first")
    #expect(watch.pause(milliseconds: patience) == .stopped)
  }

  @Test func aPauseIsNotEndedByAChange() throws {
    var watch = FolderWatch(stop: ends.stop)
    try watch.add(folder.path)
    try folder.write("x", to: "new")
    #expect(watch.pause(milliseconds: 1) == .timedOut)
    #expect(watch.wait(milliseconds: patience) == .changed)
  }

  @Test func descriptorsAreGivenBack() throws {
    try folder.write("x", to: "file")
    // More watches than a user may have at once.
    for _ in 0..<300 {
      var watch = FolderWatch(stop: ends.stop)
      try watch.add(folder.path)
      try watch.add(folder.path("file"))
    }
  }
}
