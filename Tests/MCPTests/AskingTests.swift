// Questions to the user in the legacy era: a request of ours, and a call that waits for its answer.

import JSON
import Testing

@testable import MCP

@Suite("Asking, legacy")
struct AskingTests {
  private static let elicitation = "{\"elicitation\":{}}"
  private let client = Client(revision: .november2025, capabilities: elicitation)

  /// An answer of the client's to a question of ours.
  private func answer(_ id: String, _ result: String) -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\"\(id)\",\"result\":\(result)}"
  }

  private static let yes = "{\"action\":\"accept\",\"content\":{\"confirm\":true}}"

  /// The id of the call that is answered and the text of the answer.
  private func text(_ frames: [String]) -> String {
    frames.map { frame in
      let frame = parse(frame)
      return "\(compact(frame["id"])): \(frame.text ?? compact(frame))"
    }.joined(separator: "\n")
  }

  // MARK: - The question and its answer

  @Test("the question is a request of ours, with a form of one box that has no default")
  func question() {
    #expect(
      client.send(Client.toolCall("7", "careful")) == [
        """
        {"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"mode":"form","message":"Really?",\
        "requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Yes",\
        "description":"It cannot be undone."}},"required":["confirm"]}}}
        """
      ])
  }

  @Test("who leaves many questions open is not asked any more")
  func limit() {
    for call in 1...OpenQuestions.limit {
      #expect(client.send(Client.toolCall("\(call)", "careful")).allSatisfy { $0.contains("elicitation/create") })
    }
    #expect(text(client.send(Client.toolCall("\"more\"", "careful"))) == "\"more\": not done: unavailable")
    #expect(client.session.questions.waiting.count == OpenQuestions.limit)
    #expect(text(client.send(answer("ask-3", Self.yes))) == "3: done")
    #expect(client.send(Client.toolCall("\"again\"", "careful")).first?.contains("elicitation/create") == true)
  }

  @Test("accepting with the tick is a yes, and the call is answered")
  func accepted() {
    _ = client.send(Client.toolCall("7", "careful"))
    #expect(text(client.send(answer("ask-1", Self.yes))) == "7: done")
    #expect(client.session.deadline == nil)
  }

  @Test(
    "all else is a no",
    arguments: [
      "{\"action\":\"accept\"}", "{\"action\":\"accept\",\"content\":{}}",
      "{\"action\":\"accept\",\"content\":[]}",
      "{\"action\":\"accept\",\"content\":{\"confirm\":false}}", "{\"action\":\"decline\"}",
      "{\"action\":\"accept\",\"content\":{\"confirm\":\"true\"}}", "{\"action\":\"cancel\"}",
      "{\"action\":\"decline\",\"content\":{\"confirm\":true}}", "{\"action\":\"yes\"}", "{}", "null", "true",
    ])
  func refused(result: String) {
    _ = client.send(Client.toolCall("7", "careful"))
    let frames = client.send(answer("ask-1", result))
    #expect(text(frames) == "7: not done: refused")
    #expect(frames.map { parse($0)["result"]?["isError"]?.bool } == [true])
  }

  @Test("an error means that the client cannot ask after all")
  func error() {
    _ = client.send(Client.toolCall("7", "careful"))
    let frames = client.send(
      "{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"error\":{\"code\":-32601,\"message\":\"no\"}}")
    #expect(text(frames) == "7: not done: unavailable")
  }

  @Test("others are served while a call waits, and several may wait")
  func meanwhile() {
    _ = client.send(Client.toolCall("1", "careful"))
    #expect(client.send(Client.ping("2")) == [Client.pong("2")])
    #expect(client.send(Client.toolCall("3", "careful")).map { parse($0)["id"]?.string } == ["ask-2"])
    #expect(text(client.send(answer("ask-2", Self.yes))) == "3: done")
    #expect(text(client.send(answer("ask-1", "{\"action\":\"cancel\"}"))) == "1: not done: refused")
  }

  @Test("an answer to nothing is ignored")
  func unknownAnswer() {
    #expect(client.send(answer("ask-1", Self.yes)) == [])
    _ = client.send(Client.toolCall("1", "careful"))
    for id in ["\"ask-2\"", "1", "null", "[]", "\"ASK-1\""] {
      #expect(client.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\(Self.yes)}") == [])
    }
    #expect(client.send("{\"jsonrpc\":\"2.0\",\"result\":\(Self.yes)}") == [])
    #expect(text(client.send(answer("ask-1", Self.yes))) == "1: done")
    #expect(client.send(answer("ask-1", Self.yes)) == [], "a second one is too late")
  }

  @Test("a tool may ask four times; then it is told that nobody can be asked")
  func repeated() {
    func ask(_ tool: String, _ count: Int) -> String {
      var frames = client.send(Client.toolCall("1", tool))
      for _ in 0..<count {
        guard let id = parse(frames.first ?? "")["id"]?.string else { break }
        frames = client.send(answer(id, Self.yes))
      }
      return text(frames)
    }
    #expect(ask("ask", 4) == "1: can ask, confirmed, confirmed, confirmed, confirmed")
    #expect(ask("pester", 5) == "1: can ask, confirmed, confirmed, confirmed, confirmed, unavailable")
  }

  // MARK: - Whether it can be asked

  @Test(
    "whether a client can be asked, by revision and by what it says of itself",
    arguments: Revision.allCases.filter { $0.era == .legacy },
    [
      ("{}", false), ("{\"elicitation\":{}}", true), ("{\"elicitation\":{\"form\":{}}}", true),
      ("{\"elicitation\":{\"url\":{}}}", false), ("{\"elicitation\":{\"form\":{},\"url\":{}}}", true),
      ("{\"elicitation\":true}", false), ("{\"elicitation\":null}", false), ("{\"elicitation\":[]}", false),
      ("7", false),
      ("{\"sampling\":{}}", false),
    ])
  func canAsk(revision: Revision, row: (capabilities: String, canAsk: Bool)) {
    let client = Client(revision: revision, capabilities: row.capabilities)
    let frame = parse(client.send(Client.toolCall("1", "careful")).first ?? "")
    #expect((frame["method"]?.string == "elicitation/create") == (row.canAsk && revision >= .june2025))
  }

  @Test("nobody is asked before the client is done with its handshake")
  func beforeInitialized() {
    let client = Client()
    let initialize = """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}}
      """
    let initialized = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"
    #expect(client.send(initialized) == [], "one before the handshake is nothing")
    #expect(client.send(initialize).count == 1)
    #expect(text(client.send(Client.toolCall("1", "careful"))) == "1: nobody can be asked")
    #expect(client.send(initialized) == [])
    #expect(text(client.send(Client.toolCall("2", "careful"))).hasPrefix("\"ask-1\":"))
  }

  @Test("mode is sent where the revision has it")
  func mode() {
    for (revision, mode) in [(Revision.june2025, nil), (.november2025, "form")] as [(Revision, String?)] {
      let client = Client(revision: revision, capabilities: Self.elicitation)
      let question = parse(client.send(Client.toolCall("1", "careful")).first ?? "")
      #expect(question["params"]?["mode"]?.string == mode)
      #expect(question["params"]?["message"]?.string == "Really?")
    }
  }

  // MARK: - Ends without an answer

  /// The one frame by which a question is taken back.
  private func withdrawal(_ id: String, _ reason: String) -> String {
    """
    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\(id)","reason":"\(reason)"}}
    """
  }

  @Test("after ten minutes the question is taken back and the call answered; a late answer is ignored")
  func timeOut() {
    let minute: UInt64 = 60_000_000_000
    client.now = 5 * minute
    _ = client.send(Client.toolCall("1", "careful"))
    client.now = 8 * minute
    _ = client.send(Client.toolCall("2", "careful"))
    #expect(client.session.deadline == 15 * minute)
    client.now = 15 * minute - 1
    #expect(client.session.endOverdueQuestions() == [])
    client.now = 15 * minute
    let frames = Client.texts(client.session.endOverdueQuestions())
    #expect(frames.first == withdrawal("ask-1", "it was not answered in time"))
    #expect(text(Array(frames.dropFirst())) == "1: not done: unanswered")
    #expect(client.session.deadline == 18 * minute)
    #expect(client.send(answer("ask-1", Self.yes)) == [])
    #expect(text(client.send(answer("ask-2", Self.yes))) == "2: done")
  }

  @Test("a call that is cancelled takes its question back, and is not answered")
  func cancelled() {
    _ = client.send(Client.toolCall("7", "careful"))
    #expect(client.send(Client.cancellation("\"7\"")) == [])
    #expect(client.send(Client.cancellation("7.0")) == [withdrawal("ask-1", "the call was cancelled")])
    #expect(client.session.deadline == nil)
    #expect(client.send(answer("ask-1", Self.yes)) == [])
    #expect(client.send(Client.ping("8")) == [Client.pong("8")])
  }

  @Test("an answer that came before the cancellation counts")
  func answeredThenCancelled() {
    _ = client.send(Client.toolCall("7", "careful"))
    client.accept(answer("ask-1", Self.yes), Client.cancellation("7"))
    #expect(text(client.serveAll()) == "7: done")
  }

  @Test("a second initialize takes questions back and answers their calls before its own")
  func secondInitialize() {
    _ = client.send(Client.toolCall("7", "careful"))
    _ = client.send(Client.toolCall("8", "careful"))
    let frames = client.handshake(.november2025)
    #expect(frames.count == 5)
    #expect(frames[0] == withdrawal("ask-1", "the client began anew"))
    #expect(text([frames[1]]) == "7: not done: unanswered")
    #expect(frames[2] == withdrawal("ask-2", "the client began anew"))
    #expect(text([frames[3]]) == "8: not done: unanswered")
    #expect(parse(frames[4])["id"]?.string == "handshake")
    #expect(
      text(client.send(Client.toolCall("9", "careful"))) == "9: nobody can be asked", "it cannot any more")
  }

  @Test("at the end of input the calls that wait are answered")
  func endOfInput() {
    _ = client.send(Client.toolCall("1", "careful"))
    _ = client.send(Client.toolCall("2", "ask"))
    #expect(
      text(Client.texts(client.session.finish()))
        == "1: not done: unanswered\n2: can ask, unanswered, unavailable, unavailable, unavailable")
    #expect(client.session.finish() == [])
  }
}
