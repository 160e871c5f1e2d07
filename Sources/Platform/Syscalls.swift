// Every call of the operating system that this program makes, as a value.
//
// Code that touches files, time or processes gets a `Syscalls` and calls its fields; `.live` is the real system
// (Syscalls+LiveFiles.swift, Syscalls+LiveSystem.swift). A test changes the one field it is about:
//
//     var syscalls = Syscalls.live
//     syscalls.fsync = { _ throws(Errno) in throw .inputOutput }
//     let store = Store(path: path, syscalls: syscalls)
//
// What callers may rely on:
// - EINTR never comes out of a field of `.live`: an interrupted call is made again there, and nowhere else.
// - `close` is made once. What it says afterwards, the descriptor is gone; closing it again could close another's.
// - Names in a folder go through the folder's descriptor (`openat` and the like), so that a folder that is renamed
//   or replaced meanwhile does not lead elsewhere.
// - The fields are named after the calls they stand for, so that the manual page is one look away.

package struct Syscalls: Sendable {
  // MARK: Opening and reading

  /// A descriptor for the path. `mode` counts where the file is made, less the umask.
  package var open: @Sendable (_ path: String, _ flags: OpenFlags, _ mode: UInt32) throws(Errno) -> Int32
  /// The same for a name in a folder.
  package var openat:
    @Sendable (_ folder: Int32, _ name: String, _ flags: OpenFlags, _ mode: UInt32) throws(Errno) -> Int32
  package var close: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  /// How many bytes were read; 0 at the end.
  package var read: @Sendable (_ descriptor: Int32, UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  package var fstat: @Sendable (_ descriptor: Int32) throws(Errno) -> FileStatus
  /// What the name itself is, a symbolic link included.
  package var fstatat: @Sendable (_ folder: Int32, _ name: String) throws(Errno) -> FileStatus
  /// The names in a folder, in no order, without "." and "..".
  package var readdir: @Sendable (_ folder: Int32) throws(Errno) -> [String]
  /// The absolute path without symbolic links, "." and ".."; every component must exist.
  package var realpath: @Sendable (_ path: String) throws(Errno) -> String
  package var fstatfs: @Sendable (_ descriptor: Int32) throws(Errno) -> FileSystemStatus
  /// Throws unless this process may write to the file (its mode, its file system).
  package var mayWrite: @Sendable (_ folder: Int32, _ name: String) throws(Errno) -> Void

  // MARK: Writing

  /// How many bytes were written; may be fewer than were given.
  package var write: @Sendable (_ descriptor: Int32, UnsafeRawBufferPointer) throws(Errno) -> Int
  /// Returns when the file's bytes, or a folder's names, are on the device (`F_FULLFSYNC` on Apple systems).
  package var fsync: @Sendable (_ descriptor: Int32) throws(Errno) -> Void
  package var fchmod: @Sendable (_ descriptor: Int32, _ mode: UInt32) throws(Errno) -> Void
  package var fchown: @Sendable (_ descriptor: Int32, _ owner: UInt32, _ group: UInt32) throws(Errno) -> Void
  /// Gives the second file the extended attributes (access lists, labels) of the first, as far as that is allowed.
  package var copyExtendedAttributes: @Sendable (_ from: Int32, _ to: Int32) throws(Errno) -> Void

  // MARK: Names

  /// Gives a file a new name; a file of that name is replaced in one step.
  package var renameat:
    @Sendable (_ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String) throws(Errno) -> Void
  /// The same, unless the new name exists (EEXIST).
  package var renameNoReplace:
    @Sendable (_ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String) throws(Errno) -> Void
  /// Swaps what two names of a folder lead to, in one step.
  package var exchange: @Sendable (_ folder: Int32, _ first: String, _ second: String) throws(Errno) -> Void
  /// Gives a file another name besides; one that exists is never replaced (EEXIST).
  package var linkat:
    @Sendable (_ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String) throws(Errno) -> Void
  package var unlinkat: @Sendable (_ folder: Int32, _ name: String) throws(Errno) -> Void
  package var mkdir: @Sendable (_ path: String, _ mode: UInt32) throws(Errno) -> Void

  // MARK: Locks

  /// Locks or unlocks an open file; a lock that another has is `wouldBlock`. It ends with its last descriptor.
  package var flock: @Sendable (_ descriptor: Int32, _ operation: LockOperation) throws(Errno) -> Void

  // MARK: Streams

  /// Waits until the descriptor can be read from or written to without blocking, at most so many milliseconds; false
  /// when that time is over. True also when the other end is gone: the next call tells.
  package var poll: @Sendable (_ descriptor: Int32, _ direction: Direction, _ milliseconds: Int32) throws(Errno) -> Bool

  // MARK: Time

  /// Unix time in milliseconds.
  package var now: @Sendable () -> Int64
  /// Nanoseconds from some point on, whatever is done to the clock.
  package var monotonic: @Sendable () -> UInt64
  /// Nanoseconds since the machine was started, those asleep included.
  package var uptime: @Sendable () -> UInt64
  /// Sleeps so many nanoseconds: true; false when the program was asked to stop meanwhile. `.live` knows of no stop;
  /// the program puts `EventQueue.sleep` here.
  package var sleep: @Sendable (_ nanoseconds: UInt64) -> Bool

  // MARK: Chance, processes and the machine

  /// So many bytes that nobody can guess.
  package var random: @Sendable (_ count: Int) -> [UInt8]
  package var pid: @Sendable () -> Int32
  package var isAlive: @Sendable (_ pid: Int32) -> ProcessLife
  package var processStart: @Sendable (_ pid: Int32) -> ProcessStart?
  /// The greatest pid that this system gives.
  package var maximumPID: @Sendable () -> Int32
  /// What tells this installation from others; its host name where the system has nothing better.
  package var machineID: @Sendable () -> String
  /// Which processes the pids of this one name: two containers have different ones. Nil where there is no such thing.
  package var pidNamespace: @Sendable () -> String?
  /// What tells this run of the machine from earlier ones.
  package var bootID: @Sendable () -> String?

  /// What to do with a lock on an open file.
  package enum LockOperation: Hashable, Sendable {
    case exclusiveWithoutWaiting, unlock
  }

  /// Which way bytes go.
  package enum Direction: Hashable, Sendable {
    case reading, writing
  }
}

/// Whether a process runs.
package enum ProcessLife: Hashable, Sendable {
  /// It runs, be it another user's that may not be signalled.
  case running
  /// There is none, or it has ended and only waits for its parent to collect it.
  case notRunning
  /// The number can be no process's, or the system does not tell.
  case unknown
}

/// When a process started.
package struct ProcessStart: Hashable, Sendable {
  /// As the system tells it: to be compared, not computed with.
  package let identity: String
  /// The machine's uptime at that time, in nanoseconds.
  package let uptime: UInt64

  package init(identity: String, uptime: UInt64) {
    self.identity = identity
    self.uptime = uptime
  }
}
