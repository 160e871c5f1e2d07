// A value that several threads use, one at a time.
//
//     let count = Guarded(0)
//     count.withLock { $0 += 1 }
//
// For the few values that no single thread can own: what an app's observers tell from wherever they run. Nothing may be
// called from inside that could come back here: the lock is not re-entrant.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package final class Guarded<Value: Sendable>: Sendable {
  // A mutex may not move in memory, hence the pointer; it never changes, and any thread may lock what it leads to.
  nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // Read and written only with the mutex held.
  nonisolated(unsafe) private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    // Fails only for want of memory.
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Reads or changes the value; no other thread does meanwhile.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
