// How the locks are at this moment, for who only wants to know. Nothing is taken and nobody is waited for.

import Platform

extension ListLock {
  enum State {
    case free
    /// The kernel's lock is held, and there is no lock file (yet, or any more).
    case kernelOnly
    /// Another user's, who does not let us read it.
    case unreadable
    /// Held, as far as can be known.
    case held(LockHolder)
    /// Left behind.
    case stale(LockHolder)
  }

  func state(in folder: ListFolder) throws(StoreError) -> State {
    let attempt = LockAttempt(folder: folder, deadline: syscalls.monotonic())
    let isTaken: Bool
    do {
      // Taken for a moment: whoever comes just then tries again after a millisecond.
      try syscalls.flock(folder.descriptor, .exclusiveWithoutWaiting)
      attempt.hasKernelLock = true
      isTaken = false
    } catch {
      isTaken = error == .wouldBlock
    }
    defer { letGoOfKernelLock(attempt) }
    switch try find(attempt) {
    case .none: return isTaken ? .kernelOnly : .free
    case .unreadable: return .unreadable
    case .lock(let lock):
      switch try judge(lock, attempt) {
      case .held: return .held(holder(lock))
      case .stale: return .stale(holder(lock))
      }
    }
  }
}
