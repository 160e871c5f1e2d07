// Who lives in a world, and what happens there.

import AppSync
import ListStore
import ShoppingList

extension World {
  /// Devices with a list that is the same everywhere, as after a first sync.
  func makeDevices() {
    let count = chance.pick([1, 1, 2, 2, 2, 2, 3, 3]) ?? 2
    let shared = (0..<3).map { "shared-\($0)" }
    var items: [Item] = shared.map { Item(id: $0, name: $0) }
    for id in shared { expectations.shared[id] = [""] }
    for number in 0..<count {
      for place in 0..<3 {
        let id = "own-\(number)-\(place)"
        items.append(Item(id: id, name: id))
        expectations.own[id] = Expectations.Row()
      }
    }
    expectations.rows = items.count
    let bytes = Document().withRows(of: items, now: Instant(milliseconds: trueTime / 1_000_000 - 3_600_000)) { _ in
      Instant(milliseconds: trueTime / 1_000_000 - 3_600_000)
    }.encoded()
    for number in 0..<count {
      let offset = Int64(chance.number(-600...600)) * 1_000_000_000
      let device = Device("device \(number)", in: self, offset: offset)
      devices.append(device)
      device.disk.put(Self.listName, bytes, modified: device.time - 3_600_000_000_000)
      let hasApp = chance.percent(85) || (number == count - 1 && devices.allSatisfy { $0.app == nil })
      for server in 0..<(hasApp ? chance.number(0...2) : chance.number(1...2)) {
        device.servers.append(Server("server \(number).\(server)", on: device))
      }
      if hasApp { device.app = App("app \(number)", on: device, habits: habits()) }
    }
    // The first sync: all have the same.
    for device in devices { service.sync(Self.listName, on: device) }
    log("\(devices.map { "\($0.name): \($0.servers.count) servers, \($0.app == nil ? "no" : "an") app" })")
  }

  private func habits() -> Habits {
    var habits = Habits()
    habits.stampsWhenSaving = chance.percent(40)
    if chance.percent(50) {
      let low = Double(chance.number(0...20)) / 10
      habits.observedAfter = (low, low + Double(chance.number(0...25)) / 10)
    }
    if chance.percent(25) { habits.timePerRow = random(0.2, 0.9) }
    if chance.percent(35) { habits.watchedAfter = (0.1, Double(chance.number(1...8))) }
    return habits
  }

  /// Edits, deaths and lost connections, each at its time.
  func plan() {
    let length = Double(chance.pick([8, 30, 120]) ?? 30)
    for _ in 0..<chance.number(3...12) {
      after(random(0.5, length)) { [unowned self] in edit() }
    }
    for device in devices where chance.percent(35) {
      let start = random(0, length)
      after(start) { device.setOnline(false) }
      after(start + random(1, length)) { [unowned self] in if !isSettling { device.setOnline(true) } }
    }
    if chance.percent(40) {
      for _ in 0..<chance.number(1...3) {
        after(random(0, length)) { [unowned self] in
          guard let device = chance.pick(devices) else { return }
          let steps = chance.number(0...90)
          if let server = chance.pick(device.servers), device.app == nil || chance.percent(40) {
            server.die(after: steps)
          } else {
            device.app?.die(after: steps)
          }
        }
      }
    }
  }

  // MARK: Edits

  private func edit() {
    guard let device = chance.pick(devices) else { return }
    // No two edits have one stamp.
    pass(2_000_000)
    outcome.edits += 1
    let number = outcome.edits
    let servers = device.servers.filter { !$0.isDead }
    if let app = device.app, !app.isDead, servers.isEmpty || chance.percent(55) {
      edit(number, by: app, on: device)
    } else if let server = chance.pick(servers) {
      edit(number, by: server, on: device)
    } else {
      outcome.edits -= 1
    }
  }

  /// The rows that may be edited on a device now: those of all, and its own as far as the service has brought them up to
  /// date. Who edits a row that it has taken back for the moment overrides what had been done to it.
  private func editable(of items: [Item], on device: Device) -> [Item] {
    let view = device.view() ?? []
    let base = device.app?.base?.items ?? []
    return items.filter { row in
      guard let expected = expectations.own[row.id] else { return expectations.shared[row.id] != nil }
      guard row.id.hasPrefix("own-\(device.name.dropFirst(7))-") else { return false }
      let there = view.first { $0.id == row.id }
      if expected.allows(there) { return true }
      let seen = base.first { $0.id == row.id }
      let shown = device.app?.store.rows.first { $0.id == row.id }
      return device.app != nil && seen?.amount == there?.amount && seen?.checked == there?.checked
        && expected.allows(shown)
    }
  }

  /// A change of the user's, acknowledged as soon as it is on the screen.
  private func edit(_ number: Int, by app: App, on device: Device) {
    let row = chance.pick(editable(of: app.store.rows, on: device))
    let stamp = device.instant
    switch (chance.number(0...9), row) {
    case (0...3, let row?):
      let amount = "a\(number)"
      log("\(app.name): edit \(number): \(row.id) has \(amount)")
      app.store.byUser { rows in
        for place in rows.indices where rows[place].id == row.id {
          (rows[place].amount, rows[place].lastModified) = (amount, stamp)
        }
      }
      expectations.shared[row.id]?.insert(amount)
      expectations.edited(row, amounts: [amount, unseen(\.amount, of: row.id, on: device, by: true)])
    case (4...5, let row?):
      log("\(app.name): edit \(number): \(row.id) is \(row.checked ? "not " : "")checked")
      app.store.byUser { rows in
        for place in rows.indices where rows[place].id == row.id {
          (rows[place].checked, rows[place].lastModified) = (!row.checked, stamp)
        }
      }
      expectations.edited(row, checked: [!row.checked, unseen(\.checked, of: row.id, on: device, by: true)])
    case (6, let row?) where expectations.own[row.id] != nil && allAgree(on: row, device):
      log("\(app.name): edit \(number): \(row.id) is deleted")
      app.store.byUser { $0.removeAll { $0.id == row.id } }
      expectations.own[row.id]?.isPresent = [false]
    default:
      let id = "own-\(device.name.dropFirst(7))-e\(number)"
      log("\(app.name): edit \(number): \(id) is added")
      app.store.byUser { $0.append(Item(id: id, name: id, lastModified: stamp)) }
      expectations.own[id] = Expectations.Row()
      expectations.rows += 1
    }
  }

  private func edit(_ number: Int, by server: Server, on device: Device) {
    guard let items = server.items() else { return }
    let row = chance.pick(editable(of: items, on: device))
    // Whether an app that died while it wrote had written is not known to it when it starts again: it says so once more,
    // and who has undone that very change meanwhile is overridden.
    let isUnsettled = device.app.map { $0.isDead && !$0.hasRemembered(row?.id) } ?? false
    func settled(_ answer: Server.Answer) -> Server.Answer { answer == .done && isUnsettled ? .uncertain : answer }
    switch (chance.number(0...9), row) {
    case (0...3, let row?):
      let amount = "a\(number)"
      log("\(server.name): edit \(number): \(row.id) has \(amount)")
      let other = unseen(\.amount, of: row.id, on: device, by: false)
      let answer = server.edit { list, context in
        _ = list.change([(id: row.id, changes: ItemChanges(amount: amount))], in: context)
      }
      if answer != .refused { expectations.shared[row.id]?.insert(amount) }
      expectations.acknowledge(row, settled(answer)) { $0.amounts = Set([amount, other].compactMap(\.self)) }
    case (4...5, let row?):
      log("\(server.name): edit \(number): \(row.id) is \(row.checked ? "not " : "")checked")
      let other = unseen(\.checked, of: row.id, on: device, by: false)
      let answer = server.edit { list, context in
        _ = list.change([(id: row.id, changes: ItemChanges(checked: !row.checked))], in: context)
      }
      expectations.acknowledge(row, settled(answer)) { $0.checked = Set([!row.checked, other].compactMap(\.self)) }
    case (6, let row?) where expectations.own[row.id] != nil && allAgree(on: row, device):
      log("\(server.name): edit \(number): \(row.id) is deleted")
      let answer = server.edit { list, context in _ = list.remove(ids: [row.id], in: context) }
      expectations.acknowledge(row.id, settled(answer)) { $0.isPresent = [false] }
    default:
      let id = "own-\(device.name.dropFirst(7))-e\(number)"
      log("\(server.name): edit \(number): \(id) is added")
      expectations.own[id] = Expectations.Row(isPresent: [false])
      expectations.rows += 1
      let answer = server.edit { list, context in
        let context = EditContext(now: context.now, newID: { id })
        _ = list.add([Addition(name: id)], in: context)
      }
      expectations.acknowledge(id, answer) { $0.isPresent = [true] }
    }
  }

  /// Whether nobody on the device has an edit of the row that another there has yet to hear of: an edit beats a deletion
  /// that did not know it, also one that lies in a conflict copy.
  private func allAgree(on row: Item, _ device: Device) -> Bool {
    guard let there = device.view()?.first(where: { $0.id == row.id }) else { return false }
    let views = [
      device.app?.store.rows.first { $0.id == row.id }, row, device.app?.base?.items.first { $0.id == row.id },
    ]
    return views.allSatisfy { view in
      view.map { $0.amount == there.amount && $0.checked == there.checked } ?? (device.app == nil)
    }
      && expectations.own[row.id]?.isPresent == [true]
  }

  /// What another member of the same household has just given a member of the row, and this one has not seen. If both
  /// change it, the later stamp of the row decides, and an edit of another member moves that: either may be there.
  private func unseen<Value>(_ member: KeyPath<Item, Value>, of id: String, on device: Device, by app: Bool) -> Value?
  where Value: Equatable {
    guard let base = device.app?.base?.items.first(where: { $0.id == id })?[keyPath: member] else { return nil }
    let others = app ? device.view() : device.app?.store.rows
    guard let other = others?.first(where: { $0.id == id })?[keyPath: member], other != base else { return nil }
    return other
  }

  /// The service has brought something. Where it has set a row back for the moment (the copy that held the row was put
  /// away elsewhere, and the list that has it again is under way), a change of that row which the app has yet to export is
  /// merged with what is there: both may be in the end.
  func noteSetBack(on device: Device) {
    guard let app = device.app, let view = device.view() else { return }
    for id in expectations.own.keys where id.hasPrefix("own-\(device.name.dropFirst(7))-") {
      if app.hasRemembered(id) { continue }
      let there = view.first { $0.id == id }
      let seen = app.remembered?.items.first { $0.id == id }
      if there?.amount == seen?.amount && there?.checked == seen?.checked { continue }
      for version in [there, seen] {
        expectations.own[id]?.isPresent.insert(version != nil)
        guard let version else { continue }
        expectations.own[id]?.amounts.insert(version.amount)
        expectations.own[id]?.checked.insert(version.checked)
      }
    }
  }

  // MARK: The end

  /// The checks of World.swift.
  func look() {
    outcome.writes = devices.reduce(0) { $0 + $1.disk.replacements }
    outcome.imports = devices.reduce(0) { $0 + ($1.app?.saved ?? 0) }
    let lists = devices.map { ($0.name, $0.document(), $0.disk.file(Self.listName)?.bytes ?? []) }
    outcome.size = lists.map { $0.2.count }.max() ?? 0
    guard let first = lists.first, let list = first.1 else {
      outcome.complaints.append("there is no list")
      return
    }
    for (name, _, bytes) in lists.dropFirst() where bytes != first.2 {
      outcome.complaints.append("\(name) has another list than \(first.0)")
    }
    for device in devices {
      if let app = device.app, !list.saysTheSame(as: app.store.rows) {
        outcome.complaints.append("\(app.name) shows another list")
      }
      if !device.left.isEmpty { outcome.complaints.append("\(device.name): beside the list there are \(device.left)") }
    }
    outcome.complaints += expectations.complaints(about: list.items)
    if outcome.writes > writesAllowed {
      outcome.complaints.append("\(outcome.writes) writes of the file for \(outcome.edits) edits")
    }
    if outcome.imports > importsAllowed {
      outcome.complaints.append("\(outcome.imports) rows read in for \(outcome.edits) edits")
    }
    if outcome.size > 300 + 280 * expectations.rows {
      outcome.complaints.append("the file has \(outcome.size) bytes for \(expectations.rows) rows")
    }
  }

  /// How often the file may be written, on all devices together: each edit once, and once on each device for each conflict
  /// and each death, whose edits are merged.
  var writesAllowed: Int {
    outcome.edits * 2 + (outcome.conflicts + outcome.deaths) * (devices.count + 1) + 2 * devices.count
  }

  /// How many rows may be read in, on all devices together.
  var importsAllowed: Int {
    expectations.rows * devices.count + (outcome.edits + outcome.conflicts + outcome.deaths) * 2 * devices.count
  }
}

extension Expectations {
  /// A change by who has seen the row as it was: it is there, and so is what was seen with it, even if a deletion was
  /// under way.
  fileprivate mutating func edited(_ row: Item, amounts: [String?] = [], checked: [Bool?] = []) {
    own[row.id]?.bringBack(row)
    if !amounts.isEmpty { own[row.id]?.amounts = Set(amounts.compactMap(\.self)) }
    if !checked.isEmpty { own[row.id]?.checked = Set(checked.compactMap(\.self)) }
  }

  fileprivate mutating func acknowledge(_ row: Item, _ answer: Server.Answer, _ change: (inout Row) -> Void) {
    acknowledge(row.id, answer) { expected in
      expected.bringBack(row)
      change(&expected)
    }
  }

  fileprivate mutating func acknowledge(_ id: String, _ answer: Server.Answer, _ change: (inout Row) -> Void) {
    guard let before = own[id], answer != .refused else { return }
    var after = before
    change(&after)
    if answer == .uncertain {
      after.isPresent.formUnion(before.isPresent)
      after.amounts.formUnion(before.amounts)
      after.checked.formUnion(before.checked)
    }
    own[id] = after
  }
}

extension Expectations.Row {
  fileprivate mutating func bringBack(_ seen: Item) {
    guard isPresent != [true] else { return }
    isPresent = [true]
    amounts.insert(seen.amount)
    checked.insert(seen.checked)
  }
}
