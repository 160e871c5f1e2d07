// The released revisions of the Model Context Protocol.
//
// Two eras share the pipe. The legacy revisions start with an `initialize` handshake that fixes one of them; the
// modern one is stateless, and every request says by itself that it belongs to it (see Envelope.swift). Which era
// serves a request is decided per request, never per connection.

/// A released protocol revision, named by its release month; older ones compare as less.
package enum Revision: String, CaseIterable, Comparable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// What an `initialize` gets that asks for anything unknown, and what requests get that come before one.
  static let newestLegacy = Revision.november2025

  /// What answers a message that is modern and says no more about itself.
  static let newestModern = Revision.july2026

  /// The stateless revisions, as `server/discover` and -32022 list them. A legacy one among them would be picked by
  /// a client that then sends it in an envelope which that revision does not have.
  static let modern = allCases.filter { $0.era == .modern }

  var era: Era { self >= .july2026 ? .modern : .legacy }

  /// The revision that an `initialize` which asks for `name` is answered with.
  static func negotiated(for name: String?) -> Revision {
    guard let name, let known = Revision(rawValue: name), known.era == .legacy else { return newestLegacy }
    return known
  }

  package static func < (left: Revision, right: Revision) -> Bool { left.rawValue < right.rawValue }
}

/// How a request is served: after the rules of the handshake, or by what its own envelope says.
enum Era: Sendable {
  case legacy, modern
}
