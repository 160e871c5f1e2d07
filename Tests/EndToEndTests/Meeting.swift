// Two servers and an app around one list, as LockFreeWriterTests has them meet and SoakTests has them live together.
//
//     let meeting = try Meeting(.replacing)
//     let complaints = try meeting.round(seed: 1, &figures)     // all three at once; then a look at what came of it
//     try meeting.beginAnew(.inPlace)                           // another list, another app, the same servers
//     try meeting.end()
//
// Each server has rows of its own, so that whatever became of an edit has one cause. What is expected is kept here, what
// is there is read by Foundation.

import Foundation
import Seeded
import Testing

/// What happened, for the record.
struct OverlapFigures {
  var appEdits = 0
  var serverEdits = 0
  var overwritten = 0
  var refused = 0
  var merged = 0

  /// Only where somebody waits for it: the long form.
  func report(_ saving: PhoneApp.Saving) {
    guard Program.effort > 1 else { return }
    print(
      "lock-free writer, \(saving): \(appEdits) edits of the app, all there; \(serverEdits) acknowledged by the "
        + "servers, \(overwritten) of them overwritten by the app, all told and in the history, the others there; "
        + "\(merged) answers told of a merge; \(refused) requests refused")
  }
}

/// Two servers and an app around one list.
final class Meeting {
  /// Of each server in a round. The history has 50 versions: whatever a round overwrites must still be there at its end.
  static let serverEdits = 10
  static let appEdits = 12

  let folder: Folder
  private var app: PhoneApp
  let servers: [EditingServer]

  init(_ saving: PhoneApp.Saving) throws {
    let folder = try Folder()
    self.folder = folder
    try folder.writeList(Self.list())
    app = PhoneApp(list: folder.list, saving: saving)
    servers = try ["A", "B"].enumerated().map { [folder] place, name in
      let program = try Program.start(["--file", folder.list], in: folder)
      return EditingServer(name, program, shared: (1...10).filter { $0 % 2 == place }.map { "Old \($0)" })
    }
  }

  private static func list() -> String {
    let rows = (1...10).map { #"{"id":"\#(UUID().uuidString)","name":"Old \#($0)","checked":false}"# }
    return #"{"schemaVersion":1,"sections":[],"items":[\#(rows.joined(separator: ","))]}"#
  }

  /// Somebody saves a fresh list over this one, and another app comes.
  func beginAnew(_ saving: PhoneApp.Saving) throws {
    try Data(Self.list().utf8).write(to: URL(fileURLWithPath: folder.list), options: .atomic)
    app = PhoneApp(list: folder.list, saving: saving)
    for server in servers { server.forget() }
  }

  /// All three at once; then a look at what came of it.
  ///
  /// - Returns: what is otherwise than promised.
  func round(seed: UInt64, _ figures: inout OverlapFigures) throws -> [String] {
    let progress = Progress(workers: servers.count)
    let firstSave = app.saves.count
    let bodies = servers.enumerated().map { place, server in
      {
        defer { progress.finish() }
        var random = SplitMix64(seed: seed &* 3 &+ UInt64(place))
        server.answers = []
        for _ in 0..<Self.serverEdits {
          try server.edit(&random)
          progress.step()
        }
      }
    }
    try together(
      bodies + [
        { [app] in
          var random = SplitMix64(seed: seed &* 3 &+ 2)
          for edit in 0..<Self.appEdits {
            progress.wait(forSteps: edit * 2 * Self.serverEdits / Self.appEdits)
            let isBlind = Int.random(in: 0..<4, using: &random) == 0
            try app.edit(&random) {
              if isBlind { progress.wait(forSteps: progress.steps + 1) }
            }
          }
        }
      ])
    for server in servers { try server.look() }
    return try complaints(saves: Array(app.saves[firstSave...]), &figures)
  }

  private func complaints(saves: [PhoneApp.Save], _ figures: inout OverlapFigures) throws -> [String] {
    var complaints: [String] = []
    let end = try ListRows(folder.listBytes())
    if !end.repeated.isEmpty { complaints.append("twice: \(end.repeated)") }
    for (name, checked) in app.expected.sorted(by: { $0.key < $1.key }) where end[name]?.checked != checked {
      complaints.append("the app's edit of \(name) is gone")
    }
    let answers = servers.flatMap(\.answers)
    let versions = Versions(in: folder)
    for server in servers {
      complaints += server.strangeAnswers
      complaints += server.notAdded.filter { end[$0] != nil }.map { "\($0): refused, and added all the same" }
      for (name, edit) in server.expected.sorted(by: { $0.key < $1.key })
      where end[name]?.amount != edit.amount {
        let what = "\(name) = \(edit.amount ?? "removed") (now \(end[name]?.amount ?? "not there"))"
        if !saves.contains(where: { took(edit, of: name, $0) }) {
          complaints.append("\(what): acknowledged, and gone without the app's doing")
        }
        if try !versions.any(where: { $0[name]?.amount == edit.amount }) {
          complaints.append("\(what): overwritten by the app, and not in the history")
        }
        if !answers.contains(where: { tells(of: name, in: $0) }) {
          complaints.append("\(what): overwritten by the app, and not told")
        }
        figures.overwritten += 1
        server.expected[name] = end[name].map { .init(amount: $0.amount, sent: .now, acknowledged: .now) }
      }
    }
    figures.appEdits += saves.count
    figures.serverEdits += servers.reduce(0) { $0 + $1.takeAcknowledged() }
    figures.refused += servers.reduce(0) { $0 + $1.takeRefused() }
    figures.merged += answers.filter { $0.contains("both edits are in it") }.count
    return complaints
  }

  /// Whether the app's save took the edit back: it displaced a list with it by one without; or, where nobody knows what
  /// was displaced, it was going on while the edit was made.
  private func took(_ edit: EditingServer.Edit, of name: String, _ save: PhoneApp.Save) -> Bool {
    guard save.written[name]?.amount != edit.amount else { return false }
    if let displaced = save.displaced { return displaced[name]?.amount == edit.amount }
    return save.began < edit.acknowledged && edit.sent < save.ended
  }

  private func tells(of name: String, in answer: String) -> Bool {
    answer.split(separator: "\n").contains { line in
      line.contains("saved the list without")
        && ["the \(name) added", "the change to \(name) made", "the removal of \(name) made"].contains {
          line.contains($0)
        }
    }
  }

  /// - Parameter besides: what may still lie beside the list.
  func end(besides: (String) -> Bool = { _ in false }) throws {
    for server in servers {
      server.program.closeInput()
      #expect(try server.program.end() == .exited(0), "\(server.program.errorText)")
    }
    let left = try folder.besideTheList().filter { !besides($0) }
    #expect(left.isEmpty, "\(left)")
  }
}

/// A server, and what it was told to do to rows that no other server is told to change.
final class EditingServer {
  /// What was acknowledged last of a row: its amount, or nil for its removal.
  struct Edit {
    let amount: String?
    let sent: ContinuousClock.Instant
    let acknowledged: ContinuousClock.Instant
  }

  let program: Program
  private let name: String
  private var requests = 0
  private var acknowledged = 0
  private var refused = 0
  /// Rows that the app knows, too.
  private let shared: [String]
  private var own: [String] = []
  var expected: [String: Edit] = [:]
  /// Rows whose adding was refused.
  private(set) var notAdded: [String] = []
  var answers: [String] = []
  private(set) var strangeAnswers: [String] = []

  init(_ name: String, _ program: Program, shared: [String]) {
    self.name = name
    self.program = program
    self.shared = shared
  }

  /// Its rows are gone.
  func forget() {
    own = []
    expected = [:]
    notAdded = []
  }

  /// Adds a row, or changes or removes one of its own.
  func edit(_ random: inout SplitMix64) throws {
    let amount = "\(requests + 1) pieces"
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: _ = try add()
    case 5..<9:
      guard let row = (own + shared).randomElement(using: &random) else { return }
      _ = try call("update_item", #"{"name":"\#(row)","amount":"\#(amount)"}"#, row, amount)
    default:
      guard let row = own.randomElement(using: &random) else { return }
      own.removeAll { $0 == row }
      _ = try call("remove_item", #"{"name":"\#(row)"}"#, row, nil)
    }
  }

  /// Adds a row; false when that was refused.
  func add() throws -> Bool {
    let amount = "\(requests + 1) pieces"
    let row = "\(name) \(requests + 1)"
    let isAdded = try call("add_item", #"{"name":"\#(row)","amount":"\#(amount)"}"#, row, amount)
    if isAdded { own.append(row) }
    return isAdded
  }

  /// Reads the list.
  func look() throws {
    requests += 1
    try program.send(toolCall(requests, "get_shopping_list", #"{"limit":1000}"#))
    answers.append(try WireAnswer(try program.answer()).text)
  }

  private func call(_ tool: String, _ arguments: String, _ row: String, _ amount: String?) throws -> Bool {
    requests += 1
    let sent = ContinuousClock.now
    try program.send(toolCall(requests, tool, arguments))
    let answer = try WireAnswer(try program.answer())
    answers.append(answer.text)
    guard answer.isError else {
      expected[row] = Edit(amount: amount, sent: sent, acknowledged: .now)
      acknowledged += 1
      return true
    }
    refused += 1
    if answer.text.contains("Nothing was changed") {
      if tool == "add_item" { notAdded.append(row) }
    } else if !answer.text.contains("No item is called") {
      // A row that the app took back cannot be changed any more; nothing else may fail.
      strangeAnswers.append("\(tool) \(row): \(answer.text)")
    }
    return false
  }

  func takeAcknowledged() -> Int {
    defer { acknowledged = 0 }
    return acknowledged
  }

  func takeRefused() -> Int {
    defer { refused = 0 }
    return refused
  }
}

/// What the history and the archive hold.
struct Versions {
  private let folder: Folder

  init(in folder: Folder) { self.folder = folder }

  func any(where holds: (ListRows) -> Bool) throws -> Bool {
    let state = folder.file("state")
    guard let files = FileManager.default.enumerator(atPath: state) else { return false }
    for case let file as String in files {
      guard let bytes = FileManager.default.contents(atPath: state + "/" + file),
        let rows = try? ListRows(bytes)
      else { continue }
      if holds(rows) { return true }
    }
    return false
  }
}
