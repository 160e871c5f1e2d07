// Names that tell what has become of a version of another program's, so that nothing else is needed to tell it.
//
// A temporary file's name says which version displaced which. Of the files that one write leaves, each name is a step of
// the way, and all together tell of a version on what base it is to be merged, and whether it was (LeftOver.swift). A file
// that goes while another stays, because a call failed or the power went, takes its step along: the other would be merged
// once more, or without a base, and bring back what it did not know to be deleted. So before any of them goes, those that
// matter get names that say it by themselves, and these are brought onto the device.

import Platform

extension ListFolder {
  /// Gives versions of others names that say on what base they are to be merged.
  ///
  /// - Parameters:
  ///   - names: theirs.
  ///   - all: what the names of all left-overs say.
  /// - Returns: their names from now on, by those that they had; nil when one could not be given its name.
  func giveBases(
    _ names: [String], among all: [TemporaryName], in keeping: Safekeeping
  ) -> [String: String]? {
    rename(names) { says in
      guard case .version(let holds, let displaces) = says.purpose else { return nil }
      let bases = TemporaryName.bases(from: displaces, among: all)
      // Most have been displaced by what was made of a version in the history.
      guard bases.count > 1, let base = bases.first(where: { keeping.document(ofID: $0) != nil }) else { return nil }
      return .version(holds: holds, displaces: base)
    }
  }

  /// Gives versions of others that are in the list by now names that say so.
  ///
  /// - Parameter merged: the names, and the hashes of what was merged.
  /// - Returns: their names from now on, by those that they had; nil when one could not be given its name.
  func markMerged(_ merged: [(name: String, id: String)]) -> [String: String]? {
    let ids = Dictionary(uniqueKeysWithValues: merged.map { ($0.name, $0.id) })
    return rename(merged.map(\.name)) { says in ids[says.text(ofList: listName)].map { .copy(holds: $0) } }
  }

  private func rename(
    _ names: [String], _ purpose: (TemporaryName) -> TemporaryName.Purpose?
  ) -> [String: String]? {
    var renamed: [String: String] = [:]
    var isChanged = false
    do {
      for name in names {
        renamed[name] = name
        guard let says = TemporaryName(parsing: name, ofList: listName), let purpose = purpose(says),
          purpose != says.purpose
        else { continue }
        let new = TemporaryName(machine: says.machine, random: says.random, purpose: purpose).text(ofList: listName)
        try syscalls.renameat(descriptor, name, descriptor, new)
        renamed[name] = new
        isChanged = true
      }
      if isChanged { try syscalls.synchronizeFolder(descriptor) }
      return renamed
    } catch {
      return nil
    }
  }

  /// Gives versions that were displaced, and that nothing would keep, the name of one that the given version has
  /// displaced: that tells the next write that the list is ours, and needs no copy when it is displaced in turn.
  func rename(_ unkept: [LeftOver], displacedBy id: String) {
    for leftOver in unkept {
      let renamed = TemporaryName(
        machine: leftOver.says.machine, random: leftOver.says.random,
        purpose: .version(holds: id, displaces: leftOver.id))
      guard renamed != leftOver.says else { continue }
      do {
        try syscalls.renameat(descriptor, leftOver.name, descriptor, renamed.text(ofList: listName))
      } catch {
        // One more file stays, then.
      }
    }
  }
}
