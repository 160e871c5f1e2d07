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

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
