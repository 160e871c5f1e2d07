// `doctor`: what may be wrong with the list's set-up, and the command that mends it.
//
//     note  lock      /home/anna/BananaList.json.lock was left by process 4711 of this machine …
//     BAD   folder    /mnt/usb does not exist, and only the usual place is made without being asked.
//                     to mend it: mkdir -p /mnt/usb
//
// The store examines itself (Examination); here stand what it cannot know, namely why this path and what a host would be
// told, and how all of it is shown.

import BananaServer
import JSON
import ListStore
import MCP
import Platform

struct DoctorCommand {
  let request: OneRequest
  let streams: Streams

  /// - Parameters:
  ///   - location: where the list is, and why there.
  ///   - isRelative: whether what a host is given too names it by a relative path, which a server refuses.
  func run(_ store: Store, at location: ListLocation, isRelative: Bool, asJSON: Bool) -> ExitStatus {
    var findings = [path(location, isRelative: isRelative)]
    findings += Examination(of: store).findings
    findings.append(hostsView(besides: findings))
    return show(findings, asJSON: asJSON)
  }

  /// For a path that cannot even be made out.
  func run(_ error: StoreError, asJSON: Bool) -> ExitStatus {
    show(
      [Finding("path", .trouble, error.message, remedy: "export HOME=/path/to/the/home/folder")],
      asJSON: asJSON)
  }

  // MARK: What only the program knows

  private func path(_ location: ListLocation, isRelative: Bool) -> Finding {
    let why =
      switch location.origin {
      case .option: "the option --file says so"
      case .environment: "the variable \(ListLocation.variable) says so"
      case .iCloud: "it is the usual place, in iCloud Drive"
      case .standard: "it is the usual place"
      }
    let facts: [(key: String, value: JSONValue)] = [
      ("path", JSONValue(location.path)), ("why", JSONValue(why)),
    ]
    guard isRelative else {
      return Finding("path", .fine, "The list is \(location.path): \(why).", facts: facts)
    }
    return Finding(
      "path", .trouble,
      "The list is \(location.path) from this folder: \(why). A server refuses a relative path, since its host starts it "
        + "anywhere.", remedy: "export \(ListLocation.variable)=\(shellQuoted(location.path))", facts: facts)
  }

  /// The answer that a model would get.
  private func hostsView(besides findings: [Finding]) -> Finding {
    let tools = request.definition.tools.count
    // A page of one: the last line counts all the same.
    let arguments = JSONValue.object([("limit", JSONValue(1))])
    let sent = request.send("tools/call", [("name", "get_shopping_list"), ("arguments", arguments)])
    switch sent {
    case .error(let message): return Finding("host", .trouble, "A host would be told: \(message)")
    case .result(let result):
      let text = result["content"]?.elements.first?["text"]?.string ?? ""
      guard result["isError"]?.bool != true else {
        return Finding("host", .trouble, "A host would be told: \(text)")
      }
      let structured = result["structuredContent"]
      let total = structured?["total"]?.int64 ?? 0
      return Finding(
        "host", .fine,
        "A host would see \(tools) tools, and a list of \(total) item\(total == 1 ? "" : "s").",
        facts: [("tools", JSONValue(tools)), ("items", JSONValue(total))])
    }
  }

  // MARK: Showing it

  private func show(_ findings: [Finding], asJSON: Bool) -> ExitStatus {
    let troubles = findings.filter { $0.verdict == .trouble }.count
    let status: ExitStatus = troubles == 0 ? .done : .failed
    if asJSON { return streams.show(json(findings, isHealthy: troubles == 0), status: status) }
    let info = request.definition.info
    let ending =
      switch troubles {
      case 0: "All is well."
      case 1: "One thing needs somebody."
      default: "\(troubles) things need somebody; the first may be the cause of the others."
      }
    let text = ["\(info.name) \(info.version)"] + findings.map(Self.lines) + [ending]
    return streams.show(text.joined(separator: "\n") + "\n", status: status)
  }

  private static func lines(_ finding: Finding) -> String {
    let verdict =
      switch finding.verdict {
      case .fine: "ok  "
      case .note: "note"
      case .trouble: "BAD "
      }
    let topic = finding.topic + String(repeating: " ", count: max(0, 10 - finding.topic.count))
    let remedy = finding.remedy.map { "\n                  to mend it: \($0)" } ?? ""
    return "\(verdict)  \(topic)  \(oneLine(finding.text))\(remedy)"
  }

  private func json(_ findings: [Finding], isHealthy: Bool) -> String {
    let info = request.definition.info
    let rows = findings.map { finding in
      var members: [(key: String, value: JSONValue)] = [
        ("topic", JSONValue(finding.topic)), ("verdict", JSONValue(finding.verdict.rawValue)),
        ("text", JSONValue(finding.text)),
      ]
      if let remedy = finding.remedy { members.append(("remedy", JSONValue(remedy))) }
      if !finding.facts.isEmpty { members.append(("facts", .object(finding.facts))) }
      return JSONValue.object(members)
    }
    let root = JSONValue.object([
      ("program", JSONValue(info.name)), ("version", JSONValue(info.version)),
      ("system", JSONValue(CurrentProcess.isOnApple ? "macos" : "linux")), ("healthy", JSONValue(isHealthy)),
      ("findings", .array(rows)),
    ])
    return String(decoding: root.encoded(style: .node), as: UTF8.self) + "\n"
  }
}
