// `history` and `absorb`: what a person does with the versions of the list that no host is shown.

import BananaServer
import JSON
import ListStore
import Platform

struct VersionCommands {
  let store: Store
  let streams: Streams

  /// Shows the versions that are kept: id, when, how many items, and what edit made them.
  func list(asJSON: Bool) -> ExitStatus {
    let versions: [PastVersion]
    do {
      versions = try store.history()
    } catch {
      return streams.complain(error.message, .failed)
    }
    if asJSON {
      var text: [UInt8] = []
      JSONValue.array(versions.map(json)).appendCompact(to: &text)
      return streams.show(String(decoding: text, as: UTF8.self) + "\n")
    }
    guard !versions.isEmpty else { return streams.show("No version of \(store.path) is kept yet.\n") }
    return streams.show(versions.map(line).joined(separator: "\n") + "\n")
  }

  private func json(_ version: PastVersion) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", JSONValue(version.id)), ("time", JSONValue(version.time.iso8601)),
      ("place", JSONValue(version.place.rawValue)),
    ]
    if let edit = version.edit { members.append(("edit", JSONValue(edit))) }
    if let origin = version.origin { members.append(("origin", JSONValue(origin))) }
    if let items = version.items { members.append(("items", JSONValue(items))) }
    if let bought = version.bought { members.append(("bought", JSONValue(bought))) }
    return .object(members)
  }

  /// `9f86d081884c7d65  2026-11-30T20:41:12.345Z  12 items, 3 bought  added Bread`
  private func line(_ version: PastVersion) -> String {
    var count = "no list"
    if let items = version.items, let bought = version.bought {
      count = "\(items) item\(items == 1 ? "" : "s"), \(bought) bought"
    }
    count += String(repeating: " ", count: max(0, 20 - count.count))
    let place = version.place == .archive ? "archive: " : ""
    return [version.id, version.time.iso8601, count, place + oneLine(version.edit ?? version.origin ?? "")]
      .joined(separator: "  ")
  }

  /// Merges a file that lies beside the list.
  func absorb(_ file: String) throws(UsageError) -> ExitStatus {
    var path = file
    if !path.hasPrefix("/") {
      do {
        path = "\(try CurrentProcess.workingDirectory())/\(file)"
      } catch {
        throw UsageError("\(file) is a relative path, and there is no working folder: \(error.message)")
      }
    }
    do {
      let absorbed = try store.absorb(path)
      let gain =
        absorbed.gain.map { "merged \(file) into the list: \($0)" }
        ?? "\(file) has nothing that the list lacks"
      return streams.show(
        ([oneLine(gain) + "."] + absorbed.notices.map { oneLine($0.message) }).joined(separator: "\n") + "\n")
    } catch {
      return streams.complain(error.message, .failed)
    }
  }
}
