// Containers that are laid out again: changed ones, and new ones.

extension FileWriter {
  mutating func writeContainer(_ value: JSONValue, _ place: Place) {
    let own = node(of: value)
    let count = value.entryCount
    if count == 0 {
      return writeEmpty(value, own, place)
    }
    var place = place
    if let own, !place.isAtHome { place.shift = shift(of: own, to: place.indentation) }
    // A container that was empty shows no layout.
    var model = own == nil ? place.template : own
    if let node = model, source?.count(node) == 0 { model = nil }
    let family = Family(of: model, in: source)
    let layout =
      if let source, let model {
        Layout(of: model, in: source, style: style, shift: place.shift)
      } else {
        Layout(style: style, indentation: place.indentation, isInline: place.isInline)
      }
    if value.kind == .object {
      writeMembers(of: value, layout, family, isAtHome: own != nil, place)
    } else {
      writeElements(of: value, layout, family, isAtHome: own != nil, place)
    }
  }

  private mutating func writeEmpty(_ value: JSONValue, _ own: Int?, _ place: Place) {
    if let source, let own, source.count(own) == 0 {
      return copy(own, shift: place.isAtHome ? place.shift : shift(of: own, to: place.indentation))
    }
    let isObject = value.kind == .object
    append(CollectionOfOne(isObject ? .openBrace : .openBracket))
    if style.emptyContainer == .blankLine, style.indent != nil, !place.isInline {
      append(style.newline.utf8)
      append(style.newline.utf8)
      append(place.indentation)
    }
    append(CollectionOfOne(isObject ? .closeBrace : .closeBracket))
  }

  private mutating func writeElements(
    of array: JSONValue, _ layout: Layout, _ family: Family, isAtHome: Bool, _ place: Place
  ) {
    var family = family
    var inner = place
    inner.isInline = layout.isInline
    append(CollectionOfOne(.openBracket))
    var previous: Int?
    for (index, element) in array.elements.enumerated() {
      let child = isAtHome ? node(of: element).flatMap { family.index(of: $0, near: previous) } : nil
      inner.indentation = writeGap(index, previous, child, layout, family, place.shift, inner.indentation)
      inner.isAtHome = child != nil
      inner.template = template(for: element, &family)
      write(element, inner)
      previous = child
    }
    append(layout.close)
    append(CollectionOfOne(.closeBracket))
  }

  private mutating func writeMembers(
    of object: JSONValue, _ layout: Layout, _ family: Family, isAtHome: Bool, _ place: Place
  ) {
    var family = family
    var inner = place
    inner.isInline = layout.isInline
    append(CollectionOfOne(.openBrace))
    var previous: Int?
    for (index, member) in object.rawMembers.enumerated() {
      let child = isAtHome ? node(of: member.key).flatMap { family.index(of: $0, near: previous) } : nil
      inner.indentation = writeGap(index, previous, child, layout, family, place.shift, inner.indentation)
      let line = inner.indentation
      inner.isAtHome = true
      write(member.key, inner)
      if let source, let child {
        let key = family.children[child]
        let old = source.value(ofKey: key)
        let gap = source.end(key)..<source.start(old)
        copy(gap, shift: place.shift)
        inner.indentation = source.bytes[gap].indentation(on: line)
        inner.isAtHome = node(of: member.value) == old
        inner.template = template(for: member.value, replacing: old) ?? template(for: member.value, &family)
      } else {
        append(layout.colon)
        inner.isAtHome = false
        inner.template = template(for: member, &family)
      }
      write(member.value, inner)
      inner.indentation = line
      previous = child
    }
    append(layout.close)
    append(CollectionOfOne(.closeBrace))
  }

  /// Writes what stands before an entry.
  ///
  /// - Parameters:
  ///   - index: the entry's number.
  ///   - previous, child: what the entry before, and this one, were in the source's container, if they were in it.
  ///   - line: the indentation of the line so far.
  /// - Returns: the indentation of the line on which the entry will stand.
  private mutating func writeGap(
    _ index: Int, _ previous: Int?, _ child: Int?, _ layout: Layout, _ family: Family, _ shift: LineShift?,
    _ line: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    guard index > 0 else {
      append(layout.open)
      return layout.open[...].indentation(on: line)
    }
    guard let source, let previous, let child, child == previous + 1 else {
      append(layout.separator)
      return layout.separator[...].indentation(on: line)
    }
    let gap = family.end(previous)..<source.start(family.children[child])
    copy(gap, shift: shift)
    let indentation = source.bytes[gap].indentation(on: line)
    return shift?.from == indentation ? shift?.to ?? indentation : indentation
  }

  // MARK: - Templates

  /// A sibling in the source whose layout a new container takes.
  private func template(for value: JSONValue, _ family: inout Family) -> Int? {
    guard let kind = EntryKind(needingTemplate: value), node(of: value) == nil else { return nil }
    return family.sibling(of: kind)
  }

  /// The same for the value of a new member: first the sibling with the same key.
  private func template(for member: JSONValue.RawMember, _ family: inout Family) -> Int? {
    guard let source, let model = family.container, EntryKind(needingTemplate: member.value) != nil else {
      return nil
    }
    let key = member.key.exactBytes
    let namesake = key.withUnsafeBufferPointer { source.lastEntry(of: model, key: $0) }
    return namesake.flatMap { template(for: member.value, replacing: source.value(ofKey: $0)) }
      ?? template(for: member.value, &family)
  }

  /// The container that a new one stands in for, if it is of the same kind.
  private func template(for value: JSONValue, replacing old: Int) -> Int? {
    guard let source, source.isContainer(old), source.count(old) > 0, source.kind(old) == value.kind else {
      return nil
    }
    return old
  }
}

extension JSONValue {
  fileprivate var entryCount: Int { kind == .object ? rawMembers.count : elements.count }
}
