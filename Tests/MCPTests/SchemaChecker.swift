// The official schema of a revision, read strictly: a member that it does not define is an error.
//
// The schemas themselves let unknown members pass; clients that were generated from them do not always. The insides of
// what is open by its nature (`openMembers`) are exempt.
//
// The schemas lie beside the checkout of the project's own machines, not in the repository; without them the tests that
// need them are skipped.

import Foundation
import JSON

@testable import MCP

struct SchemaChecker {
  /// The types of the schema by name.
  private let definitions: JSONValue

  /// Members whose insides are not the protocol's to define.
  private static let openMembers = [
    "inputSchema", "outputSchema", "structuredContent", "_meta", "data", "extensions", "result",
  ]

  /// Where the schemas lie; nil where they do not.
  static let folder: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let candidates = ["../shared/mcp-schema", "../../shared/mcp-schema"].map { root.appending(path: $0) }
    return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let absence = "the official schemas are not here (shared/mcp-schema beside the checkout)"

  init(_ revision: Revision) throws {
    let name = "schema-\(revision.rawValue).json"
    let file = (Self.folder ?? URL(filePath: "/")).appending(path: name)
    let schema = try JSONValue(parsing: Array(Data(contentsOf: file)))
    definitions = schema["$defs"] ?? schema["definitions"] ?? .null
  }

  /// What is wrong with a value of the named type, each with its place.
  func problems(_ value: JSONValue, as type: String) -> [String] {
    guard let schema = definitions[type] else { return ["the schema has no \(type)"] }
    return problems(value, schema, at: type, isOpen: false)
  }

  /// Whether the type has the member.
  func defines(_ type: String, _ member: String) -> Bool {
    properties(of: type)?[member] != nil
  }

  /// The properties of a type; older schemas describe some of them only where they are used.
  private func properties(of type: String) -> JSONValue? {
    if let schema = definitions[type] { return schema["properties"] }
    switch type {
    case "Error": return definitions["JSONRPCError"]?["properties"]?["error"]?["properties"]
    case "Annotations": return definitions["Resource"]?["properties"]?["annotations"]?["properties"]
    case "ElicitRequestFormParams": return params(of: "ElicitRequest")
    default: return type.hasSuffix("Params") ? params(of: String(type.dropLast("Params".count))) : nil
    }
  }

  private func params(of message: String) -> JSONValue? {
    definitions[message]?["properties"]?["params"]?["properties"]
  }

  private func problems(
    _ value: JSONValue, _ schema: JSONValue, at place: String, isOpen: Bool
  ) -> [String] {
    if let reference = schema["$ref"]?.string {
      let type = String(reference.split(separator: "/").last ?? "")
      guard let target = definitions[type] else { return ["\(place): no definition of \(reference)"] }
      return problems(value, target, at: place, isOpen: isOpen)
    }
    if let options = schema["anyOf"] ?? schema["oneOf"] {
      let results = options.elements.map { problems(value, $0, at: place, isOpen: isOpen) }
      return results.min { $0.count < $1.count } ?? []
    }
    // A part of several does not see the members of the others.
    var found =
      (schema["allOf"]?.elements).map { parts in
        parts.flatMap { problems(value, $0, at: place, isOpen: true) }
      } ?? []
    if let constant = schema["const"], !constant.isEquivalent(to: value) {
      found.append("\(place): not \(constant)")
    }
    if let choices = schema["enum"], !choices.elements.contains(where: { $0.isEquivalent(to: value) }) {
      found.append("\(place): \(compact(value)) is none of \(compact(choices))")
    }
    found += typeProblems(value, schema, at: place)
    found += boundProblems(value, schema, at: place)
    if value.kind == .object { found += memberProblems(value, schema, at: place, isOpen: isOpen) }
    if let items = schema["items"] {
      for (index, element) in value.elements.enumerated() {
        found += problems(element, items, at: "\(place)[\(index)]", isOpen: isOpen)
      }
    }
    return found
  }

  private func memberProblems(
    _ value: JSONValue, _ schema: JSONValue, at place: String, isOpen: Bool
  ) -> [String] {
    var found: [String] = []
    for name in schema["required"]?.elements.compactMap(\.string) ?? [] where value[name] == nil {
      found.append("\(place): \(name) is missing")
    }
    for member in value.members {
      if let property = schema["properties"]?[member.key] {
        let isOpen = isOpen || Self.openMembers.contains(member.key)
        found += problems(member.value, property, at: "\(place).\(member.key)", isOpen: isOpen)
      } else if let rest = schema["additionalProperties"], rest.kind == .object {
        found += problems(member.value, rest, at: "\(place).\(member.key)", isOpen: isOpen)
      } else if !isOpen && schema["allOf"] == nil {
        found.append("\(place): \(member.key) is unknown")
      }
    }
    return found
  }

  private func typeProblems(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    guard let type = schema["type"] else { return [] }
    let names = type.string.map { [$0] } ?? type.elements.compactMap(\.string)
    let fits = names.contains { name in
      switch name {
      case "object": value.kind == .object
      case "array": value.kind == .array
      case "string": value.kind == .string
      case "boolean": value.kind == .bool
      case "null": value.isNull
      case "number": value.kind == .number
      case "integer": value.isInteger
      default: false
      }
    }
    return fits ? [] : ["\(place): \(compact(value)) is no \(names.joined(separator: " or "))"]
  }

  private func boundProblems(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    if let maximum = schema["maxItems"]?.int64, value.elements.count > maximum {
      return ["\(place): more than \(maximum)"]
    }
    guard let number = value.double else { return [] }
    var found: [String] = []
    if let minimum = schema["minimum"]?.double, number < minimum {
      found.append("\(place): below \(minimum)")
    }
    if let maximum = schema["maximum"]?.double, number > maximum {
      found.append("\(place): above \(maximum)")
    }
    return found
  }
}
