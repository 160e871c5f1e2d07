// What lies beside the list: conflict copies, what crashes left, placeholders.

import JSON
import Platform

extension Examination {
  /// How old another machine's temporary file must be, in nanoseconds, before its writer has surely given up.
  private static let abandoned: Int64 = 3_600_000_000_000

  func examineSurroundings(of folder: ListFolder) -> [Finding] {
    let names: [String]
    do {
      names = try folder.names().sorted()
    } catch {
      let path = ListFolder.split(folder.listPath).folder
      return [
        Finding("copies", .trouble, error.message, remedy: remedy(for: error.errno, of: path, mode: nil))
      ]
    }
    return examineCopies(among: names, in: folder) + [examineLeftOvers(among: names, in: folder)]
  }

  // MARK: Conflict copies

  private func examineCopies(among names: [String], in folder: ListFolder) -> [Finding] {
    let copies: ConflictCopies
    do {
      copies = try folder.conflictCopies(among: names)
    } catch {
      return [Finding("copies", .trouble, error.message)]
    }
    var findings: [Finding] = []
    if !copies.found.isEmpty {
      let found = copies.found.map(\.name)
      findings.append(
        Finding(
          "copies", .note, Notice.showsCopies(found).message,
          facts: [("names", .array(found.map { JSONValue($0) }))]))
    }
    for notice in copies.notices {
      findings.append(Finding("copies", .trouble, notice.message, remedy: remedy(for: notice, in: folder)))
    }
    return findings.isEmpty ? [Finding("copies", .fine, "No conflict copy lies beside the list.")] : findings
  }

  private func remedy(for notice: Notice, in folder: ListFolder) -> String? {
    let place = ListFolder.split(folder.listPath).folder
    let list = shellQuoted(folder.listPath)
    switch notice {
    case .possibleCopies(let names, _):
      return names.first.map { "get-bananas absorb \(shellQuoted("\(place)/\($0)")) --file \(list)" }
    case .unusableCopy(let name, _): return "mv \(shellQuoted("\(place)/\(name)")) \"$HOME\"/"
    default: return nil
    }
  }

  // MARK: Left-overs

  private func examineLeftOvers(among names: [String], in folder: ListFolder) -> Finding {
    var ours: [String] = []
    var theirs: [String] = []
    var abandoned: [String] = []
    for name in names {
      guard let says = TemporaryName(parsing: name, ofList: folder.listName), says.purpose != .lock else {
        continue
      }
      if says.machine == store.lock.process.machine {
        ours.append(name)
      } else if isAbandoned(name, in: folder) {
        abandoned.append(name)
      } else {
        theirs.append(name)
      }
    }
    let facts = [("ours", ours), ("others", theirs), ("abandoned", abandoned)].map {
      (key: $0.0, value: JSONValue.array($0.1.map { JSONValue($0) }))
    }
    if !abandoned.isEmpty {
      let place = ListFolder.split(folder.listPath).folder
      let words = abandoned.map { shellQuoted("\(place)/\($0)") }.joined(separator: " ")
      return Finding(
        "left-overs", .trouble,
        "An interrupted write of another machine left \(abandoned.joined(separator: ", ")). Only that machine clears it up: "
          + "write to the list there, or, if it is gone for good, move it away.",
        remedy: "mv \(words) \"$HOME\"/",
        facts: facts)
    }
    if !theirs.isEmpty {
      return Finding(
        "left-overs", .note,
        "Another machine is writing, or was interrupted: \(theirs.joined(separator: ", ")).",
        facts: facts)
    }
    if !ours.isEmpty {
      return Finding(
        "left-overs", .note,
        "A write of this machine is going on, or was interrupted; the next one clears up \(ours.joined(separator: ", ")).",
        facts: facts)
    }
    return Finding("left-overs", .fine, "No interrupted write has left anything.", facts: facts)
  }

  /// By this machine's clock: an hour is more than clocks differ.
  private func isAbandoned(_ name: String, in folder: ListFolder) -> Bool {
    do {
      guard let status = try folder.status(of: name) else { return false }
      return syscalls.now() * 1_000_000 - status.modified > Self.abandoned
    } catch {
      return false
    }
  }
}
