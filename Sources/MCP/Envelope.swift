// The envelope of a modern request: `params._meta` with members under `io.modelcontextprotocol/`.
//
// A request that carries any of them is served by the modern rules, whatever came before it on the same pipe. The
// checks run in a fixed order, so that every server answers the same mistake with the same error: the revision is a
// string, it is served, the client's capabilities are an object. (Then the method is known, then its params are
// right: Session.swift.)

import JSON

/// What a modern request says about itself.
struct Envelope: Sendable {
  let revision: Revision
  let client: ClientCapabilities

  private static let prefix = "io.modelcontextprotocol/"
  private static let protocolVersion = prefix + "protocolVersion"
  private static let clientCapabilities = prefix + "clientCapabilities"
  private static let marks = [
    protocolVersion, clientCapabilities, prefix + "clientInfo", prefix + "logLevel",
  ]

  /// What `server/discover` is told that comes without an envelope.
  static let missing = RPCError.invalidParams(
    "server/discover needs params._meta with \"\(protocolVersion)\" and \"\(clientCapabilities)\"")

  static func isPresent(in params: JSONValue) -> Bool {
    guard let meta = params["_meta"] else { return false }
    return marks.contains { meta[$0] != nil }
  }

  /// Reads the envelope of `params`, which has one.
  init(of params: JSONValue) throws(RPCError) {
    let meta = params["_meta"]
    guard let requested = meta?[Self.protocolVersion]?.string else {
      throw .invalidParams("params._meta needs \"\(Self.protocolVersion)\" as a string")
    }
    guard let revision = Revision(rawValue: requested), revision.era == .modern else {
      throw .unsupportedRevision(requested)
    }
    guard let capabilities = meta?[Self.clientCapabilities], capabilities.kind == .object else {
      throw .invalidParams("params._meta needs \"\(Self.clientCapabilities)\" as an object")
    }
    self.revision = revision
    client = ClientCapabilities(capabilities)
  }
}
