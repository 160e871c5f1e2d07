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
  /// A line of its own has few of them: found by looking, without a dictionary, which costs a fifteenth of a start.
  private let values: [(option: Option, value: String)]

  /// - Parameter words: the command line without the program's own name.
  init(words: [String]) throws(UsageError) {
    var plain: [String] = []
    var values: [(option: Option, value: String)] = []
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
      let end = word.firstIndex(of: "=")
      let spelling = end.map { String(word[..<$0]) } ?? word
      guard let option = Option(spelled: spelling) else {
        throw .unknown("option", spelling, among: Option.allCases.map(\.rawValue))
      }
      let given = end.map { String(word[word.index(after: $0)...]) }
      values.append((option, try Self.value(of: option, given: given, rest: &rest)))
    }
    self.values = values

    let first = plain.first
    command = try first.map { word throws(UsageError) in
      guard let command = Command(rawValue: word) else {
        let words = Command.allCases.map(\.rawValue) + Option.allCases.map(\.rawValue)
        throw .unknown("command", word, among: words)
      }
      return command
    }
    operands = Array(plain.dropFirst())
    try check()
  }

  /// Whether a flag was given.
  func has(_ option: Option) -> Bool { value(of: option) != nil }

  /// The value that was given.
  func value(of option: Option) -> String? { values.last { $0.option == option }?.value }

  private static func value(
    of option: Option, given: String?, rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    let name = option.rawValue
    switch (option.value, given) {
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
    for (option, _) in values where !option.belongs(to: command) {
      let known = Command.allCases.filter { option.belongs(to: $0) }.map(\.rawValue)
      throw UsageError("\(command.rawValue) has no \(option.rawValue); \(known.joined(separator: " and ")) have")
    }
    let syntax = CommandLineSyntax.syntax(of: command)
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
