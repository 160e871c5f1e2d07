// How a server learns that its live resources show something else.
//
// The watching itself is somebody else's: a thread, the system's events, another process. It says "look again" by an
// `Event.fileChanged`, as often as it likes; whether there is anything to tell, the revision decides.

import Platform

/// The changes of all live resources of a server together. Belongs to the main thread.
package struct ResourceChanges {
  let start: () throws(Errno) -> Void
  let stop: () -> Void
  let revision: () -> String?

  /// - Parameters:
  ///   - start: begins to watch. Called when the first subscriber has come, and not again before `stop`.
  ///   - stop: ends it. Called when the last has gone.
  ///   - revision: what identifies all that the live resources show now; nil while they cannot be read.
  package init(
    start: @escaping () throws(Errno) -> Void, stop: @escaping () -> Void, revision: @escaping () -> String?
  ) {
    self.start = start
    self.stop = stop
    self.revision = revision
  }
}
