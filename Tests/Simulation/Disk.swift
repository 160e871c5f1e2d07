// The files of one device, in memory, and the system calls of the processes that run there.
//
// `ListStore` runs on it as it is: the locks, the temporary files, the exchange, the history. What a process that dies has
// left stays, its descriptors and kernel locks go. Nothing is ever out of order within a device: what was written is there.

import Platform

/// A file or a folder.
final class Node {
  let inode: UInt64
  var kind: FileStatus.Kind
  var bytes: [UInt8] = []
  var names: [String: Node] = [:]
  var mode: UInt32 = 0o644
  /// Unix time in nanoseconds, by the device's clock.
  var modified: Int64
  var links: UInt64 = 1
  /// The open description that holds the lock on it.
  var locked: Int32?

  init(inode: UInt64, kind: FileStatus.Kind, modified: Int64) {
    (self.inode, self.kind, self.modified) = (inode, kind, modified)
  }
}

/// What a descriptor leads to.
private struct OpenFile {
  let node: Node
  var offset = 0
  let process: Int32
}

/// One device's files. `@unchecked`: a simulation is one thread.
final class Disk: @unchecked Sendable {
  let root: Node
  private var inodes: UInt64 = 1
  private var descriptors: [Int32: OpenFile] = [:]
  private var nextDescriptor: Int32 = 3
  private let clock: () -> Int64
  /// Which processes run.
  var running: Set<Int32> = []
  /// Called after the names or the bytes of the list's folder have changed.
  var changed: (_ name: String) -> Void = { _ in }
  /// How many times the list was replaced by a program on this device.
  var replacements = 0

  /// - Parameter clock: Unix time in nanoseconds, as this device has it.
  init(clock: @escaping () -> Int64) {
    self.clock = clock
    root = Node(inode: 1, kind: .directory, modified: 0)
    for name in ["list", "state"] { root.names[name] = makeNode(.directory) }
  }

  private func makeNode(_ kind: FileStatus.Kind) -> Node {
    inodes += 1
    return Node(inode: inodes, kind: kind, modified: clock())
  }

  // MARK: Names

  private func node(at path: String) throws(Errno) -> Node {
    var node = root
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      guard node.kind == .directory else { throw .notDirectory }
      guard let next = node.names[String(Substring(part))] else { throw .noEntry }
      node = next
    }
    return node
  }

  private func parent(of path: String) throws(Errno) -> (Node, String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { throw .invalid }
    return (try node(at: String(path[..<slash])), String(path[path.utf8.index(after: slash)...]))
  }

  // MARK: For who is no process: the sync service, the checks

  /// The list's folder.
  var folder: Node { root.names["list"].unsafelyUnwrapped }

  func file(_ name: String) -> (bytes: [UInt8], modified: Int64)? {
    folder.names[name].map { ($0.bytes, $0.modified) }
  }

  /// Puts a file in place at once, by renaming.
  func put(_ name: String, _ bytes: [UInt8]?, modified: Int64) {
    if let bytes {
      let node = makeNode(.file)
      (node.bytes, node.modified) = (bytes, modified)
      folder.names[name] = node
    } else {
      folder.names[name] = nil
    }
    changed(name)
  }

  func touch(_ name: String, modified: Int64) {
    folder.names[name]?.modified = modified
    changed(name)
  }

  // MARK: Processes

  func end(_ process: Int32) {
    running.remove(process)
    for (descriptor, file) in descriptors where file.process == process { drop(descriptor) }
  }

  private func drop(_ descriptor: Int32) {
    guard let file = descriptors.removeValue(forKey: descriptor) else { return }
    if file.node.locked == descriptor { file.node.locked = nil }
  }

  private func add(_ node: Node, _ process: Int32) -> Int32 {
    nextDescriptor += 1
    descriptors[nextDescriptor] = OpenFile(node: node, process: process)
    return nextDescriptor
  }

  private func open(_ descriptor: Int32) throws(Errno) -> OpenFile {
    guard let file = descriptors[descriptor] else { throw .badDescriptor }
    return file
  }

  private func directory(_ descriptor: Int32) throws(Errno) -> Node {
    let node = try open(descriptor).node
    guard node.kind == .directory else { throw .notDirectory }
    return node
  }

  private func status(_ node: Node) -> FileStatus {
    FileStatus(
      kind: node.kind, device: 1, inode: node.inode, links: node.links, size: Int64(node.bytes.count),
      mode: node.mode, owner: 1, group: 1, modified: node.modified)
  }

  private func tell(_ folder: Node, _ name: String) {
    if folder === self.folder { changed(name) }
  }

  private func name(_ node: Node, _ folder: Node, _ name: String) {
    if folder === self.folder && name == World.listName { replacements += 1 }
    folder.names[name] = node
    tell(folder, name)
  }

  /// The calls of one process.
  ///
  /// - Parameter step: called before each call that can fail; throws for a process that is dead.
  func syscalls(
    of process: Int32, step: @escaping () throws(Errno) -> Void, monotonic: @escaping () -> UInt64,
    sleep: @escaping (UInt64) -> Bool, random: @escaping (Int) -> [UInt8]
  ) -> Syscalls {
    let box = Unchecked((step, monotonic, sleep, random))
    var calls = Syscalls.live
    calls.open = { [self] (path, _, _) throws(Errno) in
      try box.value.0()
      return add(try node(at: path), process)
    }
    calls.openat = { [self] (folder, name, flags, mode) throws(Errno) in
      try box.value.0()
      let folder = try directory(folder)
      if flags.contains(.createNew) {
        guard folder.names[name] == nil else { throw .exists }
        let node = makeNode(.file)
        node.mode = mode & 0o644
        folder.names[name] = node
        return add(node, process)
      }
      guard let node = folder.names[name] else { throw .noEntry }
      return add(node, process)
    }
    calls.close = { [self] (descriptor) throws(Errno) in
      _ = try open(descriptor)
      drop(descriptor)
    }
    calls.read = { [self] (descriptor, buffer) throws(Errno) in
      try box.value.0()
      var file = try open(descriptor)
      let rest = file.node.bytes[min(file.offset, file.node.bytes.count)...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      file.offset += rest.count
      descriptors[descriptor] = file
      return rest.count
    }
    calls.write = { [self] (descriptor, bytes) throws(Errno) in
      try box.value.0()
      let node = try open(descriptor).node
      node.bytes.append(contentsOf: bytes)
      node.modified = clock()
      return bytes.count
    }
    calls.fstat = { [self] (descriptor) throws(Errno) in
      try box.value.0()
      return status(try open(descriptor).node)
    }
    calls.fstatat = { [self] (folder, name) throws(Errno) in
      try box.value.0()
      guard let node = try directory(folder).names[name] else { throw .noEntry }
      return status(node)
    }
    calls.readdir = { [self] (folder) throws(Errno) in
      try box.value.0()
      return Array(try directory(folder).names.keys)
    }
    calls.realpath = { [self] (path) throws(Errno) in
      try box.value.0()
      _ = try node(at: path)
      return path
    }
    calls.fstatfs = { (_) throws(Errno) in throw .notSupported }
    calls.mayWrite = { (_, _) throws(Errno) in try box.value.0() }
    calls.fsync = { (_) throws(Errno) in try box.value.0() }
    calls.fchmod = { [self] (descriptor, mode) throws(Errno) in
      try box.value.0()
      try open(descriptor).node.mode = mode
    }
    calls.fchown = { (_, _, _) throws(Errno) in try box.value.0() }
    calls.copyExtendedAttributes = { (_, _) throws(Errno) in try box.value.0() }
    calls.renameat = { [self] (folder, name, newFolder, newName) throws(Errno) in
      try box.value.0()
      let (from, to) = (try directory(folder), try directory(newFolder))
      guard let node = from.names.removeValue(forKey: name) else { throw .noEntry }
      if let old = to.names[newName] { old.links -= 1 }
      tell(from, name)
      self.name(node, to, newName)
    }
    calls.renameNoReplace = { [self] (folder, name, newFolder, newName) throws(Errno) in
      try box.value.0()
      let (from, to) = (try directory(folder), try directory(newFolder))
      guard to.names[newName] == nil else { throw .exists }
      guard let node = from.names.removeValue(forKey: name) else { throw .noEntry }
      tell(from, name)
      self.name(node, to, newName)
    }
    calls.exchange = { [self] (folder, first, second) throws(Errno) in
      try box.value.0()
      let folder = try directory(folder)
      guard let one = folder.names[first], let two = folder.names[second] else { throw .noEntry }
      folder.names[first] = two
      self.name(one, folder, second)
      tell(folder, first)
    }
    calls.linkat = { [self] (folder, name, newFolder, newName) throws(Errno) in
      try box.value.0()
      let (from, to) = (try directory(folder), try directory(newFolder))
      guard let node = from.names[name] else { throw .noEntry }
      guard to.names[newName] == nil else { throw .exists }
      node.links += 1
      self.name(node, to, newName)
    }
    calls.unlinkat = { [self] (folder, name) throws(Errno) in
      try box.value.0()
      let folder = try directory(folder)
      guard let node = folder.names.removeValue(forKey: name) else { throw .noEntry }
      node.links -= 1
      tell(folder, name)
    }
    calls.mkdir = { [self] (path, _) throws(Errno) in
      try box.value.0()
      let (folder, name) = try parent(of: path)
      guard folder.names[name] == nil else { throw .exists }
      folder.names[name] = makeNode(.directory)
    }
    calls.flock = { [self] (descriptor, operation) throws(Errno) in
      try box.value.0()
      let node = try open(descriptor).node
      switch operation {
      case .unlock:
        if node.locked == descriptor { node.locked = nil }
      case .exclusiveWithoutWaiting:
        guard node.locked == nil || node.locked == descriptor else { throw .wouldBlock }
        node.locked = descriptor
      }
    }
    calls.poll = { (_, _, _) throws(Errno) in false }
    calls.now = { [self] in clock() / 1_000_000 }
    calls.monotonic = { box.value.1() }
    calls.uptime = { box.value.1() }
    calls.sleep = { box.value.2($0) }
    calls.random = { box.value.3($0) }
    calls.pid = { process }
    calls.isAlive = { [self] in running.contains($0) ? .running : .notRunning }
    calls.processStart = { ProcessStart(identity: "\($0)", uptime: 0) }
    calls.maximumPID = { 1 << 22 }
    calls.machineID = { "simulated" }
    calls.pidNamespace = { nil }
    calls.bootID = { "boot" }
    return calls
  }
}

/// `@unchecked`: a simulation is one thread, and system calls are declared for several.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
