// Containers that are laid out again: changed ones, and new ones.

/// A container whose entries are being written.
final class OpenContainer {
  let isObject: Bool
  let layout: Layout
  /// The container of the source that shows the layout: this one as it was, or one whose place it takes. Nil
  /// where the style decides.
  let family: Family?
  /// Whether `family` is this container as it was.
  let hasHome: Bool
  /// What is the same for all entries.
  let context: FileWriter.Context
  /// The entry written last, as it stands in the source; nil if it was not an entry of the container as it
  /// was.
  var previous: Int?
  var isFirst = true
  /// The form of an entry that is an object of made scalars, and not the first: the next such one may have it, too. The
  /// first may stand on another kind of line.
  var rowForm: RowForm?
  private var entries: JSONValue.Entries.Iterator

  init(
    isObject: Bool, _ entries: JSONValue.Entries, layout: Layout, family: Family?, hasHome: Bool,
    context: FileWriter.Context
  ) {
    self.isObject = isObject
    self.layout = layout
    self.family = family
    self.hasHome = hasHome
    self.context = context
    self.entries = entries.makeIterator()
  }

  /// How many entries are to come.
  var left: Int { entries.left }

  func next() -> JSONValue.Entries.Entry? { entries.next() }

  /// Passes over the elements to come that stand behind one of the container as it was, as they did there.
  ///
  /// - Returns: the last of them; nil where there is none.
  func passNeighbours(behind element: Int, in family: Family) -> Int? {
    isObject
      ? nil : entries.passNeighbours(behind: element, of: family.source, to: family.source.next(family.container))
  }
}

extension FileWriter {
  /// Writes the opening bracket of a container with entries, or the whole of one without.
  mutating func open(_ value: JSONValue, _ context: Context) -> OpenContainer? {
    let isObject = value.kind == .object
    let entries = JSONValue.Entries(of: value, ifKind: isObject ? .object : .array)
    let own = node(of: value)
    var inner = context
    if let own, !context.isAtHome { inner.shift = shift(of: own) }
    if entries.count == 0 {
      writeEmpty(isObject: isObject, own, inner)
      return nil
    }

    // A container that was empty shows no layout.
    let model = own ?? context.template
    let family = source.flatMap { source in
      model.flatMap { source.count($0) > 0 ? Family(of: $0, in: source) : nil }
    }
    let layout: Layout
    if let family {
      layout = Layout(of: family, style: style, shift: inner.shift)
      inner.ladder = nil
    } else if context.isInline || style.indent == nil {
      layout = inlineLayout
    } else {
      let ladder = context.ladder ?? ladderHere()
      let step = context.ladder == nil ? 0 : context.step
      layout = ladder.layout(at: step)
      inner.ladder = ladder
      inner.step = step + 1
    }
    inner.isInline = layout.isInline
    inner.template = nil
    if own == nil, writeFlat(value, layout) { return nil }
    append(isObject ? .openBrace : .openBracket)
    return OpenContainer(
      isObject: isObject, entries, layout: layout, family: family, hasHome: own != nil, context: inner)
  }

  /// Writes a made object of made scalars, as new rows are, at once: nothing about it has to be looked up.
  ///
  /// - Returns: false for any other value, of which nothing was written.
  private mutating func writeFlat(_ value: JSONValue, _ layout: Layout) -> Bool {
    guard case .object(let members, _) = value.content, let form = RowForm(of: members, layout, rules) else {
      return false
    }
    write(members, as: form, behind: [])
    rowForm = form
    return true
  }

  /// Writes an entry of an array that is like the one before it, with what stands before it.
  ///
  /// - Returns: false for any other, of which nothing was written.
  mutating func writeRow(_ value: JSONValue, _ container: OpenContainer) -> Bool {
    guard let form = container.rowForm, case .object(let members, origin: nil) = value.content, form.fits(members)
    else { return false }
    write(members, as: form, behind: container.layout.separator)
    container.previous = nil
    return true
  }

  mutating func close(_ container: OpenContainer) {
    append(container.layout.close)
    append(container.isObject ? .closeBrace : .closeBracket)
  }

  /// - Parameters:
  ///   - own: the container that was changed.
  ///   - context: with the shift of that one.
  private mutating func writeEmpty(isObject: Bool, _ own: Int?, _ context: Context) {
    if let source, let own, source.count(own) == 0 { return copy(own, shift: context.shift) }
    append(isObject ? .openBrace : .openBracket)
    if style.emptyContainer == .blankLine, style.indent != nil, !context.isInline {
      let layout = context.ladder?.layout(at: context.step) ?? ladderHere().layout(at: 0)
      append(style.newline.utf8)
      append(layout.close)
    }
    append(isObject ? .closeBrace : .closeBracket)
  }

  /// Writes what stands before an entry's value, which is the gap to the entry before, and the key; and the
  /// value too if nothing about the entry was touched.
  ///
  /// - Returns: where the value is to be written; nil if it was.
  mutating func writeLead(of entry: JSONValue.Entries.Entry, _ container: OpenContainer) -> Context? {
    let home = home(of: entry, container)
    writeGap(home, container)
    container.previous = home
    container.isFirst = false

    var context = container.context
    guard let source, let family = container.family, let home else {
      context.isAtHome = false
      if let key = entry.key {
        writeScalar(key)
        append(container.layout.colon)
        context.template = template(for: entry.value, key, container.family)
      } else {
        context.template = template(for: entry.value, container.family)
      }
      return context
    }
    let old = family.value(of: home)
    context.isAtHome = node(of: entry.value) == old
    if context.isAtHome, context.shift == nil, case .source = entry.value.content {
      copy(source.start(home)..<source.end(old))
      return nil
    }
    copy(source.start(home)..<source.start(old), shift: context.shift)
    if !context.isAtHome {
      context.template = template(for: entry.value, replacing: old) ?? template(for: entry.value, family)
    }
    return context
  }

  /// Copies the untouched elements to come that stand behind the last one as they did: most of them, in most arrays.
  mutating func copyNeighbours(_ container: OpenContainer) {
    guard let source, let family = container.family, container.hasHome, let previous = container.previous,
      container.context.shift == nil, let last = container.passNeighbours(behind: previous, in: family)
    else { return }
    copy(source.end(previous)..<source.end(last))
    container.previous = last
  }

  /// The entry of the container as it was that an entry is, or was changed from.
  private func home(of entry: JSONValue.Entries.Entry, _ container: OpenContainer) -> Int? {
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
      copy(source.end(family.value(of: previous))..<source.start(home), shift: container.context.shift)
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
