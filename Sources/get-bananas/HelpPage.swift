// What `--help` shows: one screen that leaves a first-time user without a question.
//
// The commands and options come from CommandLineSyntax, the tools and the version from what the server serves, the
// paths from this machine, so the page cannot say anything that is not so.

import MCP

struct HelpPage {
  /// The server's own account of itself.
  let definition: ServerDefinition
  /// Where this executable lies, for the snippet that goes into a host's configuration.
  let program: String
  /// The list that would be used without any option, or why there would be none.
  let list: String

  var text: String {
    let info = definition.info
    return """
      \(info.name) \(info.version), an MCP server. \(info.description)

      Usage: \(info.name) [COMMAND] [OPTIONS]
      \(Self.table(Self.commandRows))

      Options:
      \(Self.table(Self.optionRows))

      The list is --file PATH, else the variable BANANA_LIST_FILE, else the usual place. Now:
        \(list)

      An MCP host (Claude Desktop, Cursor, ...) starts the server when its configuration has
        {"mcpServers": {"\(info.name)": {"command": "\(program)"}}}
      (what each of them wants: \(info.name) config --list), and then has the tools
        \(definition.tools.map(\.name).joined(separator: ", "))

      Try: \(info.name) call add_item '{"name": "Bananas", "amount": "6"}'

      Exit status: 0 done; 1 refused or failed, the text says why; 2 not understood.
      More: README.md and docs/ in the source.

      """
  }

  /// What stands on standard error when a person starts the server on a terminal.
  var greeting: String {
    let info = definition.info
    return """
      \(info.name) \(info.version), an MCP server. \(info.description)
      It waits for JSON-RPC lines, as an MCP host sends them, about \(list).
      Ctrl-D ends it. To see the list: \(info.name) list. To learn more: \(info.name) --help.
      Or type: {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_shopping_list"}}

      """
  }

  private static var commandRows: [(String, [String])] {
    CommandLineSyntax.commands.map { syntax in
      let operands = syntax.operands.enumerated().map {
        $0.offset < syntax.required ? $0.element.name : "[\($0.element.name)]"
      }
      return (([syntax.command.rawValue] + operands).joined(separator: " "), syntax.summary)
    }
  }

  private static var optionRows: [(String, [String])] {
    CommandLineSyntax.options.map { syntax in
      let spellings = syntax.spellings.joined(separator: ", ")
      return (syntax.value.map { "\(spellings) \($0)" } ?? spellings, syntax.summary)
    }
  }

  /// Names on the left, what they mean beside them.
  private static func table(_ rows: [(name: String, lines: [String])]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    let margin = String(repeating: " ", count: width + 4)
    return rows.map { row in
      let name = row.name + String(repeating: " ", count: width - row.name.count)
      return "  \(name)  " + row.lines.joined(separator: "\n\(margin)")
    }.joined(separator: "\n")
  }
}
