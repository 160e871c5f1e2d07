import Foundation
import Testing

@testable import BananaServer
@testable import JSON
@testable import ListStore
@testable import MCP
@testable import Platform
@testable import ShoppingList

/// A server over a list in a folder of its own, spoken to as a client does: in JSON-RPC lines.
final class TestServer {
  let folder: URL
  let store: Store
  let session: Session
  private var nextID = 1

  /// - Parameters:
  ///   - list: the file's text; nil for no file.
  ///   - capabilities: what a client says of itself in a handshake; nil for a client without one.
  init(_ list: String? = nil, capabilities: JSONValue? = nil, syscalls: Syscalls = .live) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bananas-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let list { try Data(list.utf8).write(to: folder.appendingPathComponent("BananaList.json")) }
    let path = folder.appendingPathComponent("BananaList.json").path
    store = Store(
      path: path, syscalls: syscalls, history: .folder(folder.appendingPathComponent("state").path))
    // Nobody listens: the tests say by themselves when to look again.
    let watch = ListWatch(path: path, syscalls: syscalls) { false }
    session = Session(
      definition: BananaServer.definition(store: store, watch: watch), monotonic: syscalls.monotonic
    ) { _ in }
    if let capabilities {
      _ = try request("initialize", ["protocolVersion": "2025-11-25", "capabilities": capabilities])
      _ = try send(["jsonrpc": "2.0", "method": "notifications/initialized"])
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The file's text now; nil where there is none.
  var file: String? {
    try? String(contentsOf: folder.appendingPathComponent("BananaList.json"), encoding: .utf8)
  }

  /// Sends a request and returns its result.
  func request(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
    let answer = try answer(method, params)
    return try #require(answer["result"], "\(answer)")
  }

  /// Sends a request and returns the whole answer.
  func answer(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
    let line: JSONValue = [
      "jsonrpc": "2.0", "id": JSONValue(nextID), "method": JSONValue(method), "params": params,
    ]
    nextID += 1
    let frames = session.handle(line: line.sourceBytes)
    try #require(frames.count == 1)
    return try JSONValue(parsing: frames[0])
  }

  /// Calls a tool; the arguments are JSON text.
  func call(_ tool: String, _ arguments: String = "{}") throws -> Answer {
    try Answer(
      result: request(
        "tools/call",
        ["name": JSONValue(tool), "arguments": try JSONValue(parsing: Array(arguments.utf8))]))
  }

  /// Sends any message, and returns what comes back, each frame read.
  func send(_ message: JSONValue) throws -> [JSONValue] {
    try session.handle(line: message.sourceBytes).map { try JSONValue(parsing: $0) }
  }

  /// Replaces the file as another program would.
  func replaceFile(_ list: String) throws {
    try Data(list.utf8).write(to: folder.appendingPathComponent("BananaList.json"), options: .atomic)
  }
}

extension TestServer.Answer {
  /// The answer to `tools/call`.
  init(result: JSONValue) throws {
    let content = Array(try #require(result["content"]).elements)
    try #require(content.count == 1)
    var lines = try #require(content[0]["text"]?.string).split(
      separator: "\n", omittingEmptySubsequences: false)
    let undo = result["structuredContent"]?["undo"]?.string
    if let undo {
      #expect(lines.last == "To undo: update_shopping_list with restore \"\(undo)\".")
      lines.removeLast()
    }
    self.init(
      text: lines.joined(separator: "\n"), undo: undo, structured: result["structuredContent"],
      isError: result["isError"]?.bool ?? false)
  }
}

extension TestServer {
  /// What a tool answered.
  struct Answer {
    /// Without the last line, where that tells how to undo it.
    let text: String
    /// What undoes it.
    let undo: String?
    let structured: JSONValue?
    let isError: Bool

    /// The names in one of the structure's lists.
    func names(_ member: String) -> [String] {
      structured?[member]?.elements.compactMap { $0["name"]?.string } ?? []
    }
  }
}

/// The list that most tests begin with.
let weekend = #"""
  {
    "schemaVersion": 1,
    "sections": ["Produce", "Dairy"],
    "items": [
      {"id": "b", "name": "Bananas", "amount": "6", "section": "Produce", "optional": false, "checked": false},
      {"id": "a", "name": "Apples", "amount": "", "section": "Produce", "optional": false, "checked": true},
      {"id": "m", "name": "Milk", "amount": "2 l", "section": "Dairy", "optional": true, "checked": false},
      {"id": "f", "name": "Flour", "amount": "", "section": "", "optional": false, "checked": false}
    ]
  }
  """#
