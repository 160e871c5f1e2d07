// Two servers on one list, and beside them a program that writes it without any lock (PhoneApp): one that replaces the
// file, one that also drops whatever it does not know, and one that empties the file and writes it in place.
//
// Promised:
// - Each edit of the app is on the list in the end, and was there whenever the app looked at it before its next one.
// - Each acknowledged edit of a server is there, too, unless the app saved, over it, a version that it had read before.
//   Then the history has the list with the edit, and an answer has told so, at the latest that to the next read.
// - Nothing is on the list twice.
//
// One edit in four of the app is made on a list that it read before another edit was acknowledged, so that such saves do
// happen; the others come as close to the servers' writes as the scheduler lets them.
//
// A server may refuse an edit, and say that nothing was changed, when the app has saved again and again while it was at it;
// then nothing was.
//
// About 200 edits in the short form, 2,000 in CI, 10,000 at GET_BANANAS_STRESS=25.

import Foundation
import Testing

@Suite(.serialized) struct LockFreeWriterTests {
  static let rounds = Program.effort == 1 ? 2 : 4 * Program.effort + Program.effort / 5
  static let roundsPerList = 8

  @Test(arguments: PhoneApp.Saving.allCases) func everyEditLastsOrIsTold(_ saving: PhoneApp.Saving) throws {
    var figures = OverlapFigures()
    var meeting: Meeting?
    for round in 0..<Self.rounds {
      if round % Self.roundsPerList == 0 {
        try meeting?.end()
        meeting = try Meeting(saving)
      }
      let seed = 20_261_202 + UInt64(round)
      let complaints = try #require(meeting).round(seed: seed, &figures)
      try #require(complaints.isEmpty, "\(saving), round \(round), seed \(seed): \(complaints)")
    }
    try meeting?.end()
    #expect(figures.serverEdits > Self.rounds * Meeting.serverEdits / 2, "hardly an edit was acknowledged")
    #expect(figures.overwritten > 0, "the app never saved over an edit")
    figures.report(saving)
  }

  /// The smallest form of what an app does that saves over an edit: the list as it was before it. Each is told, also
  /// where the row is so young that its adding is remembered, too.
  @Test(arguments: [
    ("add_item", #"{"name":"Bread"}"#, "the Bread added"),
    ("update_item", #"{"name":"Old","amount":"2"}"#, "the change to Old made"),
    ("update_item", #"{"name":"Young","amount":"2"}"#, "the change to Young made"),
    ("remove_item", #"{"name":"Old"}"#, "the removal of Old made"),
    ("remove_item", #"{"name":"Young"}"#, "the removal of Young made"),
  ])
  func anEditThatWasSavedOverIsTold(tool: String, arguments: String, told: String) throws {
    let folder = try Folder()
    try folder.writeList(#"{"schemaVersion":1,"sections":[],"items":[{"id":"1","name":"Old","amount":"1"}]}"#)
    let server = try Program.start(["--file", folder.list], in: folder)
    func call(_ id: Int, _ tool: String, _ arguments: String) throws -> WireAnswer {
      try server.send(toolCall(id, tool, arguments))
      return try WireAnswer(try server.answer())
    }
    #expect(try !call(1, "add_item", #"{"name":"Young","amount":"1"}"#).isError)
    let read = try folder.listBytes()
    #expect(try !call(2, tool, arguments).isError)
    try read.write(to: URL(fileURLWithPath: folder.list), options: .atomic)
    let text = try call(3, "get_shopping_list", "{}").text
    #expect(text.contains("saved the list without \(told)"), "\(text)")
  }
}
