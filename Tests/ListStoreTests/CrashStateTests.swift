// The power fails after each call of a write, and the file system leaves any of the states that it may (FolderImage.swift):
// each is laid out in real folders, and a program that starts after the boot takes them up.
//
// Two things cannot be protected, and are not asked for:
// - What another program saved without syncing its file: its bytes may be gone whatever we do. So the other program here
//   syncs its file, as every careful one does.
// - What another program saved without syncing the folder, as long as we have not synced it, either: if its name is gone,
//   the list is what it was before. Once our edit is acknowledged, its edit must be there.

import Platform
import ShoppingList
import Testing

@testable import ListStore

@Suite struct CrashStateTests {
  static let kinds: [WriteKind] = [
    .edit, .twoEdits, .creation, .creationByLink, .overlap, .overlapOnOurs, .twoOverlaps, .copies, .absorb,
    .leftOvers,
    .withoutExchange, .replaceAll, .restore,
  ]

  @Test(arguments: kinds) func whateverIsLeftIsTheOldListOrTheNew(kind: WriteKind) throws {
    let walk = try CrashWalk(kind)
    let complaints = try walk.complaints()
    #expect(complaints.isEmpty, "\(complaints.count) of \(walk.count) states: \(complaints.prefix(3))")
    #expect(walk.count > 10)
  }

  // MARK: The check itself

  /// Without the sync of the file, or of the folder, some state breaks the promise.
  @Test(arguments: [WriteKind.edit, .creation, .overlap, .overlapOnOurs, .copies], RecordedDisk.Pretence.allCases)
  func seesAMissingSync(kind: WriteKind, pretence: RecordedDisk.Pretence) throws {
    let walk = try CrashWalk(kind, pretence)
    #expect(try !walk.complaints(stoppingAt: 1).isEmpty, "\(walk.count) states, all well")
  }

  /// The image is what the system has.
  @Test(arguments: kinds) func theImageIsTrue(kind: WriteKind) throws {
    let walk = try CrashWalk(kind)
    #expect(try walk.difference() == [])
  }
}

/// All states after a failure of the power at any moment of one write.
private final class CrashWalk {
  private let scene: WriteScene
  private let disk: RecordedDisk
  private let folders: [String]
  /// How many states were looked at.
  private(set) var count = 0

  init(_ kind: WriteKind, _ pretence: RecordedDisk.Pretence? = nil) throws {
    scene = try WriteScene(kind)
    folders = [scene.house.folder.path, scene.house.state.path]
    disk = try RecordedDisk(folders: folders, pretence)
    scene.whenAcknowledged = { [disk] in disk.acknowledge() }
    let outcome = try scene.run(over: scene.world(over: disk.syscalls(over: WriteScene.quick)))
    #expect(outcome == nil)
  }

  /// A state, and what was done by then: the more, the more must be there.
  private struct Case: Hashable {
    let state: FolderImage.State
    let acknowledged: Int
    let saves: Int
  }

  func complaints(stoppingAt limit: Int = .max) throws -> [String] {
    var seen: Set<Case> = []
    var complaints: [String] = []
    // From the end: what must hold after the acknowledgement holds also before.
    for moment in disk.moments.reversed() {
      let (states, lockStates) = moment.image.statesAfterPowerFailure()
      // A lock is judged before anything else is looked at: so not each with each, but each once and more.
      let locks = Array(lockStates)
      let new = states.filter { state in
        !(moment.acknowledged...scene.acknowledged).contains {
          seen.contains(Case(state: state, acknowledged: $0, saves: moment.saves))
        }
      }
      seen.formUnion(new.map { Case(state: $0, acknowledged: moment.acknowledged, saves: moment.saves) })
      var work = new.enumerated().map { ($0.element, locks[$0.offset % locks.count]) }
      if let any = states.first, work.count < locks.count {
        work += locks.dropFirst(work.count).filter { seenLocks.insert($0).inserted }.map { (any, $0) }
      }
      for (state, lock) in work {
        count += 1
        try RecordedDisk.layOut([state, lock], of: moment.image, in: folders)
        try age()
        let least = moment.saves - (state.lacksForeign ? moment.image.pendingForeign : 0)
        let found = scene.complaints(
          afterPowerFailureWith: moment.acknowledged, saves: least...moment.saves, over: Self.afterBoot)
        if !found.isEmpty { complaints.append("after \(moment.call): \(found)") }
        if complaints.count >= limit { return complaints }
      }
    }
    return complaints
  }

  private var seenLocks: Set<FolderImage.State> = []

  /// What was there is older than the boot.
  private func age() throws {
    for name in try scene.house.names() where name.hasSuffix(".lock") || name.hasSuffix(".lock.tmp") {
      try scene.house.folder.age(name, bySeconds: 3600)
    }
  }

  /// Another run of the machine, which has just begun.
  private static let afterBoot: Syscalls = {
    var syscalls = WriteScene.quick
    syscalls.bootID = { "the next" }
    syscalls.uptime = { 30_000_000_000 }
    return syscalls
  }()

  /// Where the image is another than the folders.
  func difference() throws -> [String] {
    let image = disk.image
    var expected: [String: [UInt8]] = [:]
    for (entry, node) in image.current {
      if case .file(let file) = node { expected[entry.path] = image.bytes(of: file) }
    }
    var found: [String: [UInt8]] = [:]
    for house in [scene.house.folder, scene.house.state] {
      for path in try house.filePaths() { found[house.path(path)] = Array(try house.text(path).utf8) }
    }
    return Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }.sorted()
  }
}
