// A section as a resource, what completes its name, and who is told of changes.

import Testing

@testable import BananaServer
@testable import JSON

@Suite struct SectionResourceTests {
  private func read(_ uri: String, _ server: TestServer) throws -> JSONValue {
    try server.answer("resources/read", ["uri": JSONValue(uri)])
  }

  private func text(_ uri: String, _ server: TestServer) throws -> String {
    try #require(read(uri, server)["result"]?["contents"]?.elements.first?["text"]?.string)
  }

  @Test func theTemplate() throws {
    let templates = try TestServer(weekend).request("resources/templates/list")["resourceTemplates"]
    #expect(
      templates?.elements.compactMap { $0["uriTemplate"]?.string } == ["shopping-list://section/{section}"])
    #expect(templates?.elements.first?["mimeType"]?.string == "text/markdown")
  }

  @Test(arguments: [
    "shopping-list://section/Produce", "shopping-list://section/produce", "shopping-list://section/PRODUCE",
    "shopping-list://section/%50roduce", "shopping-list://section/%20produce%20",
  ])
  func aSectionByWhateverSpelling(uri: String) throws {
    #expect(try text(uri, TestServer(weekend)) == "## Produce\n\n- [ ] Bananas (6)\n- [x] Apples\n")
  }

  @Test func namesThatNeedEncoding() throws {
    let server = try TestServer(
      #"{"sections":["Käse & Wurst","a/b"],"items":[{"name":"Brie","section":"Käse & Wurst"}]}"#)
    for uri in [
      "shopping-list://section/K%C3%A4se%20%26%20Wurst", "shopping-list://section/Käse & Wurst",
      "shopping-list://section/ka%CC%88se%20%26%20wurst",
    ] {
      #expect(try text(uri, server) == "## Käse & Wurst\n\n- [ ] Brie\n")
    }
    #expect(try text("shopping-list://section/a%2Fb", server) == "## a/b\n\n*Empty.*\n")
  }

  @Test(arguments: ["Bakery", "", "none", "Produce/", "%", "%FF"])
  func whatIsNoSectionIsNotFound(name: String) throws {
    let uri = "shopping-list://section/\(name)"
    let error = try read(uri, TestServer(weekend))["error"]
    #expect(error?["code"]?.int64 == -32002)
    #expect(error?["data"]?["uri"]?.string == uri)
  }

  @Test func aBrokenListIsAnErrorNotEmptyContents() throws {
    let server = try TestServer("{\"items\": [")
    for answer in [
      try read("shopping-list://section/Produce", server), try complete("", server),
      try server.answer("resources/subscribe", ["uri": "shopping-list://section/Produce"]),
    ] {
      #expect(answer["error"]?["code"]?.int64 == -32603)
      #expect(answer["error"]?["message"]?.string?.contains("BananaList.json") == true)
    }
  }

  // MARK: Completion

  private func complete(_ start: String, _ server: TestServer) throws -> JSONValue {
    try server.answer(
      "completion/complete",
      [
        "ref": ["type": "ref/resource", "uri": "shopping-list://section/{section}"],
        "argument": ["name": "section", "value": JSONValue(start)],
      ])
  }

  private func completions(_ start: String, _ server: TestServer) throws -> [String] {
    try complete(start, server)["result"]?["completion"]?["values"]?.elements.compactMap(\.string) ?? []
  }

  @Test func sectionsByHowTheyBeginOrElseByWhatTheyContain() throws {
    let server = try TestServer(#"{"sections":["Wine Bar","Bakery","Babies","Órganic bread"]}"#)
    #expect(try completions("", server) == ["Wine Bar", "Bakery", "Babies", "Órganic bread"])
    #expect(try completions("BA", server) == ["Bakery", "Babies"])
    #expect(try completions("bar", server) == ["Wine Bar"])
    #expect(try completions("o\u{301}rg", server) == ["Órganic bread"])
    #expect(try completions("xyz", server) == [])
  }

  @Test func noMoreThanAHundred() throws {
    let names = (1...130).map { "\"s\($0)\"" }.joined(separator: ",")
    let completion = try complete("s", TestServer(#"{"sections":[\#(names)]}"#))["result"]?["completion"]
    #expect(completion?["values"]?.elements.count == 100)
    #expect(completion?["total"]?.int64 == 130)
    #expect(completion?["hasMore"]?.bool == true)
  }

  // MARK: Changes

  @Test func everySubscriberIsToldOfEveryChangeAndOfNothingElse() throws {
    let server = try TestServer(weekend)
    let uris = ["shopping-list://current", "shopping-list://current.md", "shopping-list://section/dairy"]
    for uri in uris { _ = try server.request("resources/subscribe", ["uri": JSONValue(uri)]) }
    func told() throws -> [String] {
      try server.session.resourcesMayHaveChanged().compactMap {
        try JSONValue(parsing: $0)["params"]?["uri"]?.string
      }
    }
    #expect(try told() == [])
    try server.replaceFile(weekend.replacing("  ", with: "\t"))
    #expect(try told() == [], "only the style is another")
    _ = try server.call("update_item", #"{"name":"Flour","checked":true}"#)
    #expect(try told() == uris)
    #expect(try told() == [])
    try server.replaceFile("{\"items\": [")
    #expect(try told() == [], "nobody can say what it is now")
    try server.replaceFile(weekend)
    #expect(try told() == uris)
  }

  @Test func whatIsNoSectionCannotBeSubscribedTo() throws {
    let error = try TestServer(weekend).answer(
      "resources/subscribe", ["uri": "shopping-list://section/Bakery"])
    #expect(error["error"]?["code"]?.int64 == -32002)
  }

  @Test func withoutAWatchThereAreNoSubscriptions() throws {
    let server = try TestServer(weekend)
    #expect(BananaServer.definition(store: server.store).changes == nil)
  }
}
