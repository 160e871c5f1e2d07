// The reader thread: standard input, line by line, into the queue.
//
// It alone reads the input, and goes on reading while the main thread works or waits for its own reader: a client
// that writes a thousand requests before it reads the first answer must not block both sides. What it may run ahead is
// bounded by the queue, where it then waits, and with it, through the pipe, the client.

import Platform

/// Reads a descriptor to its end.
package struct InputReader: Sendable {
  private let input: Int32
  private let queue: EventQueue<Event>
  private let syscalls: Syscalls
  private let lines: LineReader
  private let log: @Sendable (String) -> Void

  /// As much as a pipe holds.
  private static let chunkSize = 64 << 10

  package init(
    input: Int32, queue: EventQueue<Event>, syscalls: Syscalls, lines: LineReader = LineReader(),
    log: @escaping @Sendable (String) -> Void
  ) {
    self.input = input
    self.queue = queue
    self.syscalls = syscalls
    self.lines = lines
    self.log = log
  }

  /// Starts the thread. It ends with the input, or at the first line after a stop.
  package func start() throws(Errno) {
    try Threads.start("reader") { readToEnd() }
  }

  private func readToEnd() {
    var lines = lines
    while true {
      let chunk: [UInt8]
      do {
        chunk = try syscalls.readChunk(input, limit: Self.chunkSize)
      } catch {
        log("standard input: \(error.message)")
        break
      }
      guard !chunk.isEmpty else { break }
      for line in lines.append(chunk[...]) {
        guard push(line) else { return }
      }
    }
    if let line = lines.finish() {
      guard push(line) else { return }
    }
    queue.pushWithoutWaiting(.endOfInput)
  }

  /// False when a stop was asked for.
  private func push(_ line: LineReader.Line) -> Bool {
    switch line {
    case .complete(let bytes): queue.push(.line(bytes), cost: bytes.count)
    case .oversized: queue.push(.oversizedLine, cost: 0)
    }
  }
}
