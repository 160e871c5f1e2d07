// Resources of one form, declared once: `shop://shelf/{name}` stands for all of `shop://shelf/fruit`, `shop://shelf/dairy`
// and so on.
//
// A template here has one variable, at its end. What stands there in a URI is the percent-encoded value (RFC 6570, simple
// expansion); characters that should have been encoded are taken as they are, since people type such URIs.

import JSON

/// One entry of `resources/templates/list`. Belongs to the main thread.
package struct ResourceTemplate {
  /// The contents for a value of the variable; nil when there is no such resource.
  package typealias Read = (String) throws(ResourceFailure) -> ResourceContents?
  /// All values that begin as the text does, or else are near it, the best first.
  package typealias Complete = (String) throws(ResourceFailure) -> [String]

  /// What all its URIs begin with.
  package let prefix: String
  package let variable: String
  let presentation: ResourcePresentation
  let read: Read
  let complete: Complete

  /// - Parameter priority: from 0, entirely optional, to 1, effectively required.
  package init(
    prefix: String, variable: String, name: String, title: String, description: String, mimeType: String,
    audience: [Resource.Role], priority: Double, caching: Caching, read: @escaping Read,
    complete: @escaping Complete
  ) {
    self.prefix = prefix
    self.variable = variable
    presentation = ResourcePresentation(
      name: name, title: title, description: description, mimeType: mimeType, audience: audience,
      priority: priority, caching: caching)
    self.read = read
    self.complete = complete
  }

  /// The template as RFC 6570 writes it.
  package var uriTemplate: String { "\(prefix){\(variable)}" }

  /// The entry of `resources/templates/list`.
  func listed(in revision: Revision) -> JSONValue {
    .object(
      in: revision,
      [
        (.templateURITemplate, JSONValue(uriTemplate)),
        (.templateName, JSONValue(presentation.name)),
        (.templateTitle, JSONValue(presentation.title)),
        (.templateDescription, JSONValue(presentation.description)),
        (.templateMimeType, JSONValue(presentation.mimeType)),
        (.templateAnnotations, presentation.annotations(in: revision)),
      ])
  }

  /// What the variable is in a URI; nil when the URI is none of this form.
  func value(in uri: String) -> String? {
    let (bytes, start) = (Array(uri.utf8), Array(prefix.utf8))
    guard bytes.count > start.count, bytes.starts(with: start) else { return nil }
    return decoded(bytes[start.count...])
  }

  /// Percent-decoded text; nil when an escape is none, or the bytes are no UTF-8.
  private func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        text.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit)
      else { return nil }
      text.append(high << 4 | low)
    }
    return String(validating: text, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
