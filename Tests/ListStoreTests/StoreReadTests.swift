import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

/// Reading: what is taken as a list, what as none, and what is an error that says what to do.
@Suite struct StoreReadTests {
  let time = VirtualTime()

  private func store(_ path: String, createsFolder: Bool = false, _ syscalls: Syscalls? = nil) -> Store {
    Store(path: path, syscalls: syscalls ?? time.syscalls(), createsFolder: createsFolder)
  }

  private func error(_ path: String, _ syscalls: Syscalls? = nil) -> StoreError? {
    #expect(throws: StoreError.self) { try store(path, syscalls).read() }
  }

  @Test func readsTheList() throws {
    let folder = try TestFolder(list: listText("Milk", "Bread"))
    let snapshot = try store(folder.listPath).read()
    #expect(snapshot.document.items.map(\.name) == ["Milk", "Bread"])
    #expect(snapshot.bytes == Array(listText("Milk", "Bread").utf8))
    #expect(snapshot.revision == snapshot.document.revision)
    #expect(snapshot.notices == [])
    #expect(try folder.names() == ["BananaList.json"])
    #expect(time.naps == 0)
  }

  @Test func readsWhileOthersHoldTheLocks() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let other = try folder.open()
    try Syscalls.live.flock(other.descriptor, .exclusiveWithoutWaiting)
    try folder.write("1\n", to: "BananaList.json.lock")
    #expect(try store(folder.listPath).names() == ["Milk"])
    #expect(time.naps == 0)
    try other.close()
  }

  @Test func aMissingFileIsANewList() throws {
    let folder = try TestFolder()
    let snapshot = try store(folder.listPath).read()
    #expect(snapshot.document.items.isEmpty)
    #expect(snapshot.bytes == nil)
    #expect(try folder.names() == [])
    #expect(time.naps == 0)
  }

  @Test func aMissingStandardFolderIsANewListToo() throws {
    let folder = try TestFolder()
    let snapshot = try store(folder.path("a/b/BananaList.json"), createsFolder: true).read()
    #expect(snapshot.bytes == nil)
    #expect(try folder.names() == [])
  }

  @Test func followsASymbolicLink() throws {
    let folder = try TestFolder(list: listText("Milk"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: "BananaList.json")
    #expect(try store(folder.path("link.json")).names() == ["Milk"])
  }

  // MARK: What passes

  /// Somebody writes in place: the first half is there, then the whole.
  @Test(arguments: ["", "{ \"items\": [ { \"na", "\u{0}\u{0}\u{0}"])
  func waitsForTheOtherHalf(half: String) throws {
    let folder = try TestFolder(list: half)
    time.whileSleeping = { nap in
      if nap == 3 { try? folder.write(listText("Milk"), to: "BananaList.json") }
    }
    #expect(try store(folder.listPath).names() == ["Milk"])
    #expect(time.naps == 3)
  }

  /// Somebody removes the list and makes it anew.
  @Test func aListThatWasThereIsLookedForAgain() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let store = store(folder.listPath)
    #expect(try store.names() == ["Milk"])
    try FileManager.default.removeItem(atPath: folder.listPath)
    time.whileSleeping = { nap in
      if nap == 2 { try? folder.write(listText("Milk", "Bread"), to: "BananaList.json") }
    }
    #expect(try store.names() == ["Milk", "Bread"])
    #expect(time.naps == 2)
    // Gone for good: believed after a while, and from then on at once.
    time.whileSleeping = nil
    try FileManager.default.removeItem(atPath: folder.listPath)
    #expect(try store.read().bytes == nil)
    let naps = time.naps
    #expect(naps > 5)
    #expect(try store.read().bytes == nil)
    #expect(time.naps == naps)
  }

  @Test func theStopEndsTheWait() throws {
    let folder = try TestFolder(list: "{")
    time.napsBeforeStop = 1
    #expect(error(folder.listPath)?.kind == .stopped)
  }

  // MARK: What does not

  @Test(arguments: ["", "  \n", "{ \"items\": [", "{} {}"])
  func brokenBytesAreAnErrorAfterAWhile(text: String) throws {
    let folder = try TestFolder(list: text)
    guard case .invalid(let reason) = error(folder.listPath)?.kind else {
      Issue.record("no error")
      return
    }
    #expect(!reason.message.isEmpty)
    #expect(time.elapsed >= 200_000_000 && time.elapsed <= 240_000_000)
    #expect(try folder.text() == text)
  }

  @Test(arguments: ["[]", "{\"schemaVersion\": 2, \"items\": []}", "{\"editor.fontSize\": 12}"])
  func anotherFileIsAnErrorAtOnce(text: String) throws {
    let folder = try TestFolder(list: text)
    guard case .invalid = error(folder.listPath)?.kind else {
      Issue.record("no error")
      return
    }
    #expect(time.naps == 0)
  }

  @Test func theMessageNamesFileAndPlace() throws {
    let folder = try TestFolder(list: "{\n  \"items\": [,]\n}")
    let message = try #require(error(folder.listPath)?.message)
    #expect(message.hasPrefix("\(folder.listPath) is not valid JSON: line 2, column 13"))
    #expect(message.contains(" Nothing was changed. "))
  }

  @Test func aFileThatIsNotDownloadedIsNotANewList() throws {
    let folder = try TestFolder()
    try folder.write("placeholder", to: ".BananaList.json.icloud")
    #expect(error(folder.listPath)?.kind == .notDownloaded)
    try folder.write(listText("Milk"), to: "BananaList.json")
    #expect(try store(folder.listPath).names() == ["Milk"])
    var syscalls = time.syscalls()
    syscalls.read = { (_, _) throws(Errno) in throw .wouldDeadlock }
    #expect(error(folder.listPath, syscalls)?.kind == .notDownloaded)
  }

  @Test(arguments: [FileStatus.Kind.directory, .fifo, .socket, .device])
  func onlyAFileIsAList(kind: FileStatus.Kind) throws {
    let folder = try TestFolder()
    var path = folder.listPath
    switch kind {
    case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .fifo: #expect(mkfifo(path, 0o600) == 0)
    case .socket: try makeSocket(path)
    default: path = "/dev/null"
    }
    #expect(error(path)?.kind == .notAFile(kind))
    #expect(time.naps == 0)
  }

  @Test(arguments: ["/", "//", "/tmp", "/tmp/.", "/tmp/.."]) func aFolderIsNoList(path: String) {
    #expect(error(path)?.kind == .notAFile(.directory))
  }

  @Test func refusesAFileThatIsTooLarge() throws {
    let folder = try TestFolder(list: "")
    // A file with a hole: it is long, and takes no room.
    try #require(truncate(folder.listPath, off_t(ListFolder.maximumSize) + 1) == 0)
    #expect(error(folder.listPath)?.kind == .tooLarge)
    // One that grows while it is read.
    var syscalls = time.syscalls()
    syscalls.fstat = { (descriptor) throws(Errno) in
      var status = try Syscalls.live.fstat(descriptor)
      status.size = min(status.size, 10)
      return status
    }
    #expect(error(folder.listPath, syscalls)?.kind == .tooLarge)
  }

  @Test func namesAMissingFolder() throws {
    let folder = try TestFolder()
    let path = folder.path("nowhere/BananaList.json")
    #expect(error(path)?.kind == .missingFolder)
    #expect(error(path)?.message.hasPrefix("\(path) cannot be used: its folder does not exist") == true)
    #expect(throws: StoreError.self) { try store(path).add("Milk") }
    #expect(try folder.names() == [])
  }

  @Test func namesADanglingLink() throws {
    let folder = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.listPath, withDestinationPath: "nowhere.json")
    #expect(error(folder.listPath)?.kind == .danglingLink)
    #expect(throws: StoreError.self) { try store(folder.listPath).add("Milk") }
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func namesALinkToItself() throws {
    let folder = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.listPath, withDestinationPath: "BananaList.json")
    #expect(error(folder.listPath)?.kind == .failed(.find))
    #expect(error(folder.listPath)?.errno == .symbolicLinkLoop)
  }

  @Test func namesAFileAmongTheFolders() throws {
    let folder = try TestFolder(list: listText())
    #expect(error(folder.listPath + "/BananaList.json")?.errno == .notDirectory)
  }

  @Test(arguments: [Errno.accessDenied, .inputOutput, .tooManyOpenFiles])
  func namesWhatTheSystemSays(errno: Errno) throws {
    let folder = try TestFolder(list: listText("Milk"))
    var syscalls = time.syscalls()
    syscalls.openat = { (_, _, _, _) throws(Errno) in throw errno }
    let found = error(folder.listPath, syscalls)
    #expect(found?.kind == .failed(.read))
    #expect(
      found?.message.hasPrefix(
        "\(folder.listPath) could not be read: \(errno.message) (\(errno.name)). Nothing was changed. ")
        == true)
    #expect(time.naps == 0)
  }

  /// Any call of a read can fail: an error then, never an empty list.
  @Test(arguments: [FaultPlan.Fault.failing(.inputOutput), .dying, .short])
  func noFaultLooksLikeAnEmptyList(fault: FaultPlan.Fault) throws {
    let folder = try TestFolder(list: listText("Milk"))
    for number in 0..<1000 {
      let plan = FaultPlan(fault, at: number)
      do throws(StoreError) {
        #expect(try store(folder.listPath, plan.syscalls(over: time.syscalls())).names() == ["Milk"])
      } catch {
        #expect(error.errno == .inputOutput, "call \(number)")
      }
      if !plan.wasReached { return }
    }
    Issue.record("the read never ended")
  }

  private func makeSocket(_ path: String) throws {
    // A socket's path is short: it is made under its name in the working folder's stead.
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    #if canImport(Darwin)
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    defer { close(descriptor) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }
}
