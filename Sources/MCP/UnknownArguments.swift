// Arguments that a tool does not have.
//
// A tool that writes refuses them: a lost `quantity` would be a lost amount. The refusal says what was probably meant,
// so that the model's next call is right; nothing is renamed silently, since "probably" is not enough to write by.

/// What a tool does about arguments it does not know.
package enum UnknownArguments: Sendable {
  case ignored
  /// `aliases`: names in lower case that are often used for a field, to the field's name. They are only suggested.
  case refused(aliases: [String: String])

  /// What hosts are known to add to a call by themselves.
  private static let addedByHosts = [
    "toolCallId", "sessionId", "action", "chatInput", "tool", "random_string",
  ]

  /// Refuses the names that are none of the fields. `label` is the place of the object, nil for the arguments
  /// themselves, to which alone hosts add.
  func check(
    _ names: [String], against fields: [any ArgumentField], label: String?
  ) throws(ToolFailure) {
    guard case .refused(let aliases) = self else { return }
    let known = fields.map(\.name)
    let unknown = names.filter { name in
      !known.contains(name) && !(label == nil && Self.addedByHosts.contains(name))
    }
    guard !unknown.isEmpty else { return }
    let place = label.map { "\($0): " } ?? ""
    let complaints = unknown.map { name in
      let suggestion = Self.suggestion(for: name, among: known, aliases: aliases)
      let advice = suggestion.map { "did you mean \($0)?" } ?? "known are \(known.joined(separator: ", "))"
      return "\(place)unknown argument \(excerpt(of: name)); \(advice)"
    }
    throw ToolFailure(complaints.joined(separator: "\n"))
  }

  /// The known name that was probably meant: by the aliases, else the nearest within two edits.
  private static func suggestion(
    for name: String, among known: [String], aliases: [String: String]
  ) -> String? {
    if let alias = aliases[name.lowercased()], known.contains(alias) { return alias }
    return nearestName(to: name, among: known)
  }
}
