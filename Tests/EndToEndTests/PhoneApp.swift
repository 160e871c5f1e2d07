// A program that writes the list without any lock, as the phone app does: it reads the file, changes it, and saves what it
// made of it over whatever is there by then.
//
//     let app = PhoneApp(list: folder.list, saving: .replacing)
//     try app.edit(&random) { … }       // what happens between its reading and its saving
//
// It looks at its last edit before it makes the next, as its user would, and says how long it waited in vain: an edit of
// the app that somebody else's write took back is noticed at once. What it overwrites itself it knows: a save that
// replaces the file exchanges names with it, which is the same to everybody else, and looks at what it has displaced.

import Foundation
import Platform
import Seeded
import Testing

final class PhoneApp {
  enum Saving: String, CaseIterable, CustomTestStringConvertible {
    /// A temporary file takes the list's place. Everything that the app does not know is kept; its edits are stamped.
    case replacing
    /// The same, by an app that knows neither stamps nor deleted rows and drops them all.
    case replacingForgetfully
    /// The list is emptied and written.
    case inPlace

    var testDescription: String { rawValue }
  }

  /// A save, and what it took the place of.
  struct Save {
    let began: ContinuousClock.Instant
    let ended: ContinuousClock.Instant
    let written: ListRows
    /// What was there when it was saved, if that is known.
    let displaced: ListRows?
  }

  private enum Edit {
    case added(String)
    case set(row: String, checked: Bool)

    func isIn(_ rows: ListRows) -> Bool {
      switch self {
      case .added(let name): rows[name] != nil
      case .set(let name, let checked): rows[name]?.checked == checked
      }
    }
  }

  private let list: String
  private let saving: Saving
  private var last: Edit?
  private(set) var edits = 0
  private(set) var saves: [Save] = []
  /// What the app has made, by name: whether it is checked.
  private(set) var expected: [String: Bool] = [:]

  init(list: String, saving: Saving) {
    self.list = list
    self.saving = saving
  }

  /// Reads, changes one row, and saves.
  ///
  /// - Parameter meanwhile: runs between the reading and the saving.
  func edit(_ random: inout SplitMix64, meanwhile: () throws -> Void) throws {
    let began = ContinuousClock.now
    var root = try readWithLastEdit()
    var items = try #require(root["items"] as? [[String: Any]])
    let known = items.indices.filter { (items[$0]["name"] as? String)?.hasPrefix("Old") ?? false }
    let edit: Edit
    if Bool.random(using: &random), let place = known.randomElement(using: &random) {
      let checked = !(items[place]["checked"] as? Bool ?? false)
      let name = try #require(items[place]["name"] as? String)
      items[place]["checked"] = checked
      if saving != .replacingForgetfully { items[place]["lastModified"] = Self.stamp(after: items[place]) }
      edit = .set(row: name, checked: checked)
      expected[name] = checked
    } else {
      let name = "App \(edits + 1)"
      var row: [String: Any] = [
        "id": UUID().uuidString, "name": name, "amount": "", "section": "", "optional": false,
        "checked": false,
      ]
      if saving != .replacingForgetfully { row["lastModified"] = Self.stamp(after: [:]) }
      items.append(row)
      edit = .added(name)
      expected[name] = false
    }
    if saving == .replacingForgetfully {
      for place in items.indices { items[place]["lastModified"] = nil }
      root["deletedItems"] = nil
    }
    root["items"] = items
    let bytes = try JSONSerialization.data(withJSONObject: root, options: [.prettyPrinted, .sortedKeys])
    try meanwhile()
    let displaced = saving == .inPlace ? nil : try replaceList(with: bytes)
    if saving == .inPlace { try overwriteList(with: bytes) }
    edits += 1
    last = edit
    saves.append(
      Save(
        began: began, ended: .now, written: try ListRows(bytes),
        displaced: try displaced.map { try ListRows($0) }))
  }

  /// The list as soon as it holds what was saved last. A server that met the save merges it within an instant.
  func readWithLastEdit() throws -> [String: Any] {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      if let bytes = FileManager.default.contents(atPath: list), let rows = try? ListRows(bytes),
        last?.isIn(rows) ?? true, let root = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
      {
        return root
      }
      try #require(
        ContinuousClock.now < deadline, "the app's edit is not on the list: \(String(describing: last))")
      sched_yield()
    }
  }

  /// - Returns: what was displaced.
  private func replaceList(with bytes: Data) throws -> Data {
    let temporary = list + ".app-\(UUID().uuidString)"
    try bytes.write(to: URL(fileURLWithPath: temporary))
    try Syscalls.live.exchange(AT_FDCWD, temporary, list)
    defer { unlink(temporary) }
    return try Data(contentsOf: URL(fileURLWithPath: temporary))
  }

  private func overwriteList(with bytes: Data) throws {
    let descriptor = open(list, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError.system("open") }
    defer { close(descriptor) }
    let half = bytes.count / 2
    for part in [bytes[..<half], bytes[half...]] {
      guard part.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == part.count else {
        throw HarnessError.system("write")
      }
      // The others get to see what is there by now.
      sched_yield()
    }
  }

  /// The time, or a millisecond after the row's own stamp.
  static func stamp(after row: [String: Any]) -> String {
    var time = Date()
    if let text = row["lastModified"] as? String, let before = dates.date(from: text), before >= time {
      time = before.addingTimeInterval(0.001)
    }
    return dates.string(from: time)
  }

  private static var dates: ISO8601DateFormatter {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter
  }
}

/// A list as these tests compare it, read by Foundation.
struct ListRows: Equatable {
  struct Row: Equatable {
    let amount: String
    let checked: Bool
  }

  private(set) var rows: [String: Row] = [:]
  /// The names in the list's order.
  private(set) var names: [String] = []

  /// Fails when the bytes are no list.
  init(_ bytes: Data) throws {
    guard let root = try JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let items = root["items"] as? [[String: Any]]
    else { throw HarnessError("no list: \(String(decoding: bytes, as: UTF8.self))") }
    self.init(items)
  }

  /// Members that are left out are at their default.
  init(_ items: [[String: Any]]) {
    for item in items {
      guard let name = item["name"] as? String else { continue }
      names.append(name)
      rows[name] = Row(amount: item["amount"] as? String ?? "", checked: item["checked"] as? Bool ?? false)
    }
  }

  subscript(name: String) -> Row? { rows[name] }

  /// The names that stand there more than once.
  var repeated: [String] {
    Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.map(\.key).sorted()
  }
}
