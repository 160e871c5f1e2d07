// Merges lists for Tests/MergeModel/compare.py, so that Swift and the model see the same input.
//
// A line of standard input is a JSON array [base, ours, theirs], base null where it is not known. The answer is the merged
// file on one line, or a line that begins with `!` where the merge is not what every caller relies on: the same bytes
// with the sides exchanged, and read back as what was meant.

import JSON
import ShoppingList

func answer(to line: String) throws -> String {
  let lists = try JSONValue(parsing: Array(line.utf8)).elements.map { version in
    version.isNull ? nil : try Document(decoding: version.sourceBytes)
  }
  guard lists.count == 3, let ours = lists[1], let theirs = lists[2] else { return "! not three lists" }
  let merged = Document.merge(base: lists[0], ours: ours, theirs: theirs)
  let bytes = merged.encoded()
  let exchanged = Document.merge(base: lists[0], ours: theirs, theirs: ours)
  if exchanged.encoded() != bytes { return "! not symmetric" }
  if try !Document(decoding: bytes).isEquivalent(to: merged) { return "! read back as something else" }
  return try JSONValue(parsing: bytes).description
}

while let line = readLine() {
  do {
    print(try answer(to: line))
  } catch {
    print("! \(error)")
  }
}
