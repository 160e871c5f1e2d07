// JSON-RPC as these tests write and read it: Foundation's JSON, as a second opinion on the server's own.

import Foundation
import Testing

/// A `tools/call` request in one line.
func toolCall(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
}

/// An answer, read by Foundation.
struct WireAnswer {
  let id: Int?
  let result: [String: Any]?
  let error: [String: Any]?

  /// Fails when the line is not one JSON-RPC answer.
  init(_ line: String?) throws {
    let line = try #require(line, "the output ended before this answer")
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let object = try #require(value as? [String: Any], "not an object: \(line)")
    #expect(object["jsonrpc"] as? String == "2.0", "\(line)")
    id = object["id"] as? Int
    result = object["result"] as? [String: Any]
    error = object["error"] as? [String: Any]
    #expect((result == nil) != (error == nil), "neither a result nor an error, or both: \(line)")
  }

  /// The text of a tool's result.
  var text: String {
    let content = result?["content"] as? [[String: Any]]
    return content?.compactMap { $0["text"] as? String }.joined(separator: "\n") ?? ""
  }

  var isError: Bool { result?["isError"] as? Bool ?? false }

  var structured: [String: Any]? { result?["structuredContent"] as? [String: Any] }
}

/// The names in a list's bytes, read by Foundation; fails when they are no list.
func names(in list: Data) throws -> [String] {
  let object = try JSONSerialization.jsonObject(with: list) as? [String: Any]
  let items = try #require(object?["items"] as? [[String: Any]])
  return items.compactMap { $0["name"] as? String }
}

/// Any message, read by Foundation.
func object(_ line: String?) throws -> [String: Any] {
  let line = try #require(line, "the output ended before this message")
  return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
}
