// Whole conversations with a toy server, one per revision, as clients see them: a change of anything that goes over the
// wire changes a file in Golden, where it can be reviewed. What each method answers, what each mistake is answered with,
// questions, subscriptions, cancellations and the end are all there.

import Foundation
import JSON
import Testing
import Transcript

@testable import MCP

@Suite("Transcripts")
struct TranscriptTests {
  /// What happens in a conversation.
  private enum Step {
    /// The client sends a line.
    case line(String)
    /// It sends several before the first is served.
    case together([String])
    /// The resources show something else.
    case change
    case minutes(UInt64)
    case endOfInput
  }

  private static func request(_ id: String, _ method: String, _ params: String? = nil) -> Step {
    .line(Self.text(id, method, params))
  }

  private static func text(_ id: String, _ method: String, _ params: String? = nil) -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"\(params.map { ",\"params\":{\($0)}" } ?? "")}"
  }

  private static func answer(_ id: String, _ result: String) -> Step {
    .line("{\"jsonrpc\":\"2.0\",\"id\":\"\(id)\",\"result\":\(result)}")
  }

  private static let completion =
    #""ref":{"type":"ref/resource","uri":"toy://shelf/{name}"},"argument":{"name":"name","value":"bot"}"#
  private static let yes = #"{"action":"accept","content":{"confirm":true}}"#

  /// REVISION is the revision.
  private static let legacy: [Step] = [
    request(
      "0", "initialize",
      #""protocolVersion":"REVISION","capabilities":{"elicitation":{}},"clientInfo":{"name":"a","version":"1"}"#
    ),
    .line(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
    request(#""a""#, "tools/list"),
    request("1", "tools/call", #""name":"say","arguments":{"word":"hi"}"#),
    request("1.0", "tools/call", #""name":"say","arguments":{"words":"hi"}"#),
    request("2", "tools/call", #""name":"shout""#),
    request("3", "resources/list", ""),
    request("4", "resources/templates/list"),
    request("5", "resources/read", #""uri":"toy://greeting""#),
    request("6", "resources/read", #""uri":"toy://shelf/top%20shelf""#),
    request("7", "resources/read", #""uri":"toy://nothing""#),
    request("8", "completion/complete", completion),
    request("9", "prompts/list"),
    request("10", "logging/setLevel", #""level":"info""#),
    request("null", "ping"),
    .line("{"),
    request("11", "ping"),
    request("12", "server/discover"),
    .line("[\(text("13", "ping")),\(text("14", "no/method"))]"),
    .together([
      text("15", "ping"), #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":15}}"#,
    ]),
    request("16", "resources/subscribe", #""uri":"toy://live""#),
    .change,
    request("17", "resources/unsubscribe", #""uri":"toy://live""#),
    request("18", "tools/call", #""name":"careful""#),
    request("19", "ping"),
    answer("ask-1", yes),
    request("20", "tools/call", #""name":"careful""#),
    answer("ask-2", #"{"action":"decline"}"#),
    request("21", "tools/call", #""name":"careful""#),
    .line(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":21}}"#),
    request("22", "tools/call", #""name":"careful""#),
    .minutes(10),
    request("23", "tools/call", #""name":"careful""#),
    .endOfInput,
  ]

  /// META is the envelope of a request.
  private static let modern: [Step] = [
    request("0", "server/discover", "META"),
    request(#""a""#, "tools/list", "META"),
    request("1", "tools/call", #""name":"say","arguments":{"word":"hi"},META"#),
    request("1.0", "tools/call", #""name":"say","arguments":{"words":"hi"},META"#),
    request("2", "tools/call", #""name":"shout",META"#),
    request("3", "resources/list", "META"),
    request("4", "resources/templates/list", "META"),
    request("5", "resources/read", #""uri":"toy://greeting",META"#),
    request("6", "resources/read", #""uri":"toy://shelf/top%20shelf",META"#),
    request("7", "resources/read", #""uri":"toy://nothing",META"#),
    request("8", "completion/complete", "\(completion),META"),
    request("null", "tools/list", "META"),
    .line("{"),
    request("9", "ping", "META"),
    request("10", "tools/list", #""_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}"#),
    request(
      "11", "subscriptions/listen",
      #""notifications":{"toolsListChanged":true,"resourceSubscriptions":["toy://live","toy://nothing"]},META"#
    ),
    request(#""b""#, "subscriptions/listen", #""notifications":{},META"#),
    .change,
    .line(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":11}}"#),
    .change,
    request("12", "subscriptions/listen", #""notifications":{"resourceSubscriptions":["toy://live"]},META"#),
    request("13", "tools/call", #""name":"careful",META"#),
    request("14", "tools/call", #""name":"careful","inputResponses":{"careful":\#(yes)},META"#),
    request("15", "tools/call", #""name":"careful","inputResponses":{"careful":{"action":"cancel"}},META"#),
    .endOfInput,
  ]

  private static func definition(_ changes: ToyChanges) -> ServerDefinition {
    let word = Field.text("word", "What to say.")
    let say = Tool(
      name: "say", title: "Say", description: "Says a word.",
      hints: .init(readOnly: true, destructive: false, idempotent: true, openWorld: false),
      fields: [word], unknownArguments: .refused(aliases: [:]),
      outputSchema: ["type": "object", "properties": ["said": ["type": "string"]], "required": ["said"]]
    ) { arguments, _ throws(ToolFailure) in
      let said = try arguments.value(of: word) ?? ""
      return .done(ToolResult(text: "I say: \(said)", structured: ["said": JSONValue(said)]))
    }
    return ToyServer.definition(
      tools: [say, ToyServer.careful], resources: [ToyServer.greeting, ToyServer.live],
      changes: changes.changes)
  }

  @Test("the conversation of each revision", arguments: Revision.allCases)
  func conversation(revision: Revision) throws {
    let changes = ToyChanges()
    let client = Client(Self.definition(changes))
    let envelope = Client.enveloped([:], capabilities: ["elicitation": [:]])
    var transcript = Transcript()
    for step in revision.era == .legacy ? Self.legacy : Self.modern {
      var frames: [[UInt8]] = []
      switch step {
      case .line(let line): frames = try send([line])
      case .together(let lines): frames = try send(lines)
      case .change:
        transcript.note("the resources show something else")
        changes.revision = (changes.revision ?? "") + "'"
        frames = client.session.resourcesMayHaveChanged()
      case .minutes(let minutes):
        transcript.note("\(minutes) minutes pass")
        client.now += minutes * 60_000_000_000
        frames = client.session.endOverdueQuestions()
      case .endOfInput:
        transcript.note("end of input")
        frames = client.session.finish()
      }
      for frame in frames { try transcript.receive(frame) }
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(revision.rawValue).txt")
    let difference = try transcript.difference(from: file)
    #expect(difference == nil, "\(difference ?? "")")

    func send(_ lines: [String]) throws -> [[UInt8]] {
      for line in lines {
        let line = line.replacing("REVISION", with: revision.rawValue)
        transcript.send(line)
        client.accept(line.replacing("META", with: compact(envelope).dropFirst().dropLast()))
      }
      var frames: [[UInt8]] = []
      while let next = client.session.serveNext() { frames += next }
      return frames
    }
  }
}
