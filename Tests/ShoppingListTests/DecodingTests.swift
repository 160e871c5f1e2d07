import Testing

@testable import JSON
@testable import ShoppingList

@Suite struct ForgivingReadingTests {
  private func item(_ row: String) throws -> Item {
    let items = try list(#"{"items":[\#(row)]}"#).items
    try #require(items.count == 1)
    return items[0]
  }

  @Test func missingAndNullMembersAreTheirDefaults() throws {
    for row in [
      #"{"id":"a","name":"Milk"}"#,
      #"{"id":"a","name":"Milk","amount":null,"section":null,"optional":null,"checked":null,"lastModified":null}"#,
    ] {
      #expect(try item(row) == Item(id: "a", name: "Milk"))
    }
  }

  @Test(arguments: ["true", #""true""#, #""TRUE""#, #""yes""#, "1", #""1""#])
  func truths(value: String) throws {
    #expect(try item(#"{"id":"a","name":"x","checked":\#(value)}"#).checked)
    #expect(try item(#"{"id":"a","name":"x","optional":\#(value)}"#).optional)
  }

  @Test(arguments: ["false", "0", "2", #""no""#, #""""#, #""done""#, "[]", "{}", "null"])
  func falsehoodsAreKeptUntilTheyAreSet(value: String) throws {
    let source = #"{"schemaVersion":1,"items":[{"id":"a","name":"x","checked":\#(value)}]}"#
    var document = try list(source)
    #expect(document.items[0].checked == false)
    _ = try document.change("x", ItemChanges(amount: "2"), in: context())
    #expect(text(document).contains(#""checked":\#(value)"#))
    _ = try document.change("x", ItemChanges(checked: true), in: context())
    #expect(text(document).contains(#""checked":true"#))
  }

  @Test func numbersAsTextKeepTheirSpelling() throws {
    let read = try item(#"{"id":12345678901234567890,"name":7.0,"amount":1.50}"#)
    #expect(read.id == "12345678901234567890")
    #expect(read.name == "7.0")
    #expect(read.amount == "1.50")
  }

  @Test func anIDThatIsNoUUIDIsKept() throws {
    #expect(try item(#"{"id":"milk-1","name":"Milk"}"#).id == "milk-1")
  }

  @Test func aMissingIDIsDerivedFromTheContentAndTheSameAtEveryRead() throws {
    let rows = [
      #"{"name":"Milk"}"#, #"{"id":null,"name":"Milk"}"#, #"{"id":"","name":"Milk"}"#,
      #"{"id":" ","name":"Milk"}"#,
    ]
    let ids = Set(try rows.map { try item($0).id })
    #expect(ids.count == 1)
    #expect(ids.first?.dropFirst(14).first == "8", "a UUID of version 8")
    #expect(try item(#"{"name":"Milk","amount":"2"}"#).id != ids.first)
    // Another row in front changes nothing: the number among equal rows counts, not the place.
    let behind = try list(#"{"items":[{"name":"Eggs"},{"name":"Milk"},{"name":"Milk"}]}"#).items
    #expect(behind[1].id == ids.first)
    #expect(behind[2].id != ids.first)
  }

  @Test func aDerivedIDIsWrittenAtTheNextWriteAndNotBefore() throws {
    let source = #"{"schemaVersion":1,"items":[{"name":"Milk"},{"id":"e","name":"Eggs"}]}"#
    var document = try list(source)
    let id = try document.item("Milk").id
    #expect(text(document) == source)
    _ = try document.change("Eggs", ItemChanges(checked: true), in: context())
    #expect(text(document).contains(#"{"id":"\#(id)","name":"Milk"}"#))
    #expect(try list(text(document)).item("Milk").id == id)
  }

  @Test func anIDOfAnotherKindIsKeptAndStandsStill() throws {
    var document = try list(#"{"schemaVersion":1,"items":[{"id":{"$oid":"5"},"name":"Milk"}]}"#)
    let id = document.items[0].id
    _ = try document.change("Milk", ItemChanges(name: "Oat milk"), in: context())
    #expect(text(document).contains(#""id":{"$oid":"5"}"#))
    #expect(try list(text(document)).items[0].id == id)
  }

  @Test func hiddenRowsStayInTheFile() throws {
    let hidden = [
      #"{"note":"no name"}"#, #"{"name":"  "}"#, #""text""#, "7.50", "null", "[1, 2]", #"{"name":{}}"#,
    ]
    let source = #"{"schemaVersion":1,"items":[\#(hidden.joined(separator: ",")),{"id":"a","name":"Milk"}]}"#
    var document = try list(source)
    #expect(document.names == ["Milk"])
    _ = document.add([Addition(name: "Eggs")], in: context())
    for row in hidden { #expect(text(document).contains(row)) }
    _ = document.remove(ids: ["a"], in: context())
    for row in hidden { #expect(text(document).contains(row)) }
  }

  @Test func sectionsAreDerivedInOrderOfAppearance() throws {
    let document = try list(
      #"{"items":[{"name":"a","section":"Dairy"},{"name":"b"},{"name":"c","section":"Produce"},{"name":"d","section":"dairy"}]}"#
    )
    #expect(document.sections == ["Dairy", "Produce"])
    #expect(document.items.map(\.section) == ["Dairy", "", "Produce", "Dairy"])
  }

  @Test func aRowsUnknownSectionComesLast() throws {
    let document = try list(
      #"{"sections":["Produce",7,"","Produce"],"items":[{"name":"a","section":"Dairy"}]}"#)
    #expect(document.sections == ["Produce", "Dairy"])
  }

  @Test func theLastOfAMemberNamedTwiceCounts() throws {
    let document = try list(#"{"items":[{"name":"x"}],"items":[{"id":"1","name":"a","name":"b"}]}"#)
    #expect(document.names == ["b"])
  }

  @Test func aLoneSurrogateCostsOneCharacter() throws {
    let source = #"{"schemaVersion":1,"items":[{"id":"1","name":"Milk \ud83d"},{"id":"2","name":"Eggs"}]}"#
    var document = try list(source)
    #expect(document.names == ["Milk \u{FFFD}", "Eggs"])
    _ = try document.change("Eggs", ItemChanges(checked: true), in: context())
    #expect(text(document).contains(#"Milk \ud83d"#))
  }

  @Test func byteOrderMarkAndCarriageReturnsAreAccepted() throws {
    let source = "\u{FEFF}{\r\n  \"items\": [\r\n    {\"id\": \"1\", \"name\": \"Milk\"}\r\n  ]\r\n}\r\n"
    var document = try list(source)
    #expect(document.names == ["Milk"])
    #expect(text(document) == source)
    _ = document.add([Addition(name: "Eggs")], in: context())
    let written = text(document)
    #expect(written.utf8.starts(with: "\u{FEFF}{\r\n".utf8))
    #expect(
      written.utf8.count { $0 == 10 } == written.utf8.count { $0 == 13 }, "every line still ends in CRLF")
  }

  @Test func anEmptyObjectIsAnEmptyList() throws {
    #expect(try list("{}").items.isEmpty)
    #expect(try list(#"{"schemaVersion":1}"#).items.isEmpty)
    #expect(try list(#"{"sections":null,"items":null,"deletedItems":null}"#).items.isEmpty)
  }
}

@Suite struct SharedIDTests {
  @Test func theLaterStampedRowCounts() throws {
    let document = try list(
      #"""
      {"items":[{"id":"A","name":"Old","lastModified":"2026-01-01T00:00:00Z"},{"id":"B","name":"Other"},
      {"id":"A","name":"New","lastModified":"2026-01-02T00:00:00Z"},{"id":"A","name":"Unstamped"}]}
      """#)
    #expect(document.names == ["Other", "New"])
  }

  @Test func uuidsMeetWithoutCase() throws {
    let id = "7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C11"
    let document = try list(
      #"{"items":[{"id":"\#(id)","name":"Milk"},{"id":"\#(id.lowercased())","name":"Milk"}]}"#)
    #expect(document.items.count == 1 || Set(document.items.map { ItemID.Key($0.id) }).count == 2)
    #expect(document.names == ["Milk"])
  }

  @Test func equalOnesAreOne() throws {
    #expect(try list(#"{"items":[{"id":"A","name":"Milk"},{"name":"Milk","id":"A"}]}"#).names == ["Milk"])
  }

  @Test func withoutAStampBothStayAndTheCanonicallySmallerKeepsTheID() throws {
    let first = try list(#"{"items":[{"id":"A","name":"Milk"},{"id":"A","name":"Eggs"}]}"#)
    #expect(first.names == ["Milk", "Eggs"])
    #expect(try first.item("Eggs").id == "A")
    let other = try first.item("Milk").id
    #expect(other != "A")
    // Whatever the order in the file, and after the next write.
    let second = try list(#"{"schemaVersion":1,"items":[{"id":"A","name":"Eggs"},{"id":"A","name":"Milk"}]}"#)
    #expect(try second.item("Milk").id == other)
    var edited = second
    _ = edited.add([Addition(name: "Bread")], in: context())
    #expect(try list(text(edited)).item("Milk").id == other)
  }

  @Test func theLoserLeavesTheFileAtTheNextWrite() throws {
    var document = try list(
      #"{"schemaVersion":1,"items":[{"id":"A","name":"Old","lastModified":1},{"id":"A","name":"New","lastModified":2},{"id":"B","name":"Eggs"}]}"#
    )
    _ = try document.change("Eggs", ItemChanges(checked: true), in: context())
    #expect(!text(document).contains("Old"))
  }

  @Test func aDerivedIDThatIsWrittenElsewhereIsToldApart() throws {
    let derived = try list(#"{"items":[{"name":"Milk"}]}"#).items[0].id
    let document = try list(#"{"items":[{"name":"Milk"},{"id":"\#(derived)","name":"Eggs"}]}"#)
    #expect(document.names == ["Milk", "Eggs"])
    #expect(Set(document.items.map(\.id)).count == 2)
  }
}

@Suite struct LoudReadingTests {
  private func kind(_ bytes: [UInt8]) -> DocumentError.Kind? {
    do {
      _ = try Document(decoding: bytes)
      return nil
    } catch {
      return error.kind
    }
  }

  private func kind(_ text: String) -> DocumentError.Kind? { kind(Array(text.utf8)) }

  @Test func emptyBlankAndZeroFilesAreNoEmptyLists() {
    #expect(kind("") == .empty)
    #expect(kind(" \r\n\t") == .empty)
    #expect(kind("\u{FEFF}") == .empty)
    #expect(kind([UInt8](repeating: 0, count: 4_096)) == .empty)
  }

  @Test(arguments: ["2", "0", "-1", "1.5", #""1""#, "true", "[]", #"{"a":1}"#])
  func otherVersions(version: String) {
    #expect(kind(#"{"schemaVersion":\#(version),"items":[]}"#) == .version)
  }

  @Test(arguments: ["1", "1.0", "10e-1", "null"])
  func versionOne(version: String) {
    #expect(kind(#"{"schemaVersion":\#(version),"items":[]}"#) == nil)
  }

  @Test(arguments: [
    (#"{"items":[}"#, 1, 11),
    ("{\n  \"items\": [\n    {\"name\": \"Milk\"},\n  ]\n}", 3, 21),
    ("{\"items\": [] // mine\n}", 1, 14),
    ("<<<<<<< HEAD\n{}", 1, 1),
  ])
  func brokenJSONNamesThePlace(text: String, line: Int, column: Int) {
    #expect(kind(text) == .notJSON(line: line, column: column))
  }

  @Test(arguments: ["[]", "7", #""items""#, "null"])
  func noObject(text: String) {
    #expect(kind(text) == .notAnObject)
  }

  @Test(arguments: ["items", "sections", "deletedItems"], ["{}", "7", #""""#, "false"])
  func membersThatAreNoArray(member: String, value: String) {
    #expect(kind(#"{"items":[],"sections":[],"\#(member)":\#(value)}"#) == .notAnArray(member: member))
  }

  @Test func somebodysSettings() {
    #expect(kind(#"{"theme":"dark"}"#) == .notAList)
    #expect(kind(#"{"theme":"dark","items":[]}"#) == nil)
  }

  @Test func otherEncodings() {
    #expect(kind([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]) == .notUTF8)
    #expect(kind([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D]) == .notUTF8)
    #expect(kind([0x7B, 0x00, 0x7D, 0x00]) == .notUTF8)
    #expect(kind([0x00, 0x7B, 0x00, 0x7D]) == .notUTF8)
    guard case .notJSON = kind(Array(#"{"items":["#.utf8) + [0x22, 0xC3, 0x28, 0x22, 0x5D, 0x7D]) else {
      Issue.record("invalid UTF-8 inside a string")
      return
    }
  }

  @Test func tooDeep() {
    let deep =
      #"{"items":[],"x":"# + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}"
    #expect(kind(deep) == .tooDeep)
  }

  @Test func messagesSayWhatAndAdviceSaysWhatNow() throws {
    do {
      _ = try list(#"{"schemaVersion":2,"items":[]}"#)
      Issue.record("version 2 was read")
    } catch let error as DocumentError {
      #expect(error.message == "has schemaVersion 2; this server knows version 1")
      #expect(error.advice == "It was written by a newer program: update get-bananas.")
    }
  }
}
