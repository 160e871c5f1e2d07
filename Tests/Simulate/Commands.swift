import AppSync
import Foundation
import Simulation

/// The layers by their numbers.
let layers: [(name: String, check: LoopChecks)] = [
  ("1", .whileImporting), ("2", .afterImport), ("3", .afterExport), ("4", .ownDate), ("5", .notNewer),
]

/// - Returns: the exit status.
func run(_ arguments: [String]) -> Int32 {
  switch arguments.first {
  case "seed":
    guard arguments.count >= 2, let seed = UInt64(arguments[1]) else { return usage() }
    var setup = Setup(isLogging: true)
    if arguments.count > 2 { setup.checks = checks(without: arguments[2]) }
    let outcome = World(seed: seed, setup: setup).run()
    show(seed, outcome)
    return outcome.complaints.isEmpty ? 0 : 1
  case "off":
    guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
      return usage()
    }
    for seed in first..<first + count {
      guard !World(seed: seed, setup: Setup(checks: checks(without: arguments[1]))).run().complaints.isEmpty,
        World(seed: seed, setup: Setup(checks: checks(without: "r"))).run().complaints.isEmpty
      else { continue }
      print(seed, World(seed: seed, setup: Setup(checks: checks(without: arguments[1]))).run().complaints)
    }
    return 0
  case "growth":
    for app in GrowingApp.allCases {
      for point in World.growth(of: app) { print(app.rawValue, point.second, point.bytes, point.writes) }
    }
    return 0
  default:
    guard arguments.count == 2, let first = UInt64(arguments[0]), let count = UInt64(arguments[1]) else {
      return usage()
    }
    return runAll(first, count)
  }
}

/// All checks but the revision check and the layers whose digits are given.
func checks(without digits: String) -> LoopChecks {
  var checks = LoopChecks.all
  if !digits.isEmpty { checks.remove(.revision) }
  for (name, check) in layers where digits.contains(name) { checks.remove(check) }
  return checks
}

private func usage() -> Int32 {
  FileHandle.standardError.write(
    Data("simulate FIRST COUNT | seed SEED [DIGITS] | off DIGITS FIRST COUNT | growth\n".utf8))
  return 2
}

private func show(_ seed: UInt64, _ outcome: Outcome) {
  print(
    "seed \(seed): \(outcome.edits) edits, \(outcome.writes) writes, \(outcome.conflicts) conflicts, \(outcome.deaths) deaths, \(outcome.imports) rows read in"
  )
  for line in outcome.schedule { print("  \(line)") }
  for complaint in outcome.complaints { print("  ! \(complaint)") }
}

private func runAll(_ first: UInt64, _ count: UInt64) -> Int32 {
  var total = Outcome()
  var failed: [UInt64] = []
  var mostWrites = 0.0
  for seed in first..<first + count {
    let outcome = World(seed: seed).run()
    total.edits += outcome.edits
    total.writes += outcome.writes
    total.conflicts += outcome.conflicts
    total.deaths += outcome.deaths
    total.size = max(total.size, outcome.size)
    if outcome.edits > 0 { mostWrites = max(mostWrites, Double(outcome.writes) / Double(outcome.edits)) }
    guard !outcome.complaints.isEmpty else { continue }
    failed.append(seed)
    if failed.count <= 3 { show(seed, World(seed: seed, setup: Setup(isLogging: true)).run()) }
    if failed.count == 20 { break }
  }
  print(
    "seeds \(first) to \(first + count - 1): \(total.edits) edits, \(total.writes) writes of the file, \(total.conflicts) conflicts, "
      + "\(total.deaths) deaths in the middle of something; at most \(mostWrites) writes per edit and \(total.size) bytes"
  )
  guard !failed.isEmpty else { return 0 }
  print("FAILED: \(failed)")
  return 1
}
