// The command line, declared once. Parsing (Invocation), the help page (HelpPage), the manual page (ManualPage), what shells
// complete (CompletionScript) and the suggestions after a mistake are derived from the tables here and know no command or
// option by themselves.
//
//     get-bananas [COMMAND] [OPERAND…] [OPTION…]
//
// Options may stand anywhere, `--file PATH` and `--file=PATH` are the same, the last one of a kind counts, and after
// `--` everything is an operand.

/// What the program can be asked to do.
enum Command: String, CaseIterable {
  case serve, list, call, history, restore, absorb, doctor, config, completion, man
}

/// What can be said about how.
enum Option: String, CaseIterable {
  case file = "--file"
  case json = "--json"
  case hosts = "--list"
  case help = "--help"
  case version = "--version"
}

/// The declaration of an operand. A bare name will do for one that may be anything.
struct Operand: ExpressibleByStringLiteral {
  /// What it may be, for shells to complete.
  enum Values {
    case any, files, tools, hosts, shells
  }

  /// What the help calls it.
  let name: String
  let values: Values

  init(_ name: String, _ values: Values) {
    self.name = name
    self.values = values
  }

  init(stringLiteral name: String) { self.init(name, .any) }
}

/// The declaration of a command.
struct CommandSyntax {
  let command: Command
  /// In order.
  let operands: [Operand]
  /// How many of them must be there.
  let required: Int
  /// What it does, for the help page: short lines.
  let summary: [String]

  /// The same on one line.
  var sentence: String { summary.joined(separator: " ") }
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

  /// How it can be written.
  var spellings: [String] { [short, option.rawValue].compactMap(\.self) }
  /// What it does, on one line.
  var sentence: String { summary.joined(separator: " ") }
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
      command: .call, operands: [Operand("TOOL", .tools), "JSON"], required: 1,
      summary: ["call one tool, JSON being its arguments, or - to read them from", "standard input"]),
    CommandSyntax(
      command: .history, operands: [], required: 0,
      summary: ["show the versions of the list that are kept, the newest first"]),
    CommandSyntax(
      command: .restore, operands: ["ID"], required: 1,
      summary: ["make the list what it was in that version"]),
    CommandSyntax(
      command: .absorb, operands: [Operand("FILE", .files)], required: 1,
      summary: ["merge a copy of the list that lies beside it, and put it away"]),
    CommandSyntax(
      command: .doctor, operands: [], required: 0,
      summary: ["look for what may be wrong with the list, and say what mends it"]),
    CommandSyntax(
      command: .config, operands: [Operand("HOST", .hosts)], required: 0,
      summary: ["show what to put into a host's configuration"]),
    CommandSyntax(
      command: .completion, operands: [Operand("SHELL", .shells)], required: 1,
      summary: ["print what makes bash, zsh or fish complete this program"]),
    CommandSyntax(command: .man, operands: [], required: 0, summary: ["print the manual page"]),
  ]

  static let options = [
    OptionSyntax(
      option: .file, short: nil, value: "PATH",
      commands: Set(Command.allCases).subtracting([.completion, .man]),
      summary: ["the list to work on"]),
    OptionSyntax(
      option: .json, short: nil, value: nil, commands: [.list, .call, .history, .restore, .doctor],
      summary: [
        "list: the JSON of the file; call, restore: the whole result;",
        "history: an array; doctor: for reports",
      ]),
    OptionSyntax(
      option: .hosts, short: nil, value: nil, commands: [.config],
      summary: ["config: the hosts that are known"]),
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
