// A new version of the list takes the old one's place.
//
// 1. It is written to a temporary file beside the list, made for us alone and then given the list's mode (and owner and
//    extended attributes, where that is allowed), and synced. A failed `fsync` is final: what the device has is not known
//    any more, and a second one would say that all is well (the kernel drops what it could not write).
// 2. The temporary file gets its last name, which says what it holds.
// 3. The lock must still be ours, and the list, looked at once more, what it was when it was read.
// 4. The new version takes the list's name in one step; where there was no list, without replacing one that has appeared.
// 5. The folder is synced. Only now is the write done. A failure here says that the edit may have taken effect.
//
// Up to step 4 a failure leaves the list as it was, and the temporary file is removed. A crash leaves it; the next write
// clears it up (ListFolder+LeftOvers.swift).

import Platform

extension ListFolder {
  /// Puts the bytes in the list's place.
  ///
  /// - Parameters:
  ///   - found: the list that they were made from; nil when there was none.
  ///   - isOurs: whether the lock still is.
  /// - Returns: false when the list or the lock is another by now; nothing was changed then.
  func replaceList(
    _ found: FoundList?, with bytes: [UInt8], of process: ProcessIdentity,
    if isOurs: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let version = try writeVersion(bytes, displacing: found, of: process)
    do {
      guard try isOurs(), try readList()?.bytes == found?.bytes else {
        remove(version.name)
        return false
      }
    } catch {
      remove(version.name)
      throw error
    }
    guard try put(version, inPlaceOf: found) else { return false }
    do {
      try syscalls.synchronizeFolder(descriptor)
    } catch {
      throw self.error(.uncertain, error)
    }
    return true
  }

  /// A new version, written and synced under a name that says what it holds.
  private struct Version {
    let name: String
    let status: FileStatus
  }

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

  private func writeVersion(
    _ bytes: [UInt8], displacing found: FoundList?, of process: ProcessIdentity
  ) throws(StoreError) -> Version {
    let unfinished = TemporaryName(.unfinished, machine: process.machine, syscalls: syscalls)
    let finished = TemporaryName(
      machine: process.machine, random: unfinished.random,
      purpose: .version(holds: TemporaryName.hash(bytes), displaces: TemporaryName.hash(found?.bytes)))
    let name = unfinished.text(ofList: listName)
    let version: Version
    do throws(Errno) {
      // A new list is open to whom the umask lets; a copy of one that may be private is ours until it has its mode.
      let file = try OwnedDescriptor(
        opening: name, in: descriptor, [.write, .createNew, .noFollow], mode: found == nil ? 0o666 : 0o600,
        with: syscalls)
      do throws(Errno) {
        try syscalls.writeFile(file.descriptor, bytes)
        if let found { try giveAttributes(of: found.status, to: file.descriptor) }
        try syscalls.fsync(file.descriptor)
        version = Version(
          name: finished.text(ofList: listName), status: try syscalls.fstat(file.descriptor))
        try file.close()
        try syscalls.renameat(descriptor, name, descriptor, version.name)
      } catch {
        remove(name)
        throw error
      }
    } catch {
      throw self.error(.failed(.save), error)
    }
    return version
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

  /// False when a list has appeared where there was none; the version is removed then.
  private func put(_ version: Version, inPlaceOf found: FoundList?) throws(StoreError) -> Bool {
    let errno: Errno
    do {
      guard found == nil else {
        try syscalls.renameat(descriptor, version.name, descriptor, listName)
        return true
      }
      if try putNew(version) { return true }
      remove(version.name)
      return false
    } catch {
      errno = error
    }
    // A network file system may do it and lose the answer.
    do {
      if try syscalls.fstatat(descriptor, listName).isSameFile(as: version.status) { return true }
    } catch .noEntry {
      // There was no list before, and there is none now.
    } catch {
      throw self.error(.uncertain, error)
    }
    remove(version.name)
    throw self.error(.failed(.save), errno)
  }

  /// False when there is a list by now.
  private func putNew(_ version: Version) throws(Errno) -> Bool {
    do {
      try syscalls.renameNoReplace(descriptor, version.name, descriptor, listName)
      return true
    } catch .exists {
      return false
    } catch  where error.isUnsupported {}
    do {
      try syscalls.linkat(descriptor, version.name, descriptor, listName)
    } catch .exists {
      return false
    }
    remove(version.name)
    return true
  }

  /// What cannot be removed now is cleared up by the next write.
  private func remove(_ name: String) {
    do { try syscalls.unlinkat(descriptor, name) } catch {}
  }
}
