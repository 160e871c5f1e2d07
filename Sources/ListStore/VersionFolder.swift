// A private folder of versions: the history of a list, or its archive.
//
//     let folder = try VersionFolder(path, with: syscalls, making: true)   // nil only where it is not to be made
//     try folder.keep(bytes, VersionLabel(…), synced: true)
//     for name in folder.names { let bytes = try folder.bytes(of: name) }  // the newest first
//
// What callers may rely on:
// - A version is stored once, whatever its label. Kept again, it moves to the front, unless it is to stay in place.
// - A version under its own name is whole, unless the power went before it was synced; `bytes` compares it with its hash.
// - Only who holds the list's locks changes anything here, so whatever is unfinished is a left-over.
// - The folder is this user's alone (0700), and so are the files (0600; one that is a second name of the list, made where
//   it is too large to be copied each time, has the list's mode, and the folder's to protect it).

import Platform
import ShoppingList

/// Why the history or the archive could not be read or written.
struct HistoryFailure: Error, Hashable {
  let path: String
  let errno: Errno

  var message: String { "\(path): \(errno.message) (\(errno.name))" }
}

/// What is told of a version that is kept.
struct VersionLabel: Hashable {
  var replaced: String?
  var text: String
  var time: Instant
}

/// The file in which a version stands that is to be kept.
struct VersionSource {
  let folder: Int32
  let name: String
  /// Of the very file that holds the version.
  let status: FileStatus
}

final class VersionFolder {
  let path: String
  /// The newest first.
  private(set) var names: [VersionName]
  private let directory: OwnedDescriptor
  private let syscalls: Syscalls

  /// Versions above this size, in bytes, get a second name instead of being copied, where that works.
  static let largestCopy = 1 << 20
  private static let unfinished = ".part"

  /// - Parameter making: whether to make the folder where there is none, and to clear it up; else nil comes back.
  init?(_ path: String, with syscalls: Syscalls, making: Bool) throws(HistoryFailure) {
    self.path = path
    self.syscalls = syscalls
    do {
      do {
        directory = try OwnedDescriptor(opening: path, [.read, .directory], with: syscalls)
      } catch .noEntry {
        guard making else { return nil }
        try ListFolder.make(path, with: syscalls)
        directory = try OwnedDescriptor(opening: path, [.read, .directory], with: syscalls)
      }
      let found = try syscalls.readdir(directory.descriptor)
      names = found.compactMap(VersionName.init(parsing:)).sorted {
        $0.number == $1.number ? $0.id > $1.id : $0.number > $1.number
      }
      if making {
        for name in found where name.hasSuffix(Self.unfinished) {
          try syscalls.unlinkat(directory.descriptor, name)
        }
      }
    } catch {
      throw HistoryFailure(path: path, errno: error)
    }
  }

  // MARK: Reading

  func name(ofID id: String) -> VersionName? {
    names.first { $0.id == id }
  }

  /// The bytes of a version; nil when they are gone, or not what they were.
  func bytes(of name: VersionName) throws(HistoryFailure) -> [UInt8]? {
    do {
      guard let bytes = try read(name), TemporaryName.hash(bytes) == name.id else {
        return nil
      }
      return bytes
    } catch {
      throw HistoryFailure(path: path, errno: error)
    }
  }

  private func read(_ name: VersionName) throws(Errno) -> [UInt8]? {
    do {
      let file = try OwnedDescriptor(
        opening: name.text, in: directory.descriptor, [.read, .noFollow, .nonBlocking], with: syscalls)
      return try syscalls.readAll(file.descriptor, limit: ListFolder.maximumSize, expecting: name.size)
    } catch .noEntry {
      return nil
    }
  }

  /// Whether a version is what it should be.
  private func holds(
    _ bytes: [UInt8], _ name: VersionName, _ source: VersionSource?, syncing: Bool
  ) throws(Errno) -> Bool {
    let file: OwnedDescriptor
    do {
      file = try OwnedDescriptor(
        opening: name.text, in: directory.descriptor, [.read, .noFollow, .nonBlocking], with: syscalls)
    } catch .noEntry {
      return false
    }
    // A second name of the very file that the bytes were read from has them, unless it was written since.
    let status = try syscalls.fstat(file.descriptor)
    let isSource = source.map { status.isSameWrite(as: $0.status) } ?? false
    if !isSource, try !syscalls.reads(file.descriptor, exactly: bytes) { return false }
    if syncing { try syscalls.fsync(file.descriptor) }
    return true
  }

  // MARK: Writing

  /// Stores a version, unless it is there.
  ///
  /// - Parameters:
  ///   - id: the hash of the bytes.
  ///   - label: nil: a version that is there keeps its label.
  ///   - staysInPlace: a version that is there is not moved to the front.
  ///   - synced: returns only when the version, and its name, are on the device.
  ///   - source: where the bytes stand, for a second name.
  func keep(
    _ bytes: [UInt8], id: String, _ label: VersionLabel, relabels: Bool = false, staysInPlace: Bool = false,
    synced: Bool = false, source: VersionSource? = nil
  ) throws(HistoryFailure) {
    do {
      if let name = self.name(ofID: id) {
        if try holds(bytes, name, source, syncing: synced) {
          if !staysInPlace { try moveToFront(name, relabels ? label : nil) }
        } else {
          // Lost with the power, or changed since.
          try remove(name)
          try store(bytes, id: id, label, synced: synced, source: source)
        }
      } else {
        try store(bytes, id: id, label, synced: synced, source: source)
      }
      if synced { try syscalls.synchronizeFolder(directory.descriptor) }
    } catch {
      throw HistoryFailure(path: path, errno: error)
    }
  }

  private var nextNumber: Int { (names.first?.number ?? 0) + 1 }

  private func moveToFront(_ name: VersionName, _ label: VersionLabel?) throws(Errno) {
    let replaced = label == nil ? name.replaced : label?.replaced
    let text = label?.text ?? name.label
    guard name != names.first || replaced != name.replaced || text != name.label else { return }
    let moved = VersionName(
      number: nextNumber, time: label?.time ?? name.time, id: name.id, size: name.size, replaced: replaced,
      label: text)
    try syscalls.renameat(directory.descriptor, name.text, directory.descriptor, moved.text)
    names.removeAll { $0 == name }
    names.insert(moved, at: 0)
  }

  private func store(
    _ bytes: [UInt8], id: String, _ label: VersionLabel, synced: Bool, source: VersionSource?
  ) throws(Errno) {
    let name = VersionName(
      number: nextNumber, time: label.time, id: id, size: bytes.count, replaced: label.replaced,
      label: label.text)
    let isLinked = bytes.count > Self.largestCopy ? try link(source, to: name, synced: synced) : false
    if !isLinked { try copy(bytes, to: name, synced: synced) }
    names.insert(name, at: 0)
  }

  /// Written under another name first: under its own it is whole.
  private func copy(_ bytes: [UInt8], to name: VersionName, synced: Bool) throws(Errno) {
    let folder = directory.descriptor
    let unfinished = hexadecimal(syscalls.random(8)) + Self.unfinished
    do {
      let file = try OwnedDescriptor(
        opening: unfinished, in: folder, [.write, .createNew, .noFollow], mode: 0o600, with: syscalls)
      try syscalls.writeFile(file.descriptor, bytes)
      if synced { try syscalls.fsync(file.descriptor) }
      try file.close()
      try syscalls.renameat(folder, unfinished, folder, name.text)
    } catch {
      // What stays is cleared up by the next who writes here.
      do { try syscalls.unlinkat(folder, unfinished) } catch {}
      throw error
    }
  }

  /// False where there can be no second name, or the first leads to another file by now.
  private func link(_ source: VersionSource?, to name: VersionName, synced: Bool) throws(Errno) -> Bool {
    guard let source else { return false }
    let folder = directory.descriptor
    do {
      try syscalls.linkat(source.folder, source.name, folder, name.text)
    } catch  where error.isMissingLink || error == .crossDevice || error == .noEntry {
      return false
    }
    do {
      let file = try OwnedDescriptor(
        opening: name.text, in: folder, [.read, .noFollow, .nonBlocking], with: syscalls)
      if try syscalls.fstat(file.descriptor).isSameFile(as: source.status) {
        if synced { try syscalls.fsync(file.descriptor) }
        return true
      }
    } catch {
      do { try syscalls.unlinkat(folder, name.text) } catch {}
      throw error
    }
    try syscalls.unlinkat(folder, name.text)
    return false
  }

  // MARK: Forgetting

  private func remove(_ name: VersionName) throws(Errno) {
    do { try syscalls.unlinkat(directory.descriptor, name.text) } catch .noEntry {}
    names.removeAll { $0 == name }
  }

  /// Forgets the versions that the body says so of, by their place (0 is the newest).
  func forget(where isToGo: (_ place: Int, VersionName) -> Bool) throws(HistoryFailure) {
    let gone = names.enumerated().filter { isToGo($0.offset, $0.element) }.map(\.element)
    do {
      for name in gone { try remove(name) }
    } catch {
      throw HistoryFailure(path: path, errno: error)
    }
  }
}
