// The lock: who has it, since when, and whether that process is alive.

import JSON
import Platform
import ShoppingList

extension Examination {
  /// How long a lock may be held before somebody should look: others give up by then.
  private static let patience: Int64 = 10_000

  func examineLock(in folder: ListFolder) -> Finding {
    let path = folder.listPath + LockName.suffix
    let state: ListLock.State
    do {
      state = try store.lock.state(in: folder)
    } catch {
      guard case .lockObstructed = error.kind else {
        return Finding("lock", .trouble, error.message, remedy: "ls -l \(shellQuoted(path))")
      }
      return Finding(
        "lock", .trouble, error.message, remedy: "mv \(shellQuoted(path)) \(shellQuoted(path + ".moved"))")
    }
    switch state {
    case .free: return Finding("lock", .fine, "Nobody has the lock.", facts: [("state", "free")])
    case .kernelOnly:
      return Finding(
        "lock", .note, "A process of this machine has the folder's lock at this moment.",
        facts: [("state", "held")])
    case .unreadable:
      return Finding(
        "lock", .trouble, "\(path) is another user's, who does not let this one read it.",
        remedy: "ls -l \(shellQuoted(path))", facts: [("state", "unreadable")])
    case .stale(let holder):
      return Finding(
        "lock", .note,
        "\(path) was left by \(holder.description), which does not run any more. The next write takes it over.",
        facts: [("state", "stale")] + facts(of: holder))
    case .held(let holder): return held(by: holder, path)
    }
  }

  private func held(by holder: LockHolder, _ path: String) -> Finding {
    let facts = [(key: "state", value: JSONValue("held"))] + facts(of: holder)
    let age = holder.since.map { syscalls.now() - $0.milliseconds } ?? 0
    guard age > Self.patience else {
      return Finding("lock", .note, "\(path) is held by \(holder.description).", facts: facts)
    }
    let lives = holder.isHere ? ", which is alive" : ", of which nothing can be known here"
    let remedy = holder.isHere ? holder.pid.map { "kill \($0)" } : nil
    return Finding(
      "lock", .trouble,
      "\(path) is held by \(holder.description)\(lives). A write takes a moment; this one hangs, and others give up after "
        + "6 s.", remedy: remedy ?? "rm \(shellQuoted(path))", facts: facts)
  }

  private func facts(of holder: LockHolder) -> [(key: String, value: JSONValue)] {
    var facts: [(key: String, value: JSONValue)] = [("isHere", JSONValue(holder.isHere))]
    if let pid = holder.pid { facts.append(("pid", JSONValue(Int(pid)))) }
    if let since = holder.since { facts.append(("since", JSONValue(since.iso8601))) }
    return facts
  }
}
