// A JSON value that knows its source text.
//
//     let root = try JSONValue(parsing: bytes)
//     let name = root["items"]?.elements.first?["name"]?.string
//     let changed = root.setting("schemaVersion", to: 1, at: .first)
//     let file = changed.encoded(style: .detected(in: root))
//
// The file is byte for byte what it was, but for the new member.
//
// A parsed value is a place in a shared, immutable source, so reading copies nothing and decodes only what is
// asked for. A made value is kept in memory. A changed container is a made one that remembers which container
// of which source it came from; `encoded(style:)` takes white space, and everything untouched, from there.
//
// What callers may rely on: no input traps; member order, duplicate members, number text and string text are
// kept; keys are compared as UTF-8 bytes, never by canonical equivalence; values are immutable and may cross
// threads.

/// A JSON value, parsed or made.
package struct JSONValue: Sendable {
  /// What a value is.
  package enum Kind: Sendable, Equatable {
    case null, bool, number, string, array, object

    /// The kind of a token with this first byte.
    @inline(__always)
    init(firstByte: UInt8) {
      switch firstByte {
      case .quote: self = .string
      case .openBrace: self = .object
      case .openBracket: self = .array
      case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
      case UInt8(ascii: "n"): self = .null
      default: self = .number
      }
    }
  }

  enum Content: Sendable {
    /// A token of a parsed text, by its position on the tape.
    case source(JSONSource, Int)
    case null
    case bool(Bool)
    /// The text of a number.
    case number(String)
    case string(String)
    indirect case array([JSONValue], origin: Origin?)
    indirect case object([RawMember], origin: Origin?)
  }

  /// The parsed container that a changed one came from.
  struct Origin: Sendable {
    let source: JSONSource
    let node: Int
  }

  /// A member whose key, a string, may still be source text.
  struct RawMember: Sendable {
    let key: JSONValue
    var value: JSONValue
  }

  let content: Content

  /// Levels of arrays and objects that a text may have.
  package static let maximumDepth = 512

  init(_ content: Content) { self.content = content }

  /// Parses a text of strict RFC 8259 JSON in UTF-8, with or without a byte order mark.
  ///
  /// - Parameters:
  ///   - bytes: the text; the value takes it over without copying it.
  ///   - maximumDepth: levels of arrays and objects that are accepted. More than `JSONValue.maximumDepth` never are,
  ///     since what compares values calls itself once per level.
  /// - Throws: the first mistake in the text.
  package init(parsing bytes: [UInt8], maximumDepth: Int = JSONValue.maximumDepth) throws(JSONError) {
    let tape = try JSONParser.tape(of: bytes, maximumDepth: min(maximumDepth, Self.maximumDepth))
    self.init(.source(JSONSource(bytes: bytes, tape: tape), JSONSource.root))
  }

  // MARK: - Reading

  package var kind: Kind {
    switch content {
    case .source(let source, let node): source.kind(node)
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  package var isNull: Bool { kind == .null }

  /// Nil when this is no boolean.
  package var bool: Bool? {
    switch content {
    case .source(let source, let node): Self.bool(firstByte: source.firstByte(node))
    case .bool(let bool): bool
    default: nil
    }
  }

  /// What a token with this first byte says; nil when that is no boolean.
  @inline(__always)
  static func bool(firstByte: UInt8) -> Bool? {
    switch firstByte {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The decoded string, nil when this is none. A lone surrogate is shown as U+FFFD.
  package var string: String? {
    switch content {
    case .source(let source, let node):
      guard source.firstByte(node) == .quote else { return nil }
      let hasEscapes = source.hasEscapes(node)
      return source.withText(of: node) { StringText.string($0, hasEscapes: hasEscapes) }
    case .string(let string): return string
    default: return nil
    }
  }

  /// A number as it is written, nil when this is none.
  package var numberText: String? {
    switch content {
    case .source(let source, let node):
      guard source.kind(node) == .number else { return nil }
      return source.withBytes(source.range(node)) { String(decoding: $0, as: UTF8.self) }
    case .number(let text): return text
    default: return nil
    }
  }

  /// The exact value of a number that is an integer, also of `1.0` and `1e2`. Nil when this is no number, has
  /// a fraction or does not fit.
  package var int64: Int64? { numberText.flatMap(NumberText.int64) }

  /// The nearest double of a number; nil when this is no number, or beyond the largest double.
  package var double: Double? {
    guard let text = numberText, let double = Double(text), double.isFinite else { return nil }
    return double
  }

  /// The text of this value as it was written; for a made or changed value, its compact encoding.
  package var sourceBytes: [UInt8] {
    if case .source(let source, let node) = content { return Array(source.bytes[source.range(node)]) }
    var bytes: [UInt8] = []
    appendCompact(to: &bytes)
    return bytes
  }

  // MARK: - Making

  package static let null = JSONValue(Content.null)

  package init(_ bool: Bool) { self.init(.bool(bool)) }

  package init(_ integer: Int64) { self.init(.number(String(integer))) }

  package init(_ integer: Int) { self.init(.number(String(integer))) }

  package init(_ string: String) { self.init(.string(string)) }

  /// A number that is written exactly so.
  ///
  /// - Precondition: `text` is a number of RFC 8259.
  package static func number(text: String) -> JSONValue {
    precondition(NumberText.isValid(text), "not a JSON number")
    return JSONValue(.number(text))
  }

  package static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements, origin: nil)) }

  /// An object with these members, in this order.
  package static func object(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
    JSONValue(.object(members.map { RawMember(key: JSONValue($0.key), value: $0.value) }, origin: nil))
  }
}

extension JSONValue: CustomStringConvertible {
  /// The compact encoding.
  package var description: String {
    var bytes: [UInt8] = []
    appendCompact(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self.init(value) }
  package init(integerLiteral value: Int64) { self.init(value) }
  package init(stringLiteral value: String) { self.init(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Members keep the literal's order.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1) })
  }
}
