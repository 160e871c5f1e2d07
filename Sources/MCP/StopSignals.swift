// The signals that ask the server to end. They are blocked in every thread and taken by one that waits for them, so no
// handler ever runs, and nothing global is needed to tell the loop.

import Platform

package enum StopSignals {
  private static let signals: [Signal] = [.terminate, .interrupt, .hangup]

  /// Makes each of the signals a stop of the queue. Called before any other thread is started, since a thread inherits
  /// what is blocked. A broken pipe and a file at its size limit become errors of the write instead of a sudden end.
  package static func watch(_ queue: EventQueue<Event>) throws(Errno) {
    Threads.ignoreSignals([.brokenPipe, .fileSizeLimit])
    try Threads.blockSignals(signals)
    try Threads.waitForSignals(signals) { _ in queue.requestStop() }
  }
}
