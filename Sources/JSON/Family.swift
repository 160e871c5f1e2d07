// The entries that a container has in the source, while it is laid out again.
//
// Two questions are asked of it. Was this value an entry, so that what were neighbours keep what stood
// between them? And which entry shows how a new container should look?

/// What a new container resembles.
enum EntryKind {
  case object
  case arrayOfObjects
  case otherArray

  /// Nil for values that need no layout: everything but containers with entries.
  init?(needingTemplate value: JSONValue) {
    switch value.kind {
    case .object where !value.members.isEmpty:
      self = .object
    case .array:
      guard let first = value.elements.first else { return nil }
      self = first.kind == .object ? .arrayOfObjects : .otherArray
    default: return nil
    }
  }
}

/// A container of the source that has entries. An entry is an element, or a key, by its position on the tape.
///
/// It is an object because it remembers, while it is asked, how far it has come.
final class Family {
  let source: JSONSource
  let container: Int
  let isObject: Bool
  /// The first entry that was not passed yet: values mostly come in the order in which they were.
  private var cursor: Int
  /// All entries, ascending, once some value came out of order.
  private var entries: [Int] = []
  /// The first entries of each kind that was looked for.
  private var siblings: [EntryKind: Int?] = [:]

  init(of container: Int, in source: JSONSource) {
    self.container = container
    self.source = source
    isObject = source.firstByte(container) == .openBrace
    cursor = source.firstEntry(container)
  }

  /// The value of an entry.
  func value(of entry: Int) -> Int { isObject ? source.value(ofKey: entry) : entry }

  /// The entry behind another; the container's end behind the last.
  func entry(behind entry: Int) -> Int { source.next(value(of: entry)) }

  /// Whether a token is an entry of this container, not one of its entries' entries, nor of another
  /// container.
  func isEntry(_ node: Int) -> Bool {
    guard node > container, node < source.next(container) else { return false }
    if node < cursor || !entries.isEmpty { return isListed(node) }
    while cursor < node { cursor = entry(behind: cursor) }
    return cursor == node
  }

  private func isListed(_ node: Int) -> Bool {
    if entries.isEmpty { entries = source.entries(of: container) }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low] == node
  }

  /// The first entry that resembles a new container most: for an array, one whose elements are of the same
  /// kind before any other.
  func sibling(of kind: EntryKind) -> Int? {
    switch kind {
    case .object: first(of: .object)
    case .arrayOfObjects: first(of: .arrayOfObjects) ?? first(of: .otherArray)
    case .otherArray: first(of: .otherArray) ?? first(of: .arrayOfObjects)
    }
  }

  /// The first entry of a kind that has entries of its own.
  private func first(of kind: EntryKind) -> Int? {
    if let known = siblings[kind] { return known }
    let found = find(kind)
    siblings[kind] = .some(found)
    return found
  }

  private func find(_ kind: EntryKind) -> Int? {
    var entry = source.firstEntry(container)
    for _ in 0..<source.count(container) {
      let value = value(of: entry)
      entry = source.next(value)
      guard source.isContainer(value), source.count(value) > 0 else { continue }
      let isObject = source.firstByte(value) == .openBrace
      let holdsObjects = !isObject && source.firstByte(source.firstEntry(value)) == .openBrace
      if kind == (isObject ? .object : holdsObjects ? .arrayOfObjects : .otherArray) { return value }
    }
    return nil
  }
}
