import Foundation
import Platform
import Testing

@testable import ListStore

/// Locks between real processes.
@Suite struct OtherProcessTests {
  /// The check that the three right ways pass catches the wrong one.
  @Test(arguments: ["both", "file", "names"]) func neverTwoHoldTheLock(mode: String) throws {
    let result = try OtherProcess.run(["stress", mode, "5"])
    #expect(result.line == "\(mode): 5 rounds, never two at once")
    #expect(result.status == 0)
  }

  @Test func theCheckCatchesTheNaiveWay() throws {
    let result = try OtherProcess.run(["stress", "naive", "200"])
    #expect(result.line?.hasPrefix("naive: two held the lock at once in round ") == true)
    #expect(result.status == 1)
  }

  @Test func waitsForAnotherProcessAndNamesIt() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let holder = try OtherProcess(["hold", folder.listPath])
    #expect(holder.line() == "held")
    let time = VirtualTime()
    let error = #expect(throws: StoreError.self) {
      try Store(path: folder.listPath, syscalls: time.syscalls()).add("Bread")
    }
    #expect(
      error?.message.hasPrefix("\(folder.listPath) is locked by process \(holder.pid) of this machine since ")
        == true)
    #expect(holder.status() == 0)
    try Store(path: folder.listPath).add("Bread")
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// A signal ends the holder's wait, and the lock goes with it.
  @Test func aSignalLetsTheLockGo() throws {
    let folder = try TestFolder(list: listText("Milk"))
    let holder = try OtherProcess(["hold", folder.listPath])
    #expect(holder.line() == "held")
    holder.send(SIGTERM)
    #expect(holder.line() == "let go")
    #expect(holder.status() == 0)
    #expect(try folder.names() == ["BananaList.json"])
  }

  /// A holder that is killed leaves its lock file, which holds nobody up.
  @Test(arguments: LockMode.allCases) func aKilledHolderHoldsNobodyUp(mode: LockMode) throws {
    let folder = try TestFolder(list: listText("Milk"))
    let holder = try OtherProcess(["hold", folder.listPath])
    #expect(holder.line() == "held")
    holder.send(SIGKILL)
    _ = holder.status()
    #expect(folder.exists("BananaList.json.lock"))
    let time = VirtualTime()
    try Store(path: folder.listPath, syscalls: mode.syscalls(over: time.syscalls())).add("Bread")
    #expect(time.elapsed == 20_000_000)
    #expect(try folder.names() == ["BananaList.json"])
  }
}
