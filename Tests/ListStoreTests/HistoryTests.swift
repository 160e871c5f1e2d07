import Foundation
import Platform
import ShoppingList
import Testing

@testable import ListStore

@Suite struct VersionNameTests {
  @Test(arguments: [
    "added Bread", "", "a.b/c%d", "line\nbreak", "Käse; ticked off 牛乳", String(repeating: "ü", count: 100), "🍌🍌",
  ]) func readsWhatItWrites(label: String) throws {
    for replaced in ["0123456789abcdef", nil] {
      let name = VersionName(
        number: 42, time: Instant(milliseconds: 1_796_071_272_345), id: "fedcba9876543210", size: 1024,
        replaced: replaced, label: label)
      #expect(VersionName(parsing: name.text) == name)
      #expect(name.text.hasPrefix("00000042.20261130T204112345Z.fedcba9876543210.1024."))
      #expect(name.text.utf8.count <= 143)
      #expect(!name.text.contains("/") && !name.text.contains("\n"))
      #expect(label.hasPrefix(name.label))
      if label.utf8.count < 20 { #expect(name.label == label) }
    }
  }

  @Test(arguments: [
    "BananaList.json", "00000042.json", "a.20261130T204112345Z.fedcba9876543210.1.none.x.json",
    "1.20261330T204112345Z.fedcba9876543210.1.none.x.json", "1.20261130T204112345Z.fedcba987654321.1.none.x.json",
    "1.20261130T204112345Z.fedcba9876543210.-1.none.x.json", "1.20261130T204112345Z.fedcba9876543210.1.x.x.json",
    "1.20261130T204112345Z.fedcba9876543210.1.none.x.y.json", "1.20261130T204112345Z.fedcba9876543210.1.none.x.part",
    "-1.20261130T204112345Z.fedcba9876543210.1.none.x.json",
  ]) func leavesOtherNamesAlone(text: String) {
    #expect(VersionName(parsing: text) == nil)
  }

  /// A number of nine digits comes after one of eight, and a clock that is out of its mind does no harm.
  @Test func extremes() {
    let name = VersionName(
      number: 123_456_789, time: Instant(milliseconds: .max), id: "fedcba9876543210", size: 0, replaced: nil, label: "")
    #expect(VersionName(parsing: name.text) == name)
  }
}

@Suite struct HistoryTests {
  static let base = list("Milk:1", "Eggs")

  @Test func hasWhatWasReadAndWhatWasWritten() throws {
    let house = try Household(list: Self.base)
    try house.store().set("Milk", "2")
    let second = try house.folder.text()
    #expect(try Set(house.keptTexts("history")) == [Self.base, second])
    try house.store().set("Milk", "3")
    let third = try house.folder.text()
    #expect(try Set(house.keptTexts()) == [Self.base, second, third])
    let versions = try house.store().history()
    #expect(versions.map(\.edit) == ["changed Milk", "changed Milk", nil])
    #expect(versions.map(\.origin) == [nil, nil, "found"])
    #expect(versions.map(\.items) == [2, 2, 2])
    #expect(versions.map(\.bought) == [0, 0, 0])
    #expect(versions.allSatisfy { $0.place == .history })
  }

  @Test func isThisUsersAloneAndOutsideTheFolder() throws {
    let house = try Household(list: Self.base)
    try house.store().set("Milk", "2")
    try house.save(list("Milk:9"), as: "BananaList.Conflict.json")
    try house.store().set("Milk", "3")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: house.state.path)
    #expect(paths.contains { $0.hasSuffix("/archive") })
    for path in paths {
      let attributes = try FileManager.default.attributesOfItem(atPath: house.state.path(path))
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      #expect((attributes[.posixPermissions] as? Int) == (isFolder ? 0o700 : 0o600), "\(path)")
    }
    #expect(try house.names() == ["BananaList.json"])
  }

  @Test func readingMakesNothing() throws {
    let house = try Household(list: Self.base)
    _ = try house.store().read()
    #expect(try house.store().history() == [])
    #expect(throws: StoreError.self) { try house.store().version("0123456789abcdef") }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: house.state.path) == [])
  }

  @Test func eachListHasItsOwn() throws {
    let house = try Household(list: Self.base)
    let other = try TestFolder(list: list("Jam"))
    try house.store().set("Milk", "2")
    try Store(path: other.listPath, history: .folder(house.state.path)).add("Tea")
    #expect(try house.store().history().count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: house.state.path).count == 2)
  }

  @Test func aListHasOneWhateverPathLeadsToIt() throws {
    let house = try Household(list: Self.base)
    let link = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: link.listPath, withDestinationPath: house.folder.listPath)
    try Store(path: link.listPath, history: .folder(house.state.path)).set("Milk", "2")
    #expect(try house.store().history().count == 2)
  }

  @Test func aVersionIsStoredOnce() throws {
    let house = try Household(list: Self.base)
    for _ in 0..<3 {
      try house.store().set("Milk", "2")
      // Another program goes back to what it knows.
      try house.save(Self.base)
    }
    let texts = try house.keptTexts("history")
    #expect(texts.count { $0 == Self.base } == 1)
    // The one that was used last is the newest.
    try house.store().set("Milk", "2")
    #expect(try house.store().history()[1].id == TemporaryName.hash(Array(Self.base.utf8)))
  }

  // MARK: Bounds

  @Test func keepsTheNewestFifty() throws {
    let house = try Household(list: Self.base)
    var base = Syscalls.live
    base.fsync = { _ in }
    let store = house.store(over: base)
    for amount in 2...60 { try store.set("Milk", "\(amount)") }
    let versions = try house.store().history()
    #expect(versions.count == 50)
    #expect(try house.store().version(versions[0].id).document.brief == ["Milk:60", "Eggs"])
    #expect(try house.store().version(versions[49].id).document.brief == ["Milk:11", "Eggs"])
  }

  @Test func keepsNoMoreThanItsShareOfTheDiskButFive() throws {
    let house = try Household(list: Self.base)
    var base = Syscalls.live
    base.fsync = { _ in }
    // Names tell the sizes: as if each version had 20 MiB.
    let store = house.store(over: base)
    for amount in 2...9 { try store.set("Milk", "\(amount)") }
    let folder = try #require(try house.kept().first).split(separator: "/").dropLast().joined(separator: "/")
    for name in try house.kept().map({ String($0.split(separator: "/").last ?? "") }) {
      let version = try #require(VersionName(parsing: name))
      let large = VersionName(
        number: version.number, time: version.time, id: version.id, size: 20 << 20, replaced: version.replaced,
        label: version.label)
      rename(house.state.path("\(folder)/\(name)"), house.state.path("\(folder)/\(large.text)"))
    }
    try store.set("Milk", "10")
    #expect(try house.store().history().count == 5)
  }

  @Test func theArchiveForgetsAfterThirtyDays() throws {
    let house = try Household(list: Self.base)
    let copy = "BananaList.Conflict.json"
    try house.save(list("Tea"), as: copy)
    try house.store().tidy()
    var later = Syscalls.live
    let day: Int64 = 86_400_000
    later.now = { Syscalls.live.now() + 29 * day }
    func store(_ syscalls: Syscalls) -> Store {
      Store(path: house.folder.listPath, syscalls: syscalls, history: .folder(house.state.path))
    }
    try house.save(list("Jam"), as: copy)
    try store(later).tidy()
    #expect(try house.keptTexts("archive").count == 2)
    later.now = { Syscalls.live.now() + 31 * day }
    try house.save(list("Rice"), as: copy)
    try store(later).tidy()
    #expect(try house.keptTexts("archive").contains(list("Tea")) == false)
    #expect(try house.keptTexts("archive").count == 2)
  }

  @Test func aClockThatGoesBackChangesNoOrder() throws {
    let house = try Household(list: Self.base)
    for (step, amount) in ["2", "3", "4"].enumerated() {
      var syscalls = Syscalls.live
      syscalls.now = { Syscalls.live.now() - Int64(step) * 3_600_000 }
      try Store(path: house.folder.listPath, syscalls: syscalls, history: .folder(house.state.path)).set("Milk", amount)
    }
    let names = try house.kept().compactMap { VersionName(parsing: String($0.split(separator: "/").last ?? "")) }
    #expect(names.map(\.number) == [1, 2, 3, 4])
    #expect(try Store(path: house.folder.listPath, history: .folder(house.state.path)).read().notices == [])
  }

  // MARK: Large lists

  @Test func aLargeVersionGetsASecondName() throws {
    let rows = (0..<9000).map {
      "{ \"id\": \"\($0)\", \"name\": \"Item \($0) \(String(repeating: "x", count: 100))\" }"
    }
    let text = "{ \"items\": [\n" + rows.joined(separator: ",\n") + "\n] }\n"
    for canLink in [true, false] {
      let house = try Household(list: text)
      var syscalls = Syscalls.live
      if !canLink {
        syscalls.linkat = { (folder, name, newFolder, newName) throws(Errno) in
          if folder != newFolder { throw .crossDevice }
          try Syscalls.live.linkat(folder, name, newFolder, newName)
        }
      }
      let written = try house.store(over: syscalls).add("Tea")
      let folder = try house.folder.open()
      let links = try Syscalls.live.fstatat(folder.descriptor, "BananaList.json").links
      #expect(links == (canLink ? 2 : 1))
      #expect(try Set(house.keptTexts("history")) == [text, house.folder.text()])
      #expect(try house.store().version(#require(written.undo)).document.items.count == 9000)
      #expect(try house.names() == ["BananaList.json"])
    }
  }

  @Test func aVersionThatChangedAfterwardsIsNotBelieved() throws {
    let house = try Household(list: Self.base)
    let undo = try #require(try house.store().set("Milk", "2").undo)
    let path = try #require(try house.kept().first { $0.contains(undo) })
    try house.state.write("{ \"items\": [] }", to: path)
    let error = #expect(throws: StoreError.self) { try house.store().version(undo) }
    #expect(error?.kind == .damagedVersion(undo))
    // Found again, it is stored anew.
    try house.save(Self.base)
    try house.store().set("Milk", "2")
    #expect(try house.store().version(undo).document.brief == ["Milk:1", "Eggs"])
  }

  // MARK: Places

  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"))) func mayBeOnAnotherFileSystem() throws {
    let other = "/dev/shm/get-bananas-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: other) }
    let house = try Household(list: Self.base)
    let place = HistoryPlace.folder(other)
    let undo = try #require(try house.store(history: place).set("Milk", "2").undo)
    try house.save(list("Tea"), as: "BananaList.Conflict.json")
    try house.store(history: place).set("Milk", "3")
    #expect(try house.store(history: place).history().map(\.place.rawValue).sorted().first == "archive")
    try house.store(history: place).restore(undo)
    #expect(try house.document().brief == ["Milk:1", "Eggs"])
    #expect(try house.names() == ["BananaList.json"])
  }

  @Test func whereItCannotBeWrittenItemsCanBeEditedAndTheWholeListNot() throws {
    let house = try Household(list: Self.base)
    for place in [HistoryPlace.folder("/dev/null/state"), .unknown] {
      let written = try house.store(history: place).set("Milk", "\(place)")
      #expect(written.changed && written.undo == nil)
      let notice = try #require(written.snapshot.notices.first)
      #expect(notice.message.contains(place == .unknown ? "home folder" : "/dev/null/state"))
      let before = try house.folder.text()
      let error = #expect(throws: StoreError.self) {
        try house.store(history: place).write(mustBeUndoable: true) { document, context in
          _ = document.removeChecked(in: context)
          _ = document.add([Addition(name: "Tea")], in: context)
        }
      }
      guard case .noHistory = error?.kind else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.message.contains("Nothing was changed.") == true)
      #expect(try house.folder.text() == before)
    }
    // What was displaced and found no place: a single file, and no more.
    #expect(try house.names().count == 2)
  }

  @Test func aDiskThatIsFullOfItIsTold() throws {
    let house = try Household(list: Self.base)
    try house.store().set("Milk", "2")
    var full = Syscalls.live
    full.write = { (descriptor, bytes) throws(Errno) in
      // The history's folder is on another disk.
      let path = try Syscalls.live.realpath("/proc/self/fd/\(descriptor)")
      if path.contains("/history/") { throw .noSpace }
      return try Syscalls.live.write(descriptor, bytes)
    }
    let written = try house.store(over: full).set("Milk", "3")
    #expect(written.undo != nil, "what it was is there already")
    #expect(written.snapshot.notices.map(\.message).contains { $0.contains("ENOSPC") })
    #expect(try house.document().brief == ["Milk:3", "Eggs"])
    #expect(try house.kept().count == 2)
    // The next finds what is missing.
    try house.store().set("Milk", "4")
    #expect(try house.store().history().count == 4)
  }

  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], HistoryPlace.folder("/s/get-bananas")),
    (["XDG_STATE_HOME": "s", "HOME": "/h"], .folder("/h/.local/state/get-bananas")),
    (["XDG_STATE_HOME": "", "HOME": "/h"], .folder("/h/.local/state/get-bananas")),
    (["HOME": "h"], .folder("/db/.local/state/get-bananas")), ([:], .folder("/db/.local/state/get-bananas")),
  ]) func theUsualPlace(environment: [String: String], place: HistoryPlace) {
    #expect(
      HistoryPlace.resolve(environment: { environment[$0] }, userHome: { "/db" }, isOnApple: false) == place)
  }

  @Test func theUsualPlaceOnApple() {
    let variables = ["HOME": "/Users/anna", "XDG_STATE_HOME": "/s"]
    #expect(
      HistoryPlace.resolve(environment: { variables[$0] }, userHome: { nil }, isOnApple: true)
        == .folder("/Users/anna/Library/Application Support/get-bananas"))
    #expect(HistoryPlace.resolve(environment: { _ in nil }, userHome: { nil }, isOnApple: true) == .unknown)
    #expect(HistoryPlace.resolve(environment: { _ in nil }, userHome: { nil }, isOnApple: false) == .unknown)
  }

  // MARK: Going back

  @Test func undoRedoUndo() throws {
    let house = try Household(list: Self.base)
    let undo = try #require(try house.store().set("Milk", "2").undo)
    let redo = try #require(try house.store().restore(undo).undo)
    #expect(try house.document().brief == ["Milk:1", "Eggs"])
    let again = try #require(try house.store().restore(redo).undo)
    #expect(try house.document().brief == ["Milk:2", "Eggs"])
    try house.store().restore(again)
    #expect(try house.document().brief == ["Milk:1", "Eggs"])
  }

  @Test func theFirstAdditionCanBeUndone() throws {
    let house = try Household()
    let undo = try #require(try house.store().add("Tea").undo)
    try house.store().restore(undo)
    #expect(try house.items() == [])
  }

  @Test func knowsWhatItUndoes() throws {
    let house = try Household(list: Self.base)
    let store = house.store()
    let first = try #require(try store.set("Milk", "2").undo)
    func isUndone(_ id: String) throws -> Bool {
      let version = try house.store().version(id)
      return try house.store().write { document, _ in version.isUndone(by: document) }.answer
    }
    #expect(try isUndone(first))
    let second = try #require(try house.store().set("Milk", "3").undo)
    #expect(try isUndone(second))
    #expect(try !isUndone(first), "there was another edit since")
    let text = try house.folder.text()
    try house.save(text.replacingOccurrences(of: "Eggs", with: "Leeks"))
    #expect(try !isUndone(second), "another program changed it since")
    try house.save(text)
    #expect(try isUndone(second))
    try house.save(list("Tea"), as: "BananaList.Conflict.json")
    #expect(try !isUndone(second), "a conflict copy has come since")
  }

  @Test(arguments: ["", "nonsense", "0123456789abcdef", "../history", "/etc/passwd", "00000001"])
  func anIDIsLookedUpAndNeverAPath(id: String) throws {
    let house = try Household(list: Self.base)
    try house.store().set("Milk", "2")
    let error = #expect(throws: StoreError.self) { try house.store().version(id) }
    #expect(error?.kind == .noSuchVersion(id))
  }

  @Test func oneFromTheArchiveCanBeBroughtBackToo() throws {
    let house = try Household(list: Self.base)
    try house.save(list("Tea"), as: "BananaList.Conflict.json")
    try house.store().tidy()
    let archived = try #require(try house.store().history().first { $0.place == .archive })
    try house.store().restore(archived.id.uppercased())
    #expect(try house.items() == ["Tea"])
  }
}
