// The loop over real pipes and threads: what is answered before it ends, and what ends it.

import Foundation
import JSON
import Platform
import Testing

@testable import MCP

@Suite("Server loop")
struct ServerLoopTests {
  private func ping(_ id: Int) -> String { "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}\n" }

  private func pong(_ id: Int) -> String { "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{}}" }

  // MARK: - End of input

  @Test("every line is answered, in order, before the end of input ends the loop")
  func endOfInput() throws {
    let server = try RunningServer()
    server.write((1...200).map(ping).joined())
    server.closeInput()
    #expect(server.remainingLines() == (1...200).map(pong))
    #expect(server.ending() == .endOfInput)
    #expect(server.ending()?.status == 0)
  }

  @Test("a last line without a newline is answered")
  func lastLine() throws {
    let server = try RunningServer()
    server.write("\u{FEFF}" + ping(1) + "\r\n\n" + ping(2).dropLast())
    server.closeInput()
    #expect(server.remainingLines() == [pong(1), pong(2)])
    #expect(server.ending() == .endOfInput)
  }

  @Test("input that ends at once ends the loop, without a word")
  func noInput() throws {
    let server = try RunningServer()
    server.closeInput()
    #expect(server.remainingLines() == [])
    #expect(server.ending() == .endOfInput)
  }

  @Test("an answer comes at once, without another request or the end of input")
  func promptly() throws {
    let server = try RunningServer()
    for id in 1...20 {
      server.write(ping(id))
      #expect(server.line() == pong(id))
    }
    server.closeInput()
    #expect(server.ending() == .endOfInput)
  }

  @Test("a thousand requests written before any answer is read are all answered")
  func pipelined() throws {
    let server = try RunningServer()
    // More than the pipes hold, in both directions.
    let padding = String(repeating: " ", count: 1_000)
    for id in 1...1_000 {
      server.write("{\"jsonrpc\":\"2.0\",\"id\":\(id),\(padding)\"method\":\"tools/list\"}\n")
    }
    server.closeInput()
    let lines = server.remainingLines()
    #expect(lines.map { parse($0)["id"]?.int64 } == (1...1_000).map { Int64($0) })
    #expect(lines.allSatisfy { $0.utf8.count > 1_000 })
    #expect(server.ending() == .endOfInput)
  }

  @Test("an oversized line is answered in its place")
  func oversized() throws {
    let server = try RunningServer(limit: 100)
    server.write(ping(1) + String(repeating: "x", count: 200_000) + "\n" + ping(2))
    server.closeInput()
    let lines = server.remainingLines()
    #expect(lines.count == 3)
    #expect(lines.first == pong(1))
    #expect(lines.dropFirst().first.map(parse)?.errorCode == -32600)
    #expect(lines.last == pong(2))
  }

  @Test("input that cannot be read counts as its end, after what was read is answered")
  func readError() throws {
    let reads = Counter()
    let server = try RunningServer(adapt: { (syscalls: inout Syscalls, _) in
      let read = syscalls.read
      syscalls.read = { descriptor, buffer throws(Errno) in
        if reads.next() > 1 { throw .inputOutput }
        return try read(descriptor, buffer)
      }
    })
    server.write(ping(1))
    #expect(server.remainingLines() == [pong(1)])
    #expect(server.ending() == .endOfInput)
    #expect(server.logged() == ["standard input: \(Errno.inputOutput.message)"])
  }

  // MARK: - Stop

  @Test("a stop ends an idle loop at once")
  func stopIdle() throws {
    let server = try RunningServer()
    server.write(ping(1))
    #expect(server.line() == pong(1))
    server.queue.requestStop()
    #expect(server.remainingLines() == [])
    #expect(server.ending() == .stopped)
    #expect(server.ending()?.status == 0)
  }

  @Test("after a stop only the request in hand is answered")
  func stopInRequest() throws {
    let started = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    let server = try RunningServer(definition: {
      ToyServer.definition(tools: [
        ToyServer.running("slow") {
          started.signal(); goOn.wait()
        }
      ])
    })
    let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\"}}\n"
    server.write(call + ping(2) + ping(3))
    started.wait()
    server.queue.requestStop()
    goOn.signal()
    let lines = server.remainingLines()
    #expect(lines.map { parse($0)["id"]?.int64 } == [1])
    #expect(server.ending() == .stopped)
  }

  @Test("a cancellation that comes while another request runs finds its request")
  func cancelledMeanwhile() throws {
    let started = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    let server = try RunningServer(definition: {
      ToyServer.definition(tools: [
        ToyServer.running("slow") {
          started.signal(); goOn.wait()
        }
      ])
    })
    server.write(Client.toolCall("1", "slow") + "\n")
    started.wait()
    // As the reader pushes them.
    for line in [Client.ping("2"), Client.ping("3"), Client.cancellation("2")] {
      server.queue.push(.line(Array(line.utf8)), cost: line.utf8.count)
    }
    goOn.signal()
    server.closeInput()
    #expect(server.remainingLines().map { parse($0)["id"]?.int64 } == [1, 3])
    #expect(server.ending() == .endOfInput)
  }

  // MARK: - What stays open

  private static let handshake = """
    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}}
    {"jsonrpc":"2.0","method":"notifications/initialized"}

    """
  private static let listen = """
    {"jsonrpc":"2.0","id":"open","method":"subscriptions/listen","params":\
    \(compact(Client.enveloped(["notifications": ["resourceSubscriptions": ["toy://live"]]])))}

    """

  @Test("what may have changed is told without any line of input")
  func change() throws {
    let revisions = Counter()
    let server = try RunningServer(definition: {
      // Another revision at each look.
      let changes = ResourceChanges(start: {}, stop: {}, revision: { "\(revisions.next())" })
      return ToyServer.definition(changes: changes)
    })
    server.write(Self.listen)
    #expect(parse(server.line())["method"]?.string == "notifications/subscriptions/acknowledged")
    for _ in 1...3 {
      server.queue.push(.fileChanged, cost: 0)
      #expect(parse(server.line())["method"]?.string == "notifications/resources/updated")
    }
    server.closeInput()
    #expect(server.remainingLines().map { parse($0)["id"]?.string } == ["open"])
    #expect(server.ending() == .endOfInput)
  }

  @Test("a question that nobody answers ends by itself")
  func timeOut() throws {
    let server = try RunningServer(questionPatience: 1_000_000)
    server.write(Self.handshake + Client.toolCall("1", "careful") + "\n")
    #expect(parse(server.line())["id"]?.int64 == 0)
    #expect(parse(server.line())["method"]?.string == "elicitation/create")
    #expect(parse(server.line())["method"]?.string == "notifications/cancelled")
    #expect(parse(server.line()).text == "not done: unanswered")
    server.closeInput()
    #expect(server.remainingLines() == [])
  }

  @Test("at the end of input all that is open is answered")
  func openAtEnd() throws {
    let server = try RunningServer()
    server.write(Self.handshake + Self.listen + Client.toolCall("1", "careful") + "\n" + ping(2))
    server.closeInput()
    let lines = server.remainingLines().map { parse($0) }
    #expect(lines.suffix(3).map { compact($0["id"]) } == ["2", "1", "\"open\""])
    #expect(lines.suffix(2).first?.text == "not done: unanswered")
    #expect(lines.last?["result"]?["resultType"]?.string == "complete")
    #expect(server.ending() == .endOfInput)
  }

  @Test("after a stop all that is open is answered, too")
  func openAtStop() throws {
    let server = try RunningServer()
    server.write(Self.listen)
    #expect(server.line().contains("acknowledged"))
    server.queue.requestStop()
    #expect(server.remainingLines().map { parse($0)["id"]?.string } == ["open"])
    #expect(server.ending() == .stopped)
  }

  // MARK: - Writes that do not end

  @Test("a write that is stuck is given up after a stop")
  func stuckWrite() throws {
    let server = try RunningServer(adapt: { (syscalls: inout Syscalls, queue) in
      let clock = Counter()
      // Nobody makes room, and the stop comes while the loop waits for it.
      syscalls.poll = { _, _, _ throws(Errno) in
        queue.requestStop()
        return false
      }
      syscalls.monotonic = { UInt64(clock.next()) * 100_000_000 }
    })
    server.write(ping(1) + ping(2))
    #expect(server.ending() == .stopped)
    #expect(server.remainingLines() == [])
  }

  @Test("a write that is stuck is given up when the parent is gone")
  func stuckWithoutParent() throws {
    let clock = Counter()
    let server = try RunningServer(
      parentID: { clock.value < 300 ? 4_242 : 1 },
      adapt: { (syscalls: inout Syscalls, _) in
        syscalls.poll = { _, _, _ throws(Errno) in false }
        syscalls.monotonic = { UInt64(clock.next()) * 100_000_000 }
      })
    server.write(ping(1) + ping(2))
    #expect(server.ending() == .parentGone)
    #expect(server.ending()?.status == 0)
    #expect(server.remainingLines() == [])
    #expect(clock.value > 300, "not before it was gone for half a minute")
  }

  // MARK: - The other end

  @Test("a client that no longer reads ends the loop without complaint")
  func readerGone() throws {
    let server = try RunningServer()
    server.closeOutput()
    server.write(ping(1) + ping(2))
    #expect(server.ending() == .readerGone)
    #expect(server.ending()?.status == 0)
    #expect(server.logged() == [])
  }

  @Test("output that fails otherwise ends the loop with a status")
  func outputFails() throws {
    let server = try RunningServer(adapt: { (syscalls: inout Syscalls, _) in
      syscalls.write = { _, _ throws(Errno) in throw .noSpace }
    })
    server.write(ping(1))
    #expect(server.ending() == .outputFailed(.noSpace))
    #expect(server.ending()?.status == 1)
  }

  @Test("a parent that is gone ends the loop once nothing is heard")
  func parentGone() throws {
    let looks = Counter()
    let server = try RunningServer(patience: 1_000_000, parentID: { looks.next() <= 3 ? 4_242 : 1 })
    #expect(server.ending() == .parentGone)
    #expect(server.ending()?.status == 0)
    #expect(looks.value == 4, "at the start, twice in vain, and once more")
  }

  @Test("a parent that cannot go is not looked at", arguments: [0, 1])
  func lastingParent(parent: Int32) throws {
    let looks = Counter()
    let server = try RunningServer(
      patience: 0,
      parentID: {
        _ = looks.next()
        return parent
      })
    server.write(ping(1))
    #expect(server.line() == pong(1))
    server.closeInput()
    #expect(server.ending() == .endOfInput)
    #expect(looks.value == 1)
  }
}
