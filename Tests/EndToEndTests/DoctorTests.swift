// `doctor` on each set-up that is broken in one way: it names what is wrong, ends with status 1 if somebody has to do
// something, and the command that it gives mends it. Where the command can be run here, it is, and all is well afterwards.

import Foundation
import Testing

@Suite struct DoctorTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// What `doctor --json` says.
  private struct Report {
    let ending: Ending
    let text: String
    let findings: [[String: Any]]

    func verdicts(_ topic: String) -> [String] {
      findings.filter { $0["topic"] as? String == topic }.compactMap { $0["verdict"] as? String }
    }

    func finding(_ topic: String) -> [String: Any] {
      let all = findings.filter { $0["topic"] as? String == topic }
      return all.first { $0["verdict"] as? String == "trouble" } ?? all.first ?? [:]
    }

    func says(_ topic: String) -> String { finding(topic)["text"] as? String ?? "" }
    func remedy(_ topic: String) -> String { finding(topic)["remedy"] as? String ?? "" }
    func facts(_ topic: String) -> [String: Any] { finding(topic)["facts"] as? [String: Any] ?? [:] }
  }

  private func doctor(_ list: String? = nil, before: [String] = [], executable: String = Program.path) throws
    -> Report
  {
    let words = before + [executable, "doctor", "--json", "--file", list ?? folder.list]
    let (ending, output, errors) = try Program.run(
      Array(words.dropFirst()), executable: words[0], in: folder)
    #expect(errors == "")
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(output)")
    let findings = try #require(root["findings"] as? [[String: Any]])
    let isHealthy = !findings.contains { $0["verdict"] as? String == "trouble" }
    #expect(root["healthy"] as? Bool == isHealthy)
    #expect(ending == .exited(isHealthy ? 0 : 1))
    return Report(ending: ending, text: output, findings: findings)
  }

  /// Runs the command that a finding gives, as the person at the shell would.
  private func mend(_ report: Report, _ topic: String) throws {
    let bin = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    let (ending, _, errors) = try Program.run(
      ["-c", report.remedy(topic)], executable: "/bin/sh", in: folder,
      environment: ["PATH": "\(bin):/usr/bin:/bin"])
    #expect(ending == .exited(0), "\(report.remedy(topic)): \(errors)")
  }

  private func call(_ tool: String, _ arguments: String) throws {
    #expect(
      try Program.run(["call", tool, arguments, "--file", folder.list], in: folder).ending == .exited(0))
  }

  private func age(_ path: String, seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
  }

  // MARK: Well

  @Test func aNewListIsWellAndNothingIsLeftBehind() throws {
    let report = try doctor()
    #expect(report.ending == .exited(0))
    for topic in ["path", "list", "folder", "lock", "copies", "left-overs", "history", "host"] {
      #expect(report.verdicts(topic) == ["fine"], "\(topic): \(report.says(topic))")
    }
    #expect(report.facts("folder")["exchange"] as? String == "works")
    #expect(report.facts("folder")["links"] as? String == "works")
    #expect(report.facts("folder")["locks"] as? String == "works")
    #expect(try folder.besideTheList() == [])
    #expect(!FileManager.default.fileExists(atPath: folder.list))
  }

  @Test func aListIsCountedAndItsItemsAreNotNamed() throws {
    try call("add_item", #"{"items":["Secret cake",{"name":"Milk","section":"Dairy"}]}"#)
    try call("update_item", #"{"name":"milk","checked":true}"#)
    let report = try doctor()
    #expect(report.ending == .exited(0))
    #expect(report.facts("list")["items"] as? Int == 2)
    #expect(report.facts("list")["bought"] as? Int == 1)
    #expect(report.facts("list")["sections"] as? Int == 1)
    #expect(report.facts("list")["style"] as? String == "indented by 2")
    #expect(report.facts("history")["versions"] as? Int ?? 0 > 0)
    #expect(report.facts("host")["tools"] as? Int == 5)
    #expect(!report.text.contains("Secret"), "a report is shown around")
    #expect(try folder.besideTheList() == [])
  }

  @Test func aPersonReadsTheSame() throws {
    let well = try Program.run(["doctor", "--file", folder.list], in: folder)
    #expect(well.ending == .exited(0))
    #expect(well.output.contains("--file says so"))
    #expect(well.output.hasSuffix("All is well.\n"))
    let bad = try Program.run(["doctor", "--file", "/nowhere at all/l.json"], in: folder)
    #expect(bad.ending == .exited(1))
    #expect(bad.output.contains("BAD   folder"))
    #expect(bad.output.contains("to mend it: mkdir -p '/nowhere at all'\n"))
  }

  // MARK: The path and the folder

  @Test func aFolderThatIsMissing() throws {
    let report = try doctor(folder.file("list/it's new/l.json"))
    #expect(report.verdicts("folder") == ["trouble"])
    try mend(report, "folder")
    #expect(try doctor(folder.file("list/it's new/l.json")).ending == .exited(0))
  }

  @Test func aRelativePathInTheVariableIsRefusedByAServer() throws {
    let (ending, output, _) = try Program.run(
      ["doctor"], in: folder, environment: ["BANANA_LIST_FILE": "BananaList.json"],
      directory: folder.file("list"))
    #expect(ending == .exited(1))
    #expect(output.contains("BAD   path"))
    #expect(output.contains("to mend it: export BANANA_LIST_FILE="))
    // Typed by a person, it is resolved.
    let typed = try Program.run(
      ["doctor", "--file", "BananaList.json"], in: folder, directory: folder.file("list"))
    #expect(typed.ending == .exited(0))
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can become another user"))
  func aListAndAFolderOfAnotherUser() throws {
    try folder.writeList(#"{"items":[]}"#)
    let program = folder.file("get-bananas")
    // By a process of its own: while this one writes, a child of another test may hold the file open for writing, and
    // a file that is open for writing cannot be executed.
    #expect(try Program.run([Program.path, program], executable: "/bin/cp", in: folder).ending == .exited(0))
    chmod(folder.path, 0o755)
    chmod(folder.file("list"), 0o755)
    chmod(folder.list, 0o600)
    chmod(folder.file("home"), 0o777)
    let another = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    let report = try doctor(before: another, executable: program)
    #expect(report.verdicts("list") == ["trouble"])
    #expect(report.says("list").contains("EACCES"))
    #expect(report.verdicts("folder") == ["trouble"])
    #expect(report.remedy("list").hasPrefix("sudo chown -R"))
    #expect(report.remedy("folder").hasPrefix("sudo chown -R"))
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser can mount a small disk"))
  func aFullDisk() throws {
    #if os(Linux)
      guard mount("tmpfs", folder.file("list"), "tmpfs", 0, "size=64k") == 0 else {
        throw HarnessError.system("mount")
      }
      defer { umount(folder.file("list")) }
      try folder.writeList(#"{"items":[]}"#)
      let filler = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("list/filler")).created())
      while (try? filler.write(contentsOf: Data(count: 4096))) != nil {}
      try filler.close()
      let report = try doctor()
      #expect(report.verdicts("folder") == ["trouble"])
      #expect(report.says("folder").contains("ENOSPC"))
      #expect(report.remedy("folder").hasPrefix("df -h "))
      #expect(report.verdicts("list") == ["fine"])
      #expect(try folder.besideTheList() == ["filler"])
    #endif
  }

  // MARK: The list

  @Test func aFolderInTheListsPlace() throws {
    try FileManager.default.createDirectory(atPath: folder.list, withIntermediateDirectories: false)
    let report = try doctor()
    #expect(report.verdicts("list") == ["trouble"])
    try mend(report, "list")
    #expect(try doctor().ending == .exited(0))
  }

  @Test func aBrokenListWithoutHistoryIsMendedByHand() throws {
    try folder.writeList("{\"items\": [\n  {\"name\": \"Milk\",\n")
    let report = try doctor()
    #expect(report.verdicts("list") == ["trouble"])
    #expect(report.says("list").contains("line 3"))
    #expect(report.remedy("list") == "\"${EDITOR:-vi}\" \(folder.list)")
    #expect(report.says("host").hasPrefix("A host would be told"))
  }

  @Test func aBrokenListWithHistoryIsRestored() throws {
    try call("add_item", #"{"name":"Milk"}"#)
    try folder.writeList("{")
    try mend(try doctor(), "list")
    #expect(try doctor().ending == .exited(0))
    #expect(try names(in: folder.listBytes()) == ["Milk"])
  }

  @Test func aListThatIsMissedIsRestored() throws {
    try call("add_item", #"{"name":"Milk"}"#)
    unlink(folder.list)
    let report = try doctor()
    #expect(report.verdicts("list") == ["trouble"])
    try mend(report, "list")
    #expect(try names(in: folder.listBytes()) == ["Milk"])
  }

  @Test func aListOfANewerVersion() throws {
    try folder.writeList(#"{"schemaVersion":2,"items":[]}"#)
    let report = try doctor()
    #expect(report.verdicts("list") == ["trouble"])
    #expect(report.says("list").contains("update get-bananas"))
  }

  @Test func aListThatIsReadOnly() throws {
    try folder.writeList(#"{"items":[]}"#)
    chmod(folder.list, 0o444)
    let report = try doctor()
    #expect(report.verdicts("list") == ["trouble"])
    try mend(report, "list")
    #expect(try doctor().ending == .exited(0))
  }

  @Test func aPlaceholderOfTheSyncService() throws {
    try Data().write(to: URL(fileURLWithPath: folder.file("list/.BananaList.json.icloud")))
    let report = try doctor()
    #expect(report.verdicts("list") == ["trouble"])
    #expect(report.says("list").contains("not downloaded"))
  }

  // MARK: The lock

  @Test func aLockOfAProcessThatHangs() throws {
    // Process 1 is alive, and older than the lock. It is not ended here.
    try Data("1\n".utf8).write(to: URL(fileURLWithPath: folder.list + ".lock"))
    let fresh = try doctor()
    #expect(fresh.verdicts("lock") == ["note"])
    #expect(fresh.facts("lock")["state"] as? String == "held")
    try age(folder.list + ".lock", seconds: 20)
    let report = try doctor()
    #expect(report.verdicts("lock") == ["trouble"])
    #expect(report.says("lock").contains("process 1 of this machine since 2"))
    #expect(report.remedy("lock") == "kill 1")
  }

  @Test func aLockOfAProcessThatIsGone() throws {
    let gone = try Program.start(["--version"], in: folder)
    #expect(try gone.end() == .exited(0))
    try Data("\(gone.pid)\n".utf8).write(to: URL(fileURLWithPath: folder.list + ".lock"))
    try age(folder.list + ".lock", seconds: 20)
    let report = try doctor()
    #expect(report.ending == .exited(0))
    #expect(report.verdicts("lock") == ["note"])
    #expect(report.facts("lock")["pid"] as? Int == Int(gone.pid))
    #expect(report.says("lock").contains("does not run any more"))
    #expect(try folder.besideTheList() == ["BananaList.json.lock"], "it is looked at, not taken")
  }

  @Test func somethingElseByTheNameOfTheLock() throws {
    try FileManager.default.createDirectory(atPath: folder.list + ".lock", withIntermediateDirectories: false)
    let report = try doctor()
    #expect(report.verdicts("lock") == ["trouble"])
    try mend(report, "lock")
    #expect(try doctor().ending == .exited(0))
  }

  // MARK: Beside the list

  @Test func aConflictCopyNeedsNobody() throws {
    try folder.writeList(#"{"items":[{"id":"A","name":"Milk"}]}"#)
    let copy = "BananaList.sync-conflict-20261130-204112-ABCDEFG.json"
    try Data(#"{"items":[{"id":"B","name":"Bread"}]}"#.utf8).write(
      to: URL(fileURLWithPath: folder.file("list/\(copy)")))
    let report = try doctor()
    #expect(report.ending == .exited(0))
    #expect(report.verdicts("copies") == ["note"])
    #expect(report.facts("copies")["names"] as? [String] == [copy])
    #expect(report.facts("host")["items"] as? Int == 2)
  }

  @Test func aFileThatMayBeACopyIsAbsorbedOnRequest() throws {
    try folder.writeList(#"{"items":[{"id":"A","name":"Milk"}]}"#)
    try Data(#"{"items":[{"id":"B","name":"Bread"}]}"#.utf8).write(
      to: URL(fileURLWithPath: folder.file("list/BananaList 2.json")))
    let report = try doctor()
    #expect(report.verdicts("copies") == ["trouble"])
    try mend(report, "copies")
    #expect(try doctor().ending == .exited(0))
    #expect(try names(in: folder.listBytes()).sorted() == ["Bread", "Milk"])
  }

  @Test func whatAnotherMachineLeft() throws {
    try folder.writeList(#"{"items":[]}"#)
    let name = ".BananaList.json.0123abcd.0123456789abcdef.unfinished.tmp"
    try Data().write(to: URL(fileURLWithPath: folder.file("list/\(name)")))
    let fresh = try doctor()
    #expect(fresh.verdicts("left-overs") == ["note"])
    #expect(fresh.facts("left-overs")["others"] as? [String] == [name])
    try age(folder.file("list/\(name)"), seconds: 7200)
    let report = try doctor()
    #expect(report.verdicts("left-overs") == ["trouble"])
    try mend(report, "left-overs")
    #expect(try doctor().ending == .exited(0))
  }

  // MARK: The history

  @Test func aHistoryThatCannotBeWritten() throws {
    try Data().write(to: URL(fileURLWithPath: folder.file("state")))
    let (ending, output, _) = try Program.run(
      ["doctor", "--file", folder.list], in: folder, environment: ["XDG_STATE_HOME": folder.file("state")])
    #expect(ending == .exited(1))
    #expect(output.contains("BAD   history"))
    #expect(output.contains("ENOTDIR"))
  }
}

extension URL {
  /// Makes an empty file there.
  fileprivate func created() throws -> URL {
    try Data().write(to: self)
    return self
  }
}
