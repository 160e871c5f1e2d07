import Testing

@testable import ShoppingList

@Suite struct SHA256Tests {
  /// The examples of FIPS 180-4 and the lengths at which padding changes its shape.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
  ])
  func examples(text: String, digest: String) {
    #expect(hexadecimal(SHA256.hash(Array(text.utf8))) == digest)
  }

  @Test func piecesGiveTheHashOfTheWhole() {
    let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = SHA256.hash(message)
    for size in [1, 3, 55, 63, 64, 65, 127, 999] {
      var hash = SHA256()
      var start = 0
      while start < message.count {
        let end = min(start + size, message.count)
        hash.update(Array(message[start..<end]))
        start = end
      }
      #expect(hash.finish() == whole, "pieces of \(size)")
    }
  }
}

@Suite struct ItemIDTests {
  @Test func uuidsCompareWithoutCaseAndNothingElseDoes() {
    #expect(
      ItemID.Key("7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C11") == ItemID.Key("7d0c4e0a-2b7c-4d1b-9a55-0d8e5b1f3c11")
    )
    #expect(ItemID.Key("Milk") != ItemID.Key("milk"))
    #expect(
      ItemID.Key("7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C1G") != ItemID.Key("7d0c4e0a-2b7c-4d1b-9a55-0d8e5b1f3c1g")
    )
    // Canonically equivalent, but other bytes: two ids.
    #expect(ItemID.Key("caf\u{E9}") != ItemID.Key("cafe\u{301}"))
  }

  /// Ids that were made to stand in one place of the table in which equal ones are looked for: all different, and all found
  /// where two are equal.
  @Test(arguments: [1, 50, 101, 102, 103, 5_000])
  func idsThatWereMadeToCollide(count: Int) throws {
    // The inverse of the table's factor modulo 2^64, by Newton's method.
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var inverse = factor
    for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
    let ids = (0..<count).map { index in
      let digits = String(UInt64(index) &* inverse, radix: 16)
      let low = String(repeating: "0", count: 16 - digits.count) + digits
      return "00000000-0000-0000-\(low.prefix(4))-\(low.dropFirst(4))"
    }
    func items(_ ids: [String]) throws -> [Item] {
      let rows = ids.map { #"{"id":"\#($0)","name":"Milk","amount":"\#($0)"}"# }
      return try Document(decoding: Array(#"{"items":[\#(rows.joined(separator: ","))]}"#.utf8)).items
    }
    #expect(try items(ids).map(\.id) == ids)
    #expect(try items(ids + [ids[count / 2]]).map(\.id) == ids)
    let spelledTwice = try items(ids + [ids[count - 1].uppercased(), "x"]).map(\.id)
    #expect(Set(spelledTwice.map(ItemID.Key.init)).count == spelledTwice.count)
  }

  @Test func versionsAndVariant() {
    let zeros = [UInt8](repeating: 0, count: 16)
    #expect(ItemID.random(from: zeros) == "00000000-0000-4000-8000-000000000000")
    let ones = [UInt8](repeating: 0xFF, count: 16)
    #expect(ItemID.random(from: ones) == "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF")
    #expect(ItemID.derived(from: Array("abc".utf8)) == "BA7816BF-8F01-8FEA-8141-40DE5DAE2223")
  }
}

@Suite struct FoldedNameTests {
  @Test(arguments: [
    ("Milk", "  milk "), ("CAFÉ", "café"), ("CAFÉ", "cafe\u{301}"), ("Straße", "STRASSE"), ("ΣΟΦΟΣ", "σοφος"),
    ("Red\u{A0}wine", "red  wine"), ("Eggs\t12", "eggs 12"), ("Milk\u{200B}", "milk"), ("❤️", "❤"),
    ("\u{FEFF}Milk", "milk"), ("Line\nbreak", "line break"), ("\u{2009}thin", "Thin"),
  ])
  func meet(left: String, right: String) {
    #expect(FoldedName(left) == FoldedName(right))
    #expect(FoldedName(left).hashValue == FoldedName(right).hashValue)
  }

  /// Latin letters are folded without the tables of Unicode, to the same; what is invisible makes a name go the long way.
  @Test func everyLatinLetterFoldsAsAmongOthers() {
    for scalar in (0...0x17F).compactMap(Unicode.Scalar.init(_:)) {
      for name in ["\(scalar)", "a\(scalar)B", " \(scalar)\(scalar) c"] {
        let short = FoldedName(name)
        #expect(
          short == FoldedName("\u{200B}" + name), "U+\(String(scalar.value, radix: 16)) in \(name.debugDescription)")
        #expect(short.isFolding(of: name) && short.isFolding(of: "\u{200B}" + name))
      }
    }
  }

  @Test(arguments: [
    ("Milk", "Milks"), ("Eggs", "Egg"), ("cafe", "café"), ("Red wine", "Redwine"), ("1", "2"),
  ])
  func stayApart(left: String, right: String) {
    #expect(FoldedName(left) != FoldedName(right))
  }

  @Test(arguments: ["", " ", "\u{A0}", "\u{200B}\u{200D}", "\n\t", "\u{FEFF}"])
  func blank(name: String) {
    #expect(FoldedName(name).isEmpty)
  }
}

/// Lists of many rows that need an id.
@Suite struct ManyUnidentifiedRowsTests {
  @Test func theTextIsLookedThroughOnceForAllOfThem() throws {
    let rows = Array(repeating: Row(reading: ["name": "Milk"]), count: 5)
    var asked = 0
    func sortsMembers() -> Bool {
      asked += 1
      return false
    }
    let identified = Document.identified(rows, sortsMembers: sortsMembers())
    #expect(asked == 1)
    #expect(Set(identified.compactMap { $0.item?.id }).count == 5)
  }

  @Test(arguments: [#"{"name":"Milk"}"#, #"{"id":"1","name":"Milk","amount":"%"}"#])
  func manyOfThemAreRead(row: String) throws {
    let rows = (0..<5_000).map { row.replacing("%", with: "\($0)") }
    let document = try list(#"{"items":[\#(rows.joined(separator: ","))]}"#)
    #expect(Set(document.items.map(\.id)).count == 5_000)
  }
}

@Suite struct FoldingTests {
  private static let names = [
    "Milk", " milk ", "MILK", "Mil k", "Mil  k", "mil\tk", "Milch", "", " ", "\u{200B}Milk", "Caf\u{E9}", "cafe\u{301}",
    "CAFE", "cafe", "Stra\u{DF}e", "STRASSE", "\u{212A}elvin", "Kelvin", "Milk\u{FE0F}", "milk1", "\u{7F}milk", "a;b",
    "a\u{37E}b",
  ]

  @Test func comparingWithoutFoldingIsTheSame() {
    for one in Self.names {
      #expect(FoldedName.isBlank(one) == FoldedName(one).isEmpty, "\(one)")
      for two in Self.names {
        #expect(FoldedName(one).isFolding(of: two) == (FoldedName(one) == FoldedName(two)), "\(one), \(two)")
      }
    }
  }
}
