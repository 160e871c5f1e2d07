// What makes two ids one.
//
// An id is echoed as it was written, but it is compared by what it says: a client that sends the request 1 and cancels
// 1.0 means the same request, and one that cancels "1" does not.

import JSON

/// The identity of a request's id: its type and its value.
struct RequestID: Hashable, Sendable {
  /// A string's canonical text, which begins with a quotation mark, or an integer's one spelling.
  private let identity: [UInt8]

  /// Nil when the value can be no id: it is neither a string nor an integer.
  init?(_ value: JSONValue) {
    if value.kind == .string {
      var bytes: [UInt8] = []
      value.appendCanonical(to: &bytes)
      identity = bytes
    } else if let integer = value.integerIdentity {
      identity = Array(integer.utf8)
    } else {
      return nil
    }
  }
}
