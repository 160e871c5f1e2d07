// What a host, or a person with a terminal, can rely on at either end of the pipe.

import Foundation
import Testing

@Suite struct ConversationTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func serve(_ input: String) throws -> [WireAnswer] {
    let (ending, output, errors) = try Program.run(["--file", folder.list], input: input, in: folder)
    #expect(ending == .exited(0))
    #expect(errors == "")
    return try lines(output).map { try WireAnswer($0) }
  }

  private func lines(_ output: String) -> [String] {
    #expect(output.isEmpty || output.hasSuffix("\n"), "the last line has no end")
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func linesByHandNeedNoHandshake() throws {
    let answers = try serve(
      toolCall(1, "add_item", #"{"name":"Milk","amount":"2 l"}"#) + "\n" + toolCall(2, "get_shopping_list")
        + "\n")
    #expect(answers.map(\.id) == [1, 2])
    #expect(answers[1].text.contains("Milk (2 l)"))
  }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func everyHandshakeIsAnswered(revision: String) throws {
    let answers = try serve(
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\(revision)","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/list"}

      """)
    #expect(answers.map(\.id) == [1, 2])
    #expect(answers[0].result?["protocolVersion"] as? String == revision)
    let tools = answers[1].result?["tools"] as? [[String: Any]]
    #expect(
      tools?.compactMap { $0["name"] as? String }.sorted() == [
        "add_item", "get_shopping_list", "remove_item", "update_item", "update_shopping_list",
      ])
  }

  @Test func aLastLineWithoutItsEndIsServed() throws {
    let answers = try serve(
      toolCall(1, "add_item", #"{"name":"Milk"}"#) + "\n" + toolCall(2, "add_item", #"{"name":"Tea"}"#))
    #expect(answers.map(\.id) == [1, 2])
    #expect(try names(in: folder.listBytes()) == ["Milk", "Tea"])
  }

  @Test func endOfInputWithoutAnyLineIsNoError() throws {
    #expect(try serve("").isEmpty)
    #expect(try folder.besideTheList().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.list))
  }

  @Test func everythingAcceptedIsAnsweredBeforeTheEnd() throws {
    let count = 1_000
    let server = try Program.start(["--file", folder.list], in: folder)
    // All of it is written before anything is read, so the answers fill their pipe long before the last request.
    for id in 1...count {
      try server.send(
        id.isMultiple(of: 100)
          ? toolCall(id, "add_item", #"{"name":"Item \#(id)"}"#) : toolCall(id, "get_shopping_list"))
    }
    server.closeInput()
    let answers = try lines(server.outputToTheEnd()).map { try WireAnswer($0) }
    #expect(try server.end() == .exited(0))
    #expect(answers.map(\.id) == Array(1...count))
    #expect(answers.allSatisfy { !$0.isError })
    #expect(try names(in: folder.listBytes()).count == count / 100)
    #expect(server.errorText == "")
  }

  @Test func nothingButMessagesIsOnStandardOutput() throws {
    let answers = try serve(
      """
      this is not JSON
      {"jsonrpc":"2.0","id":1,"method":"no/such"}

      {"jsonrpc":"2.0","method":"notifications/whatever"}
      []
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"no_such_tool"}}
      {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add_item","arguments":{"quantity":2}}}
      {"jsonrpc":"2.0","id":4,"method":"ping"}

      """)
    #expect(answers.map { $0.error?["code"] as? Int } == [-32700, -32601, -32600, -32602, nil, nil])
    #expect(answers.map(\.id) == [nil, 1, nil, 2, 3, 4])
    #expect(answers[4].isError)
    #expect(answers[5].result?.isEmpty == true)
  }

  @Test func aReaderThatHasGoneEndsItQuietly() throws {
    let server = try Program.start(["--file", folder.list], in: folder)
    server.closeOutput()
    // The input stays open: the end comes from the answer that nobody takes.
    try server.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
    #expect(try server.end() == .exited(0))
    #expect(server.errorText == "")
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalEndsItCleanly(signal: Int32) throws {
    let server = try Program.start(["--file", folder.list], in: folder)
    try server.send(toolCall(1, "add_item", #"{"name":"Milk"}"#))
    #expect(try WireAnswer(server.answer()).isError == false)
    server.signal(signal)
    #expect(try server.end() == .exited(0))
    #expect(try names(in: folder.listBytes()) == ["Milk"])
    #expect(try folder.besideTheList().isEmpty)
    #expect(server.errorText == "")
  }

  @Test func lookingAtTheToolsTouchesNothing() throws {
    let (ending, _, _) = try Program.run(
      ["--file", folder.list],
      input: #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"# + "\n" + toolCall(2, "get_shopping_list")
        + "\n", in: folder)
    #expect(ending == .exited(0))
    #expect(try folder.besideTheList().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.list))
    #expect(!FileManager.default.fileExists(atPath: folder.file("state")))
  }

  @Test func theResourceIsTheFileAsItIs() throws {
    let text = "{\"items\" : [ {\"name\":\"Milk\",\"price\":1.10} ],\n\n  \"note\":\"m\\u0069ne\"}"
    try folder.writeList(text)
    let answers = try serve(
      #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"shopping-list://current"}}"#)
    let contents = answers.first?.result?["contents"] as? [[String: Any]]
    #expect(contents?.first?["text"] as? String == text)
    #expect(try String(decoding: folder.listBytes(), as: UTF8.self) == text)
  }
}
