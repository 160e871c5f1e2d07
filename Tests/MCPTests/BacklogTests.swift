// What waits, in which order, and what a cancellation takes out of it.

import JSON
import Testing

@testable import MCP

@Suite("Backlog")
struct BacklogTests {
  private func message(_ line: String) -> Message { Message(parse(line)) }

  private func id(_ text: String) throws -> RequestID { try #require(RequestID(parse(text))) }

  /// The ids of what comes out, "–" where it was cancelled.
  private func drain(_ backlog: inout Backlog) -> [String] {
    var ids: [String] = []
    while let entry = backlog.next() {
      guard case .request(let request) = entry.message else {
        ids.append("–")
        continue
      }
      ids.append(compact(request.id))
    }
    return ids
  }

  @Test("first in, first out, however pushing and taking take turns")
  func order() {
    var backlog = Backlog()
    var taken: [String] = []
    for round in 0..<50 {
      for step in 0..<3 { backlog.append(message(Client.ping("\(round * 3 + step)")), cost: 1) }
      for _ in 0..<2 {
        if case .request(let request)? = backlog.next()?.message { taken.append(compact(request.id)) }
      }
    }
    #expect(!backlog.isEmpty)
    #expect(taken + drain(&backlog) == (0..<150).map(String.init))
    #expect(backlog.isEmpty)
  }

  @Test("what is cancelled keeps its place, empty, wherever it waits")
  func cancelled() throws {
    var backlog = Backlog()
    for number in 0..<6 { backlog.append(message(Client.ping("\(number)")), cost: 1) }
    #expect(backlog.next() != nil)
    #expect(backlog.next() != nil)
    backlog.cancel(try id("2"))
    backlog.cancel(try id("5"))
    backlog.cancel(try id("0"))
    backlog.cancel(try id("99"))
    #expect(drain(&backlog) == ["–", "3", "4", "–"])
    // The same ids again are others.
    backlog.append(message(Client.ping("2")), cost: 1)
    #expect(drain(&backlog) == ["2"])
  }

  @Test("requests that share an id, which they must not, share a cancellation")
  func shared() throws {
    var backlog = Backlog()
    for id in ["1", "2", "1", "1"] { backlog.append(message(Client.ping(id)), cost: 1) }
    #expect(backlog.next() != nil)
    backlog.cancel(try id("1"))
    #expect(drain(&backlog) == ["2", "–", "–"])
  }

  @Test("initialize cannot be cancelled")
  func initialize() throws {
    var backlog = Backlog()
    backlog.append(message("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"), cost: 1)
    backlog.cancel(try id("1"))
    #expect(drain(&backlog) == ["1"])
    // Nor does it stand in the way of another request that has its id.
    backlog.append(message("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"), cost: 1)
    backlog.append(message(Client.ping("1")), cost: 1)
    #expect(backlog.next() != nil)
    backlog.cancel(try id("1"))
    #expect(drain(&backlog) == ["–"])
  }

  @Test("it knows what it costs")
  func cost() {
    var backlog = Backlog()
    backlog.append(message(Client.ping("1")), cost: 7)
    backlog.append(message(Client.ping("2")), cost: 5)
    #expect(backlog.cost == 12)
    _ = backlog.next()
    #expect(backlog.cost == 5)
    _ = backlog.next()
    #expect(backlog.cost == 0)
    #expect(backlog.next() == nil)
  }

  @Test("cancelling half of a hundred thousand takes no search", .timeLimit(.minutes(1)))
  func linear() throws {
    var backlog = Backlog()
    let count = 100_000
    let ids = (0..<count).map { JSONValue($0) }
    for id in ids {
      let request = JSONValue.object([("jsonrpc", "2.0"), ("id", id), ("method", "ping")])
      backlog.append(Message(request), cost: 1)
    }
    for number in stride(from: 1, to: count, by: 2) { backlog.cancel(try #require(RequestID(ids[number]))) }
    #expect(drain(&backlog).filter { $0 == "–" }.count == count / 2)
  }
}

@Suite("Request ids")
struct RequestIDTests {
  @Test(
    "ids are one by type and value",
    arguments: [
      ("1", "1.0"), ("1", "1e0"), ("1", "10e-1"), ("100", "1e2"), ("100", "1.00E+2"), ("0", "-0"),
      ("0", "0.000"), ("0", "0e99"), ("-7", "-7.0"), ("12345678901234567890", "12345678901234567890.0"),
      ("1e400", "10e399"), ("\"a\"", "\"\\u0061\""), ("\"/\"", "\"\\/\""), ("\"\"", "\"\""),
      ("\"\\ud800\"", "\"\\uD800\""),
    ])
  func same(left: String, right: String) {
    #expect(RequestID(parse(left)) != nil)
    #expect(RequestID(parse(left)) == RequestID(parse(right)))
  }

  @Test(
    "all others are different",
    arguments: [
      ("1", "\"1\""), ("1", "-1"), ("1", "10"), ("12345678901234567890", "12345678901234567891"),
      ("\"é\"", "\"e\u{301}\""), ("\"a\"", "\"A\""), ("\"\\ud800\"", "\"\\ud801\""), ("0", "\"\""),
      ("1e400", "1e401"),
    ])
  func different(left: String, right: String) {
    #expect(RequestID(parse(left)) != RequestID(parse(right)))
  }

  @Test("only strings and integers are ids", arguments: ["null", "true", "1.5", "[]", "{}", "1e-1"])
  func none(text: String) {
    #expect(RequestID(parse(text)) == nil)
  }
}
