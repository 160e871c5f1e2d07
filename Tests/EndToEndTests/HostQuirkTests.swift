// What hosts are known to do, the odd things among it: each is served, or ends the server as it should.

import Foundation
import Testing

@Suite struct HostQuirkTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// What is answered to this input, line by line.
  private func serve(_ input: String) throws -> [[String: Any]] {
    let (ending, output, errors) = try Program.run(["--file", folder.list], input: input, in: folder)
    #expect(ending == .exited(0))
    #expect(errors == "")
    return try output.split(separator: "\n").map { try object(String($0)) }
  }

  private func texts(_ answers: [[String: Any]]) -> [String] {
    answers.map { answer in
      let result = answer["result"] as? [String: Any]
      let content = result?["content"] as? [[String: Any]]
      return content?.first?["text"] as? String ?? ""
    }
  }

  private func initialize(_ id: String, _ revision: String, _ capabilities: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"initialize","params":{"protocolVersion":"\#(revision)","capabilities":\#(capabilities),"clientInfo":{"name":"host","version":"1"}}}"#
      + "\n"
  }

  private let initialized = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"# + "\n"

  private func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
  }

  private let envelope =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  // MARK: What is sent

  @Test func zeroAndTextsAreIDs() throws {
    let ids = ["0", #""""#, #""0""#, #""a-b""#, "-1", "4294967296"]
    let (_, output, _) = try Program.run(
      ["--file", folder.list], input: ids.map { request($0, "ping") }.joined(), in: folder)
    #expect(
      output.split(separator: "\n").map(String.init)
        == ids.map { #"{"jsonrpc":"2.0","id":\#($0),"result":{}}"# })
  }

  @Test func argumentsMayBeMissingNullOrText() throws {
    let answers = try serve(
      request("1", "tools/call", #"{"name":"get_shopping_list"}"#)
        + request("2", "tools/call", #"{"name":"get_shopping_list","arguments":null}"#)
        + request("3", "tools/call", #"{"name":"add_item","arguments":"{\"name\":\"Milk\"}"}"#)
        + request(
          "4", "tools/call", #"{"name":"add_item","arguments":{"items":"[\"Tea\",\"Rice\"]","name":""}}"#))
    #expect(
      // Below it stands how to undo it.
      texts(answers).map { $0.prefix { $0 != "\n" } } == [
        "The shopping list is empty. Revision \(try revision(answers[0])).",
        "The shopping list is empty. Revision \(try revision(answers[0])).", "Added Milk.",
        "Added Tea and Rice.",
      ])
  }

  private func revision(_ answer: [String: Any]) throws -> String {
    let structured = (answer["result"] as? [String: Any])?["structuredContent"] as? [String: Any]
    return try #require(structured?["revision"] as? String)
  }

  @Test func requestsBeforeInitialized() throws {
    let answers = try serve(
      request("1", "tools/list") + initialize("2", "2025-06-18") + request("3", "tools/list")
        + request("4", "tools/call", #"{"name":"add_item","arguments":{"name":"Milk"}}"#) + initialized
        + request("5", "resources/list"))
    #expect(answers.map { $0["id"] as? Int } == [1, 2, 3, 4, 5])
    #expect(answers.allSatisfy { $0["result"] != nil })
  }

  @Test func aSecondInitialize() throws {
    let answers = try serve(
      initialize("0", "2025-06-18") + initialized + request("1", "tools/list") + initialize("0", "2024-11-05")
        + request("1", "tools/list"))
    let revisions = answers.compactMap { ($0["result"] as? [String: Any])?["protocolVersion"] as? String }
    #expect(revisions == ["2025-06-18", "2024-11-05"])
    let titles = answers.compactMap { answer -> Bool? in
      let tools = (answer["result"] as? [String: Any])?["tools"] as? [[String: Any]]
      return tools.map { $0.contains { $0["title"] != nil } }
    }
    #expect(titles == [true, false])
  }

  @Test func discoverFollowedByInitialize() throws {
    let answers = try serve(
      request("0", "server/discover", "{\(envelope)}") + initialize("1", "2025-11-25") + initialized
        + request("2", "tools/list"))
    let results = answers.compactMap { $0["result"] as? [String: Any] }
    #expect(results.count == 3)
    #expect(results.first?["supportedVersions"] as? [String] == ["2026-07-28"])
    #expect(results.dropFirst().first?["protocolVersion"] as? String == "2025-11-25")
    #expect(results.last?["resultType"] == nil, "served by the handshake's rules")
  }

  @Test func carriageReturnsByteOrderMarkAndBlankLines() throws {
    let (ending, output, errors) = try Program.run(
      ["--file", folder.list],
      input: "\u{FEFF}" + #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\r\n\r\n  \n\t\r\n\n"
        + #"{"jsonrpc":"2.0","id":2,"method":"ping"}"# + "\r\n \u{FEFF}\n", in: folder)
    #expect(ending == .exited(0))
    #expect(errors == "")
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines.prefix(2) == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":2,"result":{}}"#])
    #expect(!output.contains("\r"))
  }

  @Test func whatIsNotDeclaredAndAskedForAllTheSame() throws {
    let answers = try serve(
      request("1", "logging/setLevel", #"{"level":"debug"}"#) + initialize("2", "2025-03-26") + initialized
        + request("3", "prompts/list") + request("4", "logging/setLevel", #"{"level":"info"}"#)
        + request("5", "resources/templates/list"))
    #expect(answers.allSatisfy { $0["result"] != nil })
    #expect(((answers[2]["result"] as? [String: Any])?["prompts"] as? [Any])?.isEmpty == true)
  }

  // MARK: The streams

  /// More answers than any pipe holds.
  private func flood(_ server: Program) throws {
    for id in 1...2_000 { try server.send(request("\(id)", "tools/list").trimmingCharacters(in: .newlines)) }
  }

  @Test func aClientThatStopsReadingIsGivenUpAtASignal() throws {
    try folder.writeList(#"{"items":[{"id":"1","name":"Milk"}]}"#)
    let server = try Program.start(["--file", folder.list], in: folder)
    try flood(server)
    // It has begun to write, and cannot go on.
    #expect(try server.answer()?.hasPrefix(#"{"jsonrpc":"2.0","id":1,"#) == true)
    server.signal(SIGTERM)
    try server.waitForTheEndWithoutReading()
    #expect(try server.end() == .exited(0))
    #expect(server.errorText == "")
    #expect(try folder.besideTheList().isEmpty)
  }

  @Test func aClientThatStopsReadingAndGoesEndsIt() throws {
    let server = try Program.start(["--file", folder.list], in: folder)
    try flood(server)
    #expect(try server.answer() != nil)
    server.closeOutput()
    #expect(try server.end() == .exited(0))
    #expect(server.errorText == "")
  }

  @Test func standardOutputThatIsClosedFromTheBeginning() throws {
    let (ending, _, errors) = try Program.run(
      ["-c", #""$0" --file "$1" >&-"#, Program.path, folder.list], executable: "/bin/sh",
      input: toolCall(1, "add_item", #"{"name":"Milk"}"#), in: folder)
    #expect(ending == .exited(0))
    #expect(errors == "")
    #expect(try names(in: folder.listBytes()) == ["Milk"], "and no answer went into the list")
  }

  /// Takes half a minute, beside the other tests.
  @Test func aParentThatDiesAndLeavesThePipeOpen() throws {
    // The shell waits for its child; killed, it leaves the child with the pipes that this test holds open.
    let shell = try Program.start(
      ["-c", #"exec 3<&0; "$0" --file "$1" <&3 & wait"#, Program.path, folder.list], executable: "/bin/sh",
      in: folder)
    try shell.send(request("1", "ping").trimmingCharacters(in: .newlines))
    #expect(try shell.answer() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    shell.signal(SIGKILL)
    #expect(try shell.outputToTheEnd() == "", "its output ends with it")
    #expect(shell.errorText == "")
  }
}
