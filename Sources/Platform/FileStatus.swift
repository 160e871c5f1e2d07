// What the system tells of a file, and how one is opened: the values that go in and out of `Syscalls`.

import CPlatform

/// What `stat` tells of a file.
package struct FileStatus: Hashable, Sendable {
  /// What a name can lead to.
  package enum Kind: Hashable, Sendable {
    case file, directory, symbolicLink, fifo, socket, device, other
  }

  package var kind: Kind
  /// The file system and the file on it: together they tell whether two names lead to one file.
  package var device: UInt64
  package var inode: UInt64
  /// How many names the file has; 0 when the last was removed.
  package var links: UInt64
  /// Bytes.
  package var size: Int64
  /// The permission bits, at most 0o7777.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// When the content was last changed: Unix time in nanoseconds, by the file system's own clock. Times
  /// before 1823 and after 2116 are told as those, so that the difference of any two is a number.
  package var modified: Int64

  package init(
    kind: Kind, device: UInt64, inode: UInt64, links: UInt64, size: Int64, mode: UInt32, owner: UInt32,
    group: UInt32, modified: Int64
  ) {
    self.kind = kind
    self.device = device
    self.inode = inode
    self.links = links
    self.size = size
    self.mode = mode
    self.owner = owner
    self.group = group
    self.modified = modified
  }

  init(_ status: cplatform_status) {
    self.init(
      kind: Kind(status.kind), device: status.device, inode: status.inode, links: status.links,
      size: status.size, mode: status.mode, owner: status.owner, group: status.group,
      modified: status.modified_nanoseconds)
  }

  /// Whether both tell of one file, whatever its content was at the time.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether both are of one file, and nobody seems to have written it in between.
  package func isSameWrite(as other: FileStatus) -> Bool {
    isSameFile(as: other) && size == other.size && modified == other.modified
  }
}

extension FileStatus.Kind {
  init(_ kind: Int32) {
    switch kind {
    case CPLATFORM_KIND_FILE: self = .file
    case CPLATFORM_KIND_DIRECTORY: self = .directory
    case CPLATFORM_KIND_LINK: self = .symbolicLink
    case CPLATFORM_KIND_FIFO: self = .fifo
    case CPLATFORM_KIND_SOCKET: self = .socket
    case CPLATFORM_KIND_DEVICE: self = .device
    default: self = .other
    }
  }
}

/// How a file is opened. A descriptor is never handed on to a program that is started (`O_CLOEXEC` always).
package struct OpenFlags: OptionSet, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// As the protocol would have it, but not generic: every file that is opened passes here.
  package init(arrayLiteral flags: OpenFlags...) {
    var rawValue: Int32 = 0
    for flag in flags { rawValue |= flag.rawValue }
    self.rawValue = rawValue
  }

  package static let read = OpenFlags(rawValue: CPLATFORM_READ)
  package static let write = OpenFlags(rawValue: CPLATFORM_WRITE)
  /// Makes the file; one that exists, also as a symbolic link, is an error (`O_CREAT|O_EXCL`).
  package static let createNew = OpenFlags(rawValue: CPLATFORM_CREATE_NEW)
  package static let directory = OpenFlags(rawValue: CPLATFORM_DIRECTORY)
  /// A symbolic link as the last component is an error, ELOOP.
  package static let noFollow = OpenFlags(rawValue: CPLATFORM_NO_FOLLOW)
  /// Opening a FIFO does not wait for its other end.
  package static let nonBlocking = OpenFlags(rawValue: CPLATFORM_NON_BLOCKING)
}

/// What the system tells of a file system.
package struct FileSystemStatus: Hashable, Sendable {
  /// The system's number for its kind (`statfs(2)` lists Linux's).
  package let type: UInt64
  /// Bytes that this user may still write.
  package let availableBytes: UInt64

  /// Whether files may change without this system being told: what another machine serves, or a program in user space.
  package var mayChangeUnseen: Bool {
    #if canImport(Darwin)
      // The numbers are given as file systems are loaded there, and mean nothing.
      false
    #else
      Self.unseen.contains(type)
    #endif
  }

  // The magic numbers of statfs(2): NFS, CIFS, SMB2, SMB, FUSE, 9P, AFS, Ceph, Coda, VirtualBox's shared folders.
  private static let unseen: Set<UInt64> = [
    0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x7375_7245,
    0x786F_4256,
  ]
}
