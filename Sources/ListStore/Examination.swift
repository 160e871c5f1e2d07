// `doctor`: everything that a person would have to look at to find out why the list cannot be read or written, looked at
// in the order in which one thing depends on the other.
//
//     let findings = Examination(of: store).findings
//
// It reads, and changes nothing but for the temporary files of FolderProbe. It waits for nobody: a lock that is held is
// reported, not waited for. When the folder cannot be opened, there is no more to look at.
//
// Each step is a file: the list (Examination+List.swift), its folder (here), the lock (Examination+Lock.swift), what lies
// beside the list (Examination+Beside.swift), its history (Examination+History.swift).

import JSON
import Platform

package struct Examination {
  /// What was found, in the order it was looked at.
  package private(set) var findings: [Finding] = []

  let store: Store
  var syscalls: Syscalls { store.syscalls }

  package init(of store: Store) {
    self.store = store
    let folder: ListFolder
    do {
      folder = try ListFolder(opening: store.path, with: store.syscalls)
    } catch {
      findings = [missingFolder(error)]
      return
    }
    let history = examineHistory(of: folder)
    findings = [examineList(in: folder, newestVersion: history.newest)]
    findings += examine(folder)
    findings += [examineLock(in: folder)]
    findings += examineSurroundings(of: folder)
    findings += [history.finding]
  }

  // MARK: The folder

  private func missingFolder(_ error: StoreError) -> Finding {
    let (folder, name) = ListFolder.split(store.path)
    switch error.kind {
    case .missingFolder where store.createsFolder:
      return Finding(
        "folder", .note, "\(folder) is not there yet. The first change makes it, and \(name) in it.")
    case .missingFolder:
      return Finding(
        "folder", .trouble, "\(folder) does not exist, and only the usual place is made without being asked.",
        remedy: "mkdir -p \(shellQuoted(folder))")
    case .danglingLink:
      return Finding("list", .trouble, error.message, remedy: "ls -l \(shellQuoted(store.path))")
    default:
      return Finding(
        "folder", .trouble, error.message, remedy: remedy(for: error.errno, of: folder, mode: nil))
    }
  }

  private func examine(_ folder: ListFolder) -> [Finding] {
    let path = ListFolder.split(folder.listPath).folder
    let probe = FolderProbe(folder, process: store.lock.process)
    let facts =
      [
        ("write", probe.write), ("remove", probe.remove), ("links", probe.link), ("locks", probe.lock),
        ("exchange", probe.exchange),
      ].map { (key: $0.0, value: JSONValue($0.1.word)) } + fileSystem(of: folder)
    for outcome in [probe.write, probe.remove] {
      guard case .fails(let errno) = outcome else { continue }
      return [
        Finding(
          "folder", .trouble, "Nothing can be written in \(path): \(errno.message) (\(errno.name)).",
          remedy: remedy(for: errno, of: path, mode: folderMode(folder)), facts: facts)
      ]
    }
    let lacks = [("links", probe.link), ("locks", probe.lock), ("exchange", probe.exchange)].compactMap {
      name, outcome in
      if case .fails(let errno) = outcome { "\(name) (\(errno.name))" } else { nil }
    }
    let tried = "Tried with temporary files there, which are removed again."
    guard !lacks.isEmpty else {
      return [
        Finding(
          "folder", .fine,
          "\(path) can be written, and its file system has links, locks and exchange. \(tried)",
          facts: facts)
      ]
    }
    return [
      Finding(
        "folder", .note,
        "\(path) can be written, and its file system lacks \(lacks.joined(separator: ", ")): edits are made in a way that "
          + "works there, with less protection against other programs. \(tried)", facts: facts)
    ]
  }

  private func fileSystem(of folder: ListFolder) -> [(key: String, value: JSONValue)] {
    do {
      let status = try syscalls.fstatfs(folder.descriptor)
      return [
        ("fileSystem", JSONValue("0x" + String(status.type, radix: 16))),
        ("freeBytes", JSONValue(Int64(clamping: status.availableBytes))),
      ]
    } catch {
      return [("fileSystem", JSONValue(error.name))]
    }
  }

  private func folderMode(_ folder: ListFolder) -> UInt32? {
    do { return try syscalls.fstat(folder.descriptor).mode } catch { return nil }
  }

  // MARK: Remedies

  /// What a person can do about a system's refusal.
  /// - Parameter mode: the permission bits of what lies at the path; nil where it could not be asked.
  func remedy(for errno: Errno?, of path: String, mode: UInt32?) -> String {
    let word = shellQuoted(path)
    switch errno {
    case .accessDenied?, .notPermitted?:
      // Its owner shut it, or it is another's.
      if let mode, mode & 0o600 != 0o600 { return "chmod u+rw \(word)" }
      return "sudo chown -R \"$(id -un)\" \(word)"
    case .noSpace?, .quotaExceeded?, .readOnlyFileSystem?: return "df -h \(word)"
    case .inputOutput?: return "dmesg | tail"
    default: return "ls -ld \(word)"
    }
  }
}

extension FolderProbe.Outcome {
  /// For programs.
  fileprivate var word: String {
    switch self {
    case .works: "works"
    case .taken: "works, taken at the moment"
    case .fails(let errno): errno.name
    }
  }
}
