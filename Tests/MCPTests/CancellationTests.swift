// What a client takes back before it was begun. (A call that waits for its user: AskingTests; a subscription:
// SubscriptionTests.)

import JSON
import Testing

@testable import MCP

@Suite("Cancellation")
struct CancellationTests {
  @Test(
    "a request that is cancelled while it waits is neither run nor answered", arguments: Revision.allCases)
  func queued(revision: Revision) {
    var runs = 0
    let client = Client(
      ToyServer.definition(tools: [ToyServer.running("run") { runs += 1 }]), revision: revision)
    let meta = revision.era == .modern ? ",\(compact(Client.enveloped([:])).dropFirst().dropLast())" : ""
    client.accept(
      Client.toolCall("1", "run", meta), Client.toolCall("2", "run", meta), Client.toolCall("3", "run", meta),
      Client.cancellation("2"))
    #expect(client.serveAll().map { compact(parse($0)["id"]) } == ["1", "3"])
    #expect(runs == 2)
  }

  @Test(
    "it is found by what its id says",
    arguments: [
      ("1", "1", true), ("1", "1.0", true), ("1.0", "10e-1", true), ("1", "\"1\"", false),
      ("\"1\"", "1", false),
      ("\"a\"", "\"\\u0061\"", true), ("12345678901234567890", "12345678901234567891", false),
      ("0", "-0", true),
    ])
  func identity(id: String, cancelled: String, isDropped: Bool) {
    let client = Client()
    client.accept(Client.ping(id), Client.cancellation(cancelled))
    #expect(client.serveAll() == (isDropped ? [] : [Client.pong(id)]))
  }

  @Test("it takes nothing that comes after it")
  func later() {
    let client = Client()
    client.accept(Client.ping("1"), Client.cancellation("1"), Client.ping("1"))
    #expect(client.serveAll() == [Client.pong("1")])
  }

  @Test("initialize is never cancelled")
  func initialize() {
    let client = Client()
    client.accept(
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\"}}",
      Client.cancellation("1"))
    #expect(client.serveAll().count == 1)
    #expect(client.session.handshake.revision == .november2024)
  }

  @Test("one of another era counts as well")
  func otherEra() {
    let client = Client(revision: .june2025)
    client.accept(
      Client.ping("1"),
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":\(compact(Client.enveloped(["requestId": 1])))}"
    )
    #expect(client.serveAll() == [])
  }

  @Test(
    "one that names nothing is nothing",
    arguments: [
      "{}", "{\"requestId\":null}", "{\"requestId\":1.5}", "{\"requestId\":[1]}", "{\"requestId\":2}", "[]",
      "7",
    ])
  func unknown(params: String) {
    let client = Client()
    client.accept(
      Client.ping("1"),
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":\(params)}")
    #expect(client.serveAll() == [Client.pong("1")])
  }

  @Test("one for what is answered already is nothing")
  func tooLate() {
    let client = Client()
    #expect(client.send(Client.ping("1")) == [Client.pong("1")])
    #expect(client.send(Client.cancellation("1")) == [])
    #expect(client.send(Client.ping("2")) == [Client.pong("2")])
  }
}
