// A new version of the list takes the old one's place: the steps, each by itself. Store+Replacing.swift takes them.
//
// 1. `layAside`: the file that is the list gets a second name, which says what it is. If another program's version is
//    displaced and the power goes, that is what both were made from. Where there are no second names the history must have
//    it, on the device, by now.
// 2. `writeVersion`: it is written to a temporary file beside the list, made for us alone and then given the list's mode
//    (and owner and extended attributes, where that is allowed), and synced. A failed `fsync` is final: what the device
//    has is not known any more, and a second one would say that all is well (the kernel drops what it could not write).
//    Then the file gets its last name, which says what it holds and what it is to displace. In between, what was laid
//    aside is synced: one commit of the file system's journal brings all of it onto the device.
// 3. `put`: it takes the list's name in one step. The two names are exchanged, so what was displaced has the temporary
//    file's name now, and can be looked at. Where the file system has no exchange, the list is replaced (`replace`); what
//    it was, if nothing else has it, is written beside it first (`setAside`). Where there was no list, none is replaced
//    that has appeared.
// 4. `putBack`: the two names are exchanged once more.
//
// A failure before step 3 leaves the list as it was, and the temporary files are removed. A crash leaves it; the next write
// clears it up (LeftOver.swift).

import Platform

/// A new version, written and synced under a name that says what it holds.
struct WrittenVersion {
  let bytes: [UInt8]
  /// The hash of the bytes.
  let id: String
  /// Of the temporary file; after an exchange, of the file that was displaced.
  let name: String
  let status: FileStatus
}

/// The file that is the list, under a second name.
struct LaidAside {
  let name: String
  /// Whether its bytes are known to be on the device.
  let isDurable: Bool
}

extension ListFolder {
  /// Throws when the list is not to be written: no mode bit allows it to anybody (the superuser could, and the owner did
  /// not mean it), or the system does not allow it to us. Replacing it would need no more than its folder's leave.
  func mustBeWritable(_ list: FoundList) throws(StoreError) {
    guard list.status.mode & 0o222 != 0 else { throw error(.readOnly) }
    do {
      try syscalls.mayWrite(descriptor, listName)
    } catch .noEntry {
      // Gone since it was read: the last look finds that out.
    } catch {
      throw self.error(.readOnly, error)
    }
  }

  // MARK: Writing it

  /// Gives the list, as it was found, a second name: the one that it would have if the version had displaced it.
  ///
  /// - Parameter written: the file that this program has written and synced last.
  /// - Returns: nil where files cannot have two names, or the list is another file by now.
  func layAside(
    _ list: FoundList, for version: VersionBytes, of process: ProcessIdentity, lastWritten written: FileStatus?
  ) -> LaidAside? {
    let name = TemporaryName(
      .version(holds: version.id, displaces: list.id), machine: process.machine, syscalls: syscalls
    ).text(ofList: listName)
    do {
      try syscalls.linkat(descriptor, listName, descriptor, name)
    } catch {
      return nil
    }
    do {
      if try syscalls.fstatat(descriptor, name).isSameWrite(as: list.status) {
        return LaidAside(name: name, isDurable: written?.isSameWrite(as: list.status) ?? false)
      }
    } catch {}
    remove(name)
    return nil
  }

  /// The name of what was laid aside goes; the file has another, or others have written what it is to be.
  func remove(_ aside: LaidAside?) {
    if let aside { remove(aside.name) }
  }

  /// Brings what was laid aside onto the device, and its name.
  private func synchronize(_ aside: LaidAside) throws(Errno) {
    if !aside.isDurable {
      let file = try OwnedDescriptor(
        opening: aside.name, in: descriptor, [.read, .noFollow, .nonBlocking], with: syscalls)
      try syscalls.fsync(file.descriptor)
    }
    try syscalls.synchronizeFolder(descriptor)
  }

  /// - Parameters:
  ///   - displaced: the id of the version that it is to displace; nil where there is none.
  ///   - list: the list as it was found, for its attributes.
  ///   - aside: what was laid aside for it, which is on the device, name and all, when this returns.
  func writeVersion(
    _ version: VersionBytes, displacing displaced: String?, like list: FoundList?, aside: LaidAside?,
    of process: ProcessIdentity
  ) throws(StoreError) -> WrittenVersion {
    let purpose = TemporaryName.Purpose.version(
      holds: version.id, displaces: displaced ?? TemporaryName.hash(nil))
    return try write(version, purpose, like: list, aside: aside, of: process)
  }

  /// Writes a copy of the list, as it was found, under the name that it would have if the version had displaced it.
  ///
  /// - Returns: the name.
  func setAside(
    _ list: FoundList, for version: WrittenVersion, of process: ProcessIdentity
  ) throws(StoreError) -> String {
    try write(
      list.version, .version(holds: version.id, displaces: list.id), like: list, aside: nil, of: process
    ).name
  }

  private func write(
    _ version: VersionBytes, _ purpose: TemporaryName.Purpose, like list: FoundList?, aside: LaidAside?,
    of process: ProcessIdentity
  ) throws(StoreError) -> WrittenVersion {
    let unfinished = TemporaryName(.unfinished, machine: process.machine, syscalls: syscalls)
    let finished = TemporaryName(machine: process.machine, random: unfinished.random, purpose: purpose)
    let name = unfinished.text(ofList: listName)
    do throws(Errno) {
      do throws(Errno) {
        // A new list is open to whom the umask lets; a copy of one that may be private is ours until it has its mode.
        let file = try OwnedDescriptor(
          opening: name, in: descriptor, [.write, .createNew, .noFollow], mode: list == nil ? 0o666 : 0o600,
          with: syscalls)
        try syscalls.writeFile(file.descriptor, version.bytes)
        if let list { try giveAttributes(of: list.status, to: file.descriptor) }
        try syscalls.fsync(file.descriptor)
        if let aside { try synchronize(aside) }
        let written = WrittenVersion(
          bytes: version.bytes, id: version.id, name: finished.text(ofList: listName),
          status: try syscalls.fstat(file.descriptor))
        try file.close()
        try syscalls.renameat(descriptor, name, descriptor, written.name)
        return written
      } catch {
        remove(name)
        throw error
      }
    } catch {
      throw self.error(.failed(.save), error)
    }
  }

  /// Mode, owner and extended attributes of the list. Only the mode must be had: that of a private list must not change.
  private func giveAttributes(of list: FileStatus, to file: Int32) throws(Errno) {
    do {
      let original = try OwnedDescriptor(
        opening: listName, in: descriptor, [.read, .noFollow, .nonBlocking], with: syscalls)
      try syscalls.copyExtendedAttributes(original.descriptor, file)
    } catch {
      // Access lists and labels are a convenience, and not every file system has them.
    }
    let made = try syscalls.fstat(file)
    if made.owner != list.owner || made.group != list.group {
      do {
        try syscalls.fchown(file, list.owner, list.group)
      } catch {
        // Only the superuser may give a file away; to a group of one's own everybody may.
        do { try syscalls.fchown(file, UInt32.max, list.group) } catch {}
      }
    }
    // Where there are no modes, all files have the same one.
    if made.mode != list.mode { try syscalls.fchmod(file, list.mode & 0o777) }
  }

  // MARK: Putting it in place

  /// What came of putting a version in the list's place.
  enum Putting {
    /// It is the list. What the list was is under the version's temporary name.
    case exchanged
    /// It is the list. What the list was is gone, as far as there was one.
    case replaced
    /// There is no list any more, or there is one by now: nothing was done.
    case outdated
    /// The file system has no exchange: nothing was done.
    case unsupported
  }

  func put(_ version: WrittenVersion, displacing isThere: Bool) throws(StoreError) -> Putting {
    try placing(version) { () throws(Errno) in isThere ? try exchange(version) : try putNew(version) }
  }

  /// Puts a version in the list's place, whatever is there. The list was looked at just before: nothing can be done better
  /// where names cannot be exchanged.
  func replace(by version: WrittenVersion) throws(StoreError) {
    _ = try placing(version) { () throws(Errno) in
      try syscalls.renameat(descriptor, version.name, descriptor, listName)
      return .replaced
    }
  }

  private func placing(
    _ version: WrittenVersion, _ call: () throws(Errno) -> Putting
  ) throws(StoreError) -> Putting {
    let errno: Errno
    do throws(Errno) {
      return try call()
    } catch {
      errno = error
    }
    // A network file system may do it and lose the answer.
    guard try isLeadingTo(version, listName) else { throw self.error(.failed(.save), errno) }
    return try exists(version.name) ? .exchanged : .replaced
  }

  private func exchange(_ version: WrittenVersion) throws(Errno) -> Putting {
    do {
      try syscalls.exchange(descriptor, version.name, listName)
      return .exchanged
    } catch .noEntry {
      return .outdated
    } catch  where error.isUnsupported {
      return .unsupported
    }
  }

  private func putNew(_ version: WrittenVersion) throws(Errno) -> Putting {
    do {
      try syscalls.renameNoReplace(descriptor, version.name, descriptor, listName)
      return .replaced
    } catch .exists {
      return .outdated
    } catch  where error.isUnsupported {}
    do {
      try syscalls.linkat(descriptor, version.name, descriptor, listName)
    } catch .exists {
      return .outdated
    }
    remove(version.name)
    return .replaced
  }

  /// Whether the name leads to the version. If that cannot be found out, the error says that the edit may be in place.
  private func isLeadingTo(_ version: WrittenVersion, _ name: String) throws(StoreError) -> Bool {
    try whatMayBeInPlace(name)?.isSameFile(as: version.status) ?? false
  }

  private func exists(_ name: String) throws(StoreError) -> Bool {
    try whatMayBeInPlace(name) != nil
  }

  private func whatMayBeInPlace(_ name: String) throws(StoreError) -> FileStatus? {
    do {
      return try syscalls.fstatat(descriptor, name)
    } catch .noEntry {
      return nil
    } catch {
      throw self.error(.uncertain, error)
    }
  }

  /// What is under the version's temporary name after an exchange; nil when it is no list's bytes that can be read.
  func displaced(by version: WrittenVersion) throws(StoreError) -> [UInt8]? {
    do {
      guard case .file(let bytes, _) = try contents(of: version.name) else { return nil }
      return bytes
    } catch {
      throw self.error(.uncertain, error)
    }
  }

  /// Whether what is under the version's temporary name after an exchange has these bytes.
  func isDisplaced(_ bytes: [UInt8], by version: WrittenVersion) throws(StoreError) -> Bool {
    do {
      return try status(of: version.name, having: bytes) != nil
    } catch {
      throw self.error(.uncertain, error)
    }
  }

  /// Gives the list its name back, and the version its own. Whoever came between has the version's name then, and is a
  /// left-over for the next try.
  func putBack(_ version: WrittenVersion) throws(StoreError) {
    do {
      try syscalls.exchange(descriptor, version.name, listName)
    } catch {
      throw self.error(.uncertain, error)
    }
  }

  /// Brings the folder's names onto the device.
  func synchronize() throws(StoreError) {
    do {
      try syscalls.synchronizeFolder(descriptor)
    } catch {
      throw self.error(.uncertain, error)
    }
  }
}
