/// What was found out about names, by their spelling: for names that most rows share with others, as those of sections,
/// so that each of the few is folded once and not for every row.
struct SpellingMemo<Answer> {
  private var slots = [(spelling: String, answer: Answer)?](repeating: nil, count: 64)

  /// What `find` answers for a spelling, or answered before: it must answer the same each time.
  mutating func answer(for spelling: String, _ find: (String) -> Answer) -> Answer {
    let slot = Self.slot(of: spelling)
    if let known = slots[slot], known.spelling == spelling { return known.answer }
    let answer = find(spelling)
    slots[slot] = (spelling, answer)
    return answer
  }

  /// Any slot is right; different ones for most names are quicker.
  private static func slot(of spelling: String) -> Int {
    var spelling = spelling
    let mixed = spelling.withUTF8 { $0.prefix(16).reduce(UInt32($0.count & 0xFF)) { ($0 ^ UInt32($1)) &* 0x0100_0193 } }
    return Int(mixed >> 26)
  }
}
