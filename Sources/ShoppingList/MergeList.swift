import JSON

/// The entries of one array by what they meet by in a merge: rows and tombstones by id, sections by name. Entries that
/// cannot be named (hidden rows, and what is no section or no tombstone) meet by content and their number among equal
/// ones.
struct MergeList<Name: Hashable & Sendable, Entry: Sendable>: Sendable {
  typealias Key = MergeKey<Name>

  private(set) var keys: [Key] = []
  private(set) var entries: [Entry] = []
  private var positions: [Key: Int] = [:]
  private var counts: [[UInt8]: Int] = [:]

  /// - Parameters:
  ///   - content: what an entry without a name meets by.
  ///   - name: nil for an entry without one.
  ///   - supersedes: of two entries with one name the first counts, unless the second, given first, supersedes it.
  init(
    _ all: [Entry], content: (Entry) -> JSONValue, name: (Entry) -> Name?,
    supersedes: (Entry, Entry) -> Bool = { _, _ in false }
  ) {
    keys.reserveCapacity(all.count)
    entries.reserveCapacity(all.count)
    positions.reserveCapacity(all.count)
    for entry in all {
      let key: Key
      if let name = name(entry) {
        key = .name(name)
      } else {
        let content = content(entry).canonical
        let number = counts[content, default: 0]
        counts[content] = number + 1
        key = .content(content, number: number)
      }
      if let position = positions[key] {
        if supersedes(entry, entries[position]) { entries[position] = entry }
      } else {
        positions[key] = keys.count
        keys.append(key)
        entries.append(entry)
      }
    }
  }

  var isEmpty: Bool { keys.isEmpty }

  subscript(key: Key) -> Entry? { isEmpty ? nil : positions[key].map { entries[$0] } }

  /// Takes out the entries with these keys.
  mutating func remove(_ gone: Set<Key>) {
    guard !gone.isEmpty else { return }
    let kept = keys.indices.filter { !gone.contains(keys[$0]) }
    entries = kept.map { entries[$0] }
    keys = kept.map { keys[$0] }
    positions = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
  }

  /// Whether the order comes from this list, which leads, and not from the other: it does unless the other alone changed
  /// the order of what it has in common with the base.
  func givesOrder(over other: MergeList, base: MergeList?) -> Bool {
    guard let base else { return true }
    return isReordered(from: base) || !other.isReordered(from: base)
  }

  private func isReordered(from base: MergeList) -> Bool {
    var last = -1
    for key in keys {
      guard let position = base.positions[key] else { continue }
      if position < last { return true }
      last = position
    }
    return false
  }

  /// Whether an entry that meets by content stays: with a base the number of equal ones is that of the side that changed
  /// it, else the greater one.
  func stays(_ key: Key, with other: MergeList, base: MergeList?) -> Bool {
    guard case .content(let content, let number) = key else { return true }
    let mine = counts[content, default: 0]
    let others = other.counts[content, default: 0]
    let before = base?.counts[content, default: 0]
    return number < (before == mine ? others : before == others ? mine : max(mine, others))
  }

  /// The merged entries in this list's order; what only the other list has comes behind its nearest predecessor there
  /// that is in the result, and first where there is none.
  ///
  /// - Parameter merged: the entry of a key in the result, nil where it is gone, from what this list and the other have
  ///   under it; called once for each key of both.
  func arranged(with other: MergeList, merged: (Key, Entry?, Entry?) -> Entry?) -> [Entry] {
    let mine = keys.indices.map { merged(keys[$0], entries[$0], other[keys[$0]]) }
    var behind: [Int: [Entry]] = [:]
    var anchor = -1
    for (index, key) in other.keys.enumerated() {
      if let position = positions[key] {
        if mine[position] != nil { anchor = position }
      } else if let entry = merged(key, nil, other.entries[index]) {
        behind[anchor, default: []].append(entry)
      }
    }
    var result = behind[-1] ?? []
    result.reserveCapacity(max(keys.count, other.keys.count))
    for (position, entry) in mine.enumerated() {
      guard let entry else { continue }
      result.append(entry)
      if !behind.isEmpty, let more = behind[position] { result += more }
    }
    return result
  }
}

/// What an entry meets its counterpart by.
enum MergeKey<Name: Hashable & Sendable>: Hashable, Sendable {
  case name(Name)
  /// A canonical encoding, and how many equal ones come before.
  case content([UInt8], number: Int)

  var isName: Bool {
    if case .name = self { true } else { false }
  }
}
