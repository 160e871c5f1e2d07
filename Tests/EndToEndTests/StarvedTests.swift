// A client that sends more than anybody could keep, or never listens: the server must do with a bounded memory.
//
// Bounds of the program: a line of 16 MiB, a queue of 32 MiB, and as much again that was taken over from it; what JSON of
// that size needs to be read. Each test sends its flood, waits until a ping behind it is answered, and looks at the most
// memory that the server ever had (VmHWM).
//
// The short form is for the debug build of `make test`; `make starve` sends the sizes that the tests are named after to the
// release.

import Foundation
import Testing

@Suite(.serialized) struct StarvedTests {
  /// Whether the sizes are the real ones.
  static let isWhole = ProcessInfo.processInfo.environment["GET_BANANAS_STARVE"] != nil
  static let mebibyte = 1 << 20

  let folder: Folder

  init() throws { folder = try Folder() }

  // MARK: Long, deep and many

  @Test func aLineOfAGibibyteIsSkippedAsItArrives() throws {
    let server = try start()
    let piece = String(repeating: "x", count: Self.mebibyte)
    let errors = try flood(server) {
      for _ in 0..<(Self.isWhole ? 1024 : 40) { try server.write(piece) }
      try server.write("\n")
    }
    #expect(errors.count == 1 && errors[0].contains("16777216 bytes"), "\(errors.map { $0.prefix(200) })")
    try expectPeak(server, below: 80)
  }

  /// Nothing of them is kept, and nothing answered.
  @Test(arguments: ["", " \r", #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}"#])
  func tenMillionLinesThatAreNotAnswered(line: String) throws {
    let server = try start()
    let lines = String(repeating: line + "\n", count: 1_000)
    let answers = try flood(server) {
      for _ in 0..<(Self.isWhole ? 10_000 : 20) { try server.write(lines) }
    }
    #expect(answers.isEmpty)
    try expectPeak(server, below: 160)
  }

  @Test func aMillionLevels() throws {
    let server = try start()
    let errors = try flood(server) {
      try server.write(String(repeating: "[", count: Self.mebibyte) + "\n")
      try server.write(String(repeating: #"{"a":"#, count: Self.mebibyte) + "\n")
      let text = String(repeating: "[", count: Self.mebibyte)
      try server.send(toolCall(1, "add_item", #""{\"items\":\#(text)""#))
    }
    #expect(errors.count == 3)
    #expect(errors.allSatisfy { $0.contains(#""error""#) && $0.utf8.count < 1_000 })
    try expectPeak(server, below: 80)
  }

  /// The most values that a line has room for, wherever they stand.
  @Test(arguments: [
    ("", "[", "0", "]"),
    (#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#, "[", "0", "]"),
    ("", #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":["#, "0", "]}}"),
    (
      "", #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_item","arguments":{"items":["#, #""a""#,
      "]}}}"
    ),
    (
      "", #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_item","arguments":{"items":["#, "[]",
      "]}}}"
    ),
  ])
  func aLineFullOfValues(before: String, head: String, value: String, tail: String) throws {
    let server = try start()
    let room = Self.isWhole ? 16 * Self.mebibyte - head.utf8.count - tail.utf8.count : 20_000
    let values = String(repeating: value + ",", count: room / (value.utf8.count + 1) - 1) + value
    let answers = try flood(server) {
      if !before.isEmpty { try server.send(before) }
      for _ in 0..<3 { try server.send(head + values + tail) }
    }
    #expect(answers.count == (before.isEmpty ? 3 : 4))
    try expectPeak(server, below: 300)
  }

  // MARK: Lists

  @Test func callsOfFiveHundredItems() throws {
    let server = try start()
    let calls = Self.isWhole ? 20 : 2
    let answers = try flood(server) {
      for call in 0..<calls {
        let items = (0..<500).map {
          #"{"name":"Item \#(call * 500 + $0)","amount":"2 l","section":"Section \#($0 % 20)"}"#
        }
        try server.send(toolCall(call, "add_item", #"{"items":[\#(items.joined(separator: ","))]}"#))
      }
    }
    #expect(try answers.map { try WireAnswer($0).isError } == Array(repeating: false, count: calls))
    #expect(try names(in: folder.listBytes()).count == 500 * calls)
    try expectPeak(server, below: 100)
  }

  /// 64 MiB, the largest list that is read. What an edit would make of it may be larger, and is refused then.
  @Test func aListAtTheSizeLimit() throws {
    let size = Self.isWhole ? 64 * Self.mebibyte : 20_000
    let rows = (0...).lazy.map {
      #"{"id":"\#($0)","name":"Item \#($0)","amount":"2 l","section":"S\#($0 % 50)"},"# + "\n"
    }
    var text = #"{"schemaVersion":1,"sections":[],"items":["# + "\n"
    for row in rows {
      if text.utf8.count + row.utf8.count + 100 > size { break }
      text += row
    }
    text += #"{"id":"last","name":"Last"}],"filler":""#
    text += String(repeating: "x", count: size - text.utf8.count - 2) + "\"}"
    try folder.writeList(text)
    #expect(text.utf8.count == size)
    let server = try start()
    let answers = try flood(server) {
      try server.send(toolCall(1, "get_shopping_list", #"{"search":"Last"}"#))
      try server.send(toolCall(2, "add_item", #"{"name":"New"}"#))
      try server.send(toolCall(3, "remove_item", #"{"name":"Last"}"#))
    }
    let read = try answers.map(WireAnswer.init)
    try #require(read.count == 3)
    #expect(!read[0].isError && read[0].text.contains("Last"), "\(read[0].text.prefix(300))")
    #expect(read[1].isError == Self.isWhole, "\(read[1].text.prefix(300))")
    try expectPeak(server, below: 900)
  }

  // MARK: Nobody listens

  /// It stops reading when it holds as much as it may, and ends when the client goes.
  @Test func aClientThatNeverReads() throws {
    let server = try start()
    let request = toolCall(1, "get_shopping_list")
    // Never more than what there is room for when there is room.
    let requests = String(repeating: request + "\n", count: Int(PIPE_BUF) / (request.utf8.count + 1))
    var sent = 0
    // A server that reads on takes far more than this.
    while sent < 256 * Self.mebibyte, try server.takesMore() {
      try server.write(requests)
      sent += requests.utf8.count
    }
    #expect(sent < 128 * Self.mebibyte, "\(mebibytes(sent)) were taken")
    try expectPeak(server, below: 300)
    server.closeOutput()
    #expect(try server.end() == .exited(0), "\(server.errorText)")
  }

  // MARK: -

  private func start() throws -> Program { try Program.start(["--file", folder.list], in: folder) }

  /// Sends what the body sends, and a ping behind it, and takes the answers meanwhile.
  ///
  /// - Returns: the answers but for the ping's.
  private func flood(_ server: Program, _ body: @escaping () throws -> Void) throws -> [String] {
    var answers: [String] = []
    try together([
      {
        try body()
        try server.send(#"{"jsonrpc":"2.0","id":"behind","method":"ping"}"#)
      },
      {
        while true {
          let answer = try #require(try server.answer(), "the server has ended: \(server.errorText)")
          if answer == #"{"jsonrpc":"2.0","id":"behind","result":{}}"# { return }
          answers.append(answer)
        }
      },
    ])
    return answers
  }

  private func expectPeak(_ server: Program, below bound: Int, _ comment: String = #function) throws {
    let peak = try server.memory(.peak)
    if Self.isWhole { print("\(comment): peak \(mebibytes(peak)), at most \(bound) MiB") }
    #expect(peak < bound * Self.mebibyte, "\(mebibytes(peak))")
  }
}
