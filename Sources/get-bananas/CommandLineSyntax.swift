// The command line, declared once. Parsing (Invocation), the help page (HelpPage) and the suggestions after a mistake
// are derived from the tables here and know no command or option by themselves.
//
//     get-bananas [COMMAND] [OPERAND…] [OPTION…]
//
// Options may stand anywhere, `--file PATH` and `--file=PATH` are the same, the last one of a kind counts, and after
// `--` everything is an operand.

/// What the program can be asked to do.
enum Command: String, CaseIterable {
  case serve, list, call, history, restore, absorb
}

/// What can be said about how.
enum Option: String, CaseIterable {
  case file = "--file"
  case json = "--json"
  case help = "--help"
  case version = "--version"
}

/// The declaration of a command.
struct CommandSyntax {
  let command: Command
  /// The operands by the names that the help gives them, in order.
  let operands: [String]
  /// How many of them must be there.
  let required: Int
  /// What it does, for the help page: short lines.
  let summary: [String]
}

/// The declaration of an option.
struct OptionSyntax {
  let option: Option
  /// A second spelling.
  let short: String?
  /// The name of its value in the help; nil for a flag.
  let value: String?
  /// The commands that know it.
  let commands: Set<Command>
  /// What it does, for the help page: short lines.
  let summary: [String]
}

enum CommandLineSyntax {
  /// The command that is meant where none is given: what a host starts.
  static let standard = Command.serve

  static let commands = [
    CommandSyntax(
      command: .serve, operands: [], required: 0,
      summary: ["speak MCP on standard input and output (also without a command)"]),
    CommandSyntax(command: .list, operands: [], required: 0, summary: ["show the list"]),
    CommandSyntax(
      command: .call, operands: ["TOOL", "JSON"], required: 1,
      summary: ["call one tool, JSON being its arguments, or - to read them from", "standard input"]),
    CommandSyntax(
      command: .history, operands: [], required: 0,
      summary: ["show the versions of the list that are kept, the newest first"]),
    CommandSyntax(
      command: .restore, operands: ["ID"], required: 1,
      summary: ["make the list what it was in that version"]),
    CommandSyntax(
      command: .absorb, operands: ["FILE"], required: 1,
      summary: ["merge a copy of the list that lies beside it, and put it away"]),
  ]

  static let options = [
    OptionSyntax(
      option: .file, short: nil, value: "PATH", commands: Set(Command.allCases),
      summary: ["the list to work on"]),
    OptionSyntax(
      option: .json, short: nil, value: nil, commands: [.list, .call, .history, .restore],
      summary: ["list: the JSON of the file; call, restore: the whole result;", "history: an array"]),
    OptionSyntax(
      option: .help, short: "-h", value: nil, commands: Set(Command.allCases), summary: ["show this page"]),
    OptionSyntax(
      option: .version, short: nil, value: nil, commands: Set(Command.allCases), summary: ["show the version"]
    ),
  ]

  static func syntax(of command: Command) -> CommandSyntax? {
    commands.first { $0.command == command }
  }

  static func option(spelled word: String) -> OptionSyntax? {
    options.first { $0.option.rawValue == word || $0.short == word }
  }
}
