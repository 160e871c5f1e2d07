// `list`, `call` and `restore`: what a person or a script asks of the list, answered by the handlers that a host reaches.

import JSON
import MCP
import Platform

struct PersonCommands {
  let request: OneRequest
  let streams: Streams

  /// Shows the list; as JSON, it is the file's bytes.
  func list(asJSON: Bool) -> ExitStatus {
    if asJSON {
      let uri = JSONValue("shopping-list://current")
      switch request.send("resources/read", [("uri", uri)]) {
      case .error(let message): return streams.complain(message, .failed)
      case .result(let result): return streams.show(result["contents"]?.elements.first?["text"]?.string ?? "")
      }
    }
    // A limit that no list reaches: a person can scroll.
    return call(
      "get_shopping_list", arguments: .object([("limit", JSONValue(Int(Int32.max)))]), asJSON: false)
  }

  /// Calls a tool. The text of a refusal goes to standard error, so that a script's output is the result or nothing.
  /// - Parameter json: the arguments as they were typed; nil for none, `-` for those on standard input.
  func call(_ tool: String, json: String?, asJSON: Bool) throws(UsageError) -> ExitStatus {
    let tools = request.definition.tools.map(\.name)
    guard tools.contains(tool) else { throw .unknown("tool", tool, among: tools) }
    let text: [UInt8]
    switch json {
    case nil: text = Array("{}".utf8)
    case "-": text = try standardInput()
    case let json?: text = Array(json.utf8)
    }
    let arguments: JSONValue
    do {
      arguments = try JSONValue(parsing: text)
    } catch {
      throw UsageError("the arguments are not JSON: \(error.message)")
    }
    guard arguments.kind == .object else { throw UsageError("the arguments are no JSON object") }
    return call(tool, arguments: arguments, asJSON: asJSON)
  }

  /// Goes back to a version. Who names one on the command line has decided, so the guard gets what it asks a host for:
  /// the revision of the list, read just before.
  func restore(_ id: String, asJSON: Bool) -> ExitStatus {
    let whole = JSONValue.object([("limit", JSONValue(Int(Int32.max)))])
    var arguments: [(key: String, value: JSONValue)] = [("restore", JSONValue(id))]
    switch request.send("tools/call", [("name", "get_shopping_list"), ("arguments", whole)]) {
    case .error(let message): return streams.complain(message, .failed)
    case .result(let list):
      if let revision = list["structuredContent"]?["revision"] {
        arguments.append(("expected_revision", revision))
      }
    }
    return call("update_shopping_list", arguments: .object(arguments), asJSON: asJSON)
  }

  private func call(_ tool: String, arguments: JSONValue, asJSON: Bool) -> ExitStatus {
    let result: JSONValue
    switch request.send("tools/call", [("name", JSONValue(tool)), ("arguments", arguments)]) {
    case .error(let message): return streams.complain(message, .failed)
    case .result(let value): result = value
    }
    let status: ExitStatus = result["isError"]?.bool == true ? .failed : .done
    if asJSON {
      var line: [UInt8] = []
      result.appendCompact(to: &line)
      return streams.show(String(decoding: line, as: UTF8.self) + "\n", status: status)
    }
    let text = (result["content"]?.elements.compactMap { $0["text"]?.string } ?? []).joined(separator: "\n")
    return status == .done ? streams.show(text + "\n") : streams.complain(text, status)
  }

  /// All of standard input, as much of it as a line of the protocol may have.
  private func standardInput() throws(UsageError) -> [UInt8] {
    do {
      let bytes = try streams.syscalls.readAll(0, limit: LineReader.defaultLimit)
      guard bytes.count <= LineReader.defaultLimit else {
        throw UsageError("standard input has more than \(LineReader.defaultLimit) bytes")
      }
      return bytes
    } catch let error as UsageError {
      throw error
    } catch {
      throw UsageError("standard input: \(error)")
    }
  }
}
