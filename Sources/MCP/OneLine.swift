// Text of others on one line.
//
// Names arrive with line breaks, tabs and stray control characters (copied from a recipe, written by a model). In a
// list each of them would break a row, so white space that holds a break becomes one space, and the other control
// characters go. All other characters stay as they are: what is not understood is not destroyed.

/// `text` without line breaks and control characters, and without white space at both ends.
func onOneLine(_ text: String) -> String {
  // As a rule there is nothing to do.
  let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  if isPlain && text.utf8.first != 0x20 && text.utf8.last != 0x20 { return text }
  var line = String.UnicodeScalarView()
  /// White space that was read and not yet written; nothing after it yet.
  var space = String.UnicodeScalarView()
  var hasBreak = false
  for scalar in text.unicodeScalars {
    switch scalar.role {
    case .blank, .lineBreak:
      space.append(scalar)
      hasBreak = hasBreak || scalar.role == .lineBreak
    case .control:
      break
    case .content:
      if !space.isEmpty {
        if !line.isEmpty { line.append(contentsOf: hasBreak ? " ".unicodeScalars : space) }
        space.removeAll()
        hasBreak = false
      }
      line.append(scalar)
    }
  }
  return String(line)
}

extension Unicode.Scalar {
  fileprivate enum Role {
    case content, blank, lineBreak, control
  }

  /// What becomes of the scalar on one line. Line breaks are the separators of lines and paragraphs, and the control
  /// characters among white space: tab, LF, VT, FF, CR and NEL.
  fileprivate var role: Role {
    if (0x21...0x7E).contains(value) { return .content }
    switch properties.generalCategory {
    case .control: return properties.isWhitespace ? .lineBreak : .control
    case .lineSeparator, .paragraphSeparator: return .lineBreak
    default: return properties.isWhitespace ? .blank : .content
    }
  }
}
