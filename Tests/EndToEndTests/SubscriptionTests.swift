// A subscriber is told of what others do to the list, and of nothing else.

import Foundation
import Testing

@Suite struct SubscriptionTests {
  let folder: Folder
  private let list = #"{"items":[{"id":"1","name":"Milk","section":"Dairy"}]}"#

  init() throws { folder = try Folder() }

  private func open(_ path: String? = nil) throws -> Program {
    let server = try Program.start(["--file", path ?? folder.list], in: folder)
    try server.send(
      #"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"shopping-list://current.md"}}"#
    )
    #expect(try server.answer() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    return server
  }

  private let updated =
    #"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"shopping-list://current.md"}}"#

  /// Ends the server, which must have said nothing more than what was read.
  private func close(_ server: Program) throws {
    server.closeInput()
    #expect(try server.outputToTheEnd() == "")
    #expect(try server.end() == .exited(0))
    #expect(server.errorText == "")
  }

  private func rename(_ old: String, _ new: String) throws {
    guard Foundation.rename(old, new) == 0 else { throw HarnessError.system("rename") }
  }

  /// Replaces a file as careful programs do.
  private func replace(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("new")))
    try rename(folder.file("new"), path)
  }

  @Test func replacedWrittenInPlaceDeletedAndMadeAnew() throws {
    try folder.writeList(list)
    let server = try open()
    try replace(folder.list, #"{"items":[{"id":"1","name":"Milk","checked":true}]}"#)
    #expect(try server.answer() == updated)
    try Data(#"{"items":[{"id":"1","name":"Milk","checked":false}]}"#.utf8).write(
      to: URL(fileURLWithPath: folder.list))
    #expect(try server.answer() == updated)
    try FileManager.default.removeItem(atPath: folder.list)
    #expect(try server.answer() == updated)
    try folder.writeList(list)
    #expect(try server.answer() == updated)
    try close(server)
  }

  @Test func anotherServersEditAndOnesOwn() throws {
    try folder.writeList(list)
    let server = try open()
    let (ending, _, _) = try Program.run(
      ["--file", folder.list, "call", "add_item", #"{"name":"Tea"}"#], in: folder)
    #expect(ending == .exited(0))
    #expect(try server.answer() == updated)
    try server.send(toolCall(2, "add_item", #"{"name":"Rice"}"#))
    #expect(try WireAnswer(server.answer()).text.hasPrefix("Added Rice.\n"))
    #expect(try server.answer() == updated)
    try close(server)
  }

  @Test func whatSaysTheSameIsNoNews() throws {
    try folder.writeList(list)
    let server = try open()
    // Another style, the same list; then a real change.
    try replace(
      folder.list, "{ \"items\": [ { \"name\": \"Milk\",\n \"id\": \"1\", \"section\": \"Dairy\" } ] }")
    try Data().write(to: URL(fileURLWithPath: folder.file("list/unrelated.txt")))
    try server.send(toolCall(2, "get_shopping_list"))
    #expect(try WireAnswer(server.answer()).text.contains("Milk"))
    try replace(folder.list, #"{"items":[]}"#)
    #expect(try server.answer() == updated)
    try close(server)
  }

  @Test func aListBehindALinkThatIsReplaced() throws {
    try folder.writeList(list)
    try Data(#"{"items":[]}"#.utf8).write(to: URL(fileURLWithPath: folder.file("other.json")))
    let link = folder.file("home/link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.list)
    let server = try open(link)
    try replace(folder.list, #"{"items":[{"id":"2","name":"Tea"}]}"#)
    #expect(try server.answer() == updated)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("home/new"), withDestinationPath: folder.file("other.json"))
    try rename(folder.file("home/new"), link)
    #expect(try server.answer() == updated)
    try replace(folder.file("other.json"), list)
    #expect(try server.answer() == updated)
    try close(server)
  }

  @Test func aFolderThatVanishesAndComesBackWithAnotherList() throws {
    try folder.writeList(list)
    let server = try open()
    try rename(folder.file("list"), folder.file("away"))
    try Data(#"{"items":[]}"#.utf8).write(to: URL(fileURLWithPath: folder.file("away/BananaList.json")))
    try rename(folder.file("away"), folder.file("list"))
    #expect(try server.answer() == updated)
    try close(server)
  }

  @Test func theModernWayAndItsEnds() throws {
    try folder.writeList(list)
    let server = try Program.start(["--file", folder.list], in: folder)
    func listen(_ id: String, _ uri: String) throws -> [String: Any] {
      try server.send(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["\#(uri)"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#
      )
      return try object(server.answer())
    }
    func subscription(_ message: [String: Any]) -> String {
      let params = (message["params"] ?? message["result"]) as? [String: Any]
      let meta = params?["_meta"] as? [String: Any]
      return meta?["io.modelcontextprotocol/subscriptionId"].map { "\($0)" } ?? "none"
    }
    for (id, uri) in [(#""a""#, "shopping-list://current"), ("7", "shopping-list://section/dairy")] {
      let acknowledged = try listen(id, uri)
      #expect(acknowledged["method"] as? String == "notifications/subscriptions/acknowledged")
    }
    try replace(folder.list, #"{"items":[{"id":"1","name":"Milk","checked":true,"section":"Dairy"}]}"#)
    #expect(try subscription(object(server.answer())) == "a")
    #expect(try subscription(object(server.answer())) == "7")
    try server.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#)
    try replace(folder.list, #"{"items":[]}"#)
    #expect(try subscription(object(server.answer())) == "7")
    // A signal ends what is open by its answer.
    server.signal(SIGTERM)
    let last = try object(server.answer())
    #expect(last["id"] as? Int == 7)
    #expect((last["result"] as? [String: Any])?["resultType"] as? String == "complete")
    #expect(try server.end() == .exited(0))
    #expect(server.errorText == "")
  }

  @Test func nothingIsWatchedWithoutASubscriber() throws {
    try folder.writeList(list)
    let server = try open()
    #expect(try waits(for: ["get-bananas", "reader", "signals", "watcher"], of: server))
    try server.send(
      #"{"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"shopping-list://current.md"}}"#
    )
    #expect(try server.answer() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
    #expect(try waits(for: ["get-bananas", "reader", "signals"], of: server))
    try close(server)
  }

  /// Waits until the server has these threads and no others: one names itself, and ends, when it comes to it.
  private func waits(for names: [String], of server: Program) throws -> Bool {
    let start = ContinuousClock.now
    while try threads(of: server).sorted() != names {
      guard ContinuousClock.now - start < .seconds(60) else { return false }
      #expect(try server.answersSoFar(waiting: 5) == [])
    }
    return true
  }

  /// The names of the threads that the server has.
  private func threads(of server: Program) throws -> [String] {
    let tasks = "/proc/\(server.pid)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task in
      // A thread may end between the two looks.
      guard let name = FileManager.default.contents(atPath: "\(tasks)/\(task)/comm") else { return nil }
      return String(decoding: name, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }
}
