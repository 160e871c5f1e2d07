// MCP Apps (2026-01-26, extension io.modelcontextprotocol/ui): a tool names a page, and a host that can shows the tool's
// results in it, inside the conversation.
//
//     Tool(…, view: "ui://toy/board.html")                   tools/list: _meta.ui.resourceUri
//     Resource.view(uri: "ui://toy/board.html", …)           resources/read: text/html;profile=mcp-app, _meta.ui
//
// What page and host say to each other never passes through here: the page calls tools through its host, as a model does.
// A tool declares its view to every client, also to one that does not say that it has Apps: some hosts open several
// connections, the first without capabilities, and to all others an unknown `_meta` is harmless. The text and the structure
// of a result are complete without it.

import JSON

package enum AppView {
  /// What hosts know a view by.
  package static let mimeType = "text/html;profile=mcp-app"

  private static let extensionName = "io.modelcontextprotocol/ui"

  /// The server's `extensions`: it has views, and there is nothing to settle about them.
  static let serverExtensions = JSONValue.object([(extensionName, .object([]))])

  /// The `_meta` of a tool with a view. The flat member `ui/resourceUri` of early drafts is deprecated, and left out.
  static func toolMeta(of uri: String) -> JSONValue { ["ui": ["resourceUri": JSONValue(uri)]] }

  /// The `_meta` of a view's contents: no `csp`, so no network at all; a border, which hosts draw by default or not.
  static let contentsMeta: JSONValue = ["ui": ["prefersBorder": true]]
}

extension Resource {
  /// A view. It is the same for everybody, and nothing that a model would read.
  ///
  /// - Parameters:
  ///   - uri: starts with `ui://`.
  ///   - html: the whole page; hosts let it load nothing else.
  package static func view(
    uri: String, name: String, title: String, description: String, html: @escaping () -> String
  ) -> Resource {
    Resource(
      uri: uri,
      presentation: ResourcePresentation(
        name: name, title: title, description: description, mimeType: AppView.mimeType, audience: [.user],
        priority: 0, caching: .builtIn, contentsMeta: AppView.contentsMeta)
    ) { () throws(ResourceFailure) in ResourceContents(text: html()) }
  }
}
