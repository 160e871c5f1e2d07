// `man`: the manual page, in the man(7) macros that both groff and mandoc know.
//
//     get-bananas man | man -l -
//
// Made from the tables of CommandLineSyntax and from what the server says of itself, as the help page is.

import MCP

struct ManualPage {
  /// The server's own account of itself.
  let definition: ServerDefinition

  var text: String {
    let info = definition.info
    let name = escaped(info.name)
    var lines = [
      #".\" Made by get-bananas man."#,
      ".TH \(info.name.uppercased()) 1 \"\" \"\(info.name) \(info.version)\" \"User Commands\"",
      ".SH NAME",
      #"\#(name) \- an MCP server for one shopping list"#,
      ".SH SYNOPSIS",
    ]
    for syntax in CommandLineSyntax.commands { lines += ["\\fB\(name)\\fR \(synopsis(syntax))", ".br"] }
    lines += [".SH DESCRIPTION", escaped(info.description)]
    lines += [
      "An MCP host starts it and speaks JSON\\-RPC with it on standard input and output; a person looks at the list, and",
      "at what may be wrong with it, by its other commands.",
    ]
    lines += section("COMMANDS", CommandLineSyntax.commands.map { (synopsis($0), $0.sentence + ".") })
    lines += section("OPTIONS", CommandLineSyntax.options.map { (spellings($0), $0.sentence + ".") })
    lines += section(
      "TOOLS", definition.tools.map { ("\\fB\(escaped($0.name))\\fR", firstSentence($0.description)) })
    lines += section("ENVIRONMENT", Self.variables.map { ("\\fB\($0.name)\\fR", $0.meaning) })
    lines += section("FILES", Self.files.map { ("\\fI\(escaped($0.name))\\fR", $0.meaning) })
    lines += section("EXIT STATUS", ExitStatus.allCases.map { ("\\fB\($0.rawValue)\\fR", $0.meaning) })
    lines += [".SH EXAMPLES", ".EX"] + Self.examples.map { "\(name) \(escaped($0))" } + [".EE"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A heading, and an entry for each term, which is in roff already, and its meaning, which is plain text.
  private func section(_ title: String, _ entries: [(term: String, meaning: String)]) -> [String] {
    [".SH \(title)"] + entries.flatMap { [".TP", $0.term, escaped($0.meaning)] }
  }

  private static let files: [(name: String, meaning: String)] = [
    ("~/.local/share/get-bananas/BananaList.json", "The list, where nothing names another one."),
    ("~/.local/state/get-bananas/", "Earlier versions of lists, and what was put away beside them."),
    ("BananaList.json.lock", "Beside the list while it is written. It names its holder."),
  ]

  private static let examples = [
    #"call add_item '{"name": "Bananas", "amount": "6"}'"#, "list", "config codex >>~/.codex/config.toml",
  ]

  private static let variables: [(name: String, meaning: String)] = [
    ("BANANA_LIST_FILE", "The list, unless --file names one. An empty value counts as none."),
    ("XDG_DATA_HOME", "Where the usual place of the list is, instead of ~/.local/share."),
    ("XDG_STATE_HOME", "Where earlier versions are kept, instead of ~/.local/state."),
    ("HOME", "The home folder, unless it is that of the user database."),
  ]

  private func synopsis(_ syntax: CommandSyntax) -> String {
    let operands = syntax.operands.enumerated().map { place, operand in
      place < syntax.required ? "\\fI\(operand.name)\\fR" : "[\\fI\(operand.name)\\fR]"
    }
    return (["\\fB\(escaped(syntax.command.rawValue))\\fR"] + operands).joined(separator: " ")
  }

  private func spellings(_ syntax: OptionSyntax) -> String {
    let spellings = syntax.spellings.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    return syntax.value.map { "\(spellings) \\fI\($0)\\fR" } ?? spellings
  }

  private func firstSentence(_ text: String) -> String {
    var sentence = ""
    for character in text {
      if character == " " && sentence.hasSuffix(".") { break }
      sentence.append(character)
    }
    return sentence
  }

  /// Text as roff shows it unchanged: a backslash and a hyphen are its own, and so is a point or an apostrophe at the
  /// start of a line.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "~": escaped += "\\(ti"
      default: escaped.append(character)
      }
    }
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
