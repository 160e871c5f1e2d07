// A server that is killed at any moment: the list stays readable, what was acknowledged is there, nobody waits for it.

import Foundation
import Seeded
import ShoppingList
import Testing

@Suite struct KillTests {
  /// 200 kills in all, on short lists, since it is the writing that is to be hit, not the work on a long list.
  static let lists = 20 * Program.effort
  static let killsPerList = 10

  @Test func acknowledgedAddsOutliveTheProcess() throws {
    // A fixed seed: a failure can be looked at again, as far as the scheduler repeats itself.
    var random = SplitMix64(seed: 20_261_130)
    var killedInTheMiddle = 0
    for _ in 0..<Self.lists {
      let folder = try Folder()
      try folder.writeList(#"{"schemaVersion":1,"sections":[],"items":[]}"#)
      var acknowledged: Set<String> = []
      for round in 0..<Self.killsPerList {
        let server = try Program.start(["--file", folder.list], in: folder)
        let requests = 12
        let first = ContinuousClock.now
        for id in 1...requests { try server.send(toolCall(id, "add_item", #"{"name":"\#(round)-\#(id)"}"#)) }
        var answers = [try #require(try server.answer())]
        #expect(ContinuousClock.now - first < .seconds(4), "a write waited for the lock of the dead process")

        // Then let it get somewhere, and stop it wherever it is: the wait ends with an answer or within 4 ms.
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
          answers += try server.answersSoFar(waiting: Int32.random(in: 0...4, using: &random))
        }
        server.signal(SIGKILL)
        answers += try lines(server.outputToTheEnd())
        #expect(try server.end() == .killed(signal: SIGKILL))
        if answers.count < requests { killedInTheMiddle += 1 }

        for line in answers {
          let added = try #require(try WireAnswer(line).structured?["added"] as? [[String: Any]], "\(line)")
          acknowledged.formUnion(added.compactMap { $0["name"] as? String })
        }
        let document = try Document(decoding: [UInt8](try folder.listBytes()))
        let there = document.items.map(\.name)
        #expect(acknowledged.subtracting(there).isEmpty, "acknowledged and gone")
        #expect(Set(there).count == there.count, "one add was done twice")
      }
      // The next one clears up after all of them.
      let (ending, output, _) = try Program.run(
        ["--file", folder.list], input: toolCall(1, "add_item", #"{"name":"last"}"#), in: folder)
      #expect(ending == .exited(0))
      #expect(try !WireAnswer(output).isError)
      // The private file of a lock that was about to be made stays for a minute: it may be another's who runs.
      let left = try folder.besideTheList().filter { !$0.hasSuffix(".lock.tmp") }
      #expect(left.isEmpty, "\(left)")
    }
    #expect(
      killedInTheMiddle > Self.lists * Self.killsPerList / 4, "hardly any kill came while there was work left"
    )
  }

  /// Whole lines only: a line that was cut off acknowledged nothing.
  private func lines(_ output: String) -> [String] {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    if !output.hasSuffix("\n"), !lines.isEmpty { lines.removeLast() }
    return lines
  }
}
