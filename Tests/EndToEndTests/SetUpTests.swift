// What the program gives the person who installs it: configuration for hosts, completion for shells, a manual page. Each
// is read by the program that it is for, or by a second reader of its format.

import Foundation
import Testing

@Suite struct SetUpTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func output(_ arguments: String...) throws -> String {
    let (ending, output, _) = try Program.run(arguments, in: folder)
    #expect(ending == .exited(0), "\(arguments)")
    return output
  }

  /// Runs a program of the machine; nil where there is none.
  private func run(_ executable: String, _ arguments: String..., input: String = "") throws -> String? {
    guard FileManager.default.isExecutableFile(atPath: executable) else { return nil }
    let (ending, output, errors) = try Program.run(
      arguments, executable: executable, input: input, in: folder)
    #expect(ending == .exited(0), "\(executable): \(errors)")
    #expect(errors == "", "\(executable)")
    return output
  }

  // MARK: config

  /// Everything that any of the formats gives a meaning.
  private static let name = "it's a \"list\" \\ of $things #1: {a}, é\t`x`\u{7F}.json"

  @Test(arguments: [
    ("claude-desktop", "mcpServers"), ("cursor", "mcpServers"), ("gemini", "mcpServers"),
    ("vscode", "servers"),
    ("zed", "context_servers"),
  ])
  func aHostThatReadsJSONGetsThisExecutableAndTheList(host: String, key: String) throws {
    let list = folder.file(Self.name)
    let text = try output("config", host, "--file", list)
    let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String: [String: Any]]]
    let entry = try #require(root?[key]?["get-bananas"])
    let program = try #require(entry["command"] as? String)
    #expect(program == URL(fileURLWithPath: Program.path).resolvingSymlinksInPath().path)
    #expect(entry["args"] as? [String] == ["--file", list])
    #expect(entry["type"] as? String == (host == "vscode" ? "stdio" : nil))
  }

  @Test func aShellReadsTheCommandForClaudeCodeBack() throws {
    let list = folder.file(Self.name)
    let text = try output("config", "claude-code", "--file", list)
    // In place of the host's command, one that prints its words.
    let words = try #require(
      try run("/bin/sh", "-c", "claude() { printf '%s\\0' \"$@\"; }\n\(text)")?.split(separator: "\0").map(
        String.init))
    #expect(words.prefix(5) == ["mcp", "add", "--scope", "user", "get-bananas"])
    #expect(words.suffix(3).dropFirst() == ["--file", list])
  }

  @Test(arguments: ["codex", "goose"])
  func aQuotedPathIsEscapedForTOMLAndYAML(host: String) throws {
    let text = try output("config", host, "--file", "/l/\(Self.name)")
    let escaped = #""/l/it's a \"list\" \\ of $things #1: {a}, é\t`x`\u007F.json""#
    #expect(text.contains(#"["--file", \#(escaped)]"#), "\(text)")
    #expect(text.hasPrefix(host == "codex" ? "[mcp_servers.get-bananas]\n" : "extensions:\n  get-bananas:\n"))
  }

  @Test func withoutANamedListTheHostGetsTheUsualPlace() throws {
    #expect(try output("config", "codex").hasSuffix("\nargs = []\n"))
    let named = try Program.run(
      ["config", "codex"], in: folder, environment: ["BANANA_LIST_FILE": "/l/a.json"])
    #expect(named.output.hasSuffix("\nargs = [\"--file\", \"/l/a.json\"]\n"))
    #expect(named.errors.contains("config.toml"))
  }

  @Test func theHostsAreListedAndAMistakeIsNamed() throws {
    let hosts = try output("config", "--list").split(separator: "\n").compactMap {
      $0.split(separator: " ").first
    }
    #expect(
      hosts == ["claude-desktop", "claude-code", "cursor", "vscode", "zed", "codex", "gemini", "goose"])
    for (words, says) in [(["config"], "one of claude-desktop"), (["config", "zedd"], "did you mean zed?")] {
      let (ending, output, errors) = try Program.run(words, in: folder)
      #expect(ending == .exited(2))
      #expect(output == "")
      #expect(errors.contains(says))
    }
  }

  // MARK: completion

  @Test(arguments: [
    ([""], ["serve", "list", "call"]), (["li"], ["list"]), (["call", "add"], ["add_item"]),
    (["config", "cur"], ["cursor"]), (["completion", ""], ["bash", "zsh", "fish"]),
    (["list", "--j"], ["--json"]), (["--file", "x", "li"], ["list"]),
    (["--file", "BananaL"], ["BananaList.json"]),
    (["--file", "=", "BananaL"], ["BananaList.json"]),
  ])
  func bashCompletes(words: [String], offers: [String]) throws {
    try folder.writeList("{}")
    let script =
      try output("completion", "bash") + """
        cd '\(folder.file("list"))'
        COMP_WORDS=(get-bananas "$@"); COMP_CWORD=$#; _get_bananas
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    let (ending, output, errors) = try Program.run(
      ["-c", script, "bash"] + words, executable: "/bin/bash", in: folder)
    #expect(ending == .exited(0))
    #expect(errors == "")
    let offered = output.split(separator: "\n").map(String.init)
    #expect(offered.prefix(offers.count) == offers[...], "\(offered)")
    if words != [""] { #expect(offered.count == offers.count) }
  }

  @Test func zshAndFishReadTheirScripts() throws {
    let zsh = try output("completion", "zsh")
    #expect(zsh.hasPrefix("#compdef get-bananas\n"))
    _ = try run("/usr/bin/zsh", "-n", input: zsh)
    let fish = try output("completion", "fish")
    #expect(fish.contains("-a list "))
    let completed = try run(
      "/usr/bin/fish", "--no-config", "-c", "\(fish)\ncomplete -C'get-bananas call add'")
    #expect(completed == nil || completed == "add_item\n")
  }

  // MARK: man

  @Test func theManualPageHasEveryCommandAndOption() throws {
    let page = try output("man")
    let help = try output("--help")
    for word in ["serve", "list", "call", "config", "completion", "man", "--file", "--json", "add_item"] {
      #expect(help.contains(word))
      #expect(page.contains(word.replacingOccurrences(of: "-", with: "\\-")), "\(word)")
    }
    _ = try run("/usr/bin/groff", "-man", "-ww", "-z", input: page)
  }
}
