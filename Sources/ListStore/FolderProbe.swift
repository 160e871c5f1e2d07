// What the file system of the list's folder can do, found out by doing it: two temporary files are made there, written,
// linked, swapped and removed again.
//
// They have the names of locks on their way (`….lock.tmp`): no program takes one for a list or for a left-over of a write,
// and should this process die in the middle, the first write a minute later removes them.

import Platform

struct FolderProbe {
  /// What came of one thing that was tried.
  enum Outcome: Hashable {
    case works
    /// Another process has it at the moment, so it does.
    case taken
    case fails(Errno)
  }

  /// Whether a file can be made, written and brought onto the device.
  let write: Outcome
  /// Whether it can be removed again.
  let remove: Outcome
  /// Second names, by which a lock appears with its whole content.
  let link: Outcome
  /// The kernel's lock on the folder.
  let lock: Outcome
  /// Swapping two names in one step.
  let exchange: Outcome

  /// Where no file can be made, links and exchange fail as making it did.
  init(_ folder: ListFolder, process: ProcessIdentity) {
    let syscalls = folder.syscalls
    let directory = folder.descriptor
    let names = (0..<3).map { _ in
      TemporaryName(.lock, machine: process.machine, syscalls: syscalls).text(ofList: folder.listName)
    }
    lock = Self.tried { () throws(Errno) in
      try syscalls.flock(directory, .exclusiveWithoutWaiting)
      try syscalls.flock(directory, .unlock)
    }
    write = Self.tried { () throws(Errno) in
      for name in names.prefix(2) {
        let file = try OwnedDescriptor(
          opening: name, in: directory, [.write, .createNew, .noFollow], mode: 0o600, with: syscalls)
        // A page: a disk that is full may still have room for an empty file.
        try syscalls.writeFile(file.descriptor, [UInt8](repeating: 0, count: 4096))
        try syscalls.fsync(file.descriptor)
        try file.close()
      }
    }
    if case .fails = write {
      link = write
      exchange = write
    } else {
      link = Self.tried { () throws(Errno) in try syscalls.linkat(directory, names[0], directory, names[2]) }
      exchange = Self.tried { () throws(Errno) in try syscalls.exchange(directory, names[0], names[1]) }
    }
    var removal = Outcome.works
    for name in names {
      let outcome = Self.tried { () throws(Errno) in
        do throws(Errno) { try syscalls.unlinkat(directory, name) } catch .noEntry {}
      }
      if case .fails = outcome { removal = outcome }
    }
    remove = removal
  }

  private static func tried(_ action: () throws(Errno) -> Void) -> Outcome {
    do throws(Errno) {
      try action()
      return .works
    } catch .wouldBlock {
      return .taken
    } catch {
      return .fails(error)
    }
  }
}
