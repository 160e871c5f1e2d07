// Comparing files' contents: as fast as memory is, where Swift's `==` goes byte for byte.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Array where Element == UInt8 {
  /// Whether both are the same bytes.
  package func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard mine.count == theirs.count else { return false }
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress, mine != theirs else { return true }
        return memcmp(mine, theirs, count) == 0
      }
    }
  }

  /// Whether the piece stands here from this position on.
  func hasSameBytes(as piece: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    withUnsafeBytes { all in
      guard position + piece.count <= all.count else { return false }
      guard let all = all.baseAddress, let start = piece.baseAddress, !piece.isEmpty else { return true }
      return memcmp(all + position, start, piece.count) == 0
    }
  }

  /// The same of what may be missing.
  package func hasSameBytes(as other: [UInt8]?) -> Bool {
    other.map { hasSameBytes(as: $0) } ?? false
  }
}
