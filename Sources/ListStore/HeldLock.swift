// A lock that was won. It is ours for as long as the lock file carries our nonce: an older server, or another machine to
// which we looked dead, may have taken it over. Who is about to change the list asks first.

import Platform

package struct HeldLock {
  let nonce: String
  /// What we wrote into the lock file.
  private let bytes: [UInt8]
  /// When it was won: Unix time in nanoseconds, by the clock that stamps files in this folder.
  let fileSystemTime: Int64
  private let lock: ListLock
  private let attempt: LockAttempt

  init(nonce: String, bytes: [UInt8], fileSystemTime: Int64, lock: ListLock, attempt: LockAttempt) {
    self.nonce = nonce
    self.bytes = bytes
    self.fileSystemTime = fileSystemTime
    self.lock = lock
    self.attempt = attempt
  }

  /// Whether the lock file still carries our nonce.
  package func isStillOurs() throws(StoreError) -> Bool {
    guard let found = try lock.find(attempt).lock else { return false }
    return found.bytes == bytes || found.record?.nonce == nonce
  }

  /// Removes the lock file, which must be ours.
  func remove() throws(StoreError) {
    do {
      try lock.syscalls.unlinkat(attempt.folder.descriptor, attempt.name)
    } catch {
      throw attempt.folder.error(.failed(.lock), error)
    }
  }
}
