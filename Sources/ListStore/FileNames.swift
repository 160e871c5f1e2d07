// The names that this program gives to files beside the list, for a list `BananaList.json`:
//
//     BananaList.json.lock                                                  the lock
//     .BananaList.json.<machine>.<random>.lock.tmp                          a lock on its way to that name
//     .BananaList.json.<machine>.<random>.unfinished.tmp                    a new version that is being written
//     .BananaList.json.<machine>.<random>.<what it holds>.<what it is to displace>.tmp     the same, written and synced;
//                                                                           or the list that it is to displace, by a
//                                                                           second name until that is done
//     .BananaList.json.<machine>.<random>.<what was merged>.copy.tmp        a conflict copy, or what another program saved,
//                                                                           merged and on its way to the archive
//
// <machine> is 8 hexadecimal digits, the others are 16: <random> random, the last two hashes of bytes (`none` where there
// is no list to displace). A file gets its last name only when its bytes are on the device, so after a crash the name
// says what a file is without being believed: an unfinished one is never more than a part of a version of ours. Names
// that begin with a dot are hidden, and iCloud Drive leaves names that end in `.tmp` alone.

import Platform
import ShoppingList

enum LockName {
  static let suffix = ".lock"
}

/// What the name of a temporary file says.
struct TemporaryName: Hashable {
  enum Purpose: Hashable {
    case lock
    case unfinished
    /// What it holds, and what it is to displace.
    case version(holds: String, displaces: String)
    /// What it held when it was merged.
    case copy(holds: String)
  }

  let machine: String
  let random: String
  let purpose: Purpose

  init(machine: String, random: String, purpose: Purpose) {
    self.machine = machine
    self.random = random
    self.purpose = purpose
  }

  /// A name that no other file has.
  init(_ purpose: Purpose, machine: String, syscalls: Syscalls) {
    self.init(machine: machine, random: hexadecimal(syscalls.random(8)), purpose: purpose)
  }

  /// Nil when the name is no temporary file's of that list.
  init?(parsing name: String, ofList list: String) {
    let prefix = ".\(Self.shortened(list))."
    guard name.utf8.starts(with: prefix.utf8), name.hasSuffix(".tmp") else { return nil }
    let parts = name.utf8.dropFirst(prefix.utf8.count).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false
    ).map { String($0) ?? "" }
    guard parts.count >= 4, Self.isHexadecimal(parts[0].utf8, digits: 8), Self.isHash(parts[1])
    else { return nil }
    switch (parts.count, parts[2]) {
    case (4, "lock"): purpose = .lock
    case (4, "unfinished"): purpose = .unfinished
    case (5, let holds) where Self.isHash(holds):
      if parts[3] == Self.copy {
        purpose = .copy(holds: holds)
      } else {
        guard parts[3] == Self.nothing || Self.isHash(parts[3]) else { return nil }
        purpose = .version(holds: holds, displaces: parts[3])
      }
    default: return nil
    }
    machine = parts[0]
    random = parts[1]
  }

  func text(ofList list: String) -> String {
    let start = ".\(Self.shortened(list)).\(machine).\(random)"
    switch purpose {
    case .lock: return "\(start).lock.tmp"
    case .unfinished: return "\(start).unfinished.tmp"
    case .version(let holds, let displaces): return "\(start).\(holds).\(displaces).tmp"
    case .copy(let holds): return "\(start).\(holds).\(Self.copy).tmp"
    }
  }

  /// The hash by which a name says what bytes a file holds; nil for no file.
  static func hash(_ bytes: [UInt8]?) -> String {
    guard let bytes else { return nothing }
    let value = ContentHash(bytes).value
    return hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
  }

  /// Whether the text is such a hash of bytes.
  static func isHash(_ text: String) -> Bool { isHash(text.utf8) }

  /// The same of its bytes.
  static func isHash(_ text: some Collection<UInt8>) -> Bool { isHexadecimal(text, digits: 16) }

  private static let nothing = "none"
  private static let copy = "copy"

  /// The list's name, or as much of it as leaves room for the rest in the shortest limit of a file system (143 bytes),
  /// and a hash, so that two long names do not become one.
  private static func shortened(_ list: String) -> String {
    guard list.utf8.count > maximumBytes else { return list }
    var start = ""
    for scalar in list.unicodeScalars {
      guard start.utf8.count + scalar.utf8.count <= maximumBytes - 9 else { break }
      start.unicodeScalars.append(scalar)
    }
    return start + "~" + hexadecimal(SHA256.hash(Array(list.utf8)).prefix(4))
  }

  private static let maximumBytes = 72

  private static func isHexadecimal(_ text: some Collection<UInt8>, digits: Int) -> Bool {
    text.count == digits && text.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
