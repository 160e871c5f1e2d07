import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

/// Every system call of a write fails, each in turn, in every way. Afterwards the list is the old one or the new one, as
/// the answer said; the next write works, and nothing is left lying about.
@Suite struct StoreFaultTests {
  static let faults: [FaultPlan.Fault] = [
    .failing(.inputOutput), .failing(.noSpace), .failing(.accessDenied), .failing(.interrupted), .short,
    .dying,
    .failingAfterwards(.inputOutput),
  ]

  @Test(arguments: faults, LockMode.allCases) func anEditOfAList(fault: FaultPlan.Fault, mode: LockMode)
    throws
  {
    try walk(fault, mode, list: listText("Milk"))
  }

  @Test(arguments: faults, LockMode.allCases) func aNewList(fault: FaultPlan.Fault, mode: LockMode) throws {
    try walk(fault, mode, list: nil)
  }

  /// The same with a dead holder's lock and a crash's left-overs in the way.
  @Test(arguments: faults) func anEditAfterACrash(fault: FaultPlan.Fault) throws {
    let lock = try staleLock("dead")
    try walk(fault, .everything, list: listText("Milk")) { folder in
      try folder.write(lock, to: "BananaList.json.lock")
      let machine = ProcessIdentity(.live).machine
      let unfinished = TemporaryName(.unfinished, machine: machine, syscalls: .live)
      try folder.write("{ \"ite", to: unfinished.text(ofList: "BananaList.json"))
      let whole = listText("Milk", "Eggs")
      let finished = TemporaryName(
        .version(holds: TemporaryName.hash(Array(whole.utf8)), displaces: "none"), machine: machine,
        syscalls: .live)
      try folder.write(whole, to: finished.text(ofList: "BananaList.json"))
    }
  }

  /// Real time, in short naps: a kernel's lock that its owner could only close, not unlock, lives on for a moment in each
  /// process that another test is starting just then.
  static let impatient: Syscalls = {
    var syscalls = Syscalls.live
    syscalls.sleep = { Syscalls.live.sleep(min($0, 1_000_000)) }
    syscalls.fsync = { _ in }
    return syscalls
  }()

  private func walk(
    _ fault: FaultPlan.Fault, _ mode: LockMode, list: String?, prepare: (TestFolder) throws -> Void = { _ in }
  ) throws {
    // The process that fails is one that has ended when the next comes.
    let pid = try deadPID()
    let old = list == nil ? [] : ["Milk"]
    for number in 0..<1000 {
      let folder = try TestFolder(list: list)
      try prepare(folder)
      let plan = FaultPlan(fault, at: number)
      let time = VirtualTime()
      var system = mode.syscalls(over: time.syscalls())
      system.fsync = { _ in }  // thousands of them would only wait for the disk
      system.pid = { pid }
      let syscalls = plan.syscalls(over: system)
      let outcome: StoreError?
      do throws(StoreError) {
        try Store(path: folder.listPath, syscalls: syscalls).add("Bread")
        outcome = nil
      } catch {
        outcome = error
      }
      let place = Comment(
        rawValue: "\(fault) at call \(number) \(plan.calls.last ?? ""): \(outcome?.message ?? "")")

      let next = Store(path: folder.listPath, syscalls: mode.syscalls(over: Self.impatient))
      let found = try next.names()
      switch outcome?.kind {
      case nil: #expect(found == old + ["Bread"], place)
      case .uncertain: #expect(found == old || found == old + ["Bread"], place)
      default: #expect(found == old, place)
      }
      #expect(time.elapsed <= 6_100_000_000 + 2_100_000_000, place)

      #expect(try next.add("Eggs").snapshot.notices == [], place)
      #expect(try next.names() == found + ["Eggs"], place)
      let litter = try folder.names().filter { $0 != "BananaList.json" }
      // A lock on its way to its name is removed a minute later: this machine's or another's, nobody can tell.
      #expect(litter.allSatisfy { $0.hasSuffix(".lock.tmp") } && litter.count <= 1, "\(place) \(litter)")
      if !plan.wasReached {
        #expect(outcome == nil && litter.isEmpty, place)
        return
      }
    }
    Issue.record("the write never ended")
  }
}
