// The real system: files, names, locks and streams.
//
// Each function makes one call, makes it again when a signal interrupted it, and throws what `errno` says. `close` is
// the exception: on Linux the descriptor is gone even when EINTR comes back, and its number may be another file's.

import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Syscalls {
  /// The operating system itself.
  package static let live = Syscalls(
    open: { (path, flags, mode) throws(Errno) in try LiveFiles.open(AT_FDCWD, path, flags, mode) },
    openat: LiveFiles.open,
    close: LiveFiles.closeOnce,
    read: LiveFiles.readBytes,
    fstat: LiveFiles.status,
    fstatat: LiveFiles.status,
    readdir: LiveFiles.names,
    realpath: LiveFiles.realPath,
    fstatfs: LiveFiles.fileSystemStatus,
    mayWrite: LiveFiles.mayWrite,
    write: LiveFiles.writeBytes,
    fsync: LiveFiles.synchronize,
    fchmod: LiveFiles.setMode,
    fchown: LiveFiles.setOwner,
    copyExtendedAttributes: LiveFiles.copyExtendedAttributes,
    renameat: LiveFiles.rename,
    renameNoReplace: LiveFiles.renameNoReplace,
    exchange: LiveFiles.exchange,
    linkat: LiveFiles.link,
    unlinkat: LiveFiles.unlink,
    mkdir: LiveFiles.makeDirectory,
    flock: LiveFiles.lock,
    poll: LiveFiles.poll,
    now: LiveSystem.now,
    monotonic: LiveSystem.monotonic,
    uptime: LiveSystem.uptime,
    sleep: LiveSystem.sleep,
    random: LiveSystem.random,
    pid: LiveSystem.pid,
    isAlive: LiveSystem.life,
    processStart: LiveSystem.processStart,
    maximumPID: LiveSystem.maximumPID,
    machineID: LiveSystem.machineID,
    pidNamespace: LiveSystem.pidNamespace,
    bootID: LiveSystem.bootID)
}

enum LiveFiles {
  /// Makes the call until it is not interrupted; below 0 is failure.
  @discardableResult
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
      let result = call()
      guard result < 0 else { return result }
      let error = Errno.last
      guard error == .interrupted else { throw error }
    }
  }

  @Sendable static func open(
    _ folder: Int32, _ name: String, _ flags: OpenFlags, _ mode: UInt32
  ) throws(Errno) -> Int32 {
    try retrying { cplatform_openat(folder, name, flags.rawValue, mode) }
  }

  @Sendable static func closeOnce(_ descriptor: Int32) throws(Errno) {
    guard close(descriptor) != 0 else { return }
    let error = Errno.last
    guard error == .interrupted else { throw error }
  }

  @Sendable static func readBytes(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try retrying { read(descriptor, buffer.baseAddress, buffer.count) }
  }

  @Sendable static func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try retrying { write(descriptor, bytes.baseAddress, bytes.count) }
  }

  @Sendable static func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
    var status = cplatform_status()
    try retrying { cplatform_fstat(descriptor, &status) }
    return FileStatus(status)
  }

  @Sendable static func status(_ folder: Int32, _ name: String) throws(Errno) -> FileStatus {
    var status = cplatform_status()
    try retrying { cplatform_fstatat(folder, name, &status) }
    return FileStatus(status)
  }

  @Sendable static func names(_ folder: Int32) throws(Errno) -> [String] {
    var names: [String] = []
    try retrying {
      names.removeAll()
      return withUnsafeMutablePointer(to: &names) { names in
        cplatform_list(
          folder,
          { context, name in
            guard let context, let name else { return }
            let text = String(cString: name)
            if text != "." && text != ".." { context.assumingMemoryBound(to: [String].self).pointee.append(text) }
          }, names)
      }
    }
    return names
  }

  @Sendable static func realPath(_ path: String) throws(Errno) -> String {
    guard let resolved = realpath(path, nil) else { throw .last }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  @Sendable static func fileSystemStatus(_ descriptor: Int32) throws(Errno) -> FileSystemStatus {
    var type: UInt64 = 0
    var available: UInt64 = 0
    try retrying { cplatform_fstatfs(descriptor, &type, &available) }
    return FileSystemStatus(type: type, availableBytes: available)
  }

  @Sendable static func mayWrite(_ folder: Int32, _ name: String) throws(Errno) {
    try retrying { faccessat(folder, name, W_OK, Int32(AT_EACCESS)) }
  }

  @Sendable static func synchronize(_ descriptor: Int32) throws(Errno) {
    try retrying { cplatform_fsync(descriptor) }
  }

  @Sendable static func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) {
    try retrying { fchmod(descriptor, mode_t(truncatingIfNeeded: mode)) }
  }

  @Sendable static func setOwner(_ descriptor: Int32, _ owner: UInt32, _ group: UInt32) throws(Errno) {
    try retrying { fchown(descriptor, owner, group) }
  }

  @Sendable static func copyExtendedAttributes(_ from: Int32, _ to: Int32) throws(Errno) {
    try retrying { cplatform_copy_extended_attributes(from, to) }
  }

  @Sendable static func rename(
    _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String
  ) throws(Errno) {
    try retrying { renameat(folder, name, newFolder, newName) }
  }

  @Sendable static func renameNoReplace(
    _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String
  ) throws(Errno) {
    try retrying { cplatform_rename_no_replace(folder, name, newFolder, newName) }
  }

  @Sendable static func exchange(_ folder: Int32, _ first: String, _ second: String) throws(Errno) {
    try retrying { cplatform_exchange(folder, first, second) }
  }

  @Sendable static func link(
    _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String
  ) throws(Errno) {
    try retrying { linkat(folder, name, newFolder, newName, 0) }
  }

  @Sendable static func unlink(_ folder: Int32, _ name: String) throws(Errno) {
    try retrying { unlinkat(folder, name, 0) }
  }

  @Sendable static func makeDirectory(_ path: String, _ mode: UInt32) throws(Errno) {
    try retrying { mkdir(path, mode_t(truncatingIfNeeded: mode)) }
  }

  @Sendable static func lock(_ descriptor: Int32, _ operation: Syscalls.LockOperation) throws(Errno) {
    try retrying {
      switch operation {
      case .exclusiveWithoutWaiting: flock(descriptor, LOCK_EX | LOCK_NB)
      case .unlock: flock(descriptor, LOCK_UN)
      }
    }
  }

  @Sendable static func poll(
    _ descriptor: Int32, _ direction: Syscalls.Direction, _ milliseconds: Int32
  ) throws(Errno) -> Bool {
    // Interrupted, it begins again with the full time: callers poll in slices and look at their own clock.
    try retrying { cplatform_poll(descriptor, direction == .writing, milliseconds) } > 0
  }
}
