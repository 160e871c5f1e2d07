// Waiting for something to change in folders and files, with an end that another thread can make.
//
//     let (stop, stopper) = try FolderWatch.makeStop()   // whoever may end the waits keeps `stopper`, and closes it
//     var watch = FolderWatch(stop: stop)
//     try watch.add("/home/ann/Lists")
//     switch watch.wait(milliseconds: 30_000) { … }      // .changed, .timedOut, .stopped
//
// A change says nothing but "look again": names, kinds and order of what happened differ from system to system, and all
// of them may drop some of it. So a watch is good for one change. Whoever has seen one makes the next watch, and then
// looks: what happened before that watch was there is seen by the look, what happens after it ends the next wait.
//
// What is on a network file system, or comes from a program of the user (FUSE), may change without a word. Nobody here
// knows: the caller looks by itself now and then (`FileSystemStatus.mayChangeUnseen`).

import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Changes of some folders and files, reported by the system (inotify; kqueue on Apple systems).
package struct FolderWatch: ~Copyable {
  /// What ended a wait.
  package enum Wake: Hashable, Sendable {
    case changed, timedOut, stopped
  }

  /// -1 where the system has no watch for us: then nothing can be added, and waits end by time or by the stop.
  private let watch: Int32
  private let stop: Int32
  /// What the system needs open as long as it is watched.
  private var opened: [Int32] = []

  /// `stop` ends every wait once the other end of its pipe is closed.
  package init(stop: Int32) {
    watch = cplatform_watch_open(stop)
    self.stop = stop
  }

  deinit {
    for descriptor in opened + [watch] where descriptor >= 0 { close(descriptor) }
  }

  /// Watches a folder's names, or a file's content. Fails also where this user has no watch left (ENOSPC, EMFILE).
  package mutating func add(_ path: String) throws(Errno) {
    let descriptor = cplatform_watch_add(watch, path)
    guard descriptor >= 0 else { throw .last }
    if descriptor > 0 { opened.append(descriptor) }
  }

  /// Waits for a change, at most so many milliseconds.
  package func wait(milliseconds: Int32) -> Wake {
    Self.wait(for: watch, stop, milliseconds)
  }

  /// Waits for the time to pass, whatever changes, or for the stop.
  package func pause(milliseconds: Int32) -> Wake {
    Self.wait(for: -1, stop, milliseconds)
  }

  private static func wait(for watch: Int32, _ stop: Int32, _ milliseconds: Int32) -> Wake {
    switch cplatform_watch_wait(watch, stop, milliseconds) {
    case CPLATFORM_WATCH_CHANGED: .changed
    case CPLATFORM_WATCH_STOPPED: .stopped
    case CPLATFORM_WATCH_TIMED_OUT: .timedOut
    // Looking once too often does no harm; a wait that cannot be made at all must not become a loop without one.
    default: Errno.last == .interrupted ? .changed : .stopped
    }
  }

  /// A pipe for ending waits: both ends are the caller's to close.
  package static func makeStop() throws(Errno) -> (stop: Int32, stopper: Int32) {
    var ends: [Int32] = [-1, -1]
    guard cplatform_pipe(&ends) == 0 else { throw .last }
    return (ends[0], ends[1])
  }
}
