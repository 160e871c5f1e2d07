import ListStore
import MCP
import ShoppingList

/// The list as resources: the file itself, a checklist for people, and each section of it.
struct ListResources {
  let store: Store

  var all: [Resource] {
    [
      Resource(
        uri: "shopping-list://current", name: "shopping-list", title: "Shopping list",
        description: "The shopping list as its file has it, with all that other programs keep there.",
        mimeType: "application/json", audience: [.assistant], priority: 0.8, caching: .live
      ) { () throws(ResourceFailure) in
        // The very bytes of the file, unless there are conflict copies to merge with it.
        ResourceContents(text: String(decoding: try read().document.encoded(), as: UTF8.self))
      },
      Resource(
        uri: "shopping-list://current.md", name: "shopping-list-checklist",
        title: "Shopping list as a checklist",
        description: "The shopping list as a Markdown checklist, by section.",
        mimeType: "text/markdown", audience: [.user, .assistant], priority: 0.9, caching: .live
      ) { () throws(ResourceFailure) in
        ResourceContents(text: checklist(try read().document))
      },
    ]
  }

  var templates: [ResourceTemplate] {
    [
      ResourceTemplate(
        prefix: "shopping-list://section/", variable: "section", name: "shopping-list-section",
        title: "A section of the shopping list",
        description: "One section of the shopping list, such as Produce, as a Markdown checklist.",
        mimeType: "text/markdown", audience: [.user, .assistant], priority: 0.5, caching: .live,
        read: { name throws(ResourceFailure) in try section(named: name) },
        complete: { start throws(ResourceFailure) in try sections(completing: start) })
    ]
  }

  /// What identifies what the resources show; nil while the list cannot be read.
  var revision: String? {
    do { return try store.read(quietly: true).revision } catch { return nil }
  }

  private func checklist(_ document: Document) -> String {
    let list = ListText(items: document.items, sections: document.sections, ambiguous: [])
    let body = list.lines(markdown: true)
    return (["# Shopping list", ""] + (body.isEmpty ? ["*Empty.*"] : body)).joined(separator: "\n") + "\n"
  }

  /// The checklist of a section; nil when there is none of this name.
  private func section(named name: String) throws(ResourceFailure) -> ResourceContents? {
    let document = try read().document
    let key = FoldedName(name)
    guard let section = document.sections.first(where: { FoldedName($0) == key }) else { return nil }
    let rows = document.items.filter { FoldedName($0.section) == key }
    let list = ListText(items: rows, sections: [section], ambiguous: [])
    let lines = rows.isEmpty ? list.heading(section) + ["*Empty.*"] : list.lines(markdown: true)
    return ResourceContents(text: lines.joined(separator: "\n") + "\n")
  }

  /// The sections whose names begin so; where there is none, those that have it somewhere else.
  private func sections(completing start: String) throws(ResourceFailure) -> [String] {
    let wanted = FoldedName(start)
    let sections = try read().document.sections
    let begin = sections.filter { FoldedName($0).text.hasPrefix(wanted.text) }
    return begin.isEmpty ? sections.filter { FoldedName($0).contains(wanted) } : begin
  }

  private func read() throws(ResourceFailure) -> Snapshot {
    do {
      return try store.read(quietly: true)
    } catch {
      throw ResourceFailure(error.message)
    }
  }
}
