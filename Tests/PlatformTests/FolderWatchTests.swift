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

  /// Watches a path from before the change on, and expects the wait to end with it.
  private func expectNews(of path: String, _ what: String, after change: () throws -> Void) throws {
    var watch = FolderWatch(stop: ends.stop)
    try watch.add(path)
    #expect(watch.wait(milliseconds: 0) == .timedOut, "before: \(what)")
    try change()
    #expect(watch.wait(milliseconds: patience) == .changed, "\(what)")
  }

  private func move(_ old: String, _ new: String) throws {
    guard rename(folder.path(old), folder.path(new)) == 0 else { throw Errno.last }
  }

  private func makeFolder(_ name: String) throws {
    guard mkdir(folder.path(name), 0o700) == 0 else { throw Errno.last }
  }

  @Test func namesOfAFolder() throws {
    try expectNews(of: folder.path, "a new file") { try folder.write("x", to: "new") }
    try expectNews(of: folder.path, "a new name") { try move("new", "newer") }
    try folder.write("x", to: "old")
    try expectNews(of: folder.path, "one file in the place of another") { try move("newer", "old") }
    try expectNews(of: folder.path, "a folder") { try makeFolder("inner") }
    try expectNews(of: folder.path, "a name less") {
      guard unlink(folder.path("old")) == 0 else { throw Errno.last }
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
    try makeFolder("inner")
    try expectNews(of: folder.path("inner"), "moved") { try move("inner", "other") }
    try expectNews(of: folder.path("other"), "removed") {
      guard rmdir(folder.path("other")) == 0 else { throw Errno.last }
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
