// An edited document, read again from its bytes without reading what was left alone, is the one that decoding them gives.

import Testing

@testable import JSON
@testable import ShoppingList

@Suite struct RereadTests {
  /// All that a document is, in a form that can be compared.
  private struct Reading: Equatable {
    struct ReadRow: Equatable {
      let text: [UInt8]
      let isParsed: Bool
      let item: Item?
      let stampFormat: StampFormat?
      let identity: String
    }

    let rows: [ReadRow]
    let sections: [String]
    let listed: [[UInt8]]?
    let tombstones: [[UInt8]]
    let isEdited: Bool

    init(_ document: Document) {
      rows = document.rows.map {
        ReadRow(
          text: $0.value.sourceBytes, isParsed: $0.value.isParsed, item: $0.item, stampFormat: $0.stampFormat,
          identity: "\($0.identity)")
      }
      sections = document.sections
      listed = document.sectionEntries?.map(\.sourceBytes)
      tombstones = document.tombstones.map(\.sourceBytes)
      isEdited = document.isEdited
    }
  }

  /// - Parameter bytes: what stands there instead of what was written.
  private func again(_ document: Document, from bytes: [UInt8]? = nil) -> Document? {
    var document = document
    let encoding = document.encoding()
    let isSame = document.reread(from: Document.Encoding(bytes: bytes ?? encoding.bytes, value: encoding.value))
    return isSame ? document : nil
  }

  private func compare(_ document: Document, _ name: String) throws {
    let bytes = document.encoded()
    let decoded = try Document(decoding: bytes)
    let reread = try #require(again(document), "\(name): \(String(decoding: bytes, as: UTF8.self))")
    #expect(Reading(reread) == Reading(decoded), "\(name): \(String(decoding: bytes, as: UTF8.self))")
    #expect(reread.style == decoded.style, "\(name): \(String(decoding: bytes, as: UTF8.self))")
    #expect(reread.encoded() == bytes)
    #expect(reread.revision == decoded.revision)
  }

  @Test func afterRandomEdits() throws {
    for seed in 40_000..<40_400 {
      var history = MergeHistory(seed: UInt64(seed))
      var document = try history.list()
      try compare(document, "seed \(seed), as it was")
      for step in 0..<4 {
        history.serve(&document)
        try compare(document, "seed \(seed), edit \(step)")
        // From here on the rows that were left alone are places in the new text.
        if history.random.happens(oneIn: 2) {
          document = try #require(again(document))
        }
      }
    }
  }

  @Test func afterRandomMergesAndGoingBack() throws {
    for seed in 50_000..<50_200 {
      var history = MergeHistory(seed: UInt64(seed))
      let (base, ours, theirs) = try history.triple()
      for base in [base, nil] {
        var merged = Document.merge(base: base, ours: ours, theirs: theirs)
        try compare(merged, "seed \(seed)")
        _ = merged.restore(ours, in: context())
        try compare(merged, "seed \(seed), restored")
      }
    }
  }

  @Test(arguments: [
    #"{"items":[{"name":"A"},{"name":"A"},{"id":{},"name":"B"},{"id":{},"name":"B"},7,{"x":1}]}"#,
    #"{"items":[{"id":"1","name":"A","name":"B"},{"id":"1","name":"C"},{"id":"1","name":"C"}]}"#,
    #"{"items":[{"id":"1","name":"A","section":"dairy"},{"id":"2","name":"B","section":"Dairy"}]}"#,
    #"{"sections":null,"items":null,"deletedItems":null,"schemaVersion":1}"#,
    #"{"sections":["A",7,"a"],"items":[{"id":"1","name":"\ud83d","lastModified":"2026-07-01T10:00:00.5Z"}]}"#,
  ])
  func ofListsThatAreReadWithSomeGoodWill(text: String) throws {
    var document = try list(text)
    try compare(document, "as it was")
    _ = document.add([Addition(name: "New")], in: context())
    try compare(document, "added")
    _ = document.remove(ids: [document.items[0].id], in: context())
    try compare(document, "removed")
  }

  /// What shows the style of a file may go with a row.
  @Test(arguments: [
    #"{"items":[{"id":"1","name":"Caf\u00e9"},{"id":"2","name":"Milk"}]}"#,
    #"{"items":[{"id":"1","name":"1\/2 Bread"},{"id":"2","name":"Milk"}]}"#,
    #"{"items":[{"name":"Bread","id":"1"},{"id":"2","name":"Milk"}],"sections":[]}"#,
    "{\"items\":[{\"id\":\"1\",\n \"name\":\"Bread\"},{\"id\":\"2\",\"name\":\"Milk\"}],\"sections\":[\n\n]}",
  ])
  func theStyleIsThatOfTheNewText(text: String) throws {
    for edit in 0..<4 {
      var document = try list(text)
      switch edit {
      case 0: _ = document.remove(ids: ["1"], in: context())
      case 1: _ = document.change([("1", ItemChanges(name: "Tea"))], in: context())
      case 2: _ = document.add([Addition(name: "\u{D6}l 1/2", section: "Dairy")], in: context())
      default: _ = document.arrangeSections(["Dairy"], droppingEmpty: true)
      }
      try compare(document, "edit \(edit)")
    }
  }

  @Test func aRowThatCameFromAnotherListHasItsSectionNamed() throws {
    let earlier = try list(
      #"{"items":[{"id":"1","name":"A","section":"Dairy","lastModified":"2026-07-01T10:00:01Z"}]}"#)
    for sections in ["[]", #"["dairy"]"#] {
      let later = try list(
        #"{"sections":\#(sections),"items":[{"id":"1","name":"A","lastModified":"2026-07-01T10:00:00Z"},{"id":"2","name":"B"}]}"#
      )
      try compare(later.withoutSetBacks(from: earlier), sections)
    }
    let bare = try list(
      #"{"items":[{"id":"1","name":"A","lastModified":"2026-07-01T10:00:00Z"},{"id":"2","name":"B"}]}"#)
    let back = bare.withoutSetBacks(from: earlier)
    #expect(back.sections == ["Dairy"])
    try compare(back, "no sections")
  }

  @Test func bytesThatSaySomethingElseAreRefused() throws {
    var document = try list(#"{"items":[{"id":"1","name":"A"},{"id":"2","name":"B"}]}"#)
    _ = document.add([Addition(name: "C")], in: context())
    let bytes = text(document)
    #expect(again(document, from: Array(bytes.utf8)) != nil)
    for (part, other) in [("\"A\"", "\"a\""), ("\"1\"", "\"3\""), ("\"C\"", "\"C \""), ("}]", "},{}]"), ("}]", "}")] {
      let changed = bytes.replacing(part, with: other)
      #expect(changed != bytes)
      #expect(again(document, from: Array(changed.utf8)) == nil, "\(changed)")
    }
  }
}
