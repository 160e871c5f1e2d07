import Foundation
import Testing

@testable import BananaServer
@testable import JSON

@Suite struct DeclarationTests {
  private func tools() throws -> [JSONValue] {
    Array(try #require(try TestServer(weekend).request("tools/list")["tools"]).elements)
  }

  @Test func namesTitlesAndHints() throws {
    let expected: [String: (title: String, hints: [Bool])] = [
      "get_shopping_list": ("Show the shopping list", [true, false, true, false]),
      "add_item": ("Add items", [false, false, false, false]),
      "remove_item": ("Remove items", [false, true, true, false]),
      "update_item": ("Change items", [false, false, true, false]),
      "update_shopping_list": ("Replace the whole list", [false, true, true, false]),
    ]
    let tools = try tools()
    #expect(Set(tools.compactMap { $0["name"]?.string }) == Set(expected.keys))
    for tool in tools {
      let name = try #require(tool["name"]?.string)
      let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].map {
        tool["annotations"]?[$0]?.bool
      }
      #expect(tool["title"]?.string == expected[name]?.title)
      #expect(hints == expected[name]?.hints)
    }
  }

  @Test func schemasAreFlatAndPlain() throws {
    for tool in try tools() {
      let input = try #require(tool["inputSchema"])
      #expect(input["type"]?.string == "object")
      #expect(input["additionalProperties"]?.bool == false)
      check(input, isNested: false)
      check(try #require(tool["outputSchema"]), isNested: false)
      for property in try #require(input["properties"]).members {
        let description = property.value["description"]?.string
        #expect(description?.isEmpty == false, "\(property.key) is described")
        let nested = property.value["items"]?["properties"]
        for inner in nested.map({ Array($0.members) }) ?? [] {
          #expect(inner.value["description"] == nil, "nested rows carry types only")
        }
      }
    }
  }

  private func check(_ schema: JSONValue, isNested: Bool) {
    let allowed = ["type", "properties", "items", "enum", "description", "additionalProperties", "required"]
    #expect(schema["type"]?.string != nil, "a type on every property")
    for member in schema.members {
      #expect(allowed.contains(member.key), "\(member.key) is more than hosts take")
      if member.key == "properties" {
        for property in member.value.members { check(property.value, isNested: true) }
      }
      if member.key == "items" { check(member.value, isNested: true) }
    }
  }

  @Test func sizes() throws {
    let result = try TestServer(weekend).request("tools/list")
    #expect(result.sourceBytes.count < 12_288)
    for tool in try tools() { #expect((tool["description"]?.string ?? "").utf8.count < 1_024) }
  }

  /// What clients see, held fast: a change here is a change for every host.
  @Test func snapshot() throws {
    let server = try TestServer(weekend)
    var text = ""
    for method in ["initialize", "tools/list", "resources/list"] {
      let result = try server.request(
        method, method == "initialize" ? ["protocolVersion": "2025-11-25"] : [:])
      let value = try JSONSerialization.jsonObject(with: Data(result.sourceBytes))
      let pretty = try JSONSerialization.data(
        withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
      text += "// \(method)\n" + String(decoding: pretty, as: UTF8.self) + "\n"
    }
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Golden/declarations.txt")
    if ProcessInfo.processInfo.environment["RENEW_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }
}

@Suite struct ResourceTests {
  private func read(_ uri: String, _ server: TestServer) throws -> String {
    let contents = try #require(try server.request("resources/read", ["uri": JSONValue(uri)])["contents"])
    try #require(contents.elements.count == 1)
    return try #require(contents.elements.first?["text"]?.string)
  }

  @Test func theFileAsItIs() throws {
    #expect(try read("shopping-list://current", TestServer(weekend)) == weekend)
  }

  @Test func theEmptyListAsItWouldBeWritten() throws {
    let server = try TestServer()
    let text = try read("shopping-list://current", server)
    #expect(text == "{\n  \"schemaVersion\": 1,\n  \"sections\": [],\n  \"items\": []\n}\n")
    _ = try server.call("add_item", #"{"name":"Milk"}"#)
    #expect(
      try #require(server.file).hasPrefix(
        "{\n  \"schemaVersion\": 1,\n  \"sections\": [],\n  \"items\": [\n    {\n"))
  }

  @Test func theChecklist() throws {
    #expect(
      try read("shopping-list://current.md", TestServer(weekend)) == """
        # Shopping list

        ## Produce

        - [ ] Bananas (6)
        - [x] Apples

        ## Dairy

        - [ ] Milk (2 l) *optional*

        ## No section

        - [ ] Flour

        """)
    #expect(try read("shopping-list://current.md", TestServer()) == "# Shopping list\n\n*Empty.*\n")
  }

  @Test func markupInNamesShowsAsItIs() throws {
    let server = try TestServer(#"{"items":[{"id":"1","name":"<img src=x> *bold* [link](x) `code`"}]}"#)
    #expect(
      try read("shopping-list://current.md", server)
        == "# Shopping list\n\n- [ ] \\<img src=x\\> \\*bold\\* \\[link\\](x) \\`code\\`\n")
  }

  @Test func aBrokenListIsAnErrorNotEmptyContents() throws {
    for uri in ["shopping-list://current", "shopping-list://current.md"] {
      let answer = try TestServer("{\"items\": [").answer("resources/read", ["uri": JSONValue(uri)])
      #expect(answer["error"]?["code"]?.int64 == -32603)
      #expect(answer["error"]?["message"]?.string?.contains("BananaList.json") == true)
    }
  }

  @Test func anUnknownResource() throws {
    let answer = try TestServer(weekend).answer("resources/read", ["uri": "shopping-list://other"])
    #expect(answer["error"]?["code"]?.int64 == -32002)
    #expect(answer["error"]?["data"]?["uri"]?.string == "shopping-list://other")
  }
}
