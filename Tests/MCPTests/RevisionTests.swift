// Revision-exactness: whatever is sent in a revision is what its official schema has, and nothing else.

import JSON
import Testing

@testable import MCP

@Suite("Revisions", .enabled(if: SchemaChecker.folder != nil, Comment(rawValue: SchemaChecker.absence)))
struct RevisionTests {
  @Test("each member is sent in exactly the revisions that define it", arguments: WireMember.allCases)
  func table(member: WireMember) throws {
    let type = String(member.rawValue.prefix { $0 != "." })
    for revision in Revision.allCases {
      let isDefined = try SchemaChecker(revision).defines(type, member.name)
      let isSent = member.revisions.contains(revision)
      switch (member, revision.era) {
      // Defined, and deliberately not sent: a legacy result has nothing to say there, and no prompts are served.
      // Nor has an update anything to say there, and there are no requests of ours left to take back.
      case (.resultMeta, .legacy), (.listPrompts, .modern), (.updatedMeta, .legacy),
        (.cancelledRequestID, .modern), (.cancelledReason, .modern):
        #expect(!isSent)
      default: #expect(isSent == isDefined, "\(member.rawValue) in \(revision.rawValue)")
      }
    }
  }

  /// A request's method and params, and the type of the result where it is no error.
  private static let requests: [(method: String, params: String, type: String)] = [
    ("initialize", "{\"protocolVersion\":\"REVISION\"}", "InitializeResult"),
    ("ping", "{}", "EmptyResult"),
    ("logging/setLevel", "{\"level\":\"info\"}", "EmptyResult"),
    ("prompts/list", "{}", "ListPromptsResult"),
    ("server/discover", "{}", "DiscoverResult"),
    ("tools/list", "{}", "ListToolsResult"),
    ("tools/list", "{\"cursor\":\"x\"}", ""),
    ("tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}", "CallToolResult"),
    ("tools/call", "{\"name\":\"echo\"}", "CallToolResult"),
    ("tools/call", "{\"name\":\"ask\"}", "CallToolResult"),
    ("tools/call", "{\"name\":\"pester\"}", ""),
    ("tools/call", "{\"name\":\"no\"}", ""),
    ("resources/list", "{}", "ListResourcesResult"),
    ("resources/templates/list", "{}", "ListResourceTemplatesResult"),
    ("resources/read", "{\"uri\":\"toy://greeting\"}", "ReadResourceResult"),
    ("resources/read", "{\"uri\":\"toy://live\"}", "ReadResourceResult"),
    ("resources/read", "{\"uri\":\"ui://toy/board.html\"}", "ReadResourceResult"),
    ("resources/read", "{\"uri\":\"toy://broken\"}", ""),
    ("resources/read", "{\"uri\":\"toy://nothing\"}", ""),
    ("resources/read", "{\"uri\":\"toy://shelf/bottom\"}", "ReadResourceResult"),
    ("resources/read", "{\"uri\":\"toy://shelf/locked\"}", ""),
    ("resources/subscribe", "{\"uri\":\"toy://live\"}", "EmptyResult"),
    ("resources/subscribe", "{\"uri\":\"toy://nothing\"}", ""),
    ("resources/unsubscribe", "{\"uri\":\"toy://live\"}", "EmptyResult"),
    ("completion/complete", completion("b"), "CompleteResult"),
    ("completion/complete", completion("zzz"), "CompleteResult"),
    ("completion/complete", "{}", ""),
    ("no/method", "{}", ""),
  ]

  private static func completion(_ value: String) -> String {
    #"{"ref":{"type":"ref/resource","uri":"toy://shelf/{name}"},"argument":{"name":"name","value":"\#(value)"}}"#
  }

  @Test("every answer is what the schema has", arguments: Revision.allCases)
  func answers(revision: Revision) throws {
    let checker = try SchemaChecker(revision)
    let client = Client(revision: revision)
    // An initialize is always legacy, and would end what is tested here.
    for request in Self.requests where !(request.method == "initialize" && revision.era == .modern) {
      let params = request.params.replacing("REVISION", with: revision.rawValue)
      let answer = client.call(request.method, parse(params), in: revision)
      #expect(problems(answer, checker, in: revision) == [], "\(request.method) \(params)")
      if let result = answer["result"] {
        #expect(checker.problems(result, as: request.type) == [], "\(request.method) \(params)")
      }
    }
  }

  @Test("every complaint about a line is what the schema has", arguments: Revision.allCases)
  func complaints(revision: Revision) throws {
    let checker = try SchemaChecker(revision)
    let meta = revision.era == .modern ? compact(Client.enveloped([:])) : "{}"
    for line in [
      "{", "7", "[]", "{\"jsonrpc\":\"2.0\",\"id\":1}",
      "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/list\",\"params\":\(meta)}",
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\",\"params\":\(meta)}",
      "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":7}",
    ] {
      let frames = Client(revision: revision).send(line)
      #expect(frames.count == 1)
      #expect(problems(parse(frames.first ?? ""), checker, in: revision) == [], "\(line)")
    }
  }

  private static let elicitation = "{\"elicitation\":{}}"

  @Test(
    "our questions, and taking them back, are what the schema has",
    arguments: [Revision.june2025, .november2025])
  func questions(revision: Revision) throws {
    let checker = try SchemaChecker(revision)
    let client = Client(revision: revision, capabilities: Self.elicitation)
    let question = client.send(Client.toolCall("1", "careful")).map(parse)
    #expect(question.flatMap { problems($0, checker, as: "ElicitRequest", in: revision) } == [])
    #expect(question.map { $0["id"]?.kind } == [.string])
    client.now = 600_000_000_000
    let frames = client.session.endOverdueQuestions().map { parse($0) }
    #expect(frames.count == 2)
    #expect(problems(frames[0], checker, as: "CancelledNotification", in: revision) == [])
    #expect(problems(frames[1], checker, in: revision) == [])
    #expect(checker.problems(frames[1]["result"] ?? .null, as: "CallToolResult") == [])
  }

  @Test("an answer that asks is what the schema has")
  func inputRequired() throws {
    let checker = try SchemaChecker(.july2026)
    let params = Client.enveloped(["name": "careful"], capabilities: parse(Self.elicitation))
    let answer = Client().call("tools/call", params)
    #expect(answer["result"]?["resultType"]?.string == "input_required")
    #expect(problems(answer, checker, in: .july2026) == [])
    #expect(checker.problems(answer, as: "CallToolResultResponse") == [])
    #expect(checker.problems(answer["result"] ?? .null, as: "InputRequiredResult") == [])
  }

  @Test(
    "what legacy subscribers are told is what the schema has",
    arguments: Revision.allCases.filter { $0.era == .legacy })
  func legacyUpdates(revision: Revision) throws {
    let changes = ToyChanges()
    let client = Client(ToyServer.definition(changes: changes.changes), revision: revision)
    #expect(client.call("resources/subscribe", ["uri": "toy://live"])["result"] != nil)
    changes.revision = "2"
    let frames = client.session.resourcesMayHaveChanged().map { parse($0) }
    #expect(frames.count == 1)
    let checker = try SchemaChecker(revision)
    #expect(frames.flatMap { problems($0, checker, as: "ResourceUpdatedNotification", in: revision) } == [])
  }

  @Test("all that is said about a listen is what the schema has")
  func listens() throws {
    let changes = ToyChanges()
    let client = Client(ToyServer.definition(changes: changes.changes))
    let checker = try SchemaChecker(.july2026)
    for uris: JSONValue in [["toy://live"], []] {
      let filter: JSONValue = ["notifications": ["resourceSubscriptions": uris, "toolsListChanged": true]]
      let id: JSONValue = uris.elements.isEmpty ? "none" : 7
      let acknowledged = client.call("subscriptions/listen", filter, id: id, in: .july2026)
      #expect(checker.problems(acknowledged, as: "SubscriptionsAcknowledgedNotification") == [])
      #expect(checker.problems(metadata(acknowledged), as: "NotificationMetaObject") == [])
    }
    changes.revision = "2"
    let updated = client.session.resourcesMayHaveChanged().map { parse($0) }
    #expect(updated.count == 1)
    #expect(updated.flatMap { checker.problems($0, as: "ResourceUpdatedNotification") } == [])
    #expect(updated.flatMap { checker.problems(metadata($0), as: "NotificationMetaObject") } == [])
    let ended = client.session.finish().map { parse($0) }
    #expect(ended.count == 2)
    for end in ended {
      #expect(problems(end, checker, in: .july2026) == [])
      #expect(checker.problems(end, as: "SubscriptionsListenResultResponse") == [])
      let meta = end["result"]?["_meta"] ?? .null
      #expect(checker.problems(meta, as: "SubscriptionsListenResultMetaObject") == [])
    }
  }

  private func metadata(_ notification: JSONValue) -> JSONValue { notification["params"]?["_meta"] ?? .null }

  @Test("each answer in a batch is what the schema has")
  func batch() throws {
    let checker = try SchemaChecker(.march2025)
    let client = Client(revision: .march2025)
    let frames = client.send(
      "[\(Client.ping("1")),7,\(Client.toolCall("2", "echo")),{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"initialize\"}]"
    )
    #expect(frames.count == 1)
    let answers = parse(frames.first ?? "").elements
    #expect(answers.count == 4)
    for answer in answers { #expect(problems(answer, checker, in: .march2025) == []) }
    // The schema's own word for the array cannot be met by an answer to an unreadable message, which has no id.
    let readable = JSONValue.array(answers.filter { $0["id"]?.isNull == false })
    #expect(checker.problems(readable, as: "JSONRPCBatchResponse") == [])
  }

  @Test("the errors of an envelope are what the schema has")
  func envelopeErrors() throws {
    let checker = try SchemaChecker(.july2026)
    let version = "io.modelcontextprotocol/protocolVersion"
    for (meta, type) in [
      ([version: "2025-11-25"], "UnsupportedProtocolVersionError"),
      ([version: 7], "JSONRPCErrorResponse"), ([version: "2026-07-28"], "JSONRPCErrorResponse"),
    ] as [(JSONValue, String)] {
      let error = Client().call("tools/list", ["_meta": meta])
      #expect(error["error"] != nil)
      #expect(problems(error, checker, in: .july2026) == [])
      #expect(checker.problems(error, as: type) == [])
    }
  }

  @Test("the server's identity is what the schema has")
  func identity() throws {
    let checker = try SchemaChecker(.july2026)
    for method in ["server/discover", "tools/list"] {
      let meta = Client().call(method, in: .july2026)["result"]?["_meta"]
      let info = try #require(meta?["io.modelcontextprotocol/serverInfo"])
      #expect(checker.problems(info, as: "Implementation") == [])
      #expect(meta?.members.count == 1)
    }
  }

  @Test("the checker finds what is wrong")
  func checker() throws {
    let checker = try SchemaChecker(.november2024)
    let tool = "{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\",\"anything\":1}}"
    #expect(checker.problems(parse("{\"tools\":[\(tool)]}"), as: "ListToolsResult") == [])
    for (text, problem) in [
      ("{\"tools\":[\(tool.dropLast()),\"title\":\"X\"}]}", "ListToolsResult.tools[0]: title is unknown"),
      ("{}", "ListToolsResult: tools is missing"),
      ("{\"tools\":{}}", "ListToolsResult.tools: {} is no array"),
      (
        "{\"tools\":[{\"name\":\"x\",\"inputSchema\":{\"type\":\"list\"}}]}",
        "ListToolsResult.tools[0].inputSchema.type: not \"object\""
      ),
    ] {
      #expect(checker.problems(parse(text), as: "ListToolsResult") == [problem])
    }
  }

  /// What is wrong with a request or notification of ours. Up to 2025-06-18 their types leave out what all messages have.
  private func problems(
    _ frame: JSONValue, _ checker: SchemaChecker, as type: String, in revision: Revision
  ) -> [String] {
    if revision >= .november2025 { return checker.problems(frame, as: type) }
    let version = frame["jsonrpc"]?.string == "2.0" ? [] : ["no version"]
    return version + checker.problems(frame.removing("jsonrpc").removing("id"), as: type)
  }

  /// What is wrong with the frame around a result, or with an error.
  private func problems(_ frame: JSONValue, _ checker: SchemaChecker, in revision: Revision) -> [String] {
    guard frame["error"] != nil else {
      return checker.problems(
        frame, as: revision >= .november2025 ? "JSONRPCResultResponse" : "JSONRPCResponse")
    }
    // Up to 2025-06-18 an error needs an id, and has no word for an unreadable one: null is what JSON-RPC has.
    let hasNullID = frame["id"]?.isNull == true && revision <= .june2025
    return checker.problems(
      hasNullID ? frame.setting("id", to: 0) : frame,
      as: revision >= .november2025 ? "JSONRPCErrorResponse" : "JSONRPCError")
  }
}
