// What each method answers. The routing is done (Session.swift): the method is served in this era, and what is left to
// check are its own params. Which members an answer has in which revision is the business of WireMember.swift.

import JSON

extension Session {
  /// What a method comes to that is served in `revision`.
  func reply(
    to method: Method, _ request: Message.Request, from client: ClientCapabilities, in revision: Revision
  ) throws(RPCError) -> Reply {
    let params = request.params
    switch method {
    case .callTool: return try call(request, from: client, in: revision)
    case .listen: return try listen(request, in: revision)
    case .discover: return .result(discovered(in: revision))
    case .ping, .setLogLevel: return .result(complete([], in: revision))
    case .readResource: return .result(try read(params, in: revision))
    case .subscribe: return .result(try subscribe(params, in: revision))
    case .unsubscribe: return .result(try unsubscribe(params, in: revision))
    case .complete: return .result(try completions(params, in: revision))
    case .listTools:
      let tools = definition.tools.map { $0.listed(in: revision) }
      return .result(try list(.listTools, tools, params, in: revision))
    case .listResources:
      let resources = definition.resources.map { $0.listed(in: revision) }
      return .result(try list(.listResources, resources, params, in: revision))
    case .listResourceTemplates:
      let templates = definition.templates.map { $0.listed(in: revision) }
      return .result(try list(.listResourceTemplates, templates, params, in: revision))
    case .listPrompts: return .result(try list(.listPrompts, [], params, in: revision))
    }
  }

  /// The answer to a handshake that settled `revision`.
  func initialized(in revision: Revision) -> JSONValue {
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

  /// The answer to `tools/call` for a result. The text is made to be read, and is not the structure once more: that would
  /// cost a model a third on top.
  func called(_ result: ToolResult, in revision: Revision) -> JSONValue {
    complete(
      [
        (.callContent, content(result.text, in: revision)),
        (.callStructuredContent, result.structured),
        (.callIsError, false),
      ], in: revision)
  }

  /// The answer to `tools/call` for a refusal, which the model sees.
  func refused(_ failure: ToolFailure, in revision: Revision) -> JSONValue {
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
    do throws(ResourceFailure) {
      if let resource = definition.resource(at: uri) {
        return contents(try resource.read(), of: uri, resource.presentation, in: revision)
      }
      if let (template, value) = definition.template(for: uri), let contents = try template.read(value) {
        return self.contents(contents, of: uri, template.presentation, in: revision)
      }
    } catch {
      throw .internalError(error.message)
    }
    throw .resourceNotFound(uri, era: revision.era)
  }

  private func contents(
    _ contents: ResourceContents, of uri: String, _ presentation: ResourcePresentation, in revision: Revision
  ) -> JSONValue {
    let entry = JSONValue.object(
      in: revision,
      [
        (.contentsURI, JSONValue(uri)),
        (.contentsMimeType, JSONValue(presentation.mimeType)),
        (.contentsText, JSONValue(contents.text)),
        (.contentsMeta, presentation.contentsMeta),
      ])
    return complete([(.readContents, .array([entry]))], caching: presentation.caching, in: revision)
  }

  // MARK: - Completion

  /// The most values that one answer may have, by the schema.
  private static let completionLimit = 100

  private func completions(_ params: JSONValue, in revision: Revision) throws(RPCError) -> JSONValue {
    guard let reference = params["ref"], reference.kind == .object else {
      throw .invalidParams("completion/complete needs ref as an object")
    }
    guard reference["type"]?.string == "ref/resource" else {
      throw .invalidParams("unknown ref \(excerpt(of: reference)): only ref/resource is known")
    }
    guard let uri = reference["uri"]?.string else { throw .invalidParams("ref needs uri as a string") }
    guard let template = definition.template(written: uri) else {
      let known = definition.templates.map(\.uriTemplate).joined(separator: ", ")
      throw .invalidParams("unknown ref \(excerpt(of: uri)); known are \(known)")
    }
    guard let name = params["argument"]?["name"]?.string, let text = params["argument"]?["value"]?.string
    else { throw .invalidParams("completion/complete needs argument with name and value as strings") }
    guard name.utf8.elementsEqual(template.variable.utf8) else {
      throw .invalidParams("unknown argument \(excerpt(of: name)); known is \(template.variable)")
    }
    let values: [String]
    do {
      values = try template.complete(text)
    } catch {
      throw .internalError(error.message)
    }
    let shown = values.prefix(Self.completionLimit).map { JSONValue($0) }
    let completion: JSONValue = [
      "values": .array(shown), "total": JSONValue(values.count),
      "hasMore": JSONValue(values.count > shown.count),
    ]
    return complete([(.completion, completion)], in: revision)
  }

  // MARK: - Results

  /// A result that is all there is to say, with what says how long it may be kept if it is one of those that may.
  func complete(
    _ members: [(WireMember, JSONValue?)], caching: Caching? = nil, serverInfo: JSONValue? = nil,
    about meta: [(key: String, value: JSONValue)] = [], in revision: Revision
  ) -> JSONValue {
    var members = members
    if let caching {
      members += [(.ttlMs, JSONValue(caching.milliseconds)), (.cacheScope, JSONValue(caching.scope))]
    }
    return result(members, type: "complete", serverInfo: serverInfo, about: meta, in: revision)
  }

  /// A result with what every result of the revision has.
  func result(
    _ members: [(WireMember, JSONValue?)], type: String, serverInfo: JSONValue? = nil,
    about meta: [(key: String, value: JSONValue)] = [], in revision: Revision
  ) -> JSONValue {
    var all: [(WireMember, JSONValue?)] = [(.resultType, JSONValue(type))]
    all += members
    if WireMember.resultMeta.revisions.contains(revision) {
      let identity = serverInfo ?? definition.info.brief(in: revision)
      all.append((.resultMeta, .object(meta + [("io.modelcontextprotocol/serverInfo", identity)])))
    }
    return .object(in: revision, all)
  }
}
