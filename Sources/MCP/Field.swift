// An argument of a tool, declared once: its name, its schema, its description and how it is read.
//
//     static let name = Field.text("name", "The item's name.", limit: 200)
//     static let checked = Field.flag("checked", "true: it was bought.")
//     static let items = Field.rows("items", fields: [name, checked], "Several items at once.", nameField: "name")
//
//     let name = try arguments.value(of: Self.name)         // String?, nil when absent
//
// Models and hosts fill in arguments loosely, and what they mean is plain, so reading is forgiving (FieldReading.swift
// has the rules). What is not plain is refused with a text that says what would be right. Schemas are kept to what
// every host understands: a type on every property, `items` on arrays, `enum` for closed sets, and descriptions at the
// first level only.

import JSON

/// An argument whose values are of type `Value` once they are read.
package struct Field<Value>: ArgumentField {
  package typealias Read = @Sendable (JSONValue, FieldPosition) throws(ToolFailure) -> Value?

  package let name: String
  package let description: String
  package let shape: FieldShape
  /// Reads a value that is present; nil when what it says is "absent".
  let read: Read

  package func isGiven(in arguments: Arguments) throws(ToolFailure) -> Bool {
    try arguments.value(of: self) != nil
  }
}

/// What fields of all types have in common.
package protocol ArgumentField: Sendable {
  var name: String { get }
  var description: String { get }
  var shape: FieldShape { get }
  /// Whether the argument has a value, fillers not counted.
  func isGiven(in arguments: Arguments) throws(ToolFailure) -> Bool
}

/// The type of an argument as a JSON schema can tell it.
package enum FieldShape: Sendable {
  case text
  case flag
  case integer
  case choice([String])
  case texts
  case rows([any ArgumentField])
}

/// Where a value stands, for refusals ("items[2].name"), and the rules for what stands beside it.
package struct FieldPosition: Sendable {
  /// Of what it stands in ("items[2]"); nil for the arguments of the call itself.
  let place: String?
  let name: String
  let unknownArguments: UnknownArguments

  /// Put together when it is asked for: most values are not refused.
  var label: String { place.map { "\($0).\(name)" } ?? name }
}

extension Field {
  /// Free text on one line. `limit` counts Unicode scalars; nil for text that only has to be found again. A value
  /// that is one of `absentTexts` counts as absent.
  package static func text(
    _ name: String, _ description: String, limit: Int? = nil, absentTexts: [String] = []
  ) -> Field<String> where Value == String {
    Field(name: name, description: description, shape: .text) { value, position throws(ToolFailure) in
      try FieldReading.text(value, at: position, limit: limit, absentTexts: absentTexts)
    }
  }

  /// An id: text of which "null" is none.
  package static func identifier(
    _ name: String, _ description: String
  ) -> Field<String> where Value == String {
    text(name, description, absentTexts: ["null"])
  }

  /// One of a closed set of texts.
  package static func choice(
    _ name: String, _ choices: [String], _ description: String
  ) -> Field<String> where Value == String {
    Field(name: name, description: description, shape: .choice(choices)) {
      value, position throws(ToolFailure) in
      try FieldReading.choice(value, of: choices, at: position)
    }
  }

  /// True or false. With `falseIsAbsent`, false is what the argument is without being given: strict clients fill it
  /// in everywhere.
  package static func flag(
    _ name: String, _ description: String, falseIsAbsent: Bool = false
  ) -> Field<Bool> where Value == Bool {
    Field(name: name, description: description, shape: .flag) { value, position throws(ToolFailure) in
      let flag = try FieldReading.flag(value, at: position)
      return falseIsAbsent && flag == false ? nil : flag
    }
  }

  /// A whole number from `minimum` on; one too large for Int is read as the largest Int.
  package static func integer(
    _ name: String, _ description: String, minimum: Int
  ) -> Field<Int> where Value == Int {
    Field(name: name, description: description, shape: .integer) { value, position throws(ToolFailure) in
      try FieldReading.integer(value, minimum: minimum, at: position)
    }
  }

  /// A list of texts. `limit` counts the Unicode scalars of each.
  package static func texts(
    _ name: String, _ description: String, limit: Int? = nil, maximum: Int = 500
  ) -> Field<[String]> where Value == [String] {
    Field(name: name, description: description, shape: .texts) { value, position throws(ToolFailure) in
      try FieldReading.texts(value, at: position, limit: limit, maximum: maximum)
    }
  }

  /// A list of objects with fields of their own. With `nameField`, an entry may also be just the value of that one.
  package static func rows(
    _ name: String, fields: [any ArgumentField], _ description: String, nameField: String? = nil,
    maximum: Int = 500
  ) -> Field<[Arguments]> where Value == [Arguments] {
    Field(name: name, description: description, shape: .rows(fields)) { value, position throws(ToolFailure) in
      try FieldReading.rows(value, fields: fields, nameField: nameField, maximum: maximum, at: position)
    }
  }
}

extension FieldShape {
  /// The schema of a value. A description stands at the first level only: hosts count every byte of it, and a row's
  /// fields are those of the tool itself.
  func schema(description: String?) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [("type", JSONValue(typeName))]
    switch self {
    case .text, .flag, .integer: break
    case .choice(let choices): members.append(("enum", .array(choices.map { JSONValue($0) })))
    case .texts: members.append(("items", FieldShape.text.schema(description: nil)))
    case .rows(let fields): members.append(("items", Self.objectSchema(of: fields, isDescribed: false)))
    }
    if let description { members.append(("description", JSONValue(description))) }
    return .object(members)
  }

  /// The schema of an object with these fields and no others.
  static func objectSchema(of fields: [any ArgumentField], isDescribed: Bool) -> JSONValue {
    let properties = fields.map { field in
      (key: field.name, value: field.shape.schema(description: isDescribed ? field.description : nil))
    }
    return .object([
      ("type", "object"), ("properties", .object(properties)), ("additionalProperties", false),
    ])
  }

  private var typeName: String {
    switch self {
    case .text, .choice: "string"
    case .flag: "boolean"
    case .integer: "integer"
    case .texts, .rows: "array"
    }
  }
}
