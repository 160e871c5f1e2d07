// The messages that were accepted and wait for their turn.
//
//     backlog.append(.message(request), cost: line.count)
//     backlog.cancel(id)                                 // what waits under this id is dropped
//     while let entry = backlog.next() { … }             // in the order of arrival
//
// A client may change its mind while its requests wait: what is cancelled before it was begun is never begun. Finding it
// takes no search, however much waits, but for the first time. `initialize` cannot be cancelled (the protocol forbids it),
// and it matters to what comes behind it.
//
// The entries of a batch wait one by one like all others; their answers meet in the `Batch` that they share, and go out
// together with the last.

import JSON

/// The queue of the session: first in, first out, with cancellation by id.
struct Backlog {
  /// A message whose turn has come.
  struct Entry {
    /// Nil when it was cancelled.
    var message: Message?
    let batch: Batch?
    fileprivate let cost: Int
  }

  /// What waits, behind what was served already.
  private var entries: [Entry] = []
  private var served = 0
  /// The number, counted from the first entry ever, of `entries[0]`.
  private var firstNumber = 0
  /// The numbers of the requests that wait, by their ids, in order. Nil before the first cancellation: most clients
  /// never cancel, and the first use of such a type would be a tenth of the time to the first answer.
  private var waiting: [RequestID: ArraySlice<Int>]?
  /// What an entry costs besides its text: a message that was read takes many times the memory of its short line.
  static let costPerEntry = 512

  /// What the entries that wait cost together, in bytes.
  private(set) var cost = 0

  var isEmpty: Bool { served == entries.count }

  mutating func append(_ message: Message, cost: Int, batch: Batch? = nil) {
    if waiting != nil { note(message, number: firstNumber + entries.count) }
    entries.append(Entry(message: message, batch: batch, cost: cost))
    self.cost += cost
  }

  /// Drops the requests that wait under this id.
  mutating func cancel(_ id: RequestID) {
    if waiting == nil {
      waiting = [:]
      for index in entries.indices.dropFirst(served) { note(entries[index].message, number: firstNumber + index) }
    }
    for number in waiting?.removeValue(forKey: id) ?? [] { entries[number - firstNumber].message = nil }
  }

  /// Lets the message be found by its id.
  private mutating func note(_ message: Message?, number: Int) {
    guard case .request(let request) = message, !request.isHandshake else { return }
    waiting?[request.identity, default: []].append(number)
  }

  /// Takes the first entry out; nil when none waits.
  mutating func next() -> Entry? {
    guard served < entries.count else { return nil }
    let entry = entries[served]
    entries[served].message = nil
    if case .request(let request) = entry.message, !request.isHandshake {
      waiting?[request.identity]?.removeFirst()
      if waiting?[request.identity]?.isEmpty == true { waiting?[request.identity] = nil }
    }
    served += 1
    cost -= entry.cost
    // Moving what waits to the front costs as much as it frees.
    if served * 2 >= entries.count {
      entries.removeFirst(served)
      firstNumber += served
      served = 0
    }
    return entry
  }
}

/// The answers of a batch, until all are there.
final class Batch {
  private var open: Int
  private var answers: [[UInt8]] = []

  /// - Parameter count: how many messages it has.
  init(count: Int) {
    open = count
  }

  /// Takes the answers to one more of its messages. The one frame that goes out when it was the last; none for a batch
  /// without any answer.
  func add(_ frames: [[UInt8]]) -> [[UInt8]] {
    answers += frames
    open -= 1
    return open > 0 || answers.isEmpty ? [] : [Frame.batch(answers)]
  }
}
