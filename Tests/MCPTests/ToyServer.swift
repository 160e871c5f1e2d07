// A small server for the tests of the protocol: it knows no shopping list either.

import JSON
import Platform

@testable import MCP

/// Tools that echo, ask, pester and fail, and resources that can and cannot be read, change and stay.
enum ToyServer {
  static let text = Field.text("text", "What to give back.", limit: 20)
  static let loud = Field.flag("loud", "In capital letters.", falseIsAbsent: true)
  static let times = Field.integer("times", "How often.", minimum: 1)
  static let mood = Field.choice("mood", ["calm", "glad"], "How to say it.")
  static let tags = Field.texts("tags", "Words to add.")
  static let id = Field.identifier("id", "What it is about.")
  static let items = Field.rows(
    "items", fields: [id, text, mood], "Several texts at once.", nameField: "text", maximum: 3)

  static var echo: Tool {
    Tool(
      name: "echo", title: "Echo", description: "Gives back what it gets.",
      hints: .init(readOnly: true, destructive: false, idempotent: true, openWorld: false),
      fields: [id, text, loud, times, mood, tags, items],
      unknownArguments: .refused(aliases: ["message": "text", "often": "times", "colour": "paint"]),
      outputSchema: [
        "type": "object", "properties": ["said": ["type": "array", "items": ["type": "string"]]],
      ], view: "ui://toy/board.html"
    ) { arguments, _ throws(ToolFailure) in
      var said: [JSONValue] = []
      for entry in try arguments.entries(in: items, defaults: [mood]) {
        guard let word = try entry.value(of: text) else { throw entry.refusal("no text") }
        let mood = try entry.value(of: mood).map { " (\($0))" } ?? ""
        said.append(JSONValue(word + mood))
      }
      let text = said.compactMap(\.string).joined(separator: ", ")
      return .done(ToolResult(text: text, structured: .object([("said", .array(said))])))
    }
  }

  /// A tool that runs `body`.
  static func running(_ name: String, body: @escaping () -> Void) -> Tool {
    Tool(
      name: name, title: name, description: "Runs.",
      hints: .init(readOnly: true, destructive: false, idempotent: true, openWorld: false),
      fields: [], unknownArguments: .ignored, outputSchema: ["type": "object"]
    ) { _, _ throws(ToolFailure) in
      body()
      return .done(ToolResult(text: "", structured: [:]))
    }
  }

  /// A tool that ignores what it does not know, asks `questions` times, and says what it was answered.
  static func asking(_ name: String, questions: Int) -> Tool {
    Tool(
      name: name, title: name.uppercased(), description: "Asks before it acts.",
      hints: .init(readOnly: false, destructive: true, idempotent: false, openWorld: true),
      fields: [], unknownArguments: .ignored, outputSchema: ["type": "object"]
    ) { _, context throws(ToolFailure) in
      ask(questions, answers: [context.canAsk ? "can ask" : "cannot ask"])
    }
  }

  private static func ask(_ questions: Int, answers: [String]) -> Outcome {
    guard questions > 0 else {
      let text = answers.joined(separator: ", ")
      return .done(ToolResult(text: text, structured: .object([])))
    }
    return .ask(question("toy-\(questions)")) { answer throws(ToolFailure) in
      ask(questions - 1, answers: answers + ["\(answer)"])
    }
  }

  static func question(_ key: String) -> Question {
    Question(key: key, message: "Really?", confirmTitle: "Yes", confirmDescription: "It cannot be undone.")
  }

  /// A tool that acts on a yes and else refuses, as a careful one does.
  static var careful: Tool {
    Tool(
      name: "careful", title: "Careful", description: "Acts when the user agrees.",
      hints: .init(readOnly: false, destructive: true, idempotent: false, openWorld: true),
      fields: [text], unknownArguments: .ignored, outputSchema: ["type": "object"]
    ) { _, context throws(ToolFailure) in
      guard context.canAsk else { throw ToolFailure("nobody can be asked") }
      return .ask(question("careful")) { answer throws(ToolFailure) in
        guard answer == .confirmed else { throw ToolFailure("not done: \(answer)") }
        return .done(ToolResult(text: "done", structured: [:]))
      }
    }
  }

  static var greeting: Resource {
    Resource(
      uri: "toy://greeting", name: "greeting", title: "Greeting", description: "A word.",
      mimeType: "text/plain",
      audience: [.user, .assistant], priority: 0.5, caching: .builtIn
    ) { () throws(ResourceFailure) in ResourceContents(text: "Good morning\n") }
  }

  static var board: Resource {
    Resource.view(
      uri: "ui://toy/board.html", name: "board", title: "Board", description: "Shows what was said."
    ) { "<!DOCTYPE html><title>Board</title>" }
  }

  static var broken: Resource {
    Resource(
      uri: "toy://broken", name: "broken", title: "Broken", description: "Cannot be read.",
      mimeType: "application/json", audience: [.user], priority: 1, caching: .live
    ) { () throws(ResourceFailure) in throw ResourceFailure("the disk is on fire; nothing was changed") }
  }

  static var live: Resource {
    Resource(
      uri: "toy://live", name: "live", title: "Live", description: "Changes.", mimeType: "application/json",
      audience: [.assistant], priority: 1, caching: .live
    ) { () throws(ResourceFailure) in ResourceContents(text: "{}") }
  }

  /// Shelves that are there, and one that cannot be looked into.
  static var shelf: ResourceTemplate {
    ResourceTemplate(
      prefix: "toy://shelf/", variable: "name", name: "shelf", title: "Shelf", description: "What is on it.",
      mimeType: "text/plain", audience: [.user], priority: 0.25, caching: .live,
      read: { name throws(ResourceFailure) in
        if name == "locked" { throw ResourceFailure("the key is lost") }
        return shelves.contains(name) ? ResourceContents(text: "\(name): dolls") : nil
      },
      complete: { start throws(ResourceFailure) in
        if start == "locked" { throw ResourceFailure("the key is lost") }
        return (shelves + (1...120).map { "box \($0)" }).filter { $0.hasPrefix(start) }
      })
  }

  private static let shelves = ["top shelf", "bottom", "Käse/Wurst"]

  static func definition(
    tools: [Tool] = [echo, asking("ask", questions: 4), asking("pester", questions: 5), careful],
    resources: [Resource] = [greeting, live, broken, board], templates: [ResourceTemplate] = [shelf],
    changes: ResourceChanges? = ToyChanges().changes
  ) -> ServerDefinition {
    ServerDefinition(
      info: Implementation(
        name: "toy", version: "1.2.3", title: "Toy", description: "A toy.", websiteURL: "https://toy.example/"
      ),
      instructions: "Play.", tools: tools, resources: resources, templates: templates,
      changes: changes)
  }
}

/// What the live resources of a toy server show, and whether anybody watches them.
final class ToyChanges {
  /// Nil while they cannot be read.
  var revision: String? = "1"
  private(set) var starts = 0
  private(set) var stops = 0
  /// Why watching cannot begin, if it cannot.
  var failure: Errno?

  var changes: ResourceChanges {
    ResourceChanges(
      start: { [self] () throws(Errno) in
        if let failure { throw failure }
        starts += 1
      },
      stop: { [self] in stops += 1 }, revision: { [self] in revision })
  }
}

/// A client that writes lines by hand.
final class Client {
  private(set) var logged: [String] = []
  private(set) var session: Session!
  /// What the session takes for the time, in nanoseconds.
  var now: UInt64 = 0

  /// A client that has done its handshake, if the revision has one.
  init(
    _ definition: ServerDefinition = ToyServer.definition(), revision: Revision? = nil,
    capabilities: String = "{}"
  ) {
    session = Session(definition: definition, monotonic: { [unowned self] in now }) {
      [unowned self] in logged.append($0)
    }
    if let revision, revision.era == .legacy { handshake(revision, capabilities: capabilities) }
  }

  /// What the handshake is answered with.
  @discardableResult
  func handshake(_ revision: Revision, capabilities: String = "{}") -> [String] {
    send(
      """
      {"jsonrpc":"2.0","id":"handshake","method":"initialize","params":{"protocolVersion":"\(revision.rawValue)",\
      "capabilities":\(capabilities),"clientInfo":{"name":"test","version":"0"}}}
      """) + send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
  }

  /// Has lines wait as if they had arrived together.
  func accept(_ lines: String...) {
    for line in lines { session.accept(line: Array(line.utf8)) }
  }

  /// Serves all that waits.
  func serveAll() -> [String] {
    var frames: [[UInt8]] = []
    while let next = session.serveNext() { frames += next }
    return Client.texts(frames)
  }

  static func texts(_ frames: [[UInt8]]) -> [String] { frames.map { String(decoding: $0, as: UTF8.self) } }

  /// The frames that a line is answered with.
  func send(_ line: String) -> [String] { Client.texts(session.handle(line: Array(line.utf8))) }

  /// The answer to a call of the method, which must be exactly one.
  func call(
    _ method: String, _ params: JSONValue? = nil, id: JSONValue = 1, in revision: Revision = .november2025
  ) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("jsonrpc", "2.0"), ("id", id), ("method", JSONValue(method)),
    ]
    if let params = revision.era == .modern ? Client.enveloped(params ?? .object([])) : params {
      members.append(("params", params))
    }
    var line: [UInt8] = []
    JSONValue.object(members).appendCompact(to: &line)
    let frames = session.handle(line: line)
    return frames.count == 1 ? parse(frames[0]) : .array(frames.map(parse))
  }

  /// The request of a tool's call, as a line.
  static func toolCall(_ id: String, _ tool: String, _ more: String = "") -> String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"tools/call\",\"params\":{\"name\":\"\(tool)\"\(more)}}"
  }

  static func cancellation(_ id: String) -> String {
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\(id)}}"
  }

  static func ping(_ id: String) -> String { "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}" }

  static func pong(_ id: String) -> String { "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{}}" }

  /// `params` with the envelope of a modern request.
  static func enveloped(_ params: JSONValue, capabilities: JSONValue = [:]) -> JSONValue {
    let meta: JSONValue = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    ]
    return .object(params.members.map { ($0.key, $0.value) } + [("_meta", meta)])
  }
}

/// A text that the test itself wrote, or the server.
func parse(_ bytes: [UInt8]) -> JSONValue {
  do {
    return try JSONValue(parsing: bytes)
  } catch {
    return JSONValue("not JSON: \(error)")
  }
}

func parse(_ text: String) -> JSONValue { parse(Array(text.utf8)) }

/// The compact text of a value, for comparisons that read well.
func compact(_ value: JSONValue?) -> String {
  guard let value else { return "absent" }
  var bytes: [UInt8] = []
  value.appendCompact(to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

extension JSONValue {
  var errorCode: Int64? { self["error"]?["code"]?.int64 }
  var errorMessage: String? { self["error"]?["message"]?.string }
  /// The text block of a tool's result.
  var text: String? { self["result"]?["content"]?.elements.first { _ in true }?["text"]?.string }
}
