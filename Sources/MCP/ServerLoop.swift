// The main thread of a server: takes what the other threads found out, serves it, and is the only one that writes.
//
//     let queue = EventQueue<Event>()
//     try StopSignals.block()                            // before any thread
//     try InputReader(input: 0, queue: queue, …).start()
//     try StopSignals.watch(queue)
//     let ending = ServerLoop(queue: queue, session: session, output: output, …).run()
//     CurrentProcess.exit(ending.status)
//
// What callers rely on:
// - Every line that was accepted is answered, in order, before `run` returns at the end of input; an answer is written
//   as soon as there is one. What stays open (a question to the user, a subscription) is answered at the end.
// - Between two requests all that has arrived is taken over, up to as much as the queue holds: so a cancellation finds
//   its request wherever it waits.
// - After a stop only the request in hand, and what stays open, is answered. A stuck write is then given up
//   (Syscalls.writeAll), and also when the parent is gone for half a minute: nobody will ever read.
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

  /// What is known beside the session's own state.
  private struct State {
    let parent: Int32
    /// When the parent is looked at next; nil when it is one that stays.
    var nextLook: UInt64?
    /// Why no more lines will come; nil as long as some may.
    var ending: Ending?
    /// Whether the resources may show something else.
    var isChanged = false
  }

  /// Serves until there is a reason to end.
  package func run() -> Ending {
    var state = State(parent: parentID())
    // The first process of the machine, or one outside of our container (0), stays.
    if state.parent > 1 { state.nextLook = syscalls.monotonic() + patience }
    while true {
      if session.backlogCost < EventQueue<Event>.bound { takeOver(&state) }
      if queue.isStopping { return end(.stopped, state) }
      let frames = overdue() + changes(&state) + (session.serveNext() ?? [])
      if let ending = write(frames, state) { return ending }
      if session.isIdle, let ending = state.ending { return end(ending, state) }
    }
  }

  /// Accepts what has arrived; waits for it where nothing is left to serve.
  private func takeOver(_ state: inout State) {
    let mayWait = session.isIdle && state.ending == nil
    for event in queue.takeAll(deadline: mayWait ? soonest(state.nextLook, session.deadline) : 0) {
      switch event {
      case .line(let bytes): session.accept(line: bytes)
      case .oversizedLine: session.acceptOversizedLine()
      case .endOfInput: state.ending = .endOfInput
      // It says nothing of the client.
      case .fileChanged: state.isChanged = true; continue
      }
      if state.nextLook != nil { state.nextLook = syscalls.monotonic() + patience }
    }
    lookAtParent(&state)
  }

  private func soonest(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Whoever holds the input open when the parent is gone, and has not written for so long, holds it by mistake.
  private func lookAtParent(_ state: inout State) {
    guard let look = state.nextLook, syscalls.monotonic() >= look else { return }
    state.nextLook = syscalls.monotonic() + patience
    if state.ending == nil && parentID() != state.parent { state.ending = .parentGone }
  }

  private func overdue() -> [[UInt8]] {
    guard let deadline = session.deadline, syscalls.monotonic() >= deadline else { return [] }
    return session.endOverdueQuestions()
  }

  private func changes(_ state: inout State) -> [[UInt8]] {
    guard state.isChanged else { return [] }
    state.isChanged = false
    return session.resourcesMayHaveChanged()
  }

  /// Says what is still to be said, and ends.
  private func end(_ ending: Ending, _ state: State) -> Ending {
    write(session.finish(), state) ?? ending
  }

  /// Writes frames, each with its newline. Nil when they were written.
  private func write(_ frames: [[UInt8]], _ state: State) -> Ending? {
    guard !frames.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.reduce(0) { $0 + $1.count + 1 })
    for frame in frames {
      bytes += frame
      bytes.append(UInt8(ascii: "\n"))
    }
    let start = syscalls.monotonic()
    do {
      try syscalls.writeAll(output, bytes) { queue.isStopping || isReaderLost(since: start, state) }
      return nil
    } catch {
      switch error {
      case .readerGone: return .readerGone
      case .givenUp: return queue.isStopping ? .stopped : .parentGone
      case .failed(let errno): return .outputFailed(errno)
      }
    }
  }

  /// Whether a write that does not get on will never do: the parent is gone, and was for a while.
  private func isReaderLost(since start: UInt64, _ state: State) -> Bool {
    if state.ending == .parentGone { return true }
    return state.nextLook != nil && syscalls.monotonic() >= start + patience && parentID() != state.parent
  }
}
