/// Text from the file, made fit to stand inside a sentence: on one line, without control and direction characters.
///
/// A name is whatever somebody typed or synced. A line break in it could forge another row or another sentence, a
/// direction mark could turn the rest of the line round. What is shown is cleaned; the file and the structured content
/// keep the name as it is.
package func oneLine(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
  if isPlain && !text.hasPrefix(" ") && !text.hasSuffix(" ") { return text }
  var scalars = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
      if let last = scalars.last, last != " " { scalars.append(" ") }
    } else if !isDirectionMark(scalar) {
      scalars.append(scalar)
    }
  }
  if scalars.last == " " { scalars.removeLast() }
  return String(scalars)
}

/// The marks, embeddings, overrides and isolates of the Unicode bidirectional algorithm (UAX #9).
private func isDirectionMark(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}
