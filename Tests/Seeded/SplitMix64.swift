// Chance that is the same in every run and on every machine, so that a failure can be shown again by its seed.

/// SplitMix64 (Steele, Lea and Flood, 2014): any seed will do, and each gives another row of numbers.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 below `count`.
  package mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  package mutating func happens(oneIn count: Int) -> Bool { below(count) == 0 }

  /// One of these, of which there must be some.
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
