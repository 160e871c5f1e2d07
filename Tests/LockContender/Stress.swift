// Twelve processes meet one stale lock, many times; never may two of them hold it at once.
//
// The parent lays down a lock file whose holder is gone, gives each child a byte to begin, and waits for a byte from each:
// a child takes the lock, makes a witness file that must not exist (`O_EXCL`), works for a moment, removes it and lets the
// lock go. A witness that exists means that two held the lock.
//
// | mode    | what excludes                                                                                          |
// | both    | the kernel's lock on the folder and the lock file                                                      |
// | file    | the lock file alone: the folder's `flock` answers ENOTSUP                                              |
// | names   | the lock file alone, on a file system without any `flock`: a stale lock is taken over by renaming      |
// | naive   | the wrong way, to show that this check catches it: read the pid, it does not run, remove by name       |
//
// The naive way fails in few of a hundred rounds where a round is one try per processor; between its test and its removal
// each contender here gives the processor away once, so that it fails in most.

import Foundation
import ListStore
import Platform

enum ContentionMode: String {
  case both, file, names, naive

  var syscalls: Syscalls {
    var syscalls = Syscalls.live
    switch self {
    case .both, .naive: break
    case .file:
      syscalls.flock = { (descriptor, operation) throws(Errno) in
        guard try Syscalls.live.fstat(descriptor).kind != .directory else { throw .notSupported }
        try Syscalls.live.flock(descriptor, operation)
      }
    case .names: syscalls.flock = { (_, _) throws(Errno) in throw .notSupported }
    }
    return syscalls
  }
}

private let contenders = 12
private let witnessName = "witness"

/// What a child answers after a round.
private enum RoundResult: UInt8 {
  case alone = 0x2E  // .
  case notAlone = 0x21  // !
  case failed = 0x3F  // ?
}

// MARK: The parent

/// Ends with the first round in which two held the lock at once, and returns 1; 3 when a contender failed; else 0.
func stress(_ mode: ContentionMode, rounds: Int) -> Int32 {
  do {
    let folder = NSTemporaryDirectory() + "lock-contender-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let list = folder + "/BananaList.json"
    let lock = try staleLock(mode, list)
    let children = try (0..<contenders).map { _ in try Child(mode, list: list) }
    defer { for child in children { child.end() } }
    for round in 1...max(rounds, 1) {
      try lock.write(to: URL(fileURLWithPath: list + ".lock"))
      for child in children { child.begin() }
      let results = children.map { $0.result() }
      if results.contains(.failed) {
        say("\(mode.rawValue): a contender failed in round \(round)")
        return 3
      }
      if results.contains(.notAlone) {
        say("\(mode.rawValue): two held the lock at once in round \(round)")
        return 1
      }
    }
    say("\(mode.rawValue): \(rounds) rounds, never two at once")
    return 0
  } catch {
    say("\(error)")
    return 3
  }
}

/// A lock whose holder is gone: ours, as if its pid had been given to this process later. The naive way knows no start
/// times; its lock names a pid that no process gets.
private func staleLock(_ mode: ContentionMode, _ list: String) throws -> Data {
  guard mode != .naive else { return Data("\(Syscalls.live.maximumPID())\n".utf8) }
  let lock = ListLock(syscalls: mode.syscalls, process: ProcessIdentity(.live))
  let text = try lock.holding(ListFolder(opening: list, with: .live)) { _ in
    (try? String(contentsOfFile: list + ".lock", encoding: .utf8)) ?? ""
  }
  let lines = text.split(separator: "\n").map { $0.hasPrefix("started=") ? "started=0" : $0 }
  return Data((lines.joined(separator: "\n") + "\n").utf8)
}

private final class Child {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ mode: ContentionMode, list: String) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["contend", mode.rawValue, list]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func begin() {
    input.fileHandleForWriting.write(Data([0x0A]))
  }

  func result() -> RoundResult {
    let byte = output.fileHandleForReading.readData(ofLength: 1).first
    return byte.flatMap(RoundResult.init) ?? .failed
  }

  func end() {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }
}

// MARK: A child

/// Takes the lock once for each byte of standard input.
func contend(_ mode: ContentionMode, list: String) -> Int32 {
  do {
    let folder = try ListFolder(opening: list, with: mode.syscalls)
    // On a crowded machine twelve take longer than a writer would wait.
    let lock = ListLock(syscalls: mode.syscalls, process: ProcessIdentity(.live), patience: 120_000_000_000)
    while try !Syscalls.live.readChunk(0, limit: 1).isEmpty {
      let result: RoundResult
      do {
        if mode == .naive {
          result = try naively(in: folder) { try work(in: folder) }
        } else {
          result = try lock.holding(folder) { _ in (try? work(in: folder)) ?? .failed }
        }
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        result = .failed
      }
      FileHandle.standardOutput.write(Data([result.rawValue]))
    }
    return 0
  } catch {
    say("\(error)")
    return 1
  }
}

/// What is done with the lock held.
private func work(in folder: ListFolder) throws(Errno) -> RoundResult {
  do {
    let witness = try OwnedDescriptor(
      opening: witnessName, in: folder.descriptor, [.write, .createNew], mode: 0o600, with: .live)
    for _ in 0..<5 { sched_yield() }
    try witness.close()
    try Syscalls.live.unlinkat(folder.descriptor, witnessName)
    return .alone
  } catch .exists {
    return .notAlone
  }
}

/// The wrong way, as a server may have it that came before.
private func naively(in folder: ListFolder, _ body: () throws -> RoundResult) throws -> RoundResult {
  let syscalls = Syscalls.live
  let name = folder.listName + ".lock"
  while try !makeNaively(name, folder) {
    if try holderIsGone(name, folder) {
      sched_yield()
      do { try syscalls.unlinkat(folder.descriptor, name) } catch .noEntry {}
    } else {
      _ = syscalls.sleep(500_000)
    }
  }
  let result = try body()
  do { try syscalls.unlinkat(folder.descriptor, name) } catch .noEntry {}
  return result
}

private func makeNaively(_ name: String, _ folder: ListFolder) throws(Errno) -> Bool {
  do {
    let lock = try OwnedDescriptor(
      opening: name, in: folder.descriptor, [.write, .createNew], mode: 0o600, with: .live)
    try Syscalls.live.writeFile(lock.descriptor, Array("\(Syscalls.live.pid())\n".utf8))
    return true
  } catch .exists {
    return false
  }
}

private func holderIsGone(_ name: String, _ folder: ListFolder) throws(Errno) -> Bool {
  do {
    let file = try OwnedDescriptor(opening: name, in: folder.descriptor, [.read], with: .live)
    let text = String(decoding: try Syscalls.live.readAll(file.descriptor, limit: 20), as: UTF8.self)
    guard let pid = Int32(text.split(separator: "\n").first ?? "") else { return false }
    return Syscalls.live.isAlive(pid) == .notRunning
  } catch .noEntry {
    return false
  }
}
