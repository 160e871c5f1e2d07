// What a person reads: text on standard output, complaints on standard error.
//
// Standard output has been claimed for the answer (CurrentProcess.claimStandardOutput), so its descriptor is not 1.
// A reader that has seen enough, as `head` has, is no failure.

import Platform

struct Streams {
  let output: Int32
  let syscalls: Syscalls

  /// Writes a command's result.
  /// - Returns: the exit status: the given one, or 1 when the result could not be written.
  func show(_ text: String, status: ExitStatus = .done) -> ExitStatus {
    do {
      try syscalls.writeAll(output, Array(text.utf8)) { false }
      return status
    } catch {
      switch error {
      case .readerGone, .givenUp: return .done
      case .failed(let errno): return complain("standard output: \(errno.message)", .failed)
      }
    }
  }

  /// Says on standard error what went wrong, after the program's name.
  func complain(_ message: String, _ status: ExitStatus) -> ExitStatus {
    say("get-bananas: \(message)\n")
    return status
  }

  /// Writes to standard error. Where that is closed there is nobody to tell.
  func say(_ text: String) {
    do { try syscalls.writeAll(2, Array(text.utf8)) { false } } catch {}
  }
}

/// What the exit status says.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  /// The tool refused, or the list cannot be read or written.
  case failed = 1
  /// The command line was not understood.
  case usage = 2

  /// For the manual page.
  var meaning: String {
    switch self {
    case .done: "What was asked for was done."
    case .failed:
      "It was refused or failed, or doctor found something that needs a person; the text says what."
    case .usage: "The command line was not understood."
    }
  }
}
