// Two servers, the sample app and a person with an editor around one list, for a while.
//
// Promised (docs/app-integration.md): each edit is written once, by who made it; the hand's edit by nobody else. So the
// programs together write the file at most once for each edit, and what an app does not know how to do better is bounded
// by `writesPerEdit`. The file's size follows the number of its rows. All see the same in the end.
//
// A dozen edits in the short form; `make household MINUTES=10` goes on for so long.

import Foundation
import Seeded
import Testing

@Suite(.serialized) struct SampleAppTests {
  /// The constant that the documentation names.
  static let writesPerEdit = 2
  static let minutes = Double(ProcessInfo.processInfo.environment["GET_BANANAS_MINUTES"] ?? "") ?? 0

  @Test func eachEditIsWrittenOnceByTwoServersAnAppAndAHand() throws {
    let household = try Household()
    var random = SplitMix64(seed: 20_261_207)
    let end = ContinuousClock.now + .seconds(60 * Self.minutes)
    var edits = 0
    var largest = 0
    while edits < 12 || ContinuousClock.now < end {
      edits += 1
      try household.edit(edits, &random)
      try household.rest()
      let size = try household.folder.listBytes().count
      largest = max(largest, size)
      try #require(size <= 400 + 280 * household.rowsEver, "\(size) bytes for \(household.rowsEver) rows")
      try #require(
        household.writes() <= Self.writesPerEdit * (edits + Household.firstRows),
        "\(household.writes()) writes for \(edits) edits")
    }
    #expect(household.writes() >= household.editsByPrograms, "the writes are not all counted")
    #expect(try household.folder.besideTheList().isEmpty)
    if Self.minutes > 0 {
      print(
        "household: \(edits) edits in \(Self.minutes) minutes, \(household.writes()) writes by the programs for "
          + "\(household.editsByPrograms) edits of theirs, at most \(largest) bytes")
    }
    try household.end()
  }
}

/// Everybody around the list.
private final class Household {
  static let firstRows = 4

  let folder: Folder
  private let servers: [Program]
  private let app: Program
  private let appState: String
  private var requests = 0
  /// The versions that the programs have written, by their names in the histories.
  private var written: Set<String> = []
  private(set) var rowsEver = Household.firstRows
  private(set) var editsByPrograms = 0

  init() throws {
    folder = try Folder()
    let rows = (0..<Self.firstRows).map { #"{"id":"\#(UUID().uuidString)","name":"Old \#($0)"}"# }
    try folder.writeList(#"{"schemaVersion":1,"sections":[],"items":[\#(rows.joined(separator: ","))]}"#)
    servers = try (0..<2).map { [folder] _ in try Program.start(["--file", folder.list], in: folder) }
    appState = folder.file("app")
    app = try Program.start([folder.list, appState], executable: Program.built("sample-app"), in: folder)
  }

  func edit(_ number: Int, _ random: inout SplitMix64) throws {
    let rows = try ListRows(folder.listBytes())
    let row = try #require(rows.names.randomElement(using: &random))
    let kind = rows.names.count > 40 ? 2 : Int.random(in: 0..<3, using: &random)
    if kind == 0 { rowsEver += 1 }
    // A removed row leaves a tombstone, which counts as a row ever.
    switch number % 4 {
    case 0:
      try editByHand(number, kind, row)
    case 1:
      editsByPrograms += 1
      let amount = kind == 1 ? #""amount":"\#(number)""# : #""checked":\#(!(rows[row]?.checked ?? false))"#
      try tell(
        kind == 0
          ? #"{"do":"add","name":"App \#(number)"}"# : #"{"do":"set","name":"\#(row)",\#(amount)}"#)
    default:
      editsByPrograms += 1
      let server = servers[number % 2]
      switch kind {
      case 0: try call(server, "add_item", #"{"name":"Server \#(number)"}"#)
      case 1: try call(server, "update_item", #"{"name":"\#(row)","amount":"\#(number)"}"#)
      default: try call(server, "remove_item", #"{"name":"\#(row)"}"#)
      }
      if rows.names.count < 4 { try call(server, "add_item", #"{"name":"More \#(number)"}"#) }
    }
  }

  /// A person's editor: reads, changes a line, saves what it has over the file. It is asked to wait until nobody writes.
  private func editByHand(_ number: Int, _ kind: Int, _ row: String) throws {
    var root = try #require(try JSONSerialization.jsonObject(with: folder.listBytes()) as? [String: Any])
    var items = try #require(root["items"] as? [[String: Any]])
    if kind == 0 {
      items.append(["id": UUID().uuidString, "name": "Hand \(number)"])
    } else if let place = items.firstIndex(where: { $0["name"] as? String == row }) {
      items[place]["amount"] = "\(number) by hand"
    }
    root["items"] = items
    try JSONSerialization.data(withJSONObject: root, options: [.prettyPrinted])
      .write(to: URL(fileURLWithPath: folder.list), options: .atomic)
  }

  private func call(_ server: Program, _ tool: String, _ arguments: String) throws {
    requests += 1
    try server.send(toolCall(requests, tool, arguments))
    let answer = try WireAnswer(try server.answer())
    #expect(!answer.isError, "\(tool) \(arguments): \(answer.text)")
    if tool == "add_item", arguments.contains("More") { rowsEver += 1; editsByPrograms += 1 }
  }

  private func tell(_ line: String) throws {
    try app.send(line)
    let answer = try app.answer()
    #expect(answer == #"{"ok":true}"#, "\(line): \(answer ?? "nothing")")
  }

  /// Waits until the app shows what the file says and has nothing left to do.
  func rest() throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      try app.send(#"{"do":"show"}"#)
      let data = Data(try #require(try app.answer()).utf8)
      let shown = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let rows = ListRows(try #require(shown["items"] as? [[String: Any]]))
      let file = try ListRows(folder.listBytes())
      noteWrites()
      if shown["quiet"] as? Bool == true, rows.rows == file.rows { return }
      try #require(ContinuousClock.now < deadline, "the app does not come to rest: \(shown)")
      // A look every few milliseconds; what is waited for is above.
      usleep(5_000)
    }
  }

  private func noteWrites() {
    for state in [folder.file("state"), appState] {
      for case let file as String in FileManager.default.enumerator(atPath: state) ?? .init()
      where file.contains("/history/") && file.hasSuffix(".json") && !file.hasSuffix(".none.found.json") {
        written.insert(state + "/" + file)
      }
    }
  }

  func writes() -> Int { written.count }

  func end() throws {
    for program in servers + [app] {
      program.closeInput()
      #expect(try program.end() == .exited(0), "\(program.errorText)")
    }
  }
}
