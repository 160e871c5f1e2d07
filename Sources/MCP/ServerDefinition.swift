// Everything a client can learn about a server, and everything it can do with it, as one value.
//
// The protocol below knows no shopping list; what it serves stands here. Tools and resources are made when they are first
// asked for: a host waits for the first answer, and each type of array and dictionary in a declaration costs the runtime
// a search when it is first used.

import JSON

/// What a session serves. Belongs to the main thread.
package final class ServerDefinition {
  package let info: Implementation
  /// What a model should know about the server as a whole.
  package let instructions: String
  package private(set) lazy var tools: [Tool] = makeTools()
  package private(set) lazy var resources: [Resource] = makeResources()
  package private(set) lazy var templates: [ResourceTemplate] = makeTemplates()
  /// Nil for a server whose resources never change; it takes no subscriptions.
  package let changes: ResourceChanges?

  private let makeTools: () -> [Tool]
  private let makeResources: () -> [Resource]
  private let makeTemplates: () -> [ResourceTemplate]

  package init(
    info: Implementation, instructions: String, tools: @autoclosure @escaping () -> [Tool],
    resources: @autoclosure @escaping () -> [Resource],
    templates: @autoclosure @escaping () -> [ResourceTemplate] = [], changes: ResourceChanges? = nil
  ) {
    self.info = info
    self.instructions = instructions
    makeTools = tools
    makeResources = resources
    makeTemplates = templates
    self.changes = changes
  }

  /// What is declared is served, and nothing else is declared.
  func capabilities(in revision: Revision) -> JSONValue {
    // The tools need not be made for a revision that could not be told of their views.
    let hasViews =
      WireMember.capabilitiesExtensions.revisions.contains(revision) && tools.contains { $0.view != nil }
    return .object(
      in: revision,
      [
        (.capabilitiesTools, .object([])),
        (.capabilitiesResources, changes == nil ? .object([]) : ["subscribe": true]),
        (.capabilitiesCompletions, templates.isEmpty ? nil : .object([])),
        (.capabilitiesExtensions, hasViews ? AppView.serverExtensions : nil),
      ])
  }

  /// Whether the method of this name is one that this server has something to serve by.
  func serves(_ method: Method) -> Bool {
    switch method {
    case .subscribe, .unsubscribe, .listen: changes != nil
    case .complete: !templates.isEmpty
    default: true
    }
  }

  // Names are compared as bytes: String's own comparison takes different spellings of one character for equal.

  func tool(named name: String) -> Tool? {
    tools.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  func resource(at uri: String) -> Resource? {
    resources.first { $0.uri.utf8.elementsEqual(uri.utf8) }
  }

  /// The template that a URI is formed by, and what its variable is.
  func template(for uri: String) -> (template: ResourceTemplate, value: String)? {
    for template in templates {
      if let value = template.value(in: uri) { return (template, value) }
    }
    return nil
  }

  func template(written text: String) -> ResourceTemplate? {
    templates.first { $0.uriTemplate.utf8.elementsEqual(text.utf8) }
  }
}

/// The server's software, in the protocol's words.
package struct Implementation: Sendable {
  package let name: String
  package let version: String
  package let title: String
  package let description: String
  /// Nil while the program has no page of its own.
  package let websiteURL: String?

  package init(
    name: String, version: String, title: String, description: String, websiteURL: String? = nil
  ) {
    self.name = name
    self.version = version
    self.title = title
    self.description = description
    self.websiteURL = websiteURL
  }

  /// As much as identifies the software: what every modern result carries.
  func brief(in revision: Revision) -> JSONValue {
    .object(in: revision, briefMembers)
  }

  /// All of it: for the one answer by which a client gets to know the server.
  func full(in revision: Revision) -> JSONValue {
    .object(
      in: revision,
      briefMembers + [
        (.implementationDescription, JSONValue(description)),
        (.implementationWebsiteURL, websiteURL.map { JSONValue($0) }),
      ])
  }

  private var briefMembers: [(WireMember, JSONValue?)] {
    [
      (.implementationName, JSONValue(name)),
      (.implementationVersion, JSONValue(version)),
      (.implementationTitle, JSONValue(title)),
    ]
  }
}
