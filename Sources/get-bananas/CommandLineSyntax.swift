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

/// What can be said about how. What a start needs to know of an option is said here by itself: a host waits for it, and
/// making the whole table would take a sixth of that time.
enum Option: String, CaseIterable {
  case file = "--file"
  case json = "--json"
  case hosts = "--list"
  case help = "--help"
  case version = "--version"

  /// The option that is written so, in either spelling.
  init?(spelled word: String) {
    if word == "-h" {
      self = .help
    } else {
      self.init(rawValue: word)
    }
  }

  /// A second spelling.
  var short: String? { self == .help ? "-h" : nil }

  /// The name of its value in the help; nil for a flag.
  var value: String? { self == .file ? "PATH" : nil }

  /// Whether the command knows it.
  func belongs(to command: Command) -> Bool {
    switch self {
    case .file: command != .completion && command != .man
    case .json:
      switch command {
      case .list, .call, .history, .restore, .doctor: true
      default: false
      }
    case .hosts: command == .config
    case .help, .version: true
    }
  }
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
  var short: String? { option.short }
  /// The name of its value in the help; nil for a flag.
  var value: String? { option.value }
  /// The commands that know it.
  let commands: [Command]
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

  static let commands = Command.allCases.map(syntax(of:))

  static let options = Option.allCases.map { option in
    OptionSyntax(
      option: option, commands: Command.allCases.filter { option.belongs(to: $0) }, summary: summary(of: option))
  }

  static func syntax(of command: Command) -> CommandSyntax {
    switch command {
    case .serve:
      CommandSyntax(
        command: .serve, operands: [], required: 0,
        summary: ["speak MCP on standard input and output (also without a command)"])
    case .list: CommandSyntax(command: .list, operands: [], required: 0, summary: ["show the list"])
    case .call:
      CommandSyntax(
        command: .call, operands: [Operand("TOOL", .tools), "JSON"], required: 1,
        summary: ["call one tool, JSON being its arguments, or - to read them from", "standard input"])
    case .history:
      CommandSyntax(
        command: .history, operands: [], required: 0,
        summary: ["show the versions of the list that are kept, the newest first"])
    case .restore:
      CommandSyntax(
        command: .restore, operands: ["ID"], required: 1,
        summary: ["make the list what it was in that version"])
    case .absorb:
      CommandSyntax(
        command: .absorb, operands: [Operand("FILE", .files)], required: 1,
        summary: ["merge a copy of the list that lies beside it, and put it away"])
    case .doctor:
      CommandSyntax(
        command: .doctor, operands: [], required: 0,
        summary: ["look for what may be wrong with the list, and say what mends it"])
    case .config:
      CommandSyntax(
        command: .config, operands: [Operand("HOST", .hosts)], required: 0,
        summary: ["show what to put into a host's configuration"])
    case .completion:
      CommandSyntax(
        command: .completion, operands: [Operand("SHELL", .shells)], required: 1,
        summary: ["print what makes bash, zsh or fish complete this program"])
    case .man: CommandSyntax(command: .man, operands: [], required: 0, summary: ["print the manual page"])
    }
  }

  private static func summary(of option: Option) -> [String] {
    switch option {
    case .file: ["the list to work on"]
    case .json:
      [
        "list: the JSON of the file; call, restore: the whole result;",
        "history: an array; doctor: for reports",
      ]
    case .hosts: ["config: the hosts that are known"]
    case .help: ["show this page"]
    case .version: ["show the version"]
    }
  }
}
