import Platform
import Testing

@testable import ListStore

@Suite struct FileNamesTests {
  static let purposes: [TemporaryName.Purpose] = [
    .lock, .unfinished, .version(holds: "0123456789abcdef", displaces: "fedcba9876543210"),
    .version(holds: "0123456789abcdef", displaces: "none"),
  ]
  static let lists = [
    "BananaList.json", "a", "a.b.c", "Обещания на неделю.json", String(repeating: "ü", count: 120),
    String(repeating: "l", count: 250),
  ]

  @Test(arguments: purposes, lists) func readsWhatItWrites(purpose: TemporaryName.Purpose, list: String) {
    let name = TemporaryName(purpose, machine: "01234567", syscalls: .live)
    let text = name.text(ofList: list)
    #expect(TemporaryName(parsing: text, ofList: list) == name)
    #expect(text.hasPrefix("."))
    #expect(text.hasSuffix(".tmp"))
    #expect(text.utf8.count <= 143)
    #expect(TemporaryName(parsing: text, ofList: list + "x") == nil)
    #expect(TemporaryName(parsing: text, ofList: "x" + list) == nil)
  }

  @Test func tellsLongNamesApart() {
    let start = String(repeating: "l", count: 200)
    let name = TemporaryName(.unfinished, machine: "01234567", syscalls: .live)
    #expect(TemporaryName(parsing: name.text(ofList: start + "1"), ofList: start + "2") == nil)
  }

  @Test(arguments: [
    "BananaList.json", "BananaList.json.lock", ".BananaList.json.tmp", ".BananaList.json.icloud",
    ".BananaList.json.01234567.0123456789abcdef.tmp",
    ".BananaList.json.01234567.0123456789abcdef.other.tmp",
    ".BananaList.json.0123456.0123456789abcdef.lock.tmp",
    ".BananaList.json.01234567.0123456789ABCDEF.lock.tmp",
    ".BananaList.json.01234567.0123456789abcdef.0123456789abcdef.x.tmp",
    ".BananaList.json.01234567.0123456789abcdef.0123456789abcdef.none.more.tmp",
    ".BananaList.json.01234567.0123456789abcdef.lock",
  ])
  func leavesOtherNamesAlone(name: String) {
    #expect(TemporaryName(parsing: name, ofList: "BananaList.json") == nil)
  }

  @Test func namesBytesByTheirHash() {
    #expect(TemporaryName.hash(Array("abc".utf8)) == "44bc2cf5ad770999")
    #expect(TemporaryName.hash(nil) == "none")
    #expect(TemporaryName.hash([]) != "none")
  }
}
