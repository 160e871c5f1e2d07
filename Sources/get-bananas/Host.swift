// `config`: what a person puts into a host's configuration so that it starts this very executable.
//
//     get-bananas config codex                      # the snippet on standard output, where it goes on standard error
//     get-bananas config zed --file ~/lists/BananaList.json
//
// Nobody's file is edited. Each host has its own format, and each format its own way to write a path: JSON goes through
// the encoder, TOML and YAML quote as JSON does (both take its escapes), the shell has quotes of its own.

import JSON
import Platform

/// A program that starts MCP servers.
enum Host: String, CaseIterable {
  case claudeDesktop = "claude-desktop"
  case claudeCode = "claude-code"
  case cursor
  case vsCode = "vscode"
  case zed
  case codex
  case gemini
  case goose

  /// Its own name for itself.
  var title: String {
    switch self {
    case .claudeDesktop: "Claude Desktop"
    case .claudeCode: "Claude Code"
    case .cursor: "Cursor"
    case .vsCode: "VS Code"
    case .zed: "Zed"
    case .codex: "Codex"
    case .gemini: "Gemini CLI"
    case .goose: "Goose"
    }
  }

  /// Where the snippet goes.
  var place: String {
    switch self {
    case .claudeDesktop:
      "claude_desktop_config.json (Settings, Developer, Edit Config); restart Claude Desktop afterwards"
    case .claudeCode: "a shell; it is a command that makes the entry for all your projects"
    case .cursor: "~/.cursor/mcp.json, or .cursor/mcp.json in a project"
    case .vsCode:
      "the file that the command \"MCP: Open User Configuration\" opens, or .vscode/mcp.json in a folder"
    case .zed: "settings.json (the command \"zed: open settings\")"
    case .codex: "~/.codex/config.toml"
    case .gemini: "~/.gemini/settings.json, or .gemini/settings.json in a project"
    case .goose:
      "~/.config/goose/config.yaml; if it has extensions already, without the first line below them"
    }
  }
}

/// How a host is to start the server.
struct HostConfiguration {
  /// The server's name in the host's list.
  let name: String
  let description: String
  /// The absolute path of the executable.
  let program: String
  /// The absolute path of the list; nil for the usual place.
  let list: String?

  private var arguments: [String] { list.map { ["--file", $0] } ?? [] }

  /// What goes into the host's configuration, with a newline at its end.
  func snippet(for host: Host) -> String {
    switch host {
    case .claudeDesktop, .cursor, .gemini: return json(under: "mcpServers", [])
    case .vsCode: return json(under: "servers", [("type", "stdio")])
    case .zed: return json(under: "context_servers", [])
    case .claudeCode:
      let words = ["claude", "mcp", "add", "--scope", "user", name, "--", program] + arguments
      return words.map(shellQuoted).joined(separator: " ") + "\n"
    case .codex:
      return """
        [mcp_servers.\(name)]
        command = \(quoted(program))
        args = [\(arguments.map(quoted).joined(separator: ", "))]

        """
    case .goose:
      return """
        extensions:
          \(name):
            enabled: true
            type: stdio
            name: \(name)
            description: \(quoted(description))
            cmd: \(quoted(program))
            args: [\(arguments.map(quoted).joined(separator: ", "))]
            timeout: 300

        """
    }
  }

  private func json(under key: String, _ first: [(key: String, value: JSONValue)]) -> String {
    let entry = JSONValue.object(
      first + [("command", JSONValue(program)), ("args", .array(arguments.map { JSONValue($0) }))])
    let root = JSONValue.object([(key, .object([(name, entry)]))])
    return String(decoding: root.encoded(style: .node), as: UTF8.self) + "\n"
  }

  /// A string in double quotes for TOML and YAML. Both take JSON's escapes; TOML wants DEL escaped as well.
  private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONValue(text).appendCompact(to: &bytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\u{7F}", omittingEmptySubsequences: false)
      .joined(separator: "\\u007F")
  }
}
