import Platform

/// Something that goes wrong at one system call, counted from 0 over all calls that can fail:
///
///     let plan = FaultPlan(.failing(.noSpace), at: 7)
///     let store = Store(path: path, syscalls: plan.syscalls())
///     …
///     if !plan.wasReached { … }   // fewer calls were made: the loop over n is at its end
///
/// `of` leaves out calls that cannot fail so; they are not counted then.
///
/// Closing is counted and fails, too, and still closes: so does the kernel, and at a process's death all at once.
final class FaultPlan: @unchecked Sendable {  // used by one thread
  enum Fault: Hashable, CustomStringConvertible {
    /// The call is not made, and this comes back.
    case failing(Errno)
    /// A read or write moves half of the bytes.
    case short
    /// The call is not made, and none after it is, as if the process had died.
    case dying
    /// The call is made, and then this comes back: a network file system that lost the answer.
    case failingAfterwards(Errno)

    var description: String {
      switch self {
      case .failing(let error): error.name
      case .short: "short"
      case .dying: "death"
      case .failingAfterwards(let error): "\(error.name) afterwards"
      }
    }
  }

  private let fault: Fault
  private let number: Int
  private let isCounted: (_ call: String) -> Bool
  private var counted = 0
  private var isDead = false
  /// The names of the calls that were made.
  private(set) var calls: [String] = []
  /// What is done before the call.
  private let action: ((_ call: String) -> Void)?

  init(_ fault: Fault, at number: Int, of isCounted: @escaping (_ call: String) -> Bool = { _ in true }) {
    self.fault = fault
    self.number = number
    self.isCounted = isCounted
    action = nil
  }

  /// No fault, and an action of somebody else's just before the call.
  init(before number: Int, _ action: @escaping (_ call: String) -> Void) {
    fault = .short
    self.number = number
    isCounted = { _ in true }
    self.action = action
  }

  /// No fault at all: counts calls.
  convenience init() {
    self.init(.short, at: .max)
  }

  var wasReached: Bool { counted > number }
  /// The call that it was; nil before it was reached.
  private(set) var hit: String?

  /// The fields that can fail.
  static let names: Set<String> = [
    "open", "openat", "close", "read", "fstat", "fstatat", "readdir", "realpath", "fstatfs", "mayWrite",
    "write", "fsync",
    "fchmod", "fchown", "copyExtendedAttributes", "renameat", "renameNoReplace", "exchange", "linkat",
    "unlinkat",
    "mkdir", "flock", "poll",
  ]

  private func made<Result>(
    _ name: String, _ call: (_ isShort: Bool) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    guard !isDead else { throw .inputOutput }
    calls.append(name)
    guard isCounted(name) else { return try call(false) }
    let isReached = counted == number
    counted += 1
    guard isReached else { return try call(false) }
    hit = name
    action?(name)
    switch fault {
    case .failing(let error): throw error
    case .short: return try call(true)
    case .dying:
      isDead = true
      throw .inputOutput
    case .failingAfterwards(let error):
      _ = try call(false)
      throw error
    }
  }

  func syscalls(over base: Syscalls = .live) -> Syscalls {
    var plan = base
    plan.open = { (path, flags, mode) throws(Errno) in
      try self.made("open") { _ throws(Errno) in try base.open(path, flags, mode) }
    }
    plan.openat = { (folder, name, flags, mode) throws(Errno) in
      try self.made("openat") { _ throws(Errno) in try base.openat(folder, name, flags, mode) }
    }
    plan.close = { (descriptor) throws(Errno) in
      try base.close(descriptor)
      try self.made("close") { _ in }
    }
    plan.read = { (descriptor, buffer) throws(Errno) in
      try self.made("read") { isShort throws(Errno) in
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix((buffer.count + 1) / 2))
        return try base.read(descriptor, isShort ? part : buffer)
      }
    }
    plan.fstat = { (descriptor) throws(Errno) in
      try self.made("fstat") { _ throws(Errno) in try base.fstat(descriptor) }
    }
    plan.fstatat = { (folder, name) throws(Errno) in
      try self.made("fstatat") { _ throws(Errno) in try base.fstatat(folder, name) }
    }
    plan.readdir = { (folder) throws(Errno) in
      try self.made("readdir") { _ throws(Errno) in try base.readdir(folder) }
    }
    plan.realpath = { (path) throws(Errno) in
      try self.made("realpath") { _ throws(Errno) in try base.realpath(path) }
    }
    plan.fstatfs = { (descriptor) throws(Errno) in
      try self.made("fstatfs") { _ throws(Errno) in try base.fstatfs(descriptor) }
    }
    plan.mayWrite = { (folder, name) throws(Errno) in
      try self.made("mayWrite") { _ throws(Errno) in try base.mayWrite(folder, name) }
    }
    plan.write = { (descriptor, bytes) throws(Errno) in
      try self.made("write") { isShort throws(Errno) in
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix((bytes.count + 1) / 2))
        return try base.write(descriptor, isShort ? part : bytes)
      }
    }
    plan.fsync = { (descriptor) throws(Errno) in
      try self.made("fsync") { _ throws(Errno) in try base.fsync(descriptor) }
    }
    plan.fchmod = { (descriptor, mode) throws(Errno) in
      try self.made("fchmod") { _ throws(Errno) in try base.fchmod(descriptor, mode) }
    }
    plan.fchown = { (descriptor, owner, group) throws(Errno) in
      try self.made("fchown") { _ throws(Errno) in try base.fchown(descriptor, owner, group) }
    }
    plan.copyExtendedAttributes = { (from, to) throws(Errno) in
      try self.made("copyExtendedAttributes") { _ throws(Errno) in try base.copyExtendedAttributes(from, to) }
    }
    plan.renameat = { (folder, name, newFolder, newName) throws(Errno) in
      try self.made("renameat") { _ throws(Errno) in try base.renameat(folder, name, newFolder, newName) }
    }
    plan.renameNoReplace = { (folder, name, newFolder, newName) throws(Errno) in
      try self.made("renameNoReplace") { _ throws(Errno) in
        try base.renameNoReplace(folder, name, newFolder, newName)
      }
    }
    plan.exchange = { (folder, first, second) throws(Errno) in
      try self.made("exchange") { _ throws(Errno) in try base.exchange(folder, first, second) }
    }
    plan.linkat = { (folder, name, newFolder, newName) throws(Errno) in
      try self.made("linkat") { _ throws(Errno) in try base.linkat(folder, name, newFolder, newName) }
    }
    plan.unlinkat = { (folder, name) throws(Errno) in
      try self.made("unlinkat") { _ throws(Errno) in try base.unlinkat(folder, name) }
    }
    plan.mkdir = { (path, mode) throws(Errno) in
      try self.made("mkdir") { _ throws(Errno) in try base.mkdir(path, mode) }
    }
    plan.flock = { (descriptor, operation) throws(Errno) in
      try self.made("flock") { _ throws(Errno) in try base.flock(descriptor, operation) }
    }
    plan.poll = { (descriptor, direction, milliseconds) throws(Errno) in
      try self.made("poll") { _ throws(Errno) in try base.poll(descriptor, direction, milliseconds) }
    }
    return plan
  }
}
