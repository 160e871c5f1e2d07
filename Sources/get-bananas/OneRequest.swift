// A conversation of one request, for the commands that a person uses.
//
//     let answer = OneRequest(definition).send("tools/call", [("name", JSONValue("add_item")), …])
//
// `list` and `call` go the way that a host's request goes: the same session, the same handlers, the same guards. What
// they show cannot differ from what a model would be told.

import JSON
import MCP

struct OneRequest {
  /// What came back.
  enum Answer {
    case result(JSONValue)
    case error(message: String)
  }

  let definition: ServerDefinition
  let log: (String) -> Void

  /// Sends a request as a client without any capabilities, so that nothing is asked back.
  func send(_ method: String, _ params: [(key: String, value: JSONValue)]) -> Answer {
    let request = JSONValue.object([
      ("jsonrpc", "2.0"), ("id", 1), ("method", JSONValue(method)), ("params", .object(params)),
    ])
    var line: [UInt8] = []
    request.appendCompact(to: &line)
    let frames = Session(definition: definition, log: log).handle(line: line)
    do {
      let answer = try JSONValue(parsing: frames.first ?? [])
      if let result = answer["result"] { return .result(result) }
      return .error(message: answer["error"]?["message"]?.string ?? "no answer")
    } catch {
      return .error(message: error.message)
    }
  }
}
