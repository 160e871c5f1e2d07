// A command line, understood.
//
//     let invocation = try Invocation(words: ["call", "add_item", #"{"name":"Milk"}"#, "--json"])
//     invocation.command            // .call
//     invocation.operands           // ["add_item", …]
//     invocation.has(.json)         // true
//     invocation.value(of: .file)   // nil

import MCP

/// What the words of a command line ask for.
struct Invocation {
  /// nil where no command was given.
  let command: Command?
  let operands: [String]
  private let values: [Option: String]

  /// - Parameter words: the command line without the program's own name.
  init(words: [String]) throws(UsageError) {
    var plain: [String] = []
    var values: [Option: String] = [:]
    var rest = ArraySlice(words)
    while let word = rest.popFirst() {
      if word == "--" {
        plain += rest
        break
      }
      // A lone dash is a name for standard input.
      guard word.hasPrefix("-"), word != "-" else {
        plain.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let syntax = CommandLineSyntax.option(spelled: parts[0]) else {
        throw .unknown("option", parts[0], among: CommandLineSyntax.options.map(\.option.rawValue))
      }
      values[syntax.option] = try Self.value(of: syntax, given: parts.dropFirst().first, rest: &rest)
    }
    self.values = values

    let first = plain.first
    command = try first.map { word throws(UsageError) in
      guard let command = Command(rawValue: word) else {
        let words = Command.allCases.map(\.rawValue) + CommandLineSyntax.options.map(\.option.rawValue)
        throw .unknown("command", word, among: words)
      }
      return command
    }
    operands = Array(plain.dropFirst())
    try check()
  }

  /// Whether a flag was given.
  func has(_ option: Option) -> Bool { values[option] != nil }

  /// The value that was given.
  func value(of option: Option) -> String? { values[option] }

  private static func value(
    of syntax: OptionSyntax, given: String?, rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    let name = syntax.option.rawValue
    switch (syntax.value, given) {
    case (nil, nil): return ""
    case (nil, _?): throw UsageError("\(name) takes no value")
    case (_?, let given?): return given
    case (let wanted?, nil):
      guard let next = rest.popFirst() else { throw UsageError("\(name) needs a value: \(name) \(wanted)") }
      return next
    }
  }

  /// Whether what was given belongs to the command.
  private func check() throws(UsageError) {
    // Whoever asks for help gets it, whatever else is there.
    if has(.help) || has(.version) { return }
    let command = command ?? CommandLineSyntax.standard
    for syntax in CommandLineSyntax.options where has(syntax.option) && !syntax.commands.contains(command) {
      let known = Command.allCases.filter { syntax.commands.contains($0) }.map(\.rawValue)
      throw UsageError(
        "\(command.rawValue) has no \(syntax.option.rawValue); \(known.joined(separator: " and ")) have")
    }
    guard let syntax = CommandLineSyntax.syntax(of: command) else { return }
    if operands.count < syntax.required {
      throw UsageError(
        "\(command.rawValue) needs \(syntax.operands.prefix(syntax.required).map(\.name).joined(separator: " "))"
      )
    }
    if operands.count > syntax.operands.count {
      throw UsageError("\(command.rawValue) has no use for \(operands[syntax.operands.count])")
    }
  }
}

/// A command line that was not understood, in words for the person who typed it.
struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }

  /// - Parameter kind: what the word was taken for: "option", "command", "tool".
  static func unknown(_ kind: String, _ word: String, among known: [String]) -> UsageError {
    let meant =
      nearestName(to: word, among: known).map { "; did you mean \($0)?" }
      ?? "; known are \(known.joined(separator: ", "))"
    return UsageError("unknown \(kind) \(word)\(meant)")
  }
}
