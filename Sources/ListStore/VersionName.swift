// The name of a version of the list in the history or the archive:
//
//     00000042.20261130T204112345Z.9f86d081884c7d65.1024.5feceb66ffc86f38.added Bread.json
//
// its number, by which versions are in order whatever is done to the clock; when it was put there (UTC); the hash of its
// bytes, which is its id; how many bytes it has; the id of the version that it took the place of, `none` where the version
// was found and not written by this program; what is to be told of it. Everything about a version stands in its name: so
// the two cannot disagree after a crash, and listing reads no file.

import Platform
import ShoppingList

struct VersionName: Hashable {
  /// Greater for what was put there later.
  let number: Int
  let time: Instant
  /// The hash of its bytes, as in the names of temporary files: 16 hexadecimal digits.
  let id: String
  /// Bytes.
  let size: Int
  /// The version from which it was made; nil where it is another program's.
  let replaced: String?
  /// What the edit did, or how the version was found.
  let label: String

  /// Bytes of the label, escapes included: with them the name stays within the shortest limit of a file system (143).
  private static let maximumLabel = 60
  private static let nothing = "none"
  private static let suffix = ".json"
  /// The years 1970 to 9999: what a clock that is out of its mind may say is held within what a name can carry.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

  init(number: Int, time: Instant, id: String, size: Int, replaced: String?, label: String) {
    self.number = number
    self.time = Instant(
      milliseconds: min(max(time.milliseconds, Self.times.lowerBound), Self.times.upperBound))
    self.id = id
    self.size = size
    self.replaced = replaced
    self.label = Self.unescaped(Self.escaped(label))
  }

  /// Nil when the name is no version's.
  init?(parsing text: String) {
    guard text.hasSuffix(Self.suffix) else { return nil }
    let parts = text.utf8.dropLast(Self.suffix.utf8.count).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false
    ).map { String($0) ?? "" }
    guard parts.count == 6, let number = Int(parts[0]), number >= 0, let time = Self.time(parts[1]),
      TemporaryName.isHash(parts[2]), let size = Int(parts[3]), size >= 0,
      parts[4] == Self.nothing || TemporaryName.isHash(parts[4])
    else { return nil }
    self.number = number
    self.time = time
    id = parts[2]
    self.size = size
    replaced = parts[4] == Self.nothing ? nil : parts[4]
    label = Self.unescaped(parts[5])
  }

  var text: String {
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, 8 - digits.utf8.count))
    let time = time.iso8601.filter { !"-:.".contains($0) }
    return "\(padding)\(digits).\(time).\(id).\(size).\(replaced ?? Self.nothing).\(Self.escaped(label))"
      + Self.suffix
  }

  /// Reads `20261130T204112345Z`.
  private static func time(_ text: String) -> Instant? {
    guard text.utf8.count == 19 else { return nil }
    var spelled = ""
    for (place, character) in text.enumerated() {
      switch place {
      case 4, 6: spelled += "-"
      case 11, 13: spelled += ":"
      case 15: spelled += "."
      default: break
      }
      spelled.append(character)
    }
    return Instant(iso8601: spelled)
  }

  // MARK: The label

  /// As a part of a name: `/`, `.`, `%`, control characters and what is no character by itself are written `%2F`; cut off
  /// where it gets too long.
  private static func escaped(_ label: String) -> String {
    var result = ""
    for scalar in label.unicodeScalars {
      var piece = String(scalar)
      if "/.%".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .control {
        piece = scalar.utf8.map { "%" + hexadecimal([$0]) }.joined()
      }
      guard result.utf8.count + piece.utf8.count <= maximumLabel else { break }
      result += piece
    }
    return result
  }

  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
