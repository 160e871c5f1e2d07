// Two devices, each with a server and an app, and a sync service between their folders that delivers late and lays a
// conflict copy beside the list where both have changed it (FolderSync), under the names that real services give.
//
// Promised:
// - Once everything is delivered and each side has written once more, both have the same file and no conflict copies,
//   in whatever order files came.
// - Everything acknowledged is there, and every edit of the apps, since no two devices edit one row.
// - A file that may be a person's own copy is left alone, byte for byte, and named to whoever reads the list.
//
// Of each service two orders in the short form, 10 in CI, 50 at GET_BANANAS_STRESS=25.

import Foundation
import Seeded
import Testing

@Suite(.serialized) struct FolderSyncTests {
  static let orders = 2 * Program.effort
  static let steps = 24

  /// The names that are taken for conflict copies whatever they hold.
  static let services: [NamedService] = [
    .init("Syncthing") { "BananaList.sync-conflict-20261130-\(204_100 + $0)-ABCDEFG.json" },
    .init("Dropbox") { "BananaList (Anna's conflicted copy 2026-11-30\($0 == 1 ? "" : " (\($0))")).json" },
    .init("Dropbox in German") {
      "BananaList (In Konflikt stehende Kopie von Anna 2026-11-30\($0 == 1 ? "" : " (\($0))")).json"
    },
    .init("Nextcloud") { "BananaList (conflicted copy 2026-11-30 \(204_100 + $0)).json" },
    .init("ownCloud") { "BananaList_conflict-20261130-\(204_100 + $0).json" },
    .init("Resilio") { $0 == 1 ? "BananaList.Conflict.json" : "BananaList.Conflict\($0).json" },
    .init("rclone") { "BananaList.conflict\($0).json" },
    .init("OneDrive on Linux") { "BananaList-laptop-safeBackup-\(String(format: "%04d", $0)).json" },
  ]

  @Test(arguments: services) func bothSidesEndWithTheSameListWhateverTheOrder(_ service: NamedService) throws {
    var conflicts = 0
    var edits = 0
    for order in 0..<Self.orders {
      let seed = 20_261_203 + UInt64(order)
      var random = SplitMix64(seed: seed)
      let pair = try Pair(service)
      for _ in 0..<Self.steps { try pair.step(&random) }
      let complaints = try pair.settle(&random)
      try #require(complaints.isEmpty, "\(service.testDescription), seed \(seed): \(complaints)")
      conflicts += pair.conflicts
      edits += pair.edits
    }
    #expect(conflicts > Self.orders, "there was hardly a conflict")
    if Program.effort > 1 {
      print(
        "folder sync, \(service.testDescription): \(Self.orders) orders, \(edits) edits, \(conflicts) conflicts; the same list on both "
          + "sides each time, nothing lost")
    }
  }

  static let personsNames = ["BananaList 2.json", "BananaList (1).json", "BananaList-laptop.json"]

  /// iCloud Drive, Google Drive and OneDrive give such names, and so do people.
  @Test(arguments: personsNames) func whatMayBeAPersonsIsTakenOnlyWhenAsked(_ name: String) throws {
    let folder = try Folder()
    try folder.writeList(#"{"schemaVersion":1,"sections":[],"items":[{"id":"1","name":"Milk"}]}"#)
    let own = folder.file("list/" + name)
    let bytes = Data(#"{"schemaVersion":1,"sections":[],"items":[{"id":"2","name":"Cake"}]}"#.utf8)
    try bytes.write(to: URL(fileURLWithPath: own))

    let requests = [toolCall(1, "get_shopping_list"), toolCall(2, "add_item", #"{"name":"Tea"}"#)]
    let (ending, output, errors) = try Program.run(
      ["--file", folder.list], input: requests.joined(separator: "\n"), in: folder)
    #expect(ending == .exited(0), "\(errors)")
    let answers = try output.split(separator: "\n").map { try WireAnswer(String($0)) }
    try #require(answers.count == 2)
    #expect(answers[0].text.contains(name), "\(answers[0].text)")
    #expect(!answers[0].text.contains("Cake"))
    #expect(!answers[1].isError)
    #expect(try names(in: folder.listBytes()) == ["Milk", "Tea"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: own)) == bytes)

    let absorbed = try Program.run(["absorb", own, "--file", folder.list], in: folder)
    #expect(absorbed.ending == .exited(0), "\(absorbed.errors)")
    #expect(try Set(names(in: folder.listBytes())) == ["Milk", "Tea", "Cake"])
    #expect(try folder.besideTheList().isEmpty)
  }
}

/// How a service names its conflict copies of `BananaList.json`.
struct NamedService: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let copyName: @Sendable (_ number: Int) -> String

  init(_ name: String, copyName: @escaping @Sendable (Int) -> String) {
    testDescription = name
    self.copyName = copyName
  }
}

/// Two devices and what is between them.
private final class Pair {
  private let devices: [Device]
  private let sync: FolderSync
  private let personsCopy = Data(
    #"{"schemaVersion":1,"sections":[],"items":[{"id":"p","name":"Only in the person's copy"}]}"#.utf8)

  init(_ service: NamedService) throws {
    let rows = (0..<16).map {
      #"{"id":"old-\#($0)","name":"\#($0 % 2) old \#($0)","lastModified":"2026-11-30T20:41:12.345Z"}"#
    }
    let list = #"{"schemaVersion":1,"sections":[],"items":[\#(rows.joined(separator: ","))]}"#
    devices = try (0..<2).map { number in
      let device = try Device(number)
      try device.folder.writeList(list)
      return device
    }
    try personsCopy.write(to: URL(fileURLWithPath: devices[0].personsCopy))
    sync = FolderSync(between: devices.map { $0.folder.file("list") }, copyName: service.copyName)
    for name in try sync.names() { try sync.deliver(name, from: 0) }
  }

  var conflicts: Int { sync.conflicts }
  var edits: Int { devices.reduce(0) { $0 + $1.edits } }

  /// An edit somewhere, or a delivery of something.
  func step(_ random: inout SplitMix64) throws {
    let side = Int.random(in: 0..<2, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try devices[side].editByServer(&random)
    case 4..<7: try devices[side].editByApp(&random)
    default:
      guard let name = try sync.names().randomElement(using: &random) else { return }
      try sync.deliver(name, from: side, prefersSender: Bool.random(using: &random))
    }
  }

  /// Delivers everything, and lets each server write, until nothing changes any more.
  ///
  /// - Returns: what is otherwise than promised.
  func settle(_ random: inout SplitMix64) throws -> [String] {
    var quiet = false
    for _ in 0..<12 where !quiet {
      quiet = true
      for name in try sync.names().shuffled(using: &random) {
        for side in Bool.random(using: &random) ? [0, 1] : [1, 0]
        where try sync.deliver(name, from: side, prefersSender: Bool.random(using: &random)) {
          quiet = false
        }
      }
      for device in devices where try device.mergeCopies() { quiet = false }
    }
    guard quiet else { return ["it does not end: \(try sync.names())"] }

    var complaints: [String] = []
    let lists = try devices.map { try ListRows($0.folder.listBytes()) }
    if try devices[0].folder.listBytes() != devices[1].folder.listBytes() {
      complaints.append("two lists: \(lists[0].names) and \(lists[1].names)")
    }
    if !lists[0].repeated.isEmpty { complaints.append("twice: \(lists[0].repeated)") }
    for device in devices {
      complaints += device.complaints
      for (name, row) in device.expected.sorted(by: { $0.key < $1.key }) where lists[0][name] != row {
        complaints.append("\(name): \(String(describing: lists[0][name])), not \(String(describing: row))")
      }
      let left = try device.folder.besideTheList()
      if left != ["BananaList 2.json"] { complaints.append("beside the list: \(left)") }
      if FileManager.default.contents(atPath: device.personsCopy) != personsCopy {
        complaints.append("the person's copy was touched")
      }
      let shown = try device.call("get_shopping_list", #"{"limit":1000}"#)
      if !shown.text.contains("BananaList 2.json") { complaints.append("not named: \(shown.text)") }
      if shown.text.contains("Only in the person's copy") { complaints.append("taken: \(shown.text)") }
    }
    return complaints
  }
}

/// A folder with a list, a server and an app. Each device edits its own rows only, so that no edit overrides another.
private final class Device {
  let folder: Folder
  private let number: Int
  private let server: Program
  private var requests = 0
  private var open: [String]
  private(set) var edits = 0
  /// What each row that was edited here is to be in the end, on every device; nil: not there.
  private(set) var expected: [String: ListRows.Row?] = [:]
  private(set) var complaints: [String] = []

  init(_ number: Int) throws {
    self.number = number
    folder = try Folder()
    server = try Program.start(["--file", folder.list], in: folder)
    open = (0..<16).filter { $0 % 2 == number }.map { "\(number) old \($0)" }
    for name in open { expected[name] = ListRows.Row(amount: "", checked: false) }
  }

  var personsCopy: String { folder.file("list/BananaList 2.json") }

  func editByServer(_ random: inout SplitMix64) throws {
    edits += 1
    let amount = "\(edits) pieces"
    // Who edits a row that the service has not brought up to date yet overrides what was done to it elsewhere.
    let view = try shown()
    let row = open.filter { view[$0] != nil && view[$0] == expected[$0] }.randomElement(using: &random)
    switch (Int.random(in: 0..<10, using: &random), row) {
    case (0..<4, let row?):
      try edit("update_item", #"{"name":"\#(row)","amount":"\#(amount)"}"#)
      expected[row] = ListRows.Row(amount: amount, checked: expected[row]??.checked ?? false)
    case (4, let row?):
      try edit("remove_item", #"{"name":"\#(row)"}"#)
      open.removeAll { $0 == row }
      expected[row] = .some(nil)
    default:
      let row = "\(number) server \(edits)"
      try edit("add_item", #"{"name":"\#(row)","amount":"\#(amount)"}"#)
      open.append(row)
      expected[row] = ListRows.Row(amount: amount, checked: false)
    }
  }

  /// The app sees the file, not the conflict copies: what has not come back into the file it does not touch.
  func editByApp(_ random: inout SplitMix64) throws {
    edits += 1
    var root = try #require(try JSONSerialization.jsonObject(with: folder.listBytes()) as? [String: Any])
    var items = try #require(root["items"] as? [[String: Any]])
    let rows = try ListRows(folder.listBytes())
    let asExpected = items.indices.filter { place in
      guard let name = items[place]["name"] as? String, let expected = expected[name] else { return false }
      return expected != nil && rows[name] == expected
    }
    if Bool.random(using: &random), let place = asExpected.randomElement(using: &random),
      let name = items[place]["name"] as? String, let row = rows[name]
    {
      items[place]["checked"] = !row.checked
      items[place]["lastModified"] = PhoneApp.stamp(after: items[place])
      expected[name] = ListRows.Row(amount: row.amount, checked: !row.checked)
    } else {
      let name = "\(number) app \(edits)"
      items.append(["id": UUID().uuidString, "name": name, "lastModified": PhoneApp.stamp(after: [:])])
      open.append(name)
      expected[name] = ListRows.Row(amount: "", checked: false)
    }
    root["items"] = items
    let bytes = try JSONSerialization.data(withJSONObject: root, options: [.prettyPrinted, .sortedKeys])
    try bytes.write(to: URL(fileURLWithPath: folder.list), options: .atomic)
  }

  /// A write that changes nothing merges what lies beside the list.
  ///
  /// - Returns: whether there was anything.
  func mergeCopies() throws -> Bool {
    let before = try folder.besideTheList()
    let bytes = try folder.listBytes()
    let view = try shown()
    let name = try #require(view.names.first)
    try edit("update_item", #"{"name":"\#(name)","checked":\#(view[name]?.checked ?? false)}"#)
    return try before != folder.besideTheList() || bytes != folder.listBytes()
  }

  /// What the server shows: the file, with the conflict copies beside it.
  private func shown() throws -> ListRows {
    let answer = try call("get_shopping_list", #"{"limit":1000}"#)
    return ListRows(try #require(answer.structured?["items"] as? [[String: Any]]))
  }

  private func edit(_ tool: String, _ arguments: String) throws {
    let answer = try call(tool, arguments)
    if answer.isError { complaints.append("\(tool) \(arguments): \(answer.text)") }
  }

  func call(_ tool: String, _ arguments: String) throws -> WireAnswer {
    requests += 1
    try server.send(toolCall(requests, tool, arguments))
    return try WireAnswer(try server.answer())
  }
}
