import Foundation
import Testing

@testable import ListStore
@testable import Platform

/// Changes of all kinds are noticed. A test changes something and waits for the watcher to say "look again"; it fails when
/// that does not come within a minute.
@Suite struct ListWatchTests {
  /// Counts what the watcher says.
  private final class Looks: @unchecked Sendable {  // every access holds the condition
    private let condition = NSCondition()
    private var count = 0

    func add() -> Bool {
      condition.withLock {
        count += 1
        condition.broadcast()
      }
      return true
    }

    /// Waits until there are more than `number`; how many there are then, nil after a minute.
    func more(than number: Int) -> Int? {
      condition.withLock {
        let end = Date(timeIntervalSinceNow: 60)
        while count <= number { guard condition.wait(until: end) else { return nil } }
        return count
      }
    }

    var soFar: Int { condition.withLock { count } }
  }

  /// Watches a path, does each of the changes, and expects to be told after each.
  private func expectToBeTold(
    of path: String, syscalls: Syscalls = .live, pace: ListWatch.Pace = .init(),
    _ changes: [(what: String, make: () throws -> Void)]
  ) throws {
    let looks = Looks()
    let watch = ListWatch(path: path, syscalls: syscalls, pace: pace) { looks.add() }
    try watch.start()
    defer { watch.stop() }
    #expect(looks.more(than: 0) != nil, "once at the beginning")
    for change in changes {
      let before = looks.soFar
      try change.make()
      try #require(looks.more(than: before) != nil, "\(change.what)")
    }
  }

  private func rename(_ old: String, _ new: String) throws {
    guard Foundation.rename(old, new) == 0 else { throw Errno.last }
  }

  @Test func theListInItsFolder() throws {
    let folder = try TestFolder(list: "abc")
    let open = try FileHandle(forUpdating: URL(fileURLWithPath: folder.listPath))
    try expectToBeTold(
      of: folder.listPath,
      [
        ("written in place, as long as before", { try folder.write("abd", to: "BananaList.json") }),
        ("written to by a program that keeps it open", { try open.write(contentsOf: Data("x".utf8)) }),
        (
          "another file moved over it",
          {
            try folder.write("new", to: "other")
            try rename(folder.path("other"), folder.listPath)
          }
        ),
        ("the new file written in place", { try folder.write("newer", to: "BananaList.json") }),
        ("a conflict copy", { try folder.write("{}", to: "BananaList (1).json") }),
        ("moved away", { try rename(folder.listPath, folder.path("away")) }),
        ("back again", { try rename(folder.path("away"), folder.listPath) }),
        ("deleted", { try FileManager.default.removeItem(atPath: folder.listPath) }),
        ("made anew", { try folder.write("again", to: "BananaList.json") }),
      ])
  }

  @Test func aListBehindALink() throws {
    let folder = try TestFolder()
    for name in ["links", "first", "second"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write("a", to: "first/list.json")
    try folder.write("b", to: "second/list.json")
    let link = folder.path("links/BananaList.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../first/list.json")
    try expectToBeTold(
      of: link,
      [
        ("its target written in place", { try folder.write("aa", to: "first/list.json") }),
        (
          "its target replaced",
          {
            try folder.write("aaa", to: "first/new")
            try rename(folder.path("first/new"), folder.path("first/list.json"))
          }
        ),
        (
          "the link replaced by another",
          {
            try FileManager.default.createSymbolicLink(
              atPath: folder.path("links/new"), withDestinationPath: "../second/list.json")
            try rename(folder.path("links/new"), link)
          }
        ),
        ("the other target written in place", { try folder.write("bb", to: "second/list.json") }),
        (
          "the link replaced by a file",
          {
            try folder.write("c", to: "links/new")
            try rename(folder.path("links/new"), link)
          }
        ),
        ("that file written in place", { try folder.write("cc", to: "links/BananaList.json") }),
      ])
  }

  @Test func aFolderThatVanishesAndComesBack() throws {
    let folder = try TestFolder()
    let list = folder.path("lists/BananaList.json")
    func make() throws {
      try FileManager.default.createDirectory(
        atPath: folder.path("lists"), withIntermediateDirectories: true)
    }
    var pace = ListWatch.Pace()
    pace.untold = 20
    try expectToBeTold(
      of: list, pace: pace,
      [
        ("the folder made, which was not there", { try make() }),
        ("the list made", { try folder.write("a", to: "lists/BananaList.json") }),
        ("the folder moved away", { try rename(folder.path("lists"), folder.path("away")) }),
        ("and back", { try rename(folder.path("away"), folder.path("lists")) }),
        ("written", { try folder.write("b", to: "lists/BananaList.json") }),
        (
          "removed with all that is in it",
          {
            try FileManager.default.removeItem(atPath: folder.path("lists"))
          }
        ),
        (
          "made again, with a list",
          {
            try make()
            try folder.write("c", to: "lists/BananaList.json")
          }
        ),
        ("written again", { try folder.write("dd", to: "lists/BananaList.json") }),
      ])
  }

  @Test func aFolderAboveThatIsMoved() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("a/b"), withIntermediateDirectories: true)
    try folder.write("x", to: "a/b/BananaList.json")
    var pace = ListWatch.Pace()
    (pace.told, pace.untold) = (20, 20)
    try expectToBeTold(
      of: folder.path("a/b/BananaList.json"), pace: pace,
      [
        ("moved away", { try rename(folder.path("a"), folder.path("away")) }),
        ("and back", { try rename(folder.path("away"), folder.path("a")) }),
      ])
  }

  @Test func whereTheSystemTellsNothing() throws {
    let folder = try TestFolder(list: "abc")
    var syscalls = Syscalls.live
    // NFS.
    syscalls.fstatfs = { _ throws(Errno) in FileSystemStatus(type: 0x6969, availableBytes: 1) }
    var pace = ListWatch.Pace()
    pace.untold = 20
    try expectToBeTold(
      of: folder.listPath, syscalls: syscalls, pace: pace,
      [
        ("written, longer than before", { try folder.write("abcd", to: "BananaList.json") }),
        (
          "replaced",
          {
            try folder.write("wxyz", to: "other")
            try rename(folder.path("other"), folder.listPath)
          }
        ),
        ("a conflict copy", { try folder.write("{}", to: "BananaList (1).json") }),
        ("deleted", { try FileManager.default.removeItem(atPath: folder.listPath) }),
        ("made anew", { try folder.write("again", to: "BananaList.json") }),
      ])
  }

  @Test func aBurstIsToldAFewTimes() throws {
    let folder = try TestFolder(list: "0")
    let looks = Looks()
    let watch = ListWatch(path: folder.listPath, syscalls: .live) { looks.add() }
    try watch.start()
    defer { watch.stop() }
    #expect(looks.more(than: 0) != nil)
    let start = ContinuousClock.now
    var told = 0
    for number in 1...500 {
      try folder.write("\(number)", to: "new")
      try rename(folder.path("new"), folder.listPath)
    }
    told = looks.more(than: 1) ?? 0
    let most = Int((ContinuousClock.now - start) / .milliseconds(50)) + 2
    #expect((2...most).contains(told), "\(told), and at most \(most)")
  }

  @Test func whoSaysNoMoreIsNotTold() throws {
    let folder = try TestFolder(list: "x")
    let ended = DispatchSemaphore(value: 0)
    do {
      let guardian = Guardian(ended)
      let watch = ListWatch(path: folder.listPath, syscalls: .live) {
        withExtendedLifetime(guardian) { false }
      }
      try watch.start()
      // The thread holds what it was given until it ends, and so does the watch.
    }
    #expect(ended.wait(timeout: .now() + 60) == .success)
  }

  @Test func stoppingEndsTheThreadAndStartingBeginsAnother() throws {
    let folder = try TestFolder(list: "x")
    let ended = DispatchSemaphore(value: 0)
    do {
      let guardian = Guardian(ended)
      let looks = Looks()
      let watch = ListWatch(path: folder.listPath, syscalls: .live) {
        withExtendedLifetime(guardian) { looks.add() }
      }
      watch.stop()
      try watch.start()
      try watch.start()
      #expect(looks.more(than: 0) != nil)
      watch.stop()
      watch.stop()
      let before = looks.soFar
      try watch.start()
      #expect(looks.more(than: before) != nil)
      try folder.write("y", to: "BananaList.json")
      #expect(looks.more(than: before + 1) != nil)
      watch.stop()
    }
    #expect(ended.wait(timeout: .now() + 60) == .success, "no thread is left")
  }

  /// Says when nobody holds it any more.
  private final class Guardian: Sendable {
    private let ended: DispatchSemaphore

    init(_ ended: DispatchSemaphore) { self.ended = ended }

    deinit { ended.signal() }
  }
}
