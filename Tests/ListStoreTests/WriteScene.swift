// One kind of write, from what lies there before to what may be found afterwards, whatever went wrong in the middle:
//
//     let scene = try WriteScene(.overlap)
//     let plan = FaultPlan(.dying, at: 17)
//     let outcome = scene.run(over: plan.syscalls(over: scene.world()))   // nil: acknowledged
//     #expect(scene.complaints(after: outcome) == [])
//
// What is looked for afterwards, each time by a copy of the program that has just been started:
// - A reader sees a list that was meant at some time: never an empty or a broken one.
// - The next write needs not wait for the lock, and takes in what was left. An acknowledged edit is in the list then; one
//   that failed with "Nothing was changed" is not; another program's edit is.
// - The write after that changes nothing. What is removed then does not come back.
// - Whatever other programs wrote is still there, byte for byte: as the list, beside it, in the history or the archive.
// - Nothing is left beside the list.

import Foundation
import Platform
import ShoppingList

@testable import ListStore

enum WriteKind: CaseIterable, Sendable {
  case edit, creation, creationByLink, replaceAll, restore, absorb, copies, leftOvers, overlap, twoOverlaps, sameBytes
  case withoutExchange, halfFile
  /// Like overlap, on a version that an edit of ours had made.
  case overlapOnOurs
  /// Two edits, one after the other: the first is acknowledged when the second begins.
  case twoEdits
}

final class WriteScene: @unchecked Sendable {  // used by one thread
  let kind: WriteKind
  let house: Household
  /// How many edits were acknowledged so far.
  private(set) var acknowledged = 0
  /// What happens when one was.
  var whenAcknowledged: () -> Void = {}
  /// How many times another program saved the list in the middle of the write.
  private(set) var saves = 0
  /// How many programs of ours were at work, of which each may have come to its end.
  private var interrupted = 0
  /// The program that writes the list in place, open while it does.
  private var writer: Int32 = -1
  private var undo = ""
  private var ours = ""

  /// All fsync calls of these tests would only wait for the disk.
  static let quick: Syscalls = {
    var syscalls = Syscalls.live
    syscalls.fsync = { _ in }
    return syscalls
  }()

  init(_ kind: WriteKind) throws {
    self.kind = kind
    switch kind {
    case .creation, .creationByLink: house = try Household(quick: true)
    case .absorb, .copies: house = try Household(list: Self.list1, quick: true)
    case .overlapOnOurs: house = try Household(list: list("Milk:0", "Eggs", "Rice"), quick: true)
    default: house = try Household(list: Self.base, quick: true)
    }
    switch kind {
    case .restore:
      undo = try house.store(over: Self.quick).set("Milk", "2").undo ?? ""
      ours = try house.folder.text()
    case .overlapOnOurs: try house.store(over: Self.quick).set("Milk", "1")
    case .absorb: try house.save(Self.copy, as: Self.namedCopy)
    case .copies: try house.save(Self.copy, as: ConflictCopyTests.copy)
    case .leftOvers: try leave()
    default: break
    }
  }

  deinit {
    if writer >= 0 { close(writer) }
  }

  // MARK: What lies there

  static let base = list("Milk:1", "Eggs", "Rice")
  /// Made from the base: Eggs are gone, Rice has an amount, Tea is new.
  static let theirs = list("Milk:1", "Rice:2", "Tea")
  /// Made from the base, too.
  static let theirsToo = list("Milk:1", "Eggs", "Rice", "Salt")
  static let list1 = list("Milk:1", "Eggs", "Rice", stamped: "2024-11-30T10:00:00.000Z")
  static let copy = list("Milk:2", "Eggs", "Rice", "Tea", stamped: "2024-11-30T11:00:00.000Z")
  static let namedCopy = "BananaList 2.json"

  /// What a crash in the middle of an overlap leaves, and of two writes before.
  private func leave() throws {
    try house.store(over: Self.quick).set("Milk", "2")
    let version = TemporaryName.Purpose.version(
      holds: LeftOverTests.id(try house.folder.text()), displaces: LeftOverTests.id(Self.base))
    try house.folder.write(Self.theirs, to: LeftOverTests.name(version))
    try house.folder.write(Self.base, to: LeftOverTests.name(version))
    try house.folder.write("{ \"ite", to: LeftOverTests.name(.unfinished))
  }

  // MARK: What others do

  /// The system, with what others do in the middle of the write, by the same calls.
  func world(over base: Syscalls = quick) -> Syscalls {
    var world = base
    switch kind {
    case .overlap, .overlapOnOurs, .twoOverlaps:
      world.exchange = { (folder, first, second) throws(Errno) in
        let texts = self.kind == .twoOverlaps ? [Self.theirs, Self.theirsToo] : [Self.theirs]
        if self.saves < texts.count { try self.save(texts[self.saves], by: base) }
        try base.exchange(folder, first, second)
      }
    case .halfFile:
      world.exchange = { (folder, first, second) throws(Errno) in
        if self.saves == 0 { self.writeHalf() }
        try base.exchange(folder, first, second)
      }
      house.time.whileSleeping = { [weak self] _ in self?.finish() }
    case .withoutExchange: world.exchange = { (_, _, _) throws(Errno) in throw .invalid }
    case .creationByLink: world.renameNoReplace = { (_, _, _, _) throws(Errno) in throw .invalid }
    default: break
    }
    return world
  }

  /// As a careful program does it that takes no lock: written beside the list, synced, renamed.
  private func save(_ text: String, by syscalls: Syscalls) throws(Errno) {
    let folder = try OwnedDescriptor(opening: house.folder.path, [.read, .directory], with: syscalls)
    let name = "\(Self.others)\(saves)"
    let file = try OwnedDescriptor(
      opening: name, in: folder.descriptor, [.write, .createNew], mode: 0o644, with: syscalls)
    try syscalls.writeFile(file.descriptor, Array(text.utf8))
    try syscalls.fsync(file.descriptor)
    try file.close()
    try syscalls.renameat(folder.descriptor, name, folder.descriptor, "BananaList.json")
    saves += 1
  }

  /// How the names of other programs' temporary files begin.
  static let others = "other-"

  private func writeHalf() {
    saves += 1
    writer = open(house.folder.listPath, O_WRONLY)
    ftruncate(writer, 0)
    _ = Self.theirs.utf8.withContiguousStorageIfAvailable { pwrite(writer, $0.baseAddress, 40, 0) }
  }

  /// The program that writes in place comes to its end, whatever has become of us.
  private func finish() {
    guard writer >= 0 else { return }
    _ = Self.theirs.utf8.withContiguousStorageIfAvailable { pwrite(writer, $0.baseAddress, $0.count, 0) }
    close(writer)
    writer = -1
  }

  // MARK: The write

  /// The pid of a process that has ended: who fails or dies here is gone when the next comes.
  private static let pid = Result { try deadPID() }

  /// - Returns: nil when all of it was acknowledged.
  func run(over syscalls: Syscalls) throws -> StoreError? {
    let pid = try Self.pid.get()
    var syscalls = syscalls
    syscalls.pid = { pid }
    interrupted += 1
    defer { finish() }
    do throws(StoreError) {
      for number in 0..<editCount {
        try edit(number, by: house.store(over: syscalls))
        acknowledged += 1
        whenAcknowledged()
      }
      return nil
    } catch {
      return error
    }
  }

  /// Another program of ours comes, and ends like the first.
  func recover(over syscalls: Syscalls) throws {
    let pid = try Self.pid.get()
    var syscalls = syscalls
    syscalls.pid = { pid }
    interrupted += 1
    do throws(StoreError) {
      try house.store(over: Self.waitingForTheKernel(syscalls)).tidy()
    } catch {
      // It may fail: what counts is what it leaves.
    }
  }

  private var editCount: Int { kind == .twoEdits ? 2 : 1 }

  private func edit(_ number: Int, by store: Store) throws(StoreError) {
    switch kind {
    case .twoEdits where number == 1, .copies: try store.remove("Eggs")
    case .edit, .overlap, .overlapOnOurs, .twoOverlaps, .withoutExchange, .halfFile, .twoEdits:
      try store.set("Milk", "2")
    case .creation, .creationByLink: try store.add("Tea")
    case .replaceAll: try store.replaceAll()
    case .restore: try store.goBack(to: undo)
    case .absorb: _ = try store.absorb(house.folder.path(Self.namedCopy))
    case .leftOvers: try store.set("Milk", "3")
    case .sameBytes: try store.tidy()
    }
  }

  // MARK: What may be found

  private static let plain = ["Eggs", "Milk:1", "Rice"]

  /// What a reader may see at any time: briefs, each sorted.
  private func visible(_ saves: Int, _ acknowledged: Int) -> [[String]] {
    let (without, with) = (without(saves, acknowledged), with(saves, acknowledged))
    let edited = ["Eggs", "Milk:2", "Rice"]
    switch kind {
    case .overlap, .overlapOnOurs, .halfFile:
      return without + with + [Self.plain, ["Milk:1", "Rice:2", "Tea"], edited]
    case .twoOverlaps:
      return without + with + [
        Self.plain, ["Milk:1", "Rice:2", "Tea"], ["Eggs", "Milk:1", "Rice", "Salt"], edited,
        ["Milk:2", "Rice:2", "Tea"],
      ]
    // Where what was left cannot be read, it is taken in by the next write.
    case .leftOvers: return without + with + [edited, ["Eggs", "Milk:3", "Rice"]]
    case .twoEdits: return [Self.plain, edited] + with
    default: return without + with
    }
  }

  /// What the list is once it is cleared up, if the edit did not happen. `saves` says which others did.
  private func without(_ saves: Int, _ acknowledged: Int) -> [[String]] {
    switch kind {
    case .creation, .creationByLink: return [[]]
    case .restore: return [["Eggs", "Milk:2", "Rice"]]
    case .copies: return [["Eggs", "Milk:2", "Rice", "Tea"]]
    case .leftOvers: return [["Milk:2", "Rice:2", "Tea"]]
    case .overlap, .overlapOnOurs, .halfFile: return [saves == 0 ? Self.plain : ["Milk:1", "Rice:2", "Tea"]]
    // The second save was made without the first, and undoes it, as far as no edit of ours had taken it in.
    case .twoOverlaps:
      return [
        [Self.plain], [["Milk:1", "Rice:2", "Tea"]],
        [["Eggs", "Milk:1", "Rice", "Salt"], ["Milk:1", "Rice:2", "Salt", "Tea"]],
      ][saves]
    case .twoEdits: return [acknowledged == 0 ? Self.plain : ["Eggs", "Milk:2", "Rice"]]
    default: return [Self.plain]
    }
  }

  /// The same if it did.
  private func with(_ saves: Int, _ acknowledged: Int) -> [[String]] {
    switch kind {
    case .creation, .creationByLink: return [["Tea"]]
    case .replaceAll: return [["Jam", "Milk:2", "Rice"]]
    case .restore, .sameBytes: return [Self.plain]
    case .absorb: return [["Eggs", "Milk:2", "Rice", "Tea"]]
    case .copies: return [["Milk:2", "Rice", "Tea"]]
    // The second: a base that cannot be read is as none, and a row too many is better than one that is lost.
    case .leftOvers: return [["Milk:3", "Rice:2", "Tea"], ["Eggs", "Milk:3", "Rice:2", "Tea"]]
    case .overlap, .overlapOnOurs, .halfFile:
      return [saves == 0 ? ["Eggs", "Milk:2", "Rice"] : ["Milk:2", "Rice:2", "Tea"]]
    case .twoOverlaps:
      return [[["Eggs", "Milk:2", "Rice"], ["Milk:2", "Rice:2", "Tea"], ["Milk:2", "Rice:2", "Salt", "Tea"]][saves]]
    case .twoEdits:
      return acknowledged == 2 ? [["Milk:2", "Rice"]] : [["Eggs", "Milk:2", "Rice"], ["Milk:2", "Rice"]]
    case .edit, .withoutExchange: return [["Eggs", "Milk:2", "Rice"]]
    }
  }

  /// What others wrote.
  private func precious(_ saves: Int) -> [String] {
    switch kind {
    case .creation, .creationByLink: return []
    case .restore: return [Self.base, ours]
    case .absorb, .copies: return [Self.list1, Self.copy]
    case .leftOvers: return [Self.base, Self.theirs]
    case .overlap, .halfFile: return [saves == 0 ? Self.base : Self.theirs]
    case .overlapOnOurs: return saves == 0 ? [] : [Self.theirs]
    case .twoOverlaps: return [[Self.base], [Self.theirs], [Self.theirs, Self.theirsToo]][saves]
    case .edit, .replaceAll, .sameBytes, .withoutExchange, .twoEdits: return [Self.base]
    }
  }

  // MARK: What is found

  /// What is wrong; nothing, if all is well.
  ///
  /// - Parameters:
  ///   - outcome: what the write said; nil: it was acknowledged.
  ///   - syscalls: the system afterwards.
  ///   - isThorough: whether to look also if what is removed comes back.
  func complaints(
    after outcome: StoreError?, over syscalls: Syscalls = quick, isThorough: Bool = true
  ) -> [String] {
    let (without, with) = (without(saves, acknowledged), with(saves, acknowledged))
    let expected =
      switch outcome?.kind {
      case nil: with
      case .uncertain, .unsettled: without + with
      default: without
      }
    return told {
      try complaints(
        Expectation(visible: visible(saves, acknowledged), list: expected, precious: precious(saves)),
        over: Self.waitingForTheKernel(syscalls), isThorough)
    }
  }

  /// What is wrong after the power failed.
  ///
  /// - Parameters:
  ///   - acknowledged: how many edits were acknowledged by then.
  ///   - saves: how many saves of others must be there, and may be.
  func complaints(
    afterPowerFailureWith acknowledged: Int, saves: ClosedRange<Int>, over syscalls: Syscalls
  ) -> [String] {
    let with = saves.flatMap { self.with($0, acknowledged) }
    let without = saves.flatMap { self.without($0, acknowledged) }
    return told {
      try complaints(
        Expectation(
          visible: saves.flatMap { visible($0, acknowledged) },
          list: acknowledged == editCount ? with : without + with,
          precious: saves.lowerBound == saves.upperBound ? precious(saves.upperBound) : [],
          mayBeUntold: true),
        over: Self.waitingForTheKernel(syscalls), true)
    }
  }

  private struct Expectation {
    let visible: [[String]]
    let list: [[String]]
    let precious: [String]
    /// Whether the history may have lost that the list is ours: its last entry is not synced.
    var mayBeUntold = false
  }

  private func told(_ complaints: () throws -> [String]) -> [String] {
    do {
      return try complaints()
    } catch let error as StoreError {
      return ["afterwards \(error.message)"]
    } catch {
      return ["afterwards \(error)"]
    }
  }

  private func complaints(
    _ expected: Expectation, over syscalls: Syscalls, _ isThorough: Bool
  ) throws -> [String] {
    var complaints: [String] = []
    func check(_ isWell: Bool, _ what: @autoclosure () throws -> String) rethrows {
      if !isWell { complaints.append(try what()) }
    }
    let start = house.time.elapsed
    let seen = try house.store(over: syscalls).read().document.brief.sorted()
    check(expected.visible.contains(seen), "a reader sees \(seen)")

    try house.store(over: syscalls).tidy()
    let found = try house.fileBrief()
    check(expected.list.contains(found), "the list is \(found), not \(expected.list)")
    let text = house.folder.exists("BananaList.json") ? try house.folder.text() : nil
    let again = try house.store(over: syscalls).tidy()
    check(!again.changed, "it is changed again")
    check(
      again.snapshot.notices.allSatisfy { $0.isHarmless || expected.mayBeUntold && $0.isOfDroppedEdits },
      "the next write says \(again.snapshot.notices)")
    try check(
      text == (house.folder.exists("BananaList.json") ? house.folder.text() : nil), "it is another after the next write"
    )
    // No lock lasts so long; a list that the history knows is waited for (twice by the reader, the writers).
    check(house.time.elapsed - start <= (text == nil ? 5_000_000_000 : 2_500_000_000), "it took too long")

    let texts = try house.allTexts()
    for text in expected.precious where !texts.contains(text) { complaints.append("lost: \(text)") }
    if kind == .absorb, found == Self.plain {
      check(house.folder.exists(Self.namedCopy), "the file to absorb is neither there nor in the list")
    }
    let litter = try house.names().filter {
      $0 != "BananaList.json" && $0 != Self.namedCopy && !$0.hasPrefix(Self.others)
    }
    // A lock on its way to its name is removed a minute later: this machine's or another's, nobody can tell.
    check(litter.allSatisfy { $0.hasSuffix(".lock.tmp") } && litter.count <= interrupted, "left: \(litter)")

    guard isThorough, let victim = ["Tea", "Milk:2", "Milk:1"].first(where: found.contains) else { return complaints }
    try house.store(over: syscalls).remove(String(victim.prefix { $0 != ":" }))
    try house.store(over: syscalls).tidy()
    let left = try house.fileBrief()
    check(left == found.filter { $0 != victim }, "\(victim) removed from \(found), there is \(left)")
    return complaints
  }

  /// A kernel's lock that its owner could only close, not unlock, lives on for a moment in each process that another test
  /// is starting just then. That is no wait of the program's: it is waited for here, in real time.
  private static func waitingForTheKernel(_ base: Syscalls) -> Syscalls {
    var syscalls = base
    syscalls.flock = { (descriptor, operation) throws(Errno) in
      for _ in 0..<2000 {
        do throws(Errno) {
          return try base.flock(descriptor, operation)
        } catch Errno.wouldBlock {
          _ = Syscalls.live.sleep(1_000_000)
        }
      }
      throw .wouldBlock
    }
    return syscalls
  }
}

extension Household {
  /// What the file says, sorted; nothing where there is none.
  fileprivate func fileBrief() throws -> [String] {
    folder.exists("BananaList.json") ? try document().brief.sorted() : []
  }

  /// What all files hold, beside the list and in the history and the archive.
  fileprivate func allTexts() throws -> Set<String> {
    try Set(names().map { try folder.text($0) } + keptTexts())
  }
}

extension Notice {
  /// Whether it says of a file of a person's own that it is there, and no more.
  fileprivate var isHarmless: Bool {
    if case .possibleCopies = self { true } else { false }
  }

  fileprivate var isOfDroppedEdits: Bool {
    if case .dropped = self { true } else { false }
  }
}

extension Store {
  fileprivate func goBack(to id: String) throws(StoreError) {
    let version = try version(id)
    _ = try write(mustBeUndoable: true) { document, context in
      _ = document.restore(version.document, in: context)
    }
  }

  fileprivate func replaceAll() throws(StoreError) {
    _ = try write(mustBeUndoable: true) { document, context in
      _ = document.replace(
        with: [
          ReplacementRow(id: "milk", changes: ItemChanges(amount: "2")),
          ReplacementRow(id: "rice", changes: ItemChanges()), ReplacementRow(changes: ItemChanges(name: "Jam")),
        ], sections: nil, in: context)
    }
  }
}
