// Finding the item that somebody means: by id, or by name.
//
// A name fits where its folded spelling is the same; nothing is guessed beyond that. A name that fits nothing comes back
// with the nearest ones, a name that fits several with all of them, and the caller asks.

/// How a caller names one item. A blank id or name counts as absent.
package struct ItemReference: Hashable, Sendable {
  package let id: String?
  package let name: String?

  package init(id: String? = nil, name: String? = nil) {
    self.id = id.flatMap { FoldedName.isBlank($0) ? nil : $0 }
    self.name = name.flatMap { FoldedName.isBlank($0) ? nil : $0 }
  }
}

/// What was found where an item was looked for.
package enum Found: Hashable, Sendable {
  case one(Item)
  /// The reference has neither an id nor a name.
  case nothingNamed
  /// No item has this id; the nearest by name, if a name was given.
  case noSuchID(near: [Item])
  /// No item has this name; the nearest ones, at most five.
  case noSuchName(near: [Item])
  /// Several items have this name.
  case several([Item])
  /// The item with this id has another name than the one given.
  case otherName(Item)
}

/// The rows of a document by id and by name, made once for a call: those that it may ask for.
struct RowIndex {
  private var byID: [ItemID.Key: Int] = [:]
  private var byName: [FoldedName: [Int]] = [:]
  /// What is taken in; nil: every row of what is asked for.
  private let wanted: (ids: [ItemID.Key], names: [FoldedName])?
  private let asksForIDs: Bool
  private let asksForNames: Bool

  /// Of the rows that have one of these ids or names.
  init(_ rows: [Row], ids: [String] = [], names: [String] = []) {
    // Comparing with a few is quicker than hashing each row's.
    let isFew = ids.count + names.count <= 8
    wanted = isFew ? (ids.map(ItemID.Key.init), names.map(FoldedName.init)) : nil
    asksForIDs = !ids.isEmpty
    asksForNames = !names.isEmpty
    insert(rows)
  }

  private mutating func insert(_ rows: [Row]) {
    // Few of the rows have anything to do with few names.
    if let names = wanted?.names, !asksForIDs {
      for position in rows.indices {
        guard let name = rows[position].name, names.contains(where: { $0.mayFold(name) }) else { continue }
        insert(id: "", name: name, at: position)
      }
      return
    }
    for position in rows.indices {
      guard let id = rows[position].id, let name = rows[position].name else { continue }
      insert(id: id, name: name, at: position)
    }
  }

  /// Takes in one more row, behind all others, if it is wanted.
  mutating func insert(_ item: Item, at position: Int) {
    insert(id: item.id, name: item.name, at: position)
  }

  private mutating func insert(id: String, name: String, at position: Int) {
    guard let wanted else {
      if asksForIDs { byID[ItemID.Key(id)] = position }
      if asksForNames { byName[FoldedName(name), default: []].append(position) }
      return
    }
    if !wanted.ids.isEmpty {
      let key = ItemID.Key(id)
      if wanted.ids.contains(key) { byID[key] = position }
    }
    for wanted in wanted.names where wanted.isFolding(of: name) {
      byName[wanted, default: []].append(position)
      break
    }
  }

  func position(ofID id: String) -> Int? { byID[ItemID.Key(id)] }

  /// The positions of the rows of this name, in the list's order.
  func positions(ofName name: String) -> [Int] { byName[FoldedName(name), default: []] }
}

extension Document {
  /// Looks an item up.
  package func find(_ reference: ItemReference) -> Found {
    find([reference])[0]
  }

  /// Looks up every reference, in order.
  package func find(_ references: [ItemReference]) -> [Found] {
    let index = RowIndex(rows, ids: references.compactMap(\.id), names: references.compactMap(\.name))
    return references.map { find($0, in: index).found }
  }

  /// Looks an item up in an index of these rows; the position is that of the one row found.
  func find(_ reference: ItemReference, in index: RowIndex) -> (found: Found, position: Int?) {
    if let id = reference.id {
      guard let position = index.position(ofID: id), let item = rows[position].item else {
        return (.noSuchID(near: reference.name.map(namesNear) ?? []), nil)
      }
      if let name = reference.name, FoldedName(name) != FoldedName(item.name) {
        return (.otherName(item), nil)
      }
      return (.one(item), position)
    }
    guard let name = reference.name else { return (.nothingNamed, nil) }
    let positions = index.positions(ofName: name)
    let fitting = positions.compactMap { rows[$0].item }
    switch fitting.count {
    case 0: return (.noSuchName(near: namesNear(name)), nil)
    case 1: return (.one(fitting[0]), positions[0])
    default: return (.several(fitting), nil)
    }
  }

  /// At most five items whose names are near: first those that share a word with it, or contain it, then those that a few
  /// slips of a finger away are the same.
  package func namesNear(_ name: String) -> [Item] {
    let wanted = FoldedName(name)
    let wantedWords = Set(wanted.words)
    let letters = Array(wanted.text)
    let farthest = max(2, letters.count / 3)
    var ranked: [(rank: Int, position: Int, item: Item)] = []
    for (position, row) in rows.enumerated() {
      guard let item = row.item else { continue }
      let candidate = FoldedName(item.name)
      let candidateWords = candidate.words
      if candidateWords.contains(where: wantedWords.contains) {
        ranked.append((0, position, item))
      } else if let distance = editDistance(letters, Array(candidate.text), atMost: farthest) {
        ranked.append((distance, position, item))
      }
    }
    ranked.sort { ($0.rank, $0.position) < ($1.rank, $1.position) }
    return ranked.prefix(5).map(\.item)
  }
}

/// How many letters must be put in, left out, changed or swapped with their neighbour to make one text of the other
/// (optimal string alignment); nil where it is more than `limit`.
func editDistance(_ left: [Character], _ right: [Character], atMost limit: Int) -> Int? {
  guard abs(left.count - right.count) <= limit else { return nil }
  var twoBack: [Int] = []
  var oneBack = Array(0...right.count)
  for row in 0..<left.count {
    var current = [row + 1]
    for column in 0..<right.count {
      let change = oneBack[column] + (left[row] == right[column] ? 0 : 1)
      var best = min(change, oneBack[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, twoBack[column - 1] + 1)
      }
      current.append(best)
    }
    if current.allSatisfy({ $0 > limit }) { return nil }
    (twoBack, oneBack) = (oneBack, current)
  }
  return oneBack[right.count] <= limit ? oneBack[right.count] : nil
}
