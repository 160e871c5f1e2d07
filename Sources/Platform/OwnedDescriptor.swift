// An open file that is closed exactly once: by `close`, or when its owner goes out of scope.
//
//     let file = try OwnedDescriptor(opening: name, in: folder.descriptor, [.read, .noFollow], with: syscalls)
//     let bytes = try syscalls.readAll(file.descriptor, limit: 1024)
//
// It cannot be copied, so no second owner can close a number that meanwhile is another's file. A name keeps it open to the
// end of the name's scope; a value without one is closed as soon as its number was read, so it is always given a name.

package struct OwnedDescriptor: ~Copyable {
  package let descriptor: Int32
  private let closing: @Sendable (Int32) throws(Errno) -> Void
  private var isOpen = true

  /// Takes over a descriptor that is open.
  package init(owning descriptor: Int32, with syscalls: Syscalls) {
    self.descriptor = descriptor
    closing = syscalls.close
  }

  /// Opens a path.
  package init(opening path: String, _ flags: OpenFlags, with syscalls: Syscalls) throws(Errno) {
    self.init(owning: try syscalls.open(path, flags, 0), with: syscalls)
  }

  /// Opens a name in a folder. `mode` counts where the file is made, less the umask.
  package init(
    opening name: String, in folder: Int32, _ flags: OpenFlags, mode: UInt32 = 0, with syscalls: Syscalls
  ) throws(Errno) {
    self.init(owning: try syscalls.openat(folder, name, flags, mode), with: syscalls)
  }

  deinit {
    guard isOpen else { return }
    // Who wants to know whether closing failed calls `close`.
    do { try closing(descriptor) } catch {}
  }

  /// Closes it now and says what the system says: a network file system tells of a failed write only here.
  package consuming func close() throws(Errno) {
    isOpen = false
    try closing(descriptor)
  }
}
