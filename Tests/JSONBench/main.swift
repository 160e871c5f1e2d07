// Takes the times of JSON and the list's reading and writing, for Tests/Benchmarks/bench.py.
//
//     json-bench LIST ROUNDS
//
// The answer is one JSON object: the size of the list in bytes, then for each measure the bytes that it worked on and the
// nanoseconds of each round. The measures take turns, so that what disturbs the machine disturbs all. Foundation's
// JSONSerialization reads and writes the same list beside them.

import Foundation
import JSON
import ShoppingList

/// What one measure took.
struct Measure {
  var bytes = 0
  var nanoseconds: [Int64] = []

  /// Times one round; what `body` returns says how many bytes it worked on.
  mutating func round(_ body: () throws -> Int) rethrows {
    let clock = ContinuousClock()
    let start = clock.now
    bytes = try body()
    let (seconds, attoseconds) = (clock.now - start).components
    nanoseconds.append(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

/// The same list with every row made anew.
func rebuilt(_ document: Document, in context: EditContext) -> Document {
  var made = Document()
  _ = made.add(
    document.items.map {
      Addition(
        name: $0.name, amount: $0.amount, section: $0.section, optional: $0.optional, allowsDuplicate: true)
    }, in: context)
  return made
}

/// One object a row, of values that were all made.
func made(_ document: Document) -> JSONValue {
  let rows = document.items.map { item in
    JSONValue.object([
      ("id", JSONValue(item.id)), ("name", JSONValue(item.name)), ("amount", JSONValue(item.amount)),
      ("section", JSONValue(item.section)), ("optional", JSONValue(item.optional)),
      ("checked", JSONValue(item.checked)), ("lastModified", JSONValue("2026-01-01T00:00:00.000Z")),
    ])
  }
  return .object([("schemaVersion", 1), ("items", .array(rows))])
}

func measure(_ bytes: [UInt8], rounds: Int) throws -> [(name: String, measure: Measure)] {
  var names: [String] = []
  var measures: [String: Measure] = [:]
  func take(_ name: String, _ body: () throws -> Int) rethrows {
    if measures[name] == nil { names.append(name) }
    try measures[name, default: Measure()].round(body)
  }
  let context = EditContext(now: Instant(milliseconds: 1_790_000_000_000), newID: { UUID().uuidString })
  let document = try Document(decoding: bytes)
  let values = made(document)
  let new = rebuilt(document, in: context)
  let foundation = try JSONSerialization.jsonObject(with: Data(bytes))
  guard let id = document.items.dropFirst(document.items.count / 2).first?.id else {
    throw CocoaError(.fileReadCorruptFile)
  }
  for round in 0..<rounds {
    try take("check and index") { try JSONValue(parsing: bytes).kind == .object ? bytes.count : 0 }
    try take("decode") { try Document(decoding: bytes).sections.isEmpty ? 0 : bytes.count }
    take("write, made values") { values.encoded(style: .node).count }
    take("write, every row new") { new.encoded().count }
    var changed = document
    take("change one row") {
      changed.change([(id, ItemChanges(amount: "\(round) pieces"))], in: context).count == 1 ? bytes.count : 0
    }
    take("write, one row changed") { changed.encoded().count }
    take("revision") { document.revision.isEmpty ? 0 : bytes.count }
    try take("Foundation reads") {
      try (JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])?.isEmpty == false ? bytes.count : 0
    }
    try take("Foundation writes") {
      try JSONSerialization.data(withJSONObject: foundation, options: .prettyPrinted).count
    }
  }
  return names.map { ($0, measures[$0] ?? Measure()) }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let rounds = Int(arguments[2]), rounds > 0 else {
  FileHandle.standardError.write(Data("usage: json-bench LIST ROUNDS\n".utf8))
  exit(2)
}
let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: arguments[1])))
let taken = try measure(bytes, rounds: rounds)
guard taken.allSatisfy({ $0.measure.bytes > 0 }) else {
  FileHandle.standardError.write(Data("json-bench: something came out empty\n".utf8))
  exit(1)
}
print(
  JSONValue.object([
    ("size", JSONValue(bytes.count)),
    (
      "measures",
      .object(
        taken.map { name, measure in
          (
            name,
            [
              "bytes": JSONValue(measure.bytes),
              "ns": .array(measure.nanoseconds.map { JSONValue($0) }),
            ]
          )
        })
    ),
  ]))
