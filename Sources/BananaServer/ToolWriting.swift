import JSON
import ListStore
import MCP
import ShoppingList

// What the tools that write have in common: looking items up, refusing as a whole, and the shape of their results.

/// Why a tool changes nothing: an answer of the edit, since the edit alone sees the list as it is.
typealias Refusal = ToolFailure

/// What a write left. Not what the list was before: a large list would be there twice while the result is made.
struct Edited {
  /// The list as it is now.
  let snapshot: Snapshot
  /// The id by which the edit is undone; nil where nothing was changed, or nothing is kept.
  let undo: String?
}

extension Store {
  /// Runs an edit that may refuse. A refusal leaves the list as it is; so does an error of the store, whose message says
  /// what happened, to which file, and what to do.
  ///
  /// - Parameter mustBeUndoable: for an edit that could lose the list: an error where the list as it is cannot be kept.
  func edit<Answer>(
    mustBeUndoable: Bool = false, _ body: (inout Document, EditContext) throws(Refusal) -> Answer
  ) throws(ToolFailure) -> (written: Edited, answer: Answer) {
    let written: Written<Result<Answer, Refusal>>
    do {
      written = try write(mustBeUndoable: mustBeUndoable) { document, context -> Result<Answer, Refusal> in
        var edited = document
        do throws(Refusal) {
          let answer = try body(&edited, context)
          document = edited
          return .success(answer)
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw ToolFailure(error.message)
    }
    switch written.answer {
    case .success(let answer): return (Edited(snapshot: written.snapshot, undo: written.undo), answer)
    case .failure(let refusal):
      // What the store has to say, it says only once.
      throw Refusal(([refusal.message] + written.snapshot.noticeLines).joined(separator: "\n"))
    }
  }

  /// What an edit that may refuse would come to on the list as it is now; nothing is locked or written for it.
  func look<Answer>(
    _ body: (Document, EditContext) throws(Refusal) -> Answer
  ) throws(ToolFailure) -> Result<Answer, Refusal> {
    do throws(StoreError) {
      return try preview { document, context in
        Result { () throws(Refusal) in try body(document, context) }
      }
    } catch {
      throw ToolFailure(error.message)
    }
  }
}

extension Snapshot {
  /// What the user should know besides, a line each.
  var noticeLines: [String] { notices.map { oneLine($0.message) } }
}

/// The result of a tool that writes: sentences a person can read, and the rows by what became of them.
struct WriteReport {
  var sentences: [String] = []
  var added: [Item] = []
  var updated: [Item] = []
  var removed: [Item] = []
  var unchanged: [Item] = []

  /// Adds a sentence on the sections that an edit made, with the others named: a model that invents sections should see
  /// what there was.
  mutating func mention(newSectionsIn after: [String], before: [String]) {
    let known = Set(before.map(FoldedName.init))
    let new = after.filter { !known.contains(FoldedName($0)) }
    guard !new.isEmpty else { return }
    var sentence =
      "\(enumerated(new.map(quoted))) \(new.count == 1 ? "is a new section" : "are new sections")"
    sentence += before.isEmpty ? "." : "; there were already: \(enumerated(before.map(oneLine), limit: 40))."
    sentences.append(sentence)
  }

  func result(of written: Edited) -> ToolResult {
    var lines = sentences
    lines += written.snapshot.noticeLines
    var members: [(key: String, value: JSONValue)] = [
      ("added", added.inFull), ("updated", updated.inFull), ("removed", removed.inFull),
      ("unchanged", unchanged.inFull),
    ]
    if let undo = written.undo {
      lines.append("To undo: update_shopping_list with restore \(quoted(undo)).")
      members.append(("undo", JSONValue(undo)))
    }
    return ToolResult(text: lines.joined(separator: "\n"), structured: .object(members))
  }

  /// The schema of every such result.
  static let outputSchema: JSONValue = {
    let rows: JSONValue = ["type": "array", "items": ["type": "object"]]
    return [
      "type": "object",
      "properties": [
        "added": rows, "updated": rows, "removed": rows, "unchanged": rows, "undo": ["type": "string"],
      ],
      "required": ["added", "updated", "removed", "unchanged"],
    ]
  }()
}

/// Items looked up for an edit: all of them, or the reasons why not, one line each.
struct Lookup {
  private(set) var items: [Item] = []
  private(set) var problems: [String] = []

  /// Looks every reference up. An item that is named twice is a problem, too: one of the two changes would be lost.
  init(_ references: [ItemReference], in document: Document, renameAdvice: Bool) {
    var seen: Set<ItemID.Key> = []
    for (reference, found) in zip(references, document.find(references)) {
      guard case .one(let item) = found else {
        problems.append(Self.problem(found, with: reference, renameAdvice: renameAdvice))
        continue
      }
      if !seen.insert(ItemID.Key(item.id)).inserted {
        problems.append("\(quoted(item.name)) is named twice; say all that is to become of it in one entry.")
      }
      items.append(item)
    }
  }

  /// The refusal of the whole call; nil where every reference fits one item.
  var refusal: Refusal? {
    guard !problems.isEmpty else { return nil }
    return Refusal("Nothing was changed. " + problems.joined(separator: "\n"))
  }

  private static func problem(_ found: Found, with reference: ItemReference, renameAdvice: Bool) -> String {
    switch found {
    case .one: return ""
    case .nothingNamed: return "An entry names no item: give its name."
    case .noSuchID(let near):
      return "No item has the id \(quoted(reference.id ?? "")).\(hint(near))"
    case .noSuchName(let near):
      return "No item is called \(quoted(reference.name ?? "")).\(hint(near))"
    case .several(let items):
      let candidates = items.map(\.shownWithID).joined(separator: "; ")
      return "\(quoted(reference.name ?? "")) fits \(items.count) items: \(candidates). Name one by its id."
    case .otherName(let item):
      let name = quoted(reference.name ?? "")
      return "The id \(quoted(item.id)) is that of \(quoted(item.name)), not of \(name)."
        + (renameAdvice ? " To rename it, give the new name as new_name." : " Give only one of the two.")
    }
  }

  private static func hint(_ near: [Item]) -> String {
    near.isEmpty
      ? " Nothing on the list is near it; get_shopping_list shows what there is."
      : " Near it: \(near.map(\.shownWithID).joined(separator: "; "))."
  }
}
