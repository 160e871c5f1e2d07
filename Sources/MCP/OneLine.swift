// Text of others on one line.
//
// Names arrive with line breaks, tabs and stray control characters (copied from a recipe, written by a model). In a
// list each of them would break a row, so white space that holds a break becomes one space, and the other control
// characters go. All other characters stay as they are: what is not understood is not destroyed.

/// `text` without line breaks and control characters, and without white space at both ends.
func onOneLine(_ text: String) -> String {
  var line = String.UnicodeScalarView()
  /// White space that was read and not yet written; nothing after it yet.
  var space = String.UnicodeScalarView()
  var hasBreak = false
  for scalar in text.unicodeScalars {
    if scalar.properties.isWhitespace {
      space.append(scalar)
      hasBreak = hasBreak || scalar.breaksLine
    } else if scalar.properties.generalCategory != .control {
      if !line.isEmpty { line.append(contentsOf: hasBreak ? " ".unicodeScalars : space) }
      space.removeAll()
      hasBreak = false
      line.append(scalar)
    }
  }
  return String(line)
}

extension Unicode.Scalar {
  /// Line and paragraph separators and the control characters among white space (tab, LF, VT, FF, CR, NEL).
  fileprivate var breaksLine: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
