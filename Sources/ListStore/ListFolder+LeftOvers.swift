// What crashes have left beside the list, cleared up under the locks before each write.
//
// With the locks held no other writer of this machine is at work, so each temporary file of this machine is a left-over:
//
// | it is                                                    | it was                                | it is    |
// | unfinished, by its name                                  | a version of ours that was never whole | removed  |
// | empty, or all zero bytes                                 | lost by the file system               | removed  |
// | what its name says it holds                              | a version that never took its place   | removed  |
// | anything else                                            | not to be explained                   | told of  |
// | a lock on its way to its name, of any machine, 60 s old  | never one                             | removed  |
//
// Other machines' temporary files are never touched: their writers may be at work, and a sync service slow.

import Platform

extension ListFolder {
  /// - Parameter time: Unix time in nanoseconds by the clock that stamps files in this folder.
  /// - Returns: what is left, and for the user to look at.
  func clearLeftOvers(of process: ProcessIdentity, at time: Int64) throws(StoreError) -> [Notice] {
    let names: [String]
    do {
      names = try syscalls.readdir(descriptor)
    } catch {
      throw self.error(.failed(.read), error)
    }
    var notices: [Notice] = []
    for name in names {
      guard let temporary = TemporaryName(parsing: name, ofList: listName) else { continue }
      do {
        switch try judge(temporary, name, process, at: time) {
        case .keep: break
        case .remove: try syscalls.unlinkat(descriptor, name)
        case .tell: notices.append(Self.notice(of: name))
        }
      } catch .noEntry {
        // Its owner, or a sync service, was quicker.
      } catch {
        notices.append(Self.notice(of: name))
      }
    }
    return notices
  }

  private enum LeftOver {
    case keep, remove, tell
  }

  private func judge(
    _ temporary: TemporaryName, _ name: String, _ process: ProcessIdentity, at time: Int64
  ) throws(Errno) -> LeftOver {
    switch temporary.purpose {
    case .lock:
      let modified = try syscalls.fstatat(descriptor, name).modified
      return time - modified > Self.lockLifetime ? .remove : .keep
    case _ where temporary.machine != process.machine: return .keep
    case .unfinished: return .remove
    case .version(let holds, _):
      guard case .file(let bytes, _) = try contents(of: name) else { return .tell }
      return bytes.allSatisfy { $0 == 0 } || TemporaryName.hash(bytes) == holds ? .remove : .tell
    }
  }

  private static func notice(of name: String) -> Notice {
    Notice(
      message:
        "\(name), beside the list, was left by an interrupted write and holds something unexpected. It was left "
        + "alone: compare it with the list, then delete it.")
  }

  /// In nanoseconds.
  private static let lockLifetime: Int64 = 60_000_000_000
}
