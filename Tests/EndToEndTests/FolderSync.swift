// A service that keeps the folders of two devices the same, as Syncthing, Dropbox and their like do: file by file, late,
// and with a conflict copy where both sides changed a file. The test says when it delivers what.
//
//     let sync = FolderSync(between: [one.folder("list"), two.folder("list")], copyName: { … })
//     try sync.deliver("BananaList.json", from: 0)
//
// | the sender's, against the last version that both had | the receiver's | so                                          |
// | unchanged                                            | any            | nothing                                     |
// | changed, or gone                                     | unchanged      | the receiver gets it, or loses it           |
// | changed, or gone                                     | the same       | both have it                                |
// | changed                                              | changed        | one stays the file, the other becomes a     |
// |                                                      |                |   conflict copy on the receiver's side      |
// | gone                                                 | changed        | stays                                       |
// | changed                                              | gone           | the receiver gets it                        |
//
// A delivered file takes its place at once, by renaming, with no lock.

import Foundation

final class FolderSync {
  private let folders: [String]
  private let copyName: (Int) -> String
  /// The last version of each file that both sides had.
  private var common: [String: Data] = [:]
  private(set) var conflicts = 0

  /// - Parameter copyName: what the service calls the conflict copy with that number.
  init(between folders: [String], copyName: @escaping (Int) -> String) {
    self.folders = folders
    self.copyName = copyName
  }

  /// The files of either side that a service syncs: temporary files and locks are left out, as it is told to.
  func names() throws -> [String] {
    try Set(folders.flatMap { try FileManager.default.contentsOfDirectory(atPath: $0) })
      .filter { !$0.hasPrefix(".") && !$0.hasSuffix(".lock") }.sorted()
  }

  /// Brings one file from one side to the other.
  ///
  /// - Parameter prefersSender: which of two versions stays the file.
  /// - Returns: whether anything changed.
  @discardableResult
  func deliver(_ name: String, from side: Int, prefersSender: Bool = true) throws -> Bool {
    let receiver = folders[1 - side]
    let sent = contents(name, in: folders[side])
    let there = contents(name, in: receiver)
    let before = common[name]
    if sent == before { return false }
    if sent == there || there == before || there == nil {
      common[name] = sent
      if sent == there { return false }
      try put(sent, as: name, in: receiver)
      return true
    }
    guard let sent else {
      common[name] = nil
      return false
    }
    conflicts += 1
    let copy = copyName(conflicts)
    try put(prefersSender ? there : sent, as: copy, in: receiver)
    if prefersSender { try put(sent, as: name, in: receiver) }
    common[name] = sent
    return true
  }

  private func contents(_ name: String, in folder: String) -> Data? {
    FileManager.default.contents(atPath: folder + "/" + name)
  }

  private func put(_ bytes: Data?, as name: String, in folder: String) throws {
    let path = folder + "/" + name
    guard let bytes else {
      if unlink(path) != 0, errno != ENOENT { throw HarnessError.system("unlink") }
      return
    }
    let temporary = folder + "/.syncthing.\(name).tmp"
    try bytes.write(to: URL(fileURLWithPath: temporary))
    guard rename(temporary, path) == 0 else { throw HarnessError.system("rename") }
  }
}
