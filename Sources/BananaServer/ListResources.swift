import ListStore
import MCP
import ShoppingList

/// The list as resources: the file itself, and a checklist for people.
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

  private func checklist(_ document: Document) -> String {
    let list = ListText(items: document.items, sections: document.sections, ambiguous: [])
    let body = list.lines(markdown: true)
    return (["# Shopping list", ""] + (body.isEmpty ? ["*Empty.*"] : body)).joined(separator: "\n") + "\n"
  }

  private func read() throws(ResourceFailure) -> Snapshot {
    do {
      return try store.read(quietly: true)
    } catch {
      throw ResourceFailure(error.message)
    }
  }
}
