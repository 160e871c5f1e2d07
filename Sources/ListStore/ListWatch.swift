// Watching for changes of the list that others make, on a thread of its own.
//
//     let watch = ListWatch(path: location.path, syscalls: syscalls) { queue.push(.fileChanged, cost: 0) }
//     try watch.start()      // the first subscriber has come
//     watch.stop()           // the last has gone
//
// `changed` is called on the watcher's thread, and says only "look again": whether anything that matters is different,
// the reader of the list finds out. It is called at least once after each change, once right after the start, and at most
// every 50 ms: what happens in bursts (a temporary file, an exchange, a lock that comes and goes) is one call.
//
// What is watched is all that decides what the path leads to:
// - the folder that the path names, where the list may be a symbolic link that is replaced;
// - the folder of the file that it leads to, where the file is replaced and conflict copies appear;
// - the file itself, which may be written in place, or through another of its names.
// Each change makes all this anew: the path may lead elsewhere by now. Where a part of it is missing (the folder vanished,
// or is yet to be made), where this user has no watches left, and where changes come without a word (network file systems),
// the watcher looks by itself once a second; else every half minute, since a folder above may have been moved.
//
// The thread touches nothing of the list but its status, and shares nothing with others but the pipe that ends it.

import Platform

/// The watcher of one list. One thread owns it.
package final class ListWatch {
  /// How long the watcher waits for what.
  package struct Pace: Sendable {
    /// How long a burst is left to end, in milliseconds.
    package var burst: Int32 = 50
    /// Between two looks where the system tells nothing, in milliseconds.
    package var untold: Int32 = 1_000
    /// Between two looks where it tells, in milliseconds.
    package var told: Int32 = 30_000

    package init() {}
  }

  private let watcher: Watcher
  /// The end of the pipe by which the running thread is ended; nil while none runs.
  private var stopper: OwnedDescriptor?

  /// - Parameter changed: false ends the watching.
  package init(
    path: String, syscalls: Syscalls, pace: Pace = Pace(), changed: @escaping @Sendable () -> Bool
  ) {
    watcher = Watcher(path: path, syscalls: syscalls, pace: pace, changed: changed)
  }

  /// Begins to watch; nothing where it has begun.
  package func start() throws(Errno) {
    guard stopper == nil else { return }
    let ends = try FolderWatch.makeStop()
    let stopper = OwnedDescriptor(owning: ends.stopper, with: watcher.syscalls)
    do throws(Errno) {
      try Threads.start("watcher") { [watcher] in watcher.run(until: ends.stop) }
    } catch {
      // The thread would have closed it.
      _ = OwnedDescriptor(owning: ends.stop, with: watcher.syscalls)
      throw error
    }
    self.stopper = consume stopper
  }

  /// Ends the watching. A call of `changed` that has begun may still come.
  package func stop() {
    stopper = nil
  }
}

/// What the watcher's thread does.
private struct Watcher: Sendable {
  let path: String
  let syscalls: Syscalls
  let pace: ListWatch.Pace
  let changed: @Sendable () -> Bool

  /// Watches until the other end of `stop` is closed; closes `stop`.
  func run(until stop: Int32) {
    let stop = OwnedDescriptor(owning: stop, with: syscalls)
    while true {
      // First the watch, then the look: nothing can be missed between them.
      var watch = FolderWatch(stop: stop.descriptor)
      let isTold = watchAll(&watch)
      let sighting = Sighting(of: path, with: syscalls)
      guard changed(), wait(for: watch, isTold: isTold, toDifferFrom: sighting) else { return }
      guard watch.pause(milliseconds: pace.burst) != .stopped else { return }
    }
  }

  /// Adds all there is to watch; false when a part of it cannot be watched.
  private func watchAll(_ watch: inout FolderWatch) -> Bool {
    do {
      let folder = try ListFolder(opening: path, with: syscalls)
      guard try !syscalls.fstatfs(folder.descriptor).mayChangeUnseen else { return false }
      try watch.add(ListFolder.split(path).folder)
      try watch.add(ListFolder.split(folder.listPath).folder)
      if try folder.status(of: folder.listName) != nil { try watch.add(folder.listPath) }
      return true
    } catch {
      return false
    }
  }

  /// Waits for something to happen; false when it is the stop.
  private func wait(
    for watch: borrowing FolderWatch, isTold: Bool, toDifferFrom sighting: Sighting
  ) -> Bool {
    while true {
      switch watch.wait(milliseconds: isTold ? pace.told : pace.untold) {
      case .stopped: return false
      case .changed: return true
      case .timedOut: if Sighting(of: path, with: syscalls) != sighting { return true }
      }
    }
  }
}

/// What can be seen of the list without reading it: equal for two looks as long as nothing was told.
private struct Sighting: Equatable {
  private var path: String?
  private var folder: FileStatus?
  private var list: FileStatus?

  init(of path: String, with syscalls: Syscalls) {
    do {
      let found = try ListFolder(opening: path, with: syscalls)
      self.path = found.listPath
      folder = try syscalls.fstat(found.descriptor)
      list = try found.status(of: found.listName)
    } catch {
      // What cannot be looked at looks the same until it can.
    }
  }
}
