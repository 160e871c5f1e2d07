// Resources of one form: what their URIs are, and what completes them.

import JSON
import Testing

@testable import MCP

@Suite("Resource templates")
struct ResourceTemplateTests {
  @Test("the list of templates", arguments: Revision.allCases)
  func listed(revision: Revision) {
    let result = Client(revision: revision).call("resources/templates/list", in: revision)["result"]
    let template = result?["resourceTemplates"]?.elements.first
    #expect(template?["uriTemplate"]?.string == "toy://shelf/{name}")
    #expect(template?["name"]?.string == "shelf")
    #expect((template?["title"] != nil) == (revision >= .june2025))
    #expect(template?["mimeType"]?.string == "text/plain")
    #expect(compact(template?["annotations"]) == "{\"audience\":[\"user\"],\"priority\":0.25}")
  }

  @Test(
    "a URI's variable is percent-decoded, and what should have been encoded is taken as it is",
    arguments: [
      ("toy://shelf/bottom", "bottom: dolls"), ("toy://shelf/top%20shelf", "top shelf: dolls"),
      ("toy://shelf/top shelf", "top shelf: dolls"), ("toy://shelf/%62ottom", "bottom: dolls"),
      ("toy://shelf/K%C3%A4se%2FWurst", "Käse/Wurst: dolls"),
      ("toy://shelf/K%c3%a4se/Wurst", "Käse/Wurst: dolls"),
      ("toy://shelf/Käse/Wurst", "Käse/Wurst: dolls"),
    ])
  func read(uri: String, text: String) {
    for revision in [Revision.november2024, .july2026] {
      let result = Client(revision: revision).call("resources/read", ["uri": JSONValue(uri)], in: revision)[
        "result"]
      let contents = result?["contents"]?.elements.first
      #expect(contents?["text"]?.string == text)
      #expect(contents?["uri"]?.string == uri, "as it was asked for")
      #expect(contents?["mimeType"]?.string == "text/plain")
      #expect(compact(result?["ttlMs"]) == (revision.era == .modern ? "0" : "absent"))
    }
  }

  @Test(
    "what is none of its resources is not found, with its URI",
    arguments: [
      "toy://shelf/", "toy://shelf", "toy://shelf/attic", "toy://shelf/{name}", "toy://shelf/bottom%2",
      "toy://shelf/bottom%", "toy://shelf/%zz", "toy://shelf/%FF", "TOY://shelf/bottom",
    ])
  func notFound(uri: String) {
    for revision in Revision.allCases {
      let error = Client(revision: revision).call("resources/read", ["uri": JSONValue(uri)], in: revision)
      #expect(error.errorCode == (revision.era == .legacy ? -32002 : -32602))
      #expect(error["error"]?["data"]?["uri"]?.string == uri)
    }
  }

  @Test("one that cannot be read is an internal error with the reason")
  func unreadable() {
    let error = Client().call("resources/read", ["uri": "toy://shelf/locked"])
    #expect(error.errorCode == -32603)
    #expect(error.errorMessage == "the key is lost")
  }
}

@Suite("Completion")
struct CompletionTests {
  private func params(_ value: String, uri: String = "toy://shelf/{name}", name: String = "name") -> JSONValue {
    [
      "ref": ["type": "ref/resource", "uri": JSONValue(uri)],
      "argument": ["name": JSONValue(name), "value": JSONValue(value)],
    ]
  }

  @Test("the values of a template's variable", arguments: Revision.allCases)
  func values(revision: Revision) {
    let result = Client(revision: revision).call("completion/complete", params("to"), in: revision)["result"]
    #expect(compact(result?["completion"]) == "{\"values\":[\"top shelf\"],\"total\":1,\"hasMore\":false}")
    #expect(compact(result?["ttlMs"]) == "absent")
    #expect(result?["resultType"]?.string == (revision.era == .modern ? "complete" : nil))
  }

  @Test("no more than a hundred, and how many there are")
  func many() {
    let completion = Client().call("completion/complete", params("b"))["result"]?["completion"]
    #expect(completion?["values"]?.elements.count == 100)
    #expect(completion?["values"]?.elements.first?.string == "bottom")
    #expect(completion?["total"]?.int64 == 121)
    #expect(completion?["hasMore"]?.bool == true)
  }

  @Test("nothing that fits is no error")
  func nothing() {
    let completion = Client().call("completion/complete", params("zzz"))["result"]?["completion"]
    #expect(compact(completion) == "{\"values\":[],\"total\":0,\"hasMore\":false}")
  }

  @Test(
    "what it is about must be known", arguments: Revision.allCases,
    [
      "{}", "{\"ref\":null}", "{\"ref\":\"toy://shelf/{name}\"}", "{\"ref\":{}}",
      "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"x\"},\"argument\":{\"name\":\"name\",\"value\":\"\"}}",
      "{\"ref\":{\"type\":\"ref/resource\"},\"argument\":{\"name\":\"name\",\"value\":\"\"}}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":7},\"argument\":{\"name\":\"name\",\"value\":\"\"}}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/\"},\"argument\":{\"name\":\"name\",\"value\":\"\"}}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/{name}\"}}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/{name}\"},\"argument\":\"name\"}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/{name}\"},\"argument\":{\"name\":\"name\"}}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/{name}\"},\"argument\":{\"name\":\"name\",\"value\":7}}",
      "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toy://shelf/{name}\"},\"argument\":{\"name\":\"x\",\"value\":\"\"}}",
    ])
  func unknown(revision: Revision, params: String) {
    let error = Client(revision: revision).call("completion/complete", parse(params), in: revision)
    #expect(error.errorCode == -32602, "\(params)")
  }

  @Test("values that cannot be had are an internal error with the reason")
  func unreadable() {
    let error = Client().call("completion/complete", params("locked"))
    #expect(error.errorCode == -32603)
    #expect(error.errorMessage == "the key is lost")
  }
}
