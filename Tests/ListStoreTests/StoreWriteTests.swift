import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

/// Writing: what is on the disk afterwards, and what is not.
@Suite struct StoreWriteTests {
  let time = VirtualTime()

  private func store(_ path: String, createsFolder: Bool = false, _ syscalls: Syscalls? = nil) -> Store {
    Store(path: path, syscalls: syscalls ?? time.syscalls(), createsFolder: createsFolder)
  }

  private func addError(_ path: String, _ syscalls: Syscalls? = nil) -> StoreError? {
    #expect(throws: StoreError.self) { try store(path, syscalls).add("Bread") }
  }

  // MARK: The list

  @Test func writesAnEdit() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let store = store(folder.listPath)
    let written = try store.write { document, context in
      document.add([Addition(name: "Bread")], in: context).count
    }
    #expect(written.answer == 1)
    #expect(written.changed)
    #expect(written.undo == nil)
    #expect(written.snapshot.document.items.map(\.name) == ["Milk", "Bread"])
    #expect(written.snapshot.bytes == Array(try folder.text().utf8))
    #expect(try store.read().revision == written.snapshot.revision)
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func givesEachNewRowAnIDOfItsOwnAndTheTime() throws {
    let folder = try TestFolder()
    let written = try store(folder.listPath).write { document, context in
      _ = document.add([Addition(name: "Milk"), Addition(name: "Bread")], in: context)
      return context.now
    }
    let items = written.snapshot.document.items
    #expect(Set(items.map(\.id)).count == 2)
    #expect(items.allSatisfy { UUID(uuidString: $0.id) != nil })
    #expect(abs(written.answer.milliseconds - Syscalls.live.now()) < 60_000)
  }

  @Test func anEditThatChangesNothingWritesNothing() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let directory = try folder.open()
    let before = try Syscalls.live.fstatat(directory.descriptor, "BananaList.json")
    let plan = FaultPlan()
    let written = try store(folder.listPath, plan.syscalls(over: time.syscalls())).write { _, _ in 7 }
    #expect(written.answer == 7)
    #expect(!written.changed)
    #expect(try Syscalls.live.fstatat(directory.descriptor, "BananaList.json") == before)
    #expect(!plan.calls.contains("fsync"))
  }

  @Test func anEditThatChangesNothingMakesNoFile() throws {
    let folder = try TestFolder()
    let written = try store(folder.listPath).write { _, _ in }
    #expect(!written.changed)
    #expect(written.snapshot.bytes == nil)
    #expect(try folder.names() == [])
  }

  @Test func makesANewList() throws {
    let folder = try TestFolder()
    let written = try store(folder.listPath).add("Milk")
    #expect(written.changed)
    #expect(try store(folder.listPath).names() == ["Milk"])
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func makesTheStandardFolder() throws {
    let folder = try TestFolder()
    let path = folder.path("a/b/BananaList.json")
    try store(path, createsFolder: true).add("Milk")
    #expect(try store(path).names() == ["Milk"])
    #expect(try folder.mode("a") == 0o700)
    #expect(try folder.mode("a/b") == 0o700)
  }

  // MARK: The file

  @Test func aSymbolicLinkStaysALink() throws {
    let folder = try TestFolder()
    let target = try TestFolder(list: listText("Milk"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.listPath, withDestinationPath: target.listPath)
    var lockSeen = false
    _ = try store(folder.listPath).write { document, context in
      lockSeen = target.exists("BananaList.json.lock")
      _ = document.add([Addition(name: "Bread")], in: context)
    }
    #expect(lockSeen, "the lock lies beside the link's target")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.listPath) == target.listPath)
    #expect(try store(target.listPath).names() == ["Milk", "Bread"])
    #expect(try folder.names() == ["BananaList.json"])
    #expect(try target.names() == ["BananaList.json"])
  }

  @Test(arguments: [UInt32(0o600), 0o640, 0o664, 0o606, 0o755]) func keepsTheMode(mode: UInt32) throws {
    let folder = try TestFolder(list: listText("Milk"))
    try folder.setMode(mode, of: "BananaList.json")
    try store(folder.listPath).add("Bread")
    #expect(try folder.mode() == mode)
  }

  /// What is being written is nobody else's business before it has the list's mode.
  @Test func theTemporaryFileIsPrivateAtFirst() throws {
    let folder = try TestFolder(list: listText("Milk"))
    try folder.setMode(0o640, of: "BananaList.json")
    let modes = Box<[UInt32]>([])
    var syscalls = time.syscalls()
    syscalls.openat = { (folder, name, flags, mode) throws(Errno) in
      let file = try Syscalls.live.openat(folder, name, flags, mode)
      if name.hasSuffix(".unfinished.tmp") { modes.value.append(try Syscalls.live.fstat(file).mode) }
      return file
    }
    try store(folder.listPath, syscalls).add("Bread")
    #expect(modes.value == [0o600])
  }

  @Test func aModeThatCannotBeKeptIsAnError() throws {
    let folder = try TestFolder(list: listText("Milk"))
    try folder.setMode(0o640, of: "BananaList.json")
    var syscalls = time.syscalls()
    syscalls.fchmod = { (_, _) throws(Errno) in throw .notPermitted }
    #expect(addError(folder.listPath, syscalls)?.kind == .failed(.save))
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func keepsTheOwnerAndOtherwiseTheGroup() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let asked = Box<[[UInt32]]>([])
    var syscalls = time.syscalls()
    syscalls.fchown = { (_, owner, group) throws(Errno) in
      asked.value.append([owner, group])
      if asked.value.count == 1 { throw .notPermitted }
    }
    syscalls.fstat = { (descriptor) throws(Errno) in
      // The list that is read is another's; the files that are made are ours.
      var status = try Syscalls.live.fstat(descriptor)
      if status.kind == .file && status.size == Int64(listText("Milk").utf8.count) {
        status.owner = 4711
        status.group = 4712
      }
      return status
    }
    try store(folder.listPath, syscalls).add("Bread")
    #expect(asked.value == [[4711, 4712], [.max, 4712]])
  }

  @Test(arguments: [UInt32(0o444), 0o400, 0o555]) func aReadOnlyListIsNotWritten(mode: UInt32) throws {
    let folder = try TestFolder(list: listText("Milk"))
    try folder.setMode(mode, of: "BananaList.json")
    let error = addError(folder.listPath)
    #expect(error?.kind == .readOnly)
    #expect(try folder.text() == listText("Milk"))
    #expect(try folder.mode() == mode)
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test(arguments: [Errno.accessDenied, .readOnlyFileSystem, .notPermitted])
  func aListThatTheSystemProtectsIsNotWritten(errno: Errno) throws {
    let folder = try TestFolder(list: listText("Milk"))
    var syscalls = time.syscalls()
    syscalls.mayWrite = { (_, _) throws(Errno) in throw errno }
    let error = addError(folder.listPath, syscalls)
    #expect(error?.kind == .readOnly)
    #expect(error?.errno == errno)
  }

  @Test func refusesAResultThatIsTooLarge() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let size = listText("Milk").utf8.count
    let error = #expect(throws: StoreError.self) {
      try Store(path: folder.listPath, syscalls: time.syscalls(), maximumSize: size).add("Bread")
    }
    #expect(error?.kind == .wouldBeTooLarge)
    #expect(try folder.text() == listText("Milk"))
    #expect(try folder.names() == ["BananaList.json"])
  }

  // MARK: Durability

  @Test func syncsTheFileThenExchangesThenSyncsTheFolder() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let plan = FaultPlan()
    try store(folder.listPath, plan.syscalls(over: time.syscalls())).add("Bread")
    let calls = plan.calls.filter { ["write", "fsync", "renameat", "exchange"].contains($0) }
    // The lock is written first; the renaming gives the temporary file its last name.
    #expect(calls == ["write", "write", "fsync", "renameat", "exchange", "fsync"])
  }

  @Test func aFailedSyncIsFinal() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let syncs = Box(0)
    var syscalls = time.syscalls()
    syscalls.fsync = { (_) throws(Errno) in
      syncs.value += 1
      throw .inputOutput
    }
    let error = addError(folder.listPath, syscalls)
    #expect(error?.kind == .failed(.save))
    #expect(syncs.value == 1)
    #expect(try folder.text() == listText("Milk"))
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test(arguments: [Errno.invalid, .notSupported]) func aFolderThatCannotBeSyncedIsTolerated(errno: Errno)
    throws
  {
    let folder = try TestFolder(list: listText("Milk"))
    var syscalls = time.syscalls()
    syscalls.fsync = { (descriptor) throws(Errno) in
      guard try Syscalls.live.fstat(descriptor).kind == .file else { throw errno }
    }
    try store(folder.listPath, syscalls).add("Bread")
    #expect(try store(folder.listPath).names() == ["Milk", "Bread"])
  }

  @Test func aFolderWhoseSyncFailsLeavesItOpen() throws {
    let folder = try TestFolder(list: listText("Milk"))
    var syscalls = time.syscalls()
    syscalls.fsync = { (descriptor) throws(Errno) in
      guard try Syscalls.live.fstat(descriptor).kind == .file else { throw .inputOutput }
    }
    let error = addError(folder.listPath, syscalls)
    #expect(error?.kind == .uncertain)
    #expect(error?.message.contains("The edit may have taken effect.") == true)
    #expect(error?.message.contains("Nothing was changed") == false)
    #expect(try store(folder.listPath).names() == ["Milk", "Bread"])
  }

  /// A network file system renames, and loses the answer.
  @Test(arguments: [true, false], [true, false])
  func knowsThatTheRenamingWasDone(isNew: Bool, hasExchange: Bool) throws {
    let folder = try TestFolder(list: isNew ? nil : listText("Milk"))
    var syscalls = time.syscalls()
    syscalls.exchange = { (folder, first, second) throws(Errno) in
      guard hasExchange else { throw .invalid }
      try Syscalls.live.exchange(folder, first, second)
      throw .inputOutput
    }
    syscalls.renameat = { (folder, name, newFolder, newName) throws(Errno) in
      try Syscalls.live.renameat(folder, name, newFolder, newName)
      if newName == "BananaList.json" { throw .noEntry }
    }
    syscalls.renameNoReplace = { (folder, name, newFolder, newName) throws(Errno) in
      try Syscalls.live.renameNoReplace(folder, name, newFolder, newName)
      throw .noEntry
    }
    try store(folder.listPath, syscalls).add("Bread")
    #expect(try store(folder.listPath).names().contains("Bread"))
    #expect(try folder.names() == ["BananaList.json"])
  }

  // MARK: Others

  /// Somebody saves between our reading and our last look: the edit is made again, on theirs.
  @Test func editsAgainWhatAnotherSavedMeanwhile() throws {
    let folder = try TestFolder(list: listText("Milk"))
    var runs = 0
    let written = try store(folder.listPath).write { document, context in
      runs += 1
      if runs == 1 { try? folder.write(listText("Milk", "Eggs"), to: "BananaList.json") }
      _ = document.add([Addition(name: "Bread")], in: context)
      return document.items.count
    }
    #expect(runs == 2)
    #expect(written.answer == 3)
    #expect(try store(folder.listPath).names() == ["Milk", "Eggs", "Bread"])
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func givesUpWhenAnotherSavesAgainAndAgain() throws {
    let folder = try TestFolder(list: listText("Milk"))
    var runs = 0
    let error = #expect(throws: StoreError.self) {
      try store(folder.listPath).write { document, context in
        runs += 1
        try? folder.write(listText("Milk \(runs)"), to: "BananaList.json")
        _ = document.add([Addition(name: "Bread")], in: context)
      }
    }
    #expect(error?.kind == .keepsChanging)
    #expect(runs > 10)
    #expect(time.elapsed >= 2_000_000_000 && time.elapsed < 2_100_000_000)
    #expect(try folder.text() == listText("Milk \(runs)"))
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// A new list is made only where there is still none, with or without the call that says so.
  @Test(arguments: [true, false]) func neverReplacesAListThatHasAppeared(hasNoReplace: Bool) throws {
    let folder = try TestFolder()
    var syscalls = time.syscalls()
    let appeared = Box(false)
    let appear: @Sendable () -> Void = {
      guard !appeared.value else { return }
      appeared.value = true
      try? folder.write(listText("Eggs"), to: "BananaList.json")
    }
    syscalls.renameNoReplace = { (folder, name, newFolder, newName) throws(Errno) in
      appear()
      guard hasNoReplace else { throw .invalid }
      try Syscalls.live.renameNoReplace(folder, name, newFolder, newName)
    }
    try store(folder.listPath, syscalls).add("Bread")
    #expect(try store(folder.listPath).names() == ["Eggs", "Bread"])
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func makesANewListByALink() throws {
    let folder = try TestFolder()
    var syscalls = time.syscalls()
    syscalls.renameNoReplace = { (_, _, _, _) throws(Errno) in throw .notImplemented }
    try store(folder.listPath, syscalls).add("Bread")
    #expect(try store(folder.listPath).names() == ["Bread"])
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// It was there when the edit began: whatever became of it, it is not an empty list now.
  @Test func aListThatVanishesIsNeverTakenForEmpty() throws {
    let folder = try TestFolder(list: listText("Milk"))
    var runs = 0
    let error = #expect(throws: StoreError.self) {
      try store(folder.listPath).write { document, context in
        runs += 1
        try? FileManager.default.removeItem(atPath: folder.listPath)
        _ = document.add([Addition(name: "Bread")], in: context)
      }
    }
    #expect(error?.kind == .vanished)
    #expect(runs == 1)
    #expect(try folder.names() == [])
  }

  @Test func aListThatComesBackIsEdited() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let store = store(folder.listPath)
    _ = try store.read()
    try FileManager.default.removeItem(atPath: folder.listPath)
    time.whileSleeping = { nap in
      if nap == 20 { try? folder.write(listText("Milk", "Eggs"), to: "BananaList.json") }
    }
    try store.add("Bread")
    #expect(try store.names() == ["Milk", "Eggs", "Bread"])
  }

  @Test func brokenBytesAreWaitedForUnderTheLock() throws {
    let folder = try TestFolder(list: "{ \"items\": [")
    let error = addError(folder.listPath)
    guard case .invalid = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(time.elapsed >= 2_000_000_000 && time.elapsed < 2_100_000_000)
    #expect(try folder.text() == "{ \"items\": [")
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// An older server, to which our lock looked stale, has taken it over.
  @Test func writesNothingWhenTheLockIsNotItsOwnAnyMore() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let error = #expect(throws: StoreError.self) {
      try store(folder.listPath).write { document, context in
        try? folder.write("1\n", to: "BananaList.json.lock")
        _ = document.add([Addition(name: "Bread")], in: context)
      }
    }
    guard case .locked(let holder) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(holder?.pid == 1)
    #expect(try folder.text() == listText("Milk"))
    #expect(try folder.names() == ["BananaList.json", "BananaList.json.lock"])
  }

  /// The path leads to another file when the lock is won.
  @Test func looksAgainWhereThePathLeadsUnderTheLock() throws {
    let folder = try TestFolder()
    let (first, second) = (try TestFolder(list: listText("Milk")), try TestFolder(list: listText("Eggs")))
    let point = { (target: TestFolder) in
      try? FileManager.default.removeItem(atPath: folder.listPath)
      try? FileManager.default.createSymbolicLink(
        atPath: folder.listPath, withDestinationPath: target.listPath)
    }
    point(first)
    try first.write("1\n", to: "BananaList.json.lock")
    time.whileSleeping = { nap in
      guard nap == 3 else { return }
      point(second)
      try? FileManager.default.removeItem(atPath: first.lockPath)
    }
    try store(folder.listPath).add("Bread")
    #expect(try store(first.listPath).names() == ["Milk"])
    #expect(try store(second.listPath).names() == ["Eggs", "Bread"])
  }

  @Test func theStopEndsTheWaitForTheLock() throws {
    let folder = try TestFolder(list: listText("Milk"))
    try folder.write("1\n", to: "BananaList.json.lock")
    time.napsBeforeStop = 3
    let error = addError(folder.listPath)
    #expect(error?.kind == .stopped)
    #expect(error?.message.contains("Nothing was changed.") == true)
  }
}
