// The errors of JSON-RPC and of the protocol, made in one place so that each code has one meaning.
//
// A tool that refuses its arguments, or a list that cannot be read, is no RPCError: a model never sees those. They
// are results with `isError` (Outcome.swift).

import JSON

/// An error answer: `error.code`, `error.message` and `error.data`.
package struct RPCError: Error, Sendable {
  package let code: Int
  package let message: String
  package let data: JSONValue?

  package init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The line is not JSON. `offset` counts bytes from the start of the line.
  static func parseError(_ error: JSONError) -> RPCError {
    RPCError(code: -32700, message: "the line is not JSON: \(error.message) at byte \(error.offset)")
  }

  /// The line is JSON but no message of JSON-RPC 2.0.
  static func invalidRequest(_ message: String) -> RPCError {
    RPCError(code: -32600, message: message)
  }

  static func methodNotFound(_ method: String) -> RPCError {
    RPCError(code: -32601, message: "method not found: \(excerpt(of: method))")
  }

  static func invalidParams(_ message: String, data: JSONValue? = nil) -> RPCError {
    RPCError(code: -32602, message: message, data: data)
  }

  /// A failure that is not the client's. What is said here goes over the wire; details belong on stderr.
  static func internalError(_ message: String) -> RPCError {
    RPCError(code: -32603, message: message)
  }

  /// No resource has this URI. The modern revisions have given up the code of the legacy ones.
  static func resourceNotFound(_ uri: String, era: Era) -> RPCError {
    RPCError(
      code: era == .legacy ? -32002 : -32602, message: "resource not found: \(excerpt(of: uri))",
      data: .object([("uri", JSONValue(uri))]))
  }

  /// The envelope asks for a revision that is not served statelessly.
  static func unsupportedRevision(_ requested: String) -> RPCError {
    RPCError(
      code: -32022, message: "protocol version \(excerpt(of: requested)) is not served in this form",
      data: .object([
        ("supported", .array(Revision.modern.map { JSONValue($0.rawValue) })),
        ("requested", JSONValue(requested)),
      ]))
  }
}
