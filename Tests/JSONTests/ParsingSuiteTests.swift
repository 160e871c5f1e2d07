// The 318 cases of the JSON parsing test suite: what is accepted, what is refused, and that nothing traps.
//
// The cases lie beside the repository, not in it. Where they are absent, as in a plain checkout, these tests
// are skipped.

import Foundation
import JSON
import Testing

/// One file of the suite. Its first letter says what a strict parser does: `y` accepts, `n` refuses, `i` may
/// do either.
struct SuiteCase: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]

  var verdict: Character { name.first ?? "?" }
  var testDescription: String { name }

  /// All of them, sorted by name; none where the folder is absent.
  static let all: [SuiteCase] = {
    guard let folder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
      (try? Data(contentsOf: folder.appending(path: name))).map { SuiteCase(name: name, bytes: Array($0)) }
    }
  }()

  /// The folder `shared/json-test-suite/test_parsing` beside the checkout, or beside its parent.
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ["..", "../.."].map {
      package.appending(path: $0 + "/shared/json-test-suite/test_parsing").standardized
    }
    .first { FileManager.default.fileExists(atPath: $0.path) }
  }()
}

@Suite(.enabled(if: SuiteCase.folder != nil, "shared/json-test-suite does not lie beside the checkout"))
struct ParsingSuiteTests {
  @Test func thereAreAllFiles() {
    let counts = Dictionary(grouping: SuiteCase.all, by: \.verdict).mapValues(\.count)
    #expect(counts == ["y": 95, "n": 188, "i": 35])
  }

  @Test(arguments: SuiteCase.all)
  func verdict(_ file: SuiteCase) {
    do {
      let value = try JSONValue(parsing: file.bytes)
      #expect(file.verdict != "n", "accepted")
      #expect(value.encoded(style: .app) == file.bytes)
    } catch {
      #expect(file.verdict != "y", "\(error)")
      #expect((0...file.bytes.count).contains(error.offset))
      #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
    }
  }
}
