// The simulation in a short form, and the seeds that are kept.
//
// `make simulate` runs many more. A kept seed is one that broke a check when it was found. Those of the layers hold as long
// as the schedule that they stand for comes about: a change of what the programs do, or of the simulation, may make other
// schedules of them. `simulate off LAYER FIRST COUNT` then finds new ones.

import AppSync
import Simulation
import Testing

struct SimulationTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func everyWorldKeepsWhatIsPromised(_ part: UInt64) {
    for seed in part * 1_000..<part * 1_000 + 10 {
      let complaints = World(seed: seed).run().complaints
      #expect(complaints.isEmpty, "seed \(seed): \(complaints); its schedule: simulate seed \(seed)")
    }
  }

  /// What was found: a copy merged under a list whose text was not parsed counted as no list; a deletion that an edit
  /// elsewhere outlived came back in the store; what another saved during the write was forgotten in the store; a list
  /// that a service brought during a write was taken for one made from what it had laid aside.
  @Test(
    arguments: [
      208, 340, 453, 689, 695, 1391, 2010, 3940, 4657, 5689, 7376, 11420, 19427, 19447, 21894, 33792, 49639, 52408,
      73619, 79577,
      70684, 96923, 124988, 127462, 32823, 170077,
    ]
      as [UInt64])
  func whatOnceFailedHolds(_ seed: UInt64) {
    let complaints = World(seed: seed).run().complaints
    #expect(complaints.isEmpty, "seed \(seed): \(complaints)")
  }

  @Test func theSameSeedIsTheSameWorld() {
    let setup = Setup(isLogging: true)
    let (one, two) = (World(seed: 4711, setup: setup).run(), World(seed: 4711, setup: setup).run())
    #expect(one.schedule == two.schedule)
    #expect(!one.schedule.isEmpty)
  }

  struct Layer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: LoopChecks
    let seeds: [UInt64]
  }

  static let layers = [
    Layer(testDescription: "1, while importing", check: .whileImporting, seeds: [131, 173, 211, 233]),
    Layer(testDescription: "2, after an import", check: .afterImport, seeds: [25, 28, 54, 66, 78]),
    Layer(testDescription: "3, after an export", check: .afterExport, seeds: [202, 698, 1178, 1303, 1623]),
    Layer(testDescription: "4, the own date", check: .ownDate, seeds: [204, 454, 457, 893]),
    Layer(testDescription: "5, not newer", check: .notNewer, seeds: [204, 454, 1945, 2062]),
  ]

  /// Without the revision check each layer is all that stands between some order of events and a lost edit: with the layer
  /// the schedule is harmless, without it an acknowledged edit is gone.
  @Test(arguments: layers) func eachLayerEarnsItsPlace(_ layer: Layer) {
    let dates = LoopChecks.all.subtracting(.revision)
    let earned = layer.seeds.filter { seed in
      World(seed: seed, setup: Setup(checks: dates)).run().complaints.isEmpty
        && World(seed: seed, setup: Setup(checks: dates.subtracting(layer.check))).run().complaints
          .contains { $0.hasPrefix("own-") }
    }
    #expect(
      !earned.isEmpty,
      "none of \(layer.seeds) needs the layer any more: simulate off \(layer.testDescription.prefix(1)) 1 1000")
    for seed in layer.seeds { #expect(World(seed: seed).run().complaints.isEmpty, "seed \(seed)") }
  }

  /// With the revision check the layers are the second line: without all five nothing is lost either.
  @Test func theRevisionCheckAloneHolds() {
    for seed in UInt64(1)...20 {
      let complaints = World(seed: seed, setup: Setup(checks: .revision)).run().complaints
      #expect(
        !complaints.contains { $0.hasPrefix("own-") || $0.hasPrefix("it does not become quiet") },
        "seed \(seed): \(complaints)")
    }
  }

  /// The run that grew, and the same app as it is.
  @Test func theFirstVersionGrewAndThisOneDoesNot() throws {
    let grown = try #require(World.growth(of: .firstVersion).last)
    #expect(grown.bytes > 4_000_000)
    let linked = World.growth(of: .linked)
    #expect(linked.last?.writes == 1)
    #expect(linked.allSatisfy { $0.bytes < 7_000 })
    let unguarded = try #require(World.growth(of: .unguarded).last)
    #expect(unguarded.bytes < 7_000)
    #expect(unguarded.writes > 10)
  }
}
