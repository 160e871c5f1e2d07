// A whole shopping trip, once per revision, as a host sees it. The server is the real one over a real file; time stands at
// an evening in November, and new items get their ids in order.

import Foundation
import Testing
import Transcript

@testable import BananaServer
@testable import JSON
@testable import MCP
@testable import Platform

@Suite struct TranscriptTests {
  private enum Step {
    case line(String)
    /// Another program saves the list.
    case save(String)
    case minutes(Int64)
    case endOfInput
  }

  private static func request(_ id: Int, _ method: String, _ params: String) -> Step {
    .line(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"#)
  }

  private static func call(_ id: Int, _ tool: String, _ arguments: String, _ more: String = "") -> Step {
    request(id, "tools/call", #""name":"\#(tool)","arguments":\#(arguments)\#(more)"#)
  }

  private static func response(_ id: String, _ result: String) -> Step {
    .line(#"{"jsonrpc":"2.0","id":"\#(id)","result":\#(result)}"#)
  }

  private static let yes = #"{"action":"accept","content":{"confirm":true}}"#
  private static let savedByThePhone =
    #"{"items":[{"id":"1","name":"Tea"},{"id":"2","name":"Cake","section":"Bakery"}]}"#

  /// META is the envelope of a modern request, and nothing in a legacy one.
  private static let shopping: [Step] = [
    call(1, "get_shopping_list", "{}", ",META"),
    call(
      2, "add_item",
      #"{"items":[{"name":"Rolls","amount":"6","section":"Bakery"},{"name":"milk"},{"name":"Apples"}]}"#,
      ",META"),
    call(3, "update_item", #"{"name":"milk","amount":"3 l"}"#, ",META"),
    call(4, "update_item", #"{"items":[{"name":"Bananas"},{"name":"flour"}],"checked":true}"#, ",META"),
    call(5, "update_item", #"{"name":"Bread","checked":true}"#, ",META"),
    call(6, "add_item", #"{"name":"Cheese","quantity":"200 g"}"#, ",META"),
    call(7, "remove_item", #"{"all_checked":true}"#, ",META"),
    call(8, "get_shopping_list", #"{"section":"bakery"}"#, ",META"),
    request(9, "resources/list", "META"),
    request(10, "resources/templates/list", "META"),
    request(11, "resources/read", #""uri":"shopping-list://current.md",META"#),
    request(12, "resources/read", #""uri":"shopping-list://section/bakery",META"#),
    request(13, "resources/read", #""uri":"shopping-list://section/attic",META"#),
    request(
      14, "completion/complete",
      #""ref":{"type":"ref/resource","uri":"shopping-list://section/{section}"},"argument":{"name":"section","value":"d"},META"#
    ),
  ]

  /// The calls from 20 on would remove something.
  private static let legacyEnd: [Step] = [
    request(15, "resources/subscribe", #""uri":"shopping-list://current""#),
    call(20, "update_shopping_list", #"{"items":[{"name":"Tea"}]}"#),
    response("ask-1", #"{"action":"decline"}"#),
    call(21, "update_shopping_list", #"{"items":[{"name":"Tea"}]}"#),
    response("ask-2", yes),
    .save(savedByThePhone),
    call(22, "update_shopping_list", #"{"items":[{"name":"Tea"}]}"#),
    .minutes(10),
    call(23, "get_shopping_list", "{}"),
    .endOfInput,
  ]

  /// KEY is that of the last question.
  private static let modernEnd: [Step] = [
    request(
      15, "subscriptions/listen",
      #""notifications":{"resourceSubscriptions":["shopping-list://current"]},META"#),
    call(20, "update_shopping_list", #"{"items":[{"name":"Tea"}]}"#, ",META"),
    call(
      21, "update_shopping_list", #"{"items":[{"name":"Tea"}]}"#,
      #","inputResponses":{"KEY":{"action":"decline"}},META"#),
    call(
      22, "update_shopping_list", #"{"items":[{"name":"Tea"}]}"#, #","inputResponses":{"KEY":\#(yes)},META"#),
    .save(savedByThePhone),
    call(23, "get_shopping_list", "{}", ",META"),
    .endOfInput,
  ]

  private static func steps(in revision: Revision) -> [Step] {
    guard revision.era == .legacy else {
      return [request(0, "server/discover", "META")] + shopping + modernEnd
    }
    let initialize =
      #""protocolVersion":"\#(revision.rawValue)","capabilities":{"elicitation":{}},"clientInfo":{"name":"a","version":"1"}"#
    return [
      request(0, "initialize", initialize), .line(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
    ] + shopping + legacyEnd
  }

  private static let envelope =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}"#

  @Test(arguments: Revision.allCases) func shoppingTrip(revision: Revision) throws {
    let clock = Clock()
    let server = try TestServer(weekend, syscalls: clock.syscalls)
    var transcript = Transcript()
    var key = ""
    for step in Self.steps(in: revision) {
      var frames: [[UInt8]] = []
      switch step {
      case .line(let line):
        let line =
          revision.era == .modern ? line : line.replacing(",META", with: "").replacing("META", with: "")
        transcript.send(line)
        let sent = line.replacing("META", with: Self.envelope).replacing("KEY", with: key)
        frames = server.session.handle(line: Array(sent.utf8))
      case .save(let list):
        transcript.note("the phone saves \(list)")
        try server.replaceFile(list)
      case .minutes(let minutes):
        transcript.note("\(minutes) minutes pass")
        clock.pass(minutes: minutes)
        frames = server.session.endOverdueQuestions()
      case .endOfInput:
        transcript.note("end of input")
        frames = server.session.finish()
      }
      // As the loop does after the watcher's word.
      frames += server.session.resourcesMayHaveChanged()
      for frame in frames {
        let requests = try JSONValue(parsing: frame)["result"]?["inputRequests"]
        key = requests?.members.first { _ in true }?.key ?? key
        try transcript.receive(frame)
      }
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(revision.rawValue).txt")
    let difference = try transcript.difference(from: file)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Time that passes when a test says so, and ids in order.
  private final class Clock: @unchecked Sendable {  // every access holds the lock
    private let lock = NSLock()
    private var milliseconds: Int64 = 1_796_071_272_345
    private var ids: UInt8 = 0

    func pass(minutes: Int64) { lock.withLock { milliseconds += minutes * 60_000 } }

    var syscalls: Syscalls {
      var syscalls = Syscalls.live
      syscalls.now = { self.lock.withLock { self.milliseconds } }
      syscalls.monotonic = { self.lock.withLock { UInt64(self.milliseconds) * 1_000_000 } }
      syscalls.random = { count in
        // Only ids have 16 bytes; names of temporary files and locks stay what they are.
        guard count == 16 else { return Syscalls.live.random(count) }
        return self.lock.withLock {
          self.ids += 1
          return [UInt8](repeating: 0, count: 15) + [self.ids]
        }
      }
      return syscalls
    }
  }
}
