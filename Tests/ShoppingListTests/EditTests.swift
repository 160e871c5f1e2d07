import Testing

@testable import JSON
@testable import ShoppingList

private let two = #"""
  {"schemaVersion":1,"sections":["Produce","Dairy"],"items":[
  {"id":"a","name":"Apples","section":"Produce","checked":true,"note":"red"},
  {"id":"m","name":"Milk","amount":"2 l","section":"Dairy"}]}
  """#

@Suite struct AddingTests {
  @Test func aNewRowHasAllMembersAndAStamp() throws {
    var document = try list(#"{"schemaVersion":1,"sections":[],"items":[]}"#)
    let outcomes = document.add([Addition(name: "Milk", amount: "2 l")], in: context())
    #expect(
      text(document)
        == #"{"schemaVersion":1,"sections":[],"items":[{"id":"NEW-1","name":"Milk","amount":"2 l","section":"","optional":false,"checked":false,"lastModified":"2026-11-30T20:41:12.345Z"}]}"#
    )
    #expect(outcomes == [.new(document.items[0])])
  }

  @Test func whatIsOnTheListIsNotAddedAgain() throws {
    var document = try list(two)
    let before = text(document)
    let outcomes = document.add([Addition(name: "  MILK ", amount: "1 l", section: "Produce")], in: context())
    #expect(outcomes == [.alreadyThere(try document.item("Milk"))])
    #expect(text(document) == before)
    #expect(!document.isEdited)
  }

  @Test func whatWasBoughtComesBackWithWhatIsGiven() throws {
    var document = try list(two)
    let before = try document.item("Apples")
    let outcomes = document.add([Addition(name: "apples", amount: "6")], in: context())
    let after = try document.item("Apples")
    #expect(outcomes == [.backOnList(before: before, after: after)])
    #expect(!after.checked)
    #expect(after.amount == "6")
    #expect(after.section == "Produce")
    #expect(text(document).contains(#""note":"red""#))
  }

  @Test func ofSeveralBoughtTheOneStampedLastComesBackAndAnUncheckedOneWins() throws {
    let rows = [
      #"{"id":"1","name":"Milk","checked":true,"lastModified":"2026-01-02T00:00:00Z"}"#,
      #"{"id":"2","name":"Milk","checked":true,"lastModified":"2026-01-01T00:00:00Z"}"#,
      #"{"id":"3","name":"Milk","checked":true}"#,
    ]
    var document = try list(#"{"items":[\#(rows.joined(separator: ","))]}"#)
    guard case .backOnList(let before, _) = document.add([Addition(name: "Milk")], in: context())[0] else {
      Issue.record("it was not put back")
      return
    }
    #expect(before.id == "1")
    #expect(document.add([Addition(name: "Milk")], in: context()) == [.alreadyThere(document.items[0])])
  }

  @Test func entriesCountInOrder() throws {
    var document = try list(two)
    let outcomes = document.add(
      [Addition(name: "Bread"), Addition(name: "bread", amount: "2")], in: context())
    #expect(outcomes == [.new(try document.item("Bread")), .alreadyThere(try document.item("Bread"))])
    #expect(document.names == ["Apples", "Milk", "Bread"])
  }

  @Test func duplicatesAreMadeOnlyWhenAskedFor() throws {
    var document = try list(two)
    _ = document.add([Addition(name: "Milk", allowsDuplicate: true)], in: context())
    #expect(document.names == ["Apples", "Milk", "Milk"])
    #expect(document.items[2].section == "Dairy", "it goes where its namesake is")
    #expect(document.items[2].id == "NEW-1")
  }

  @Test func sectionsAreFoundInAnyCaseAndNewOnesComeLast() throws {
    var document = try list(two)
    _ = document.add(
      [Addition(name: "Pears", section: "PRODUCE"), Addition(name: "Rolls", section: "Bakery")], in: context()
    )
    #expect(try document.item("Pears").section == "Produce")
    #expect(document.sections == ["Produce", "Dairy", "Bakery"])
    #expect(text(document).contains(#""sections":["Produce","Dairy","Bakery"]"#))
  }

  @Test func aFileWithoutSectionsGetsNone() throws {
    var document = try list(#"{"schemaVersion":1,"items":[]}"#)
    _ = document.add([Addition(name: "Rolls", section: "Bakery")], in: context())
    #expect(document.sections == ["Bakery"])
    #expect(!text(document).contains(#""sections""#))
  }

  @Test func theSchemaVersionIsAddedAtTheFirstWrite() throws {
    var document = try list(#"{"items":[]}"#)
    _ = document.add([Addition(name: "Milk")], in: context())
    #expect(text(document).hasPrefix(#"{"schemaVersion":1,"items":["#))
  }

  @Test func newRowsTakeTheFilesKindOfStamp() throws {
    var document = try list(#"{"items":[{"id":"1","name":"a","lastModified":817764072.5}]}"#)
    _ = document.add([Addition(name: "Milk")], in: context())
    #expect(text(document).contains(#""lastModified":817764072.345}"#))
  }
}

@Suite struct ChangingTests {
  @Test func onlyTheRowsThatAreTouchedChange() throws {
    let rows = (0..<5).map { #"{ "id":"\#($0)" , "name" : "N\#($0)","price":1.50, "amount":"\u0031"}"# }
    let source = "{\"schemaVersion\":1,\n\"items\":[\n" + rows.joined(separator: ",\n") + "\n]}\n"
    var document = try list(source)
    _ = try document.change("N2", ItemChanges(checked: true), in: context())
    let lines = text(document).split(separator: "\n", omittingEmptySubsequences: false)
    for index in [0, 1, 3, 4] { #expect(lines.contains { $0.hasPrefix(rows[index]) }, "row \(index)") }
    #expect(text(document).contains(#""price":1.50"#))
    #expect(text(document).contains(#""amount":"\u0031""#))
  }

  @Test func whatIsSoAlreadyIsNoChange() throws {
    var document = try list(two)
    let outcome = try document.change(
      "Milk", ItemChanges(amount: "2 l", section: "dairy", checked: false), in: context())
    #expect(!outcome.isChanged)
    #expect(!document.isEdited)
    #expect(text(document) == two)
  }

  @Test func clearingAnAmount() throws {
    var document = try list(two)
    _ = try document.change("Milk", ItemChanges(amount: ""), in: context())
    #expect(try document.item("Milk").amount == "")
    #expect(text(document).contains(#""amount":"""#))
  }

  @Test func theStampIsTheLaterOfNowAndTheRowsOwnPlusOne() throws {
    var document = try list(
      #"{"items":[{"id":"1","name":"Ahead","lastModified":"2030-01-01T00:00:00.000Z"},{"id":"2","name":"Behind","lastModified":"2020-01-01T00:00:00.000Z"}]}"#
    )
    _ = try document.change("Ahead", ItemChanges(checked: true), in: context())
    _ = try document.change("Behind", ItemChanges(checked: true), in: context())
    #expect(text(document).contains("2030-01-01T00:00:00.001Z"))
    #expect(text(document).contains("2026-11-30T20:41:12.345Z"))
  }

  @Test(arguments: [
    (#""2026-11-30T00:00:00Z""#, #""2026-11-30T20:41:13Z""#),
    (#""2026-11-30T00:00:00.5+02:00""#, #""2026-11-30T20:41:12.345Z""#),
    ("800000000", "817764072.345"),
    ("1700000000", "1796071273"),
    ("1700000000.25", "1796071272.345"),
    ("1700000000000", "1796071272345"),
    (#""yesterday""#, #""2026-11-30T20:41:12.345Z""#),
  ])
  func theStampKeepsItsSpelling(before: String, after: String) throws {
    var document = try list(#"{"items":[{"id":"1","name":"x","lastModified":\#(before)}]}"#)
    _ = try document.change("x", ItemChanges(checked: true), in: context())
    #expect(text(document).contains(#""lastModified":\#(after)"#))
  }

  @Test func strangeBooleansBecomeBooleansWhenTheyAreSet() throws {
    var document = try list(#"{"items":[{"id":"1","name":"x","checked":"yes","optional":1}]}"#)
    _ = try document.change("x", ItemChanges(amount: "1"), in: context())
    #expect(text(document).contains(#""checked":"yes","optional":1"#))
    _ = try document.change("x", ItemChanges(checked: false), in: context())
    #expect(text(document).contains(#""checked":false,"optional":1"#))
  }
}

@Suite struct RemovingTests {
  @Test func aRemovedRowLeavesATombstone() throws {
    var document = try list(two)
    let removed = document.remove(ids: ["a"], in: context())
    #expect(removed.map(\.name) == ["Apples"])
    #expect(document.names == ["Milk"])
    // The new array is laid out as the items are.
    #expect(
      text(document).hasSuffix(
        "],\"deletedItems\":[\n{\"id\":\"a\",\"lastModified\":\"2026-11-30T20:41:12.345Z\"}]}"))
  }

  @Test func theTombstoneIsNotOlderThanTheRow() throws {
    var document = try list(#"{"items":[{"id":1,"name":"x","lastModified":"2030-01-01T00:00:00Z"}]}"#)
    _ = document.remove(ids: ["1"], in: context())
    #expect(text(document).contains(#"{"id":1,"lastModified":"2030-01-01T00:00:00Z"}"#))
  }

  @Test func allThatIsBought() throws {
    var document = try list(two)
    #expect(document.removeChecked(in: context()).map(\.name) == ["Apples"])
    #expect(document.removeChecked(in: context()).isEmpty)
  }

  @Test func removingNothingChangesNothing() throws {
    var document = try list(two)
    #expect(document.remove(ids: ["nobody"], in: context()).isEmpty)
    #expect(text(document) == two)
  }

  @Test func aRowEndsItsTombstone() throws {
    var document = try list(
      #"{"items":[{"id":"A","name":"x"}],"deletedItems":[{"id":"a"},{"id":"A"},{"id":"b","why":1},"odd"]}"#)
    _ = try document.change("x", ItemChanges(checked: true), in: context())
    #expect(text(document).hasSuffix(#""deletedItems":[{"id":"a"},{"id":"b","why":1},"odd"]}"#))
  }

  @Test func tombstonesArePrunedAboveAThousandWhenOldByTheListsOwnTime() throws {
    let old = (0..<1_100).map {
      #"{"id":"old-\#($0)","lastModified":"2026-01-01T00:00:\#($0 < 10 ? "0" : "1")0Z"}"#
    }
    var document = try list(
      #"{"items":[{"id":"1","name":"x"},{"id":"2","name":"y"}],"deletedItems":[\#(old.joined(separator: ","))]}"#
    )
    _ = document.remove(ids: ["1"], in: context())
    #expect(document.tombstones.count == Document.tombstoneLimit)
    #expect(!text(document).contains(#""old-0""#), "the oldest go first")
    #expect(text(document).contains(#""old-1099""#))

    // A list whose latest stamp is not 180 days later keeps them all, whatever the clock says.
    let fresh = (0..<1_100).map { #"{"id":"n-\#($0)","lastModified":"2026-11-01T00:00:00Z"}"# }
    document = try list(
      #"{"items":[{"id":"1","name":"x"},{"id":"2","name":"y"}],"deletedItems":[\#(fresh.joined(separator: ","))]}"#
    )
    _ = document.remove(ids: ["1"], in: context())
    #expect(document.tombstones.count == 1_101)
  }
}

@Suite struct FindingTests {
  private func sample() throws -> Document {
    try list(
      #"{"items":[{"id":"1","name":"Oat milk"},{"id":"2","name":"Milk","section":"Dairy"},{"id":"3","name":"Milk"},{"id":"4","name":"Eggs"},{"id":"5","name":"Bananas"}]}"#
    )
  }

  @Test func byIDOrName() throws {
    let document = try sample()
    #expect(document.find(ItemReference(id: "4")) == .one(document.items[3]))
    #expect(document.find(ItemReference(name: " EGGS")) == .one(document.items[3]))
    #expect(document.find(ItemReference(id: "4", name: "eggs")) == .one(document.items[3]))
    #expect(document.find(ItemReference(id: "4", name: "Milk")) == .otherName(document.items[3]))
    #expect(document.find(ItemReference(name: "milk")) == .several([document.items[1], document.items[2]]))
    #expect(document.find(ItemReference(id: " ", name: "\u{200B}")) == .nothingNamed)
  }

  @Test func theNearestAreNamed() throws {
    let document = try sample()
    #expect(document.find(ItemReference(name: "soy milk")) == .noSuchName(near: Array(document.items[0...2])))
    #expect(document.find(ItemReference(name: "bananna")) == .noSuchName(near: [document.items[4]]))
    #expect(document.find(ItemReference(name: "egsg")) == .noSuchName(near: [document.items[3]]))
    #expect(document.find(ItemReference(name: "window cleaner")) == .noSuchName(near: []))
    #expect(document.find(ItemReference(id: "9", name: "eggs")) == .noSuchID(near: [document.items[3]]))
  }

  @Test(arguments: [
    ("", "", 0), ("milk", "milk", 0), ("milk", "mlik", 1), ("milk", "mik", 1), ("milk", "milks", 1),
    ("milk", "silk", 1), ("kitten", "sitting", 3),
  ])
  func distances(left: String, right: String, distance: Int) {
    #expect(editDistance(Array(left), Array(right), atMost: 5) == distance)
    #expect(editDistance(Array(left), Array(right), atMost: distance) == distance)
    if distance > 0 { #expect(editDistance(Array(left), Array(right), atMost: distance - 1) == nil) }
  }
}

@Suite struct RevisionTests {
  @Test func styleAndMemberOrderDoNotCount() throws {
    let plain = try list(#"{"schemaVersion":1,"items":[{"id":"1","name":"caf\u00e9"}]}"#)
    let other = try list("{\n  \"items\" : [ { \"name\" : \"café\",\r\n \"id\" : \"1\" } ]\n}\n")
    #expect(plain.revision == other.revision)
    #expect(plain.revision.count == 16)
    #expect(plain.isEquivalent(to: other))
  }

  @Test(arguments: [
    #"{"items":[{"id":"1","name":"Milk"}],"extra":1}"#,
    #"{"items":[{"id":"1","name":"Milk"},{"note":"hidden"}]}"#,
    #"{"items":[{"id":"1","name":"Milk","price":1}]}"#,
    #"{"items":[{"id":"1","name":"milk"}]}"#,
    #"{"items":[{"id":"2","name":"Milk"}]}"#,
    #"{"items":[{"id":"1","name":"Milk","checked":true}]}"#,
    #"{"items":[]}"#,
  ])
  func whatTheListSaysCounts(text: String) throws {
    let base = try list(#"{"items":[{"id":"1","name":"Milk"}]}"#)
    #expect(try list(text).revision != base.revision)
    #expect(try !list(text).isEquivalent(to: base))
  }

  @Test func writingWhatEveryWriteAddsKeepsTheRevision() throws {
    let source = try list(
      #"{"items":[{"name":"Milk"},{"id":"2","name":"Eggs","section":"Dairy"}],"sections":[]}"#)
    let written = try list(String(decoding: source.assembled().encoded(style: .node), as: UTF8.self))
    #expect(written.revision == source.revision)
  }
}
