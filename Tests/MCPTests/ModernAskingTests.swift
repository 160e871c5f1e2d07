// Questions to the user in the modern era: an answer that asks, and the call sent anew.

import JSON
import Testing

@testable import MCP

@Suite("Asking, modern")
struct ModernAskingTests {
  private let client = Client()

  private static let yes = "{\"action\":\"accept\",\"content\":{\"confirm\":true}}"

  /// Calls a tool, with answers if there are any.
  private func call(
    _ tool: String, _ responses: String? = nil, arguments: JSONValue = [:],
    capabilities: String = "{\"elicitation\":{}}",
    more: [(key: String, value: JSONValue)] = []
  ) -> JSONValue {
    var params: [(key: String, value: JSONValue)] =
      [("name", JSONValue(tool)), ("arguments", arguments)] + more
    if let responses { params.append(("inputResponses", parse(responses))) }
    let enveloped = Client.enveloped(.object(params), capabilities: parse(capabilities))
    let line = JSONValue.object([
      ("jsonrpc", "2.0"), ("id", 1), ("method", "tools/call"), ("params", enveloped),
    ])
    let frames = client.send(compact(line))
    #expect(frames.count == 1)
    return parse(frames.first ?? "")
  }

  @Test("the question is the answer, under its key, without an id and without a state")
  func question() {
    #expect(
      compact(call("careful")) == """
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"careful":\
        {"method":"elicitation/create","params":{"mode":"form","message":"Really?","requestedSchema":\
        {"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes","description":\
        "It cannot be undone."}},"required":["confirm"]}}}},"_meta":{"io.modelcontextprotocol/serverInfo":\
        {"name":"toy","version":"1.2.3","title":"Toy"}}}}
        """)
    #expect(client.session.deadline == nil, "nothing waits")
  }

  @Test("the retry with a yes is done; all else is a no")
  func answers() {
    #expect(call("careful", "{\"careful\":\(Self.yes)}").text == "done")
    for no in [
      "{\"action\":\"accept\"}", "{\"action\":\"accept\",\"content\":{\"confirm\":false}}",
      "{\"action\":\"decline\"}",
      "{\"action\":\"cancel\"}", "{\"action\":\"accept\",\"content\":7}",
    ] {
      #expect(call("careful", "{\"careful\":\(no)}").text == "not done: refused", "\(no)")
    }
  }

  @Test(
    "an entry of ours without a valid action is refused",
    arguments: ["{}", "7", "{\"action\":\"yes\"}", "null"])
  func invalidEntry(entry: String) {
    #expect(call("careful", "{\"careful\":\(entry)}").errorCode == -32602)
  }

  @Test("inputResponses must be an object", arguments: ["7", "[]", "\"x\"", "true"])
  func invalidResponses(responses: String) {
    #expect(call("careful", responses).errorCode == -32602)
    #expect(call("echo", responses).errorCode == -32602, "whatever the tool")
  }

  @Test("null is none")
  func noResponses() {
    #expect(call("careful", "null")["result"]?["resultType"]?.string == "input_required")
  }

  @Test("other keys and any state are ignored; without our key it is asked again")
  func otherKeys() {
    let result = call("careful", "{\"other\":{\"action\":\"yes\"}}", more: [("requestState", 7)])["result"]
    #expect(result?["resultType"]?.string == "input_required")
    #expect(
      call("careful", "{\"other\":7,\"careful\":\(Self.yes)}", more: [("requestState", "x")]).text == "done")
  }

  @Test("several questions of one call are asked one after the other")
  func several() {
    var responses: [String] = []
    for key in ["toy-4", "toy-3", "toy-2", "toy-1"] {
      let result = call("ask", responses.isEmpty ? nil : "{\(responses.joined(separator: ","))}")["result"]
      #expect(result?["inputRequests"]?.members.map(\.key) == [key])
      responses.append("\"\(key)\":\(Self.yes)")
    }
    #expect(
      call("ask", "{\(responses.joined(separator: ","))}").text
        == "can ask, confirmed, confirmed, confirmed, confirmed")
  }

  @Test("a call is asked about once and again at most three times, then it goes on without its user")
  func limit() {
    for _ in 1...4 {
      #expect(call("careful", "{}")["result"]?["resultType"]?.string == "input_required")
      #expect(
        call("careful", "{}", arguments: ["text": "x"])["result"]?["resultType"]?.string == "input_required",
        "another call counts by itself")
    }
    #expect(call("careful", "{}").text == "not done: unavailable")
    #expect(
      call("careful", "{}")["result"]?["resultType"]?.string == "input_required", "it was over with that")
    #expect(call("careful")["result"]?["resultType"]?.string == "input_required")
  }

  @Test("a call without answers begins anew")
  func fresh() {
    for _ in 1...10 { #expect(call("careful")["result"]?["resultType"]?.string == "input_required") }
  }

  @Test(
    "whether the client can be asked, this request says",
    arguments: [
      ("{}", false), ("{\"elicitation\":{}}", true), ("{\"elicitation\":{\"form\":{}}}", true),
      ("{\"elicitation\":{\"url\":{}}}", false), ("{\"elicitation\":7}", false),
    ])
  func capabilities(capabilities: String, canAsk: Bool) {
    client.handshake(.november2025, capabilities: canAsk ? "{}" : "{\"elicitation\":{}}")
    let answer = call("careful", capabilities: capabilities)
    #expect((answer["result"]?["resultType"]?.string == "input_required") == canAsk)
    if !canAsk { #expect(answer.text == "nobody can be asked") }
  }

  @Test("a legacy call ignores what comes with it")
  func legacy() {
    client.handshake(.november2025, capabilities: "{\"elicitation\":{}}")
    let frames = client.send(Client.toolCall("1", "careful", ",\"inputResponses\":{\"careful\":\(Self.yes)}"))
    #expect(frames.map { parse($0)["method"]?.string } == ["elicitation/create"])
  }

  @Test("what is remembered of calls is little")
  func rounds() {
    var rounds = QuestionRounds()
    for number in 0..<100 { #expect(rounds.begin([UInt8(number)]) == 1) }
    #expect(rounds.begin([99]) == 2)
    #expect(rounds.begin([84]) == 2)
    #expect(rounds.begin([0]) == 1, "forgotten long ago")
    rounds.forget([99])
    #expect(rounds.begin([99]) == 1)
  }
}
