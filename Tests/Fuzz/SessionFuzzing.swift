// Any bytes as what a client says to a whole server: protocol, tools, and a store on real files in a folder in memory, with
// a clock that only sleeping moves. The first byte says which list the folder has; the rest are lines.
//
//     {"jsonrpc":"2.0","id":1,"method":"ping"}     accepted, and all that waits is served
//     +{"jsonrpc":…}                               accepted only: it waits with the lines behind it
//     !list {"items":[]}                           another program saves this list
//     !copy {"items":[]}                           a conflict copy appears
//     !lock 4711                                   a lock file appears, or goes where nothing is given
//     !changed                                     the watcher says "look again"
//     !later                                       eleven minutes pass
//     !oversized                                   a line came that is too long
//
// Promised:
// - Nothing traps. Each frame is one line of JSON: a request, a notification or an answer of JSON-RPC.
// - Each request with an id is answered exactly once by the end, one that was cancelled at most once; what is no request
//   and cannot be told from one, once, without an id. Nothing else is answered.
// - A list that could be read can be read afterwards, and what it has beside our members is still there.

import JSON
import ListStore
import Platform
import ShoppingList

@testable import BananaServer
@testable import MCP

struct SessionFuzzing {
  let planted: Bool

  func run(_ bytes: [UInt8]) throws {
    let world = try FuzzWorld(list: Self.list(bytes.first ?? 0))
    let session = Session(
      definition: BananaServer.definition(store: world.store, watch: world.watch), monotonic: world.syscalls.monotonic
    ) { _ in }
    var expected = Expected()
    var frames: [[UInt8]] = []
    for line in bytes.dropFirst().split(separator: 10).prefix(64) {
      if line.first == UInt8(ascii: "!") {
        frames += try act(Array(line), session, world, &expected)
        continue
      }
      let waits = line.first == UInt8(ascii: "+")
      let message = Array(waits ? line.dropFirst() : line)
      expected.take(message)
      session.accept(line: message)
      if !waits { frames += served(session) }
    }
    frames += served(session) + session.finish()
    try expected.check(frames)
    try world.checkList()
  }

  private func served(_ session: Session) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    while var next = session.serveNext() {
      // An answer that gets lost.
      if planted, next.count == 1, next[0].count > 4_000 { next = [] }
      frames += next
    }
    return frames
  }

  private func act(
    _ line: [UInt8], _ session: Session, _ world: FuzzWorld, _ expected: inout Expected
  ) throws -> [[UInt8]] {
    let parts = line.split(separator: 32, maxSplits: 1)
    let rest = parts.count > 1 ? Array(parts[1]) : []
    switch String(decoding: parts[0], as: UTF8.self) {
    case "!list": try world.save(rest)
    case "!copy": try world.putConflictCopy(rest)
    case "!lock": try world.putLock(rest)
    case "!changed": return session.resourcesMayHaveChanged()
    case "!later":
      world.sleep(nanoseconds: 660_000_000_000)
      return session.endOverdueQuestions()
    case "!oversized":
      expected.withoutID += 1
      session.acceptOversizedLine()
      return served(session)
    default: break
    }
    return []
  }

  /// The list that the folder begins with; none for 0.
  private static func list(_ choice: UInt8) -> String? {
    let rows =
      #"{"id":"1","name":"Milk","amount":"2 l","section":"Dairy","lastModified":"2026-11-30T20:41:12.345Z","note":[1.0]}"#
    let many = (0..<30).map { #"{"id":"r\#($0)","name":"Item \#($0)","checked":\#($0 % 3 == 0),"x":\#($0)}"# }
    switch choice % 5 {
    case 1: return #"{"schemaVersion":1,"sections":["Dairy","Fruit"],"items":[\#(rows)],"theme":{"dark":true}}"#
    case 2:
      return #"{"items":[\#(many.joined(separator: ","))],"deletedItems":[{"id":"gone","lastModified":1.5e12}],"z":0}"#
    case 3:
      return
        #"{"items":[\#(rows),{"name":"milk"},{"name":"Milk","checked":1},17,{"name":""},{"id":true,"name":"Tea"}]}"#
    case 4: return "{\"items\":[{\"name\":\"half"
    default: return nil
    }
  }
}

/// What has to be answered, by a plain look at the lines.
private struct Expected {
  /// Requests by what identifies their ids.
  private var requests: [RequestID: Int] = [:]
  private var cancelled: Set<RequestID> = []
  /// Requests in batches, which are served in one revision only.
  private var batched: [RequestID: Int] = [:]
  private var hasBatches = false
  var withoutID = 0

  mutating func take(_ line: [UInt8]) {
    guard let value = try? JSONValue(parsing: line) else {
      withoutID += 1
      return
    }
    guard value.kind == .array else { return take(value, inBatch: false) }
    hasBatches = true
    withoutID += 1
    for element in value.elements { take(element, inBatch: true) }
  }

  private mutating func take(_ message: JSONValue, inBatch: Bool) {
    let id = message["id"].flatMap(RequestID.init)
    if message.kind == .object, message["method"]?.string != nil, message["id"] == nil {
      if message["method"]?.string == "notifications/cancelled",
        let id = message["params"]?["requestId"].flatMap(RequestID.init)
      {
        cancelled.insert(id)
      }
      return
    }
    if message.kind == .object, message["method"] == nil, message["result"] != nil || message["error"] != nil { return }
    guard message.kind == .object, let id else {
      withoutID += 1
      return
    }
    if inBatch { batched[id, default: 0] += 1 } else { requests[id, default: 0] += 1 }
  }

  func check(_ frames: [[UInt8]]) throws {
    var answers: [RequestID: Int] = [:]
    var answersWithoutID = 0
    for frame in frames {
      try promise(!frame.contains(10), "a frame of several lines: \(shown(frame))")
      guard let value = try? JSONValue(parsing: frame) else { throw Violation("not JSON: \(shown(frame))") }
      try promise(value.kind != .array || hasBatches, "a batch that nobody sent: \(shown(frame))")
      for message in value.kind == .array ? Array(value.elements) : [value] {
        try promise(message["jsonrpc"]?.string == "2.0", "not JSON-RPC: \(shown(frame))")
        if message["method"]?.string != nil {
          try promise(message["result"] == nil && message["error"] == nil, "a message and an answer: \(shown(frame))")
          continue
        }
        try promise((message["result"] == nil) != (message["error"] == nil), "neither or both: \(shown(frame))")
        if let id = message["id"], !id.isNull {
          guard let id = RequestID(id) else { throw Violation("an id that is none: \(shown(frame))") }
          answers[id, default: 0] += 1
        } else {
          try promise(message["error"]?["code"]?.int64 != nil, "an error without a code: \(shown(frame))")
          answersWithoutID += 1
        }
      }
    }
    for (id, count) in requests {
      let found = answers[id] ?? 0
      let atMost = count + (batched[id] ?? 0)
      let atLeast = cancelled.contains(id) ? 0 : count
      try promise((atLeast...atMost).contains(found), "\(found) answers to \(count) requests, id \(id)")
    }
    for (id, count) in answers where requests[id] == nil {
      try promise(count <= batched[id] ?? 0, "an answer to nobody, id \(id)")
    }
    let isRight = hasBatches ? answersWithoutID <= withoutID : answersWithoutID == withoutID
    try promise(isRight, "\(answersWithoutID) answers without an id, not \(withoutID)")
  }
}
