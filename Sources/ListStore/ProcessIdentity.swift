// Who this process is, to others that find its lock or its temporary files.
//
// A pid says something only among the processes of one machine, one run of it and one pid namespace, and only until it
// is given to another process: so a lock names all of these. Host names drift, and containers share them; the machine's
// id does not. Its man page asks not to show it around (machine-id(5)), and the list's folder may be synced to anywhere:
// a hash of it does as well.

import Platform
import ShoppingList

package struct ProcessIdentity: Hashable, Sendable {
  let pid: Int32
  /// The machine and, on Linux, the pid namespace.
  let host: String
  /// The machine alone: all its containers that share the folder have the same, and exclude each other by the kernel's
  /// lock.
  let machine: String
  /// This run of the machine.
  let boot: String?
  /// When this process started, as the system tells it.
  let started: String?

  package init(_ syscalls: Syscalls) {
    pid = syscalls.pid()
    let machine = SHA256.hash(Array("get-bananas \(syscalls.machineID())".utf8))
    self.machine = hexadecimal(machine.prefix(4))
    host = hexadecimal(machine.prefix(8)) + (syscalls.pidNamespace().map { "." + $0 } ?? "")
    boot = syscalls.bootID()
    started = syscalls.processStart(pid)?.identity
  }
}
