import Foundation
import Platform
import Testing

@testable import ListStore

/// What crashes leave beside the list, row by row.
@Suite struct LeftOverTests {
  static let machine = ProcessIdentity(.live).machine
  static let whole = listText("Milk", "Eggs")

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var machine = LeftOverTests.machine
    var purpose: TemporaryName.Purpose = .version(
      holds: TemporaryName.hash(Array(LeftOverTests.whole.utf8)), displaces: "0123456789abcdef")
    var text = LeftOverTests.whole
    /// In seconds.
    var age: Double = 0
    var isRemoved = false
    var isTold = false
  }

  static let rows: [Row] = [
    Row(testDescription: "unfinished", purpose: .unfinished, text: "{ \"ite", isRemoved: true),
    Row(testDescription: "unfinished, and whole", purpose: .unfinished, isRemoved: true),
    Row(
      testDescription: "unfinished, another machine's", machine: "00000000", purpose: .unfinished, age: 1e6),
    Row(testDescription: "empty", text: "", isRemoved: true),
    Row(testDescription: "zero bytes", text: "\u{0}\u{0}\u{0}", isRemoved: true),
    Row(testDescription: "what its name says", isRemoved: true),
    Row(testDescription: "what its name says, another machine's", machine: "00000000", age: 1e6),
    Row(testDescription: "something else", text: listText("Bread"), isTold: true),
    Row(testDescription: "half of something", text: "{ \"ite", isTold: true),
    Row(testDescription: "a lock on its way", purpose: .lock, text: "1\n", age: 50),
    Row(testDescription: "a lock that never arrived", purpose: .lock, text: "1\n", age: 70, isRemoved: true),
    Row(
      testDescription: "a lock that never arrived, another machine's", machine: "00000000", purpose: .lock,
      text: "1\n", age: 70, isRemoved: true),
  ]

  @Test(arguments: rows) func isClearedUpByTheNextWrite(row: Row) throws {
    let folder = try TestFolder(list: listText("Milk"))
    let name = TemporaryName(row.purpose, machine: row.machine, syscalls: .live).text(
      ofList: "BananaList.json")
    try folder.write(row.text, to: name)
    if row.age > 0 { try folder.age(name, bySeconds: row.age) }
    let store = Store(path: folder.listPath, syscalls: VirtualTime().syscalls())
    #expect(try store.read().notices == [])
    #expect(folder.exists(name), "reading writes nothing")
    let notices = try store.add("Bread").snapshot.notices
    #expect(folder.exists(name) == !row.isRemoved)
    #expect(notices.map(\.message).allSatisfy { $0.hasPrefix(name) })
    #expect(notices.count == (row.isTold ? 1 : 0))
    if !row.isRemoved { #expect(try folder.text(name) == row.text) }
    #expect(try store.names() == ["Milk", "Bread"])
  }

  @Test func leavesOtherListsFilesAlone() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let name = TemporaryName(.unfinished, machine: Self.machine, syscalls: .live).text(ofList: "Other.json")
    try folder.write("", to: name)
    try Store(path: folder.listPath).add("Bread")
    #expect(folder.exists(name))
  }

  @Test func tellsOfWhatItCannotRemove() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let name = TemporaryName(.unfinished, machine: Self.machine, syscalls: .live).text(
      ofList: "BananaList.json")
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    let notices = try Store(path: folder.listPath).add("Bread").snapshot.notices
    #expect(notices.count == 1)
  }
}
