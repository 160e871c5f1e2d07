// What happens to the server, in one closed list: all that crosses from other threads to the main thread.
//
// A stop is none of these: it overtakes what is queued, so it is a state of the queue (`EventQueue.isStopping`).

/// An entry of the queue that the main thread serves.
package enum Event: Equatable, Sendable {
  /// A line of input, without its line end, as LineReader gives it.
  case line([UInt8])
  /// A line above LineReader's limit arrived, and is being skipped.
  case oversizedLine
  /// No more lines will come. Those before it are still answered.
  case endOfInput
  /// What the resources show may have changed: look again.
  case fileChanged
}
