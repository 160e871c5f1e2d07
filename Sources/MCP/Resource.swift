// A resource, declared once: its entry in `resources/list` and how `resources/read` gets its contents.

import JSON

/// One entry of `resources/list`. Belongs to the main thread.
package struct Resource {
  /// For whom the contents are meant.
  package enum Role: String, Sendable {
    case user, assistant
  }

  package typealias Read = () throws(ResourceFailure) -> ResourceContents

  package let uri: String
  let presentation: ResourcePresentation
  let read: Read

  /// - Parameter priority: from 0, entirely optional, to 1, effectively required.
  package init(
    uri: String, name: String, title: String, description: String, mimeType: String, audience: [Role],
    priority: Double, caching: Caching, read: @escaping Read
  ) {
    self.init(
      uri: uri,
      presentation: ResourcePresentation(
        name: name, title: title, description: description, mimeType: mimeType, audience: audience,
        priority: priority, caching: caching),
      read: read)
  }

  init(uri: String, presentation: ResourcePresentation, read: @escaping Read) {
    self.uri = uri
    self.presentation = presentation
    self.read = read
  }

  /// The entry of `resources/list`.
  func listed(in revision: Revision) -> JSONValue {
    .object(
      in: revision,
      [
        (.resourceURI, JSONValue(uri)),
        (.resourceName, JSONValue(presentation.name)),
        (.resourceTitle, JSONValue(presentation.title)),
        (.resourceDescription, JSONValue(presentation.description)),
        (.resourceMimeType, JSONValue(presentation.mimeType)),
        (.resourceAnnotations, presentation.annotations(in: revision)),
      ])
  }
}

/// What clients see of a resource, or of all resources of one form, beside the URI.
struct ResourcePresentation: Sendable {
  let name: String
  let title: String
  let description: String
  let mimeType: String
  let audience: [Resource.Role]
  let priority: Double
  let caching: Caching
  /// What stands in `_meta` beside the contents; nil for nothing.
  var contentsMeta: JSONValue?

  func annotations(in revision: Revision) -> JSONValue {
    .object(
      in: revision,
      [
        (.annotationsAudience, .array(audience.map { JSONValue($0.rawValue) })),
        (.annotationsPriority, .number(text: "\(priority)")),
      ])
  }
}

/// What a resource holds now.
package struct ResourceContents: Sendable {
  package let text: String

  package init(text: String) {
    self.text = text
  }
}

/// The contents cannot be had: what happened and what to do, for the person who reads the host's error.
package struct ResourceFailure: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

/// How long a client may keep a modern answer, and for whom.
package enum Caching: Sendable {
  /// The same for everybody as long as the program is the same.
  case builtIn
  /// The user's own, and old as soon as it is sent. Subscribers are told when it changes.
  case live

  var milliseconds: Int {
    switch self {
    case .builtIn: 3_600_000
    case .live: 0
    }
  }

  var scope: String {
    switch self {
    case .builtIn: "public"
    case .live: "private"
    }
  }
}
