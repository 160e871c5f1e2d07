// Which rules serve a request: decided by the request itself, never by what the pipe carried before.

import JSON
import Testing

@testable import MCP

@Suite("Routing")
struct RoutingTests {
  private static let version = "io.modelcontextprotocol/protocolVersion"
  private static let capabilities = "io.modelcontextprotocol/clientCapabilities"

  private func isModern(_ answer: JSONValue) -> Bool {
    answer["result"]?["resultType"]?.string == "complete"
  }

  // MARK: - initialize

  @Test("initialize settles the asked revision if it is a known legacy one", arguments: Revision.allCases)
  func negotiation(revision: Revision) {
    let client = Client()
    let answer = client.call("initialize", ["protocolVersion": JSONValue(revision.rawValue)])
    let settled = revision.era == .legacy ? revision : .november2025
    #expect(answer["result"]?["protocolVersion"]?.string == settled.rawValue)
    let tool = client.call("tools/list")["result"]?["tools"]?.elements.first { _ in true }
    #expect((tool?["annotations"] != nil) == (settled >= .march2025), "later requests are served by it")
    #expect((tool?["title"] != nil) == (settled >= .june2025))
  }

  @Test(
    "initialize is accepted whatever it carries",
    arguments: [
      "{}", "{\"protocolVersion\":\"1.0\"}", "{\"protocolVersion\":\"\"}", "{\"protocolVersion\":7}",
      "{\"protocolVersion\":null,\"capabilities\":7,\"clientInfo\":[]}",
      "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}",
      "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7}}",
    ])
  func lenientInitialize(params: String) {
    let answer = Client().call("initialize", parse(params))
    #expect(answer["result"]?["protocolVersion"]?.string == "2025-11-25")
    #expect(answer["result"]?["resultType"] == nil)
  }

  @Test("initialize without params is accepted")
  func bareInitialize() {
    #expect(Client().call("initialize")["result"]?["protocolVersion"]?.string == "2025-11-25")
  }

  @Test("a second initialize replaces the revision")
  func secondInitialize() {
    let client = Client(revision: .november2024)
    #expect(client.call("tools/list")["result"]?["tools"]?.elements.first { _ in true }?["title"] == nil)
    client.handshake(.june2025)
    #expect(client.call("tools/list")["result"]?["tools"]?.elements.first { _ in true }?["title"] != nil)
    client.handshake(.november2024)
    #expect(client.call("tools/list")["result"]?["tools"]?.elements.first { _ in true }?["title"] == nil)
  }

  // MARK: - Legacy

  @Test("requests before initialize are served at the newest legacy revision")
  func beforeInitialize() {
    for (method, params) in [
      ("ping", nil), ("tools/list", nil), ("resources/list", nil), ("logging/setLevel", ["level": "info"]),
      ("tools/call", ["name": "echo", "arguments": ["text": "hi"]]), ("prompts/list", nil),
    ] as [(String, JSONValue?)] {
      let answer = Client().call(method, params)
      #expect(answer["result"] != nil, "\(method)")
      #expect(!isModern(answer), "\(method)")
    }
    let answer = Client().call("initialize")
    #expect(answer["result"]?["serverInfo"]?["description"] != nil, "as 2025-11-25 has it")
  }

  @Test(
    "a _meta without an envelope is legacy",
    arguments: ["{}", "7", "null", "[]", "\"x\"", "{\"progressToken\":1}", "{\"com.example/x\":1}"])
  func legacyMeta(meta: String) {
    let answer = Client().call("tools/list", .object([("_meta", parse(meta))]))
    #expect(answer["result"] != nil)
    #expect(!isModern(answer))
  }

  // MARK: - Modern

  @Test("an envelope is served by the modern rules, whatever was negotiated", arguments: Revision.allCases)
  func enveloped(revision: Revision) {
    let client = Client(revision: revision)
    #expect(isModern(client.call("tools/list", in: .july2026)))
    #expect(client.call("ping", in: .july2026).errorCode == -32601)
    #expect(!isModern(client.call("tools/list")), "the next request is served by its own rules again")
  }

  @Test("discover and then initialize on the same pipe are both answered")
  func discoverThenInitialize() {
    let client = Client()
    #expect(isModern(client.call("server/discover", in: .july2026)))
    client.handshake(.november2024)
    #expect(
      client.call("tools/list")["result"]?["tools"]?.elements.first { _ in true }?["annotations"] == nil)
    #expect(isModern(client.call("tools/list", in: .july2026)))
  }

  @Test(
    "any of the four members makes a request modern",
    arguments: ["protocolVersion", "clientCapabilities", "clientInfo", "logLevel"])
  func marks(mark: String) {
    let meta = JSONValue.object([("io.modelcontextprotocol/\(mark)", .null)])
    let answer = Client().call("tools/list", .object([("_meta", meta)]))
    #expect(answer.errorCode == -32602)
    #expect(answer.errorMessage == "params._meta needs \"\(Self.version)\" as a string")
  }

  @Test("the envelope is checked in its order, each mistake before the next")
  func order() {
    // Each row mends the first mistake of the row before it.
    let rows: [(method: String, meta: JSONValue, params: JSONValue, code: Int64?)] = [
      ("no/method", [Self.version: 7, Self.capabilities: 7], [:], -32602),
      ("no/method", [Self.version: "2025-11-25", Self.capabilities: 7], [:], -32022),
      ("no/method", [Self.version: "2026-07-28", Self.capabilities: 7], [:], -32602),
      ("no/method", [Self.version: "2026-07-28", Self.capabilities: [:]], [:], -32601),
      ("tools/call", [Self.version: "2026-07-28", Self.capabilities: [:]], [:], -32602),
      ("tools/call", [Self.version: "2026-07-28", Self.capabilities: [:]], ["name": "echo"], nil),
    ]
    for row in rows {
      let params = JSONValue.object(row.params.members.map { ($0.key, $0.value) } + [("_meta", row.meta)])
      #expect(Client().call(row.method, params).errorCode == row.code, "\(compact(params))")
    }
  }

  @Test("a revision that is not served statelessly is answered with those that are")
  func unsupportedRevision() {
    for requested in ["2025-11-25", "2024-11-05", "2027-01-01", "", "DRAFT"] {
      let meta: JSONValue = [Self.version: JSONValue(requested), Self.capabilities: [:]]
      let error = Client().call("server/discover", .object([("_meta", meta)]))
      #expect(error.errorCode == -32022)
      #expect(
        compact(error["error"]?["data"])
          == "{\"supported\":[\"2026-07-28\"],\"requested\":\"\(requested)\"}")
    }
  }

  @Test("capabilities must be an object", arguments: ["null", "[]", "\"x\"", "7"])
  func illTypedCapabilities(capabilities: String) {
    let meta: JSONValue = [Self.version: "2026-07-28", Self.capabilities: parse(capabilities)]
    let error = Client().call("tools/list", .object([("_meta", meta)]))
    #expect(error.errorCode == -32602)
    #expect(error.errorMessage == "params._meta needs \"\(Self.capabilities)\" as an object")
    let missing = Client().call("tools/list", .object([("_meta", [Self.version: "2026-07-28"])]))
    #expect(missing.errorCode == -32602)
  }

  @Test("server/discover without an envelope says what is missing", arguments: Revision.allCases)
  func bareDiscover(revision: Revision) {
    for params: JSONValue? in [nil, [:], ["_meta": ["progressToken": 1]]] {
      let error = Client(revision: revision).call("server/discover", params)
      #expect(error.errorCode == -32602)
      #expect(error.errorMessage?.contains(Self.version) == true)
      #expect(error.errorMessage?.contains(Self.capabilities) == true)
    }
  }

  // MARK: - Order

  @Test("messages are served in the order in which they were accepted")
  func order_of_service() {
    let client = Client()
    for id in 1...50 {
      client.session.accept(line: Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}".utf8))
      client.session.accept(line: Array("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}".utf8))
    }
    var ids: [Int64?] = []
    while let frames = client.session.serveNext() { ids += frames.map { parse($0)["id"]?.int64 } }
    #expect(ids == Array(1...50))
    #expect(client.call("ping")["id"]?.int64 == 1, "and the next is served as before")
  }
}
