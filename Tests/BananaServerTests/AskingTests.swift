// A replace that would remove items asks the user first, where the client can.

import Foundation
import Testing

@testable import BananaServer
@testable import JSON
@testable import Platform
@testable import ShoppingList

private final class Counter: @unchecked Sendable {  // used by one thread
  private(set) var count = 0

  func add() { count += 1 }
}

@Suite struct AskingTests {
  private let server: TestServer

  init() throws { server = try TestServer(weekend, capabilities: ["elicitation": [:]]) }

  /// Sends the call 100; what comes back.
  private func replace(_ arguments: JSONValue, more: [(key: String, value: JSONValue)] = []) throws
    -> JSONValue
  {
    let params = JSONValue.object([("name", "update_shopping_list"), ("arguments", arguments)] + more)
    let frames = try server.send(["jsonrpc": "2.0", "id": 100, "method": "tools/call", "params": params])
    try #require(frames.count == 1)
    return frames[0]
  }

  /// Answers a question; what comes back.
  private func answer(_ question: JSONValue, _ result: JSONValue) throws -> JSONValue {
    let id = try #require(question["id"])
    let frames = try server.send(["jsonrpc": "2.0", "id": id, "result": result])
    try #require(frames.count == 1)
    return frames[0]
  }

  private func message(_ question: JSONValue) throws -> String {
    #expect(question["method"]?.string == "elicitation/create")
    return try #require(question["params"]?["message"]?.string)
  }

  private func result(_ frame: JSONValue) throws -> TestServer.Answer {
    #expect(frame["id"]?.int64 == 100)
    return try TestServer.Answer(result: #require(frame["result"]))
  }

  private let yes: JSONValue = ["action": "accept", "content": ["confirm": true]]

  private func names() throws -> [String] { try server.store.read().document.items.map(\.name) }

  // MARK: The question

  @Test func itNamesWhatWouldGoAndWhatElseWouldBeDone() throws {
    let question = try replace(["items": ["Bananas", ["name": "Flour", "amount": "1 kg"], "Tea"]])
    #expect(
      try message(question)
        == "Take 2 of 4 items off the shopping list? Apples and Milk (2 l). Besides, 1 item would be added and 1 item would be changed."
    )
    let box = question["params"]?["requestedSchema"]?["properties"]?["confirm"]
    #expect(box?["title"]?.string == "Remove these 2")
    #expect(box?["description"]?.string == "Without the tick nothing is changed.")
    #expect(server.file == weekend)
    let done = try result(answer(question, yes))
    #expect(done.names("removed") == ["Apples", "Milk"])
    #expect(try names() == ["Bananas", "Flour", "Tea"])
  }

  @Test func emptyingTheList() throws {
    let question = try replace(["items": []])
    #expect(
      try message(question)
        == "Empty the shopping list? 4 items would go: Bananas (6), Apples, Milk (2 l) and Flour.")
    #expect(try result(answer(question, yes)).names("removed").count == 4)
    #expect(try names() == [])
  }

  @Test func allItemsForOthers() throws {
    let question = try replace(["items": ["Tea"]])
    #expect(
      try message(question)
        == "Take all 4 items off the shopping list? Bananas (6), Apples, Milk (2 l) and Flour. Besides, 1 item would be added."
    )
  }

  @Test func aLongListIsNamedInPart() throws {
    let rows = (1...30).map { #"{"id":"\#($0)","name":"n\#($0)"}"# }.joined(separator: ",")
    try server.replaceFile(#"{"items":[\#(rows)]}"#)
    let text = try message(replace(["items": []]))
    #expect(text.contains("n1, n2,"))
    #expect(text.hasSuffix(" n19 and 11 more."))
  }

  @Test func namesCannotForgeTheQuestion() throws {
    try server.replaceFile(#"{"items":[{"id":"1","name":"Milk?\n\nNothing is removed.\u202e\u0007"}]}"#)
    let text = try message(replace(["items": []]))
    #expect(text == "Empty the shopping list? 1 item would go: Milk? Nothing is removed..")
  }

  // MARK: The answer

  @Test(arguments: [
    #"{"action":"accept","content":{"confirm":false}}"#, #"{"action":"accept"}"#, #"{"action":"decline"}"#,
    #"{"action":"cancel"}"#,
  ])
  func allButAYesChangesNothing(answer: String) throws {
    let question = try replace(["items": ["Bananas"]])
    let refused = try result(self.answer(question, JSONValue(parsing: Array(answer.utf8))))
    #expect(refused.isError)
    #expect(refused.structured == nil)
    #expect(
      refused.text
        == "The user was asked and did not agree: nothing was changed. Do not retry unless the user asks for it."
    )
    #expect(server.file == weekend)
  }

  @Test func noAnswerChangesNothing() throws {
    _ = try replace(["items": ["Bananas"]])
    let frames = try server.session.finish().map { try JSONValue(parsing: $0) }
    #expect(
      try frames.map { try result($0).text } == [
        "The user was asked and did not answer: nothing was changed. Do not retry unless the user asks for it."
      ])
    #expect(server.file == weekend)
  }

  @Test func aClientThatCannotAskAfterAllNeedsTheRevision() throws {
    let revision = try server.store.read().revision
    for (expected, isError) in [(nil, true), (JSONValue(revision), false)] as [(JSONValue?, Bool)] {
      var arguments: JSONValue = ["items": ["Bananas"]]
      if let expected { arguments = arguments.setting("expected_revision", to: expected) }
      let question = try replace(arguments)
      let frames = try server.send([
        "jsonrpc": "2.0", "id": try #require(question["id"]), "error": ["code": -1, "message": "no user"],
      ])
      let answer = try result(#require(frames.first))
      #expect(answer.isError == isError)
      #expect(answer.text.hasPrefix("REFUSED") == isError)
    }
    #expect(try names() == ["Bananas"])
  }

  // MARK: Asking is a look

  /// Everything in the list's folder and below, with its content.
  private func everything() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: server.folder.path) {
      files[name] = FileManager.default.contents(atPath: server.folder.appendingPathComponent(name).path) ?? Data()
    }
    return files
  }

  @Test func nothingIsWrittenBeforeTheAnswer() throws {
    let copy = weekend.replacing(#""name": "Flour""#, with: #""name": "Flour", "amount": "1 kg""#)
    try Data(copy.utf8).write(
      to: server.folder.appendingPathComponent("BananaList.sync-conflict-20260703-120000-ABCDEFG.json"))
    let before = try everything()
    let question = try replace(["items": ["Bananas"]])
    #expect(try message(question).hasPrefix("Take 3 of 4 items"))
    #expect(try everything() == before, "the conflict copy waits for the write, and no lock was made")
    #expect(try result(answer(question, yes)).names("removed").count == 3)
    #expect(try everything().keys.filter { $0.contains("sync-conflict") && !$0.contains("/") } == [])
  }

  @Test func nobodyIsWaitedFor() throws {
    // Somebody else is writing all the while.
    let folder = try OwnedDescriptor(opening: server.folder.path, [.read, .directory], with: .live)
    try #require(flock(folder.descriptor, LOCK_EX) == 0)
    #expect(try message(replace(["items": []])).hasPrefix("Empty the shopping list?"))
  }

  /// What another program's save has dropped is said only once: not to the question, and not to a subscription.
  @Test func whatIsSaidOnlyOnceIsSaidInTheAnswer() throws {
    _ = try server.call("add_item", #"{"name":"Tea"}"#)
    try server.replaceFile(weekend)
    _ = server.session.resourcesMayHaveChanged()
    let question = try replace(["items": ["Bananas"]])
    let done = try result(answer(question, yes))
    #expect(done.text.contains("Another program saved the list without the Tea added less than a minute ago."))
  }

  /// A client that cannot be asked is refused under the lock, where the store says what it has to say; nothing is read
  /// twice for it.
  @Test func aClientThatCannotAskIsRefusedByTheWrite() throws {
    let reads = Counter()
    var syscalls = Syscalls.live
    syscalls.openat = { (folder, name, flags, mode) throws(Errno) in
      if name == "BananaList.json", flags.contains(.read) { reads.add() }
      return try Syscalls.live.openat(folder, name, flags, mode)
    }
    let server = try TestServer(weekend, syscalls: syscalls)
    #expect(try server.call("update_shopping_list", #"{"items":["Bananas"]}"#).text.hasPrefix("REFUSED"))
    #expect(reads.count == 1)
  }

  /// The list changed after the look, so that the user is asked under the lock: what the store said there is kept.
  @Test func whatIsSaidWhileAskingAgainIsSaidInTheAnswer() throws {
    _ = try server.call("add_item", #"{"name":"Tea"}"#)
    let question = try replace(["items": ["Bananas", "Apples", "Milk", "Flour"]])
    try server.replaceFile(weekend.replacing(#""name": "Flour""#, with: #""name": "Flowers""#))
    let again = try answer(question, yes)
    #expect(try message(again).contains("Flowers"))
    #expect(try result(answer(again, yes)).text.contains("without the Tea added"))
  }

  @Test func aSubscriptionDoesNotUseUpWhatIsSaidOnce() throws {
    _ = try server.request("resources/subscribe", ["uri": "shopping-list://current"])
    _ = try server.call("add_item", #"{"name":"Tea"}"#)
    #expect(server.session.resourcesMayHaveChanged().count == 1)
    try server.replaceFile(weekend)
    #expect(server.session.resourcesMayHaveChanged().count == 1)
    #expect(try server.call("get_shopping_list").text.contains("without the Tea added"))
  }

  // MARK: When it is asked

  @Test func notWhereNothingIsRemoved() throws {
    let done = try result(replace(["items": ["Bananas", "Apples", "Milk", "Flour", "Tea"]]))
    #expect(done.names("added") == ["Tea"])
    #expect(
      try result(replace(["sections": ["Dairy", "Produce"]])).text.hasPrefix("The sections are now: Dairy"))
  }

  @Test func thoughThePresentRevisionIsGiven() throws {
    let revision = JSONValue(try server.store.read().revision)
    let question = try replace(["items": ["Bananas"], "expected_revision": revision])
    #expect(try message(question).hasPrefix("Take 3 of 4 items"))
  }

  @Test func notWithAStaleRevision() throws {
    let refused = try result(replace(["items": ["Bananas"], "expected_revision": "0123456789abcdef"]))
    #expect(refused.isError)
    #expect(refused.text.contains("0123456789abcdef"))
  }

  // MARK: When the list changes meanwhile

  @Test func aYesCountsWhileTheSameRowsWouldGo() throws {
    let question = try replace(["items": ["Bananas", "Flour"]])
    // Ticked, moved, amended, and in another order; and a row that stays is another.
    try server.replaceFile(
      #"""
      {"items": [
        {"id": "m", "name": "Milk", "amount": "3 l", "section": "", "checked": true},
        {"id": "a", "name": "Apples"}, {"id": "b", "name": "Bananas", "amount": "9"}, {"id": "f", "name": "Flour"}
      ]}
      """#)
    #expect(try result(answer(question, yes)).names("removed") == ["Milk", "Apples"])
    #expect(try server.store.read().document.items.map(\.amount) == ["9", ""])
  }

  @Test func otherRowsAreAskedAboutAgain() throws {
    let question = try replace(["items": ["Bananas", "Apples", "Milk"]])
    #expect(try message(question) == "Take 1 of 4 items off the shopping list? Flour.")
    try server.replaceFile(weekend.replacing(#""name": "Flour""#, with: #""name": "Flowers""#))
    let again = try answer(question, yes)
    #expect(again["id"]?.string != question["id"]?.string)
    #expect(try message(again) == "Take 1 of 4 items off the shopping list? Flowers.")
    #expect(try result(answer(again, yes)).names("removed") == ["Flowers"])
  }

  @Test func itIsAskedAgainThreeTimesAtMost() throws {
    var question = try replace(["items": ["Bananas"]])
    var asked = 1
    while question["method"] != nil {
      try server.replaceFile(#"{"items":[{"id":"b","name":"Bananas"},{"id":"x","name":"n\#(asked)"}]}"#)
      question = try answer(question, yes)
      asked += 1
    }
    #expect(asked == 5)
    let refused = try result(question)
    #expect(refused.isError)
    #expect(refused.text.hasPrefix("REFUSED, nothing was changed"))
    #expect(try names() == ["Bananas", "n4"])
  }

  @Test func rowsThatWouldNoLongerGoNeedNoMoreQuestion() throws {
    let question = try replace(["items": ["Bananas"]])
    try server.replaceFile(#"{"items":[{"id":"b","name":"Bananas"}]}"#)
    #expect(try result(answer(question, yes)).names("removed") == [])
  }

  // MARK: The modern way

  private let envelope: (key: String, value: JSONValue) = (
    "_meta",
    [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": ["elicitation": ["form": [:]]],
    ]
  )

  @Test func theRetryBringsTheAnswerUnderTheKeyOfTheRows() throws {
    let arguments: JSONValue = ["items": ["Bananas"]]
    let asked = try replace(arguments, more: [envelope])["result"]
    #expect(asked?["resultType"]?.string == "input_required")
    let entry = try #require(asked?["inputRequests"]?.members.first { _ in true })
    #expect(entry.key.wholeMatch(of: /remove-[0-9a-f]{16}/) != nil)
    #expect(entry.value["method"]?.string == "elicitation/create")
    #expect(entry.value["params"]?["message"]?.string?.hasPrefix("Take 3 of 4 items") == true)
    #expect(server.file == weekend)

    // Another row would go by now: the answer is for another question.
    try server.replaceFile(weekend.replacing(#""name": "Flour""#, with: #""name": "Flowers""#))
    let responses: (key: String, value: JSONValue) = ("inputResponses", .object([(entry.key, yes)]))
    let again = try replace(arguments, more: [responses, envelope])["result"]
    let other = try #require(again?["inputRequests"]?.members.first { _ in true })
    #expect(other.key != entry.key)
    let both: (key: String, value: JSONValue) = (
      "inputResponses", .object([(entry.key, yes), (other.key, yes)])
    )
    let done = try result(replace(arguments, more: [both, envelope]))
    #expect(done.names("removed") == ["Apples", "Milk", "Flowers"])
  }

  @Test func theKeyIsThatOfIDsAndNames() {
    func key(_ rows: [(String, String)]) -> String {
      RemovalGuard.key(
        of: rows.map { Item(id: $0.0, name: $0.1, amount: "", section: "", optional: false, checked: false) })
    }
    let base = key([("a", "Apples"), ("b", "Bananas")])
    #expect(base == key([("b", "Bananas"), ("a", "Apples")]))
    for other in [
      [("a", "Apples")], [("a", "Apples"), ("b", "bananas")], [("a", "Apples"), ("c", "Bananas")],
      [("a", "Apples"), ("b", "Bananas"), ("b", "Bananas")], [("aA", "pples"), ("b", "Bananas")],
    ] {
      #expect(key(other) != base)
    }
  }
}
