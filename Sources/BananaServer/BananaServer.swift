// What the server serves: the five tools and the resources, bound to one store.
//
//     let watch = ListWatch(path: location.path, syscalls: syscalls) { queue.push(.fileChanged, cost: 0) }
//     let definition = BananaServer.definition(store: store, watch: watch)
//
// The protocol (`MCP`) knows no shopping list, and the store knows no protocol; here they meet. Each tool has a file of its
// own that declares its arguments, its texts and what it does. Nothing here opens a file.

import ListStore
import MCP

package enum BananaServer {
  /// The version of this program, for `--version`, the handshake and the bundle.
  package static let version = "0.1.0"

  /// Everything a session needs to serve the list in `store`. `watch` watches the same list; without it nobody can
  /// subscribe to the resources.
  package static func definition(store: Store, watch: ListWatch? = nil) -> ServerDefinition {
    let resources = ListResources(store: store)
    return ServerDefinition(
      info: Implementation(
        name: "get-bananas", version: version, title: "Bananas",
        description: "One shopping list, shared with a phone app through one file."),
      instructions: instructions,
      tools: [
        GetShoppingList(store: store).tool, AddItem(store: store).tool, UpdateItem(store: store).tool,
        RemoveItem(store: store).tool, UpdateShoppingList(store: store).tool,
      ],
      resources: resources.all, templates: resources.templates,
      changes: watch.map { watch in
        ResourceChanges(start: watch.start, stop: watch.stop, revision: { resources.revision })
      })
  }

  private static let instructions = """
    The user's one shopping list, shared with their phone. "I need …", "we are out of …": add_item, all things in one call. \
    "Got the milk": update_item with checked true. "Take … off the list", "clear what I bought": remove_item. Questions \
    about the list: get_shopping_list. Name items as the user does; ids are needed only where a name occurs twice. Use \
    update_shopping_list only to rewrite or reorder everything. If an answer says NOT ADDED, REFUSED or that nothing was \
    changed, tell the user or act on it; do not repeat the call unchanged.
    """
}
