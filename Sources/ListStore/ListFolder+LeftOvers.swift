// What crashes have left beside the list, cleared up under the locks: before each write, what earlier ones left, and at
// its end what it has left itself. LeftOver.swift has the table.
//
// With the locks held no other writer of this machine is at work, so each temporary file of this machine is a left-over.
// Locks on their way to their name, of any machine, go when they are 60 s old. Other machines' temporary files are never
// touched besides: their writers may be at work, and a sync service slow.

import Platform

extension ListFolder {
  /// The names in the folder.
  func names() throws(StoreError) -> [String] {
    do {
      return try syscalls.readdir(descriptor)
    } catch {
      throw self.error(.failed(.read), error)
    }
  }

  /// The ids of versions that this program has made, by the names of temporary files among these.
  func versions(among names: [String]) -> [String] {
    names.compactMap { TemporaryName(parsing: $0, ofList: listName)?.versionID }
  }

  /// Whether one of the names is that of a version which a program of this machine is writing, or has left. Those of other
  /// machines come and stay as their sync service wants.
  func hasVersions(of process: @autoclosure () -> ProcessIdentity, among names: [String]) -> Bool {
    names.contains { name in
      guard let says = TemporaryName(parsing: name, ofList: listName), says.versionID != nil else { return false }
      return says.machine == process().machine
    }
  }

  /// The temporary files of this machine among these names, read. Those that cannot be read are told of.
  ///
  /// - Parameter change: the write that left them, of which some need not be read again.
  func leftOvers(
    among names: [String], of process: ProcessIdentity, after change: PendingChange? = nil,
    _ notices: inout [Notice]
  ) -> [LeftOver] {
    var leftOvers: [LeftOver] = []
    for name in names {
      guard let says = TemporaryName(parsing: name, ofList: listName), says.machine == process.machine,
        says.purpose != .lock
      else { continue }
      if says.purpose == .unfinished {
        leftOvers.append(LeftOver(name: name, says: says, bytes: []))
        continue
      }
      if let change, let found = change.found, name == change.displacedAsMeant {
        leftOvers.append(LeftOver(name: name, says: says, bytes: found.bytes, id: found.id))
        continue
      }
      do {
        switch try contents(of: name) {
        case .file(let bytes, _): leftOvers.append(LeftOver(name: name, says: says, bytes: bytes))
        case .tooLarge, .notAFile: notices.append(.unreadableLeftOver(name: name))
        }
      } catch .noEntry {
        // A sync service was quicker.
      } catch {
        notices.append(.unreadableLeftOver(name: name))
      }
    }
    return leftOvers
  }

  /// Removes what is left of locks on their way to their name.
  ///
  /// - Parameter time: Unix time in nanoseconds by the clock that stamps files in this folder.
  func clearLocks(among names: [String], at time: Int64) {
    for name in names {
      guard TemporaryName(parsing: name, ofList: listName)?.purpose == .lock else { continue }
      do {
        guard try time - syscalls.fstatat(descriptor, name).modified > Self.lockLifetime else { continue }
        try syscalls.unlinkat(descriptor, name)
      } catch {
        // Its owner was quicker, or it may not be removed: it is in nobody's way.
      }
    }
  }

  /// Clears up all left-overs but those that must be merged first.
  ///
  /// - Parameters:
  ///   - listID: the hash of the list's bytes, if they can be read.
  ///   - isOurs: whether a version is known to be one of ours, of which no copy is owed to anybody.
  /// - Returns: what cannot be cleared up.
  func clear(
    _ leftOvers: [LeftOver], listID: String?, into keeping: Safekeeping, _ notices: inout [Notice],
    isOurs: (_ id: String) -> Bool
  ) -> RemainingLeftOvers {
    var remaining = RemainingLeftOvers()
    let judged = leftOvers.map { (leftOver: $0, verdict: $0.judge(among: leftOvers, listID: listID)) }
    let bases = giveBases(
      judged.filter(\.verdict.isOthers).map(\.leftOver.name), among: leftOvers.map(\.says), in: keeping)
    let marks = bases.flatMap { bases in
      markMerged(
        judged.filter(\.verdict.isMerged).map { (bases[$0.leftOver.name] ?? $0.leftOver.name, $0.leftOver.id) })
    }
    for (leftOver, verdict) in judged {
      let name = bases?[leftOver.name] ?? leftOver.name
      switch verdict {
      case .merge(let theirs, let bases):
        remaining.unmerged.append(
          UnmergedVersion(leftOver: leftOver.renamed(name, ofList: listName), theirs: theirs, bases: bases))
      case .merged:
        guard let mark = marks?[name] else { continue }
        if keeping.putAway(leftOver.bytes, id: leftOver.id, label: "saved by another program during an edit") {
          remove(mark)
        } else {
          notices.append(.notPutAway(name: mark))
        }
      case .strange:
        if keeping.putAway(leftOver.bytes, id: leftOver.id, label: "left by an interrupted write") {
          remove(leftOver.name)
        } else {
          notices.append(.notPutAway(name: leftOver.name))
        }
      case .displaced, .remove: break
      }
    }
    // By the names of these the next write tells what could not be marked now.
    guard marks != nil else { return remaining }
    for (leftOver, verdict) in judged {
      switch verdict {
      case .remove:
        do { try syscalls.unlinkat(descriptor, leftOver.name) } catch .noEntry {} catch {
          notices.append(.unreadableLeftOver(name: leftOver.name))
        }
      case .displaced:
        if keeping.keep(displaced: leftOver) || isOurs(leftOver.id) {
          remove(leftOver.name)
        } else {
          remaining.unkept.append(leftOver)
        }
      case .merge, .merged, .strange: break
      }
    }
    return remaining
  }

  /// What cannot be removed now is cleared up by the next write.
  func remove(_ name: String) {
    do { try syscalls.unlinkat(descriptor, name) } catch {}
  }

  /// In nanoseconds.
  private static let lockLifetime: Int64 = 60_000_000_000
}
