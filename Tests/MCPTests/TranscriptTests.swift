// Whole conversations, one per revision, as clients see them: a change of anything that goes over the wire changes a
// text here, where it can be reviewed.
//
// The answers are shown with line breaks to be readable; that they are sent without any is checked beside it. The
// expected texts stand in Transcripts.swift. After a change that is meant, the failing test's message has the new text.

import JSON
import Testing

@testable import MCP

@Suite("Transcripts")
struct TranscriptTests {
  private static let legacyLines = [
    """
    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"REVISION","capabilities":{}}}
    """,
    """
    {"jsonrpc":"2.0","method":"notifications/initialized"}
    """,
    """
    {"jsonrpc":"2.0","id":"a","method":"tools/list"}
    """,
    """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"}}}
    """,
    """
    {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"}}}
    """,
    """
    {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}
    """,
    """
    {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting"}}
    """,
    """
    {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing"}}
    """,
    """
    {"jsonrpc":"2.0","id":null,"method":"ping"}
    """,
    """
    {"jsonrpc":"2.0","id":5,"method":"ping"}
    """,
  ]

  private static let modernLines = [
    """
    {"jsonrpc":"2.0","id":0,"method":"server/discover","params":{META}}
    """,
    """
    {"jsonrpc":"2.0","id":"a","method":"tools/list","params":{META}}
    """,
    """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"word":"hi"},META}}
    """,
    """
    {"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"say","arguments":{"words":"hi"},META}}
    """,
    """
    {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{META}}
    """,
    """
    {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"toy://greeting",META}}
    """,
    """
    {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"toy://nothing",META}}
    """,
    """
    {"jsonrpc":"2.0","id":null,"method":"tools/list","params":{META}}
    """,
    """
    {"jsonrpc":"2.0","id":5,"method":"ping","params":{META}}
    """,
  ]

  private static var definition: ServerDefinition {
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
    return ToyServer.definition(tools: [say], resources: [ToyServer.greeting])
  }

  @Test("the conversation of each revision", arguments: Revision.allCases)
  func conversation(revision: Revision) {
    let client = Client(Self.definition)
    let lines = revision.era == .legacy ? Self.legacyLines : Self.modernLines
    let envelope = compact(Client.enveloped([:])).dropFirst().dropLast()
    var transcript: [String] = []
    for line in lines {
      let sent = line.replacing("REVISION", with: revision.rawValue)
      transcript.append("→ \(sent)")
      for frame in client.send(sent.replacing("META", with: envelope)) {
        #expect(frame == compact(parse(frame)), "one line, without white space outside of strings")
        transcript.append("← \(pretty(parse(frame)))")
      }
    }
    let text = transcript.joined(separator: "\n")
    let expected = Transcripts.byRevision[revision] ?? ""
    #expect(text == expected, "\(difference(text, expected))\n\(text)")
  }

  /// The first line in which two texts differ.
  private func difference(_ text: String, _ expected: String) -> String {
    let pairs = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
    guard let pair = pairs.first(where: { $0 != $1 }) else { return "one of them is longer" }
    return "\(pair.0)\ninstead of\n\(pair.1)"
  }
}
