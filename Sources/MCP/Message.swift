// A line of input as a message of JSON-RPC 2.0.
//
//     Message(line: bytes)  →  .request | .notification | .response | .malformed
//
// Every line becomes exactly one of these, and only `.request` and `.malformed` are ever answered:
// - an object with a string `method` and no `id` is a notification, however wrong the rest of it is: the protocol
//   forbids answering it, even to complain;
// - an object with `result` or `error` and no `method` is an answer; complaining about one could loop between two
//   peers that do not understand each other;
// - all else that is no proper request is malformed, and keeps the id if one can be read.
//
// An id is kept as the value that came: it goes back with the very text it had, so that 1, "1", 1.0 and
// 12345678901234567890 stay four different ids.

import JSON

/// What a line of input is.
enum Message: Sendable {
  case request(Request)
  case notification
  /// An answer to a request of ours.
  case response
  /// Answered with the error. `isModern`: it was sent in an envelope, so no id stands for an unreadable one.
  case malformed(RPCError, id: JSONValue?, isModern: Bool)

  /// A call that must be answered.
  struct Request: Sendable {
    /// A string or an integer, as written.
    let id: JSONValue
    let method: String
    /// The members of `params`; an empty object when there are none.
    let params: JSONValue
  }

  init(line: [UInt8]) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: line)
    } catch {
      self = .malformed(.parseError(error), id: nil, isModern: false)
      return
    }
    self.init(value)
  }

  private init(_ value: JSONValue) {
    switch value.kind {
    case .object:
      self.init(object: value)
    case .array:
      let error = RPCError.invalidRequest("batches are not served: send each message on a line of its own")
      self = .malformed(error, id: nil, isModern: false)
    case .null, .bool, .number, .string:
      let error = RPCError.invalidRequest("a message is a JSON object")
      self = .malformed(error, id: nil, isModern: false)
    }
  }

  private init(object: JSONValue) {
    let method = object["method"]
    let id = object["id"]
    if id == nil, method?.kind == .string {
      self = .notification
    } else if method == nil, object["result"] != nil || object["error"] != nil {
      self = .response
    } else {
      do {
        self = .request(try Request(object))
      } catch {
        let readable = id.flatMap { Request.isID($0) ? $0 : nil }
        let isModern = object["params"].map(Envelope.isPresent(in:)) ?? false
        self = .malformed(error, id: readable, isModern: isModern)
      }
    }
  }
}

extension Message.Request {
  fileprivate init(_ object: JSONValue) throws(RPCError) {
    guard object["jsonrpc"]?.string == "2.0" else {
      throw .invalidRequest("jsonrpc must be \"2.0\"")
    }
    guard let method = object["method"]?.string else {
      throw .invalidRequest("method must be a string")
    }
    guard let id = object["id"], Self.isID(id) else {
      throw .invalidRequest("id must be a string or an integer")
    }
    self.init(id: id, method: method, params: try Self.params(object["params"]))
  }

  /// The members of `params`. Clients of loosely typed languages send null or an empty list where they have none.
  private static func params(_ value: JSONValue?) throws(RPCError) -> JSONValue {
    guard let value, !value.isNull else { return .object([]) }
    switch value.kind {
    case .object: return value
    case .array where value.elements.isEmpty: return .object([])
    default: throw .invalidRequest("params must be an object")
    }
  }

  fileprivate static func isID(_ value: JSONValue) -> Bool {
    value.kind == .string || value.isInteger
  }
}
