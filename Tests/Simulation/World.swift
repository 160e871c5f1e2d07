// A world of a few devices around one list, in virtual time: the same for the same seed.
//
//     let outcome = World(seed: 7).run()
//     outcome.complaints      // empty, or what is otherwise than promised
//
// A seed decides how many devices there are, whose clocks are off by how much, which of them have an app and how many
// servers run there, how the sync service behaves, who edits what and when, who is offline and who dies in the middle of
// what. Apps are `ListSync` as an app links it, servers are `Store` as the server uses it, both through the system calls of
// a disk in memory (Disk.swift): locks, temporary files, exchange and history are the real ones. Nothing is ever at the
// same time: events are run one after another, but a delivery of the service may come between any two system calls of a
// write, and death before any of them.
//
// Checked when all is quiet:
// 1. Every file and every store says the same, and no conflict copy is left.
// 2. Every acknowledged edit is there, unless a later edit of the same member, or a deletion, overrode it. Each device
//    has rows that nobody else edits: there nothing may be missing at all. Rows that all edit hold one of the values that
//    they were given.
// 3. The file was written a bounded number of times for each edit (`writesAllowed`), and it does become quiet.
// 4. No version of the file is read into a store again and again (`importsAllowed`).
// 5. The file's size is bounded by what was ever put in.

import AppSync
import ListStore
import Platform
import ShoppingList

/// What is otherwise than usual.
public struct Setup: Sendable {
  /// What the apps' guards look at.
  public var checks: LoopChecks = .all
  /// Keeps the schedule for printing.
  public var isLogging = false
  public init(checks: LoopChecks = .all, isLogging: Bool = false) {
    (self.checks, self.isLogging) = (checks, isLogging)
  }
}

/// What came of a world.
public struct Outcome: Sendable {
  public var complaints: [String] = []
  /// What happened, if it was to be kept.
  public var schedule: [String] = []
  public var edits = 0
  public var writes = 0
  public var imports = 0
  public var conflicts = 0
  public var deaths = 0
  public var size = 0

  public init() {}
}

/// One world. Used once.
public final class World {
  static let listName = "BananaList.json"
  static let second: UInt64 = 1_000_000_000

  let seed: UInt64
  let setup: Setup
  var chance: Chance
  /// Nanoseconds of the one true time.
  private(set) var now: UInt64 = 1_000 * second
  private var queue = EventHeap()
  var devices: [Device] = []
  let service: Service
  var expectations = Expectations()
  var outcome = Outcome()
  /// Whether the time of edits, deaths and lost connections is over.
  var isSettling = false
  private var nextProcess: Int32 = 100

  /// - Parameters:
  ///   - seed: decides everything.
  ///   - setup: what is otherwise than usual.
  public init(seed: UInt64, setup: Setup = Setup()) {
    (self.seed, self.setup) = (seed, setup)
    chance = Chance(seed: seed)
    service = Service(&chance)
  }

  // MARK: Time

  /// Unix time in nanoseconds of a clock that is right: from 2026-11-30T20:00:00Z on.
  var trueTime: Int64 { 1_796_068_800_000_000_000 + Int64(now) }

  /// Has something done after so many nanoseconds.
  func after(_ delay: UInt64, _ body: @escaping () -> Void) { queue.insert(at: now + delay, body) }

  /// Lets time pass within an event: what is due meanwhile is late.
  func pass(_ duration: UInt64) { now += duration }

  /// Runs events until there are none, or until so much time has passed; false if there were still some.
  func runEvents(atMost duration: UInt64) -> Bool {
    let end = now + duration
    while let next = queue.firstTime {
      guard next <= end, let (time, body) = queue.removeFirst() else { return false }
      now = max(now, time)
      body()
    }
    return true
  }

  // MARK: Chance

  /// A random time between two, in seconds and hundredths.
  func random(_ low: Double, _ high: Double) -> UInt64 {
    UInt64(chance.number(Int(low * 100)...Int(high * 100))) * (Self.second / 100)
  }

  func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) } }

  func newProcess() -> Int32 {
    nextProcess += 1
    return nextProcess
  }

  func log(_ text: @autoclosure () -> String) {
    guard setup.isLogging else { return }
    let milliseconds = (now - 1_000 * Self.second) / 1_000_000
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    outcome.schedule.append("\(milliseconds / 1_000).\(fraction) \(text())")
  }

  // MARK: A life

  /// Lets the world live until it is quiet, and looks at what has become of it.
  public func run() -> Outcome {
    makeDevices()
    plan()
    let hasEnded = runEvents(atMost: 300 * Self.second)
    isSettling = true
    settle(hasEnded)
    look()
    return outcome
  }

  /// Ends what was lost in between, and lets each server write until nothing changes any more.
  private func settle(_ hasEnded: Bool) {
    for device in devices { device.recover() }
    // What never becomes quiet is cut off here, and complained of.
    var isQuiet = runEvents(atMost: 600 * Self.second)
    for _ in 0..<12 where isQuiet {
      var isDone = true
      for device in devices where device.mergeCopies() { isDone = false }
      if isDone { return }
      isQuiet = runEvents(atMost: 600 * Self.second)
    }
    outcome.complaints.append(
      isQuiet ? "conflict copies come again and again" : "it does not become quiet: exports and imports go on")
  }
}

/// Events in the order of their times, and of their coming where that is the same.
private struct EventHeap {
  private var entries: [(time: UInt64, number: UInt64, body: () -> Void)] = []
  private var count: UInt64 = 0

  mutating func insert(at time: UInt64, _ body: @escaping () -> Void) {
    count += 1
    entries.append((time, count, body))
    var child = entries.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  var firstTime: UInt64? { entries.first?.time }

  mutating func removeFirst() -> (UInt64, () -> Void)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    if !entries.isEmpty {
      entries[0] = last
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && precedes(child, least) {
          least = child
        }
        if least == parent { break }
        entries.swapAt(parent, least)
        parent = least
      }
    }
    return (first.time, first.body)
  }

  private func precedes(_ one: Int, _ two: Int) -> Bool {
    (entries[one].time, entries[one].number) < (entries[two].time, entries[two].number)
  }
}
