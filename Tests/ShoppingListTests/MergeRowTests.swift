import Testing

@testable import JSON
@testable import ShoppingList

// The rows of the merge table, and what the format's page says of ties, stamps and members, one test each.

@Suite struct MergeTableTests {
  @Test func withABaseEachMemberIsThatOfTheSideThatChangedIt() throws {
    let base = file([row("m", at: 1, #""name":"Milk","amount":"1 l","checked":false,"note":1"#)])
    let ours = file([row("m", at: 5, #""name":"Milk","amount":"2 l","checked":false,"note":1"#)])
    let theirs = file([row("m", at: 3, #""name":"Milk","amount":"1 l","checked":true,"note":2"#)])
    #expect(
      try merged(base: base, ours, theirs)
        == file([row("m", at: 6, #""name":"Milk","amount":"2 l","checked":true,"note":2"#)]))
  }

  @Test func whereBothChangedAMemberTheLaterRowHasIt() throws {
    let base = file([row("m", at: 1, #""name":"Milk","amount":"1 l","checked":false"#)])
    let ours = file([row("m", at: 5, #""name":"Milk","amount":"2 l","checked":false"#)])
    let theirs = file([row("m", at: 7, #""name":"Milk","amount":"3 l","checked":true"#)])
    #expect(try merged(base: base, ours, theirs) == theirs)
    let later = file([row("m", at: 9, #""name":"Milk","amount":"2 l","checked":false"#)])
    #expect(
      try merged(base: base, later, theirs)
        == file([row("m", at: 10, #""name":"Milk","amount":"2 l","checked":true"#)]))
  }

  @Test func withoutABaseTheLaterRowWinsAndUnknownMembersAreUnited() throws {
    let ours = file([row("m", at: 5, #""name":"Milk","amount":"2 l","note":1"#)])
    let theirs = file([row("m", at: 7, #""name":"Milk","checked":true"#)])
    #expect(
      try merged(base: nil, ours, theirs)
        == file([
          #"{"id":"m","name":"Milk","checked":true,"lastModified":"\#(iso(8))","note":1}"#
        ]))
    #expect(try merged(base: nil, ours, file([row("m", at: 7, #""name":"Milk","note":2"#)])).contains(iso(7)))
  }

  @Test func aRowUnchangedSinceTheBaseIsDeletedWhereTheOtherDeletedIt() throws {
    let base = file([row("m", at: 1), row("e")])
    #expect(try merged(base: base, base, file([row("e")])) == file([row("e")]))
    // Another stamp, or none, is no change.
    #expect(try merged(base: base, file([row("m", at: 9), row("e")]), file([row("e")])) == file([row("e")]))
    #expect(try merged(base: base, file([row("m"), row("e")]), file([row("e")])) == file([row("e")]))
  }

  @Test func aRowThatAnAppRewroteWithoutSayingAnythingNewIsUnchanged() throws {
    let id = "7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F3C11"
    let base = file([#"{"id":"\#(id.lowercased())","name":"Milk","amount":2}"#, row("e")])
    let app = file([
      #"{"id":"\#(id)","name":"Milk","amount":"2","checked":false,"optional":false,"section":""}"#, row("e"),
    ])
    #expect(try merged(base: base, app, file([row("e")])) == file([row("e")]))
    // Nor does it take back what the other side changed, later or not.
    let checked = file([
      #"{"id":"\#(id.lowercased())","name":"Milk","amount":2,"checked":true,"lastModified":"\#(iso(1))"}"#,
      row("e"),
    ])
    #expect(try list(merged(base: base, app, checked)).items[0].checked)
  }

  @Test func anEditBeatsADeletion() throws {
    let base = file([row("m", at: 1)])
    let edited = file([row("m", at: 5, #""name":"Oat milk""#)])
    #expect(try merged(base: base, edited, file([])) == edited)
    #expect(try merged(base: base, edited, file([], deleted: [grave("m", at: 3)])).contains(iso(5)))
    // Also a deletion that was stamped later; the row is stamped after it, or the next copy would delete it.
    #expect(
      try merged(base: base, edited, file([], deleted: [grave("m", at: 8)]))
        == file([row("m", at: 9, #""name":"Oat milk""#)], deleted: []))
  }

  @Test func withoutABaseOnlyATombstoneThatIsNotOlderDeletes() throws {
    let ours = file([row("m", at: 5)])
    #expect(try merged(base: nil, ours, file([])) == ours)
    let gone = file([], deleted: [grave("m", at: 5)])
    #expect(try merged(base: nil, ours, gone) == gone)
    #expect(
      try merged(base: nil, ours, file([], deleted: [grave("m", at: 4)]))
        == file([row("m", at: 5)], deleted: []))
    // No stamp is older than any.
    #expect(try merged(base: nil, file([row("m")]), gone) == gone)
    let unstamped = file([], deleted: [#"{"id":"m"}"#])
    #expect(try merged(base: nil, file([row("m")]), unstamped) == unstamped)
    #expect(try list(merged(base: nil, ours, unstamped)).names == ["Milk"])
  }

  @Test func aRowThatOnlyOneHasAndTheBaseLacksIsNew() throws {
    let base = file([row("e")])
    let ours = file([row("e"), row("m", at: 5)])
    #expect(try merged(base: base, ours, base) == ours)
    #expect(try list(merged(base: base, ours, file([], deleted: [grave("m", at: 6)]))).items.isEmpty)
  }

  @Test func ofTwoTombstonesTheLaterStays() throws {
    let later = file([], deleted: [grave("m", at: 5)])
    for base in [nil, file([row("m")]), file([])] {
      #expect(try merged(base: base, file([], deleted: [grave("m", at: 3)]), later) == later)
    }
  }
}

@Suite struct MergeStampTests {
  @Test func tiesAreSettledByTheCanonicalEncoding() throws {
    let ours = file([row("m", at: 5, #""checked":false,"name":"Milk""#)])
    let theirs = file([row("m", at: 5, #""name":"Milk","checked":true"#)])
    #expect(try merged(base: nil, ours, theirs) == theirs)
    #expect(
      try merged(
        base: nil, file([row("m", at: nil, #""name":"A""#)]), file([row("m", at: nil, #""name":"B""#)]))
        == file([row("m", at: nil, #""name":"B""#)]))
  }

  @Test func noStampIsOlderThanAny() throws {
    let stamped = file([row("m", at: 5)])
    #expect(try merged(base: nil, stamped, file([row("m", at: nil, #""name":"Oat milk""#)])) == stamped)
    #expect(
      try merged(base: nil, stamped, file([#"{"id":"m","name":"Oat milk","lastModified":"soon"}"#]))
        == stamped)
  }

  @Test func anEditThatWinsBecauseOfTheBaseOutranksTheRowItWonOver() throws {
    let base = file([row("m", at: 5)])
    // An app that knows no stamps changed the name; the other side has the stamp that the app dropped.
    let app = file([row("m", at: nil, #""name":"Oat milk""#)])
    let result = try merged(base: base, base, app)
    #expect(result == file([row("m", at: 6, #""name":"Oat milk""#)]))
    #expect(try merged(base: nil, result, base) == result)
  }

  @Test func aStampThatWasDroppedComesBack() throws {
    let base = file([row("m", at: 5), row("e", at: 5, #""name":"Eggs""#)])
    let app = file([row("m"), row("e", at: nil, #""name":"Eggs""#)])
    let ours = file([row("m", at: 5), row("e", at: 7, #""name":"Eggs","checked":true"#)])
    #expect(try merged(base: base, ours, app) == ours)
  }

  @Test func whereNothingHasAStampNoneIsMade() throws {
    let base = file([row("m", at: nil, #""name":"Milk","amount":"1""#)])
    let ours = file([row("m", at: nil, #""name":"Milk","amount":"2""#)])
    let theirs = file([row("m", at: nil, #""name":"Oat milk","amount":"1""#)])
    #expect(
      try merged(base: base, ours, theirs) == file([row("m", at: nil, #""name":"Oat milk","amount":"2""#)]))
  }

  @Test(arguments: [
    ("1796071272005", "1796071272006"), ("1796071272", "1796071273"), ("1796071272.5", "1796071272.501"),
    ("817764072.25", "817764072.251"), (#""2026-11-30T20:41:12Z""#, #""2026-11-30T20:41:13Z""#),
    (#""2026-11-30T20:41:12.345Z""#, #""2026-11-30T20:41:12.346Z""#),
  ])
  func aNewStampIsSpelledAsTheOldOneAndRoundedUp(before: String, after: String) throws {
    let base = #"{"id":"m","name":"Milk","amount":"1","lastModified":\#(before)}"#
    let ours = #"{"id":"m","name":"Milk","amount":"2","lastModified":\#(before)}"#
    let theirs = #"{"id":"m","name":"Oat milk","amount":"1","lastModified":\#(before)}"#
    let result = try merged(base: file([base]), file([ours]), file([theirs]))
    #expect(result == file([#"{"id":"m","name":"Oat milk","amount":"2","lastModified":\#(after)}"#]))
  }

  @Test func aFractionThatBecameZeroIsReadAlikeInMemoryAndInTheFile() throws {
    var ours = try list(#"{"items":[{"id":"m","name":"Milk","lastModified":1796071271.9}]}"#)
    _ = try ours.change("Milk", ItemChanges(checked: true), in: context(at: 1_796_071_272_000))
    let theirs = try list(#"{"items":[{"id":"m","name":"Milk","note":1,"lastModified":1796071271.9}]}"#)
    let inMemory = Document.merge(base: nil, ours: ours, theirs: theirs)
    let fromFile = Document.merge(base: nil, ours: try Document(decoding: ours.encoded()), theirs: theirs)
    #expect(text(inMemory) == text(fromFile))
    #expect(text(inMemory).contains("1796071273"))
  }

  @Test func aRowBesideItsOwnTombstoneWasBroughtBack() throws {
    let both = file([row("m", at: 3)], deleted: [grave("m", at: 5)])
    #expect(try merged(base: nil, both, both) == both)
    let result = try merged(base: nil, both, file([], deleted: [grave("m", at: 5), grave("e", at: 1)]))
    #expect(result == file([row("m", at: 6)], deleted: [grave("e", at: 1)]))
  }
}

@Suite struct MergeMemberTests {
  @Test func aMemberThatNobodyKnowsIsRemovedByOneSideAloneOnly() throws {
    let base = file([row("m", at: 1, #""name":"Milk","note":1"#)])
    let removed = file([row("m", at: 9)])
    #expect(try merged(base: base, base, removed) == removed)
    // An edit of it beats the removal, even a later one.
    let edited = file([row("m", at: 5, #""name":"Milk","note":2"#)])
    #expect(try list(merged(base: base, edited, removed)).rows[0].value["note"]?.int64 == 2)
  }

  @Test func textAndNumbersThatNobodyChangedKeepTheirSpelling() throws {
    let base = file([row("m", at: 1, #""name":"Mi\u006ck","amount":1.50,"checked":"no","note":1e2"#)])
    let ours = base.replacing(#""no""#, with: "true").replacing(iso(1), with: iso(5))
    let theirs = base.replacing("1e2", with: "1E2").replacing(iso(1), with: iso(3))
    #expect(
      try merged(base: base, ours, theirs)
        == file([row("m", at: 6, #""name":"Mi\u006ck","amount":1.50,"checked":true,"note":1E2"#)]))
  }

  @Test func whatIsReadAlikeKeepsTheTextThatDiffersFromTheBase() throws {
    let base = file([row("m", at: 1, #""name":"Milk","checked":"no""#)])
    let app = file([row("m", at: 1, #""name":"Milk","checked":false"#)])
    let ours = file([row("m", at: 5, #""name":"Oat milk","checked":"no""#)])
    #expect(
      try merged(base: base, ours, app) == file([row("m", at: 6, #""name":"Oat milk","checked":false"#)]))
  }

  @Test func hiddenRowsMeetByContent() throws {
    let hidden = #"{"id":"h","name":" ","note":1.0}"#
    #expect(
      try merged(base: nil, file([hidden, "null", row("m")]), file([row("m"), hidden])).contains(hidden))
    let ours = file([row("m", at: 5), "null", "null", hidden])
    #expect(try merged(base: nil, ours, file([row("m"), hidden, "null"])) == ours)
    // With a base the side that removed or added some has its way.
    let fewer = file([row("m", at: 5), "null"])
    #expect(try merged(base: ours, ours, fewer) == fewer)
    #expect(try merged(base: fewer, fewer, ours) == ours)
  }

  @Test func rowsWithoutAnIDMeetByTheirContent() throws {
    let bare = #"{"name":"Milk"}"#
    let base = file([bare, bare])
    let ours = file([#"{"name":"Eggs"}"#, bare, bare])
    #expect(try list(merged(base: base, ours, base)).names == ["Eggs", "Milk", "Milk"])
    #expect(try list(merged(base: nil, ours, base)).names == ["Eggs", "Milk", "Milk"])
    #expect(try list(merged(base: base, file([bare]), base)).names == ["Milk"])
  }

  @Test func idsThatCannotBeNamedMeet() throws {
    let base = file([#"{"id":[1],"name":"Milk"}"#])
    let ours = file([#"{"id":[1],"name":"Milk","checked":true,"lastModified":"\#(iso(5))"}"#])
    let theirs = file([#"{"id":[1],"name":"Oat milk","lastModified":"\#(iso(3))"}"#])
    let result = try list(merged(base: base, ours, theirs))
    #expect(result.names == ["Oat milk"])
    #expect(result.items[0].checked)
    #expect(result.rows[0].value["id"]?.kind == .array)
  }

  @Test func aNumberAsIDStaysOne() throws {
    let base = file([#"{"id":5,"name":"Milk","amount":"1"}"#])
    let ours = file([#"{"id":5,"name":"Milk","amount":"2"}"#])
    let theirs = file([#"{"id":5,"name":"Oat milk","amount":"1"}"#])
    #expect(
      try merged(base: base, ours, theirs) == file([#"{"id":5,"name":"Oat milk","amount":"2"}"#]))
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
