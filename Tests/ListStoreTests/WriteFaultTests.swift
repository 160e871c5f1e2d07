import Platform
import Testing

@testable import ListStore

/// Every kind of write, with every system call failing in every way that it can, each in turn.
@Suite struct WriteFaultTests {
  static let faults: [FaultPlan.Fault] = [
    .failing(.inputOutput), .failing(.noSpace), .failing(.quotaExceeded), .failing(.accessDenied),
    // Where an interrupted call may be made again, `Syscalls.live` does; what comes through may not be.
    .failing(.interrupted),
    .short, .dying, .failingAfterwards(.inputOutput),
  ]

  @Test(arguments: WriteKind.allCases, faults) func losesNothing(kind: WriteKind, fault: FaultPlan.Fault) throws {
    for number in 0... {
      let scene = try WriteScene(kind)
      let plan = FaultPlan(fault, at: number, of: fault.canHit)
      let outcome = try scene.run(over: plan.syscalls(over: scene.world()))
      let complaints = scene.complaints(after: outcome, isThorough: false)
      let place = "\(fault) at call \(number), \(plan.hit ?? "none")"
      #expect(complaints == [], "\(place): \(outcome?.message ?? "acknowledged")")
      guard plan.wasReached else {
        #expect(outcome == nil)
        break
      }
    }
  }

  // MARK: The walk itself

  /// A way in which a store, or the system below it, could be wrong.
  enum Sabotage: CaseIterable {
    case exchangeLosesTheOther, nothingIsRemoved, writesAreHalf, copiesVanish

    var kind: WriteKind {
      switch self {
      case .exchangeLosesTheOther: .overlap
      case .copiesVanish: .copies
      case .nothingIsRemoved, .writesAreHalf: .edit
      }
    }

    func syscalls(over base: Syscalls) -> Syscalls {
      var syscalls = base
      switch self {
      case .exchangeLosesTheOther:
        syscalls.exchange = { (folder, first, second) throws(Errno) in
          try base.exchange(folder, first, second)
          try base.unlinkat(folder, first)
        }
      case .nothingIsRemoved:
        syscalls.unlinkat = { (folder, name) throws(Errno) in
          if !name.contains(".lock") { return }
          try base.unlinkat(folder, name)
        }
      case .writesAreHalf:
        syscalls.write = { (descriptor, bytes) throws(Errno) in
          _ = try base.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)))
          return bytes.count
        }
      case .copiesVanish:
        syscalls.renameat = { (folder, name, newFolder, newName) throws(Errno) in
          try base.renameat(folder, name, newFolder, newName)
          if newName.hasSuffix(".json") { try base.unlinkat(newFolder, newName) }
        }
      }
      return syscalls
    }

    var complaint: String {
      switch self {
      case .exchangeLosesTheOther, .copiesVanish: "lost"
      case .nothingIsRemoved: "left"
      case .writesAreHalf: "afterwards"
      }
    }
  }

  @Test(arguments: Sabotage.allCases) func theWalkSeesWhatIsWrong(sabotage: Sabotage) throws {
    let scene = try WriteScene(sabotage.kind)
    let outcome = try scene.run(over: sabotage.syscalls(over: scene.world()))
    let complaints = scene.complaints(
      after: outcome, over: sabotage == .nothingIsRemoved ? sabotage.syscalls(over: WriteScene.quick) : WriteScene.quick
    )
    #expect(complaints.contains { $0.hasPrefix(sabotage.complaint) }, "\(complaints)")
  }
}

extension FaultPlan.Fault {
  /// Whether the call can fail so, and it makes a difference.
  func canHit(_ call: String) -> Bool {
    let changes = ["write", "renameat", "renameNoReplace", "exchange", "linkat", "unlinkat", "mkdir"]
    let makes = changes + ["open", "openat", "fsync", "fchmod", "fchown", "close"]
    return switch self {
    case .short: ["read", "write"].contains(call)
    case .failing(.noSpace), .failing(.quotaExceeded):
      (changes + ["openat", "fsync"]).contains(call) && call != "unlinkat"
    case .failing(.accessDenied): !["close", "read", "write", "fstat", "fsync", "flock"].contains(call)
    case .failing(.interrupted): ["openat", "write", "fsync", "flock"].contains(call)
    case .failing: true
    case .failingAfterwards: makes.contains(call)
    // Between two changes it is the same when it comes. (A file that was made is empty up to the first writing.)
    case .dying: changes.contains(call)
    }
  }
}
