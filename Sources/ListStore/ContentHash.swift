// The hash by which names say what bytes a file holds: XXH64 with seed 0, as its specification (xxhash.com, "XXH64 algorithm
// description") has it.
//
// It tells versions of one list apart, and damaged files from whole ones, of up to 64 MiB at each write; so it has to be
// fast. It is no proof against somebody who makes two files of one hash on purpose: who may write the list needs no such
// trick, and whatever is found under a wrong name still goes to the history or the archive.

struct ContentHash: Hashable {
  let value: UInt64

  init(_ bytes: [UInt8]) {
    value = bytes.withUnsafeBytes { Self.hash($0) }
  }

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var position = 0
    var hash: UInt64
    if bytes.count >= 32 {
      // Four lanes, each of every fourth word.
      var (lane1, lane2, lane3, lane4) = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
      while position + 32 <= bytes.count {
        lane1 = round(lane1, word(bytes, position))
        lane2 = round(lane2, word(bytes, position + 8))
        lane3 = round(lane3, word(bytes, position + 16))
        lane4 = round(lane4, word(bytes, position + 24))
        position += 32
      }
      hash = rotated(lane1, 1) &+ rotated(lane2, 7) &+ rotated(lane3, 12) &+ rotated(lane4, 18)
      for lane in [lane1, lane2, lane3, lane4] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
    } else {
      hash = prime5
    }
    hash &+= UInt64(bytes.count)
    while position + 8 <= bytes.count {
      hash = rotated(hash ^ round(0, word(bytes, position)), 27) &* prime1 &+ prime4
      position += 8
    }
    if position + 4 <= bytes.count {
      let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      hash = rotated(hash ^ half &* prime1, 23) &* prime2 &+ prime3
      position += 4
    }
    while position < bytes.count {
      hash = rotated(hash ^ UInt64(bytes[position]) &* prime5, 11) &* prime1
      position += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}
