// What a client says that it can do, as far as it makes a difference here.

import JSON

/// The capabilities of a client, from its `initialize` or from the envelope of a request.
struct ClientCapabilities: Sendable {
  /// Whether it shows forms to its user. Before there were other ways to ask (2025-11-25), `elicitation` meant just that,
  /// and an empty object still does; a client that can only open pages says `url` and not `form`.
  let showsForms: Bool

  /// A client that says nothing about itself.
  static let none = ClientCapabilities(nil)

  init(_ value: JSONValue?) {
    guard let elicitation = value?["elicitation"], elicitation.kind == .object else {
      showsForms = false
      return
    }
    showsForms = elicitation["form"] != nil || elicitation["url"] == nil
  }
}
