// A server with its threads, for tests that need real pipes.

import Foundation
import Platform
import Testing

@testable import MCP

/// A loop and its reader on threads of their own, with the test at the other ends of the pipes.
final class RunningServer: Sendable {
  let queue = EventQueue<Event>()
  private let input: FileHandle
  private let output: FileHandle
  private let outcome = Outcome()

  init(
    definition: @escaping @Sendable () -> ServerDefinition = { ToyServer.definition() },
    limit: Int = LineReader.defaultLimit, patience: UInt64 = 30_000_000_000,
    questionPatience: UInt64 = 600_000_000_000,
    parentID: @escaping @Sendable () -> Int32 = { 4_242 },
    adapt: (inout Syscalls, EventQueue<Event>) -> Void = { _, _ in }
  ) throws {
    Threads.ignoreSignals([.brokenPipe])
    let toServer = Pipe()
    let fromServer = Pipe()
    input = toServer.fileHandleForWriting
    output = fromServer.fileHandleForReading
    var syscalls = Syscalls.live
    adapt(&syscalls, queue)

    let reader = InputReader(
      input: toServer.fileHandleForReading.fileDescriptor, queue: queue, syscalls: syscalls,
      lines: LineReader(limit: limit)
    ) { [outcome, toServer] line in
      // The reader's thread keeps its descriptor open: closed under it, the number would be another test's.
      withExtendedLifetime(toServer) { outcome.log(line) }
    }
    try reader.start()
    try Threads.start("loop") { [queue, outcome, syscalls] in
      let session = Session(definition: definition(), patience: questionPatience) { outcome.log($0) }
      let loop = ServerLoop(
        queue: queue, session: session, output: fromServer.fileHandleForWriting.fileDescriptor,
        syscalls: syscalls, parentID: parentID, patience: patience)
      let ending = loop.run()
      fromServer.fileHandleForWriting.closeFile()
      outcome.finish(ending)
    }
  }

  deinit {
    // Ends the reader's thread where the test has not.
    input.closeFile()
  }

  func write(_ text: some StringProtocol) {
    input.write(Data(text.utf8))
  }

  func closeInput() { input.closeFile() }

  func closeOutput() { output.closeFile() }

  /// The next line of output, or what is left of it at its end.
  func line() -> String {
    var line = Data()
    while true {
      let byte = output.readData(ofLength: 1)
      if byte.isEmpty || byte == Data([0x0A]) { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  /// All lines of output up to its end, which must be the end of a line.
  func remainingLines() -> [String] {
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.isEmpty || text.utf8.last == 0x0A)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits for the loop to end.
  func ending() -> ServerLoop.Ending? { outcome.ending() }

  func logged() -> [String] { outcome.logged() }

  /// What the threads leave behind.
  private final class Outcome: @unchecked Sendable {  // every access holds the condition
    private let condition = NSCondition()
    private var result: ServerLoop.Ending?
    private var lines: [String] = []

    func log(_ line: String) { condition.withLock { lines.append(line) } }

    func logged() -> [String] { condition.withLock { lines } }

    func finish(_ ending: ServerLoop.Ending) {
      condition.withLock {
        result = ending
        condition.broadcast()
      }
    }

    func ending() -> ServerLoop.Ending? {
      condition.withLock {
        while result == nil { condition.wait() }
        return result
      }
    }
  }
}

/// Counts calls from any thread.
final class Counter: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }

  var value: Int { lock.withLock { count } }
}
