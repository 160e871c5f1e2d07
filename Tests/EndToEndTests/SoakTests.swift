// Hours of a household in a few minutes: two servers, an app that takes no lock, and a watcher, all of which stay; servers
// that come and are killed at work; conflict copies; and now and then somebody who saves another list over this one.
//
// Promised, after each round:
// - All that LockFreeWriterTests promises of servers and app.
// - What a server had acknowledged before it was killed is on the list, once.
// - A conflict copy is merged and put away.
// - The watcher was told.
// And at the end: nothing is left beside the list, no more versions are kept than the history holds, and the three that
// stayed have as many descriptors open, and as much memory, as when they had warmed up.
//
// For so many minutes as GET_BANANAS_SOAK_MINUTES says (make soak); without it, a few rounds.

import Foundation
import Seeded
import Testing

@Suite struct SoakTests {
  /// Nil for the short form.
  static let minutes = Double(ProcessInfo.processInfo.environment["GET_BANANAS_SOAK_MINUTES"] ?? "")
  static let roundsPerList = 8
  /// What the allocator may keep for later.
  static let slack = 8 << 20

  @Test func theySurviveAndNothingIsLeft() throws {
    let start = ContinuousClock.now
    var soak = try Soak()
    var round = 0
    var warm: [Figures] = []
    func hasLasted(_ part: Double) -> Bool { ContinuousClock.now - start > .seconds(60 * part * (Self.minutes ?? 0)) }
    while !hasLasted(1) || round < (Self.minutes == nil ? 3 : 2 * Self.roundsPerList) {
      if round > 0, round % Self.roundsPerList == 0 {
        try soak.beginAnew(PhoneApp.Saving.allCases[round / Self.roundsPerList % 3])
        // A quarter of the time makes everybody as large as they need to be.
        if warm.isEmpty, hasLasted(0.25) { warm = try soak.figures() }
      }
      let complaints = try soak.round(seed: 20_261_206 + UInt64(round))
      try #require(complaints.isEmpty, "round \(round): \(complaints)")
      round += 1
    }
    if warm.isEmpty { warm = try soak.figures() }
    try soak.beginAnew(.replacing)
    let end = try soak.figures()
    for (warm, end) in zip(warm, end) {
      // Either look may have met one that is open for a moment.
      #expect(
        try end.descriptors <= warm.descriptors || end.program.settles(atDescriptors: warm.descriptors), "\(end.name)")
      #expect(end.resident <= warm.resident + warm.resident / 4 + Self.slack, "\(end.name)")
      guard Self.minutes != nil else { continue }
      print(
        "\(end.name): \(mebibytes(warm.resident)) warm, \(mebibytes(end.resident)) at the end; \(end.descriptors) descriptors"
      )
    }
    try soak.end()
    guard Self.minutes != nil else { return }
    print("soak: \(round) rounds, \(soak.summary); nothing lost, nothing left")
  }
}

/// One of those that stay, at one time.
private struct Figures {
  let name: String
  let program: Program
  let resident: Int
  let descriptors: Int
}

private struct Soak {
  private let meeting: Meeting
  private let watcher: Program
  private var overlap = OverlapFigures()
  private var kills = 0
  private var copies = 0
  private var notifications = 0

  init() throws {
    meeting = try Meeting(.replacing)
    watcher = try Program.start(["--file", meeting.folder.list], in: meeting.folder)
    try watcher.send(
      #"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"shopping-list://current"}}"#)
    #expect(try watcher.answer() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
  }

  private var survivors: [(name: String, program: Program)] {
    meeting.servers.enumerated().map { ("server \($0 + 1)", $1.program) } + [("the watcher", watcher)]
  }

  var summary: String {
    "\(overlap.serverEdits) edits acknowledged, \(overlap.appEdits) by the app (\(overlap.overwritten) overwritten by it, "
      + "all told), \(kills) kills, \(copies) conflict copies, \(notifications) notifications"
  }

  /// What those have who stay, when they have nothing to do.
  func figures() throws -> [Figures] {
    try survivors.map { name, program in
      try program.send(#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#)
      while try object(program.answer())["id"] as? Int != 0 {}
      // While a watcher looks again it has more open for a moment: not when nothing has come for a while.
      while try !program.answersSoFar(waiting: 300).isEmpty {}
      var descriptors = try program.descriptors()
      for _ in 0..<100 { descriptors = min(descriptors, try program.descriptors()) }
      return Figures(
        name: name, program: program, resident: try program.memory(.resident), descriptors: descriptors)
    }
  }

  /// Somebody saves another list. What the archive keeps for 30 days is gone, as if they had passed.
  func beginAnew(_ saving: PhoneApp.Saving) throws {
    try meeting.beginAnew(saving)
    for file in try versions("archive") { try FileManager.default.removeItem(atPath: file) }
  }

  mutating func round(seed: UInt64) throws -> [String] {
    var random = SplitMix64(seed: seed)
    var complaints = try meeting.round(seed: seed, &overlap)
    complaints += try killOne(seed: seed, &random)
    complaints += try layDownCopy(seed: seed)
    // Told at least once of all this; what comes in bursts is told once.
    let first = try #require(try watcher.answer(), "the watcher has ended: \(watcher.errorText)")
    let told = [first] + (try watcher.answersSoFar())
    complaints += told.filter { !$0.contains("notifications/resources/updated") }.map { "the watcher was told \($0)" }
    notifications += told.count
    let kept = try versions("history").count
    if kept > 50 { complaints.append("\(kept) versions are kept") }
    return complaints
  }

  /// A third server adds as fast as it can while the others edit, and is killed.
  private mutating func killOne(seed: UInt64, _ random: inout SplitMix64) throws -> [String] {
    let victim = try Program.start(["--file", meeting.folder.list], in: meeting.folder)
    let adds = (1...12).map { "Victim \(seed) \($0)" }
    for (number, name) in adds.enumerated() { try victim.send(toolCall(number, "add_item", #"{"name":"\#(name)"}"#)) }
    let answers = Int.random(in: 0...8, using: &random)
    var lines: [String] = []
    try together(
      meeting.servers.enumerated().map { place, server in
        {
          var random = SplitMix64(seed: seed &+ UInt64(place))
          for _ in 0..<3 { try server.edit(&random) }
        }
      } + [
        {
          for _ in 0..<answers { try lines.append(#require(try victim.answer(), "\(victim.errorText)")) }
          victim.signal(SIGKILL)
        }
      ])
    // Whole lines only: one that was cut off acknowledged nothing.
    let rest = try victim.outputToTheEnd()
    lines += rest.split(separator: "\n").dropLast(rest.hasSuffix("\n") ? 0 : 1).map(String.init)
    guard try victim.end() == .killed(signal: SIGKILL) else { return ["ended by itself: \(victim.errorText)"] }
    kills += 1
    let list = try ListRows(meeting.folder.listBytes())
    var complaints: [String] = list.repeated.map { "\($0): twice" }
    for line in lines {
      let answer = try WireAnswer(line)
      let name = adds[try #require(answer.id)]
      if answer.isError { complaints.append("\(name): \(answer.text)") }
      if list[name] == nil { complaints.append("\(name): acknowledged, and gone with its server") }
    }
    return complaints
  }

  /// A sync service brings a version of the list that somebody added to elsewhere.
  private mutating func layDownCopy(seed: UInt64) throws -> [String] {
    let folder = meeting.folder
    var root = try object(String(decoding: folder.listBytes(), as: UTF8.self))
    var items = try #require(root["items"] as? [[String: Any]])
    let name = "Elsewhere \(seed)"
    items.append(["id": UUID().uuidString, "name": name, "lastModified": PhoneApp.stamp(after: [:])])
    root["items"] = items
    let copy = folder.file("list/BananaList.sync-conflict-20261130-\(100_000 + seed % 900_000)-ABCDEFG.json")
    try JSONSerialization.data(withJSONObject: root).write(to: URL(fileURLWithPath: copy), options: .atomic)
    copies += 1
    var complaints: [String] = []
    if try !meeting.servers[0].add() { complaints.append("refused: \(meeting.servers[0].answers.last ?? "")") }
    if try ListRows(folder.listBytes())[name] == nil { complaints.append("\(name): not merged") }
    // The private file of a lock that a killed server was about to make stays for a minute.
    let left = try folder.besideTheList().filter { !$0.hasSuffix(".lock.tmp") }
    if !left.isEmpty { complaints.append("beside the list: \(left)") }
    return complaints
  }

  /// The files of all folders of this name below the state.
  private func versions(_ name: String) throws -> [String] {
    let state = meeting.folder.file("state")
    return try FileManager.default.subpathsOfDirectory(atPath: state)
      .filter { ($0 as NSString).deletingLastPathComponent.hasSuffix("/" + name) }.map { state + "/" + $0 }
  }

  func end() throws {
    watcher.closeInput()
    #expect(try watcher.end() == .exited(0), "\(watcher.errorText)")
    for (name, program) in survivors { #expect(program.errorText == "", "\(name)") }
    let kept = try versions("history").count
    #expect(kept > 0, "no history was found: this check sees nothing")
    try meeting.end(besides: { $0.hasSuffix(".lock.tmp") })
  }
}
