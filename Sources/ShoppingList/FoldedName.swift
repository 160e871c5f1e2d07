/// A name as people mean it: what two spellings of one thing have in common.
///
/// Trimmed, white space (no-break spaces too) folded to one space, case folded, zero-width characters and variation
/// selectors left out, compared in Unicode canonical equivalence. So `CAFÉ`, `  café` and its decomposed spelling
/// meet. Nothing is guessed beyond that: `Milk` and `Milks` stay two names.
package struct FoldedName: Hashable, Sendable {
  /// The folded spelling. Swift's strings compare and hash by canonical equivalence.
  package let text: String

  package init(_ name: String) {
    // Almost every name is of Latin letters: it is folded without looking up Unicode properties.
    if let plain = Self.foldedLatin(name) {
      text = plain
      return
    }
    var folded = String.UnicodeScalarView()
    var isAfterSpace = true
    for scalar in name.unicodeScalars {
      if Self.isInvisible(scalar) { continue }
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        if !isAfterSpace { folded.append(" ") }
        isAfterSpace = true
      } else {
        folded.append(scalar)
        isAfterSpace = false
      }
    }
    if folded.last == " " { folded.removeLast() }
    // Upper case first: it unites what lower case keeps apart (ß and SS, σ and ς).
    text = String(folded).uppercased().lowercased()
  }

  package var isEmpty: Bool { text.isEmpty }

  /// Whether nothing is left of a name when it is folded.
  package static func isBlank(_ name: String) -> Bool {
    // As a rule the first character tells.
    if let first = name.utf8.first, first > 32, first < 127 { return false }
    return FoldedName(name).isEmpty
  }

  /// Whether a name may fold to this one; its first letter often tells that it does not.
  @inline(__always)
  func mayFold(_ name: String) -> Bool {
    guard let first = name.utf8.first, let wanted = text.utf8.first, first > 32, first < 127, wanted < 128 else {
      return true
    }
    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
    return (isCapital ? first | 0x20 : first) == wanted
  }

  /// Whether a name folds to this one; as a rule its first letters tell that it does not.
  package func isFolding(of name: String) -> Bool {
    var name = name
    var text = text
    let answer: Bool? = text.withUTF8 { wanted in
      name.withUTF8 { source in
        var count = 0
        var isAfterSpace = false
        for byte in source {
          switch byte {
          // What is not ASCII may be written in several ways, there and here.
          case 128...: return nil
          case 0...32, 127: isAfterSpace = count > 0
          default:
            if isAfterSpace, count < wanted.count {
              guard wanted[count] == 32 else { return wanted[count] < 128 ? false : nil }
              count += 1
            }
            isAfterSpace = false
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            guard count < wanted.count else { return false }
            guard wanted[count] == (isCapital ? byte | 0x20 : byte) else { return wanted[count] < 128 ? false : nil }
            count += 1
          }
        }
        guard count < wanted.count else { return true }
        return wanted[count] < 128 ? false : nil
      }
    }
    return answer ?? (FoldedName(name) == self)
  }

  /// Whether the other stands somewhere in this name; the empty name stands in all.
  package func contains(_ other: FoldedName) -> Bool {
    let letters = Array(text)
    let wanted = Array(other.text)
    guard wanted.count <= letters.count else { return false }
    return (0...letters.count - wanted.count).contains { start in
      letters[start..<start + wanted.count].elementsEqual(wanted)
    }
  }

  /// The words of the name, for finding near ones.
  var words: [Substring] { text.split { !$0.isLetter && !$0.isNumber } }

  /// A name of ASCII and the letters from U+00C0 to U+00FF; nil for any other.
  private static func foldedLatin(_ name: String) -> String? {
    var name = name
    return name.withUTF8 { source in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: source.count) { folded -> String? in
        var count = 0
        var isSecond = false
        for byte in source {
          if isSecond {
            isSecond = false
            switch byte {
            // ß, which is two letters in capitals.
            case 0x9F:
              folded[count - 1] = UInt8(ascii: "s")
              folded[count] = UInt8(ascii: "s")
            // À to Þ. Between them stands ×, which is no letter.
            case 0x80...0x9E where byte != 0x97: folded[count] = byte | 0x20
            default: folded[count] = byte
            }
            count += 1
            continue
          }
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            folded[count] = byte | 0x20
            count += 1
          case 0...32, 127:
            if count > 0, folded[count - 1] != 32 {
              folded[count] = 32
              count += 1
            }
          case ..<128:
            folded[count] = byte
            count += 1
          case 0xC3:
            folded[count] = byte
            count += 1
            isSecond = true
          default: return nil
          }
        }
        if count > 0, folded[count - 1] == 32 { count -= 1 }
        return String(decoding: UnsafeBufferPointer(rebasing: folded[..<count]), as: UTF8.self)
      }
    }
  }

  /// Zero-width characters, direction marks and variation selectors: two names that differ only in these look alike.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00AD, 0x034F, 0x061C, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064,
      0x2066...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0100...0xE01EF:
      true
    default: false
    }
  }
}
