// What each method answers. The routing is done (Session.swift): the method is served in this era, and what is left to
// check are its own params. Which members an answer has in which revision is the business of WireMember.swift.

import JSON

extension Session {
  /// The answer to a method that is served in `revision`; for `initialize`, the one that was just settled.
  func result(
    of method: Method, params: JSONValue, in revision: Revision
  ) throws(RPCError) -> JSONValue {
    switch method {
    case .initialize: return initialized(in: revision)
    case .discover: return discovered(in: revision)
    case .ping, .setLogLevel: return complete([], in: revision)
    case .callTool: return try call(params, in: revision)
    case .readResource: return try read(params, in: revision)
    case .listTools:
      return try list(.listTools, definition.tools.map { $0.listed(in: revision) }, params, in: revision)
    case .listResources:
      return try list(
        .listResources, definition.resources.map { $0.listed(in: revision) }, params, in: revision)
    case .listResourceTemplates: return try list(.listResourceTemplates, [], params, in: revision)
    case .listPrompts: return try list(.listPrompts, [], params, in: revision)
    }
  }

  private func initialized(in revision: Revision) -> JSONValue {
    complete(
      [
        (.initializeProtocolVersion, JSONValue(revision.rawValue)),
        (.initializeCapabilities, definition.capabilities(in: revision)),
        (.initializeServerInfo, definition.info.full(in: revision)),
        (.initializeInstructions, JSONValue(definition.instructions)),
      ], in: revision)
  }

  private func discovered(in revision: Revision) -> JSONValue {
    complete(
      [
        (.discoverSupportedVersions, .array(Revision.modern.map { JSONValue($0.rawValue) })),
        (.discoverCapabilities, definition.capabilities(in: revision)),
        (.discoverInstructions, JSONValue(definition.instructions)),
      ], caching: .builtIn, serverInfo: definition.info.full(in: revision), in: revision)
  }

  /// A list that has one page.
  private func list(
    _ member: WireMember, _ entries: [JSONValue], _ params: JSONValue, in revision: Revision
  ) throws(RPCError) -> JSONValue {
    if let cursor = params["cursor"], !cursor.isNull, cursor.string != "" {
      throw .invalidParams("cursor \(excerpt(of: cursor)) is none of ours: the list has one page")
    }
    return complete([(member, .array(entries))], caching: .builtIn, in: revision)
  }

  // MARK: - Tools

  private func call(_ params: JSONValue, in revision: Revision) throws(RPCError) -> JSONValue {
    guard let name = params["name"]?.string else { throw .invalidParams("tools/call needs name as a string") }
    guard let tool = definition.tool(named: name) else {
      let known = definition.tools.map(\.name).joined(separator: ", ")
      throw .invalidParams("unknown tool \(excerpt(of: name)); known are \(known)")
    }
    let arguments = try callArguments(params["arguments"])
    let result: ToolResult?
    do {
      result = try run(tool, on: arguments)
    } catch {
      return refused(error, in: revision)
    }
    guard let result else {
      log("tool \(name) went on asking after \(Self.questionLimit) answers")
      throw .internalError("the call could not be finished")
    }
    return called(result, in: revision)
  }

  /// How often one call may ask.
  private static let questionLimit = 3

  /// Runs a tool to its end. Nobody can be asked, so every question is answered by that. Nil when the tool asks once
  /// more than it may.
  private func run(_ tool: Tool, on arguments: JSONValue) throws(ToolFailure) -> ToolResult? {
    var outcome = try tool.call(arguments, context: CallContext(canAsk: false))
    for _ in 0...Self.questionLimit {
      switch outcome {
      case .done(let result): return result
      case .ask(_, let resume): outcome = try resume(.unavailable)
      }
    }
    return nil
  }

  /// The object of arguments. Some hosts send it as the JSON text that the model wrote.
  private func callArguments(_ value: JSONValue?) throws(RPCError) -> JSONValue {
    guard let value, !value.isNull else { return .object([]) }
    let object = FieldReading.unquoted(value)
    guard object.kind == .object else { throw .invalidParams("arguments must be an object") }
    return object
  }

  /// The members of `tools/call` for a result. The text is made to be read, and is not the structure once more: that
  /// would cost a model a third on top.
  private func called(_ result: ToolResult, in revision: Revision) -> JSONValue {
    complete(
      [
        (.callContent, content(result.text, in: revision)),
        (.callStructuredContent, result.structured),
        (.callIsError, false),
      ], in: revision)
  }

  private func refused(_ failure: ToolFailure, in revision: Revision) -> JSONValue {
    complete([(.callContent, content(failure.message, in: revision)), (.callIsError, true)], in: revision)
  }

  private func content(_ text: String, in revision: Revision) -> JSONValue {
    .array([.object(in: revision, [(.textType, "text"), (.textText, JSONValue(text))])])
  }

  // MARK: - Resources

  private func read(_ params: JSONValue, in revision: Revision) throws(RPCError) -> JSONValue {
    guard let uri = params["uri"]?.string else {
      throw .invalidParams("resources/read needs uri as a string")
    }
    guard let resource = definition.resource(at: uri) else {
      throw .resourceNotFound(uri, era: revision.era)
    }
    do {
      let contents = try resource.contents(in: revision)
      return complete([(.readContents, .array([contents]))], caching: resource.caching, in: revision)
    } catch {
      throw .internalError(error.message)
    }
  }

  // MARK: - Results

  /// A result with what every result of the revision has, and with what says how long it may be kept if it is one of
  /// those that may.
  private func complete(
    _ members: [(WireMember, JSONValue?)], caching: Caching? = nil, serverInfo: JSONValue? = nil,
    in revision: Revision
  ) -> JSONValue {
    let identity = serverInfo ?? definition.info.brief(in: revision)
    return .object(
      in: revision,
      [(.resultType, "complete")] + members + [
        (.ttlMs, caching.map { JSONValue($0.milliseconds) }),
        (.cacheScope, caching.map { JSONValue($0.scope) }),
        (.resultMeta, .object([("io.modelcontextprotocol/serverInfo", identity)])),
      ])
  }
}
