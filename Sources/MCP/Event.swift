// What happens to the server, in one closed list: all that crosses from the other threads to the main thread.
//
// The reader thread pushes lines and the end of input, the signal thread pushes a stop, and the watcher of the file
// pushes its changes. The main thread owns everything else, so nothing else is shared.

/// An entry of the queue that the main thread serves.
package enum Event: Equatable, Sendable {
  /// A line of input, without its line end, as LineReader gives it.
  case line([UInt8])
  /// A line above LineReader's limit arrived, and is being skipped.
  case oversizedLine
  /// No more lines will come. Those before it are still answered.
  case endOfInput
  /// The shared file may have changed.
  case fileChanged
  /// A signal asked the process to end: only the request in hand is answered.
  case stop(signal: Int32)
}
