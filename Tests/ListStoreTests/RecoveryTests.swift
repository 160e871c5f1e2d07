import Platform
import Testing

@testable import ListStore

/// A write is killed after each of its system calls, while another program saves the list; and so is the write that clears
/// up after it. However often that is done, the list comes out the same.
@Suite struct RecoveryTests {
  /// The other program's save falls between our last look and the exchange.
  static let overlaps = [WriteKind.overlap, .overlapOnOurs, .twoOverlaps]

  @Test(arguments: overlaps) func recoveringTwiceIsRecoveringOnce(kind: WriteKind) throws {
    for number in 0... {
      let scene = try WriteScene(kind)
      let plan = FaultPlan(.dying, at: number)
      let outcome = try scene.run(over: plan.syscalls(over: scene.world()))
      let once = try Self.recover(scene)
      let twice = try Self.recover(scene)
      #expect(once == twice, "killed at call \(number), \(plan.hit ?? "none")")
      Self.check(scene, outcome, "killed at call \(number), \(plan.hit ?? "none")")
      guard plan.wasReached else { break }
    }
  }

  /// A fresh program reads the list and edits it, and takes the edit back by another.
  private static func recover(_ scene: WriteScene) throws -> [String] {
    _ = try scene.house.store(over: WriteScene.quick).read()
    try scene.house.store(over: WriteScene.quick).add("Oil")
    let brief = try scene.house.document().brief.sorted()
    try scene.house.store(over: WriteScene.quick).remove("Oil")
    return brief
  }

  private static func check(_ scene: WriteScene, _ outcome: StoreError?, _ place: String) {
    #expect(scene.complaints(after: outcome) == [], "\(place): \(outcome?.message ?? "acknowledged")")
  }

  /// The second kill comes while the first one's left-overs are cleared up.
  @Test(arguments: overlaps + [.copies, .leftOvers]) func aRecoveryMayBeKilledToo(kind: WriteKind) throws {
    let fault = FaultPlan.Fault.dying
    var seen: Set<[String]> = []
    for number in 0... {
      var isReached = true
      for second in 0... {
        let scene = try WriteScene(kind)
        let plan = FaultPlan(fault, at: number, of: fault.canHit)
        let outcome = try scene.run(over: plan.syscalls(over: scene.world()))
        isReached = plan.wasReached
        // Kills that leave the same are one.
        if second == 0, !seen.insert(try Self.traces(of: scene)).inserted { break }
        let recovery = FaultPlan(fault, at: second, of: fault.canHit)
        try scene.recover(over: recovery.syscalls(over: WriteScene.quick))
        Self.check(
          scene, outcome,
          "killed at call \(number), \(plan.hit ?? "none"), and \(second), \(recovery.hit ?? "none")")
        guard recovery.wasReached else { break }
      }
      guard isReached else { break }
    }
    #expect(seen.count > 5)
  }

  /// What lies there, without what is random in it.
  private static func traces(of scene: WriteScene) throws -> [String] {
    let beside = try scene.house.names().map { name -> String in
      let says = TemporaryName(parsing: name, ofList: "BananaList.json")
      let isList = says?.purpose != .unfinished && !name.contains(".lock")
      let rows = isList ? try scene.house.document(name).brief.sorted() : []
      return "\(says == nil ? name : "temporary") \(rows)"
    }
    return beside.sorted() + (try scene.house.kept().map { _ in "kept" })
  }
}
