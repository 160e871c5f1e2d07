// The main thread of a server: takes what the other threads found out, serves it, and is the only one that writes.
//
//     let queue = EventQueue<Event>()
//     try StopSignals.watch(queue)                       // before any other thread
//     try InputReader(input: 0, queue: queue, …).start()
//     let ending = ServerLoop(queue: queue, session: session, output: output, …).run()
//     CurrentProcess.exit(ending.status)
//
// What callers rely on:
// - Every line that was accepted is answered, in order, before `run` returns at the end of input; an answer is written
//   as soon as there is one.
// - After a stop only the request in hand is answered. A stuck write is then given up (Syscalls.writeAll).
// - While nothing arrives, nothing runs but a look at the parent every half minute; not even that when the parent
//   is one that cannot go away.
// - A client that no longer reads ends the server without complaint: that is how many of them end.

import Platform

/// Serves one session until its input ends.
package struct ServerLoop {
  /// Why the loop ended.
  package enum Ending: Equatable, Sendable {
    /// No more lines will come, and all are answered.
    case endOfInput
    /// The process that started this one is gone, and nothing was heard for a while: whoever still holds the other end
    /// of the input holds it by mistake.
    case parentGone
    /// A signal asked for it.
    case stopped
    /// Nobody reads the answers any more.
    case readerGone
    case outputFailed(Errno)

    /// The exit status of the process.
    package var status: Int32 {
      switch self {
      case .endOfInput, .parentGone, .stopped, .readerGone: 0
      case .outputFailed: 1
      }
    }
  }

  private let queue: EventQueue<Event>
  private let session: Session
  private let output: Int32
  private let syscalls: Syscalls
  private let parentID: () -> Int32
  private let patience: UInt64

  /// - Parameters:
  ///   - output: where the frames go.
  ///   - parentID: the present parent process.
  ///   - patience: how long, in nanoseconds, nothing is heard before the parent is looked at.
  package init(
    queue: EventQueue<Event>, session: Session, output: Int32, syscalls: Syscalls,
    parentID: @escaping () -> Int32 = { CurrentProcess.parentPID }, patience: UInt64 = 30_000_000_000
  ) {
    self.queue = queue
    self.session = session
    self.output = output
    self.syscalls = syscalls
    self.parentID = parentID
    self.patience = patience
  }

  /// Serves until there is a reason to end.
  package func run() -> Ending {
    let parent = parentID()
    // The first process of the machine, or one outside of our container (0), stays.
    let parentMayGo = parent > 1
    while true {
      let events = queue.takeAll(deadline: parentMayGo ? syscalls.monotonic() + patience : nil)
      if queue.isStopping { return .stopped }
      if events.isEmpty && parentID() != parent { return .parentGone }
      if let ending = handle(events) { return ending }
    }
  }

  /// Accepts all events, then serves what they brought. Nil when more may come.
  private func handle(_ events: [Event]) -> Ending? {
    var isLast = false
    for event in events {
      switch event {
      case .line(let bytes): session.accept(line: bytes)
      case .oversizedLine: session.acceptOversizedLine()
      case .endOfInput: isLast = true
      }
    }
    while !queue.isStopping, let frames = session.serveNext() {
      if let ending = write(frames) { return ending }
    }
    if queue.isStopping { return .stopped }
    return isLast ? .endOfInput : nil
  }

  /// Writes the frames of one message, each with its newline. Nil when they were written.
  private func write(_ frames: [[UInt8]]) -> Ending? {
    guard !frames.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.reduce(0) { $0 + $1.count + 1 })
    for frame in frames {
      bytes += frame
      bytes.append(UInt8(ascii: "\n"))
    }
    do {
      try syscalls.writeAll(output, bytes) { queue.isStopping }
      return nil
    } catch {
      switch error {
      case .readerGone: return .readerGone
      case .givenUp: return .stopped
      case .failed(let errno): return .outputFailed(errno)
      }
    }
  }
}
