import ListStore
import Platform

/// Tells a sync of each change of the file and of what lies beside it, by the system's own notifications (inotify,
/// kqueue), on a thread of its own. For an app whose platform has something better (NSMetadataQuery, which also hears of
/// downloads), that calls `ChangeSignals.fileChanged` instead.
public final class ListFileWatch {
  private let watch: ListWatch

  /// Touches nothing yet.
  ///
  /// - Parameters:
  ///   - path: of the list, absolute.
  ///   - signals: are told.
  public init(path: String, signals: ChangeSignals) {
    watch = ListWatch(path: path, syscalls: .live) {
      signals.fileChanged()
      return true
    }
  }

  /// Begins to watch; nothing where it has begun.
  public func start() throws(ListFileError) {
    do {
      try watch.start()
    } catch {
      throw ListFileError("Changes of the list cannot be watched: \(error.message) (\(error.name)).")
    }
  }

  /// Ends the watching. A signal that is under way may still come.
  public func stop() {
    watch.stop()
  }
}
