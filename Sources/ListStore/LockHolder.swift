// Who has the lock, as far as the lock file tells: for the error after a wait that was too long.

import ShoppingList

package struct LockHolder: Hashable, Sendable {
  /// Nil when the file cannot be read.
  package let pid: Int32?
  /// Whether the process is one of this machine.
  package let isHere: Bool
  /// Since when it has the lock, or when the lock file was made.
  package let since: Instant?

  /// "process 4711 of this machine since 2026-11-30T20:41:12.345Z".
  var description: String {
    let process = pid.map { "process \($0)" } ?? "an unknown process"
    let place = isHere ? " of this machine" : " of another machine or container"
    return process + place + (since.map { " since \($0.iso8601)" } ?? "")
  }

  func advice(lockPath: String) -> String {
    isHere
      ? "Try again in a moment; if that process hangs, end it, and its lock ends too."
      : "Try again in a minute; if that machine is gone for good, delete \(lockPath)."
  }
}
