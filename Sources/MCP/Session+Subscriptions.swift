// Subscriptions to resources.
//
//     legacy     →  resources/subscribe 7      ← 7: {}       then  ← notifications/resources/updated
//     modern     →  subscriptions/listen 7     ← notifications/subscriptions/acknowledged, with what is honoured
//                                              then  ← notifications/resources/updated, each with the id 7 in _meta
//                →  notifications/cancelled 7  (it just ends)    or, when we end:  ← 7: a complete result
//
// All live resources change together: what they show is one thing, and its revision tells whether it is another now. It is
// watched as long as somebody has subscribed to any of them (ResourceChanges.swift). Resources that are built in can be
// subscribed to as well, since they are known; they never change.

import JSON

extension Session {
  // MARK: - Legacy

  func subscribe(_ params: JSONValue, in revision: Revision) throws(RPCError) -> JSONValue {
    let uri = try subscribedURI(params, "resources/subscribe")
    let isKnown: Bool
    do {
      isKnown = try self.isKnown(uri)
    } catch {
      throw .internalError(error.message)
    }
    guard isKnown else { throw .resourceNotFound(uri, era: revision.era) }
    if !subscriptions.uris.contains(where: { $0.utf8.elementsEqual(uri.utf8) }) {
      guard subscriptions.uris.count < Subscriptions.uriLimit else {
        throw .invalidRequest("at most \(Subscriptions.uriLimit) resources may be subscribed to")
      }
      subscriptions.uris.append(uri)
    }
    watchAsNeeded()
    return complete([], in: revision)
  }

  /// Ends a subscription, or does nothing where there is none: the resource may be gone by now.
  func unsubscribe(_ params: JSONValue, in revision: Revision) throws(RPCError) -> JSONValue {
    let uri = try subscribedURI(params, "resources/unsubscribe")
    subscriptions.uris.removeAll { $0.utf8.elementsEqual(uri.utf8) }
    watchAsNeeded()
    return complete([], in: revision)
  }

  func unsubscribeAll() {
    subscriptions.uris = []
    watchAsNeeded()
  }

  private func subscribedURI(_ params: JSONValue, _ method: String) throws(RPCError) -> String {
    guard let uri = params["uri"]?.string else { throw .invalidParams("\(method) needs uri as a string") }
    return uri
  }

  // MARK: - Modern

  func listen(_ request: Message.Request, in revision: Revision) throws(RPCError) -> Reply {
    guard !subscriptions.listens.contains(where: { $0.identity == request.identity }) else {
      throw .invalidRequest("a subscription with this id is open")
    }
    guard subscriptions.listens.count < Subscriptions.listenLimit else {
      throw .invalidRequest("at most \(Subscriptions.listenLimit) subscriptions may be open")
    }
    let wished = try wishedURIs(request.params["notifications"])
    let listen = Subscriptions.Listen(
      id: request.id, identity: request.identity, revision: revision, uris: wished.filter(isHonoured))
    subscriptions.listens.append(listen)
    watchAsNeeded()
    return .later([acknowledgement(of: listen)])
  }

  /// The URIs that a filter names, each once.
  private func wishedURIs(_ filter: JSONValue?) throws(RPCError) -> [String] {
    guard let filter, filter.kind == .object else {
      throw .invalidParams("subscriptions/listen needs notifications as an object")
    }
    for name in ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] {
      guard let flag = filter[name], !flag.isNull, flag.kind != .bool else { continue }
      throw .invalidParams("notifications.\(name) must be true or false")
    }
    guard let list = filter["resourceSubscriptions"], !list.isNull else { return [] }
    let uris = list.elements.compactMap(\.string)
    guard list.kind == .array, uris.count == list.elements.count else {
      throw .invalidParams("notifications.resourceSubscriptions must be a list of URIs")
    }
    guard uris.count <= Subscriptions.uriLimit else {
      throw .invalidParams("notifications.resourceSubscriptions may name \(Subscriptions.uriLimit) URIs")
    }
    var seen: Set<[UInt8]> = []
    return uris.filter { seen.insert(Array($0.utf8)).inserted }
  }

  /// What is honoured stands in the acknowledgement. Where the list cannot be read just now, nobody knows what it has; a
  /// subscriber is told when it can be read again.
  private func isHonoured(_ uri: String) -> Bool {
    do { return try isKnown(uri) } catch { return true }
  }

  private func acknowledgement(of listen: Subscriptions.Listen) -> [UInt8] {
    let uris = JSONValue.array(listen.uris.map { JSONValue($0) })
    let honoured: JSONValue = listen.uris.isEmpty ? .object([]) : ["resourceSubscriptions": uris]
    return Frame.notification(
      "notifications/subscriptions/acknowledged",
      params: .object(
        in: listen.revision,
        [(.acknowledgedMeta, .object([listen.meta])), (.acknowledgedNotifications, honoured)]))
  }

  /// Ends the subscription that this request opened, if there is one. Its client has asked for that, and hears no more.
  func endListen(_ id: RequestID) {
    subscriptions.listens.removeAll { $0.identity == id }
    watchAsNeeded()
  }

  /// Ends all subscriptions of the modern era from our side, each with the answer to its request.
  func endAllListens() -> [[UInt8]] {
    let ended = subscriptions.listens
    subscriptions.listens = []
    watchAsNeeded()
    return ended.map { listen in
      Frame.result(complete([], about: [listen.meta], in: listen.revision), to: listen.id)
    }
  }

  // MARK: - Changes

  /// What subscribers are told when something may have changed: nothing, unless the resources show something else.
  package func resourcesMayHaveChanged() -> [[UInt8]] {
    guard subscriptions.isWatching, let revision = definition.changes?.revision(),
      revision != subscriptions.revision
    else { return [] }
    subscriptions.revision = revision
    return subscriptions.uris.filter(isLive).map { uri in
      Frame.notification(
        "notifications/resources/updated",
        params: .object(in: legacyRevision, [(.updatedURI, JSONValue(uri))]))
    }
      + subscriptions.listens.flatMap { listen in
        listen.uris.filter(isLive).map { uri in
          Frame.notification(
            "notifications/resources/updated",
            params: .object(
              in: listen.revision,
              [(.updatedMeta, .object([listen.meta])), (.updatedURI, JSONValue(uri))]))
        }
      }
  }

  /// Begins to watch with the first subscription to a live resource, and ends with the last.
  private func watchAsNeeded() {
    guard let changes = definition.changes else { return }
    let isWanted =
      subscriptions.uris.contains(where: isLive)
      || subscriptions.listens.contains { $0.uris.contains(where: isLive) }
    guard isWanted != subscriptions.isWatching else { return }
    guard isWanted else {
      subscriptions.isWatching = false
      return changes.stop()
    }
    subscriptions.revision = changes.revision()
    do {
      try changes.start()
      subscriptions.isWatching = true
    } catch {
      // The next subscription tries again.
      log("changes cannot be watched: \(error.message)")
    }
  }

  /// Whether there is such a resource now.
  private func isKnown(_ uri: String) throws(ResourceFailure) -> Bool {
    if definition.resource(at: uri) != nil { return true }
    guard let (template, value) = definition.template(for: uri) else { return false }
    return try template.read(value) != nil
  }

  /// Whether what the resource shows can change.
  private func isLive(_ uri: String) -> Bool {
    let presentation = definition.resource(at: uri)?.presentation
    return (presentation ?? definition.template(for: uri)?.template.presentation)?.caching == .live
  }
}
