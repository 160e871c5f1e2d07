// The hash in names, compared with what other implementations of XXH64 give.

import Testing

@testable import ListStore

@Suite struct ContentHashTests {
  /// Of `count` bytes 3, 10, 17, …, made with the xxhash package for Python; lengths around what the algorithm takes at once.
  @Test(
    arguments: [
      (0, 0xef46_db37_51d8_e999), (1, 0x1f25_c8d0_bc1f_4bb6), (3, 0x31d2_363f_52e5_64c9),
      (4, 0x9bb6_4b7d_66ee_9fda), (7, 0x9a7b_1499_59ce_60d8), (8, 0xdab9_9d95_c6f9_0092),
      (31, 0xa2aa_5f33_cc4a_6119), (32, 0x23c3_c17e_f790_fd97), (33, 0x50a7_cfc7_ba58_8784),
      (63, 0x5e3e_54b4_31c7_493c), (64, 0x0eb6_4b3e_f6ee_b01f), (100, 0xa61f_8d4c_170f_e531),
      (1000, 0x5f23_5fa0_33f1_a3fb),
    ] as [(Int, UInt64)])
  func agreesWithOthers(count: Int, expected: UInt64) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
    #expect(ContentHash(bytes).value == expected)
  }
}
