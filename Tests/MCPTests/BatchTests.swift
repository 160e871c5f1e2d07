// Arrays of messages, which one revision has.

import JSON
import Testing

@testable import MCP

@Suite("Batches")
struct BatchTests {
  private let client = Client(revision: .march2025)

  @Test("a batch is answered by one array, in order, without its notifications")
  func answers() {
    let frames = client.send(
      "[\(Client.ping("1")),{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"},\(Client.ping("\"b\"")),\(Client.ping("1.0"))]"
    )
    #expect(frames == ["[\(Client.pong("1")),\(Client.pong("\"b\"")),\(Client.pong("1.0"))]"])
  }

  @Test("a batch of one is answered by an array of one")
  func one() {
    #expect(client.send("[\(Client.ping("1"))]") == ["[\(Client.pong("1"))]"])
  }

  @Test(
    "a batch without a request is not answered",
    arguments: [
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}", "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
    ])
  func silent(entry: String) {
    #expect(client.send("[\(entry),\(entry)]") == [])
  }

  @Test("an empty array is refused, and not by an array")
  func empty() {
    let frames = client.send("[]").map(parse)
    #expect(frames.map(\.errorCode) == [-32600])
  }

  @Test(
    "what is no message is refused in its place",
    arguments: [
      ("1", "null"), ("null", "null"), ("[]", "null"), ("[\(Client.ping("5"))]", "null"), ("{}", "null"),
      ("{\"jsonrpc\":\"2.0\",\"id\":7}", "7"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", "null"),
      ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\"}", "7"),
      (
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":\(compact(Client.enveloped([:])))}",
        "7"
      ),
      (
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\",\"params\":\(compact(Client.enveloped([:])))}",
        "null"
      ),
    ])
  func refused(entry: String, id: String) {
    let answers = parse(client.send("[\(Client.ping("1")),\(entry),\(Client.ping("3"))]").first ?? "")
      .elements
    #expect(answers.count == 3)
    #expect(answers.map { compact($0["id"]) } == ["1", id, "3"])
    #expect(answers.map(\.errorCode) == [nil, -32600, nil])
  }

  @Test("an initialize inside does not begin anything")
  func initialize() {
    _ = client.send(
      "[{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}]"
    )
    #expect(client.session.handshake.revision == .march2025)
    #expect(client.send("[\(Client.ping("1"))]") == ["[\(Client.pong("1"))]"])
  }

  @Test("which revision counts is settled by the initialize before it, though neither is served yet")
  func announced() {
    let client = Client(revision: .november2025)
    func initialize(_ revision: String) -> String {
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"\(revision)\"}}"
    }
    let batch = "[\(Client.ping("1"))]"
    client.accept(batch, initialize("2025-03-26"), batch, initialize("2025-06-18"), batch)
    let frames = client.serveAll().map(parse)
    #expect(frames.map(\.errorCode) == [-32600, nil, nil, nil, -32600])
    #expect(compact(frames[2]) == "[\(Client.pong("1"))]")
  }

  @Test("a cancellation takes one request out of a batch, and the whole batch with its last")
  func cancellation() {
    client.accept("[\(Client.ping("1")),\(Client.ping("2")),\(Client.ping("3"))]", Client.cancellation("2"))
    #expect(client.serveAll() == ["[\(Client.pong("1")),\(Client.pong("3"))]"])
    client.accept("[\(Client.ping("1"))]", Client.cancellation("1"), Client.ping("4"))
    #expect(client.serveAll() == [Client.pong("4")])
    client.accept(
      Client.ping("5"), "[\(Client.ping("6")),\(Client.cancellation("5")),\(Client.cancellation("6"))]")
    #expect(client.serveAll() == [])
  }

  @Test("a batch has at most so many messages, or is refused by one error")
  func limit() {
    let limit = Session.batchLimit
    let full = client.send("[\(Array(repeating: "0", count: limit).joined(separator: ","))]")
    #expect(full.count == 1)
    #expect(parse(full[0]).elements.count == limit)
    let larger = client.send("[\(Array(repeating: "0", count: limit + 1).joined(separator: ","))]").map(parse)
    #expect(larger.map(\.errorCode) == [-32600])
  }

  @Test("a tool called in a batch cannot ask")
  func asking() {
    let client = Client(revision: .march2025, capabilities: "{\"elicitation\":{}}")
    let answers = parse(client.send("[\(Client.toolCall("1", "careful"))]").first ?? "").elements
    #expect(answers.first.map { compact($0["result"]?["content"]) }?.contains("nobody can be asked") == true)
  }
}
