import Platform
import Testing

@Suite struct FaultPlanTests {
  /// A field that is added later must not be left out of the walks over all calls.
  @Test func wrapsEveryCallThatCanFail() {
    let failing = Mirror(reflecting: Syscalls.live).children.filter {
      String(describing: type(of: $0.value)).contains("throws")
    }
    #expect(Set(failing.compactMap(\.label)) == FaultPlan.names)
  }

  @Test func failsTheCallThatItNames() throws {
    let plan = FaultPlan(.failing(.noSpace), at: 1)
    let syscalls = plan.syscalls()
    #expect(try syscalls.realpath("/") == "/")
    #expect(!plan.wasReached)
    #expect(throws: Errno.noSpace) { try syscalls.realpath("/") }
    #expect(plan.wasReached)
    #expect(try syscalls.realpath("/") == "/")
  }

  @Test func deathEndsAllCalls() throws {
    let plan = FaultPlan(.dying, at: 0)
    let syscalls = plan.syscalls()
    for _ in 0..<2 {
      #expect(throws: Errno.inputOutput) { try syscalls.realpath("/") }
    }
  }
}
