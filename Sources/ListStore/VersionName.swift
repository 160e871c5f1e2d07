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
    self.label = Self.unescaped(Self.escaped(label).utf8)
  }

  /// Nil when the name is no version's.
  init?(parsing text: String) {
    var text = text
    guard let name = text.withUTF8({ Self.read($0) }) else { return nil }
    self = name
  }

  /// Every write reads the names of a whole history: byte by byte.
  private static func read(_ text: UnsafeBufferPointer<UInt8>) -> VersionName? {
    let end = text.count - suffix.utf8.count
    guard end > 0, text[end...].elementsEqual(suffix.utf8) else { return nil }
    var rest = text[..<end]
    /// What stands before the next point.
    func field() -> Slice<UnsafeBufferPointer<UInt8>>? {
      guard let point = rest.firstIndex(of: UInt8(ascii: ".")) else { return nil }
      defer { rest = rest[(point + 1)...] }
      return rest[..<point]
    }
    guard let number = field().flatMap(number), let time = field().flatMap(time), let id = field(),
      TemporaryName.isHash(id), let size = field().flatMap(Self.number), let replaced = field(),
      replaced.elementsEqual(nothing.utf8) || TemporaryName.isHash(replaced), !rest.contains(UInt8(ascii: "."))
    else { return nil }
    return VersionName(
      number: number, time: time, id: String(decoding: id, as: UTF8.self), size: size,
      replaced: replaced.count == nothing.utf8.count ? nil : String(decoding: replaced, as: UTF8.self),
      unescaped: unescaped(rest))
  }

  private init(number: Int, time: Instant, id: String, size: Int, replaced: String?, unescaped label: String) {
    self.number = number
    self.time = time
    self.id = id
    self.size = size
    self.replaced = replaced
    self.label = label
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (shifted, isTooMuch) = number.multipliedReportingOverflow(by: 10)
      let (next, isMore) = shifted.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
      guard !isTooMuch, !isMore else { return nil }
      number = next
    }
    return number
  }

  var text: String {
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, 8 - digits.utf8.count))
    let time = String(
      decoding: time.iso8601.utf8.filter { $0 > UInt8(ascii: ".") && $0 != UInt8(ascii: ":") }, as: UTF8.self)
    return "\(padding)\(digits).\(time).\(id).\(size).\(replaced ?? Self.nothing).\(Self.escaped(label))"
      + Self.suffix
  }

  /// Reads `20261130T204112345Z`.
  private static func time(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Instant? {
    guard text.count == 19 else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { spelled in
      var filled = 0
      for (place, byte) in text.enumerated() {
        let separator: UInt8? =
          switch place {
          case 4, 6: UInt8(ascii: "-")
          case 11, 13: UInt8(ascii: ":")
          case 15: UInt8(ascii: ".")
          default: nil
          }
        if let separator {
          spelled[filled] = separator
          filled += 1
        }
        spelled[filled] = byte
        filled += 1
      }
      return Instant(iso8601: UnsafeBufferPointer(rebasing: spelled[..<filled]))
    }
  }

  // MARK: The label

  /// As a part of a name: `/`, `.`, `%`, control characters and what is no character by itself are written `%2F`; cut off
  /// where it gets too long.
  private static func escaped(_ label: String) -> String {
    let isPlain = label.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "%")
    }
    if isPlain && label.utf8.count <= maximumLabel { return label }
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

  private static func unescaped(_ text: some Collection<UInt8>) -> String {
    guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
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
