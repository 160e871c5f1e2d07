// Which member is sent in which revision: the one table behind every object that goes over the wire.
//
// A revision's schema defines its members, and a strict client refuses one that its revision does not know. So no
// code asks for a revision; objects are built from all the members they could have, and the table leaves out those
// that the revision at hand lacks:
//
//     .object(in: revision, [(.toolName, …), (.toolTitle, …)])      // 2024-11-05: without the title
//
// The tests compare the table with the official schemas, and every frame that the server can send as well.

import JSON

/// A member of a type of the protocol's schema. The raw value is "Type.member", in the schema's own names.
enum WireMember: String, CaseIterable {
  case errorCode = "Error.code"
  case errorMessage = "Error.message"
  case errorData = "Error.data"

  case resultType = "Result.resultType"
  case resultMeta = "Result._meta"
  case ttlMs = "CacheableResult.ttlMs"
  case cacheScope = "CacheableResult.cacheScope"

  case initializeProtocolVersion = "InitializeResult.protocolVersion"
  case initializeCapabilities = "InitializeResult.capabilities"
  case initializeServerInfo = "InitializeResult.serverInfo"
  case initializeInstructions = "InitializeResult.instructions"

  case discoverSupportedVersions = "DiscoverResult.supportedVersions"
  case discoverCapabilities = "DiscoverResult.capabilities"
  case discoverInstructions = "DiscoverResult.instructions"

  case implementationName = "Implementation.name"
  case implementationVersion = "Implementation.version"
  case implementationTitle = "Implementation.title"
  case implementationDescription = "Implementation.description"
  case implementationWebsiteURL = "Implementation.websiteUrl"

  case capabilitiesTools = "ServerCapabilities.tools"
  case capabilitiesResources = "ServerCapabilities.resources"
  case capabilitiesCompletions = "ServerCapabilities.completions"
  case capabilitiesExtensions = "ServerCapabilities.extensions"

  case listTools = "ListToolsResult.tools"
  case toolName = "Tool.name"
  case toolTitle = "Tool.title"
  case toolDescription = "Tool.description"
  case toolInputSchema = "Tool.inputSchema"
  case toolOutputSchema = "Tool.outputSchema"
  case toolAnnotations = "Tool.annotations"
  case toolMeta = "Tool._meta"
  case annotationsTitle = "ToolAnnotations.title"
  case annotationsReadOnly = "ToolAnnotations.readOnlyHint"
  case annotationsDestructive = "ToolAnnotations.destructiveHint"
  case annotationsIdempotent = "ToolAnnotations.idempotentHint"
  case annotationsOpenWorld = "ToolAnnotations.openWorldHint"

  case callContent = "CallToolResult.content"
  case callStructuredContent = "CallToolResult.structuredContent"
  case callIsError = "CallToolResult.isError"
  case textType = "TextContent.type"
  case textText = "TextContent.text"

  case listResources = "ListResourcesResult.resources"
  case listResourceTemplates = "ListResourceTemplatesResult.resourceTemplates"
  case resourceURI = "Resource.uri"
  case resourceName = "Resource.name"
  case resourceTitle = "Resource.title"
  case resourceDescription = "Resource.description"
  case resourceMimeType = "Resource.mimeType"
  case resourceAnnotations = "Resource.annotations"
  case annotationsAudience = "Annotations.audience"
  case annotationsPriority = "Annotations.priority"

  case templateURITemplate = "ResourceTemplate.uriTemplate"
  case templateName = "ResourceTemplate.name"
  case templateTitle = "ResourceTemplate.title"
  case templateDescription = "ResourceTemplate.description"
  case templateMimeType = "ResourceTemplate.mimeType"
  case templateAnnotations = "ResourceTemplate.annotations"

  case readContents = "ReadResourceResult.contents"
  case contentsURI = "TextResourceContents.uri"
  case contentsMimeType = "TextResourceContents.mimeType"
  case contentsText = "TextResourceContents.text"
  case contentsMeta = "TextResourceContents._meta"

  case completion = "CompleteResult.completion"

  case inputRequests = "InputRequiredResult.inputRequests"
  case elicitMode = "ElicitRequestFormParams.mode"
  case elicitMessage = "ElicitRequestFormParams.message"
  case elicitSchema = "ElicitRequestFormParams.requestedSchema"
  case cancelledRequestID = "CancelledNotificationParams.requestId"
  case cancelledReason = "CancelledNotificationParams.reason"

  case updatedMeta = "ResourceUpdatedNotificationParams._meta"
  case updatedURI = "ResourceUpdatedNotificationParams.uri"
  case acknowledgedMeta = "SubscriptionsAcknowledgedNotificationParams._meta"
  case acknowledgedNotifications = "SubscriptionsAcknowledgedNotificationParams.notifications"

  case listPrompts = "ListPromptsResult.prompts"

  /// The name of the member itself.
  var name: String {
    let path = rawValue.utf8
    return path.firstIndex(of: UInt8(ascii: ".")).map { String(Substring(path[path.index(after: $0)...])) } ?? rawValue
  }

  /// The revisions in which it is sent.
  var revisions: ClosedRange<Revision> {
    switch self {
    case .initializeProtocolVersion, .initializeCapabilities, .initializeServerInfo, .initializeInstructions,
      .listPrompts, .cancelledRequestID, .cancelledReason:
      .november2024 ... .november2025
    case .capabilitiesCompletions, .toolAnnotations, .annotationsTitle, .annotationsReadOnly,
      .annotationsDestructive,
      .annotationsIdempotent, .annotationsOpenWorld:
      .march2025 ... .july2026
    case .implementationTitle, .toolTitle, .toolOutputSchema, .toolMeta, .resourceTitle, .templateTitle,
      .contentsMeta, .callStructuredContent, .elicitMessage, .elicitSchema:
      .june2025 ... .july2026
    case .implementationDescription, .implementationWebsiteURL, .elicitMode:
      .november2025 ... .july2026
    case .resultType, .resultMeta, .ttlMs, .cacheScope, .discoverSupportedVersions, .discoverCapabilities,
      .discoverInstructions, .capabilitiesExtensions, .inputRequests, .updatedMeta, .acknowledgedMeta,
      .acknowledgedNotifications:
      .july2026 ... .july2026
    default:
      .november2024 ... .july2026
    }
  }
}

extension JSONValue {
  /// An object of those of the members that have a value and that `revision` has, in the order given.
  static func object(in revision: Revision, _ members: [(WireMember, JSONValue?)]) -> JSONValue {
    var sent: [(key: String, value: JSONValue)] = []
    sent.reserveCapacity(members.count)
    for (member, value) in members {
      guard let value, member.revisions.contains(revision) else { continue }
      sent.append((member.name, value))
    }
    return .object(sent)
  }
}
