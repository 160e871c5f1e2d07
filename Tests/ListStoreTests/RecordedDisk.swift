import Foundation
import Platform

@testable import ListStore

/// The real system, and an image of what its calls have done, at each moment:
///
///     let disk = try RecordedDisk(folders: [house.folder.path, house.state.path])
///     … Store(path: path, syscalls: disk.syscalls(over: .live)) …
///     for moment in disk.moments { moment.image.statesAfterPowerFailure() … }
final class RecordedDisk: @unchecked Sendable {  // used by one thread
  /// A sync that the disk only pretends to make.
  enum Pretence: CaseIterable, Sendable {
    case filesSynced, foldersSynced
  }

  /// The disk after a call.
  struct Moment {
    let image: FolderImage
    /// How many edits were acknowledged by then.
    let acknowledged: Int
    /// How often another program had saved the list by then.
    let saves: Int
    /// The call.
    let call: String
  }

  private(set) var image = FolderImage()
  private(set) var moments: [Moment] = []
  private(set) var acknowledged = 0
  private var saves = 0
  private let pretence: Pretence?
  private var descriptors: [Int32: Opened] = [:]

  private enum Opened {
    case folder(String)
    case file(Int)
  }

  /// - Parameter folders: what is in them is on the device.
  init(folders: [String], _ pretence: Pretence? = nil) throws {
    self.pretence = pretence
    for folder in folders {
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        let whole = folder + "/" + path
        let (parent, name) = ListFolder.split(whole)
        let entry = FolderImage.Entry(folder: parent, name: name)
        if let contents = FileManager.default.contents(atPath: whole), !Self.isFolder(whole) {
          let file = image.makeFile()
          image.write(contents, to: file)
          image.synchronize(file: file)
          image.put(.file(file), at: entry)
        } else {
          image.put(.folder, at: entry)
        }
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Notes that an edit was acknowledged.
  func acknowledge() {
    acknowledged += 1
    note("acknowledged")
  }

  private func note(_ call: String) {
    moments.append(Moment(image: image, acknowledged: acknowledged, saves: saves, call: call))
  }

  // MARK: The calls

  private func entry(_ folder: Int32, _ name: String) -> FolderImage.Entry? {
    guard case .folder(let path) = descriptors[folder] else { return nil }
    return FolderImage.Entry(folder: path, name: name)
  }

  private func node(_ entry: FolderImage.Entry) -> FolderImage.Node? { image.current[entry] }

  private func change(_ call: String, _ entries: [(FolderImage.Entry, FolderImage.Node?)]) {
    guard let folder = entries.last?.0.folder else { return }
    image.change(
      FolderImage.Change(
        folder: folder, entries: entries.map { (entry: $0.0, node: $0.1) },
        isForeign: entries.count == 2 && entries[0].0.name.hasPrefix(WriteScene.others),
        isLock: entries.allSatisfy { FolderImage.isLock($0.0) }))
    note("\(call) \(entries.map(\.0.name))")
  }

  private func moved(_ call: String, _ folder: Int32, _ name: String, _ newFolder: Int32, _ newName: String) {
    guard let from = entry(folder, name), let to = entry(newFolder, newName), let node = node(from) else { return }
    // Nothing here moves from one folder to another: that would be two changes for a device.
    precondition(from.folder == to.folder)
    if name.hasPrefix(WriteScene.others) { saves += 1 }
    change(call, [(from, nil), (to, node)])
  }

  func syscalls(over base: Syscalls) -> Syscalls {
    var disk = base
    disk.open = { (path, flags, mode) throws(Errno) in
      let descriptor = try base.open(path, flags, mode)
      if flags.contains(.directory) { self.descriptors[descriptor] = .folder(path) }
      return descriptor
    }
    disk.openat = { (folder, name, flags, mode) throws(Errno) in
      let descriptor = try base.openat(folder, name, flags, mode)
      guard let entry = self.entry(folder, name) else { return descriptor }
      if flags.contains(.createNew) {
        let file = self.image.makeFile()
        self.descriptors[descriptor] = .file(file)
        self.change("make", [(entry, .file(file))])
      } else if case .file(let file) = self.node(entry) {
        self.descriptors[descriptor] = .file(file)
      }
      return descriptor
    }
    disk.close = { (descriptor) throws(Errno) in
      self.descriptors[descriptor] = nil
      try base.close(descriptor)
    }
    disk.write = { (descriptor, bytes) throws(Errno) in
      let count = try base.write(descriptor, bytes)
      if case .file(let file) = self.descriptors[descriptor] {
        self.image.write(bytes.prefix(count), to: file)
        self.note("write")
      }
      return count
    }
    disk.fsync = { (descriptor) throws(Errno) in
      try base.fsync(descriptor)
      switch self.descriptors[descriptor] {
      case .file(let file) where self.pretence != .filesSynced: self.image.synchronize(file: file)
      case .folder(let folder) where self.pretence != .foldersSynced: self.image.synchronize(folder: folder)
      default: return
      }
      self.note("fsync")
    }
    disk.renameat = { (folder, name, newFolder, newName) throws(Errno) in
      try base.renameat(folder, name, newFolder, newName)
      self.moved("rename", folder, name, newFolder, newName)
    }
    disk.renameNoReplace = { (folder, name, newFolder, newName) throws(Errno) in
      try base.renameNoReplace(folder, name, newFolder, newName)
      self.moved("rename without replacing", folder, name, newFolder, newName)
    }
    disk.exchange = { (folder, first, second) throws(Errno) in
      try base.exchange(folder, first, second)
      guard let one = self.entry(folder, first), let two = self.entry(folder, second) else { return }
      self.change("exchange", [(one, self.node(two)), (two, self.node(one))])
    }
    disk.linkat = { (folder, name, newFolder, newName) throws(Errno) in
      try base.linkat(folder, name, newFolder, newName)
      guard let from = self.entry(folder, name), let to = self.entry(newFolder, newName) else { return }
      self.change("link", [(to, self.node(from))])
    }
    disk.unlinkat = { (folder, name) throws(Errno) in
      try base.unlinkat(folder, name)
      guard let entry = self.entry(folder, name) else { return }
      self.change("unlink", [(entry, nil)])
    }
    disk.mkdir = { (path, mode) throws(Errno) in
      try base.mkdir(path, mode)
      let (parent, name) = ListFolder.split(path)
      self.change("mkdir", [(FolderImage.Entry(folder: parent, name: name), .folder)])
    }
    return disk
  }

  // MARK: Laying out what is left

  /// Makes the folders hold what is left, and nothing else.
  static func layOut(_ states: [FolderImage.State], of image: FolderImage, in folders: [String]) throws {
    let files = FileManager.default
    for folder in folders {
      for name in try files.contentsOfDirectory(atPath: folder) { try files.removeItem(atPath: folder + "/" + name) }
    }
    let places = Set(folders)
    var made = places
    for folder in states.flatMap(\.folders).sorted() where made.contains(ListFolder.split(folder).folder) {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
      made.insert(folder)
    }
    // A file is where its folder is; without that it is gone.
    var written: [Int: String] = [:]
    for (entry, remains) in states.flatMap(\.files).sorted(by: { $0.key < $1.key }) where made.contains(entry.folder) {
      if let first = written[remains.file] {
        try files.linkItem(atPath: first, toPath: entry.path)
      } else {
        try Data(image.bytes(of: remains)).write(to: URL(fileURLWithPath: entry.path))
        written[remains.file] = entry.path
      }
    }
  }
}
