// The fuzzers: each takes any bytes, does with them what the program would, and says which promise was broken.
//
//     try Fuzzer.json.run(bytes)          // throws a Violation; a trap or a read beyond a buffer ends the process
//
// libFuzzer drives them (Entry.swift, built by Tests/Fuzz/fuzz), with inputs that it changes towards code that was not
// reached yet. `make test` runs them as well (SeedTests.swift), on the inputs that the folder Seeds has, which is also
// where an input that found something goes.
//
// Who finds nothing may be blind. So each fuzzer can be told to look at a program with a planted mistake: `make
// fuzz-smoke` and SeedTests want every one of those found.

/// A promise that was broken.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless it holds.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws {
  if !holds { throw Violation(what()) }
}

enum Fuzzer: String, CaseIterable, Sendable {
  /// The parser, the writers and the reading of values.
  case json
  /// Lines out of bytes.
  case lines
  /// A whole server: protocol, tools and store.
  case session
  /// A file, and edits of it.
  case document
  /// Two lists that were changed apart.
  case merge
  /// A lock file, and what is thought of it.
  case lock

  /// - Parameter planted: whether to look at a program that breaks a promise.
  func run(_ bytes: [UInt8], planted: Bool = false) throws {
    switch self {
    case .json: try JSONFuzzing(planted: planted).run(bytes)
    case .lines: try LineFuzzing(planted: planted).run(bytes)
    case .session: try SessionFuzzing(planted: planted).run(bytes)
    case .document: try DocumentFuzzing(planted: planted).run(bytes)
    case .merge: try MergeFuzzing(planted: planted).run(bytes)
    case .lock: try LockFuzzing(planted: planted).run(bytes)
    }
  }
}

/// The input as a series of choices: libFuzzer changes one byte, and one choice is another.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// A number from 0 below `count`, at most 256; 0 when no bytes are left.
  mutating func below(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % max(count, 1) }

  mutating func happens(oneIn count: Int) -> Bool { below(count) == count - 1 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// A number that is the same for the same bytes, to choose by where the input itself is text.
func digest(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

/// What a short part of an input looks like, for a complaint.
func shown(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes.prefix(300), as: UTF8.self) }
