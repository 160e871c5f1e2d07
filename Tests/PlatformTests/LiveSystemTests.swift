import Foundation
import Testing

@testable import Platform

@Suite struct LiveSystemTests {
  let syscalls = Syscalls.live

  @Test func clocksAgree() {
    #expect(abs(Double(syscalls.now()) - Date().timeIntervalSince1970 * 1000) < 60_000)
    let first = syscalls.monotonic()
    #expect(syscalls.sleep(1_000_000))
    #expect(syscalls.monotonic() - first >= 1_000_000)
    #expect(syscalls.uptime() >= 1_000_000_000)
  }

  @Test func randomBytesDiffer() {
    #expect(syscalls.random(0) == [])
    #expect(syscalls.random(16).count == 16)
    #expect(syscalls.random(16) != syscalls.random(16))
  }

  @Test func knowsThisProcess() throws {
    let pid = syscalls.pid()
    #expect(syscalls.isAlive(pid) == .running)
    let start = try #require(syscalls.processStart(pid))
    #expect(start.uptime <= syscalls.uptime())
    #expect(syscalls.processStart(pid) == start)
    #expect(syscalls.maximumPID() >= pid)
  }

  @Test(arguments: [0, -1, Int32.min])
  func neverAsksAfterGroupsOfProcesses(pid: Int32) {
    #expect(syscalls.isAlive(pid) == .unknown)
  }

  @Test func knowsThatAnotherUsersProcessRuns() {
    #expect(syscalls.isAlive(1) == .running)
  }

  @Test func aZombieDoesNotRun() throws {
    var pid: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawnp(&pid, "true", nil, nil, &arguments, environ) == 0)
    // Waits for the end without collecting the process.
    var info = siginfo_t()
    try #require(waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == 0)
    #expect(kill(pid, 0) == 0)
    #expect(syscalls.isAlive(pid) == .notRunning)
    var status: Int32 = 0
    try #require(waitpid(pid, &status, 0) == pid)
    #expect(syscalls.isAlive(pid) == .notRunning)
    #expect(syscalls.processStart(pid) == nil)
  }

  @Test func tellsMachinesAndBootsApart() {
    #expect(!syscalls.machineID().isEmpty)
    #expect(syscalls.machineID() == syscalls.machineID())
    #expect(syscalls.bootID() == syscalls.bootID())
    #if os(Linux)
      #expect(syscalls.bootID()?.count == 36)
      #expect(syscalls.pidNamespace().flatMap(UInt64.init) != nil)
    #endif
  }

  #if os(Linux)
    @Test(arguments: [
      "1234 (cat) S 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5678 1 1",
      "1234 (a) b (c) Z) S 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5678 1 1\n",
    ])
    func readsTheLineOfAProcess(line: String) {
      let stat = ProcessStat(parsing: Array(line.utf8))
      #expect(stat?.state == "S")
      #expect(stat?.startTicks == 5678)
      #expect(stat?.hasEnded == false)
    }

    @Test(arguments: ["Z", "X", "x"]) func knowsEndedProcesses(state: String) {
      let line = "1 (a) \(state) 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5678 1 1"
      #expect(ProcessStat(parsing: Array(line.utf8))?.hasEnded == true)
    }

    @Test(arguments: ["", "1234", "1 (a) S 1", "1 (a S 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 x 1 1"])
    func refusesOtherLines(line: String) {
      #expect(ProcessStat(parsing: Array(line.utf8)) == nil)
    }
  #endif

  @Test func readsTheUserDatabase() {
    let database = Array(
      """
      root:x:0:0:root:/root:/bin/bash
      broken line
      ada:x:1000:1000:Ada,,,:/home/ada:/bin/sh
      odd:x:1001:1001::nowhere:/bin/sh

      """.utf8)
    #expect(CurrentProcess.home(ofUser: 0, inDatabase: database) == "/root")
    #expect(CurrentProcess.home(ofUser: 1000, inDatabase: database) == "/home/ada")
    #expect(CurrentProcess.home(ofUser: 1001, inDatabase: database) == nil)
    #expect(CurrentProcess.home(ofUser: 7, inDatabase: database) == nil)
  }

  @Test func knowsWhatItWasStartedWith() throws {
    #expect(CurrentProcess.environment("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(CurrentProcess.environment("GET_BANANAS_NO_SUCH_VARIABLE") == nil)
    #expect(try CurrentProcess.workingDirectory() == FileManager.default.currentDirectoryPath)
    #expect(CurrentProcess.userHome()?.hasPrefix("/") == true)
    #expect(CurrentProcess.parentPID == getppid())
    let null = try OwnedDescriptor(opening: "/dev/null", [.read], with: syscalls)
    #expect(!CurrentProcess.isTerminal(null.descriptor))
  }
}
