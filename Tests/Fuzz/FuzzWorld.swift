// A list on real files in a folder in memory, with a clock of its own: what the session fuzzer talks to.
//
// One folder serves all inputs of a process; it is emptied before each.

import Foundation
import JSON
import ListStore
import Platform
import Seeded
import ShoppingList

final class FuzzWorld {
  let store: Store
  let watch: ListWatch
  let syscalls: Syscalls
  private let clock: FuzzClock
  /// The members of the list that are not ours, as text; nil where the list cannot be read.
  private var strange: [String: [UInt8]]?
  /// Another file has members of its own, which merge.
  private var hasCopies = false

  private static let path: String = {
    // Where memory looks like files, there is no wait for a disk.
    let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    return "\(parent)/get-bananas-fuzz-\(getpid())-\(UUID().uuidString)"
  }()

  init(list: String?) throws {
    try Self.empty(Self.path)
    for folder in ["list", "state"] {
      try FileManager.default.createDirectory(atPath: "\(Self.path)/\(folder)", withIntermediateDirectories: true)
    }
    clock = FuzzClock()
    syscalls = clock.syscalls
    let path = "\(Self.path)/list/BananaList.json"
    store = Store(path: path, syscalls: syscalls, history: .folder("\(Self.path)/state"))
    watch = ListWatch(path: path, syscalls: syscalls) { false }
    if let list { try save(Array(list.utf8)) }
  }

  deinit {
    watch.stop()
    try? FileManager.default.removeItem(atPath: Self.path)
  }

  private static func empty(_ path: String) throws {
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
  }

  func sleep(nanoseconds: UInt64) { clock.pass(nanoseconds) }

  private func put(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(Self.path)/\(name)"))
  }

  func putConflictCopy(_ bytes: [UInt8]) throws {
    try put(bytes, as: "list/BananaList.sync-conflict-20261130-204112-ABCDEFG.json")
    hasCopies = true
  }

  /// Saves the list as another program.
  func save(_ bytes: [UInt8]) throws {
    try put(bytes, as: "list/BananaList.json")
    strange = Self.strangeMembers(of: bytes)
  }

  func putLock(_ bytes: [UInt8]) throws {
    let name = "list/BananaList.json.lock"
    if bytes.isEmpty { try Self.empty("\(Self.path)/\(name)") } else { try put(bytes, as: name) }
  }

  func checkList() throws {
    guard let strange else { return }
    guard let data = FileManager.default.contents(atPath: "\(Self.path)/list/BananaList.json") else {
      throw Violation("the list is gone")
    }
    guard let now = Self.strangeMembers(of: Array(data)) else { throw Violation("the list cannot be read any more") }
    for (key, text) in strange {
      try promise(
        now[key] == text || (hasCopies && now[key] != nil),
        "the list's member \(key) is \(now[key].map { shown($0) } ?? "gone")")
    }
  }

  private static func strangeMembers(of bytes: [UInt8]) -> [String: [UInt8]]? {
    guard (try? Document(decoding: bytes)) != nil, let root = try? JSONValue(parsing: bytes) else { return nil }
    let own = ["schemaVersion", "items", "sections", "deletedItems"]
    return Dictionary(
      root.members.filter { !own.contains($0.key) }.map { ($0.key, $0.value.canonicalText) },
      uniquingKeysWith: { _, last in last })
  }
}

/// Time that passes by sleeping only, and chance that is always the same.
private final class FuzzClock: @unchecked Sendable {  // used by one thread
  private var elapsed: UInt64 = 0
  private var numbers = SplitMix64(seed: 1)

  func pass(_ nanoseconds: UInt64) { elapsed += nanoseconds }

  var syscalls: Syscalls {
    let start = Syscalls.live.now()
    var syscalls = Syscalls.live
    syscalls.monotonic = { 1_000_000_000_000 + self.elapsed }
    syscalls.now = { start + Int64(self.elapsed / 1_000_000) }
    syscalls.sleep = { nanoseconds in
      self.elapsed += nanoseconds
      return true
    }
    syscalls.random = { count in (0..<count).map { _ in UInt8.random(in: 0...255, using: &self.numbers) } }
    return syscalls
  }
}
