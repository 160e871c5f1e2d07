// Threads for tests that need several clients at once.
//
//     try together([{ try one.work() }, { try other.work() }])
//
// Each body runs on a thread of its own and is used by no other; the caller goes on when all have ended.

import Foundation

/// Runs each body on a thread of its own. Throws the first error when all have ended.
func together(_ bodies: [() throws -> Void]) throws {
  let group = DispatchGroup()
  let tasks = bodies.map(ThreadTask.init)
  for task in tasks {
    group.enter()
    Thread.detachNewThread {
      task.run()
      group.leave()
    }
  }
  group.wait()
  for task in tasks { if let error = task.error { throw error } }
}

/// `@unchecked`: the body goes to its thread whole, and the result is read only after the group was waited for.
private final class ThreadTask: @unchecked Sendable {
  private let body: () throws -> Void
  private(set) var error: (any Error)?

  init(_ body: @escaping () throws -> Void) { self.body = body }

  func run() {
    do { try body() } catch { self.error = error }
  }
}

/// How far the servers have got, for those who pace themselves by it. `@unchecked`: everything is under the condition.
final class Progress: @unchecked Sendable {
  private let condition = NSCondition()
  private var count = 0
  private var working: Int

  /// - Parameter workers: how many will call `finish`.
  init(workers: Int) { working = workers }

  func step() { change { count += 1 } }

  func finish() { change { working -= 1 } }

  /// Waits for so many steps in all, or until nobody works any more.
  func wait(forSteps steps: Int) {
    condition.lock()
    while count < steps && working > 0 { condition.wait() }
    condition.unlock()
  }

  var steps: Int {
    condition.lock()
    defer { condition.unlock() }
    return count
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    condition.broadcast()
    condition.unlock()
  }
}
