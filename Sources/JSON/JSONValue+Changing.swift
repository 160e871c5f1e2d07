// New values from old ones.
//
// A change copies the list of a container's entries, nothing below it: the entries themselves stay places in
// the source. The new container keeps its origin, from which `encoded(style:)` takes white space.

extension JSONValue {
  /// Where a new member goes.
  package enum Place: Sendable {
    case end
    case first
    /// Before the first member whose key is greater, keys compared as UTF-8 bytes.
    case sorted
    /// Before, or behind, the member with this key; at the end where there is none. Of duplicates the last is
    /// meant.
    case before(String)
    case after(String)
  }

  /// An object in which `key` has this value. The last member with this key, which is the one that counts,
  /// gets it in place; where there is none, a member is inserted. Any other value than an object is returned
  /// unchanged.
  package func setting(_ key: String, to value: JSONValue, at place: Place = .end) -> JSONValue {
    guard kind == .object else { return self }
    var members = memberList
    if let index = Self.lastIndex(of: key, in: members) {
      members[index].value = value
    } else {
      members.insert(
        RawMember(key: JSONValue(key), value: value), at: Self.index(of: place, for: key, in: members))
    }
    return JSONValue(.object(members, origin: origin))
  }

  /// An object without any member that has this key; the same value where there is none.
  package func removing(_ key: String) -> JSONValue {
    guard kind == .object else { return self }
    var key = key
    let members = memberList
    let kept = key.withUTF8 { key in members.filter { !$0.key.isString(key) } }
    return kept.count == members.count ? self : JSONValue(.object(kept, origin: origin))
  }

  /// An array with these elements in the layout of this one. Any other value than an array is returned
  /// unchanged.
  package func replacingElements(with elements: [JSONValue]) -> JSONValue {
    guard kind == .array else { return self }
    return JSONValue(.array(elements, origin: origin))
  }

  /// The parsed container that this value is, or came from.
  var origin: Origin? {
    switch content {
    case .source(let source, let node): source.isContainer(node) ? Origin(source: source, node: node) : nil
    case .array(_, let origin), .object(_, let origin): origin
    default: nil
    }
  }

  private static func lastIndex(of key: String, in members: [RawMember]) -> Int? {
    var key = key
    return key.withUTF8 { key in members.lastIndex { $0.key.isString(key) } }
  }

  private static func index(of place: Place, for key: String, in members: [RawMember]) -> Int {
    switch place {
    case .end: members.count
    case .first: 0
    case .sorted:
      members.firstIndex { $0.key.withExactBytes { key.utf8.lexicographicallyPrecedes($0) } } ?? members.count
    case .before(let other): lastIndex(of: other, in: members) ?? members.count
    case .after(let other): lastIndex(of: other, in: members).map { $0 + 1 } ?? members.count
    }
  }
}
