import Foundation
import Platform
import Testing

@testable import ListStore

/// Files as another user sees them, whom modes keep out (the superuser is kept out by none). Needs the superuser, to
/// become somebody else.
@Suite struct OtherUserTests {
  let folder: TestFolder
  private let programs: TestFolder

  init() throws {
    folder = try TestFolder(list: listText("Milk"))
    programs = try TestFolder()
    guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else {
      try Test.cancel("needs the superuser and setpriv")
    }
    // The build's folder may be closed to others.
    try FileManager.default.copyItem(
      atPath: try #require(OtherProcess.executable), toPath: programs.path("lock-contender"))
    try folder.setMode(0o777, of: ".")
  }

  /// Runs a command of `lock-contender` as nobody, with a umask.
  private func nobody(_ command: String, umask: String = "022") throws -> (line: String?, status: Int32) {
    try OtherProcess.run(
      [
        "-c",
        "umask \(umask); exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \(command) \"$1\"",
        programs.path("lock-contender"), folder.listPath,
      ], executable: "/bin/sh")
  }

  @Test func aListThatOthersMayNotReadIsAnError() throws {
    try folder.setMode(0o600, of: "BananaList.json")
    let result = try nobody("read")
    #expect(result.status == 1)
    #expect(
      result.line
        == "\(folder.listPath) could not be read: permission denied (EACCES). Nothing was changed. "
        + "Check that this user may read and write the file and its folder.")
  }

  /// Its folder would let the file be replaced; its mode says that it is not to be written.
  @Test func aListThatOthersMayNotWriteIsReadOnly() throws {
    try folder.setMode(0o644, of: "BananaList.json")
    let result = try nobody("add")
    #expect(result.status == 1)
    #expect(
      result.line == "\(folder.listPath) is read-only: permission denied (EACCES). Nothing was changed. "
        + "Make the file writable, or leave it as it is.")
    #expect(try folder.text() == listText("Milk"))
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test func aFolderThatOthersMayNotWriteIsAnError() throws {
    try folder.setMode(0o755, of: ".")
    try folder.setMode(0o666, of: "BananaList.json")
    let result = try nobody("add")
    #expect(result.status == 1)
    #expect(
      result.line?.hasPrefix("\(folder.listPath) could not be locked: permission denied (EACCES). ") == true)
    #expect(try folder.text() == listText("Milk"))
  }

  @Test func anybodyMayWriteWhatIsOpenToAll() throws {
    try folder.setMode(0o666, of: "BananaList.json")
    let result = try nobody("add", umask: "077")
    #expect(result.line == "changed")
    #expect(try folder.mode() == 0o666)
    #expect(try folder.names() == ["BananaList.json"])
  }

  @Test(arguments: [("022", UInt32(0o644)), ("027", 0o640), ("077", 0o600), ("000", 0o666)])
  func aNewListFollowsTheUmask(umask: String, mode: UInt32) throws {
    try FileManager.default.removeItem(atPath: folder.listPath)
    let result = try nobody("add", umask: umask)
    #expect(result.line == "changed")
    #expect(try folder.mode() == mode)
  }
}
