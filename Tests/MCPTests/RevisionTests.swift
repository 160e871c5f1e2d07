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
      case (.resultMeta, .legacy), (.listPrompts, .modern): #expect(!isSent)
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
    ("resources/read", "{\"uri\":\"toy://broken\"}", ""),
    ("resources/read", "{\"uri\":\"toy://nothing\"}", ""),
    ("no/method", "{}", ""),
  ]

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
