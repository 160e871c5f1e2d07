// The arguments of a call, or one entry of a list of rows among them.
//
//     let name = try arguments.value(of: Self.name)
//     for entry in try arguments.entries(in: Self.items, defaults: [Self.section]) {
//       let name = try entry.value(of: Self.name)
//       …
//       throw entry.refusal("neither id nor name")        // "items[2]: neither id nor name"
//     }
//
// A tool reads one item and many items the same way: `entries` gives the rows of `items`, each with the fields beside
// `items` as defaults, or else the arguments themselves as the only entry. Reading has no effect, so a tool that reads
// all entries before it acts refuses a call as a whole.

import JSON

/// Named values, read through fields.
package struct Arguments: Sendable {
  private let object: JSONValue
  private let fields: [any ArgumentField]
  private let unknownArguments: UnknownArguments
  /// The place within the call ("items[2]"); nil for the arguments of the call itself.
  private let label: String?
  /// Values for what the object lacks, from beside the list that it stands in.
  private var defaults = Self.noDefaults
  private static let noDefaults = JSONValue.object([])

  /// `object` must be a JSON object. Unknown names in it are refused here, unless they are fillers.
  init(
    _ object: JSONValue, fields: [any ArgumentField], unknownArguments: UnknownArguments, label: String? = nil
  ) throws(ToolFailure) {
    self.object = object
    self.fields = fields
    self.unknownArguments = unknownArguments
    self.label = label
    let names = object.members.filter { !FieldReading.isFiller($0.value) }.map(\.key)
    try unknownArguments.check(names, against: fields, label: label)
  }

  /// The value of an argument; nil when it is absent.
  package func value<Value>(of field: Field<Value>) throws(ToolFailure) -> Value? {
    assert(fields.contains { $0.name == field.name }, "\(field.name) is not declared")
    if let value = try read(field, from: object, in: label) { return value }
    return try read(field, from: defaults, in: nil)
  }

  private func read<Value>(
    _ field: Field<Value>, from object: JSONValue, in place: String?
  ) throws(ToolFailure) -> Value? {
    guard let value = object[field.name] else { return nil }
    return try field.read(
      value, FieldPosition(place: place, name: field.name, unknownArguments: unknownArguments))
  }

  /// The entries of a list of rows, each with the arguments named by `defaults` as its defaults; or only the arguments
  /// themselves when there is no list, or an empty one, which strict clients put beside a name.
  ///
  /// An argument that belongs to one entry (a name) cannot stand beside a list: it is refused rather than lost.
  package func entries(
    in rows: Field<[Arguments]>, defaults: [any ArgumentField] = []
  ) throws(ToolFailure) -> [Arguments] {
    guard let entries = try value(of: rows), let first = entries.first else { return [self] }
    let defaultNames = defaults.map(\.name)
    for field in fields where first.has(field) && !defaultNames.contains(field.name) {
      guard try !field.isGiven(in: self) else {
        throw refusal("\(field.name) stands beside \(rows.name): put it into an entry of \(rows.name)")
      }
    }
    let given = object.members.filter { defaultNames.contains($0.key) }
    let shared = JSONValue.object(given.map { ($0.key, $0.value) })
    return entries.map { entry in
      var entry = entry
      entry.defaults = shared
      return entry
    }
  }

  private func has(_ field: any ArgumentField) -> Bool {
    fields.contains { $0.name == field.name }
  }

  /// A refusal that names the place of these arguments.
  package func refusal(_ reason: String) -> ToolFailure {
    ToolFailure((label.map { "\($0): " } ?? "") + reason)
  }
}
