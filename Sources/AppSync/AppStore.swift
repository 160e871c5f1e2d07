// What an app keeps its rows in, as far as this library must know: four functions.
//
// A SwiftData context satisfies them in a few lines, a dictionary in a test in fewer (docs/app-integration.md).

import ShoppingList

/// The app's own store of rows.
///
/// What an implementation has to keep:
/// - Rows are met by their `id`, which the store keeps as it is given, whatever identity of its own it has besides.
/// - When a function returns, its rows are where a crash of the app does not reach them (a SwiftData context is saved).
/// - Whatever the store tells its observers about these changes may come at any time: at once, on the same thread, or
///   seconds later. `ChangeSignals` tells it from a change of the user.
///
/// All four are called on the thread that calls `ListSync.perform`.
public protocol AppStore: AnyObject {
  /// All rows, in any order. A row with an empty name is taken for one that is being typed, and neither exported nor
  /// deleted.
  func items() throws(AppStoreError) -> [Item]

  /// Puts in rows that the store has not.
  func insert(_ items: [Item]) throws(AppStoreError)

  /// Gives rows that the store has, by their ids, these values.
  func update(_ items: [Item]) throws(AppStoreError)

  /// Removes the rows with these ids.
  func delete(ids: [String]) throws(AppStoreError)
}

/// Why a store could not be read or changed.
public struct AppStoreError: Error, Hashable, Sendable {
  /// A sentence for the app to show.
  public let message: String

  /// - Parameter message: a sentence for the app to show.
  public init(_ message: String) {
    self.message = message
  }
}
