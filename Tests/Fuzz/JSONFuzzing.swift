// Any bytes as JSON.
//
// Promised:
// - Nothing traps. What is refused names a place in the text.
// - What is accepted is written unchanged, byte for byte, whatever the style.
// - The compact and the canonical text say the same as what was read, and canonical texts are their own.
// - A value made anew from what was read says the same in every style.
// - A changed member leaves the text of all others alone; one that is added and taken out again leaves the text as it was.

import Seeded

@testable import JSON

struct JSONFuzzing {
  let planted: Bool

  func run(_ bytes: [UInt8]) throws {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      try promise((0...bytes.count).contains(error.offset), "offset \(error.offset) of \(bytes.count)")
      try promise(error.line >= 1 && error.column >= 1 && !error.message.isEmpty, "\(error)")
      return
    }
    var random = SplitMix64(seed: digest(bytes))
    try written(value, bytes, &random)
    try changed(value, &random)
  }

  private func written(_ value: JSONValue, _ bytes: [UInt8], _ random: inout SplitMix64) throws {
    for style in [JSONStyle.app, .compact, .detected(in: value)] {
      try promise(value.encoded(style: style) == bytes, "written otherwise than it was read")
    }
    let compact = try parsed(value.compactText)
    try promise(
      compact.isEquivalent(to: value) && value.isEquivalent(to: compact), "the compact text says something else")
    try promise(!value.compactText.contains(10), "the compact text has a line end")
    let canonical = try parsed(value.canonicalText)
    try promise(canonical.isEquivalent(to: value), "the canonical text says something else")
    try promise(canonical.canonicalText == value.canonicalText, "the canonical text of the canonical text is another")

    let made = remade(value)
    let style = someStyle(&random)
    var text = made.encoded(style: style)
    // A solidus that is escaped, and a bracket of the text that was written lost.
    if planted, text.contains(UInt8(ascii: "/")) { text.removeLast() }
    let again = try parsed(text)
    try promise(again.isEquivalent(to: made), "\(style): made anew it says something else")
    try promise(again.canonicalText == made.canonicalText, "\(style): another canonical text")
    try promise(
      !style.escapesNonASCII || text.dropFirst(style.byteOrderMark ? 3 : 0).allSatisfy { $0 < 0x80 },
      "\(style): not ASCII")
  }

  /// Adds, sets and removes a member, or an element, at the root and in what it holds.
  private func changed(_ value: JSONValue, _ random: inout SplitMix64) throws {
    let style = JSONStyle.detected(in: value)
    switch value.kind {
    case .object:
      let key = "added"
      guard value[key] == nil else { return }
      let place = random.pick([JSONValue.Place.first, .end, .sorted])
      let changed = value.setting(key, to: ["x": [1, "\u{1F34C}/"]], at: place)
      let read = try parsed(changed.encoded(style: style))
      try promise(read.isEquivalent(to: changed), "a member added: read back as something else")
      try sameEntries(value.members.map(\.value), read.members.filter { $0.key != key }.map(\.value))
      try promise(read.removing(key).isEquivalent(to: value), "added and removed is not what it was")
      for member in value.members where member.value.kind == .array || member.value.kind == .object {
        // A lone surrogate in a key is shown as another character, and nobody can name that member.
        guard value[member.key] != nil else { continue }
        let within = member.value.kind == .array ? member.value.replacingElements(with: []) : JSONValue.null
        let other = try parsed(value.setting(member.key, to: within).encoded(style: style))
        try promise(other[member.key]?.isEquivalent(to: within) ?? false, "a member set has another value")
        try promise(other.members.count == value.members.count, "a member set: there are more or fewer")
        let shuffled = member.value.replacingElements(with: member.value.elements.shuffled(using: &random) + [true])
        try reread(value.setting(member.key, to: shuffled), style, &random)
      }
    case .array:
      var elements = Array(value.elements)
      let index = Int.random(in: 0...elements.count, using: &random)
      elements.insert(["added": true], at: index)
      let read = try parsed(value.replacingElements(with: elements).encoded(style: style))
      var others = Array(read.elements)
      try promise(others.count == elements.count, "an element added: \(others.count), not \(elements.count)")
      others.remove(at: index)
      try sameEntries(Array(value.elements), others)
    default: return
    }
  }

  /// Reads what is written for a value with what is known of it: as it was written, and with one byte changed.
  private func reread(_ written: JSONValue, _ style: JSONStyle, _ random: inout SplitMix64) throws {
    var bytes = written.encoded(style: style)
    for _ in 0..<2 {
      do {
        let parsed = try JSONValue(parsing: bytes)
        let reread = try JSONValue(rereading: bytes, of: written)
        try promise(
          reread == nil ? bytes != written.encoded(style: style) : parsed.isEquivalent(to: written),
          "read again: taken for what it is not")
        try promise(reread.map { tape($0) == tape(parsed) } ?? true, "read again: other tokens")
      } catch is JSONError {
        let again = try? JSONValue(rereading: bytes, of: written)
        try promise(again == nil && bytes != written.encoded(style: style), "read again: it is no JSON")
      }
      bytes[Int.random(in: bytes.indices, using: &random)] = random.pick(Array(#"{}[],: "a1"#.utf8))
    }
  }

  private func tape(_ value: JSONValue) -> [UInt32]? {
    if case .source(let source, _) = value.content { source.tape } else { nil }
  }

  private func sameEntries(_ before: [JSONValue], _ after: [JSONValue]) throws {
    try promise(before.map(\.sourceBytes) == after.map(\.sourceBytes), "the text of an untouched entry is another")
  }

  /// What a writer of ours has written is JSON.
  private func parsed(_ bytes: [UInt8]) throws -> JSONValue {
    do { return try JSONValue(parsing: bytes) } catch {
      throw Violation("written, and not JSON: \(error): \(shown(bytes))")
    }
  }

  /// The same without a source; a lone surrogate is the character that is shown for it.
  private func remade(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .null: .null
    case .bool: JSONValue(value.bool ?? false)
    case .number: .number(text: value.numberText ?? "")
    case .string: JSONValue(value.string ?? "")
    case .array: .array(value.elements.map(remade))
    case .object: .object(value.members.map { (key: $0.key, value: remade($0.value)) })
    }
  }

  private func someStyle(_ random: inout SplitMix64) -> JSONStyle {
    JSONStyle(
      indent: random.pick([nil, "", "  ", "\t"]), colon: random.pick([":", ": ", " : "]),
      comma: random.pick([",", ", "]),
      escapesSlash: .random(using: &random), escapesNonASCII: .random(using: &random),
      newline: random.pick(["\n", "\r\n"]), emptyContainer: random.pick([.tight, .blankLine]),
      finalNewline: .random(using: &random), byteOrderMark: .random(using: &random))
  }
}

extension JSONValue {
  var compactText: [UInt8] {
    var bytes: [UInt8] = []
    appendCompact(to: &bytes)
    return bytes
  }

  var canonicalText: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }
}
