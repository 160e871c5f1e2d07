// Where the list is: which of the ways to say it counts, and what its path is in full.
//
//     let location = try ListLocation.resolve(
//       option: arguments.file, environment: CurrentProcess.environment, userHome: CurrentProcess.userHome,
//       workingDirectory: nil)
//     let store = Store(path: location.path, createsFolder: location.createsFolder)
//
// The first of these that says something counts:
// 1. the option `--file`;
// 2. the variable `BANANA_LIST_FILE`;
// 3. on Apple systems iCloud Drive's folder;
// 4. `$XDG_DATA_HOME/get-bananas/BananaList.json`, by default under `~/.local/share`.
// A value that is empty, or still the `${…}` that a host was to fill in, says nothing. Symbolic links are not looked at
// here: the store resolves them at each use, since they can change.

import Platform

package struct ListLocation: Hashable, Sendable {
  /// Which of the ways counted.
  package enum Origin: Hashable, Sendable {
    case option, environment, iCloud, standard
  }

  /// Absolute.
  package let path: String
  package let origin: Origin

  /// Whether the first write makes the list's folder. Only where nobody chose the place: a chosen folder that is missing
  /// is a mistake or a disk that is not there, and a new list in it would be the wrong one.
  package var createsFolder: Bool { origin == .standard }

  package static let fileName = "BananaList.json"
  package static let variable = "BANANA_LIST_FILE"
  /// Where iCloud Drive keeps what its user sees at its top, under the home folder.
  package static let iCloudFolder = "Library/Mobile Documents/com~apple~CloudDocs"

  /// - Parameters:
  ///   - option: what `--file` says, if it was given.
  ///   - environment: the variables of the environment.
  ///   - userHome: the home folder by the user database, asked for only when HOME is not set.
  ///   - workingDirectory: what relative paths start from; nil refuses them, as a server must, whose host starts it
  ///     anywhere.
  ///   - isOnApple: whether iCloud Drive is the usual place.
  package static func resolve(
    option: String?, environment: (String) -> String?, userHome: () -> String?, workingDirectory: String?,
    isOnApple: Bool = CurrentProcess.isOnApple
  ) throws(StoreError) -> ListLocation {
    let home = { environment("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? userHome() }
    if let (said, origin) = said(option, by: .option) ?? said(environment(variable), by: .environment) {
      return ListLocation(
        path: try absolute(said, home: home, workingDirectory: workingDirectory), origin: origin)
    }
    if isOnApple {
      return ListLocation(path: try expanded("~/\(iCloudFolder)/\(fileName)", home: home), origin: .iCloud)
    }
    let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "~/.local/share"
    return ListLocation(path: try expanded("\(data)/get-bananas/\(fileName)", home: home), origin: .standard)
  }

  /// A path that somebody chose; nil where nothing is said, which a host may do with a placeholder that it left as it is.
  private static func said(_ path: String?, by origin: Origin) -> (String, Origin)? {
    guard let path, !path.isEmpty, !(path.hasPrefix("${") && path.hasSuffix("}")) else { return nil }
    return (path, origin)
  }

  private static func absolute(
    _ path: String, home: () -> String?, workingDirectory: String?
  ) throws(StoreError) -> String {
    let path = try expanded(path, home: home)
    if path.hasPrefix("/") { return path }
    guard let workingDirectory else { throw StoreError(.relativePath, path: path) }
    return join(workingDirectory, path)
  }

  /// `~/` at the start is the home folder; `~name/` is not known.
  private static func expanded(_ path: String, home: () -> String?) throws(StoreError) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    guard let home = home() else { throw StoreError(.noHome, path: path) }
    return join(home, String(path.dropFirst(2)))
  }

  private static func join(_ folder: String, _ path: String) -> String {
    folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
