// Where a write puts what it takes out of the list's folder.
//
// Nothing that a person or another program wrote is removed before it is in the history or the archive. Where these
// cannot be written, an edit of single items goes on, and says so: what it would have removed stays where it is. An edit
// that could lose the list is refused instead, before anything is changed.
//
//     let keeping = try Safekeeping(place, of: folder, isRequired: false)
//     try keeping.keepRead(found.bytes, …)        // before it is displaced: what a merge after a crash is based on
//     if keeping.keep(displaced: leftOver) { … }  // only then the file may go
//     keeping.keepWritten(bytes, …)               // so that a foreign save cannot take its last copy
//     keeping.notice                              // what could not be done

import Platform
import ShoppingList

final class Safekeeping {
  /// Nil where there is none to be had.
  let history: History?
  private let isRequired: Bool
  private let folder: ListFolder
  private let place: HistoryPlace
  /// The ids of versions that this write has put into the history.
  private var kept: Set<String> = []
  private var failure: String?

  /// - Parameter isRequired: throws where nothing can be kept, here and in `keepRead`.
  init(_ place: HistoryPlace, of folder: ListFolder, isRequired: Bool) throws(StoreError) {
    self.place = place
    self.folder = folder
    self.isRequired = isRequired
    switch place {
    case .folder(let path):
      do {
        history = try History(in: path, ofList: folder.listPath, with: folder.syscalls, making: true)
        return
      } catch {
        history = nil
        failure = error.message
      }
    case .unknown:
      history = nil
      failure = "the home folder of this user is not known"
    case .nowhere:
      history = nil
    }
    if isRequired { throw folder.error(.noHistory(failure ?? "none is kept")) }
  }

  /// What could not be kept; nil when all was.
  var notice: Notice? { failure.map { .noHistory($0) } }

  /// Notes a failure for the notice.
  private func note(_ error: HistoryFailure) {
    if failure == nil { failure = error.message }
  }

  /// Keeps a version that was found, before anything is put in its place.
  ///
  /// - Parameters:
  ///   - source: where it stands; nil for a version that never was a file.
  ///   - isAside: it is to be on the device under another name before anything is put in its place.
  /// - Returns: whether it is in the history.
  func keepRead(
    _ bytes: [UInt8], id: String, source: VersionSource?, isAside: Bool = false
  ) throws(StoreError) -> Bool {
    if keepAside(bytes, id: id, source: source, synced: isRequired || !isAside) { return true }
    guard isRequired else { return false }
    throw folder.error(.noHistory(failure ?? "none is kept"))
  }

  /// The same where it is too late to refuse.
  ///
  /// - Parameter isPast: another version has taken its place by now; if the history has it, it stays where it is there.
  func keepAside(
    _ bytes: [UInt8], id: String, source: VersionSource? = nil, isPast: Bool = false, synced: Bool = true
  ) -> Bool {
    guard let history else { return false }
    if kept.contains(id) { return true }
    do {
      try history.keepFound(bytes, id: id, source: source, isPast: isPast, synced: synced)
      kept.insert(id)
      return true
    } catch {
      note(error)
      return false
    }
  }

  /// Keeps a version that was displaced as meant. False when it must stay where it is.
  func keep(displaced leftOver: LeftOver) -> Bool {
    place == .nowhere || keepAside(leftOver.bytes, id: leftOver.id, isPast: true)
  }

  /// Keeps the version that was written, from which and by which edit. False when there is a history, and it does not
  /// have the version.
  @discardableResult
  func keepWritten(
    _ bytes: [UInt8], id: String, replaced: String, label: String, source: VersionSource
  ) -> Bool {
    do {
      try history?.keepWritten(bytes, id: id, replaced: replaced, label: label, source: source)
      return true
    } catch {
      note(error)
      return false
    }
  }

  /// Puts something into the archive. False when it must stay where it is.
  func putAway(_ bytes: [UInt8], id: String, label: String) -> Bool {
    guard let history else { return false }
    do {
      try history.putAway(bytes, id: id, label: label)
      return true
    } catch {
      note(error)
      return false
    }
  }

  // MARK: Reading

  /// Whether the history has this version as one that an edit of ours made.
  func hasOurs(_ id: String) -> Bool { history?.names.contains { $0.id == id && $0.replaced != nil } ?? false }

  /// A version in the history as a list; nil where there is none, or it cannot be read now.
  func document(ofID id: String) -> Document? {
    guard let history else { return nil }
    do {
      return try history.document(ofID: id)
    } catch {
      note(error)
      return nil
    }
  }

  /// The first of these versions that is in the history and can be read. Each is read once: a lazy search would ask for
  /// the one that it has found a second time, and a disk may not answer twice.
  func document(ofFirst ids: [String]) -> Document? {
    for id in ids {
      if let document = document(ofID: id) { return document }
    }
    return nil
  }
}
