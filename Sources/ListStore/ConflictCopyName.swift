// Which files beside the list are copies of it that a sync service laid there after two devices had changed it.
//
// For a list `BananaList.json`:
//
// | name                                                                    | by                        | judged    |
// | BananaList.sync-conflict-20261130-204112-ABCDEFG.json                   | Syncthing                 | taken     |
// | BananaList (Anna's conflicted copy 2026-11-30).json, in any language    | Dropbox                   | taken     |
// | BananaList (conflicted copy anna 2026-11-30 204112).json                | Nextcloud, ownCloud       | taken     |
// | BananaList_conflict-20261130-204112.json                                | ownCloud                  | taken     |
// | BananaList.Conflict.json, BananaList.Conflict1.json                     | Resilio Sync              | taken     |
// | BananaList [conflicted].json                                            | pCloud                    | taken     |
// | BananaList.conflict1.json                                               | rclone                    | taken     |
// | BananaList-HOST-safeBackup-0001.json                                    | OneDrive on Linux         | taken     |
// | BananaList 2.json                                                       | iCloud Drive, or a person | ambiguous |
// | BananaList (1).json, BananaList (2026-11-30).json                       | Google Drive, or a person | ambiguous |
// | BananaList-HOST.json                                                    | OneDrive, or a person     | ambiguous |
//
// A person's file is never taken, so a name that a person may give is ambiguous at best: the user is told of it.

enum ConflictCopyName {
  enum Verdict: Hashable {
    /// A sync service alone gives such a name.
    case taken
    /// It may be a person's.
    case ambiguous
  }

  /// Nil when the name says nothing of a copy of that list.
  static func judge(_ name: String, ofList list: String) -> Verdict? {
    let (name, list) = (name.utf8, list.utf8)
    let dot =
      list.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > list.startIndex ? $0 : nil } ?? list.endIndex
    let (stem, ending) = (list[..<dot], list[dot...])
    guard name.count > list.count, name.starts(with: stem), name.reversed().starts(with: ending.reversed()),
      let middle = String(name.dropFirst(stem.count).dropLast(ending.count))
    else { return nil }
    if isTaken(middle) { return .taken }
    return isAmbiguous(middle) ? .ambiguous : nil
  }

  private static func isTaken(_ middle: String) -> Bool {
    matches(
      middle, ".sync-conflict-", [.digits(8), .text("-"), .digits(6), .text("-"), .capitalsAndDigits(7)])
      || matches(middle, "_conflict-", [.digits(8), .text("-"), .digits(6)])
      || matches(middle, ".Conflict", [.digits(nil)]) || matches(middle, ".conflict", [.digits(nil)])
      || middle == " [conflicted]"
      || isSafeBackup(middle)
      || parenthesized(middle).map { hasDate($0) && $0.contains(where: \.isLetter) } ?? false
  }

  private static func isAmbiguous(_ middle: String) -> Bool {
    if let inner = parenthesized(middle) { return isNumber(inner) || hasDate(inner) }
    if middle.hasPrefix(" ") { return isNumber(String(middle.dropFirst())) }
    return middle.hasPrefix("-") && middle.utf8.count > 1
  }

  // MARK: Patterns

  private enum Piece {
    case text(String)
    /// So many digits; nil: any number of them, none as well.
    case digits(Int?)
    case capitalsAndDigits(Int)
  }

  /// Whether the text is the prefix and these pieces.
  private static func matches(_ text: String, _ prefix: String, _ pieces: [Piece]) -> Bool {
    guard text.utf8.starts(with: prefix.utf8) else { return false }
    var rest = Array(text.utf8.dropFirst(prefix.utf8.count))[...]
    for piece in pieces {
      switch piece {
      case .text(let text):
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
      case .digits(let count):
        let taken = rest.prefix { isDigit($0) }
        guard count == nil || taken.count == count else { return false }
        rest = rest.dropFirst(taken.count)
      case .capitalsAndDigits(let count):
        let taken = rest.prefix { isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard taken.count == count else { return false }
        rest = rest.dropFirst(taken.count)
      }
    }
    return rest.isEmpty
  }

  /// `-HOST-safeBackup-0001`
  private static func isSafeBackup(_ middle: String) -> Bool {
    let length = "-safeBackup-".utf8.count + 4
    guard middle.utf8.first == UInt8(ascii: "-"), middle.utf8.count > length + 1,
      let last = String(middle.utf8.suffix(length))
    else { return false }
    return matches(last, "-safeBackup-", [.digits(4)])
  }

  /// What stands in ` (…)`.
  private static func parenthesized(_ middle: String) -> String? {
    guard middle.hasPrefix(" ("), middle.hasSuffix(")") else { return nil }
    return String(middle.dropFirst(2).dropLast())
  }

  private static func isNumber(_ text: String) -> Bool {
    (1...4).contains(text.utf8.count) && text.utf8.allSatisfy(isDigit)
  }

  /// Whether a day `YYYY-MM-DD` stands in the text, no digits around it.
  private static func hasDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10 else { return false }
    return (0...bytes.count - 10).contains { start in
      let isApart =
        (start == 0 || !isDigit(bytes[start - 1]))
        && (start + 10 == bytes.count || !isDigit(bytes[start + 10]))
      return isApart && isDate(bytes[start..<start + 10])
    }
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(isDigit) }) else { return false }
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return numbers.count == 3 && (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
