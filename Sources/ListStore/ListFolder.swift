// The list's folder, held open for one reading or writing.
//
//     let folder = try ListFolder(opening: path, with: syscalls)     // the path is resolved here
//     let found = try folder.readList()                              // nil: there is none yet
//
// A symbolic link stays a link: the path is resolved, and the lock and the temporary files lie beside the file that it leads
// to. After that everything goes through the folder's descriptor, by name: a folder that is moved or
// replaced meanwhile does not lead elsewhere. A writer asks again, with the lock held, whether the path still leads here
// (`isStillAt`).

import Platform
import ShoppingList

package final class ListFolder {
  /// The list's resolved path: for errors, and for where its history is.
  package private(set) lazy var listPath = resolvedPath()
  /// The path of the folder, as it was opened.
  private let folderPath: String
  package let listName: String
  let syscalls: Syscalls
  /// A list may not be larger, in bytes.
  let maximumSize: Int
  private let directory: OwnedDescriptor

  package static let maximumSize = 64 << 20

  package init(
    opening path: String, maximumSize: Int = ListFolder.maximumSize, with syscalls: Syscalls
  ) throws(StoreError) {
    self.maximumSize = maximumSize
    self.syscalls = syscalls
    let (above, last) = Self.split(path)
    if let opened = Self.opened(above, with: syscalls), Self.isDirect(path, last, in: opened.descriptor, with: syscalls)
    {
      (folderPath, listName) = (above, last)
      directory = opened
      return
    }
    let (folder, name) = try Self.resolve(path, with: syscalls)
    guard !name.isEmpty else { throw StoreError(.notAFile(.directory), path: path) }  // the root itself
    (folderPath, listName) = (folder, name)
    do {
      directory = try OwnedDescriptor(opening: folder, [.read, .directory], with: syscalls)
    } catch {
      let path = Self.joined(folder, name)
      throw StoreError(error == .noEntry ? .missingFolder : .failed(.find), path: path, errno: error)
    }
    // A path that leads nowhere resolves to its own folder; a link there leads nowhere, too.
    if try status(of: name)?.kind == .symbolicLink { throw StoreError(.danglingLink, path: listPath) }
  }

  package var descriptor: Int32 { directory.descriptor }

  func error(_ kind: StoreError.Kind, _ errno: Errno? = nil) -> StoreError {
    StoreError(kind, path: listPath, errno: errno)
  }

  // MARK: Where it is

  private func resolvedPath() -> String {
    do { return Self.joined(try syscalls.realpath(folderPath), listName) } catch {
      return Self.joined(folderPath, listName)
    }
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    (folder == "/" ? "" : folder) + "/" + name
  }

  /// Nil where it cannot be opened: why not is found out when its path is resolved.
  private static func opened(_ folder: String, with syscalls: Syscalls) -> OwnedDescriptor? {
    do { return try OwnedDescriptor(opening: folder, [.read, .directory], with: syscalls) } catch { return nil }
  }

  /// Whether the last component is the list itself, there or missing, and no link to it: the system has found the folder
  /// then, whatever links led there, and nothing need be resolved.
  private static func isDirect(
    _ path: String, _ last: String, in folder: Int32, with syscalls: Syscalls
  ) -> Bool {
    guard !path.hasSuffix("/") else { return false }
    do {
      return try syscalls.fstatat(folder, last).kind == .file
    } catch {
      return error == .noEntry
    }
  }

  /// The folder without symbolic links, and the list's name in it. The list itself may be missing.
  private static func resolve(
    _ path: String, with syscalls: Syscalls
  ) throws(StoreError) -> (folder: String, name: String) {
    do {
      return split(try syscalls.realpath(path))
    } catch .noEntry {
      let (folder, name) = split(path)
      do {
        return (try syscalls.realpath(folder), name)
      } catch {
        throw StoreError(error == .noEntry ? .missingFolder : .failed(.find), path: path, errno: error)
      }
    } catch {
      throw StoreError(.failed(.find), path: path, errno: error)
    }
  }

  /// The path up to its last component, and that component.
  static func split(_ path: String) -> (folder: String, name: String) {
    let slash = UInt8(ascii: "/")
    var path = Substring(path).utf8
    while path.count > 1 && path.last == slash { path.removeLast() }
    guard let last = path.lastIndex(of: slash) else { return (".", String(Substring(path))) }
    let folder = path[..<last]
    return (folder.isEmpty ? "/" : String(Substring(folder)), String(Substring(path[path.index(after: last)...])))
  }

  /// Makes the folder of a list's path, and those above it, for this user alone; what is there already stays.
  static func make(for path: String, with syscalls: Syscalls) throws(StoreError) {
    do {
      try make(split(path).folder, with: syscalls)
    } catch {
      throw StoreError(.failed(.makeFolder), path: path, errno: error)
    }
  }

  /// Makes a folder, and those above it, for this user alone; what is there already stays.
  static func make(_ folder: String, with syscalls: Syscalls) throws(Errno) {
    let above = split(folder).folder
    do {
      try syscalls.mkdir(folder, 0o700)
    } catch .exists {
      return
    } catch  where error == .noEntry && above != folder {
      try make(above, with: syscalls)
      do { try syscalls.mkdir(folder, 0o700) } catch .exists {}
    }
    let parent = try OwnedDescriptor(opening: above, [.read, .directory], with: syscalls)
    try syscalls.synchronizeFolder(parent.descriptor)
  }

  /// Whether the path still leads to the list in this folder.
  func isStillAt(_ path: String) throws(StoreError) -> Bool {
    let now = try ListFolder(opening: path, with: syscalls)
    guard now.listName == listName else { return false }
    do {
      return try syscalls.fstat(now.descriptor).isSameFile(as: syscalls.fstat(descriptor))
    } catch {
      throw self.error(.failed(.find), error)
    }
  }

  // MARK: What is in it

  /// What a name in the folder is; nil when there is none.
  package func status(of name: String) throws(StoreError) -> FileStatus? {
    do {
      return try syscalls.fstatat(descriptor, name)
    } catch .noEntry {
      return nil
    } catch {
      throw self.error(.failed(.read), error)
    }
  }

  /// The list's bytes; nil when there is no list yet. Whatever else a missing file could mean, and a file that is there
  /// and cannot be read, is an error.
  func readList() throws(StoreError) -> FoundList? {
    let contents: Contents
    do {
      contents = try self.contents(of: listName)
    } catch .noEntry {
      // Not downloaded yet: a new list made now would replace the real one everywhere.
      guard try status(of: ".\(listName).icloud") == nil else { throw error(.notDownloaded) }
      return nil
    } catch .wouldDeadlock {
      // So the system refuses a file that is only in the cloud to a process that may not make it download.
      throw error(.notDownloaded, .wouldDeadlock)
    } catch let errno {
      // A socket cannot be opened, nor a link that has just come into its place.
      if let kind = try status(of: listName)?.kind, kind != .file { throw error(.notAFile(kind)) }
      throw error(.failed(.read), errno)
    }
    switch contents {
    case .file(let bytes, let status): return FoundList(VersionBytes(bytes), status: status)
    case .tooLarge: throw error(.tooLarge)
    case .notAFile(let kind): throw error(.notAFile(kind))
    }
  }

  /// The list's status if it has these bytes; nil where it is missing, or has others. What is wrong with it is found out when
  /// it is read.
  func statusOfList(having bytes: [UInt8]) -> FileStatus? {
    do { return try status(of: listName, having: bytes) } catch { return nil }
  }

  /// The status of a file that has these bytes; nil for one that has others. Holds no more of it than a piece.
  func status(of name: String, having bytes: [UInt8]) throws(Errno) -> FileStatus? {
    let file = try OwnedDescriptor(
      opening: name, in: descriptor, [.read, .noFollow, .nonBlocking], with: syscalls)
    let status = try syscalls.fstat(file.descriptor)
    guard status.kind == .file, status.size == Int64(bytes.count),
      try syscalls.reads(file.descriptor, exactly: bytes)
    else { return nil }
    return status
  }

  /// What is in a file, links not followed, without waiting for the other end of a FIFO.
  func contents(of name: String) throws(Errno) -> Contents {
    let file = try OwnedDescriptor(
      opening: name, in: descriptor, [.read, .noFollow, .nonBlocking], with: syscalls)
    let status = try syscalls.fstat(file.descriptor)
    guard status.kind == .file else { return .notAFile(status.kind) }
    guard status.size <= maximumSize else { return .tooLarge }
    let bytes = try syscalls.readAll(
      file.descriptor, limit: maximumSize, expecting: Int(status.size))
    return bytes.count > maximumSize ? .tooLarge : .file(bytes, status)
  }

  enum Contents {
    case file([UInt8], FileStatus)
    case tooLarge
    case notAFile(FileStatus.Kind)
  }
}

extension Syscalls {
  /// Brings a folder's names onto the device, where the file system can.
  func synchronizeFolder(_ folder: Int32) throws(Errno) {
    do { try fsync(folder) } catch  where error.isUnsupported {}
  }
}

/// The bytes of a version of the list.
final class VersionBytes {
  let bytes: [UInt8]
  /// Their hash, made when it is asked for.
  var id: String {
    if let knownID { return knownID }
    let id = TemporaryName.hash(bytes)
    knownID = id
    return id
  }
  private var knownID: String?

  /// - Parameter id: the hash of the bytes, where it is known.
  init(_ bytes: [UInt8], id: String? = nil) {
    self.bytes = bytes
    knownID = id
  }
}

/// A version of the list and what it says.
final class KnownList {
  let version: VersionBytes
  let document: Document
  /// What identifies what it says, made when it is asked for.
  private(set) lazy var revision = document.revision

  init(_ version: VersionBytes, _ document: Document) {
    self.version = version
    self.document = document
  }
}

/// The list as it was found.
struct FoundList {
  let version: VersionBytes
  let status: FileStatus

  init(_ version: VersionBytes, status: FileStatus) {
    self.version = version
    self.status = status
  }

  var bytes: [UInt8] { version.bytes }

  /// Whether nobody has written it since: the same file, by the same write.
  func isSame(as other: FoundList) -> Bool {
    status.isSameWrite(as: other.status) && bytes.hasSameBytes(as: other.bytes)
  }

  /// The hash of the bytes.
  var id: String { version.id }
}
