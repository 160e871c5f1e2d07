// The file that an app shares with the servers, as the exporter and the importer see it.
//
// `LockedListFile` is the usual one: it reads and replaces the file under the same locks as the server. An app that has to
// announce its accesses (NSFileCoordinator) puts a `CoordinatedListFile` around it. Who has other needs conforms to
// `ListFile`.

import ListStore
import Platform
import ShoppingList

/// A file with a list in it. Called on the thread that calls `ListSync.perform`.
public protocol ListFile: AnyObject {
  /// What is there now.
  func read() -> FileReading

  /// Replaces the list by what the closure makes of it, unless that says the same to the byte.
  ///
  /// The closure gets the list as it is at that moment, conflict copies merged in, and nil where there is no file; it is
  /// called again if somebody else saves meanwhile. Nil from it leaves the list as it is; conflict copies that lie beside
  /// it are merged all the same. When this returns, the new version will last.
  func write(_ edit: (Document?) -> Document?) throws(ListFileError) -> FileVersion
}

/// What a look at the file found.
public enum FileReading: Sendable {
  case list(FileVersion)
  /// No file.
  case missing
  /// Something that is no list, or not yet: half a file, or one that the sync service has announced and not downloaded.
  ///
  /// - Parameter date: its modification date in nanoseconds of Unix time, as far as it has one.
  case unreadable(ListFileError, date: Int64?)
}

/// A version of the list, as it was read or written.
public struct FileVersion: Sendable {
  /// The list with all its conflict copies merged in.
  public let document: Document
  /// The file's modification date, in nanoseconds of Unix time.
  public let date: Int64
  /// Whether conflict copies lie beside it, which the next write merges and puts away.
  public let hasCopies: Bool
  /// Whether this was written just now.
  public let isNew: Bool

  /// - Parameters: as the members.
  public init(document: Document, date: Int64, hasCopies: Bool = false, isNew: Bool = false) {
    self.document = document
    self.date = date
    self.hasCopies = hasCopies
    self.isNew = isNew
  }
}

/// Why the file could not be read or written.
public struct ListFileError: Error, Hashable, Sendable {
  /// For the app to show: which file, what happened, whether anything was changed, what to do.
  public let message: String

  /// - Parameter message: for the app to show.
  public init(_ message: String) {
    self.message = message
  }
}

/// The file under the locks that the server knows, replaced in one step, with another's simultaneous save merged in.
public final class LockedListFile: ListFile {
  private let store: Store
  private let path: String
  private let syscalls: Syscalls

  /// Touches nothing.
  ///
  /// - Parameters:
  ///   - path: absolute. A symbolic link stays a link.
  ///   - historyFolder: where earlier versions are kept: what it displaces, and what a merge after a crash is based on.
  ///     Outside any synced folder; nil keeps none.
  public convenience init(path: String, historyFolder: String?) {
    self.init(path: path, history: historyFolder.map { .folder($0) } ?? .nowhere, syscalls: .live)
  }

  package init(path: String, history: HistoryPlace, syscalls: Syscalls) {
    self.path = path
    self.syscalls = syscalls
    store = Store(path: path, syscalls: syscalls, history: history)
  }

  public func read() -> FileReading {
    do throws(StoreError) {
      let snapshot = try store.read(quietly: true)
      // Copies may be all that there is: the next write makes a list of them.
      guard let date = snapshot.modified ?? (snapshot.hasCopies ? 0 : nil) else { return .missing }
      return .list(FileVersion(document: snapshot.document, date: date, hasCopies: snapshot.hasCopies))
    } catch {
      return .unreadable(ListFileError(error.message), date: modified())
    }
  }

  public func write(_ edit: (Document?) -> Document?) throws(ListFileError) -> FileVersion {
    do throws(StoreError) {
      let written = try store.write { list, context in
        if let new = edit(context.isNew ? nil : list) { list = new }
      }
      return FileVersion(
        document: written.snapshot.document, date: written.snapshot.modified ?? 0, isNew: written.changed)
    } catch {
      throw ListFileError(error.message)
    }
  }

  /// Nil where there is no file, or none that can be looked at.
  private func modified() -> Int64? {
    do throws(StoreError) {
      let folder = try ListFolder(opening: path, with: syscalls)
      return try folder.status(of: folder.listName)?.modified
    } catch {
      return nil
    }
  }
}

/// Announces each access to the rest of the system first.
///
///     CoordinatedListFile(file) { access, body in
///       switch access {
///       case .reading: coordinator.coordinate(readingItemAt: url, error: &error) { _ in body() }
///       case .writing: coordinator.coordinate(writingItemAt: url, options: .forMerging, error: &error) { _ in body() }
///       }
///     }
public final class CoordinatedListFile: ListFile {
  /// What is done with the file.
  public enum Access: Hashable, Sendable {
    case reading, writing
  }

  /// Calls the body once, when the access is granted, before it returns. If it does not, the access has failed.
  public typealias Coordinator = (_ access: Access, _ body: () -> Void) -> Void

  private let file: any ListFile
  private let coordinate: Coordinator

  /// - Parameters:
  ///   - file: what is read and written once that is granted.
  ///   - coordinate: grants it.
  public init(_ file: any ListFile, coordinate: @escaping Coordinator) {
    self.file = file
    self.coordinate = coordinate
  }

  public func read() -> FileReading {
    var reading: FileReading?
    coordinate(.reading) { reading = file.read() }
    return reading ?? .unreadable(Self.refused, date: nil)
  }

  public func write(_ edit: (Document?) -> Document?) throws(ListFileError) -> FileVersion {
    var result: Result<FileVersion, ListFileError>?
    coordinate(.writing) {
      do throws(ListFileError) {
        result = .success(try file.write(edit))
      } catch {
        result = .failure(error)
      }
    }
    return try (result ?? .failure(Self.refused)).get()
  }

  private static let refused = ListFileError(
    "The list was not opened: the system did not let this app at it. Nothing was changed. Try again.")
}

/// Versions of the file that the platform keeps beside it, unseen (NSFileVersion on Apple systems).
public struct ConflictVersions {
  /// One of them.
  public struct Version {
    /// What the file says in it.
    public let bytes: [UInt8]
    /// Marks it resolved: the list has, on the device, what it says.
    public let markResolved: () -> Void

    /// - Parameters: as the members.
    public init(bytes: [UInt8], markResolved: @escaping () -> Void) {
      self.bytes = bytes
      self.markResolved = markResolved
    }
  }

  /// Those that are not resolved.
  public let unresolved: () -> [Version]

  /// - Parameter unresolved: gives those that are not resolved.
  public init(unresolved: @escaping () -> [Version]) {
    self.unresolved = unresolved
  }

  /// For a platform that keeps none.
  public static var none: ConflictVersions { ConflictVersions { [] } }
}

/// Where the version that the app saw last is kept while the app does not run. It belongs into the store's own database,
/// saved with it: a base without its rows would read as if they had been deleted. The bytes are nobody else's business; while
/// an import gets into the store, they are two versions.
public struct BaseMemory {
  /// What was saved last; nil where nothing was.
  public let load: () throws(AppStoreError) -> [UInt8]?
  /// Replaces it, in one step.
  public let save: (_ bytes: [UInt8]) throws(AppStoreError) -> Void

  /// - Parameters: as the members.
  public init(
    load: @escaping () throws(AppStoreError) -> [UInt8]?,
    save: @escaping (_ bytes: [UInt8]) throws(AppStoreError) -> Void
  ) {
    self.load = load
    self.save = save
  }
}
