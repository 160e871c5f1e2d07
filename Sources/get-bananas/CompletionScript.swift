// `completion`: what makes a shell complete this program's commands, options, operands and files.
//
//     source <(get-bananas completion bash)                                   in ~/.bashrc
//     get-bananas completion zsh >"${fpath[1]}/_get-bananas"
//     get-bananas completion fish >~/.config/fish/completions/get-bananas.fish
//
// The scripts are made from the tables of CommandLineSyntax, so they know what this version knows and nothing else. They
// start no program while completing, and run in bash 3.2, which macOS has.

/// A shell that can be given a script.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

struct CompletionScript {
  /// The program's name.
  let name: String
  /// The names of the tools, for operands that are one.
  let tools: [String]

  func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private func words(for values: Operand.Values) -> [String] {
    switch values {
    case .any, .files: []
    case .tools: tools
    case .hosts: Host.allCases.map(\.rawValue)
    case .shells: Shell.allCases.map(\.rawValue)
    }
  }

  /// Every spelling of the options that a command knows.
  private func spellings(of command: Command) -> [String] {
    CommandLineSyntax.options.filter { $0.commands.contains(command) }.flatMap(\.spellings)
  }

  private static let commandNames = CommandLineSyntax.commands.map(\.command.rawValue)

  /// The options that are followed by a file.
  private static let fileOptions = CommandLineSyntax.options.filter { $0.value != nil }.flatMap(\.spellings)

  // MARK: bash

  private var bash: String {
    let optionCases = CommandLineSyntax.commands.map { syntax in
      "      \(syntax.command.rawValue)) words='\(spellings(of: syntax.command).joined(separator: " "))' ;;"
    }
    let operandCases = CommandLineSyntax.commands.flatMap { syntax in
      syntax.operands.enumerated().compactMap { place, operand -> String? in
        let key = "\(syntax.command.rawValue):\(place)"
        if operand.values == .files { return "      \(key)) files=1 ;;" }
        let words = words(for: operand.values)
        return words.isEmpty ? nil : "      \(key)) words='\(words.joined(separator: " "))' ;;"
      }
    }
    return """
      # Completion of \(name) for bash: source <(\(name) completion bash)
      _get_bananas() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local command='' place=0 words='' files='' index line
        # bash takes --file=PATH apart at the equals sign.
        if [ "$word" = = ]; then word=''; before=${COMP_WORDS[COMP_CWORD-1]}
        elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case ${COMP_WORDS[index]} in
            \(Self.fileOptions.joined(separator: "|"))) index=$((index + 1)) ;;
            -?*|=) ;;
            *) if [ -z "$command" ]; then command=${COMP_WORDS[index]}; else place=$((place + 1)); fi ;;
          esac
        done
        case $before in \(Self.fileOptions.joined(separator: "|"))) files=1 ;; esac
        if [ -z "$files" ]; then
          case $word in
          -*)
            case ${command:-\(CommandLineSyntax.standard.rawValue)} in
      \(optionCases.joined(separator: "\n"))
            esac ;;
          *)
            case $command:$place in
            :0) words='\(Self.commandNames.joined(separator: " "))' ;;
      \(operandCases.joined(separator: "\n"))
            esac ;;
          esac
        fi
        COMPREPLY=()
        if [ -n "$files" ]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
        elif [ -n "$words" ]; then
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$words" -- "$word")
        fi
      }
      complete -F _get_bananas \(name)

      """
  }

  // MARK: zsh

  private var zsh: String {
    let commands = CommandLineSyntax.commands.map { syntax in
      "      '\(syntax.command.rawValue):\(zshText(syntax.sentence))'"
    }
    let cases = CommandLineSyntax.commands.map { syntax in
      let options = CommandLineSyntax.options.filter { $0.commands.contains(syntax.command) }.flatMap(
        zshOptions)
      let operands = syntax.operands.enumerated().map { place, operand in
        let colons = place < syntax.required ? ":" : "::"
        let words = words(for: operand.values)
        let action =
          operand.values == .files ? "_files" : words.isEmpty ? " " : "(\(words.joined(separator: " ")))"
        return "'\(place + 1)\(colons)\(operand.name):\(action)'"
      }
      return "    \(syntax.command.rawValue)) _arguments -s \((options + operands).joined(separator: " ")) ;;"
    }
    let options = CommandLineSyntax.options.filter { $0.commands.contains(CommandLineSyntax.standard) }
      .flatMap(zshOptions)
    return """
      #compdef \(name)
      # Completion of \(name) for zsh: \(name) completion zsh >"${fpath[1]}/_get-bananas"
      _get_bananas() {
        local curcontext=$curcontext state line
        typeset -A opt_args
        _arguments -C \(options.joined(separator: " ")) '1:command:->command' '*:: :->operands'
        case $state in
        command)
          local -a commands=(
      \(commands.joined(separator: "\n"))
          )
          _describe command commands ;;
        operands)
          case $words[1] in
      \(cases.joined(separator: "\n"))
          esac ;;
        esac
      }
      if [ "$funcstack[1]" = _get-bananas ]; then _get_bananas "$@"; else compdef _get_bananas \(name); fi

      """
  }

  private func zshOptions(_ syntax: OptionSyntax) -> [String] {
    syntax.spellings.map { spelling in
      guard let value = syntax.value else { return "'\(spelling)[\(zshText(syntax.sentence))]'" }
      return "'\(spelling)=[\(zshText(syntax.sentence))]:\(value):_files'"
    }
  }

  /// Text in single quotes where a colon or a bracket would end it.
  private func zshText(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case ":", "[", "]", "\\": escaped += "\\\(character)"
      case "'": escaped += #"'\''"#
      default: escaped.append(character)
      }
    }
    return escaped
  }

  // MARK: fish

  private var fish: String {
    var lines = [
      "# Completion of \(name) for fish: \(name) completion fish >~/.config/fish/completions/\(name).fish",
      "complete -c \(name) -f",
    ]
    let none = "not __fish_seen_subcommand_from \(Self.commandNames.joined(separator: " "))"
    for syntax in CommandLineSyntax.commands {
      let command = syntax.command.rawValue
      lines.append("complete -c \(name) -n '\(none)' -a \(command) -d \(fishText(syntax.sentence))")
      for operand in syntax.operands {
        let words = words(for: operand.values)
        let seen = "complete -c \(name) -n '__fish_seen_subcommand_from \(command)"
        if operand.values == .files { lines.append("\(seen)' -F") }
        if !words.isEmpty {
          let list = words.joined(separator: " ")
          lines.append("\(seen); and not __fish_seen_subcommand_from \(list)' -a '\(list)'")
        }
      }
    }
    for syntax in CommandLineSyntax.options {
      let commands = syntax.commands.map(\.rawValue).sorted().joined(separator: " ")
      var condition = "__fish_seen_subcommand_from \(commands)"
      if syntax.commands.contains(CommandLineSyntax.standard) { condition += "; or \(none)" }
      let long = syntax.option.rawValue.dropFirst(2)
      let short = syntax.short.map { " -s \($0.dropFirst())" } ?? ""
      let value = syntax.value == nil ? "" : " -r -F"
      lines.append(
        "complete -c \(name) -n '\(condition)' -l \(long)\(short)\(value) -d \(fishText(syntax.sentence))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishText(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if character == "'" || character == "\\" { escaped += "\\" }
      escaped.append(character)
    }
    return "'\(escaped)'"
  }
}
