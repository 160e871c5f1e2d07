import MCP

/// The list view: one page that shows the list in the conversation and works on it through the tools
/// (Resources/list.html, docs/list-view.md). The build puts its bytes into the program.
enum ListView {
  static let uri = "ui://get-bananas/list.html"

  static var resource: Resource {
    Resource.view(
      uri: uri, name: "shopping-list-view", title: "Shopping list view",
      description: "The page in which hosts with MCP Apps show the shopping list."
    ) { String(decoding: PackageResources.list_html, as: UTF8.self) }
  }
}
