import Foundation
import Testing

@testable import Platform

/// Whole files and streams, over real pipes and over calls that are interrupted or shortened.
@Suite struct StreamsTests {
  @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000])
  func readsWholeFiles(size: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path("a")))
    for expected in [0, size, size + 10] {
      let file = try OwnedDescriptor(opening: folder.path("a"), [.read], with: .live)
      #expect(try Syscalls.live.readAll(file.descriptor, limit: 200_000, expecting: expected) == bytes)
    }
  }

  @Test func readsOneByteMoreThanTheLimit() throws {
    let folder = try TemporaryFolder()
    try folder.write("123456789", to: "a")
    for (limit, count) in [(9, 9), (8, 9), (3, 4), (0, 1)] {
      let file = try OwnedDescriptor(opening: folder.path("a"), [.read], with: .live)
      #expect(try Syscalls.live.readAll(file.descriptor, limit: limit, expecting: 100).count == count)
    }
  }

  @Test func putsShortReadsTogether() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "banana ", count: 1000)
    try folder.write(text, to: "a")
    var syscalls = Syscalls.live
    syscalls.read = { (descriptor, buffer) throws(Errno) in
      try Syscalls.live.read(
        descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(min(buffer.count, 3))))
    }
    let file = try OwnedDescriptor(opening: folder.path("a"), [.read], with: .live)
    #expect(try syscalls.readAll(file.descriptor, limit: 1 << 20) == Array(text.utf8))
  }

  /// Around the size of a piece: as it is, shorter, longer, and changed at both ends.
  @Test(arguments: [0, 1, 1000, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 600_000])
  func comparesAFileWithWhatItShouldBe(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    func compare(_ content: [UInt8]) throws -> Bool {
      try Data(content).write(to: URL(fileURLWithPath: folder.path("a")))
      let file = try OwnedDescriptor(opening: folder.path("a"), [.read], with: .live)
      return try Syscalls.live.reads(file.descriptor, exactly: bytes)
    }
    #expect(try compare(bytes))
    #expect(try !compare(bytes + [7]))
    guard count > 0 else { return }
    #expect(try !compare(Array(bytes.dropLast())))
    for place in [0, count - 1] {
      var other = bytes
      other[place] ^= 1
      #expect(try !compare(other))
    }
  }

  @Test func readsChunksToTheEndOfInput() throws {
    let pipe = try Pipe()
    try pipe.write("bananas")
    #expect(try Syscalls.live.readChunk(pipe.reader, limit: 4) == Array("bana".utf8))
    #expect(try Syscalls.live.readChunk(pipe.reader, limit: 4) == Array("nas".utf8))
    pipe.closeWriter()
    #expect(try Syscalls.live.readChunk(pipe.reader, limit: 4) == [])
  }

  @Test func waitsForInputThatIsNonBlocking() throws {
    let pipe = try Pipe()
    try #require(fcntl(pipe.reader, F_SETFL, O_NONBLOCK) == 0)
    var syscalls = Syscalls.live
    syscalls.poll = { (descriptor, direction, milliseconds) throws(Errno) in
      #expect(direction == .reading)
      #expect(milliseconds == -1)
      try? pipe.write("x")
      return try Syscalls.live.poll(descriptor, direction, milliseconds)
    }
    #expect(try syscalls.readChunk(pipe.reader, limit: 4) == Array("x".utf8))
  }

  /// A signal whose handler does not ask for restarting interrupts the read; the caller never hears of it.
  @Test func anInterruptedReadGoesOn() throws {
    let pipe = try Pipe()
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in }
    #else
      action.__sigaction_handler.sa_handler = { _ in }
    #endif
    try #require(sigaction(SIGUSR2, &action, nil) == 0)
    let threads = EventQueue<ThreadID>()
    let results = EventQueue<Int>()
    try Threads.start("interrupted") {
      threads.pushWithoutWaiting(ThreadID(thread: pthread_self()))
      do throws(Errno) {
        results.pushWithoutWaiting(try Syscalls.live.readChunk(pipe.reader, limit: 4).count)
      } catch {
        results.pushWithoutWaiting(-Int(error.rawValue))
      }
    }
    let thread = threads.takeAll(deadline: nil)[0].thread
    var found: [Int] = []
    for _ in 0..<20 {
      pthread_kill(thread, SIGUSR2)
      found += results.takeAll(deadline: Syscalls.live.monotonic() + 1_000_000)
    }
    #expect(found == [])
    try pipe.write("ok")
    #expect(results.takeAll(deadline: nil) == [2])
  }

  @Test func writesAllThroughAPipeThatIsReadSlowly() throws {
    let pipe = try Pipe()
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let results = EventQueue<Bool>()
    try Threads.start("writer") {
      do {
        try Syscalls.live.writeAll(pipe.writer, bytes, isStopping: { false })
        results.pushWithoutWaiting(true)
      } catch {
        results.pushWithoutWaiting(false)
      }
      pipe.closeWriter()
    }
    var read: [UInt8] = []
    while true {
      let chunk = try Syscalls.live.readChunk(pipe.reader, limit: 1000)
      if chunk.isEmpty { break }
      read += chunk
    }
    #expect(read == bytes)
    #expect(results.takeAll(deadline: nil) == [true])
  }

  @Test func putsShortWritesTogether() throws {
    let pipe = try Pipe()
    var syscalls = Syscalls.live
    syscalls.write = { (descriptor, bytes) throws(Errno) in
      try Syscalls.live.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(2)))
    }
    try syscalls.writeAll(pipe.writer, Array("bananas".utf8), isStopping: { false })
    #expect(try Syscalls.live.readChunk(pipe.reader, limit: 100) == Array("bananas".utf8))
  }

  @Test func tellsAReaderThatIsGone() throws {
    Threads.ignoreSignals([.brokenPipe])
    let pipe = try Pipe()
    pipe.closeReader()
    #expect(throws: WriteFailure.readerGone) {
      try Syscalls.live.writeAll(pipe.writer, [1], isStopping: { false })
    }
  }

  @Test func tellsOtherFailures() throws {
    let null = try OwnedDescriptor(opening: "/dev/null", [.read], with: .live)
    #expect(throws: WriteFailure.failed(.badDescriptor)) {
      try Syscalls.live.writeAll(null.descriptor, [1], isStopping: { false })
    }
  }

  /// Nobody reads, the pipe is full: waited for without end, until a stop; then for the patience and no longer.
  @Test func givesUpAStuckWriteAfterAStop() throws {
    let pipe = try Pipe()
    let clock = ManualClock()
    var syscalls = Syscalls.live
    syscalls.poll = { (descriptor, direction, _) throws(Errno) in
      clock.advance(50_000_000)
      return try Syscalls.live.poll(descriptor, direction, 0)
    }
    syscalls.monotonic = { clock.time }
    #expect(throws: WriteFailure.givenUp) {
      try syscalls.writeAll(
        pipe.writer, [UInt8](repeating: 0, count: 1 << 20), isStopping: { clock.time >= 60_000_000_000 })
    }
    let waited = clock.time - 60_000_000_000
    #expect(waited >= 1_000_000_000)
    #expect(waited < 1_200_000_000)
  }

  /// A non-blocking stream says EAGAIN although there was room a moment ago.
  @Test func waitsForRoomThatAnotherTook() throws {
    let pipe = try Pipe()
    let refusals = EventQueue<Void>()
    refusals.pushWithoutWaiting(())
    var syscalls = Syscalls.live
    syscalls.write = { (descriptor, bytes) throws(Errno) in
      guard refusals.takeAll(deadline: 0).isEmpty else { throw .wouldBlock }
      return try Syscalls.live.write(descriptor, bytes)
    }
    try syscalls.writeAll(pipe.writer, [1, 2], isStopping: { false })
    #expect(try Syscalls.live.readChunk(pipe.reader, limit: 10).count == 2)
  }
}

/// Both ends of a pipe, closed at the latest with the last who knows it.
final class Pipe: @unchecked Sendable {  // the ends are closed by the one thread that uses them last
  let reader: Int32
  let writer: Int32
  private var readerIsOpen = true
  private var writerIsOpen = true

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Errno.last }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    closeReader()
    closeWriter()
  }

  func write(_ text: String) throws {
    try Syscalls.live.writeAll(writer, Array(text.utf8), isStopping: { false })
  }

  func closeReader() {
    if readerIsOpen { close(reader) }
    readerIsOpen = false
  }

  func closeWriter() {
    if writerIsOpen { close(writer) }
    writerIsOpen = false
  }
}

// An opaque number or pointer, that only pthread calls look into.
private struct ThreadID: @unchecked Sendable {
  let thread: pthread_t
}

/// A monotonic clock that a test moves on.
final class ManualClock: @unchecked Sendable {  // used by one thread
  private(set) var time: UInt64 = 1_000_000_000

  func advance(_ nanoseconds: UInt64) { time += nanoseconds }
}
