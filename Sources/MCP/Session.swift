// One client's conversation: lines go in, frames come out. No thread, no descriptor, no clock of its own.
//
//     session.accept(line: bytes)                     // parsed once, and put behind those that wait
//     while let frames = session.serveNext() { … }    // the frames of one message, if it has any
//     session.resourcesMayHaveChanged()               // those that subscribers are told by
//     session.endOverdueQuestions()                   // at the latest at `session.deadline`
//     session.finish()                                // what is still to be said at the end
//
// Accepting and serving are apart, so that whoever drives the session can take over all lines that have arrived before
// each is served, and can stop between two requests: a cancellation takes effect as it is accepted, on whatever waits
// before it. Messages are served strictly in order, one at a time. Two kinds of requests stay open while others are
// served: a call that waits for its user (Session+Asking.swift) and a subscription (Session+Subscriptions.swift).
//
// Each request is routed by itself:
//
//     initialize, whatever it carries          the legacy handshake; a second one starts over
//     params._meta has an envelope             modern rules, for this request
//     server/discover without one              an error that names what is missing
//     anything else                            legacy rules at the negotiated revision, else the newest
//
// Session+Methods.swift has what each method answers.

import JSON
import Platform

/// The state of a conversation, and the messages that wait to be served. Belongs to the main thread.
package final class Session {
  let definition: ServerDefinition
  /// Takes details that are not for the client.
  let log: (String) -> Void
  /// Nanoseconds from some point on.
  let monotonic: () -> UInt64
  /// How long a question waits for its user, in nanoseconds.
  let patience: UInt64

  private var backlog = Backlog()
  /// The revision that will be the negotiated one when all that waits is served.
  private var announced: Revision?

  /// What the last handshake settled.
  var handshake = Handshake()
  /// What is asked of the user.
  var questions = OpenQuestions()
  var subscriptions = Subscriptions()

  /// - Parameters:
  ///   - monotonic: nanoseconds from some point on.
  ///   - patience: how long a question waits for its user, in nanoseconds.
  package init(
    definition: ServerDefinition, monotonic: @escaping () -> UInt64 = Syscalls.live.monotonic,
    patience: UInt64 = 600_000_000_000, log: @escaping (String) -> Void
  ) {
    self.definition = definition
    self.monotonic = monotonic
    self.patience = patience
    self.log = log
  }

  /// What a client is served by that does not say so with each request.
  struct Handshake {
    /// Nil before the first `initialize`.
    var revision: Revision?
    var client = ClientCapabilities.none
    /// Whether the client has said that it is done with it, too.
    var isComplete = false
  }

  // MARK: - Accepting

  /// What waits costs so many bytes.
  package var backlogCost: Int { backlog.cost }

  /// Whether nothing waits to be served.
  package var isIdle: Bool { backlog.isEmpty }

  /// Takes over a line without its line end. It is served when its turn comes; a cancellation counts at once.
  package func accept(line: [UInt8]) {
    switch InputLine(line) {
    case .message(let message):
      if case .request(let request) = message, request.isHandshake {
        announced = .negotiated(for: request.params["protocolVersion"]?.string)
      }
      accept(message, cost: line.count)
    case .batch(let array): accept(batch: array, cost: line.count)
    }
  }

  /// Takes over the news that a line was too long to be read.
  package func acceptOversizedLine() {
    let limit = LineReader.defaultLimit
    accept(.invalid("a line may have at most \(limit) bytes; this one was skipped"), cost: 0)
  }

  private func accept(_ message: Message, cost: Int, in batch: Batch? = nil) {
    if case .notification(.cancelled(let id)) = message { backlog.cancel(id) }
    backlog.append(message, cost: cost + Backlog.costPerEntry, batch: batch)
  }

  /// The most messages that a batch may have. A line has room for millions, and each would be answered in the same frame.
  static let batchLimit = 10_000

  /// Batches are there in one revision, which a handshake must have chosen.
  private func accept(batch array: JSONValue, cost: Int) {
    guard announced == .march2025 else {
      return accept(.invalid("batches are not served: send each message on a line of its own"), cost: cost)
    }
    let count = array.elements.count
    guard count > 0 else { return accept(.invalid("a batch has at least one message"), cost: cost) }
    guard count <= Self.batchLimit else {
      return accept(.invalid("a batch may have at most \(Self.batchLimit) messages"), cost: cost)
    }
    let batch = Batch(count: count)
    for element in array.elements { accept(Message(element).inBatch, cost: cost / count, in: batch) }
  }

  // MARK: - Serving

  /// Serves the first message that waits, and returns what is to be written for it, each frame without its newline;
  /// nil when none waits.
  package func serveNext() -> [[UInt8]]? {
    guard let entry = backlog.next() else { return nil }
    let frames = entry.message.map(serve) ?? []
    return entry.batch?.add(frames) ?? frames
  }

  /// Accepts a line and serves all that waits.
  package func handle(line: [UInt8]) -> [[UInt8]] {
    accept(line: line)
    var frames: [[UInt8]] = []
    while let next = serveNext() { frames += next }
    return frames
  }

  private func serve(_ message: Message) -> [[UInt8]] {
    switch message {
    case .request(let request) where request.isHandshake: startOver(with: request)
    case .request(let request): frames(for: request.id) { () throws(RPCError) in try reply(to: request) }
    case .malformed(let error, let id, let isModern):
      [Frame.error(error, to: id, in: isModern ? .newestModern : legacyRevision)]
    case .notification(.initialized): acknowledgeHandshake()
    case .notification(.cancelled(let id)): cancel(id)
    case .notification(.other): []
    case .response(let response): take(response)
    }
  }

  /// The frames of what serving a request comes to.
  func frames(for id: JSONValue, _ serve: () throws(RPCError) -> Reply) -> [[UInt8]] {
    do {
      switch try serve() {
      case .result(let result): return [Frame.result(result, to: id)]
      case .later(let frames): return frames
      }
    } catch {
      // An error to a known id looks the same in every revision.
      return [Frame.error(error, to: id, in: legacyRevision)]
    }
  }

  private func reply(to request: Message.Request) throws(RPCError) -> Reply {
    let (revision, client) = try rules(for: request)
    guard let method = Method(named: request.method, in: revision.era), definition.serves(method) else {
      throw .methodNotFound(request.method)
    }
    return try reply(to: method, request, from: client, in: revision)
  }

  /// By which revision a request is served, and what its client can do.
  private func rules(
    for request: Message.Request
  ) throws(RPCError) -> (revision: Revision, client: ClientCapabilities) {
    if Envelope.isPresent(in: request.params) {
      let envelope = try Envelope(of: request.params)
      return (envelope.revision, envelope.client)
    }
    if request.method == Method.discover.rawValue { throw Envelope.missing }
    return (legacyRevision, handshake.isComplete ? handshake.client : .none)
  }

  /// The revision of requests that do not carry one.
  var legacyRevision: Revision { handshake.revision ?? .newestLegacy }

  /// The handshake. All that an earlier one settled is over, and what still waits on its terms is answered.
  private func startOver(with request: Message.Request) -> [[UInt8]] {
    let ended = endAllQuestions(because: "the client began anew")
    unsubscribeAll()
    let revision = Revision.negotiated(for: request.params["protocolVersion"]?.string)
    handshake = Handshake(revision: revision, client: ClientCapabilities(request.params["capabilities"]))
    return ended + [Frame.result(initialized(in: revision), to: request.id)]
  }

  private func acknowledgeHandshake() -> [[UInt8]] {
    handshake.isComplete = handshake.revision != nil
    return []
  }

  /// Ends what stays open under this id; what waited in the backlog is gone already.
  private func cancel(_ id: RequestID) -> [[UInt8]] {
    endListen(id)
    return cancelQuestion(ofCall: id)
  }

  /// What is to be said when no more lines will come: answers to all that is still open.
  package func finish() -> [[UInt8]] {
    answerAllQuestions() + endAllListens()
  }
}

/// What serving a request comes to, if it is no error.
enum Reply {
  case result(JSONValue)
  /// It stays open, and is answered later or never; the frames are sent meanwhile.
  case later([[UInt8]])
}

extension Message {
  fileprivate static func invalid(_ reason: String) -> Message {
    .malformed(.invalidRequest(reason), id: nil, isModern: false)
  }

  /// The message as an entry of a batch: what a batch cannot hold is refused there.
  fileprivate var inBatch: Message {
    switch self {
    case .request(let request) where request.isHandshake:
      .malformed(.invalidRequest("initialize cannot be part of a batch"), id: request.id, isModern: false)
    case .request(let request) where Envelope.isPresent(in: request.params):
      .malformed(
        .invalidRequest("a request of a revision without batches cannot be part of one"), id: request.id,
        isModern: false)
    case .malformed(let error, let id, _): .malformed(error, id: id, isModern: false)
    default: self
    }
  }
}
