// Reading and writing as their callers need it: whole files, chunks of a stream, all bytes of an answer.
//
//     let bytes = try syscalls.readChunk(0, limit: 65536)                         // none: end of input
//     try syscalls.writeAll(output, line, isStopping: { queue.isStopping })
//
// An answer is written in pieces that cannot block, each after `poll` said that there is room: so a reader that no
// longer reads cannot keep the program from ending. The descriptor itself is left blocking: its mode is shared with
// every process that has it, the terminal's shell among them.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why an answer could not be written whole.
package enum WriteFailure: Error, Hashable, Sendable {
  /// Nobody reads any more (EPIPE): a quiet end.
  case readerGone
  /// It was stuck for too long after a stop had been asked for.
  case givenUp
  case failed(Errno)
}

extension Syscalls {
  /// The bytes of an open file from where it stands, to its end; one more than `limit` at most, so that a longer file
  /// is known by its count.
  package func readAll(_ descriptor: Int32, limit: Int, expecting size: Int = 0) throws(Errno) -> [UInt8] {
    // One byte more than the file is said to have, so that reading it whole finds its end as well.
    var room = min(max(size, 4095), limit) + 1
    var bytes = try readPiece(descriptor, of: room, ending: size)
    while bytes.count == room && room <= limit {
      let piece = try readPiece(descriptor, of: min(room, limit + 1 - room))
      bytes += piece
      room = min(2 * room, limit + 1)
    }
    return bytes
  }

  /// Whether the file, from where the descriptor is to its end, is these bytes. Stops at the first piece that is not.
  package func reads(_ descriptor: Int32, exactly bytes: [UInt8]) throws(Errno) -> Bool {
    // One byte more than is expected finds the end as well. One piece of memory serves for all of the file: new memory
    // costs more than reading into it.
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: min(Self.pieceSize, bytes.count + 1))
    defer { piece.deallocate() }
    var position = 0
    while true {
      let rest = bytes.count - position
      let wanted = UnsafeMutableBufferPointer(rebasing: piece[..<min(piece.count, rest + 1)])
      let count = try fill(wanted, from: descriptor, ending: rest)
      guard count <= rest, bytes.hasSameBytes(as: UnsafeBufferPointer(rebasing: wanted[..<count]), at: position) else {
        return false
      }
      if count < wanted.count { return count == rest }
      position += count
    }
  }

  /// In bytes.
  private static let pieceSize = 64 << 10

  /// The next `count` bytes; fewer only at the end of the file.
  ///
  /// - Parameter end: where the file is said to end. More was asked for than that, so it has not grown since.
  private func readPiece(_ descriptor: Int32, of count: Int, ending end: Int = 0) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Errno) {
        filled = try fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]), from: descriptor, ending: end)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads into memory until it is full, or the file ends.
  ///
  /// - Parameter end: where the file is said to end. More was asked for than that, so it has not grown since.
  /// - Returns: how many bytes were read.
  private func fill(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, from descriptor: Int32, ending end: Int
  ) throws(Errno) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
      let read = try read(descriptor, UnsafeMutableRawBufferPointer(rest))
      guard read > 0 else { break }
      filled += read
      if filled == end { break }
    }
    return filled
  }

  /// What a stream has now, at most `limit` bytes of it; waits for the first byte. Empty at the end of input.
  package func readChunk(_ descriptor: Int32, limit: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      do throws(Errno) {
        count = try readChunk(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private func readChunk(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    while true {
      do {
        return try read(descriptor, buffer)
      } catch .wouldBlock {
        // Another process made the stream it shares with us non-blocking.
        _ = try poll(descriptor, .reading, -1)
      }
    }
  }

  /// Writes all the bytes to a file, which takes them without waiting for anybody.
  package func writeFile(_ descriptor: Int32, _ bytes: [UInt8]) throws(Errno) {
    var written = 0
    while written < bytes.count {
      let count = try write(descriptor, bytes, from: written, upTo: bytes.count)
      // The system never says so of bytes that it has room for.
      guard count > 0 else { throw .inputOutput }
      written += count
    }
  }

  /// Writes all the bytes to a stream. Waits for its reader as long as it takes; but once `isStopping` says so, a
  /// write that makes no headway for `patience` nanoseconds is given up.
  package func writeAll(
    _ descriptor: Int32, _ bytes: [UInt8], patience: UInt64 = 1_000_000_000, isStopping: () -> Bool
  ) throws(WriteFailure) {
    var written = 0
    var stuckSince: UInt64?
    while written < bytes.count {
      do {
        if try poll(descriptor, .writing, Self.pollSlice) {
          // A pipe that is called writable takes this many bytes without blocking.
          let end = min(written + Int(PIPE_BUF), bytes.count)
          written += try write(descriptor, bytes, from: written, upTo: end)
          stuckSince = nil
          continue
        }
      } catch .brokenPipe {
        throw .readerGone
      } catch .wouldBlock {
        // Non-blocking, and another took the room that there was: waited for again.
      } catch {
        throw .failed(error)
      }
      guard isStopping() else { continue }
      let now = monotonic()
      let since = stuckSince ?? now
      stuckSince = since
      guard now - since < patience else { throw .givenUp }
    }
  }

  private func write(
    _ descriptor: Int32, _ bytes: [UInt8], from start: Int, upTo end: Int
  ) throws(Errno) -> Int {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Errno) in
      let piece = UnsafeBufferPointer(rebasing: buffer[start..<end])
      return try write(descriptor, UnsafeRawBufferPointer(piece))
    }
  }

  /// How long, in milliseconds, a stuck write goes without looking whether a stop was asked for.
  private static let pollSlice: Int32 = 50
}
