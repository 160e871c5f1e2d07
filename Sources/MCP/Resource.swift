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
  package let name: String
  package let title: String
  package let description: String
  package let mimeType: String
  package let audience: [Role]
  /// From 0, entirely optional, to 1, effectively required.
  package let priority: Double
  package let caching: Caching
  let read: Read

  package init(
    uri: String, name: String, title: String, description: String, mimeType: String, audience: [Role],
    priority: Double, caching: Caching, read: @escaping Read
  ) {
    self.uri = uri
    self.name = name
    self.title = title
    self.description = description
    self.mimeType = mimeType
    self.audience = audience
    self.priority = priority
    self.caching = caching
    self.read = read
  }

  /// The entry of `resources/list`.
  func listed(in revision: Revision) -> JSONValue {
    let annotations = JSONValue.object(
      in: revision,
      [
        (.annotationsAudience, .array(audience.map { JSONValue($0.rawValue) })),
        (.annotationsPriority, .number(text: "\(priority)")),
      ])
    return .object(
      in: revision,
      [
        (.resourceURI, JSONValue(uri)),
        (.resourceName, JSONValue(name)),
        (.resourceTitle, JSONValue(title)),
        (.resourceDescription, JSONValue(description)),
        (.resourceMimeType, JSONValue(mimeType)),
        (.resourceAnnotations, annotations),
      ])
  }

  /// The entry of `contents` in the answer to `resources/read`.
  func contents(in revision: Revision) throws(ResourceFailure) -> JSONValue {
    .object(
      in: revision,
      [
        (.contentsURI, JSONValue(uri)),
        (.contentsMimeType, JSONValue(mimeType)),
        (.contentsText, JSONValue(try read().text)),
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
  /// The user's own, and old as soon as it is sent.
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
