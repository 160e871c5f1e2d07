import Testing

@testable import JSON
@testable import ShoppingList

// Order, sections, tombstones and the list's own members in a merge, and whose text and style the result has.

/// Rows by the first letters of their ids, all with one stamp.
private func rows(_ ids: String, at stamp: Int? = 1) -> [String] {
  ids.map { row(String($0), at: stamp, #""name":"\#($0)""#) }
}

@Suite struct MergeOrderTests {
  @Test func theSideThatAloneMovedRowsGivesTheOrder() throws {
    let moved = file(rows("cab"))
    // The other side is later, added, removed and changed, but moved nothing.
    let theirs = file([row("a", at: 1, #""name":"a""#), row("b", at: 9, #""name":"B""#)] + rows("d", at: 9))
    let result = try list(merged(base: file(rows("abc")), moved, theirs))
    #expect(result.names == ["a", "B", "d"])
    let kept = try list(merged(base: file(rows("abc")), moved, file(rows("abc") + rows("d", at: 9))))
    // What was added behind a row goes with it.
    #expect(kept.names == ["c", "d", "a", "b"])
  }

  @Test func whereBothMovedRowsTheLaterListLeads() throws {
    let base = file(rows("abc"))
    #expect(
      try list(merged(base: base, file(rows("cab")), file(rows("ba") + rows("c", at: 5)))).names == [
        "b", "a", "c",
      ])
    #expect(
      try list(merged(base: nil, file(rows("cab")), file(rows("ba") + rows("c", at: 5)))).names == [
        "b", "a", "c",
      ])
  }

  @Test func aDeletionCountsForWhichListIsLater() throws {
    let later = file(rows("ba"), deleted: [grave("x", at: 5)])
    #expect(try merged(base: nil, file(rows("ab", at: 3)), later).contains(#""deletedItems":[{"id":"x""#))
    #expect(try list(merged(base: nil, file(rows("ab", at: 3)), later)).names == ["b", "a"])
  }

  @Test func whatOnlyTheOtherHasComesBehindItsNearestPredecessor() throws {
    let lead = file(rows("abc", at: 5))
    #expect(
      try list(merged(base: nil, lead, file(rows("xaybzwc")))).names == Array("xaybzwc").map(String.init))
    // A predecessor that is gone is passed over.
    let base = file(rows("agb"))
    let added = file([row("a", at: 1, #""name":"a""#)] + rows("gn") + rows("b"))
    #expect(try list(merged(base: base, file(rows("ab", at: 5)), added)).names == ["a", "n", "b"])
  }

  @Test func whatBothAddedAtTheEndStandsInTheOrderOfTheirStamps() throws {
    let base = file(rows("a"))
    let ours = file(rows("a") + rows("x", at: 3))
    let theirs = file(rows("a") + rows("y", at: 5))
    #expect(try list(merged(base: base, ours, theirs)).names == ["a", "x", "y"])
  }

  @Test func tombstonesOfBothStay() throws {
    let ours = file([], deleted: [grave("a", at: 1), "null", grave("b", at: 2)])
    let theirs = file([], deleted: [grave("b", at: 4), grave("c", at: 3)])
    let result = try list(merged(base: nil, ours, theirs))
    #expect(Set(result.tombstones.compactMap { Tombstone(reading: $0)?.id }) == ["a", "b", "c"])
    #expect(result.tombstones.contains { $0.isNull })
    #expect(text(result).contains(grave("b", at: 4)))
  }
}

@Suite struct MergeSectionTests {
  private func sections(base: [String]?, _ ours: [String], _ theirs: [String], _ rows: [String] = []) throws
    -> [String]
  {
    try list(
      merged(
        base: base.map { file(rows, sections: $0) }, file(rows, sections: ours),
        file(rows + [row("z", at: 9)], sections: theirs))
    ).sections
  }

  @Test func theSideThatAloneOrderedThemGivesTheOrder() throws {
    #expect(
      try sections(base: ["A", "B", "C"], ["C", "A", "B"], ["A", "B", "D", "C"]) == ["C", "A", "B", "D"])
    #expect(try sections(base: ["A", "B"], ["A", "B"], ["B", "A"]) == ["B", "A"])
    #expect(try sections(base: ["A", "B", "C"], ["C", "B", "A"], ["B", "A", "C"]) == ["B", "A", "C"])
  }

  @Test func aSectionThatOneSideRemovedStaysRemoved() throws {
    #expect(try sections(base: ["A", "B", "C"], ["A", "C"], ["A", "B", "C", "D"]) == ["A", "C", "D"])
    #expect(try sections(base: nil, ["A", "C"], ["A", "B", "C"]) == ["A", "B", "C"])
  }

  @Test func aRemovedSectionThatARowNamesComesLast() throws {
    let base = file([], sections: ["A", "B"])
    let ours = file([], sections: ["B"])
    let theirs = file([row("m", at: 5, #""name":"Milk","section":"a""#)], sections: ["A", "B"])
    #expect(try list(merged(base: base, ours, theirs)).sections == ["B", "a"])
  }

  @Test func namesMeetInAnySpelling() throws {
    #expect(try sections(base: nil, ["dairy", "A"], ["Dairy"]) == ["Dairy", "A"])
    #expect(try sections(base: ["dairy"], ["Dairy"], ["dairy", "B"]) == ["Dairy", "B"])
  }

  @Test func aListWithoutSectionsSaysNothingAboutThem() throws {
    let base = file([], sections: ["A", "B"])
    let result = try list(merged(base: base, base, file([row("m", at: 5, #""name":"x","section":"C""#)])))
    #expect(result.sections == ["A", "B", "C"])
    #expect(try merged(base: nil, file([]), file([row("m")])) == file([row("m")]))
  }

  @Test func entriesThatAreNoNamesAreKept() throws {
    let ours = #"{"schemaVersion":1,"sections":["A",2,null],"items":[]}"#
    let theirs = #"{"schemaVersion":1,"sections":["A",null,"B"],"items":[]}"#
    let result = try merged(base: nil, ours, theirs)
    #expect(try list(result).sections == ["A", "B"])
    #expect(result.contains("2") && result.contains("null"))
  }
}

@Suite struct MergeDocumentTests {
  @Test func unknownMembersOfTheListMergeLikeThoseOfARow() throws {
    let base = file([], #""a":1,"b":1,"c":1"#)
    let ours = file([], #""a":2,"b":1,"c":1"#)
    let theirs = file([], #""a":1,"b":2"#)
    let result = try list(merged(base: base, ours, theirs))
    #expect(result.root["a"]?.int64 == 2 && result.root["b"]?.int64 == 2 && result.root["c"] == nil)
    let united = try list(merged(base: nil, ours, file([row("m", at: 5)], #""a":3,"d":1"#)))
    #expect(united.root["a"]?.int64 == 3 && united.root["d"]?.int64 == 1 && united.root["c"]?.int64 == 1)
  }

  @Test func equalListsAreThatListToTheByte() throws {
    let one = "{\n  \"items\" : [ { \"name\":\"Milk\" } ]}\n"
    let document = try list(one)
    #expect(text(Document.merge(base: nil, ours: document, theirs: document)) == one)
    // In two styles: one of them, and the same from either side.
    let other = try list(#"{"items":[{"name":"Milk"}]}"#)
    #expect([one, text(other)].contains(text(try mergedBothWays(base: nil, ours: document, theirs: other))))
  }

  @Test func aResultThatSaysWhatOneSideSaysIsThatSideToTheByte() throws {
    let ours = "{ \"items\": [ {\"id\":\"m\", \"name\":\"Milk\"},\n{\"id\":\"e\",\"name\":\"Eggs\"} ] }\n\n"
    #expect(try merged(base: nil, ours, file([row("m")])) == ours)
    #expect(try merged(base: file([row("m")]), ours, file([row("m")])) == ours)
    let later = file([row("m", at: 5)])
    #expect(try merged(base: nil, later, "{ \"items\": [ {\"id\":\"m\", \"name\":\"Milk\"}] }") == later)
  }

  @Test func styleFollowsTheListThatGivesTheOrder() throws {
    let app = """
      {
        "deletedItems" : [

        ],
        "items" : [
          {
            "checked" : false,
            "id" : "m",
            "lastModified" : "\(iso(5))",
            "name" : "Milk"
          }
        ],
        "sections" : [
          "A\\/B"
        ]
      }
      """
    let result = try merged(
      base: nil, app, file([row("e", at: 3, #""name":"Eggs/x","a":{}"#)], #""note":[]"#))
    #expect(
      result == """
        {
          "deletedItems" : [

          ],
          "items" : [
            {
              "a" : {

              },
              "id" : "e",
              "lastModified" : "\(iso(3))",
              "name" : "Eggs\\/x"
            },
            {
              "checked" : false,
              "id" : "m",
              "lastModified" : "\(iso(5))",
              "name" : "Milk"
            }
          ],
          "note" : [

          ],
          "schemaVersion" : 1,
          "sections" : [
            "A\\/B"
          ]
        }
        """)
  }

  @Test func aResultIsAlwaysAList() throws {
    let ours = #"{"deletedItems":[{"id":"x","lastModified":"\#(iso(5))"}]}"#
    let theirs = #"{"items":null,"note":1}"#
    #expect(try list(merged(base: nil, ours, theirs)).root["note"]?.int64 == 1)
    #expect(try list(merged(base: nil, ours, #"{"sections":null,"note":1}"#)).root["note"]?.int64 == 1)
    let file = try list(file([row("m")]))
    #expect(try mergedBothWays(base: nil, ours: Document(), theirs: file).names == ["Milk"])
  }
}
