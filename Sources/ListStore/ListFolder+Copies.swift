// The conflict copies beside the list: found and read before the list, put away after their merge was written.

import Platform
import ShoppingList

/// A version of the list that a sync service laid beside it, or one that the user named.
struct ConflictCopy {
  let name: String
  let bytes: [UInt8]
  /// The hash of the bytes.
  let id: String
  let document: Document
}

struct ConflictCopies {
  var found: [ConflictCopy] = []
  /// What lies there besides, for the user to know.
  var notices: [Notice] = []
}

extension ListFolder {
  /// More copies than this, or more bytes than `maximumSize` together, are left for the next time.
  static let maximumCopies = 20

  /// - Parameter absorbed: the name of a file that is to be merged as if it were a copy; it is an error if it cannot be.
  func conflictCopies(among names: [String], absorbing absorbed: String? = nil) throws(StoreError)
    -> ConflictCopies
  {
    var copies = ConflictCopies()
    var bytesLeft = maximumSize
    if let absorbed {
      switch copy(absorbed, within: bytesLeft) {
      case .success(let copy):
        copies.found.append(copy)
        bytesLeft -= copy.bytes.count
      case .failure(let refusal): throw error(.notAbsorbed(name: absorbed, why: refusal.why), refusal.errno)
      }
    }
    var possible: [String] = []
    for name in names.sorted() where name != absorbed {
      switch ConflictCopyName.judge(name, ofList: listName) {
      case nil: continue
      case .ambiguous:
        if try status(of: name)?.kind == .file { possible.append(name) }
      case .taken:
        guard copies.found.count < Self.maximumCopies else {
          copies.notices.append(
            .unusableCopy(name: name, why: "there are too many of them to merge all at once"))
          continue
        }
        switch copy(name, within: bytesLeft) {
        case .success(let copy):
          copies.found.append(copy)
          bytesLeft -= copy.bytes.count
        case .failure(let refusal) where refusal.errno == .noEntry: break  // put away by another writer meanwhile
        case .failure(let refusal): copies.notices.append(.unusableCopy(name: name, why: refusal.why))
        }
      }
    }
    if !possible.isEmpty {
      copies.notices.append(.possibleCopies(possible, folder: Self.split(listPath).folder))
    }
    return copies
  }

  /// Those of the names that are a conflict copy's, whatever the files hold.
  func conflictCopyNames(among names: [String]) -> Set<String> {
    Set(names.filter { ConflictCopyName.judge($0, ofList: listName) == .taken })
  }

  /// Whether conflict copies lie there besides those of these names.
  func hasConflictCopies(besides known: Set<String>) throws(StoreError) -> Bool {
    try !conflictCopyNames(among: names()).isSubset(of: known)
  }

  /// Why a file is no copy that can be merged.
  struct CopyRefusal: Error {
    let why: String
    var errno: Errno?
  }

  private func copy(_ name: String, within limit: Int) -> Result<ConflictCopy, CopyRefusal> {
    do {
      switch try contents(of: name) {
      case .notAFile: return .failure(CopyRefusal(why: "it is no file"))
      case .tooLarge: return .failure(CopyRefusal(why: "it is larger than a list can be"))
      case .file(let bytes, _):
        guard bytes.count <= limit else {
          return .failure(CopyRefusal(why: "the copies are together larger than a list can be"))
        }
        return decode(bytes, name)
      }
    } catch .symbolicLinkLoop {
      return .failure(CopyRefusal(why: "it is a symbolic link"))
    } catch {
      return .failure(CopyRefusal(why: "it cannot be read: \(error.message)", errno: error))
    }
  }

  private func decode(_ bytes: [UInt8], _ name: String) -> Result<ConflictCopy, CopyRefusal> {
    do {
      let document = try Document(decoding: bytes)
      return .success(
        ConflictCopy(name: name, bytes: bytes, id: TemporaryName.hash(bytes), document: document))
    } catch {
      return .failure(CopyRefusal(why: "it \(error.message)"))
    }
  }

  // MARK: Putting away

  /// Puts a copy into the archive, now that the list holds what it held: first a copy of it goes there, then it gets a
  /// name that says so, then it is read again, and only if it is what was merged, removed. One that changed at the last
  /// moment gets its name back. False when it stays.
  func putAway(_ copy: ConflictCopy, of process: ProcessIdentity, into keeping: Safekeeping) -> Bool {
    guard keeping.putAway(copy.bytes, id: copy.id, label: "conflict copy \(copy.name)") else { return false }
    let name = TemporaryName(.copy(holds: copy.id), machine: process.machine, syscalls: syscalls)
      .text(ofList: listName)
    do {
      try syscalls.renameat(descriptor, copy.name, descriptor, name)
      if case .file(copy.bytes, _) = try contents(of: name) {
        remove(name)
        return true
      }
      try syscalls.renameNoReplace(descriptor, name, descriptor, copy.name)
      return false
    } catch .noEntry {
      return true
    } catch {
      // Under either name it is merged again by the next write, as far as it must be.
      return false
    }
  }
}
