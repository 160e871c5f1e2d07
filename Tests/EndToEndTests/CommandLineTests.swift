// What a person at a terminal, or a script, gets from the executable.

import Foundation
import Testing

@Suite struct CommandLineTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:], directory: String? = nil
  ) throws -> (ending: Ending, output: String, errors: String) {
    try Program.run(arguments, input: input, in: folder, environment: environment, directory: directory)
  }

  // MARK: Help and mistakes

  @Test func theHelpAnswersWhatAFirstTimeUserAsks() throws {
    let (ending, output, errors) = try run("--help", environment: ["BANANA_LIST_FILE": folder.list])
    #expect(ending == .exited(0))
    #expect(errors == "")
    for answer in [
      "MCP", "--file PATH", "BANANA_LIST_FILE", folder.list, "serve", "list", "call TOOL [JSON]", "--json",
      "mcpServers",
      Program.path, "add_item", "Exit status", "docs/",
    ] { #expect(output.contains(answer), "the help does not mention \(answer)") }
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 36, "one screen")
    #expect(
      lines.filter { !$0.contains(folder.path) && !$0.contains(Program.path) }.allSatisfy { $0.count <= 100 })
    for other in [["-h"], ["list", "--help"], ["call", "--help"]] {
      let (ending, page, _) = try Program.run(
        other, in: folder, environment: ["BANANA_LIST_FILE": folder.list])
      #expect(ending == .exited(0))
      #expect(page == output)
    }
  }

  @Test func theVersionIsTheOneThatTheServerTells() throws {
    let (ending, output, _) = try run("--version")
    #expect(ending == .exited(0))
    let answer = try Program.run(
      [],
      input:
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
      in: folder)
    let info = try WireAnswer(answer.output).result?["serverInfo"] as? [String: Any]
    let version = try #require(info?["version"] as? String)
    #expect(output == "get-bananas \(version)\n")
  }

  @Test(arguments: [
    (["lst"], "unknown command lst; did you mean list?"),
    (["help"], "unknown command help; did you mean --help?"),
    (["frobnicate"], "unknown command frobnicate; known are"),
    (["--fil", "x"], "unknown option --fil; did you mean --file?"),
    (["list", "--jsn"], "unknown option --jsn; did you mean --json?"),
    (["-x"], "unknown option -x; known are"),
    (["--json"], "serve has no --json"),
    (["--file"], "--file needs a value: --file PATH"),
    (["list", "--json=yes"], "--json takes no value"),
    (["list", "Milk"], "list has no use for Milk"),
    (["call"], "call needs TOOL"),
    (["call", "ad_item", "{}"], "unknown tool ad_item; did you mean add_item?"),
    (["call", "add_item", "{"], "the arguments are not JSON"),
    (["call", "add_item", "[]"], "the arguments are no JSON object"),
  ])
  func aMistakeIsNamedOnStandardErrorWithStatus2(words: [String], says: String) throws {
    let (ending, output, errors) = try Program.run(words, in: folder)
    #expect(ending == .exited(2))
    #expect(output == "")
    #expect(errors.contains(says), "\(errors)")
    #expect(errors.contains("get-bananas --help"))
  }

  #if os(Linux)
    @Test func onATerminalItSaysWhatItIsAndServes() throws {
      // script(1) is a part of every Debian; it gives its child a terminal.
      let (ending, output, _) = try Program.run(
        ["-qec", "\(Program.path) --file \(folder.list)", "/dev/null"], executable: "/usr/bin/script",
        input: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n", in: folder)
      #expect(ending == .exited(0))
      #expect(output.contains("an MCP server"))
      #expect(output.contains(folder.list))
      #expect(output.contains("get-bananas --help"))
      #expect(output.contains(#"{"jsonrpc":"2.0","id":1,"result":{}}"#))
    }
  #endif

  // MARK: The path of the list

  @Test func aServerRefusesARelativePathAndOtherCommandsResolveIt() throws {
    let (ending, output, errors) = try run(
      "--file", "BananaList.json", input: toolCall(1, "add_item", #"{"name":"Milk"}"#),
      directory: folder.file("list"))
    #expect(ending == .exited(2))
    #expect(output == "")
    #expect(errors.contains("BananaList.json"))
    #expect(!FileManager.default.fileExists(atPath: folder.list))

    let called = try run(
      "call", "add_item", #"{"name":"Milk"}"#, "--file", "BananaList.json", directory: folder.file("list"))
    #expect(called.ending == .exited(0))
    #expect(try names(in: folder.listBytes()) == ["Milk"])
  }

  @Test func theVariableNamesTheListUnlessAHostLeftItUnfilled() throws {
    for (value, used) in [(folder.list, true), ("", false), ("${user_config.list}", false)] {
      let (ending, _, _) = try run(
        "call", "add_item", #"{"name":"Milk"}"#, environment: ["BANANA_LIST_FILE": value])
      #expect(ending == .exited(0))
      let path = used ? folder.list : folder.file("home/.local/share/get-bananas/BananaList.json")
      #expect(try names(in: Data(contentsOf: URL(fileURLWithPath: path))) == ["Milk"])
    }
  }

  // MARK: list

  @Test func theListIsShownToAPerson() throws {
    #expect(try run("list", "--file", folder.list).ending == .exited(0))
    try folder.writeList(
      """
      {"sections":["Dairy","Bakery"],"items":[
      {"id":"1","name":"Milk","amount":"2 l","section":"Dairy","checked":true},
      {"id":"2","name":"Bread","section":"Bakery"}]}
      """)
    let (ending, output, errors) = try run("list", "--file", folder.list)
    #expect(ending == .exited(0))
    #expect(errors == "")
    for line in ["Dairy", "- [x] Milk (2 l)", "Bakery", "- [ ] Bread"] {
      #expect(output.split(separator: "\n").contains { $0 == line }, "\(output)")
    }
  }

  @Test func theListAsJSONIsTheFile() throws {
    let text = #"{ "items" : [ {"name":"Milk", "mine":1.0} ] }"#
    try folder.writeList(text)
    #expect(try run("list", "--json", "--file", folder.list).output == text)
  }

  @Test func aListThatCannotBeReadIsStatus1() throws {
    try folder.writeList("{")
    for arguments in [["list"], ["list", "--json"]] {
      let (ending, output, errors) = try Program.run(arguments + ["--file", folder.list], in: folder)
      #expect(ending == .exited(1))
      #expect(output == "")
      #expect(errors.contains(folder.list))
    }
  }

  @Test func aReaderThatHasSeenEnoughIsNoError() throws {
    try folder.writeList(#"{"items":[{"name":"Milk"}]}"#)
    let program = try Program.start(["list", "--file", folder.list], in: folder)
    program.closeOutput()
    #expect(try program.end() == .exited(0))
    #expect(program.errorText == "")
  }

  // MARK: call

  @Test func aCallGoesTheWayOfAHostsCall() throws {
    let added = try run("call", "add_item", #"{"name":"Milk","amount":"2 l"}"#, "--file", folder.list)
    #expect(added.ending == .exited(0))
    #expect(added.output.contains("Milk (2 l)"))
    #expect(added.output.hasSuffix("\n"))

    let shown = try run("call", "get_shopping_list", "--file", folder.list)
    #expect(shown.ending == .exited(0))
    #expect(shown.output.contains("- [ ] Milk (2 l)"))

    // The same guard as for a host that cannot ask its user.
    let refused = try run("call", "update_shopping_list", #"{"items":[]}"#, "--file", folder.list)
    #expect(refused.ending == .exited(1))
    #expect(try names(in: folder.listBytes()) == ["Milk"])
  }

  @Test func argumentsMayComeFromStandardInput() throws {
    let (ending, _, _) = try run("call", "add_item", "-", "--file", folder.list, input: #"{"name":"Milk"}"#)
    #expect(ending == .exited(0))
    #expect(try names(in: folder.listBytes()) == ["Milk"])
  }

  @Test func theWholeResultIsJSONOnRequest() throws {
    let (ending, output, _) = try run(
      "call", "add_item", #"{"name":"Milk"}"#, "--json", "--file=\(folder.list)")
    #expect(ending == .exited(0))
    let result = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    #expect(result?["content"] != nil)
    let structured = result?["structuredContent"] as? [String: Any]
    #expect((structured?["added"] as? [[String: Any]])?.first?["name"] as? String == "Milk")
  }

  @Test func aRefusalIsStatus1AndSaysWhyOnStandardError() throws {
    let (ending, output, errors) = try run("call", "remove_item", #"{"name":"Milk"}"#, "--file", folder.list)
    #expect(ending == .exited(1))
    #expect(output == "")
    #expect(errors.contains("Milk"))
  }
}
