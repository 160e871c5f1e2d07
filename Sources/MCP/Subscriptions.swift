// Who wants to be told that a resource has changed.

import JSON

/// The subscriptions of both eras, in the order in which they were made.
struct Subscriptions {
  /// What the legacy client has subscribed to, one URI after the other.
  var uris: [String] = []
  /// The open `subscriptions/listen` requests.
  var listens: [Listen] = []
  /// Whether the resources are being watched.
  var isWatching = false
  /// What identifies what subscribers know of; nil while the resources cannot be read.
  var revision: String?

  /// An open request for notifications.
  struct Listen {
    /// The id of the request, as written: it names the subscription in all that is said about it.
    let id: JSONValue
    let identity: RequestID
    let revision: Revision
    /// What of its wishes is honoured.
    let uris: [String]

    /// What tells its messages from those of other subscriptions.
    var meta: (key: String, value: JSONValue) { ("io.modelcontextprotocol/subscriptionId", id) }
  }

  /// The most that may be open at once.
  static let listenLimit = 64
  /// The most URIs that one of them may name, and that a legacy client may subscribe to: one section has many spellings.
  static let uriLimit = 256
}
