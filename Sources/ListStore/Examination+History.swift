// The history: where it is, whether it can be written, and what is in it.

import JSON
import Platform

extension Examination {
  func examineHistory(of folder: ListFolder) -> (finding: Finding, newest: String?) {
    let state: String
    switch store.historyPlace {
    case .nowhere: return (Finding("history", .note, "No history is kept."), nil)
    case .unknown:
      let text =
        "No history can be kept: neither HOME nor XDG_STATE_HOME is set, and the user has no home folder."
      return (Finding("history", .trouble, text, remedy: "export XDG_STATE_HOME=/path/to/a/folder"), nil)
    case .folder(let path): state = path
    }
    let history: History
    let archived: Int
    do {
      history = try History(in: state, ofList: folder.listPath, with: syscalls, making: false)
      archived = try history.archivedNames().count
    } catch {
      return (
        Finding(
          "history", .trouble, "The history cannot be read: \(error.message).",
          remedy: remedy(for: error.errno, of: error.path, mode: nil)), nil
      )
    }
    let names = history.names
    // The newest that is a list; a damaged one would be offered in vain.
    let newest = names.lazy.map(\.id).first { id in
      do { return try history.document(ofID: id) != nil } catch { return false }
    }
    let facts: [(key: String, value: JSONValue)] = [
      ("versions", JSONValue(names.count)), ("archived", JSONValue(archived)),
      ("bytes", JSONValue(names.reduce(0) { $0 + $1.size })),
    ]
    if let errno = refusal(of: history.path, below: state) {
      return (
        Finding(
          "history", .trouble,
          "The history in \(history.path) cannot be written: \(errno.message) (\(errno.name)).",
          remedy: remedy(for: errno, of: state, mode: nil), facts: facts), newest
      )
    }
    guard let latest = names.first else {
      return (
        Finding(
          "history", .fine, "\(history.path) has no version yet; the first change makes it.", facts: facts),
        newest
      )
    }
    let text =
      "\(history.path) has \(names.count) version\(names.count == 1 ? "" : "s"), the newest of \(latest.time.iso8601), and "
      + "\(archived) in the archive."
    return (Finding("history", .fine, text, facts: facts), newest)
  }

  /// Why nothing could be written there; nil where it could. The first folder on the way that exists decides: what is
  /// missing below it would be made.
  private func refusal(of path: String, below state: String) -> Errno? {
    var path = "\(path)/history"
    while true {
      let (folder, name) = ListFolder.split(path)
      do {
        let parent = try OwnedDescriptor(opening: folder, [.read, .directory], with: syscalls)
        do {
          try syscalls.mayWrite(parent.descriptor, name)
          return nil
        } catch .noEntry {
          try syscalls.mayWrite(parent.descriptor, ".")
          return nil
        }
      } catch .noEntry where folder != path {
        path = folder
      } catch {
        return error
      }
    }
  }
}
