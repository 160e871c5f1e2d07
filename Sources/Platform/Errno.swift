// The number by which the system says why a call failed, as a type of its own.
//
// Every call of `Syscalls` throws it and nothing else; the border above (the store, the server) turns it into an error
// that names the operation and the path. Compare with the constants:
//
//     do { … } catch .noEntry { … }          // there is no such file
//     catch where error.isUnsupported { … }  // the file system has no such operation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a system call failed.
package struct Errno: Error, RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// What the last call of this thread left in `errno`. To be read before anything else is called.
  static var last: Errno { Errno(rawValue: errno) }

  package static let notPermitted = Errno(rawValue: EPERM)
  package static let noEntry = Errno(rawValue: ENOENT)
  package static let noProcess = Errno(rawValue: ESRCH)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let inputOutput = Errno(rawValue: EIO)
  package static let badDescriptor = Errno(rawValue: EBADF)
  package static let wouldBlock = Errno(rawValue: EAGAIN)
  package static let noMemory = Errno(rawValue: ENOMEM)
  package static let accessDenied = Errno(rawValue: EACCES)
  package static let exists = Errno(rawValue: EEXIST)
  package static let crossDevice = Errno(rawValue: EXDEV)
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let isDirectory = Errno(rawValue: EISDIR)
  package static let invalid = Errno(rawValue: EINVAL)
  package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
  package static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
  package static let fileTooLarge = Errno(rawValue: EFBIG)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let quotaExceeded = Errno(rawValue: EDQUOT)
  package static let readOnlyFileSystem = Errno(rawValue: EROFS)
  package static let tooManyLinks = Errno(rawValue: EMLINK)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let wouldDeadlock = Errno(rawValue: EDEADLK)
  package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  package static let noLocks = Errno(rawValue: ENOLCK)
  package static let notImplemented = Errno(rawValue: ENOSYS)
  package static let symbolicLinkLoop = Errno(rawValue: ELOOP)
  package static let notSupported = Errno(rawValue: ENOTSUP)
  package static let operationNotSupported = Errno(rawValue: EOPNOTSUPP)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let stale = Errno(rawValue: ESTALE)

  /// Whether the system or the file system does not know the operation at all, so that another way is worth trying.
  package var isUnsupported: Bool {
    switch self {
    case .notImplemented, .notSupported, .operationNotSupported, .invalid: true
    default: false
    }
  }

  /// The constant's name in C, as engineers search for it: "ENOSPC".
  package var name: String { Self.texts[self]?.name ?? "errno \(rawValue)" }

  /// What it means, for a sentence: "no space left on device".
  package var message: String { Self.texts[self]?.message ?? "unknown error \(rawValue)" }

  private static let texts: [Errno: (name: String, message: String)] = Dictionary(
    [
      (.notPermitted, ("EPERM", "operation not permitted")),
      (.noEntry, ("ENOENT", "no such file or directory")),
      (.noProcess, ("ESRCH", "no such process")),
      (.interrupted, ("EINTR", "interrupted by a signal")),
      (.inputOutput, ("EIO", "input/output error")),
      (.badDescriptor, ("EBADF", "bad file descriptor")),
      (.wouldBlock, ("EAGAIN", "not available now")),
      (.noMemory, ("ENOMEM", "out of memory")),
      (.accessDenied, ("EACCES", "permission denied")),
      (.exists, ("EEXIST", "file exists")),
      (.crossDevice, ("EXDEV", "on another file system")),
      (.notDirectory, ("ENOTDIR", "not a directory")),
      (.isDirectory, ("EISDIR", "is a directory")),
      (.invalid, ("EINVAL", "invalid argument")),
      (.tooManyOpenFiles, ("EMFILE", "too many open files")),
      (.tooManyOpenFilesInSystem, ("ENFILE", "too many open files in the system")),
      (.fileTooLarge, ("EFBIG", "file too large")),
      (.noSpace, ("ENOSPC", "no space left on device")),
      (.quotaExceeded, ("EDQUOT", "disk quota exceeded")),
      (.readOnlyFileSystem, ("EROFS", "read-only file system")),
      (.tooManyLinks, ("EMLINK", "too many links")),
      (.brokenPipe, ("EPIPE", "broken pipe")),
      (.wouldDeadlock, ("EDEADLK", "resource deadlock avoided")),
      (.nameTooLong, ("ENAMETOOLONG", "file name too long")),
      (.noLocks, ("ENOLCK", "no locks available")),
      (.notImplemented, ("ENOSYS", "function not implemented")),
      (.symbolicLinkLoop, ("ELOOP", "too many levels of symbolic links")),
      (.notSupported, ("ENOTSUP", "operation not supported")),
      (.operationNotSupported, ("EOPNOTSUPP", "operation not supported")),
      (.timedOut, ("ETIMEDOUT", "timed out")),
      (.stale, ("ESTALE", "stale file handle")),
    ],
    // ENOTSUP and EOPNOTSUPP are one number on Linux.
    uniquingKeysWith: { first, _ in first })
}
