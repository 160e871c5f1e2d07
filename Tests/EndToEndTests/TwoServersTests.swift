// Two copies of the server on one file is the normal case: hosts start two, or leave an old one behind.

import Foundation
import ShoppingList
import Testing

@Suite struct TwoServersTests {
  /// Both get all their requests at once and race for the lock, while this process, a third one, reads the file all
  /// the time without any lock.
  @Test func eachAcknowledgedAddIsThereOnceAndNoReaderSeesHalfAFile() throws {
    let count = 100 * Program.effort
    let folder = try Folder()
    try folder.writeList(#"{"schemaVersion":1,"sections":[],"items":[]}"#)
    let servers = try ["A", "B"].map { name in
      let server = try Program.start(["--file", folder.list], in: folder)
      for id in 1...count { try server.send(toolCall(id, "add_item", #"{"name":"\#(name) \#(id)"}"#)) }
      server.closeInput()
      return server
    }

    var acknowledged: [[String]] = [[], []]
    var seen = 0
    var longest = 0
    while acknowledged.contains(where: { $0.count < count }) {
      for (position, server) in servers.enumerated() {
        for line in try server.answersSoFar(waiting: 1) {
          let answer = try WireAnswer(line)
          try #require(!answer.isError, "\(answer.text)")
          let added = try #require(answer.structured?["added"] as? [[String: Any]])
          acknowledged[position] += added.compactMap { $0["name"] as? String }
        }
      }
      let bytes = try folder.listBytes()
      let document = try Document(decoding: [UInt8](bytes))
      #expect(document.items.count >= longest, "a reader saw an older list after a newer one")
      if document.items.count > longest { seen += 1 }
      longest = document.items.count
    }
    for server in servers { #expect(try server.end() == .exited(0)) }

    // How many depends on how fast the servers are, and on what else the machine does.
    #expect(seen > 10, "the file was hardly read while it was written: \(seen) lists were seen")
    #expect(acknowledged[0] == (1...count).map { "A \($0)" })
    #expect(acknowledged[1] == (1...count).map { "B \($0)" })
    let final = try names(in: folder.listBytes())
    #expect(final.count == 2 * count)
    #expect(Set(final) == Set(acknowledged[0] + acknowledged[1]))
    #expect(try folder.besideTheList().isEmpty)
  }
}
