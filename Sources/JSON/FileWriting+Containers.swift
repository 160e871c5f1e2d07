// Containers that are laid out again: changed ones, and new ones.

extension FileWriter {
  mutating func writeContainer(_ value: JSONValue, _ place: Place) {
    let isObject = value.kind == .object
    let isEmpty = isObject ? value.rawMembers.isEmpty : value.elements.isEmpty
    let own = node(of: value)
    var inner = place
    if let own, !place.isAtHome { inner.shift = shift(of: own) }
    if isEmpty { return writeEmpty(isObject: isObject, own, inner) }

    // What shows the layout: the container itself as it was, or the one whose place a new one takes. A container that
    // was empty shows none.
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
    append(isObject ? .openBrace : .openBracket)
    if isObject {
      writeMembers(of: value, layout, family, hasHome: own != nil, inner)
    } else {
      writeElements(of: value, layout, family, hasHome: own != nil, inner)
    }
    append(layout.close)
    append(isObject ? .closeBrace : .closeBracket)
  }

  /// - Parameters:
  ///   - own: the container that was changed.
  ///   - place: with the shift of that one.
  private mutating func writeEmpty(isObject: Bool, _ own: Int?, _ place: Place) {
    if let source, let own, source.count(own) == 0 { return copy(own, shift: place.shift) }
    append(isObject ? .openBrace : .openBracket)
    if style.emptyContainer == .blankLine, style.indent != nil, !place.isInline {
      append(style.newline.utf8)
      append(place.ladder?.layout(at: place.step).close ?? ladderHere().layout(at: 0).close)
    }
    append(isObject ? .closeBrace : .closeBracket)
  }

  /// - Parameters:
  ///   - family: the entries of the container that shows the layout.
  ///   - hasHome: whether that is the container itself as it was, not one whose place it takes.
  private mutating func writeElements(
    of array: JSONValue, _ layout: Layout, _ family: Family?, hasHome: Bool, _ place: Place
  ) {
    var place = place
    var previous: Int?
    var isFirst = true
    for element in array.elements {
      var home: Int?
      if hasHome, let node = node(of: element), family?.isEntry(node) == true { home = node }
      writeGap(isFirst: isFirst, previous, home, layout, family, place.shift)
      place.isAtHome = home != nil
      place.template = template(for: element, family)
      write(element, place)
      previous = home
      isFirst = false
    }
  }

  private mutating func writeMembers(
    of object: JSONValue, _ layout: Layout, _ family: Family?, hasHome: Bool, _ place: Place
  ) {
    var place = place
    var previous: Int?
    var isFirst = true
    for member in object.rawMembers {
      var home: Int?
      if hasHome, let node = node(of: member.key), family?.isEntry(node) == true { home = node }
      writeGap(isFirst: isFirst, previous, home, layout, family, place.shift)
      place.isAtHome = true
      write(member.key, place)
      if let source, let home {
        let old = source.value(ofKey: home)
        copy(source.end(home)..<source.start(old), shift: place.shift)
        place.isAtHome = node(of: member.value) == old
        place.template = template(for: member.value, replacing: old) ?? template(for: member.value, family)
      } else {
        append(layout.colon)
        place.isAtHome = false
        place.template = template(for: member, family)
      }
      write(member.value, place)
      previous = home
      isFirst = false
    }
  }

  /// Writes what stands before an entry: between two that were neighbours, what stood between them.
  ///
  /// - Parameters:
  ///   - previous: the key or element before, if that is an entry of the container as it was.
  ///   - home: this one, likewise.
  private mutating func writeGap(
    isFirst: Bool, _ previous: Int?, _ home: Int?, _ layout: Layout, _ family: Family?, _ shift: LineShift?
  ) {
    if isFirst {
      append(layout.open)
    } else if let source, let family, let previous, let home, family.entry(behind: previous) == home {
      copy(source.end(family.value(of: previous))..<source.start(home), shift: shift)
    } else {
      append(layout.separator)
    }
  }

  // MARK: - Templates

  /// A sibling in the source whose layout a new container takes.
  private func template(for value: JSONValue, _ family: Family?) -> Int? {
    guard let family, let kind = EntryKind(needingTemplate: value), node(of: value) == nil else { return nil }
    return family.sibling(of: kind)
  }

  /// The same for the value of a new member: first the sibling with the same key.
  private func template(for member: JSONValue.RawMember, _ family: Family?) -> Int? {
    guard let source, let model = family?.container, EntryKind(needingTemplate: member.value) != nil else {
      return nil
    }
    let namesake = member.key.exactBytes.withUnsafeBufferPointer { source.lastEntry(of: model, key: $0) }
    return namesake.flatMap { template(for: member.value, replacing: source.value(ofKey: $0)) }
      ?? template(for: member.value, family)
  }

  /// The container that a new one stands in for, if it is of the same kind.
  private func template(for value: JSONValue, replacing old: Int) -> Int? {
    guard let source, source.isContainer(old), source.count(old) > 0, source.kind(old) == value.kind else {
      return nil
    }
    return old
  }
}
