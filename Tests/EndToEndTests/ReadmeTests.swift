// The README shows a session. It must be what really happens.

import Foundation
import Testing

@Suite struct ReadmeTests {
  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func theSessionIsWhatTheServerSays() throws {
    let folder = try Folder()
    let (ending, output, errors) = try Program.run(
      [Program.path], executable: Self.repository.appendingPathComponent("Tests/Sessions/replay").path,
      in: folder,
      environment: ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path])
    #expect(ending == .exited(0))
    #expect(errors == "")
    #expect(try withoutUndo(output) == withoutUndo(shownSession()))
  }

  /// The block of the README that follows the mark.
  private func shownSession() throws -> String {
    let readme = try String(contentsOf: Self.repository.appendingPathComponent("README.md"), encoding: .utf8)
    let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
    let mark = try #require(lines.firstIndex(of: "<!-- session -->"), "the README has no session")
    let block = lines[(mark + 1)...].drop { !$0.hasPrefix("```") }.dropFirst().prefix { !$0.hasPrefix("```") }
    return block.joined(separator: "\n") + "\n"
  }

  /// The id that undoes a write is another one in each run; all else is the same.
  private func withoutUndo(_ text: String) -> String {
    text.replacing(/restore "[0-9a-f]+"/, with: "restore \"…\"")
  }
}
