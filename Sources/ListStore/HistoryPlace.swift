// Where earlier versions of lists are kept: outside the lists' own folders, so that no sync service carries them about
// and no app that shares the folder sees them.

import Platform

package enum HistoryPlace: Hashable, Sendable {
  /// Below this folder, the program's own, for all lists.
  case folder(String)
  /// They should be kept, and nobody knows where: there is no home folder.
  case unknown
  /// Nowhere: what a write displaces is gone, as with any program that saves a file. For who keeps versions elsewhere.
  case nowhere

  /// The usual place: `$XDG_STATE_HOME/get-bananas`, by default under `~/.local/state`; on Apple systems
  /// `~/Library/Application Support/get-bananas`.
  ///
  /// - Parameters:
  ///   - environment: the variables of the environment.
  ///   - userHome: the home folder by the user database, asked for only when HOME is not set.
  package static func resolve(
    environment: (String) -> String?, userHome: () -> String?, isOnApple: Bool = CurrentProcess.isOnApple
  ) -> HistoryPlace {
    func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if !isOnApple, let state = absolute(environment("XDG_STATE_HOME")) {
      return .folder("\(state)/get-bananas")
    }
    guard let home = absolute(environment("HOME")) ?? userHome() else { return .unknown }
    return .folder(home + (isOnApple ? "/Library/Application Support" : "/.local/state") + "/get-bananas")
  }
}
