// Why the list could not be found, read, locked or written: one kind for each thing a person can do about it.
//
// Every text is put together here, and every text says four things: which file (by its resolved path), what happened
// (with the system's own word for it, where there is one), that nothing was changed (or that it may have been), and what
// to do next. The same text reaches a model through a tool, a person through the command line, and a log.

import Platform
import ShoppingList

package struct StoreError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No home folder is known, and the default path starts there.
    case noHome
    /// The path does not start at the root, and nobody sits in a working folder.
    case relativePath
    /// The folder that the list would lie in does not exist.
    case missingFolder
    /// A symbolic link that leads to no file.
    case danglingLink
    /// Something else is in the list's place.
    case notAFile(FileStatus.Kind)
    /// The sync service has only a placeholder here.
    case notDownloaded
    /// Larger than a list may be.
    case tooLarge
    /// Read, but no list.
    case invalid(DocumentError)
    /// Its mode or its file system forbids writing.
    case readOnly
    /// Another process has the lock, and kept it for as long as we wait.
    case locked(LockHolder?)
    /// Something that is no lock file has the lock file's name.
    case lockObstructed(FileStatus.Kind)
    /// The program was asked to stop while it waited.
    case stopped
    /// It was there when the edit began, and is gone.
    case vanished
    /// Another program changed it again and again.
    case keepsChanging
    /// What the edit would make of it is larger than a list may be.
    case wouldBeTooLarge
    /// What was to be written does not read back as what was meant: a defect of ours.
    case notFaithful
    /// A system call failed, and nothing was changed.
    case failed(Operation)
    /// A system call failed after the new version was in place.
    case uncertain
    /// Another program saved the list at the same moment, and the lock was lost before both could be merged.
    case unsettled
    /// Another program wrote what is no list over it, and did not mend that in time. Both versions are in the archive, as
    /// far as it could be written.
    case overwritten(ours: String?, theirs: String?)
    /// What it was cannot be kept, for this reason, and the edit is one that could lose it.
    case noHistory(String)
    /// What the list was cannot be read, in this folder.
    case historyUnreadable(String)
    /// No version of this id is kept.
    case noSuchVersion(String)
    /// The version is kept, and is no list that can be read.
    case damagedVersion(String)
    /// A file that was named as a copy of the list cannot be merged, for this reason.
    case notAbsorbed(name: String, why: String)
  }

  /// What was being done when a system call failed.
  package enum Operation: String, Hashable, Sendable {
    case find = "found"
    case read = "read"
    case lock = "locked"
    case save = "saved"
    case makeFolder = "given a folder"
  }

  package let kind: Kind
  /// The list's path, resolved as far as it could be.
  package let path: String
  /// What the system said, where it said something.
  package let errno: Errno?

  init(_ kind: Kind, path: String, errno: Errno? = nil) {
    self.kind = kind
    self.path = path
    self.errno = errno
  }

  /// What happened, to which file, whether anything was changed, and what to do next.
  package var message: String {
    let what = errno.map { "\(event): \($0.message) (\($0.name))." } ?? "\(event)."
    return "\(path) \(what) \(effect) \(advice)"
  }

  /// The sentence's verb and what follows it, after the path.
  private var event: String {
    switch kind {
    case .noHome: "cannot be found: the home folder of this user is not known"
    case .relativePath: "is a relative path, and a server has no working folder that it could start from"
    case .missingFolder: "cannot be used: its folder does not exist"
    case .danglingLink: "is a symbolic link to a file that does not exist"
    case .notAFile(let kind): "is \(kind.noun), not a file"
    case .notDownloaded: "is not downloaded yet: the sync service has only a placeholder of it here"
    case .tooLarge: "is larger than 64 MiB, more than a shopping list can be"
    case .invalid(let error): error.message
    case .readOnly: "is read-only"
    case .locked(let holder):
      holder.map { "is locked by \($0.description)" } ?? "is locked by another process"
    case .lockObstructed(let kind): "cannot be locked: \(lockPath) is \(kind.noun)"
    case .stopped: "was not waited for any longer: the server was asked to stop"
    case .vanished: "disappeared while it was being edited"
    case .keepsChanging: "was changed by another program again and again while it was being edited"
    case .wouldBeTooLarge: "would be larger than 64 MiB, too large to be read again"
    case .notFaithful: "was not saved: the new version does not read back as what was meant"
    case .failed(let operation): "could not be \(operation.rawValue)"
    case .uncertain: "was saved, but the system did not confirm that it will last"
    case .unsettled:
      "was saved by another program at the same moment, and its lock was taken over before both edits could be merged"
    case .overwritten: "was overwritten by another program with something that is no list"
    case .noHistory(let why): "was not replaced, since what it is now cannot be kept in its history (\(why))"
    case .historyUnreadable(let folder): "has a history that cannot be read, in \(folder)"
    case .noSuchVersion(let id): "has no version \"\(id)\" in its history"
    case .damagedVersion(let id): "has a version \"\(id)\" in its history that is no list"
    case .notAbsorbed(let name, let why): "was not merged with \(name): \(why)"
    }
  }

  private var effect: String {
    switch kind {
    case .uncertain, .unsettled: "The edit may have taken effect."
    default: "Nothing was changed."
    }
  }

  private var advice: String {
    switch kind {
    case .noHome: "Set HOME, or name the list by --file or BANANA_LIST_FILE."
    case .relativePath: "Give an absolute path, or one that starts with ~/."
    case .missingFolder: "Make the folder, or correct the path (--file, BANANA_LIST_FILE)."
    case .danglingLink: "Restore the file that it leads to, or remove the link."
    case .notAFile: "Correct the path (--file, BANANA_LIST_FILE)."
    case .notDownloaded: "Let the sync service download it (open it once, or its folder), then try again."
    case .tooLarge: "Check that the path is the shopping list's."
    case .invalid(let error): error.advice + (error.mayBeHalfWritten ? Self.historyAdvice : "")
    case .readOnly: "Make the file writable, or leave it as it is."
    case .locked(let holder): holder?.advice(lockPath: lockPath) ?? "Try again in a moment."
    case .lockObstructed: "Move it away, then try again."
    case .stopped, .keepsChanging: "Try again."
    case .vanished: "Try again; if it was moved or deleted, put it back first."
    case .wouldBeTooLarge: "Remove items that are no longer needed."
    case .notFaithful: "Please report this, with a copy of the file."
    case .uncertain: "Read the list to see, before trying again."
    case .failed: errno?.advice ?? "Try again."
    case .unsettled: "Read the list to see; the next edit merges what the other program saved."
    case .overwritten(let ours, let theirs):
      "Mend the file by hand, or delete it and restore an earlier version (get-bananas history lists them"
        + (ours.map { "; with this edit: \($0)" } ?? "")
        + (theirs.map { "; what was written over it: \($0)" } ?? "")
        + ")."
    case .historyUnreadable: errno?.advice ?? "Try again."
    case .noHistory: "Make room for the history, or use the tools for single items."
    case .noSuchVersion, .damagedVersion: "get-bananas history lists the versions that there are."
    case .notAbsorbed: "Give a copy of the list that lies beside it."
    }
  }

  /// Where the list cannot be read, no tool can restore it: an edit of what is not understood would destroy it.
  private static let historyAdvice =
    " Earlier versions are kept: get-bananas history lists them; delete the file, then get-bananas restore brings one back."

  private var lockPath: String { path + LockName.suffix }
}

extension Errno {
  /// What a person can do about a file that could not be read, locked or saved.
  fileprivate var advice: String {
    switch self {
    case .accessDenied, .notPermitted:
      "Check that this user may read and write the file and its folder."
    case .readOnlyFileSystem: "Its disk is mounted read-only: use another place, or mount it writable."
    case .noSpace, .quotaExceeded: "Free some space, then try again."
    case .fileTooLarge: "Raise the limit for the size of files, then try again."
    case .inputOutput: "Its disk may be failing: check it before trying again."
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: "Try again in a moment."
    case .notDirectory, .symbolicLinkLoop, .nameTooLong: "Correct the path (--file, BANANA_LIST_FILE)."
    default: "Try again; if it fails again, look at the file and its folder."
    }
  }
}

extension DocumentError {
  /// Whether an interrupted write could have left the file so.
  var mayBeHalfWritten: Bool {
    switch kind {
    case .empty, .notJSON: true
    default: false
    }
  }
}

extension FileStatus.Kind {
  /// With its article.
  fileprivate var noun: String {
    switch self {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a FIFO"
    case .socket: "a socket"
    case .device: "a device"
    case .other: "something else"
    }
  }
}
