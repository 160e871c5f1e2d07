// A server that has answered a hundred thousand requests has the memory that it had after ten thousand.
//
// Measured is what the process has resident, once the heap has found its size: what is still reachable, but never needed
// again, is a leak as well, and no tool that looks for unreachable memory sees it. (Those that are unreachable the fuzzers
// find: the address sanitizer looks for them at their end.) 90,000 requests and 2 MiB are 23 bytes a request.
//
// The short form is a hundredth of that.

import Foundation
import Testing

@Suite struct LeakTests {
  static let requests = Int(ProcessInfo.processInfo.environment["GET_BANANAS_LEAKS"] ?? "") ?? 1_000
  static let allowed = 2 << 20

  @Test func memoryDoesNotGrowWithTheRequests() throws {
    let folder = try Folder()
    let server = try Program.start(["--file", folder.list], in: folder)
    let client = LeakClient(server: server, folder: folder)
    while client.sent < Self.requests / 10 { try client.block() }
    let early = try server.memory(.resident)
    while client.sent < Self.requests { try client.block() }
    let late = try server.memory(.resident)
    if Self.requests > 1_000 {
      print("\(client.sent) requests: \(early >> 10) KiB after a tenth, \(late >> 10) KiB at the end")
    }
    #expect(late - early < Self.allowed, "\(early >> 10) KiB, then \(late >> 10) KiB")
    server.closeInput()
    #expect(try server.end() == .exited(0), "\(server.errorText)")
  }
}

/// Asks for everything that there is, over and over.
private final class LeakClient {
  private let server: Program
  private let folder: Folder
  private(set) var sent = 0

  init(server: Program, folder: Folder) {
    self.server = server
    self.folder = folder
  }

  private let modern =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  /// A hundred requests: the handshake, all methods, all tools, mistakes, subscriptions; on a list that is new each time, as
  /// another program saves it.
  func block() throws {
    try folder.writeList(list)
    try request("initialize", #"{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}"#)
    try server.send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    try request("resources/subscribe", #"{"uri":"shopping-list://current"}"#)
    for round in 0..<6 {
      try request("ping", "{}")
      try request("tools/list", "{}")
      try request("resources/list", "{}")
      try request("resources/templates/list", "{}")
      try request("resources/read", #"{"uri":"shopping-list://current.md"}"#)
      try request("resources/read", #"{"uri":"shopping-list://section/nowhere-\#(sent)"}"#)
      try request(
        "completion/complete",
        #"{"ref":{"type":"ref/resource","uri":"shopping-list://section/{section}"},"argument":{"name":"section","value":"d"}}"#
      )
      try request("server/discover", "{\(modern)}")
      try request("no/such/method-\(sent)", "{}")
      try call("get_shopping_list", "{}")
      try call("get_shopping_list", #"{"section":"Dairy"}"#)
      try call("update_item", #"{"name":"Milk","checked":\#(round % 2 == 0)}"#)
      try call("remove_item", #"{"name":"Nothing \#(sent)"}"#)
      try call("add_item", #"{"nonsense":\#(sent)}"#)
      sent += 1
      try server.send("{\"id\":\(sent),")
      try answered { $0["error"] != nil }
    }
    try call("add_item", #"{"items":["Tea","Rice"]}"#)
    try call("remove_item", #"{"name":"Tea"}"#)
    // Its question is withdrawn by the next handshake.
    try server.send(toolCall(sent, "update_shopping_list", #"{"items":["Tea"]}"#))
    try answered { $0["method"] as? String == "elicitation/create" }
    let id = sent
    sent += 1
    try server.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
    try answered { $0["method"] as? String == "notifications/cancelled" }
    try request("resources/unsubscribe", #"{"uri":"shopping-list://current"}"#)
    try server.send(
      #"{"jsonrpc":"2.0","id":"listen-\#(sent)","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["shopping-list://current"]},\#(modern)}}"#
    )
    try answered { $0["method"] as? String == "notifications/subscriptions/acknowledged" }
    try server.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"listen-\#(sent)"}}"#)
    sent += 1
  }

  private let list =
    #"{"schemaVersion":1,"sections":["Dairy"],"items":[{"id":"m","name":"Milk","section":"Dairy","checked":false},{"id":"e","name":"Eggs"}]}"#

  private func request(_ method: String, _ params: String) throws {
    let id = sent
    sent += 1
    try server.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
    try answered { $0["id"] as? Int == id }
  }

  private func call(_ tool: String, _ arguments: String) throws {
    try request("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
  }

  /// Waits for this message; of others only the news that the list has changed may come before it.
  private func answered(_ isIt: ([String: Any]) -> Bool) throws {
    while true {
      let message = try object(server.answer())
      if isIt(message) { return }
      let method = message["method"] as? String
      try #require(method == "notifications/resources/updated", "\(message)")
    }
  }
}
