// Who is told that a resource has changed, and when.

import JSON
import Platform
import Testing

@testable import MCP

@Suite("Subscriptions")
struct SubscriptionTests {
  private let changes = ToyChanges()
  private let client: Client

  init() { client = Client(ToyServer.definition(changes: changes.changes), revision: .june2025) }

  /// What the subscribers are told after the resources show something else.
  private func change(to revision: String?) -> [String] {
    changes.revision = revision
    return Client.texts(client.session.resourcesMayHaveChanged())
  }

  private func subscribe(_ uri: String) -> JSONValue {
    client.call("resources/subscribe", ["uri": JSONValue(uri)])
  }

  private func listen(_ id: String, _ filter: String) -> [String] {
    let params = Client.enveloped(["notifications": parse(filter)])
    return client.send(
      "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"subscriptions/listen\",\"params\":\(compact(params))}")
  }

  private func updated(_ uri: String, _ id: String? = nil) -> String {
    let meta = id.map { "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\($0)}," } ?? ""
    return
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\(meta)\"uri\":\"\(uri)\"}}"
  }

  // MARK: - Legacy

  @Test("one resource has many spellings, and only so many are kept")
  func limit() {
    // Each letter is written as it is or as its number: 256 ways.
    for spelling in 0..<Subscriptions.uriLimit {
      let name = "topshelf".utf8.enumerated().map { place, byte in
        spelling >> place & 1 == 0 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
      }
      let uri = "toy://shelf/" + name[..<3].joined() + "%20" + name[3...].joined()
      #expect(compact(subscribe(uri)["result"]) == "{}", "\(uri)")
    }
    #expect(compact(subscribe("toy://shelf/top%20shelf")["result"]) == "{}", "it is kept already")
    #expect(subscribe("toy://live").errorCode == -32600)
    #expect(change(to: "2").count == Subscriptions.uriLimit)
    _ = client.call("resources/unsubscribe", ["uri": "toy://shelf/top%20shelf"])
    #expect(compact(subscribe("toy://live")["result"]) == "{}")
  }

  @Test("a subscriber is told of each change, once")
  func legacy() {
    #expect(compact(subscribe("toy://live")["result"]) == "{}")
    #expect(change(to: "1") == [], "nothing else is shown")
    #expect(change(to: "2") == [updated("toy://live")])
    #expect(change(to: "2") == [])
    #expect(change(to: "1") == [updated("toy://live")])
    #expect(compact(client.call("resources/unsubscribe", ["uri": "toy://live"])["result"]) == "{}")
    #expect(change(to: "3") == [])
  }

  @Test("every live resource that is subscribed to is named, each once and as it was named")
  func several() {
    for uri in [
      "toy://live", "toy://shelf/top%20shelf", "toy://shelf/top shelf", "toy://live", "toy://greeting",
    ] {
      #expect(subscribe(uri)["result"] != nil)
    }
    #expect(
      change(to: "2") == [
        updated("toy://live"), updated("toy://shelf/top%20shelf"), updated("toy://shelf/top shelf"),
      ])
  }

  @Test(
    "what is unknown cannot be subscribed to",
    arguments: ["toy://nothing", "toy://shelf/attic", "toy://shelf/{name}"])
  func unknown(uri: String) {
    let error = subscribe(uri)
    #expect(error.errorCode == -32002)
    #expect(error["error"]?["data"]?["uri"]?.string == uri)
    #expect(changes.starts == 0)
  }

  @Test(
    "a URI is needed", arguments: ["resources/subscribe", "resources/unsubscribe"], ["{}", "{\"uri\":7}"])
  func missing(method: String, params: String) {
    #expect(client.call(method, parse(params)).errorCode == -32602)
  }

  @Test("what cannot be looked up just now is an internal error with the reason")
  func unreadable() {
    #expect(subscribe("toy://shelf/locked").errorCode == -32603)
    #expect(subscribe("toy://shelf/locked").errorMessage == "the key is lost")
  }

  @Test("unsubscribing from what was never subscribed to is no error")
  func unsubscribe() {
    #expect(client.call("resources/unsubscribe", ["uri": "toy://nothing"])["result"] != nil)
  }

  @Test("a new initialize drops legacy subscriptions, and leaves those of the modern era")
  func secondInitialize() {
    _ = subscribe("toy://live")
    #expect(listen("5", "{\"resourceSubscriptions\":[\"toy://live\"]}").count == 1)
    client.handshake(.november2025)
    #expect(change(to: "2") == [updated("toy://live", "5")])
  }

  // MARK: - Watching

  @Test("the resources are watched from the first subscription to the last, and by no other")
  func watching() {
    #expect(changes.starts == 0)
    _ = subscribe("toy://greeting")
    _ = listen("1", "{\"resourceSubscriptions\":[\"toy://greeting\",\"toy://nothing\"]}")
    #expect(changes.starts == 0, "what never changes needs no watching")
    _ = subscribe("toy://live")
    _ = listen("2", "{\"resourceSubscriptions\":[\"toy://live\"]}")
    _ = subscribe("toy://shelf/bottom")
    #expect(changes.starts == 1)
    _ = client.call("resources/unsubscribe", ["uri": "toy://live"])
    _ = client.call("resources/unsubscribe", ["uri": "toy://shelf/bottom"])
    #expect(changes.stops == 0)
    #expect(client.send(Client.cancellation("2")) == [])
    #expect(changes.stops == 1)
    _ = subscribe("toy://live")
    #expect(changes.starts == 2)
    client.handshake(.june2025)
    #expect(changes.stops == 2)
    _ = client.session.finish()
    #expect(changes.starts == 2)
    #expect(changes.stops == 2)
  }

  @Test("what changed before the subscription is no news")
  func baseline() {
    changes.revision = "7"
    _ = subscribe("toy://live")
    #expect(change(to: "7") == [])
    #expect(change(to: "8") == [updated("toy://live")])
  }

  @Test("while the resources cannot be read nobody is told; then, if they are others")
  func unreadableMeanwhile() {
    _ = subscribe("toy://live")
    #expect(change(to: nil) == [])
    #expect(change(to: "1") == [])
    #expect(change(to: nil) == [])
    #expect(change(to: "2") == [updated("toy://live")])
  }

  @Test("where they cannot be read at the beginning, the first reading is news")
  func unreadableAtFirst() {
    changes.revision = nil
    _ = subscribe("toy://live")
    #expect(change(to: "1") == [updated("toy://live")])
  }

  @Test("watching that cannot begin is told to the log, and tried again with the next subscription")
  func failure() {
    changes.failure = .tooManyOpenFiles
    #expect(subscribe("toy://live")["result"] != nil)
    #expect(client.logged == ["changes cannot be watched: too many open files"])
    #expect(change(to: "2") == [])
    changes.failure = nil
    _ = subscribe("toy://shelf/bottom")
    #expect(changes.starts == 1)
    #expect(change(to: "3").count == 2)
  }

  @Test("nobody subscribed: nobody is told, and nothing is read")
  func nobody() {
    #expect(change(to: "2") == [])
  }

  // MARK: - Modern

  @Test("first the acknowledgement with what is honoured, then each change with the subscription's id")
  func modern() {
    #expect(
      listen(
        "\"a\"",
        "{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"toy://live\",\"toy://nothing\",\"toy://live\"]}"
      ) == [
        """
        {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":\
        {"io.modelcontextprotocol/subscriptionId":"a"},"notifications":{"resourceSubscriptions":["toy://live"]}}}
        """
      ])
    #expect(change(to: "2") == [updated("toy://live", "\"a\"")])
    #expect(change(to: "2") == [])
  }

  @Test(
    "nothing honoured is an empty acknowledgement, and still open",
    arguments: [
      "{}", "{\"resourceSubscriptions\":[]}", "{\"resourceSubscriptions\":[\"toy://nothing\"]}",
      "{\"resourceSubscriptions\":null}", "{\"promptsListChanged\":true,\"resourcesListChanged\":null}",
      "{\"other\":7}",
    ])
  func nothingHonoured(filter: String) {
    #expect(
      listen("1.0", filter) == [
        """
        {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":\
        {"io.modelcontextprotocol/subscriptionId":1.0},"notifications":{}}}
        """
      ])
    #expect(change(to: "2") == [])
    #expect(Client.texts(client.session.finish()).map { compact(parse($0)["id"]) } == ["1.0"])
  }

  @Test(
    "an ill-typed filter is refused",
    arguments: [
      "null", "7", "[]", "{\"toolsListChanged\":1}", "{\"promptsListChanged\":\"true\"}",
      "{\"resourcesListChanged\":[]}",
      "{\"resourceSubscriptions\":\"toy://live\"}", "{\"resourceSubscriptions\":[7]}",
      "{\"resourceSubscriptions\":{}}",
      "{\"resourceSubscriptions\":[\"toy://live\",null]}",
    ])
  func illTyped(filter: String) {
    #expect(listen("1", filter).map { parse($0).errorCode } == [-32602])
    #expect(client.session.finish() == [], "nothing is open")
  }

  @Test("the filter is needed")
  func missingFilter() {
    #expect(client.call("subscriptions/listen", in: .july2026).errorCode == -32602)
  }

  @Test("several may be open, and each is told of its own")
  func concurrently() {
    _ = listen("1", "{\"resourceSubscriptions\":[\"toy://live\"]}")
    _ = listen("\"1\"", "{\"resourceSubscriptions\":[\"toy://shelf/bottom\",\"toy://live\"]}")
    #expect(
      change(to: "2") == [
        updated("toy://live", "1"), updated("toy://shelf/bottom", "\"1\""), updated("toy://live", "\"1\""),
      ])
    #expect(client.send(Client.cancellation("1")) == [])
    #expect(change(to: "3").count == 2)
  }

  @Test("the id of an open one is refused, until that is cancelled")
  func openID() {
    _ = listen("1", "{}")
    #expect(listen("1.0", "{}").map { parse($0).errorCode } == [-32600])
    #expect(client.send(Client.cancellation("1")) == [], "it just ends")
    #expect(listen("1", "{}").count == 1)
    #expect(client.session.finish().count == 1)
  }

  @Test("at most 64 may be open, and one may name at most 256 URIs")
  func limits() {
    for id in 1...64 { #expect(listen("\(id)", "{}").map { parse($0)["method"] != nil } == [true]) }
    #expect(listen("65", "{}").map { parse($0).errorCode } == [-32600])
    _ = client.send(Client.cancellation("7"))
    let many = (1...257).map { "\"toy://nothing/\($0)\"" }.joined(separator: ",")
    #expect(listen("65", "{\"resourceSubscriptions\":[\(many)]}").map { parse($0).errorCode } == [-32602])
    #expect(listen("65", "{}").map { parse($0)["method"] != nil } == [true])
  }

  @Test("at the end each is answered with a complete result, in the order in which they were opened")
  func end() {
    _ = listen("2", "{\"resourceSubscriptions\":[\"toy://live\"]}")
    _ = listen("\"x\"", "{}")
    let frames = Client.texts(client.session.finish())
    #expect(
      frames.first == """
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":\
        {"io.modelcontextprotocol/subscriptionId":2,"io.modelcontextprotocol/serverInfo":\
        {"name":"toy","version":"1.2.3","title":"Toy"}}}}
        """)
    #expect(frames.map { compact(parse($0)["id"]) } == ["2", "\"x\""])
    #expect(changes.stops == 1)
    #expect(client.session.finish() == [])
  }

  @Test("one that is cancelled while it waits to be opened is never opened")
  func cancelledInQueue() {
    let params = compact(Client.enveloped(["notifications": [:]]))
    client.accept(
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":\(params)}",
      Client.cancellation("1"))
    #expect(client.serveAll() == [])
    #expect(client.session.finish() == [])
  }

  @Test("what cannot be looked up just now is honoured")
  func unreadableWish() {
    let acknowledged = parse(listen("1", "{\"resourceSubscriptions\":[\"toy://shelf/locked\"]}").first ?? "")
    #expect(
      compact(acknowledged["params"]?["notifications"])
        == "{\"resourceSubscriptions\":[\"toy://shelf/locked\"]}")
  }
}
