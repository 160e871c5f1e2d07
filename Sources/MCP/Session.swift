// One client's conversation: lines go in, frames come out. No thread, no descriptor, no clock.
//
//     session.accept(line: bytes)                     // parsed once, and put behind those that wait
//     while let frames = session.serveNext() { … }    // the frames of one message: one for a request, else none
//
// Accepting and serving are apart, so that whoever drives the session can take over all lines that have arrived
// before the first is served, and can stop between two requests. Messages are served strictly in order.
//
// Each request is routed by itself:
//
//     initialize, whatever it carries          the legacy handshake; a second one starts over
//     params._meta has an envelope             modern rules, for this request
//     server/discover without one              an error that names what is missing
//     anything else                            legacy rules at the negotiated revision, else the newest
//
// The handshake's revision is all that a session remembers. Session+Methods.swift has what each method answers.

import JSON

/// The state of a conversation, and the messages that wait to be served. Belongs to the main thread.
package final class Session {
  let definition: ServerDefinition
  /// Takes details that are not for the client.
  let log: (String) -> Void
  /// What the last `initialize` settled.
  private var negotiated: Revision?
  /// Messages that were accepted, the served ones at the beginning.
  private var accepted: [Message] = []
  private var served = 0

  package init(definition: ServerDefinition, log: @escaping (String) -> Void) {
    self.definition = definition
    self.log = log
  }

  /// Takes over a line without its line end. It is served when its turn comes.
  package func accept(line: [UInt8]) {
    accepted.append(Message(line: line))
  }

  /// Takes over the news that a line was too long to be read.
  package func acceptOversizedLine() {
    let limit = LineReader.defaultLimit
    accepted.append(
      .malformed(
        .invalidRequest("a line may have at most \(limit) bytes; this one was skipped"), id: nil,
        isModern: false))
  }

  /// Serves the first message that waits, and returns what is to be written for it, each frame without its newline;
  /// nil when none waits.
  package func serveNext() -> [[UInt8]]? {
    guard served < accepted.count else {
      accepted.removeAll(keepingCapacity: true)
      served = 0
      return nil
    }
    let message = accepted[served]
    served += 1
    switch message {
    case .request(let request): return [answer(to: request)]
    case .malformed(let error, let id, let isModern):
      return [Frame.error(error, to: id, in: isModern ? .newestModern : legacyRevision)]
    case .notification, .response: return []
    }
  }

  /// Accepts a line and serves all that waits.
  package func handle(line: [UInt8]) -> [[UInt8]] {
    accept(line: line)
    var frames: [[UInt8]] = []
    while let next = serveNext() { frames += next }
    return frames
  }

  /// The revision of requests that do not carry one.
  private var legacyRevision: Revision { negotiated ?? .newestLegacy }

  private func answer(to request: Message.Request) -> [UInt8] {
    do {
      return Frame.result(try result(of: request), to: request.id)
    } catch {
      // An error to a known id looks the same in every revision.
      return Frame.error(error, to: request.id, in: legacyRevision)
    }
  }

  private func result(of request: Message.Request) throws(RPCError) -> JSONValue {
    if request.method == Method.initialize.rawValue {
      let revision = Revision.negotiated(for: request.params["protocolVersion"]?.string)
      negotiated = revision
      return try result(of: .initialize, params: request.params, in: revision)
    }
    let revision = try revision(of: request)
    guard let method = Method(named: request.method, in: revision.era) else {
      throw .methodNotFound(request.method)
    }
    return try result(of: method, params: request.params, in: revision)
  }

  private func revision(of request: Message.Request) throws(RPCError) -> Revision {
    if Envelope.isPresent(in: request.params) { return try Envelope(of: request.params).revision }
    if request.method == Method.discover.rawValue { throw Envelope.missing }
    return legacyRevision
  }
}
