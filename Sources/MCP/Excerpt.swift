// What others wrote, shown inside a message of ours.
//
// A refused value is repeated in the refusal, so that a model sees which of its values is meant. It is shown on one
// line and cut: a value of a megabyte must not come back as an error of a megabyte.

import JSON

/// The beginning of a text on one line, at most 80 Unicode scalars, ending in "…" when cut.
func excerpt(of text: String) -> String {
  let limit = 80
  // More than is shown, since some of it may be folded away.
  let beginning = text.unicodeScalars.prefix(4 * limit)
  let shown = onOneLine(String(beginning)).unicodeScalars
  if shown.count <= limit && beginning.endIndex == text.unicodeScalars.endIndex { return String(shown) }
  return String(String.UnicodeScalarView(shown.prefix(limit - 1))) + "…"
}

/// A value as JSON on one line, cut like a text.
func excerpt(of value: JSONValue) -> String {
  var bytes: [UInt8] = []
  value.appendCompact(to: &bytes)
  return excerpt(of: String(decoding: bytes, as: UTF8.self))
}
