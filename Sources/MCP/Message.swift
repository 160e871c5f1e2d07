// A line of input as messages of JSON-RPC 2.0.
//
//     InputLine(bytes)  →  .message(.request | .notification | .response | .malformed)
//                       →  .batch(array)                                // each entry the same, read when it is accepted
//
// Every line becomes exactly one of these, and of the messages only `.request` and `.malformed` are ever answered:
// - an object with a string `method` and no `id` is a notification, however wrong the rest of it is: the protocol
//   forbids answering it, even to complain;
// - an object with `result` or `error` and no `method` is an answer; complaining about one could loop between two
//   peers that do not understand each other;
// - all else that is no proper request is malformed, and keeps the id if one can be read.
//
// An id is kept as the value that came: it goes back with the very text it had, so that 1, "1", 1.0 and
// 12345678901234567890 stay four different ids. Compared is its `RequestID`.

import JSON

/// What a line of input holds.
enum InputLine: Sendable {
  case message(Message)
  /// A JSON array of what should be messages; it may be empty, or have millions of entries.
  case batch(JSONValue)

  init(_ bytes: [UInt8]) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      self = .message(.malformed(.parseError(error), id: nil, isModern: false))
      return
    }
    self = value.kind == .array ? .batch(value) : .message(Message(value))
  }
}

/// What a JSON value is as a message.
enum Message: Sendable {
  case request(Request)
  case notification(Notification)
  /// An answer to a request of ours.
  case response(Response)
  /// Answered with the error. `isModern`: it was sent in an envelope, so no id stands for an unreadable one.
  case malformed(RPCError, id: JSONValue?, isModern: Bool)

  /// A call that must be answered.
  struct Request: Sendable {
    /// A string or an integer, as written.
    let id: JSONValue
    let identity: RequestID
    let method: String
    /// The members of `params`; an empty object when there are none.
    let params: JSONValue

    /// Whether it is the handshake, which is legacy whatever it carries.
    var isHandshake: Bool { method == "initialize" }
  }

  /// What a client lets us know.
  enum Notification: Sendable {
    /// The handshake is done on its side, too.
    case initialized
    /// It no longer wants the answer to this request.
    case cancelled(RequestID)
    case other
  }

  /// What a client answers.
  struct Response: Sendable {
    /// Nil when it is no id.
    let identity: RequestID?
    /// Nil when the answer is an error.
    let result: JSONValue?
  }

  init(_ value: JSONValue) {
    guard value.kind == .object else {
      self = .malformed(.invalidRequest("a message is a JSON object"), id: nil, isModern: false)
      return
    }
    let method = value["method"]
    let id = value["id"]
    if id == nil, let name = method?.string {
      self = .notification(Notification(named: name, params: value["params"]))
    } else if method == nil, value["result"] != nil || value["error"] != nil {
      self = .response(Response(identity: id.flatMap(RequestID.init), result: value["result"]))
    } else {
      do {
        self = .request(try Request(value))
      } catch {
        let readable = id.flatMap { RequestID($0) == nil ? nil : $0 }
        let isModern = value["params"].map(Envelope.isPresent(in:)) ?? false
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
    guard let id = object["id"], let identity = RequestID(id) else {
      throw .invalidRequest("id must be a string or an integer")
    }
    self.init(id: id, identity: identity, method: method, params: try Self.params(object["params"]))
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
}

extension Message.Notification {
  fileprivate init(named name: String, params: JSONValue?) {
    switch name {
    case "notifications/initialized": self = .initialized
    case "notifications/cancelled":
      self = params?["requestId"].flatMap(RequestID.init).map { .cancelled($0) } ?? .other
    default: self = .other
    }
  }
}
