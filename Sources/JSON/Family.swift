// The entries that a container has in the source, while it is laid out again.
//
// Two questions are asked of it. Which entry was this, so that what were neighbours keep what stood between them? And
// which entry shows how a new container should look?

/// What a new container resembles.
enum EntryKind {
  case object
  case arrayOfObjects
  case otherArray

  /// Nil for values that need no layout: everything but containers with entries.
  init?(needingTemplate value: JSONValue) {
    switch value.kind {
    case .object:
      guard !value.rawMembers.isEmpty else { return nil }
      self = .object
    case .array:
      guard let first = value.elements.first else { return nil }
      self = first.kind == .object ? .arrayOfObjects : .otherArray
    default: return nil
    }
  }
}

/// A container of the source and its entries.
struct Family {
  let container: Int?
  private let source: JSONSource?
  private let isObject: Bool
  /// The positions of the elements, or of the keys, on the tape: ascending.
  let children: [Int]
  /// The first entries of each kind, once they were looked for.
  private var siblings: (object: Int?, arrayOfObjects: Int?, otherArray: Int?)?

  init(of container: Int?, in source: JSONSource?) {
    self.container = container
    self.source = source
    guard let source, let container else {
      isObject = false
      children = []
      return
    }
    isObject = source.firstByte(container) == .openBrace
    var children: [Int] = []
    children.reserveCapacity(source.count(container))
    var entry = source.firstEntry(container)
    for _ in 0..<source.count(container) {
      children.append(entry)
      entry = source.next(isObject ? source.value(ofKey: entry) : entry)
    }
    self.children = children
  }

  /// Which child stands at a position of the tape; nil if none does.
  ///
  /// - Parameter previous: the child before, where the search begins.
  func index(of node: Int, near previous: Int?) -> Int? {
    let following = (previous ?? -1) + 1
    if following < children.count, children[following] == node { return following }
    var low = 0
    var high = children.count
    while low < high {
      let middle = (low + high) / 2
      if children[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low < children.count && children[low] == node ? low : nil
  }

  /// Where the text of a child ends.
  func end(_ child: Int) -> Int { source?.end(value(of: child)) ?? 0 }

  private func value(of child: Int) -> Int {
    guard let source, isObject else { return children[child] }
    return source.value(ofKey: children[child])
  }

  /// The first entry that resembles a new container most: for an array, one whose elements are of the same kind before
  /// any other.
  mutating func sibling(of kind: EntryKind) -> Int? {
    let siblings = self.siblings ?? findSiblings()
    self.siblings = siblings
    return switch kind {
    case .object: siblings.object
    case .arrayOfObjects: siblings.arrayOfObjects ?? siblings.otherArray
    case .otherArray: siblings.otherArray ?? siblings.arrayOfObjects
    }
  }

  private func findSiblings() -> (object: Int?, arrayOfObjects: Int?, otherArray: Int?) {
    var found: (object: Int?, arrayOfObjects: Int?, otherArray: Int?)
    guard let source else { return found }
    for child in children.indices {
      let node = value(of: child)
      guard source.isContainer(node), source.count(node) > 0 else { continue }
      if source.firstByte(node) == .openBrace {
        if found.object == nil { found.object = node }
      } else if source.firstByte(source.firstEntry(node)) == .openBrace {
        if found.arrayOfObjects == nil { found.arrayOfObjects = node }
      } else if found.otherArray == nil {
        found.otherArray = node
      }
    }
    return found
  }
}
