// What the tests of this target share: parsing literals, printing results, a repeatable random generator.

import JSON

extension JSONValue {
  /// Parses a text.
  init(json text: String) throws { try self.init(parsing: Array(text.utf8)) }

  /// The file in the style that it has.
  var file: String { String(decoding: encoded(style: .detected(in: self)), as: UTF8.self) }

  func file(_ style: JSONStyle) -> String { String(decoding: encoded(style: style), as: UTF8.self) }

  var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }

  var canonical: String { String(decoding: canonicalBytes, as: UTF8.self) }

  var compact: String {
    var bytes: [UInt8] = []
    appendCompact(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
