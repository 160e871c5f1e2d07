import Platform

/// Time that passes only by sleeping, so that no test waits: the monotonic clock, the wall clock and `sleep`, one for all.
final class VirtualTime: @unchecked Sendable {  // used by one thread
  /// Nanoseconds.
  private(set) var elapsed: UInt64 = 0
  private(set) var naps = 0
  /// How many sleeps go by before one is ended by a stop; nil: none is.
  var napsBeforeStop: Int?
  /// What somebody else does while we sleep, for the first time, the second and so on.
  var whileSleeping: ((_ nap: Int) -> Void)?
  private let start = Syscalls.live.now()

  /// System calls that tell this time.
  func syscalls(over base: Syscalls = .live) -> Syscalls {
    var syscalls = base
    syscalls.monotonic = { 1_000_000_000 + self.elapsed }
    syscalls.now = { self.start + Int64(self.elapsed / 1_000_000) }
    syscalls.sleep = { nanoseconds in
      if let stop = self.napsBeforeStop, self.naps >= stop { return false }
      self.naps += 1
      self.elapsed += nanoseconds
      self.whileSleeping?(self.naps)
      return true
    }
    return syscalls
  }
}

/// A value that a closure of system calls changes.
final class Box<Value>: @unchecked Sendable {  // used by one thread
  var value: Value

  init(_ value: Value) { self.value = value }
}
