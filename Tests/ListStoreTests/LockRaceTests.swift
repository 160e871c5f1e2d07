import Foundation
import Platform
import Testing

@testable import ListStore

/// What can happen between any two system calls of an attempt at the lock: it is walked through call by call, with
/// somebody else acting just before call n, for n from 0 on until the attempt makes fewer calls.
@Suite struct LockRaceTests {
  /// Enough, in nanoseconds, to look at a lock file some times.
  static let patience: UInt64 = 150_000_000
  /// A lock of a process that runs, and not of this one.
  static let live = "1\nnonce=another\n"

  /// Another breaker of our kind takes the stale lock over: it locks the file in the kernel first, as we do.
  @Test(arguments: LockMode.allCases) func anotherTakesTheStaleLockOver(mode: LockMode) throws {
    let stale = try staleLock("dead")
    try walk(mode, from: stale) { folder in
      guard (try? folder.text("BananaList.json.lock")) == stale else { return false }
      if mode != .noLocks {
        guard let file = try? OwnedDescriptor(opening: folder.lockPath, [.read], with: .live) else {
          return false
        }
        do { try Syscalls.live.flock(file.descriptor, .exclusiveWithoutWaiting) } catch { return false }
      }
      return Self.replaceLock(of: folder)
    }
  }

  /// The holder lets go, and somebody else is the next.
  @Test(arguments: LockMode.allCases) func theHolderLetsGoAndAnotherHasIt(mode: LockMode) throws {
    let held = "1\nnonce=holder\n"
    try walk(mode, from: held) { folder in
      guard (try? folder.text("BananaList.json.lock")) == held else { return false }
      return Self.replaceLock(of: folder)
    }
  }

  /// A lock appears where there was none.
  @Test(arguments: LockMode.allCases) func anotherIsQuicker(mode: LockMode) throws {
    try walk(mode, from: nil) { folder in
      guard !folder.exists("BananaList.json.lock") else { return false }
      return Self.replaceLock(of: folder)
    }
  }

  /// Puts the live lock in the place of whatever is there, whole and at once.
  private static func replaceLock(of folder: TestFolder) -> Bool {
    do {
      try folder.write(live, to: "another")
      let directory = try folder.open()
      try Syscalls.live.renameat(
        directory.descriptor, "another", directory.descriptor, "BananaList.json.lock")
      return true
    } catch {
      Issue.record(error)
      return false
    }
  }

  /// - Parameter act: what the other does; whether it could.
  private func walk(_ mode: LockMode, from text: String?, _ act: @escaping (TestFolder) -> Bool) throws {
    let process = ProcessIdentity(.live)
    var actions = 0
    for number in 0..<1000 {
      let folder = try TestFolder(list: listText("Milk"))
      if let text { try folder.write(text, to: "BananaList.json.lock") }
      var hasActed = false
      let plan = FaultPlan(before: number) { _ in hasActed = act(folder) }
      let syscalls = plan.syscalls(over: mode.syscalls(over: VirtualTime().syscalls()))
      let lock = ListLock(syscalls: syscalls, process: process, patience: Self.patience)
      var wasHeldWithTheOther = false
      do throws(StoreError) {
        try lock.holding(try ListFolder(opening: folder.listPath, with: syscalls)) {
          (held) throws(StoreError) in
          // Whoever holds it asks before it changes anything.
          if try held.isStillOurs() && hasActed { wasHeldWithTheOther = true }
        }
      } catch {
        guard case .locked = error.kind else { throw error }
      }
      #expect(!wasHeldWithTheOther, "\(mode), before call \(number)")
      if hasActed {
        actions += 1
        #expect(
          try folder.text("BananaList.json.lock") == Self.live,
          "\(mode): the other's lock was removed; it came before call \(number), \(plan.calls)")
      }
      #expect(try folder.names().filter { $0.hasSuffix(".tmp") } == [], "\(mode), before call \(number)")
      if !plan.wasReached {
        #expect(actions > 3, "the other never came")
        return
      }
    }
    Issue.record("the attempt never ended")
  }
}
