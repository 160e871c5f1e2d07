// What the list was, outside its folder: nothing of it is synced anywhere, or shown to the apps that share the list.
//
//     <state folder>/<hash of the list's real path>/history/    versions of the list: for undo, for merging after a crash,
//                                                               and for what a foreign save has overwritten
//     <state folder>/<hash of the list's real path>/archive/    what may be the only copy of somebody else's edit, or of
//                                                               something that nobody understands
//
// The history holds the newest 50 versions, not more than 64 MiB of them, but never fewer than 5. The archive holds what
// is not older than 30 days, and whatever goes there is on the device before its old name goes.
//
// A reading makes nothing here. A writing holds the list's locks.

import Platform
import ShoppingList

final class History {
  /// The list's own folder within the state folder.
  let path: String
  private let syscalls: Syscalls
  private let making: Bool
  /// Nil while there is none.
  private let versions: VersionFolder?
  private var archived: VersionFolder?

  private static let maximumCount = 50
  private static let minimumCount = 5
  private static let maximumBytes = 64 << 20
  /// Milliseconds.
  private static let archiveLifetime: Int64 = 30 * 86_400_000

  /// - Parameters:
  ///   - stateFolder: where this program keeps what it remembers, for all lists.
  ///   - listPath: the list's resolved path.
  ///   - making: whether to make what is missing; for who holds the list's locks.
  init(
    in stateFolder: String, ofList listPath: String, with syscalls: Syscalls, making: Bool
  ) throws(HistoryFailure) {
    path = "\(stateFolder)/\(TemporaryName.hash(Array(listPath.utf8)))"
    self.syscalls = syscalls
    self.making = making
    versions = try VersionFolder("\(path)/history", with: syscalls, making: making)
  }

  // MARK: Reading

  /// The versions in the history, the newest first.
  var names: [VersionName] { versions?.names ?? [] }

  /// Those in the archive.
  func archivedNames() throws(HistoryFailure) -> [VersionName] {
    try archive(making: false)?.names ?? []
  }

  /// Whether there is such a version in the history.
  func has(_ id: String) -> Bool { versions?.name(ofID: id) != nil }

  /// The bytes of a version in the history; nil when there is none, or not what it was.
  func bytes(ofID id: String) throws(HistoryFailure) -> [UInt8]? {
    guard let versions, let name = versions.name(ofID: id) else { return nil }
    return try versions.bytes(of: name)
  }

  /// The same for one in the archive.
  func archivedBytes(ofID id: String) throws(HistoryFailure) -> [UInt8]? {
    guard let archive = try archive(making: false), let name = archive.name(ofID: id) else { return nil }
    return try archive.bytes(of: name)
  }

  /// A version in the history as a list; nil also when it is none.
  func document(ofID id: String) throws(HistoryFailure) -> Document? {
    try bytes(ofID: id).flatMap(Self.document(decoding:))
  }

  static func document(decoding bytes: [UInt8]) -> Document? {
    do { return try Document(decoding: bytes) } catch { return nil }
  }

  // MARK: Writing

  /// Keeps a version of the list that was found.
  ///
  /// - Parameters:
  ///   - isPast: leaves one that is there at its place; else it is the newest.
  ///   - synced: returns when it is on the device, for who may merge on the base of it after a crash.
  func keepFound(
    _ bytes: [UInt8], id: String, source: VersionSource?, isPast: Bool = false, synced: Bool = true
  ) throws(HistoryFailure) {
    try versions?.keep(
      bytes, id: id, label(replaced: nil, "found"), staysInPlace: isPast, synced: synced, source: source)
  }

  /// Keeps a version that an edit of ours made.
  func keepWritten(
    _ bytes: [UInt8], id: String, replaced: String, label text: String, source: VersionSource?
  ) throws(HistoryFailure) {
    try versions?.keep(bytes, id: id, label(replaced: replaced, text), relabels: true, source: source)
    var total = 0
    try versions?.forget { place, name in
      total += name.size
      return place >= Self.minimumCount && (place >= Self.maximumCount || total > Self.maximumBytes)
    }
  }

  /// Puts something into the archive. Returns when it is on the device.
  func putAway(_ bytes: [UInt8], id: String, label text: String) throws(HistoryFailure) {
    guard let archive = try archive(making: true) else { return }
    try archive.keep(bytes, id: id, label(replaced: nil, text), synced: true)
    let oldest = syscalls.now() - Self.archiveLifetime
    try archive.forget { _, name in name.time.milliseconds < oldest }
  }

  private func label(replaced: String?, _ text: String) -> VersionLabel {
    VersionLabel(replaced: replaced, text: text, time: Instant(milliseconds: syscalls.now()))
  }

  private func archive(making: Bool) throws(HistoryFailure) -> VersionFolder? {
    if let archived { return archived }
    archived = try VersionFolder("\(path)/archive", with: syscalls, making: making)
    return archived
  }
}
