// What a file system holds, and what of it a failure of the power may leave.
//
//     image.make(file, at: entry)            // each call as it is made
//     image.write(bytes, to: file)
//     image.synchronize(file: file)
//     for state in image.statesAfterPowerFailure() { … }
//
// The rules, no kinder than POSIX:
// - The bytes of a file are on the device once it was synced. Of what was written since, all may be there, a part, nothing,
//   or zero bytes of the same length.
// - What a call did to the names of a folder is on the device once the folder was synced. Of what was done since, any part
//   may be there, in whatever order it was done: a later call's and not an earlier one's. (A file system with a journal
//   leaves only the first so many of them, which is one of the cases here.)
// - Files and folders, and folders among each other, are independent: syncing one says nothing of another.
// - One call is done as a whole or not at all. Every file system that is in use has a journal for that; without one, no
//   program can replace a file safely.

/// One file system's folders, files and names, and which of them are on the device.
struct FolderImage {
  /// A name in a folder.
  struct Entry: Hashable, Comparable {
    let folder: String
    let name: String

    var path: String { folder + "/" + name }

    static func < (left: Entry, right: Entry) -> Bool { left.path < right.path }
  }

  /// What a name leads to.
  enum Node: Hashable {
    case file(Int)
    case folder
  }

  /// What one call did to the names of one folder.
  struct Change {
    let folder: String
    let entries: [(entry: Entry, node: Node?)]
    /// Whether it is another program's saving of the list.
    let isForeign: Bool
    /// Whether it is about nothing but a lock.
    let isLock: Bool
  }

  private struct File {
    var bytes: [UInt8] = []
    /// How many of them are on the device.
    var synced = 0
  }

  private var files: [File] = []
  private var durable: [Entry: Node] = [:]
  private(set) var pending: [Change] = []

  // MARK: The calls

  /// A new file, without a name as yet.
  mutating func makeFile() -> Int {
    files.append(File())
    return files.count - 1
  }

  /// Something that has been there for long.
  mutating func put(_ node: Node, at entry: Entry) {
    durable[entry] = node
  }

  mutating func write(_ bytes: some Sequence<UInt8>, to file: Int) {
    files[file].bytes += bytes
  }

  mutating func synchronize(file: Int) {
    files[file].synced = files[file].bytes.count
  }

  mutating func change(_ change: Change) {
    pending.append(change)
  }

  mutating func synchronize(folder: String) {
    Self.apply(pending.filter { $0.folder == folder }, to: &durable)
    pending.removeAll { $0.folder == folder }
  }

  /// What the names lead to, for who looks without a failure.
  var current: [Entry: Node] {
    var entries = durable
    Self.apply(pending, to: &entries)
    return entries
  }

  func bytes(of file: Int) -> [UInt8] { files[file].bytes }

  /// How many savings of the list by another program are not on the device.
  var pendingForeign: Int { pending.count(where: \.isForeign) }

  private static func apply(_ changes: [Change], to entries: inout [Entry: Node]) {
    for change in changes {
      for (entry, node) in change.entries { entries[entry] = node }
    }
  }

  // MARK: A failure of the power

  /// What is left of a file.
  struct Remains: Hashable {
    let file: Int
    let count: Int
    /// Whether what was not synced reads as zero bytes.
    let isZero: Bool
    let synced: Int
  }

  /// What is left of everything.
  struct State: Hashable {
    var folders: Set<String> = []
    var files: [Entry: Remains] = [:]
    /// Whether another program's saving of the list is gone, as far as the names tell.
    var lacksForeign = false
  }

  /// What is left, of the list's files and the history's on the one hand, and of locks on the other: each of the first may
  /// come with each of the second.
  func statesAfterPowerFailure() -> (states: Set<State>, locks: Set<State>) {
    var durableLocks: [Entry: Node] = [:]
    var durableOthers: [Entry: Node] = [:]
    for (entry, node) in durable {
      if Self.isLock(entry) { durableLocks[entry] = node } else { durableOthers[entry] = node }
    }
    return (
      states(of: durableOthers, pending.filter { !$0.isLock }), states(of: durableLocks, pending.filter(\.isLock))
    )
  }

  static func isLock(_ entry: Entry) -> Bool {
    entry.name.hasSuffix(".lock") || entry.name.hasSuffix(".lock.tmp")
  }

  private func states(of durable: [Entry: Node], _ pending: [Change]) -> Set<State> {
    var states: Set<State> = []
    for subset in Self.subsets(of: pending.count) {
      var entries = durable
      let kept = zip(pending, subset).filter(\.1).map(\.0)
      Self.apply(kept, to: &entries)
      var state = State()
      state.folders = Set(entries.filter { $0.value == .folder }.map(\.key.path))
      state.lacksForeign = kept.count(where: \.isForeign) < pending.count(where: \.isForeign)
      var open = [state]
      for (entry, node) in entries.sorted(by: { $0.key < $1.key }) {
        guard case .file(let file) = node else { continue }
        open = open.flatMap { state in
          remains(of: file, in: state).map { remains in
            var state = state
            state.files[entry] = remains
            return state
          }
        }
      }
      states.formUnion(open)
    }
    return states
  }

  /// Which of so many changes are there: any of them. Where they are too many for that, which takes a folder that is never
  /// synced: the first so many, or all but one.
  private static func subsets(of count: Int) -> [[Bool]] {
    guard count > 12 else {
      return (0..<(1 << count)).map { bits in (0..<count).map { bits & 1 << $0 != 0 } }
    }
    return (0...count).map { first in (0..<count).map { $0 < first } }
      + (0..<count).map { missing in (0..<count).map { $0 != missing } }
  }

  /// What may be left of a file: the same under all its names.
  private func remains(of number: Int, in state: State) -> [Remains] {
    if let settled = state.files.values.first(where: { $0.file == number }) { return [settled] }
    let file = files[number]
    let count = file.bytes.count
    let whole = Remains(file: number, count: count, isZero: false, synced: file.synced)
    guard file.synced < count else { return [whole] }
    return [
      whole, Remains(file: number, count: count, isZero: true, synced: file.synced),
      Remains(file: number, count: (file.synced + count) / 2, isZero: false, synced: file.synced),
      Remains(file: number, count: file.synced, isZero: false, synced: file.synced),
    ]
  }

  /// The bytes that are left.
  func bytes(of remains: Remains) -> [UInt8] {
    let bytes = files[remains.file].bytes
    guard remains.isZero else { return Array(bytes.prefix(remains.count)) }
    return Array(bytes.prefix(remains.synced)) + [UInt8](repeating: 0, count: remains.count - remains.synced)
  }
}
