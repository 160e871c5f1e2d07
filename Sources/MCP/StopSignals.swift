// The signals that ask the server to end. They are blocked in every thread and taken by one that waits for them, so no
// handler ever runs, and nothing global is needed to tell the loop.

import Platform

package enum StopSignals {
  private static let signals: [Signal] = [.terminate, .interrupt, .hangup]

  /// Keeps the signals until they are watched for. Called before any thread is started, since a thread inherits what is
  /// blocked. A broken pipe and a file at its size limit become errors of the write instead of a sudden end.
  package static func block() throws(Errno) {
    Threads.ignoreSignals([.brokenPipe, .fileSizeLimit])
    try Threads.blockSignals(signals)
  }

  /// Makes each of the signals, those that came since they were blocked among them, a stop of the queue.
  package static func watch(_ queue: EventQueue<Event>) throws(Errno) {
    try Threads.waitForSignals(signals) { _ in queue.requestStop() }
  }
}
