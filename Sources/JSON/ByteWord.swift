// Eight bytes at a time.
//
// Strings make up most of a JSON text, and almost all of their bytes need no attention. `ByteWord` loads
// eight bytes as one integer and answers "which of these needs a look?" with a few additions, without vector
// instructions, which the portable x86-64 baseline hardly has.
//
// The answers are masks with bit 7 set in each byte that is a stop. Only the lowest set bit is exact (a
// borrow may run into the bytes above a true stop), which is all that a left-to-right scan needs.

/// Eight consecutive bytes, the first in memory in the lowest eight bits.
struct ByteWord {
  let bits: UInt64

  /// The eight bytes at `pointer`, which need not be aligned. The caller has checked that there are eight.
  @inline(__always)
  init(at pointer: UnsafeRawPointer) {
    bits = UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
  }

  private init(bits: UInt64) { self.bits = bits }

  /// The last eight bytes of a text; of one with four to seven, its first four and its last four. The caller has checked
  /// that there are four.
  @inline(__always)
  init(endOf text: UnsafeBufferPointer<UInt8>) {
    let start = UnsafeRawPointer(text.baseAddress.unsafelyUnwrapped)
    if text.count >= 8 {
      self.init(at: start + (text.count - 8))
    } else {
      let first = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
      let last = UInt32(littleEndian: (start + (text.count - 4)).loadUnaligned(as: UInt32.self))
      self.init(bits: UInt64(first) | UInt64(last) << 32)
    }
  }

  @inline(__always)
  private static func repeating(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Marks `"`, `\`, control characters and every byte outside ASCII: what can end or change a string.
  ///
  /// For a byte b in 0x20...0x7f other than `"` and `\`, none of the three differences borrows, and none has
  /// its high bit set; so the lowest mark is exact.
  @inline(__always)
  var stringStops: UInt64 {
    let control = bits &- Self.repeating(0x20)
    let quote = (bits ^ Self.repeating(0x22)) &- Self.repeating(1)
    let backslash = (bits ^ Self.repeating(0x5C)) &- Self.repeating(1)
    return (control | quote | backslash | bits) & Self.repeating(0x80)
  }

  /// Marks `"`, `\` and control characters, but lets bytes outside ASCII pass: what every writer has to
  /// escape.
  @inline(__always)
  var escapeStops: UInt64 {
    let control = bits &- Self.repeating(0x20)
    let quote = (bits ^ Self.repeating(0x22)) &- Self.repeating(1)
    let backslash = (bits ^ Self.repeating(0x5C)) &- Self.repeating(1)
    return (control | quote | backslash) & ~bits & Self.repeating(0x80)
  }

  /// Marks every byte equal to `byte` (an ASCII character).
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let difference = bits ^ Self.repeating(byte)
    return (difference &- Self.repeating(1)) & ~difference & Self.repeating(0x80)
  }

  /// Marks every byte outside ASCII.
  @inline(__always)
  var nonASCII: UInt64 { bits & Self.repeating(0x80) }

  /// How many of the first bytes are spaces: 0...8.
  @inline(__always)
  var leadingSpaces: Int { (bits ^ Self.repeating(0x20)).trailingZeroBitCount >> 3 }

  /// The position, 0...7, of the lowest mark in a mask that is not zero; 8 when the mask is zero.
  @inline(__always)
  static func first(in marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}

/// The bits by which the eight bytes at a position of two texts differ.
@inline(__always)
private func differences(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ position: Int) -> UInt64 {
  ByteWord(at: first + position).bits ^ ByteWord(at: second + position).bits
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether two texts have the same bytes.
  @inline(__always)
  package func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    var position = 0
    while position + 32 <= count {
      let found =
        differences(first, second, position) | differences(first, second, position + 8)
        | differences(first, second, position + 16) | differences(first, second, position + 24)
      if found != 0 { return false }
      position += 32
    }
    while position + 8 <= count {
      if differences(first, second, position) != 0 { return false }
      position += 8
    }
    if position == count { return true }
    if count >= 4 { return ByteWord(endOf: self).bits == ByteWord(endOf: other).bits }
    while position < count {
      if self[position] != other[position] { return false }
      position += 1
    }
    return true
  }
}
