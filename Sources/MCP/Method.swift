// The methods that are served, and in which era. Notifications are not among them: none is answered. Nor is `initialize`:
// it is served by no era's rules, but settles them (Session.swift).

/// A request's method. The raw value is its name on the wire.
enum Method: String, CaseIterable, Sendable {
  case ping
  case discover = "server/discover"
  case listTools = "tools/list"
  case callTool = "tools/call"
  case listResources = "resources/list"
  case listResourceTemplates = "resources/templates/list"
  case readResource = "resources/read"
  case subscribe = "resources/subscribe"
  case unsubscribe = "resources/unsubscribe"
  case listen = "subscriptions/listen"
  case complete = "completion/complete"
  case listPrompts = "prompts/list"
  case setLogLevel = "logging/setLevel"

  /// The method of this name if `era` has it.
  init?(named name: String, in era: Era) {
    guard let method = Method(rawValue: name), method.belongs(to: era) else { return nil }
    self = method
  }

  private func belongs(to era: Era) -> Bool {
    switch self {
    case .listTools, .callTool, .listResources, .listResourceTemplates, .readResource, .complete: true
    case .ping, .subscribe, .unsubscribe: era == .legacy
    // Not declared, and answered all the same: hosts send them without looking, some before the handshake.
    case .listPrompts, .setLogLevel: era == .legacy
    case .discover, .listen: era == .modern
    }
  }
}
