import Foundation
import ListStore
import Platform
import ShoppingList

/// A folder of its own for one test, with a list in it or not, removed when the test ends.
final class TestFolder: Sendable {
  let path: String

  /// - Parameter quick: in memory, where the system has such a place, for who makes thousands of them.
  init(list: String? = nil, quick: Bool = false) throws {
    let memory = "/dev/shm"
    let isInMemory = quick && FileManager.default.isWritableFile(atPath: memory)
    path =
      try Syscalls.live.realpath(isInMemory ? memory : NSTemporaryDirectory()) + "/get-bananas-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    if let list { try write(list, to: "BananaList.json") }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var listPath: String { path("BananaList.json") }
  var lockPath: String { path("BananaList.json.lock") }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// In place, as a program does that knows no better.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  func text(_ name: String = "BananaList.json") throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  func exists(_ name: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path(name))) != nil
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// The paths, from here, of all files in it and below.
  func filePaths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).filter { below in
      try FileManager.default.attributesOfItem(atPath: path(below))[.type] as? FileAttributeType == .typeRegular
    }
  }

  func mode(_ name: String = "BananaList.json") throws -> UInt32 {
    let directory = try open()
    return try Syscalls.live.fstatat(directory.descriptor, name).mode
  }

  func setMode(_ mode: UInt32, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }

  func open() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(opening: path, [.read, .directory], with: .live)
  }

  /// Sets when a file was last changed, by the seconds that it shall be old.
  func age(_ name: String, bySeconds seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path(name))
  }
}

/// A list with these items.
func listText(_ names: String...) -> String {
  let items = names.enumerated().map { number, name in
    "{ \"id\": \"00000000-0000-4000-8000-\(String(100_000_000_000 + number))\", \"name\": \"\(name)\" }"
  }
  return "{\n  \"schemaVersion\": 1,\n  \"sections\": [],\n  \"items\": [\n    "
    + items.joined(separator: ",\n    ") + "\n  ]\n}\n"
}

extension Store {
  /// Adds one item.
  @discardableResult
  func add(_ name: String) throws(StoreError) -> Written<Void> {
    try write { document, context in _ = document.add([Addition(name: name)], in: context) }
  }

  func names() throws(StoreError) -> [String] {
    try read().document.items.map(\.name)
  }
}
