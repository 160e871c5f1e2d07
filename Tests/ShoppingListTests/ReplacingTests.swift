import Testing

@testable import JSON
@testable import ShoppingList

private let pantry = #"""
  {"schemaVersion":1,"sections":["Produce","Dairy","Bakery"],"items":[
  {"id":"a","name":"Apples","amount":"6","section":"Produce","note":"red","lastModified":"2026-01-01T00:00:00Z"},
  {"note":"hidden, behind the apples"},
  {"id":"m","name":"Milk","amount":"2 l","section":"Dairy","checked":true},
  {"id":"n","name":"Milk","section":"Produce"},
  {"id":"e","name":"Eggs"}]}
  """#

private func row(
  _ name: String?, id: String? = nil, amount: String? = nil, section: String? = nil, checked: Bool? = nil
) -> ReplacementRow {
  ReplacementRow(id: id, changes: ItemChanges(name: name, amount: amount, section: section, checked: checked))
}

@Suite struct ReplacingTests {
  @Test func aListWrittenBackAsItWasReadChangesNothing() throws {
    var document = try list(pantry)
    let rows = document.items.map {
      row($0.name, id: $0.id, amount: $0.amount, section: $0.section, checked: $0.checked)
    }
    let outcome = document.replace(with: rows, sections: document.sections, in: context())
    #expect(outcome.unchanged.map(\.id) == ["a", "m", "n", "e"])
    #expect(
      outcome.added.isEmpty && outcome.changed.isEmpty && outcome.removed.isEmpty && !outcome.isReordered)
    #expect(!document.isEdited)
    #expect(text(document) == pantry)
  }

  @Test func rowsMeetByIDThenByNameAndSectionThenByAUniqueName() throws {
    var document = try list(pantry)
    let outcome = document.replace(
      with: [
        row("Golden apples", id: "a"), row("milk", section: "Produce", checked: true),
        row("Milk", section: "dairy"),
        row("EGGS", section: "Dairy"),
      ], sections: nil, in: context())
    #expect(outcome.added.isEmpty && outcome.removed.isEmpty)
    #expect(document.items.map(\.id) == ["a", "n", "m", "e"])
    #expect(document.names == ["Golden apples", "milk", "Milk", "EGGS"])
    #expect(document.items.map(\.checked) == [false, true, true, false], "a member left out keeps its value")
    #expect(document.items.map(\.amount) == ["6", "", "2 l", ""])
    #expect(text(document).contains(#""note":"red""#))
    #expect(outcome.isReordered)
  }

  @Test func aNameThatIsNotUniqueDoesNotMeetARowOfAnotherSection() throws {
    var document = try list(pantry)
    let outcome = document.replace(with: [row("Milk", section: "Bakery")], sections: nil, in: context())
    #expect(outcome.added.map(\.name) == ["Milk"])
    #expect(Set(outcome.removed.map(\.id)) == ["a", "m", "n", "e"])
  }

  @Test func anUnknownIDFallsBackToTheName() throws {
    var document = try list(pantry)
    let outcome = document.replace(
      with: document.items.map { row($0.name, id: $0.id + "?", section: $0.section) }, sections: nil,
      in: context())
    #expect(outcome.unchanged.count == 4)
    #expect(!document.isEdited)
  }

  @Test func whatIsLeftOutIsRemovedWithATombstone() throws {
    var document = try list(pantry)
    let outcome = document.replace(with: [row(nil, id: "m")], sections: nil, in: context())
    #expect(outcome.removed.map(\.id) == ["a", "n", "e"])
    #expect(document.tombstones.count == 3)
    #expect(document.names == ["Milk"])
  }

  @Test func hiddenRowsStayBehindTheirNeighbour() throws {
    var document = try list(pantry)
    _ = document.replace(
      with: [row("Eggs"), row("Apples"), row(nil, id: "m"), row(nil, id: "n"), row("Rolls")], sections: nil,
      in: context())
    #expect(document.rows.map { $0.item?.name } == ["Eggs", "Apples", nil, "Milk", "Milk", "Rolls"])
    _ = document.replace(with: [row("Rolls")], sections: nil, in: context())
    #expect(document.rows.map { $0.item?.name } == [nil, "Rolls"])
  }

  @Test func twoOfOneNameStayTwo() throws {
    var document = try list(#"{"items":[{"id":"1","name":"Milk"},{"id":"2","name":"Milk"}]}"#)
    let outcome = document.replace(
      with: [row("Milk"), row("Milk", amount: "1 l")], sections: nil, in: context())
    #expect(outcome.unchanged.map(\.id) == ["1"])
    #expect(outcome.changed.map(\.after.id) == ["2"])
  }

  @Test func namelessRowsAreReported() throws {
    var document = try list(pantry)
    #expect(
      document.replace(with: [row(nil, id: "zzz"), row(nil)], sections: nil, in: context()).nameless == [
        0, 1,
      ])
  }

  @Test func sectionsLeftOutAndEmptyAreDropped() throws {
    var document = try list(pantry)
    let rows = document.items.map { row(nil, id: $0.id) }
    let outcome = document.replace(with: rows, sections: ["dairy", "Frozen"], in: context())
    #expect(outcome.sectionsChanged)
    #expect(document.sections == ["Dairy", "Frozen", "Produce"])
    #expect(text(document).contains(#""sections":["Dairy","Frozen","Produce"]"#))
  }

  @Test func sectionsAloneAreOrderedAndAddedOnly() throws {
    var document = try list(pantry)
    let wasArranged = document.arrangeSections(["Bakery", "Pets"], droppingEmpty: false)
    #expect(wasArranged)
    #expect(document.sections == ["Bakery", "Pets", "Produce", "Dairy"])
    let again = document.arrangeSections(["bakery", "pets"], droppingEmpty: false)
    #expect(!again)
  }

  @Test func entriesThatNameNoSectionStay() throws {
    var document = try list(#"{"items":[],"sections":["B\u0041",{"x":1},"C"]}"#)
    _ = document.arrangeSections(["C", "BA"], droppingEmpty: false)
    #expect(text(document).contains(#""sections":["C","B\u0041",{"x":1}]"#))
  }
}

/// Takes a second; minutes if the time grew with the square of the rows.
@Suite struct ManyRowsTests {
  private static let count = 20_000

  private func many() throws -> Document {
    let rows = (0..<Self.count).map { #"{"id":"\#($0)","name":"Milk","amount":"\#($0)"}"# }
    return try list(#"{"items":[\#(rows.joined(separator: ","))]}"#)
  }

  @Test func namesakesMeetOneAfterTheOther() throws {
    var document = try many()
    let outcome = document.replace(
      with: Array(repeating: row("Milk"), count: Self.count - 1), sections: nil, in: context())
    let areInOrder = outcome.unchanged.map(\.amount) == (0..<Self.count - 1).map(String.init)
    #expect(areInOrder)
    #expect(outcome.removed.map(\.amount) == ["\(Self.count - 1)"])
  }

  @Test func removedRowsLeaveOneTombstoneEach() throws {
    var document = try many()
    _ = document.remove(ids: ["7"], in: context())
    #expect(document.remove(ids: document.items.map(\.id), in: context()).count == Self.count - 1)
    let areAllThere = document.deletedKeys == Set((0..<Self.count).map { ItemID.Key("\($0)") })
    #expect(areAllThere)
    #expect(document.tombstones.count == Self.count)
  }
}
