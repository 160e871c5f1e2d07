// The fuzzers on the inputs of Seeds: what each was given to begin with, and what once found something.

#if !FUZZING
  import Foundation
  import Testing

  // One after the other: the sessions share a folder.
  @Suite(.serialized) struct SeedTests {
    @Test(arguments: Fuzzer.allCases) func nothingIsFoundAnyMore(_ fuzzer: Fuzzer) throws {
      for (name, bytes) in try seeds(fuzzer) {
        for bytes in variants(bytes) {
          do { try fuzzer.run(bytes) } catch { Issue.record("\(fuzzer.rawValue)/\(name): \(error)") }
        }
        // What is cut short is an input, too.
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 10)) {
          do { try fuzzer.run(Array(bytes[..<count])) } catch {
            Issue.record("\(fuzzer.rawValue)/\(name), \(count): \(error)")
          }
        }
      }
    }

    /// The fuzzers see the mistakes that are planted for them.
    @Test(arguments: Fuzzer.allCases) func aPlantedMistakeIsFound(_ fuzzer: Fuzzer) throws {
      #expect(
        try seeds(fuzzer).flatMap { variants($0.bytes) }.contains { bytes in
          do { try fuzzer.run(bytes, planted: true) } catch is Violation { return true } catch {}
          return false
        })
    }

    /// What is done with a text goes by its digest: blanks behind it make it another.
    private func variants(_ bytes: [UInt8]) -> [[UInt8]] { (0..<20).map { bytes + Array(repeating: 32, count: $0) } }

    private func seeds(_ fuzzer: Fuzzer) throws -> [(name: String, bytes: [UInt8])] {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Seeds/\(fuzzer.rawValue)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      try #require(!names.isEmpty)
      return try names.map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }
  }
#endif
