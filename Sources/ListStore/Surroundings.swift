// What a write finds beside the list, and what it leaves there: nothing, as a rule.

import Platform
import ShoppingList

struct Surroundings {
  var copies: [ConflictCopy] = []
  /// The names of all that lay there as copies, also of what cannot be merged.
  var copyNames: Set<String> = []
  var leftOvers = RemainingLeftOvers()
  /// The ids of versions of ours, by the names of the files that they left.
  var ours: Set<String> = []
  var notices: [Notice] = []

  /// In an order that does not depend on that of the folder.
  var unmerged: [UnmergedVersion] {
    get { leftOvers.unmerged }
    set { leftOvers.unmerged = newValue }
  }

  /// What of it is in the list once it is written, and was not asked for.
  func mergeNotices(absorbed: String?) -> [Notice] {
    let names = copies.map(\.name).filter { $0 != absorbed }
    return (names.isEmpty ? [] : [.mergedCopies(names)]) + (unmerged.isEmpty ? [] : [.mergedOverlap])
  }
}

/// The left-overs that could not be cleared up.
struct RemainingLeftOvers {
  var unmerged: [UnmergedVersion] = []
  /// Versions that were displaced as meant, and of which there is no other copy.
  var unkept: [LeftOver] = []
}

/// Another program's version that an interrupted write displaced and did not merge.
struct UnmergedVersion {
  let leftOver: LeftOver
  let theirs: Document
  /// On the base of which versions it may be merged; the first that is known counts.
  let bases: [String]
}

extension Store {
  /// Clears up what earlier writes have left, and reads what is to be merged.
  func lookAround(
    _ folder: ListFolder, _ held: HeldLock, _ request: WriteRequest, _ keeping: Safekeeping
  ) throws(StoreError) -> Surroundings {
    var found = Surroundings()
    let names = try folder.names()
    folder.clearLocks(among: names, at: held.fileSystemTime)
    let leftOvers = folder.leftOvers(among: names, of: lock.process, &found.notices)
    found.ours = Set(leftOvers.compactMap(\.says.versionID) + [lastWritten?.id].compactMap(\.self))
    if !leftOvers.isEmpty {
      let list = list(in: folder)
      noteMet(leftOvers, keeping)
      if let list { keepInterrupted(list, leftOvers, in: folder, keeping) }
      found.leftOvers = folder.clear(
        leftOvers, listID: list?.id, into: keeping, &found.notices, isOurs: found.ours.contains)
      found.unmerged.sort { $0.leftOver.id < $1.leftOver.id }
    }
    let copies = try folder.conflictCopies(among: names, absorbing: request.absorbed)
    found.copies = copies.found
    found.copyNames = folder.conflictCopyNames(among: names)
    found.notices += copies.notices
    return found
  }

  /// Nil where there is no list, or none that can be read: what is wrong with it is found out when it is read in earnest.
  private func list(in folder: ListFolder) -> FoundList? {
    do { return try folder.readList() } catch { return nil }
  }

  /// Notes what interrupted writes have met, and what had been done by then: who merges it is to tell what it lacks.
  private func noteMet(_ leftOvers: [LeftOver], _ keeping: Safekeeping) {
    for leftOver in leftOvers where met?.lists[leftOver.id] == nil {
      guard let list = leftOver.foreignList, let recent = met?.recent ?? recentEdits(in: keeping.history)
      else { continue }
      met = (recent, (met?.lists ?? [:]).merging([leftOver.id: list]) { known, _ in known })
    }
  }

  /// Tells the history of a version that an interrupted write put in place, as that write would have done at its end: or
  /// it would be taken for another program's, and the edits before it for dropped by that.
  private func keepInterrupted(
    _ list: FoundList, _ leftOvers: [LeftOver], in folder: ListFolder, _ keeping: Safekeeping
  ) {
    for leftOver in leftOvers {
      guard case .version(list.id, let displaced) = leftOver.says.purpose, leftOver.hasDisplaced else { continue }
      let known = keeping.history?.names.first { $0.id == list.id && $0.replaced == displaced }?.label
      keeping.keepWritten(
        list.bytes, id: list.id, replaced: displaced, label: known ?? "an edit that was interrupted",
        source: VersionSource(folder: folder.descriptor, name: folder.listName, status: list.status))
      return
    }
  }

  /// Gives the versions that are to be merged names that tell, after a crash in the middle, whether they were: as if they
  /// had been displaced by the very version that the write is to displace.
  func renameForMerging(
    _ unmerged: inout [UnmergedVersion], displacing id: String, in folder: ListFolder, _ keeping: Safekeeping
  ) {
    for (place, version) in unmerged.enumerated() {
      let says = version.leftOver.says
      guard case .version(let holds, let displaces) = says.purpose, holds != id else { continue }
      let base = version.bases.first { keeping.document(ofID: $0) != nil } ?? displaces
      let renamed = TemporaryName(
        machine: says.machine, random: says.random, purpose: .version(holds: id, displaces: base))
      let name = renamed.text(ofList: folder.listName)
      do {
        try syscalls.renameat(folder.descriptor, version.leftOver.name, folder.descriptor, name)
        unmerged[place] = UnmergedVersion(
          leftOver: LeftOver(name: name, says: renamed, bytes: version.leftOver.bytes),
          theirs: version.theirs,
          bases: [base])
      } catch {
        // Then it may be merged once more; its rows are older than what was done to them since.
      }
    }
  }

  /// Clears up what this write has left, and what it has found and merged.
  func clearUp(
    after change: PendingChange, _ surroundings: inout Surroundings, in folder: ListFolder,
    _ keeping: Safekeeping
  ) {
    var merged = change.merged
    for version in surroundings.unmerged { merged[version.leftOver.name] = version.leftOver.id }
    // What cannot be marked is left to the next write, with all that belongs to it.
    if let marks = marks(merged, in: folder, keeping) {
      let names = marks + change.temporaries.filter { merged[$0] == nil }
      let leftOvers = folder.leftOvers(
        among: names, of: lock.process, after: change, &surroundings.notices)
      let remaining = folder.clear(
        leftOvers, listID: change.versions.last?.id ?? change.foundID, into: keeping, &surroundings.notices,
        isOurs: surroundings.ours.contains)
      if let version = change.versions.last {
        folder.rename(surroundings.leftOvers.unkept + remaining.unkept, displacedBy: version.id)
      }
    }
  }

  /// The names that versions of others get, now that the list has what they held; nil when one could not be marked.
  private func marks(_ merged: [String: String], in folder: ListFolder, _ keeping: Safekeeping) -> [String]? {
    let all = merged.keys.compactMap { TemporaryName(parsing: $0, ofList: folder.listName) }
    guard let bases = folder.giveBases(merged.keys.sorted(), among: all, in: keeping),
      let marks = folder.markMerged(bases.sorted { $0.key < $1.key }.map { ($0.value, merged[$0.key] ?? "") })
    else { return nil }
    return Array(marks.values)
  }

  /// Puts the conflict copies away, now that the list has what they held.
  func putAwayCopies(_ surroundings: inout Surroundings, in folder: ListFolder, _ keeping: Safekeeping) {
    guard !surroundings.copies.isEmpty else { return }
    for copy in surroundings.copies where !folder.putAway(copy, of: lock.process, into: keeping) {
      surroundings.notices.append(.notPutAway(name: copy.name))
    }
    // A name that comes back with the power is merged again, and brings nothing new.
    do { try syscalls.synchronizeFolder(folder.descriptor) } catch {}
  }
}
