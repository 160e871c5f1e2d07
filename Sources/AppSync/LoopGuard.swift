// What keeps an app from talking to itself.
//
// Import changes the store, the change triggers an export, the export is synced back and imported: each step is right,
// and together they never end. Five layers cut the circle, each for another order of events, and the revision check
// stands beside them:
//
// | layer               | guards | rule                                                                                |
// | 1 whileImporting    | export | none while an import is being applied                                               |
// | 2 afterImport       | export | none within 5 s after one ended: observers tell of its changes late                  |
// | 3 afterExport       | import | a change of the file within 2 s after our own export is dropped                      |
// | 4 ownDate           | import | one whose modification date is exactly that of our own last export is dropped        |
// | 5 notNewer          | import | one that is not newer than the last one imported is dropped                          |
// | the revision check  | both   | what says the same as what was seen last is not taken for a change, whatever its date |
//
// Dropped is never lost: whoever drops an event looks again when its window is over, and compares contents then.
//
// With the revision check the layers 4 and 5 have a say only where there are no contents to compare, since the file is
// not downloaded: a date alone never makes another revision an echo. Without it, which only the simulation does
// (Tests/Simulation), an event that no layer drops is believed: the whole file is read in, all rows are exported.
//
// Times are nanoseconds of a monotonic clock, as `AppClock.monotonic` gives them. Any thread may ask.

import Platform

/// The five layers, and the revision check.
public struct LoopChecks: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Layer 1: no export while an import is being applied.
  public static let whileImporting = LoopChecks(rawValue: 1)
  /// Layer 2: none within 5 s after one ended.
  public static let afterImport = LoopChecks(rawValue: 2)
  /// Layer 3: no import within 2 s after an export of our own.
  public static let afterExport = LoopChecks(rawValue: 4)
  /// Layer 4: none of a file that has exactly the date of our own last export.
  public static let ownDate = LoopChecks(rawValue: 8)
  /// Layer 5: none of a file that is not newer than the last one imported.
  public static let notNewer = LoopChecks(rawValue: 16)
  /// What says the same as what was seen last is no change.
  public static let revision = LoopChecks(rawValue: 32)

  /// What an app uses.
  public static let all: LoopChecks = [.whileImporting, .afterImport, .afterExport, .ownDate, .notNewer, .revision]
}

/// What becomes of an event.
public enum LoopVerdict: Hashable, Sendable {
  /// It is acted on.
  case passes
  /// It is dropped, and looked at again at this time; nil: when the import that is being applied has ended.
  case dropped(lookAgain: UInt64?)
}

/// The guard of one store and one file.
public final class LoopGuard: Sendable {
  /// How long after an import nothing is exported, in nanoseconds.
  public static let importWindow: UInt64 = 5_000_000_000
  /// How long after an export nothing is imported, in nanoseconds.
  public static let exportWindow: UInt64 = 2_000_000_000

  private struct Memory: Sendable {
    var importsUnderWay = 0
    var exportsUnderWay = 0
    var importEnded: UInt64?
    var exportEnded: UInt64?
    var exportedDate: Int64?
    var importedDate: Int64?
  }

  /// What is looked at.
  public let checks: LoopChecks
  private let memory = Guarded(Memory())

  /// - Parameter checks: what is looked at; an app leaves nothing out.
  public init(checks: LoopChecks = .all) {
    self.checks = checks
  }

  // MARK: Exports

  /// Whether the store may be exported because of a change that was just noted.
  public func judgeExport(at now: UInt64) -> LoopVerdict {
    memory.withLock { memory in
      if checks.contains(.whileImporting), memory.importsUnderWay > 0 { return .dropped(lookAgain: nil) }
      if checks.contains(.afterImport), let ended = memory.importEnded, now < ended &+ Self.importWindow {
        return .dropped(lookAgain: ended &+ Self.importWindow)
      }
      return .passes
    }
  }

  /// An export begins; an import waits until it has ended.
  public func beginExport() {
    memory.withLock { $0.exportsUnderWay += 1 }
  }

  /// An export has ended.
  ///
  /// - Parameter date: the modification date that the file has by it, in nanoseconds of Unix time; nil where the file was
  ///   not written.
  public func endExport(at now: UInt64, date: Int64?) {
    memory.withLock { memory in
      memory.exportsUnderWay -= 1
      guard let date else { return }
      memory.exportEnded = now
      memory.exportedDate = date
    }
  }

  // MARK: Imports

  /// Whether the file may be read because of an event that has just come.
  public func judgeReading(at now: UInt64) -> LoopVerdict {
    memory.withLock { memory in
      if memory.exportsUnderWay > 0 { return .dropped(lookAgain: now &+ Self.exportWindow) }
      if checks.contains(.afterExport), let ended = memory.exportEnded, now < ended &+ Self.exportWindow {
        return .dropped(lookAgain: ended &+ Self.exportWindow)
      }
      return .passes
    }
  }

  /// Whether the file is new by its date, where its contents are not there to be compared.
  ///
  /// - Parameter date: its modification date, in nanoseconds of Unix time.
  public func judgeImport(date: Int64, at now: UInt64) -> LoopVerdict {
    memory.withLock { memory in
      let isOwn = checks.contains(.ownDate) && date == memory.exportedDate
      let isOld = checks.contains(.notNewer) && memory.importedDate.map { date <= $0 } ?? false
      return isOwn || isOld ? .dropped(lookAgain: now &+ Self.exportWindow) : .passes
    }
  }

  /// An import begins to be applied. Imports may nest.
  public func beginImport() {
    memory.withLock { $0.importsUnderWay += 1 }
  }

  /// An import was applied, or failed.
  ///
  /// - Parameter date: the modification date of what was imported, in nanoseconds of Unix time; nil where nothing was.
  public func endImport(at now: UInt64, date: Int64?) {
    memory.withLock { memory in
      memory.importsUnderWay -= 1
      memory.importEnded = now
      if let date { memory.importedDate = date }
    }
  }
}
