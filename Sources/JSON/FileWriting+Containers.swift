// Containers that are laid out again: changed ones, and new ones.

/// A container whose entries are being written.
final class OpenContainer {
  let isObject: Bool
  let layout: Layout
  /// The container of the source that shows the layout: this one as it was, or one whose place it takes. Nil where the
  /// style decides.
  let family: Family?
  /// Whether `family` is this container as it was.
  let hasHome: Bool
  /// What is the same for all entries.
  let place: FileWriter.Place
  /// The entry written last, as it stands in the source; nil if it was not an entry of the container as it was.
  var previous: Int?
  var isFirst = true
  private var elements: JSONValue.Elements.Iterator
  private var members: JSONValue.RawMembers.Iterator

  init(
    _ value: JSONValue, layout: Layout, family: Family?, hasHome: Bool, place: FileWriter.Place
  ) {
    isObject = value.kind == .object
    self.layout = layout
    self.family = family
    self.hasHome = hasHome
    self.place = place
    elements = value.elements.makeIterator()
    members = value.rawMembers.makeIterator()
  }

  struct Entry {
    /// Nil in an array.
    let key: JSONValue?
    let value: JSONValue
  }

  func next() -> Entry? {
    isObject
      ? members.next().map { Entry(key: $0.key, value: $0.value) }
      : elements.next().map { Entry(key: nil, value: $0) }
  }
}

extension FileWriter {
  /// Writes the opening bracket of a container with entries, or the whole of one without.
  mutating func open(_ value: JSONValue, _ place: Place) -> OpenContainer? {
    let isObject = value.kind == .object
    let own = node(of: value)
    var inner = place
    if let own, !place.isAtHome { inner.shift = shift(of: own) }
    if isObject ? value.rawMembers.isEmpty : value.elements.isEmpty {
      writeEmpty(isObject: isObject, own, inner)
      return nil
    }

    // A container that was empty shows no layout.
    let model = own ?? place.template
    let family = source.flatMap { source in
      model.flatMap { source.count($0) > 0 ? Family(of: $0, in: source) : nil }
    }
    let layout: Layout
    if let family {
      layout = Layout(of: family, style: style, shift: inner.shift)
      inner.ladder = nil
    } else if place.isInline || style.indent == nil {
      layout = StyleLadder.inline(style)
    } else {
      let ladder = place.ladder ?? ladderHere()
      let step = place.ladder == nil ? 0 : place.step
      layout = ladder.layout(at: step)
      inner.ladder = ladder
      inner.step = step + 1
    }
    inner.isInline = layout.isInline
    inner.template = nil
    append(isObject ? .openBrace : .openBracket)
    return OpenContainer(value, layout: layout, family: family, hasHome: own != nil, place: inner)
  }

  mutating func close(_ container: OpenContainer) {
    append(container.layout.close)
    append(container.isObject ? .closeBrace : .closeBracket)
  }

  /// - Parameters:
  ///   - own: the container that was changed.
  ///   - place: with the shift of that one.
  private mutating func writeEmpty(isObject: Bool, _ own: Int?, _ place: Place) {
    if let source, let own, source.count(own) == 0 { return copy(own, shift: place.shift) }
    append(isObject ? .openBrace : .openBracket)
    if style.emptyContainer == .blankLine, style.indent != nil, !place.isInline {
      let layout = place.ladder?.layout(at: place.step) ?? ladderHere().layout(at: 0)
      append(style.newline.utf8)
      append(layout.close)
    }
    append(isObject ? .closeBrace : .closeBracket)
  }

  /// Writes what stands before an entry's value, which is the gap to the entry before, and the key; and the value too if
  /// nothing about the entry was touched.
  ///
  /// - Returns: where the value is to be written; nil if it was.
  mutating func writeLead(of entry: OpenContainer.Entry, _ container: OpenContainer) -> Place? {
    let home = home(of: entry, container)
    writeGap(home, container)
    container.previous = home
    container.isFirst = false

    var place = container.place
    guard let source, let family = container.family, let home else {
      place.isAtHome = false
      if let key = entry.key {
        writeScalar(key)
        append(container.layout.colon)
        place.template = template(for: entry.value, key, container.family)
      } else {
        place.template = template(for: entry.value, container.family)
      }
      return place
    }
    let old = family.value(of: home)
    place.isAtHome = node(of: entry.value) == old
    if place.isAtHome, place.shift == nil, case .source = entry.value.content {
      copy(source.start(home)..<source.end(old))
      return nil
    }
    copy(source.start(home)..<source.start(old), shift: place.shift)
    if !place.isAtHome {
      place.template = template(for: entry.value, replacing: old) ?? template(for: entry.value, family)
    }
    return place
  }

  /// The entry of the container as it was that an entry is, or was changed from.
  private func home(of entry: OpenContainer.Entry, _ container: OpenContainer) -> Int? {
    guard container.hasHome, let node = node(of: entry.key ?? entry.value),
      container.family?.isEntry(node) == true
    else { return nil }
    return node
  }

  /// Writes what stands before an entry: between two that were neighbours, what stood between them.
  ///
  /// - Parameter home: the entry, if it is one of the container as it was.
  private mutating func writeGap(_ home: Int?, _ container: OpenContainer) {
    if container.isFirst {
      append(container.layout.open)
    } else if let source, let family = container.family, let previous = container.previous, let home,
      family.entry(behind: previous) == home
    {
      copy(source.end(family.value(of: previous))..<source.start(home), shift: container.place.shift)
    } else {
      append(container.layout.separator)
    }
  }

  // MARK: - Templates

  /// A sibling in the source whose layout a new container takes.
  private func template(for value: JSONValue, _ family: Family?) -> Int? {
    guard let family, let kind = EntryKind(needingTemplate: value), node(of: value) == nil else { return nil }
    return family.sibling(of: kind)
  }

  /// The same for the value of a new member: first the sibling with the same key.
  private func template(for value: JSONValue, _ key: JSONValue, _ family: Family?) -> Int? {
    guard let source, let family, EntryKind(needingTemplate: value) != nil else { return nil }
    let namesake = key.withExactBytes { source.lastEntry(of: family.container, key: $0) }
    return namesake.flatMap { template(for: value, replacing: source.value(ofKey: $0)) }
      ?? template(for: value, family)
  }

  /// The container that a new one stands in for, if it is of the same kind.
  private func template(for value: JSONValue, replacing old: Int) -> Int? {
    guard let source, source.isContainer(old), source.count(old) > 0, source.kind(old) == value.kind else {
      return nil
    }
    return old
  }
}
