import ShoppingList

/// What was acknowledged, and what has to be there in the end because of it.
struct Expectations {
  /// A row that only one device edits. Where it is not certain that an edit took place, there are several possibilities.
  struct Row {
    var isPresent: Set<Bool> = [true]
    var amounts: Set<String> = [""]
    var checked: Set<Bool> = [false]

    /// Whether this is what it has to be.
    func allows(_ item: Item?) -> Bool {
      guard let item else { return isPresent.contains(false) }
      return isPresent.contains(true) && amounts.contains(item.amount) && checked.contains(item.checked)
    }
  }

  /// By id.
  var own: [String: Row] = [:]
  /// What was ever given as the amount of a row that all edit, by id.
  var shared: [String: Set<String>] = [:]
  /// Bytes of all rows and tombstones there can be.
  var rows = 0

  func complaints(about items: [Item]) -> [String] {
    var complaints: [String] = []
    var found: [String: Item] = [:]
    for item in items { found[item.id] = item }
    for (id, row) in own.sorted(by: { $0.key < $1.key }) {
      guard let item = found[id] else {
        if !row.isPresent.contains(false) { complaints.append("\(id) is gone") }
        continue
      }
      if !row.isPresent.contains(true) { complaints.append("\(id) was deleted, and is there") }
      if !row.amounts.contains(item.amount) {
        complaints.append("\(id) has \(item.amount), not \(row.amounts.sorted())")
      }
      if !row.checked.contains(item.checked) { complaints.append("\(id) is \(item.checked ? "" : "not ")checked") }
    }
    for (id, amounts) in shared.sorted(by: { $0.key < $1.key }) {
      guard let item = found[id] else {
        complaints.append("\(id) is gone")
        continue
      }
      if !amounts.contains(item.amount) { complaints.append("\(id) has \(item.amount), which nobody gave it") }
    }
    return complaints
  }
}
