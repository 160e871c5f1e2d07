import Foundation
import ListStore
import Platform

/// Runs one command line and returns the exit status.
func runLockContender(_ arguments: [String]) -> Int32 {
  switch (arguments.first, arguments.count) {
  case ("stress", 3):
    guard let mode = ContentionMode(rawValue: arguments[1]), let rounds = Int(arguments[2]) else { break }
    return stress(mode, rounds: rounds)
  case ("contend", 3):
    guard let mode = ContentionMode(rawValue: arguments[1]) else { break }
    return contend(mode, list: arguments[2])
  case ("hold", 2): return hold(list: arguments[1])
  case ("read", 2): return report { (store) throws(StoreError) in try store.read().revision }
  case ("add", 2):
    return report { (store) throws(StoreError) in
      let written = try store.write { list, context in list.add([.init(name: "Bread")], in: context).count }
      return written.changed ? "changed" : "unchanged"
    }
  default: break
  }
  say("usage: lock-contender stress|contend|hold|read|add …")
  return 2

  func report(_ use: (Store) throws(StoreError) -> String) -> Int32 {
    do throws(StoreError) {
      say(try use(Store(path: arguments[1])))
      return 0
    } catch {
      say(error.message)
      return 1
    }
  }
}

/// Holds the lock until it is told to stop, and lets it go.
private func hold(list: String) -> Int32 {
  let queue = EventQueue<Never>()
  var syscalls = Syscalls.live
  syscalls.sleep = { queue.sleep(nanoseconds: $0) }
  do {
    try Threads.blockSignals([.terminate])
    try Threads.waitForSignals([.terminate]) { _ in queue.requestStop() }
    try Threads.start("input") {
      while readLine() != nil {}
      queue.requestStop()
    }
    let lock = ListLock(syscalls: syscalls, process: ProcessIdentity(syscalls))
    try lock.holding(ListFolder(opening: list, with: syscalls)) { _ in
      say("held")
      _ = queue.sleep(nanoseconds: .max)
    }
    say("let go")
    return 0
  } catch {
    say("\(error)")
    return 1
  }
}

/// One line to standard output, at once.
func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}
