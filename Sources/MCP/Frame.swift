// The messages that go out, each as one line without its newline.

import JSON

/// Encodes answers, and the requests and notifications of ours.
enum Frame {
  static func request(_ method: String, id: String, params: JSONValue) -> [UInt8] {
    encode([
      ("jsonrpc", "2.0"), ("id", JSONValue(id)), ("method", JSONValue(method)), ("params", params),
    ])
  }

  static func notification(_ method: String, params: JSONValue) -> [UInt8] {
    encode([("jsonrpc", "2.0"), ("method", JSONValue(method)), ("params", params)])
  }

  /// Several answers as one.
  static func batch(_ answers: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + answers.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }

  static func result(_ result: JSONValue, to id: JSONValue) -> [UInt8] {
    encode([("jsonrpc", "2.0"), ("id", id), ("result", result)])
  }

  /// `id` is nil when the error is about a message without a readable one.
  static func error(_ error: RPCError, to id: JSONValue?, in revision: Revision) -> [UInt8] {
    let body = JSONValue.object(
      in: revision,
      [
        (.errorCode, JSONValue(error.code)), (.errorMessage, JSONValue(error.message)),
        (.errorData, error.data),
      ])
    guard let id = id ?? unreadableID(in: revision) else {
      return encode([("jsonrpc", "2.0"), ("error", body)])
    }
    return encode([("jsonrpc", "2.0"), ("id", id), ("error", body)])
  }

  /// What stands for an id that could not be read. The older schemas require an id and know no null, so either way
  /// would break them; null is what JSON-RPC itself asks for. The newer ones let it be left out.
  private static func unreadableID(in revision: Revision) -> JSONValue? {
    revision <= .june2025 ? .null : nil
  }

  private static func encode(_ members: [(key: String, value: JSONValue)]) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object(members).appendCompact(to: &bytes)
    return bytes
  }
}
