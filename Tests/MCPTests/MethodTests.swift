// Every row of the table of methods, in every revision.

import JSON
import Testing

@testable import MCP

@Suite("Methods")
struct MethodTests {
  private static let legacy = Revision.allCases.filter { $0.era == .legacy }

  /// A host waits for the first answer, and what tools there are it asks later.
  @Test func aHandshakeMakesNoToolsAndNoResources() throws {
    var made: [String] = []
    func noted<Value>(_ what: String, _ value: [Value]) -> [Value] {
      made.append(what)
      return value
    }
    let definition = ServerDefinition(
      info: Implementation(name: "toy", version: "1", title: "Toy", description: ""), instructions: "",
      tools: noted("tools", []), resources: noted("resources", []))
    let session = Session(definition: definition) { _ in }
    for line in [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    ] {
      #expect(session.handle(line: Array(line.utf8)).count == 1)
    }
    #expect(made == [])
    _ = session.handle(line: Array(#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#.utf8))
    _ = session.handle(line: Array(#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#.utf8))
    #expect(made == ["tools"], "made once")
  }

  @Test(
    "each method is served in its era and unknown in the other", arguments: Revision.allCases,
    [
      // method, params, served in the legacy era, served in the modern era
      ("ping", "{}", true, false),
      ("tools/list", "{}", true, true),
      ("tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}", true, true),
      ("resources/list", "{}", true, true),
      ("resources/templates/list", "{}", true, true),
      ("resources/read", "{\"uri\":\"toy://greeting\"}", true, true),
      ("prompts/list", "{}", true, false),
      ("logging/setLevel", "{\"level\":\"debug\"}", true, false),
      ("server/discover", "{}", false, true),
      ("resources/subscribe", "{\"uri\":\"toy://greeting\"}", true, false),
      ("resources/unsubscribe", "{\"uri\":\"toy://greeting\"}", true, false),
      (
        "completion/complete",
        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/{name}\"},\"argument\":{\"name\":\"name\",\"value\":\"\"}}",
        true, true
      ),
      ("prompts/get", "{\"name\":\"x\"}", false, false),
      ("notifications/initialized", "{}", false, false),
      ("notifications/cancelled", "{\"requestId\":1}", false, false),
      ("sampling/createMessage", "{}", false, false),
      ("elicitation/create", "{}", false, false),
      ("TOOLS/LIST", "{}", false, false),
      ("", "{}", false, false),
    ])
  func served(revision: Revision, row: (method: String, params: String, legacy: Bool, modern: Bool)) {
    let answer = Client(revision: revision).call(row.method, parse(row.params), in: revision)
    if revision.era == .legacy ? row.legacy : row.modern {
      #expect(answer["result"] != nil, "\(row.method)")
    } else if row.method == "server/discover" {
      #expect(answer.errorCode == -32602)
    } else {
      #expect(answer.errorCode == -32601, "\(row.method)")
    }
  }

  @Test("initialize in an envelope is the legacy handshake")
  func modernInitialize() {
    let answer = Client().call("initialize", in: .july2026)
    #expect(answer["result"]?["protocolVersion"]?.string == "2025-11-25")
  }

  @Test("ping and logging/setLevel answer {}", arguments: legacy, ["ping", "logging/setLevel"])
  func empty(revision: Revision, method: String) {
    #expect(compact(Client(revision: revision).call(method)["result"]) == "{}")
    #expect(compact(Client(revision: revision).call(method, ["level": 7])["result"]) == "{}")
  }

  @Test("prompts/list is an empty list, though not declared", arguments: legacy)
  func prompts(revision: Revision) {
    #expect(compact(Client(revision: revision).call("prompts/list")["result"]) == "{\"prompts\":[]}")
  }

  @Test("what is declared is what is served, where the revision knows of it", arguments: legacy)
  func capabilities(revision: Revision) {
    let answer = Client().call("initialize", ["protocolVersion": JSONValue(revision.rawValue)])
    let completions = revision >= .march2025 ? ",\"completions\":{}" : ""
    #expect(
      compact(answer["result"]?["capabilities"])
        == "{\"tools\":{},\"resources\":{\"subscribe\":true}\(completions)}")
  }

  @Test("what a server has nothing for is neither declared nor served", arguments: Revision.allCases)
  func unserved(revision: Revision) {
    let client = Client(
      ToyServer.definition(tools: [ToyServer.careful], templates: [], changes: nil), revision: revision)
    let opening = revision.era == .legacy ? "initialize" : "server/discover"
    let params: JSONValue = ["protocolVersion": JSONValue(revision.rawValue)]
    let answer = client.call(opening, params, in: revision)
    #expect(compact(answer["result"]?["capabilities"]) == "{\"tools\":{},\"resources\":{}}")
    for method in [
      "resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "completion/complete",
    ] {
      #expect(client.call(method, ["uri": "toy://live"], in: revision).errorCode == -32601, "\(method)")
    }
  }

  @Test("subscriptions/listen is modern, and stays open after its acknowledgement")
  func listen() {
    let client = Client()
    #expect(client.call("subscriptions/listen", ["notifications": [:]]).errorCode == -32601)
    let frame = client.call("subscriptions/listen", ["notifications": [:]], in: .july2026)
    #expect(frame["method"]?.string == "notifications/subscriptions/acknowledged")
    #expect(frame["id"] == nil)
  }

  @Test("server/discover lists the modern revisions only")
  func discover() {
    let result = Client().call("server/discover", in: .july2026)["result"]
    #expect(compact(result?["supportedVersions"]) == "[\"2026-07-28\"]")
    #expect(
      compact(result?["capabilities"])
        == "{\"tools\":{},\"resources\":{\"subscribe\":true},\"completions\":{},"
        + "\"extensions\":{\"io.modelcontextprotocol/ui\":{}}}")
    #expect(result?["instructions"]?.string == "Play.")
    #expect(
      compact(result?["_meta"]) == """
        {"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1.2.3","title":"Toy",\
        "description":"A toy.","websiteUrl":"https://toy.example/"}}
        """)
  }

  @Test(
    "a modern answer says how long it may be kept, where its method has that",
    arguments: [
      ("server/discover", "{}", "3600000", "\"public\""), ("tools/list", "{}", "3600000", "\"public\""),
      ("resources/list", "{}", "3600000", "\"public\""),
      ("resources/templates/list", "{}", "3600000", "\"public\""),
      ("resources/read", "{\"uri\":\"toy://greeting\"}", "3600000", "\"public\""),
      ("resources/read", "{\"uri\":\"toy://live\"}", "0", "\"private\""),
      ("tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}", "absent", "absent"),
      ("tools/call", "{\"name\":\"echo\"}", "absent", "absent"),
    ])
  func caching(method: String, params: String, milliseconds: String, scope: String) {
    let result = Client().call(method, parse(params), in: .july2026)["result"]
    #expect(compact(result?["ttlMs"]) == milliseconds)
    #expect(compact(result?["cacheScope"]) == scope)
    #expect(result?["resultType"]?.string == "complete")
    let info = result?["_meta"]?["io.modelcontextprotocol/serverInfo"]
    #expect(info?["name"]?.string == "toy")
    #expect((info?["websiteUrl"] == nil) == (method != "server/discover"), "in full where it is introduced")
  }

  @Test("a result has text and structure where the revision has both", arguments: Revision.allCases)
  func call(revision: Revision) {
    let params: JSONValue = ["name": "echo", "arguments": ["text": "hi"], "task": ["ttl": 1]]
    let result = Client(revision: revision).call("tools/call", params, in: revision)["result"]
    #expect(compact(result?["content"]) == "[{\"type\":\"text\",\"text\":\"hi\"}]")
    #expect(result?["isError"]?.bool == false)
    #expect(
      compact(result?["structuredContent"])
        == (revision >= .june2025 ? "{\"said\":[\"hi\"]}" : "absent"))
  }

  @Test("a tool that asks is told that nobody can be asked", arguments: Revision.allCases)
  func ask(revision: Revision) {
    let answer = Client(revision: revision).call("tools/call", ["name": "ask"], in: revision)
    #expect(answer.text == "cannot ask, unavailable, unavailable, unavailable, unavailable")
  }

  @Test("contents come with their URI and type", arguments: Revision.allCases)
  func read(revision: Revision) {
    let answer = Client(revision: revision).call("resources/read", ["uri": "toy://greeting"], in: revision)
    #expect(
      compact(answer["result"]?["contents"])
        == "[{\"uri\":\"toy://greeting\",\"mimeType\":\"text/plain\",\"text\":\"Good morning\\n\"}]")
  }
}
