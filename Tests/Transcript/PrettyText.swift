// JSON as a person would lay it out, for snapshots that can be read and reviewed.

import JSON

/// The value with two spaces per level; an object or list stays on one line if it fits and holds at most one container.
package func pretty(_ value: JSONValue, indent: String = "", room: Int = 100) -> String {
  let line = oneLine(value)
  let isShort = line.count <= room - indent.count && depth(value) <= 2
  guard !isShort, value.kind == .object || value.kind == .array else { return line }
  let inner = indent + "  "
  if value.kind == .array {
    let entries = value.elements.map { inner + pretty($0, indent: inner, room: room) }
    return "[\n" + entries.joined(separator: ",\n") + "\n\(indent)]"
  }
  let members = value.members.map { member in
    "\(inner)\"\(member.key)\": " + pretty(member.value, indent: inner, room: room)
  }
  return "{\n" + members.joined(separator: ",\n") + "\n\(indent)}"
}

private func oneLine(_ value: JSONValue) -> String {
  switch value.kind {
  case .array: "[" + value.elements.map(oneLine).joined(separator: ", ") + "]"
  case .object:
    "{" + value.members.map { "\"\($0.key)\": \(oneLine($0.value))" }.joined(separator: ", ") + "}"
  default:
    {
      var bytes: [UInt8] = []
      value.appendCompact(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }()
  }
}

/// How many levels of objects and lists there are; empty ones do not count.
private func depth(_ value: JSONValue) -> Int {
  let children = value.members.map(\.value) + Array(value.elements)
  return children.isEmpty ? 0 : 1 + (children.map(depth).max() ?? 0)
}
