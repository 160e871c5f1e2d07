// The list view as clients get it. What the page does is tried in a browser (Tests/View).

import Foundation
import Testing

@testable import BananaServer
@testable import JSON
@testable import MCP

@Suite struct ListViewTests {
  private let uri = "ui://get-bananas/list.html"

  private func html() throws -> String {
    let contents = try TestServer().request("resources/read", ["uri": JSONValue(uri)])["contents"]
    return try #require(contents?.elements.first { _ in true }?["text"]?.string)
  }

  /// The result of a request in a revision, of a client that says nothing about MCP Apps.
  private func result(_ method: String, _ params: JSONValue = [:], in revision: Revision) throws -> JSONValue {
    let server = try TestServer()
    guard revision.era == .modern else {
      _ = try server.request("initialize", ["protocolVersion": JSONValue(revision.rawValue)])
      return try server.request(method, params)
    }
    let envelope: JSONValue = [
      "io.modelcontextprotocol/protocolVersion": JSONValue(revision.rawValue),
      "io.modelcontextprotocol/clientCapabilities": [:],
    ]
    return try server.request(method, .object(params.members.map { ($0.key, $0.value) } + [("_meta", envelope)]))
  }

  @Test(arguments: Revision.allCases) func oneToolNamesIt(revision: Revision) throws {
    let tools = try #require(result("tools/list", in: revision)["tools"]).elements
    let named = tools.filter { $0["_meta"] != nil }
    guard revision >= .june2025 else {
      #expect(named.isEmpty, "the revision has no _meta there")
      return
    }
    try #require(named.count == 1)
    let tool = named[0]
    #expect(tool["name"]?.string == "get_shopping_list")
    #expect(tool["_meta"]?.isEquivalent(to: ["ui": ["resourceUri": JSONValue(uri)]]) == true)
  }

  @Test(arguments: Revision.allCases) func itIsServed(revision: Revision) throws {
    let listed = try #require(result("resources/list", in: revision)["resources"]).elements
    let entry = try #require(listed.first { $0["uri"]?.string == uri })
    #expect(entry["mimeType"]?.string == "text/html;profile=mcp-app")
    let contents = try #require(result("resources/read", ["uri": JSONValue(uri)], in: revision)["contents"]).elements
    try #require(contents.count == 1)
    let content = try #require(contents.first { _ in true })
    #expect(content["uri"]?.string == uri)
    #expect(content["mimeType"]?.string == "text/html;profile=mcp-app")
    let meta = content["_meta"]
    #expect((meta != nil) == (revision >= .june2025))
    // No domains: the host lets it load nothing.
    #expect(meta?.isEquivalent(to: ["ui": ["prefersBorder": true]]) ?? true)
  }

  @Test func theExtensionIsDeclaredWhereTheRevisionHasExtensions() throws {
    let discovered = try result("server/discover", in: .july2026)["capabilities"]
    #expect(discovered?["extensions"]?.isEquivalent(to: ["io.modelcontextprotocol/ui": [:]]) == true)
    let initialized = try TestServer().request("initialize", ["protocolVersion": "2025-11-25"])["capabilities"]
    #expect(initialized != nil && initialized?["extensions"] == nil)
  }

  /// Some hosts show a result in the page only, others show no pages: both have all of it.
  @Test func theResultIsCompleteWithoutIt() throws {
    let answer = try TestServer(weekend).call("get_shopping_list")
    #expect(answer.names("items") == ["Bananas", "Apples", "Milk", "Flour"])
    for name in answer.names("items") { #expect(answer.text.contains(name)) }
  }

  @Test func thePageIsTheFileOfTheSources() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/BananaServer/Resources/list.html")
    #expect(try html() == String(contentsOf: file, encoding: .utf8))
  }

  @Test func thePageIsSmallWholeAndHarmless() throws {
    let html = try html()
    #expect(html.hasPrefix("<!DOCTYPE html>\n"))
    #expect(html.hasSuffix("</html>\n"))
    #expect(html.utf8.count < 40 * 1024)
    for forbidden in [
      "http:", "https:", "eval(", "new Function", "innerHTML", "outerHTML", "insertAdjacent", "document.write",
      "<link", "<form", "src=", "url(", "@import", "fetch(", "localStorage",
    ] {
      #expect(!html.contains(forbidden), "\(forbidden)")
    }
  }
}
