// Every row of the table of mistakes: what is sent, and what comes back, to the byte where it matters.

import JSON
import Testing

@testable import MCP

@Suite("Mistakes")
struct MistakeTests {
  /// The code and id of the only answer to a line; the id as it is written, "–" when there is none.
  private func answer(_ line: String, in revision: Revision? = nil) -> (code: Int64?, id: String) {
    let frames = Client(revision: revision).send(line)
    #expect(frames.count == 1, "\(line)")
    let frame = parse(frames.first ?? "")
    #expect(frame["jsonrpc"]?.string == "2.0")
    return (frame.errorCode, frame["id"].map(compact) ?? "–")
  }

  // MARK: - Lines

  @Test(
    "what is not JSON is a parse error with the byte offset",
    arguments: [("{\"jsonrpc\":\"2.0\",}", 16), ("hello", 0), ("{\"a\":1} x", 8), ("\u{FEFF}{1}", 4)])
  func parseError(line: String, offset: Int) {
    let client = Client()
    let frame = parse(client.send(line)[0])
    #expect(frame.errorCode == -32700)
    #expect(frame.errorMessage?.hasSuffix(" at byte \(offset)") == true, "\(frame.errorMessage ?? "")")
    #expect(client.call("ping")["result"] != nil, "the next line is served")
  }

  @Test("invalid UTF-8 and more than 512 levels are parse errors")
  func unreadable() {
    let client = Client()
    let invalid = client.session.handle(line: Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8))
    #expect(parse(invalid[0]).errorCode == -32700)
    #expect(parse(invalid[0]).errorMessage?.hasSuffix(" at byte 6") == true)

    func nested(_ levels: Int) -> String {
      let open = String(repeating: "[", count: levels - 1)
      let close = String(repeating: "]", count: levels - 1)
      return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\(open)\(close)}"
    }
    #expect(parse(client.send(nested(512))[0])["result"] != nil)
    #expect(parse(client.send(nested(513))[0]).errorCode == -32700)
  }

  @Test("an oversized line is refused once, and the next line is served")
  func oversized() {
    let client = Client()
    client.session.acceptOversizedLine()
    client.session.accept(line: Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".utf8))
    #expect(
      client.session.serveNext().map { $0.map { compact(parse($0)) } } == [
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":"
          + "\"a line may have at most 16777216 bytes; this one was skipped\"}}"
      ])
    #expect(client.session.serveNext()?.count == 1)
    #expect(client.session.serveNext() == nil)
  }

  @Test(
    "an array is refused as a whole in every revision without batches",
    arguments: Revision.allCases.filter { $0 != .march2025 },
    ["[]", "[1]", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]"])
  func batch(revision: Revision, line: String) {
    #expect(answer(line, in: revision).code == -32600)
  }

  // MARK: - Requests

  @Test(
    "what is no request of JSON-RPC 2.0 is refused, with the id if there is one",
    arguments: [
      ("1", "–"), ("null", "–"), ("\"ping\"", "–"), ("true", "–"), ("{}", "–"),
      ("{\"id\":1,\"method\":\"ping\"}", "1"),
      ("{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", "\"a\""),
      ("{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", "1"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1}", "1"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "1"),
      ("{\"jsonrpc\":\"2.0\",\"method\":7}", "–"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}", "1"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\"x\"}", "1"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[1]}", "1"),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":false}", "1"),
    ])
  func invalidRequest(line: String, id: String) {
    let answer = answer(line)
    #expect(answer.code == -32600, "\(line)")
    #expect(answer.id == id, "\(line)")
  }

  @Test("params of null and [] count as absent", arguments: ["null", "[]", "[ ]", "{}"])
  func absentParams(params: String) {
    let frames = Client().send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\(params)}")
    #expect(frames == ["{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"])
  }

  @Test(
    "ids come back as they were written",
    arguments: [
      "0", "\"\"", "\"1\"", "1", "1.0", "-7", "12345678901234567890", "1e2", "1.50e1", "100e-2", "0.0",
      "1e400",
      "\"\\u00e9\"", "\"\\ud800\"", "\"a\\/b\"",
    ])
  func ids(id: String) {
    let client = Client()
    #expect(
      client.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}") == [
        "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{}}"
      ])
    let error = client.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"nothing\"}")
    #expect(error.first?.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":-32601") == true)
  }

  @Test(
    "an id that is neither a string nor an integer is refused, and not repeated",
    arguments: ["null", "true", "1.5", "1e-1", "{}", "[1]"])
  func unreadableID(id: String) {
    let line = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}"
    for revision: Revision? in [nil, .november2025] {
      #expect(answer(line, in: revision) == (-32600, "–"))
    }
    for revision in Revision.allCases where revision <= .june2025 {
      #expect(answer(line, in: revision) == (-32600, "null"))
      #expect(answer("{", in: revision) == (-32700, "null"))
    }
  }

  @Test("an error to an envelope with an unreadable id has none, whatever was negotiated")
  func unreadableModernID() {
    let params = compact(Client.enveloped(.object([])))
    let line = "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/list\",\"params\":\(params)}"
    #expect(answer(line, in: .november2024) == (-32600, "–"))
  }

  @Test(
    "a notification is never answered, however wrong",
    arguments: [
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard-of\"}",
      "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"pester\"}}",
      "{\"jsonrpc\":\"2.0\",\"method\":\"initialize\"}",
      "{\"method\":\"ping\"}", "{\"method\":\"\",\"params\":7,\"result\":1}",
      "{\"jsonrpc\":\"1.0\",\"method\":\"tools/list\",\"params\":[1]}",
    ])
  func notification(line: String) {
    let client = Client(revision: .march2025)
    #expect(client.send(line) == [])
    #expect(client.logged == [], "nothing was run")
  }

  @Test(
    "a response is ignored",
    arguments: [
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
      "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32601,\"message\":\"no\"}}",
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}",
      "{\"id\":1.5,\"result\":7}",
    ])
  func response(line: String) {
    #expect(Client().send(line) == [])
  }

  // MARK: - Methods and their params

  @Test("an unknown method is named", arguments: Revision.allCases)
  func unknownMethod(revision: Revision) {
    let error = Client(revision: revision).call("tools/uncall", in: revision)
    #expect(error.errorCode == -32601)
    #expect(error.errorMessage == "method not found: tools/uncall")
  }

  @Test("a huge method name does not come back whole")
  func hugeMethod() {
    let error = Client().call("x\n" + String(repeating: "y", count: 100_000))
    #expect(error.errorMessage == "method not found: x " + String(repeating: "y", count: 77) + "…")
  }

  @Test(
    "tools/call without a tool or with ill-typed arguments is refused", arguments: Revision.allCases,
    [
      "{}", "{\"name\":null}", "{\"name\":7}", "{\"name\":\"\"}", "{\"name\":\"Echo\"}", "{\"name\":\"no\"}",
      "{\"name\":\"echo\",\"arguments\":7}", "{\"name\":\"echo\",\"arguments\":[]}",
      "{\"name\":\"echo\",\"arguments\":\"\"}", "{\"name\":\"echo\",\"arguments\":\"[]\"}",
      "{\"name\":\"echo\",\"arguments\":\"{\"}", "{\"name\":\"echo\",\"arguments\":true}",
    ])
  func badCall(revision: Revision, params: String) {
    let error = Client(revision: revision).call("tools/call", parse(params), in: revision)
    #expect(error.errorCode == -32602, "\(params)")
  }

  @Test("an unknown tool is told the known ones")
  func unknownTool() {
    let error = Client().call("tools/call", ["name": "no"])
    #expect(error.errorMessage == "unknown tool no; known are echo, ask, pester, careful")
  }

  @Test(
    "arguments may be missing, null or the JSON text of an object",
    arguments: [
      ("{}", "no text"), ("{\"arguments\":null}", "no text"), ("{\"arguments\":{}}", "no text"),
      ("{\"arguments\":\" {} \"}", "no text"), ("{\"arguments\":\"{\\\"text\\\":\\\"hi\\\"}\"}", "hi"),
    ])
  func arguments(params: String, text: String) {
    let params = JSONValue.object([("name", "echo")] + parse(params).members.map { ($0.key, $0.value) })
    #expect(Client().call("tools/call", params).text == text)
  }

  @Test("what a tool refuses is a result for the model, without a structure", arguments: Revision.allCases)
  func refused(revision: Revision) {
    let answer = Client(revision: revision).call("tools/call", ["name": "echo"], in: revision)
    #expect(answer["result"]?["isError"]?.bool == true)
    #expect(answer["result"]?["structuredContent"] == nil)
    #expect(answer.text == "no text")
  }

  @Test("an unknown resource has the code of its era and its URI", arguments: Revision.allCases)
  func unknownResource(revision: Revision) {
    for uri in ["toy://nothing", "", "TOY://greeting", "toy://greeting/"] {
      let error = Client(revision: revision).call("resources/read", ["uri": JSONValue(uri)], in: revision)
      #expect(error.errorCode == (revision.era == .legacy ? -32002 : -32602))
      #expect(error["error"]?["data"].map(compact) == compact(["uri": JSONValue(uri)]))
    }
  }

  @Test("resources/read without a URI is refused", arguments: Revision.allCases, ["{}", "{\"uri\":7}"])
  func missingURI(revision: Revision, params: String) {
    let error = Client(revision: revision).call("resources/read", parse(params), in: revision)
    #expect(error.errorCode == -32602)
    #expect(error["error"]?["data"] == nil)
  }

  @Test("contents that cannot be read are an internal error with the reason", arguments: Revision.allCases)
  func unreadableResource(revision: Revision) {
    let error = Client(revision: revision).call("resources/read", ["uri": "toy://broken"], in: revision)
    #expect(error.errorCode == -32603)
    #expect(error.errorMessage == "the disk is on fire; nothing was changed")
  }

  @Test("a failure of our own tells its details to the log only", arguments: Revision.allCases)
  func ownFailure(revision: Revision) {
    let client = Client(revision: revision)
    let error = client.call("tools/call", ["name": "pester"], in: revision)
    #expect(error.errorCode == -32603)
    #expect(error.errorMessage == "the call could not be finished")
    #expect(client.logged == ["tool pester went on asking after 4 answers"])
  }

  @Test("a cursor of null or \"\" is the first page, any other is refused", arguments: Revision.allCases)
  func cursor(revision: Revision) {
    let client = Client(revision: revision)
    let modern = ["tools/list", "resources/list", "resources/templates/list"]
    for method in revision.era == .legacy ? modern + ["prompts/list"] : modern {
      for cursor: JSONValue in [.null, ""] {
        #expect(client.call(method, ["cursor": cursor], in: revision)["result"] != nil)
      }
      for cursor: JSONValue in ["x", 1, true, [:], []] {
        #expect(client.call(method, ["cursor": cursor], in: revision).errorCode == -32602)
      }
    }
  }
}
