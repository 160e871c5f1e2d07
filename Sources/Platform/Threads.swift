// Threads and signals, as few as the program has: a reader of standard input, a watcher of the file, one that waits
// for signals.
//
// Signals come first, before any thread is started, since a thread inherits what is blocked:
//
//     Threads.ignoreSignals([.brokenPipe, .fileSizeLimit])
//     try Threads.blockSignals([.terminate, .interrupt, .hangup])
//     try Threads.waitForSignals([.terminate, .interrupt, .hangup]) { signal in queue.requestStop() }
//     try Threads.start("reader") { … }
//
// No signal handler runs anywhere: a handler may call next to nothing, and would need a global to tell anybody.

import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A signal's number.
package struct Signal: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let terminate = Signal(rawValue: SIGTERM)
  package static let interrupt = Signal(rawValue: SIGINT)
  package static let hangup = Signal(rawValue: SIGHUP)
  /// Writing where nobody reads; ignored, the write fails with EPIPE instead.
  package static let brokenPipe = Signal(rawValue: SIGPIPE)
  /// Writing beyond the limit for a file's size; ignored, the write fails with EFBIG instead.
  package static let fileSizeLimit = Signal(rawValue: SIGXFSZ)
}

package enum Threads {
  /// Runs the body on a thread of its own, which nobody waits for: it ends with its body or with the process. The name
  /// (15 bytes of it on Linux) is what debuggers show.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    let context = Unmanaged.passRetained(Body(run: body))
    let error = cplatform_thread_start(
      name,
      { context in
        guard let context else { return }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard error == 0 else {
      context.release()
      throw Errno(rawValue: error)
    }
  }

  /// Keeps the signals from this thread and those it starts; they stay pending until somebody waits for them.
  package static func blockSignals(_ signals: [Signal]) throws(Errno) {
    let error = cplatform_block_signals(signals.map(\.rawValue), signals.count)
    guard error == 0 else { throw Errno(rawValue: error) }
  }

  /// Starts a thread that waits for the signals, blocked before, and hands each to the handler: ordinary code, that
  /// may do anything.
  package static func waitForSignals(
    _ signals: [Signal], handler: @escaping @Sendable (Signal) -> Void
  ) throws(Errno) {
    try start("signals") {
      var received: Int32 = 0
      while cplatform_wait_for_signal(signals.map(\.rawValue), signals.count, &received) == 0 {
        handler(Signal(rawValue: received))
      }
    }
  }

  /// Has all threads allocate from one heap. The C library of Linux gives each a heap of its own, which takes a thread as
  /// long to set up as to start; ours hand almost all that they allocate to the main thread. Called before the first one.
  package static func shareHeap() { cplatform_share_heap() }

  /// Makes the process ignore the signals, the programs it starts included.
  package static func ignoreSignals(_ signals: [Signal]) {
    for signal in signals { cplatform_ignore_signal(signal.rawValue) }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
