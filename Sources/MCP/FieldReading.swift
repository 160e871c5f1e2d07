// How the value of an argument is read: forgiven, not guessed.
//
// - null and "" are absent everywhere, since models and hosts fill in unset arguments with them; so are a blank text,
//   and the text "null" for all that is not free text.
// - What a JSON string says counts as if it were not quoted: "true", "3", a list, an object.
// - A number for a text is taken as it is written: 1.50 is "1.50".
// - An entry of a list of rows may be just the name.
// All else is refused, with the place, what would be right, and what came instead.

import JSON

/// Reads values of each shape. Every function gives nil for what counts as absent.
enum FieldReading {
  static func text(
    _ value: JSONValue, at position: FieldPosition, limit: Int?, absentTexts: [String]
  ) throws(ToolFailure) -> String? {
    if value.isNull { return nil }
    guard let written = value.string ?? value.numberText else {
      throw position.refusal("must be text", insteadOf: value)
    }
    let text = onOneLine(written)
    if text.isEmpty || absentTexts.contains(text) { return nil }
    let length = text.unicodeScalars.count
    if let limit, length > limit {
      throw position.refusal("is \(length) characters long, and at most \(limit) are taken")
    }
    return text
  }

  static func choice(
    _ value: JSONValue, of choices: [String], at position: FieldPosition
  ) throws(ToolFailure) -> String? {
    if isAbsent(value) { return nil }
    let text = value.string.map { onOneLine($0).lowercased() }
    guard let choice = choices.first(where: { $0.lowercased() == text }) else {
      let known = choices.map { "\"\($0)\"" }.joined(separator: ", ")
      throw position.refusal("must be one of \(known)", insteadOf: value)
    }
    return choice
  }

  static func flag(_ value: JSONValue, at position: FieldPosition) throws(ToolFailure) -> Bool? {
    if isAbsent(value) { return nil }
    if let flag = value.bool { return flag }
    // Python writes True and False.
    switch value.string.map({ onOneLine($0).lowercased() }) {
    case "true": return true
    case "false": return false
    default: throw position.refusal("must be true or false", insteadOf: value)
    }
  }

  static func integer(
    _ value: JSONValue, minimum: Int, at position: FieldPosition
  ) throws(ToolFailure) -> Int? {
    if isAbsent(value) { return nil }
    guard let integer = unquoted(value).clampedInteger, integer >= minimum else {
      throw position.refusal("must be a whole number, \(minimum) or more", insteadOf: value)
    }
    return integer
  }

  static func texts(
    _ value: JSONValue, at position: FieldPosition, limit: Int?, maximum: Int
  ) throws(ToolFailure) -> [String]? {
    if isAbsent(value) { return nil }
    let list = unquoted(value)
    guard list.kind == .array else {
      throw position.refusal("must be a list of texts like [\"…\", \"…\"]", insteadOf: value)
    }
    return try entries(of: list, at: position, maximum: maximum) { entry, position throws(ToolFailure) in
      try text(entry, at: position, limit: limit, absentTexts: [])
    }
  }

  static func rows(
    _ value: JSONValue, fields: [any ArgumentField], nameField: String?, maximum: Int,
    at position: FieldPosition
  ) throws(ToolFailure) -> [Arguments]? {
    if isAbsent(value) { return nil }
    var list = unquoted(value)
    if list.kind == .object { list = .array([list]) }
    guard list.kind == .array else {
      let example = nameField.map { "[{\"\($0)\": \"…\"}, …] or [\"…\", …]" } ?? "[{…}, …]"
      throw position.refusal("must be a list like \(example)", insteadOf: value)
    }
    return try entries(of: list, at: position, maximum: maximum) { entry, position throws(ToolFailure) in
      guard let object = row(entry, nameField: nameField) else {
        let names = fields.map(\.name).joined(separator: ", ")
        let alternative = nameField.map { " or just a \($0)" } ?? ""
        throw position.refusal("must be an object with \(names)\(alternative)", insteadOf: entry)
      }
      return try Arguments(
        object, fields: fields, unknownArguments: position.unknownArguments, label: position.label)
    }
  }

  /// The entries that are not absent. Nil when there were entries and all of them were absent: a list of fillers says
  /// nothing, and must not be taken for the empty list, which says "none".
  private static func entries<Value>(
    of list: JSONValue, at position: FieldPosition, maximum: Int,
    read: (JSONValue, FieldPosition) throws(ToolFailure) -> Value?
  ) throws(ToolFailure) -> [Value]? {
    let count = list.elements.count
    guard count <= maximum else {
      throw position.refusal("has \(count) entries, and at most \(maximum) are taken in one call: split it")
    }
    var entries: [Value] = []
    for (index, element) in list.elements.enumerated() where !isFiller(element) {
      if let entry = try read(element, position.entry(index)) { entries.append(entry) }
    }
    return entries.isEmpty && count > 0 ? nil : entries
  }

  /// The object that an entry of a list of rows stands for; nil when it is none.
  private static func row(_ entry: JSONValue, nameField: String?) -> JSONValue? {
    let said = unquoted(entry)
    if said.kind == .object { return said }
    guard let nameField, entry.string ?? entry.numberText != nil else { return nil }
    return .object([(nameField, entry)])
  }

  /// null and "" — what fills a place that nobody set.
  static func isFiller(_ value: JSONValue) -> Bool {
    value.isNull || value.string?.isEmpty == true
  }

  /// Whether a value that is not for free text says nothing.
  private static func isAbsent(_ value: JSONValue) -> Bool {
    guard let text = value.string.map(onOneLine) else { return value.isNull }
    return text.isEmpty || text == "null"
  }

  /// What a JSON string says when it holds JSON; else the value itself.
  static func unquoted(_ value: JSONValue) -> JSONValue {
    guard let text = value.string else { return value }
    do {
      return try JSONValue(parsing: Array(text.utf8))
    } catch {
      return value
    }
  }
}

extension FieldPosition {
  fileprivate func entry(_ index: Int) -> FieldPosition {
    FieldPosition(place: nil, name: "\(label)[\(index)]", unknownArguments: unknownArguments)
  }

  fileprivate func refusal(_ reason: String, insteadOf value: JSONValue? = nil) -> ToolFailure {
    ToolFailure("\(label) \(reason)" + (value.map { ", not \(excerpt(of: $0))" } ?? ""))
  }
}
