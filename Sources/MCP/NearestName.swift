// What was probably meant by a name that does not exist. It is only ever suggested, never taken.

/// The known name that is nearest to the given one, within two edits; nil when none is near.
package func nearestName(to name: String, among known: [String]) -> String? {
  let near = known.map { (name: $0, distance: editDistance(from: name, to: $0)) }
    // As many edits as letters would make anything of a short name.
    .filter { $0.distance <= 2 && $0.distance < $0.name.utf8.count }
  return near.min { $0.distance < $1.distance }?.name
}

/// How many bytes must be inserted, removed or replaced to make one name of the other (Levenshtein).
private func editDistance(from source: String, to target: String) -> Int {
  let source = Array(source.utf8.prefix(100))
  let target = Array(target.utf8)
  var row = Array(0...target.count)
  for (line, letter) in source.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for column in 1..<row.count {
      let replaced = diagonal + (letter == target[column - 1] ? 0 : 1)
      diagonal = row[column]
      row[column] = min(replaced, row[column] + 1, row[column - 1] + 1)
    }
  }
  return row[target.count]
}
