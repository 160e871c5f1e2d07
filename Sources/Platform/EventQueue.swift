// The one thing that threads share: what the reader, the watcher and the signal thread found out, on its way to the
// main thread.
//
//     queue.push(.line(bytes), cost: bytes.count)     // reader: waits while the queue is full
//     queue.pushWithoutWaiting(.stop)                 // signal thread
//     queue.requestStop()
//     for event in queue.takeAll(deadline: nil) { … } // main: all there is, in order
//
// What callers may rely on:
// - Order: what one thread pushed first is taken first.
// - Bound: entries cost what their pusher says and 64 bytes each, 32 MiB together. A queue that is not empty takes no
//   entry beyond that; an empty one takes any entry. The reader then waits, and so, through the pipe, does the host.
// - A stop ends every wait here at once: `sleep`, `takeAll` and a waiting `push`, whose entry is dropped (a program
//   that stops answers only the request in hand).
// - Waits are measured on the monotonic clock: setting the machine's clock neither cuts nor stretches them.

import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package final class EventQueue<Event: Sendable>: Sendable {
  /// What the entries may cost together, in bytes.
  package static var bound: Int { 32 << 20 }
  /// What each entry costs besides what its pusher says, in bytes.
  package static var costPerEntry: Int { 64 }

  // A pthread mutex and condition: `Synchronization.Mutex` has no condition to wait on. They may not move in memory,
  // hence the pointers; the pointers never change, and pthread calls may be made from any thread.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  nonisolated(unsafe) private let changed: UnsafeMutablePointer<pthread_cond_t>

  // These three are read and written only with the mutex held (`locked`).
  nonisolated(unsafe) private var entries: [Event] = []
  nonisolated(unsafe) private var cost = 0
  nonisolated(unsafe) private var stopping = false

  package init() {
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    // Both can fail only for want of memory.
    pthread_mutex_init(mutex, nil)
    cplatform_condition_init(changed)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Appends an entry that costs `cost` bytes (and 64). Waits while the queue has no room for it; false when a stop
  /// was asked for, and the entry dropped.
  @discardableResult
  package func push(_ event: Event, cost: Int) -> Bool {
    let whole = cost + Self.costPerEntry
    return locked {
      while !stopping && !entries.isEmpty && self.cost + whole > Self.bound { wait() }
      guard !stopping else { return false }
      append(event, cost: whole)
      return true
    }
  }

  /// Appends an entry at once, whatever the queue holds: for the few that must not wait, a stop among them.
  package func pushWithoutWaiting(_ event: Event) {
    locked { append(event, cost: Self.costPerEntry) }
  }

  /// All entries, in order. Waits for the first until the deadline (on the monotonic clock, in nanoseconds; nil: for
  /// ever; 0: not at all); empty when the deadline passed, or a stop was asked for, and there was none.
  package func takeAll(deadline: UInt64?) -> [Event] {
    locked {
      while entries.isEmpty && !stopping && deadline != 0 {
        if !wait(until: deadline) { break }
      }
      let taken = entries
      entries = []
      cost = 0
      pthread_cond_broadcast(changed)
      return taken
    }
  }

  /// Ends every wait, now and from now on.
  package func requestStop() {
    locked {
      stopping = true
      pthread_cond_broadcast(changed)
    }
  }

  package var isStopping: Bool {
    locked { stopping }
  }

  /// Waits so many nanoseconds: true; false as soon as a stop was asked for.
  package func sleep(nanoseconds: UInt64) -> Bool {
    let (deadline, overflow) = LiveSystem.monotonic().addingReportingOverflow(nanoseconds)
    return locked {
      while !stopping {
        if !wait(until: overflow ? nil : deadline) { return true }
      }
      return false
    }
  }

  // MARK: With the mutex held

  private func append(_ event: Event, cost: Int) {
    entries.append(event)
    self.cost += cost
    pthread_cond_broadcast(changed)
  }

  private func wait() {
    pthread_cond_wait(changed, mutex)
  }

  /// Waits for a change; false when the deadline came first.
  private func wait(until deadline: UInt64?) -> Bool {
    guard let deadline else {
      wait()
      return true
    }
    return cplatform_condition_wait_until(changed, mutex, deadline) != ETIMEDOUT
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
