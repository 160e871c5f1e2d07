import Testing

@testable import JSON
@testable import ShoppingList

// Short ways to write lists and merge them.

/// A row: its id, the millisecond of its stamp (nil: none), and its other members as JSON.
func row(_ id: String, at stamp: Int? = nil, _ members: String = #""name":"Milk""#) -> String {
  #"{"id":"\#(id)",\#(members)\#(stamp.map { #","lastModified":"\#(iso($0))""# } ?? "")}"#
}

/// A tombstone.
func grave(_ id: String, at stamp: Int) -> String { #"{"id":"\#(id)","lastModified":"\#(iso(stamp))"}"# }

/// A stamp so many milliseconds after a fixed second.
func iso(_ milliseconds: Int) -> String {
  Instant(milliseconds: 1_796_071_272_000 + Int64(milliseconds)).iso8601
}

/// A file with these rows, and more members of the list as JSON.
func file(_ rows: [String], sections: [String]? = nil, deleted: [String]? = nil, _ more: String = "")
  -> String
{
  var members = [#""schemaVersion":1"#]
  if let sections {
    members.append(#""sections":[\#(sections.map { #""\#($0)""# }.joined(separator: ","))]"#)
  }
  members.append(#""items":[\#(rows.joined(separator: ","))]"#)
  if let deleted { members.append(#""deletedItems":[\#(deleted.joined(separator: ","))]"#) }
  if !more.isEmpty { members.append(more) }
  return "{\(members.joined(separator: ","))}"
}

/// The merged file, which must be the same to the byte with the sides exchanged, and read as what it is.
func merged(base: String?, _ ours: String, _ theirs: String, at location: SourceLocation = #_sourceLocation)
  throws -> String
{
  let merged = try mergedBothWays(base: base.map(list), ours: list(ours), theirs: list(theirs), at: location)
  return text(merged)
}

/// Merges both ways; the test fails where they differ, or where the bytes do not read as the result.
func mergedBothWays(
  base: Document?, ours: Document, theirs: Document, at location: SourceLocation = #_sourceLocation
) throws -> Document {
  let merged = Document.merge(base: base, ours: ours, theirs: theirs)
  let exchanged = Document.merge(base: base, ours: theirs, theirs: ours)
  #expect(merged.encoded() == exchanged.encoded(), "symmetric", sourceLocation: location)
  let read = try Document(decoding: merged.encoded())
  #expect(read.isEquivalent(to: merged), "reads as what was meant", sourceLocation: location)
  return merged
}
