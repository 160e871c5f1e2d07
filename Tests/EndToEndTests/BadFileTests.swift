// Files that must not be taken for a list, least of all for an empty one: each tool says what is wrong with which file,
// and the file stays as it is.

import Foundation
import Testing

@Suite struct BadFileTests {
  /// A file, and a word that the error must have.
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let says: String
    /// The file that the error names where that is not the list's path: a link is named by where it leads.
    var named: String?
    let make: @Sendable (Folder) throws -> Void

    var testDescription: String { name }

    init(
      _ name: String, says: String, named: String? = nil, _ make: @escaping @Sendable (Folder) throws -> Void
    ) {
      self.name = name
      self.says = says
      self.named = named
      self.make = make
    }

    init(_ name: String, says: String, _ text: String) {
      self.init(name, says: says) { try $0.writeList(text) }
    }

    init(_ name: String, says: String, bytes: [UInt8]) {
      self.init(name, says: says) { try Data(bytes).write(to: URL(fileURLWithPath: $0.list)) }
    }
  }

  static let samples: [Sample] = [
    Sample("a newer version", says: "schemaVersion", #"{"schemaVersion":2,"items":[]}"#),
    Sample("version 0", says: "schemaVersion", #"{"schemaVersion":0,"items":[]}"#),
    Sample("a version that is no number", says: "schemaVersion", #"{"schemaVersion":"1","items":[]}"#),
    Sample("truncated", says: "line 1", #"{"items":[{"name":"Milk"#),
    Sample("conflict markers", says: "line 1", "<<<<<<< HEAD\n{\"items\":[]}\n=======\n{}\n>>>>>>> other\n"),
    Sample("a trailing comma", says: "line 2", "{\"items\":[\n],}"),
    Sample("a comment", says: "line 1", "{/* mine */\"items\":[]}"),
    Sample("an array", says: "object", "[]"),
    Sample("items that are no array", says: "items", #"{"items":{}}"#),
    Sample("sections that are no array", says: "sections", #"{"sections":"Dairy","items":[]}"#),
    Sample("deletedItems that are no array", says: "deletedItems", #"{"items":[],"deletedItems":0}"#),
    Sample("somebody's settings", says: "items", #"{"theme":"dark"}"#),
    Sample("empty", says: "empty", ""),
    Sample("blank", says: "empty", " \n\t\n"),
    Sample("all NUL", says: "empty", bytes: [UInt8](repeating: 0, count: 512)),
    Sample(
      "UTF-16", says: "UTF-16", bytes: [0xFF, 0xFE] + Array(#"{"items":[]}"#.utf8).flatMap { [$0, 0] }),
    Sample(
      "invalid UTF-8", says: "UTF-8",
      bytes: Array(#"{"items":[{"name":""#.utf8) + [0xC3, 0x28] + Array(#""}]}"#.utf8)),
    Sample(
      "too deep", says: "deep",
      #"{"items":[],"x":"# + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}"),
    Sample("too large", says: "64 MiB") { folder in
      try folder.writeList(#"{"items":[]}"#)
      guard truncate(folder.list, 65 << 20) == 0 else { throw HarnessError.system("truncate") }
    },
    Sample("a folder", says: "folder") { folder in
      try FileManager.default.createDirectory(atPath: folder.list, withIntermediateDirectories: false)
    },
    Sample("a FIFO", says: "file") { folder in
      guard mkfifo(folder.list, 0o600) == 0 else { throw HarnessError.system("mkfifo") }
    },
    Sample("a device", says: "device", named: "/dev/zero") { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.list, withDestinationPath: "/dev/zero")
    },
    Sample("a link that leads nowhere", says: "link") { folder in
      try FileManager.default.createSymbolicLink(atPath: folder.list, withDestinationPath: "nowhere.json")
    },
    Sample("not downloaded yet", says: "download") { folder in
      try Data().write(to: URL(fileURLWithPath: folder.file("list/.BananaList.json.icloud")))
    },
    Sample("no folder", says: "folder") { folder in
      try FileManager.default.removeItem(atPath: folder.file("list"))
    },
  ]

  /// All at once, since a write waits for a while whether the file gets better.
  @Test func aBadFileIsAToolErrorAndStaysAsItIs() throws {
    let running = try Self.samples.map { sample in
      let folder = try Folder()
      try sample.make(folder)
      let before = state(of: folder)
      let server = try Program.start(["--file", folder.list], in: folder)
      try server.send(toolCall(1, "get_shopping_list"))
      try server.send(toolCall(2, "add_item", #"{"name":"Milk"}"#))
      try server.send(toolCall(3, "update_shopping_list", #"{"items":[]}"#))
      try server.send(
        #"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"shopping-list://current"}}"#)
      server.closeInput()
      return (sample, folder, before, server)
    }
    for (sample, folder, before, server) in running {
      for id in 1...3 {
        let answer = try WireAnswer(server.answer())
        #expect(answer.id == id)
        #expect(answer.isError, "\(sample.name): \(answer.text)")
        #expect(answer.structured == nil)
        #expect(
          answer.text.contains(sample.named ?? folder.list), "\(sample.name) is not named: \(answer.text)")
        #expect(
          answer.text.lowercased().contains(sample.says.lowercased()),
          "\(sample.name) does not say \(sample.says): \(answer.text)")
      }
      let answer = try WireAnswer(server.answer())
      #expect(answer.error?["code"] as? Int == -32603, "\(sample.name)")
      let message = answer.error?["message"] as? String ?? ""
      #expect(message.contains(sample.named ?? folder.list), "\(sample.name) is not named: \(message)")
      #expect(try server.end() == .exited(0))
      #expect(server.errorText == "", "\(sample.name)")
      #expect(state(of: folder) == before, "\(sample.name): something in the folder changed")
    }
  }

  /// The bytes of each regular file below the list's folder, the kind of everything else.
  private func state(of folder: Folder) -> [String: String] {
    var state: [String: String] = [:]
    for name in FileManager.default.enumerator(atPath: folder.file("list"))?.compactMap({ $0 as? String })
      ?? []
    {
      let path = folder.file("list/" + name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let kind = attributes?[.type] as? FileAttributeType
      let bytes = kind == .typeRegular ? FileManager.default.contents(atPath: path)?.hashValue : nil
      state[name] = "\(kind?.rawValue ?? "?") \(bytes ?? 0) \(attributes?[.size] ?? "")"
    }
    return state
  }
}
