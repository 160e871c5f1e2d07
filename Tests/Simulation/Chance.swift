import Seeded

/// What happens by chance in a world: the same for the same seed.
public struct Chance: RandomNumberGenerator {
  private var numbers: SplitMix64

  public init(seed: UInt64) {
    // Worlds have neighbouring seeds, and their numbers must not be those of each other, a step later.
    numbers = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95 &+ 0x9E37_79B9_7F4A_7C15)
  }

  public mutating func next() -> UInt64 { numbers.next() }

  /// True so many times of a hundred.
  mutating func percent(_ chance: Int) -> Bool { Int(next() % 100) < chance }

  /// A number of the range.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(0...elements.count - 1)]
  }
}
