/// SHA-256 (FIPS 180-4), for revisions, derived ids, and the names of lists that are too long for a file's.
///
/// Swift's own `Hasher` is seeded anew in every process, so two copies of the server would never agree.
package struct SHA256: Sendable {
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  /// The 32 bytes of the hash of `bytes`.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// Takes in more of the message.
  package mutating func update(_ bytes: [UInt8]) {
    length += UInt64(bytes.count)
    var start = 0
    if !pending.isEmpty {
      start = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[..<start])
      guard pending.count == 64 else { return }
      pending.withUnsafeBytes { Self.compress($0, into: &state) }
      pending.removeAll(keepingCapacity: true)
    }
    let end = start + (bytes.count - start) / 64 * 64
    bytes.withUnsafeBytes { Self.compress(UnsafeRawBufferPointer(rebasing: $0[start..<end]), into: &state) }
    pending.append(contentsOf: bytes[end...])
  }

  /// The hash of all that was taken in.
  package consuming func finish() -> [UInt8] {
    let bits = length &* 8
    var tail: [UInt8] = [0x80]
    tail.append(contentsOf: repeatElement(0, count: (119 - pending.count) % 64))
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    update(tail)
    return state.indices.flatMap { index in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: state[index] >> $0) }
    }
  }

  /// Takes in blocks of 64 bytes; there are no others.
  private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout SIMD8<UInt32>) {
    withUnsafeTemporaryAllocation(byteCount: 64 * 4, alignment: 16) { schedule in
      roundConstants.withUnsafeBytes { constants in
        for offset in stride(from: 0, to: blocks.count, by: 64) {
          expand(UnsafeRawBufferPointer(rebasing: blocks[offset..<offset + 64]), to: schedule)
          state &+= mixed(state, schedule, constants)
        }
      }
    }
  }

  /// The message schedule of a block, four words at a time.
  @inline(__always)
  private static func expand(_ block: UnsafeRawBufferPointer, to schedule: UnsafeMutableRawBufferPointer) {
    func words(_ index: Int) -> SIMD4<UInt32> {
      schedule.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<UInt32>.self)
    }
    for index in 0..<16 {
      let word = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
      schedule.storeBytes(of: word, toByteOffset: index * 4, as: UInt32.self)
    }
    var last = words(12)
    for index in stride(from: 16, to: 64, by: 4) {
      let early = words(index - 15)
      let small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early &>> 3)
      let sum = words(index - 16) &+ small0 &+ words(index - 7)
      // Each word is made of the one two before it: the second half follows from the first.
      let first = sum &+ small1(SIMD4(lowHalf: last.highHalf, highHalf: SIMD2()))
      last = first &+ small1(SIMD4(lowHalf: SIMD2(), highHalf: first.lowHalf))
      schedule.storeBytes(of: last, toByteOffset: index * 4, as: SIMD4<UInt32>.self)
    }
  }

  /// The 64 rounds.
  @inline(__always)
  private static func mixed(
    _ state: SIMD8<UInt32>, _ schedule: UnsafeMutableRawBufferPointer, _ constants: UnsafeRawBufferPointer
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    // Eight rounds, after which each word is in its place again: instead of moving the words, each takes another's part.
    for index in stride(from: 0, to: 64, by: 8) {
      func word(_ place: Int) -> UInt32 {
        let offset = (index + place) * 4
        return schedule.load(fromByteOffset: offset, as: UInt32.self)
          &+ constants.load(fromByteOffset: offset, as: UInt32.self)
      }
      round(a, b, c, &d, e, f, g, &h, word(0))
      round(h, a, b, &c, d, e, f, &g, word(1))
      round(g, h, a, &b, c, d, e, &f, word(2))
      round(f, g, h, &a, b, c, d, &e, word(3))
      round(e, f, g, &h, a, b, c, &d, word(4))
      round(d, e, f, &g, h, a, b, &c, word(5))
      round(c, d, e, &f, g, h, a, &b, word(6))
      round(b, c, d, &e, f, g, h, &a, word(7))
    }
    return SIMD8(a, b, c, d, e, f, g, h)
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ word: UInt32
  ) {
    let big1 = rotated(rotated(rotated(e, 14) ^ e, 5) ^ e, 6)
    let choice = g ^ (e & (f ^ g))
    h = h &+ word &+ big1 &+ choice
    d = d &+ h
    let big0 = rotated(rotated(rotated(a, 9) ^ a, 11) ^ a, 2)
    let majority = b ^ ((a ^ b) & (b ^ c))
    h = h &+ big0 &+ majority
  }

  @inline(__always)
  private static func small1(_ words: SIMD4<UInt32>) -> SIMD4<UInt32> {
    rotated(words, 17) ^ rotated(words, 19) ^ (words &>> 10)
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    (word &>> count) | (word &<< (32 - count))
  }

  @inline(__always)
  private static func rotated(_ words: SIMD4<UInt32>, _ count: UInt32) -> SIMD4<UInt32> {
    (words &>> count) | (words &<< (32 - count))
  }

  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

/// The bytes as lower-case hexadecimal digits, two each.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let bytes = Array(bytes)
  return String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
    for (place, byte) in bytes.enumerated() {
      digits[2 * place] = hexadecimalDigit(byte >> 4)
      digits[2 * place + 1] = hexadecimalDigit(byte & 15)
    }
    return 2 * bytes.count
  }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
}
