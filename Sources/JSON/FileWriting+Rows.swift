// New rows: objects that were made one like the other, as the entries of a list are.
//
// Nothing about such a row has to be looked up: what stands around its values is the same as in the row before. It is put
// together once, and a row is written into a piece of the stack, from where it goes to the output at once.

/// What stands around the values of a made object of made scalars.
final class RowForm {
  /// The keys as UTF-8, one behind the other.
  private let keys: [UInt8]
  /// What is written before each value, from the opening bracket or the comma to the colon, one behind the other.
  private let leads: [UInt8]
  /// Where each member's key ends in `keys`, and its lead in `leads`.
  private let ends: [(key: Int, lead: Int)]
  /// What is written behind the last value, the closing bracket included.
  private let tail: [UInt8]

  /// The form of an object with these members; nil unless all of them were made, and are scalars.
  init?(of members: [JSONValue.RawMember], _ layout: Layout, _ rules: EscapeRules) {
    var keys: [UInt8] = []
    var leads = [.openBrace] + layout.open
    var ends: [(key: Int, lead: Int)] = []
    for member in members {
      guard case .string(var key) = member.key.content, member.value.isMadeScalar else { return nil }
      if !ends.isEmpty { leads += layout.separator }
      key.withUTF8 { keys.append(contentsOf: $0) }
      leads.appendString(key, rules)
      leads += layout.colon
      ends.append((keys.count, leads.count))
    }
    self.keys = keys
    self.leads = leads
    self.ends = ends
    tail = layout.close + [.closeBrace]
  }

  /// About how many bytes a row takes. It is bounded, since rows to come may be of another form.
  var usualSize: Int { min(leads.count + 24 * ends.count, 1024) }

  /// Whether an object has these keys in this order, and made scalars as values.
  func fits(_ members: [JSONValue.RawMember]) -> Bool {
    guard members.count == ends.count else { return false }
    return keys.withUnsafeBufferPointer { keys in
      var start = 0
      for index in members.indices {
        guard case .string(var key) = members[index].key.content, members[index].value.isMadeScalar else {
          return false
        }
        let wanted = UnsafeBufferPointer(rebasing: keys[start..<ends[index].key])
        guard key.withUTF8({ $0.hasSameBytes(as: wanted) }) else { return false }
        start = ends[index].key
      }
      return true
    }
  }

  /// Appends an object that fits, behind what stands before it.
  func append(
    _ members: [JSONValue.RawMember], behind gap: ArraySlice<UInt8>, to output: inout [UInt8], _ rules: EscapeRules
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { room in
      var row = RowText(room)
      gap.withUnsafeBufferPointer { row.append($0, to: &output) }
      leads.withUnsafeBufferPointer { leads in
        var start = 0
        for index in members.indices {
          let end = ends[index].lead
          row.append(UnsafeBufferPointer(rebasing: leads[start..<end]), to: &output)
          start = end
          switch members[index].value.content {
          case .string(var string): string.withUTF8 { row.appendString($0, to: &output, rules) }
          case .bool(let bool): row.append(bool ? "true" : "false", to: &output)
          case .number(var text): text.withUTF8 { row.append($0, to: &output) }
          default: row.append("null", to: &output)
          }
        }
      }
      tail.withUnsafeBufferPointer { row.append($0, to: &output) }
      row.flush(to: &output)
    }
  }
}

/// Text on its way to the output, gathered in a piece of memory as long as it has room.
private struct RowText {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  /// Moves what was gathered to the output.
  mutating func flush(to output: inout [UInt8]) {
    output.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
    count = 0
  }

  @inline(__always)
  mutating func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    guard text.count <= room.count - count else {
      flush(to: &output)
      return output.append(contentsOf: text)
    }
    put(text)
  }

  @inline(__always)
  mutating func append(_ word: StaticString, to output: inout [UInt8]) {
    word.withUTF8Buffer { append($0, to: &output) }
  }

  /// Appends a string with its quotes.
  @inline(__always)
  mutating func appendString(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], _ rules: EscapeRules) {
    guard text.count + 2 <= room.count - count, !rules.escapesAny(of: text) else {
      flush(to: &output)
      return output.appendString(text, rules)
    }
    room[count] = .quote
    count += 1
    put(text)
    room[count] = .quote
    count += 1
  }

  /// The caller has checked that there is room.
  @inline(__always)
  private mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress, let target = room.baseAddress else { return }
    (target + count).initialize(from: source, count: text.count)
    count += text.count
  }
}
