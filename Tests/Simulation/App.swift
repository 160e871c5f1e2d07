import AppSync
import ListStore
import Platform
import ShoppingList

/// How an app's store behaves.
struct Habits {
  /// Every row that is saved gets a new `lastModified`, whoever saves it: the store cannot tell an import from its user.
  var stampsWhenSaving = false
  /// How long after a change the observers hear of it; nil: at once, within the saving.
  var observedAfter: (low: Double, high: Double)?
  /// How long a row takes to be saved, in nanoseconds.
  var timePerRow: UInt64 = 0
  /// How long after a change of the file the app hears of it.
  var watchedAfter = (low: 0.05, high: 0.1)
}

/// The app's own rows: on the device's disk as soon as a call has returned.
final class SimulatedStore: AppStore {
  /// In the order of their coming.
  private(set) var rows: [Item] = []
  let habits: Habits
  unowned let app: App
  /// How many rows imports have saved.
  private(set) var saved = 0

  init(_ habits: Habits, _ app: App) {
    (self.habits, self.app) = (habits, app)
  }

  func items() throws(AppStoreError) -> [Item] {
    try app.step()
    return rows
  }

  func insert(_ items: [Item]) throws(AppStoreError) {
    for item in items {
      try save {
        rows.append(stamped(item))
      }
    }
  }

  func update(_ items: [Item]) throws(AppStoreError) {
    for item in items {
      try save {
        for place in rows.indices where rows[place].id == item.id { rows[place] = stamped(item) }
      }
    }
  }

  func delete(ids: [String]) throws(AppStoreError) {
    for id in ids { try save { rows.removeAll { $0.id == id } } }
  }

  private func stamped(_ item: Item) -> Item {
    var item = item
    if habits.stampsWhenSaving { item.lastModified = app.device.instant }
    return item
  }

  private func save(_ change: () -> Void) throws(AppStoreError) {
    try app.step()
    change()
    saved += 1
    app.tellObservers()
    // Whoever has a thread of its own gets to run in between.
    if habits.timePerRow > 0 { app.rest(habits.timePerRow) }
  }

  /// The user's own change.
  func byUser(_ change: (inout [Item]) -> Void) {
    change(&rows)
    app.tellObservers()
  }
}

/// An app: its store, and what keeps it in step with the file. Its process dies and starts again; the rows stay.
final class App {
  unowned let device: Device
  let name: String
  private(set) lazy var store = SimulatedStore(habits, self)
  private let habits: Habits
  private var memory: [UInt8]?
  private var process: Process
  private var sync: ListSync?
  private var isPerforming = false
  private var watchDue: UInt64 = 0

  init(_ name: String, on device: Device, habits: Habits) {
    (self.name, self.device, self.habits) = (name, device, habits)
    process = Process(on: device, died: {})
    start()
  }

  private var world: World { device.world }

  /// Whether what it saw last of a row is what its store has.
  func hasRemembered(_ id: String?) -> Bool {
    let (seen, row) = (remembered?.items.first { $0.id == id }, store.rows.first { $0.id == id })
    return remembered != nil && seen?.amount == row?.amount && seen?.checked == row?.checked
  }

  /// What it saw last, as it will find it when it starts again.
  var remembered: Document? {
    guard let memory else { return nil }
    do { return try Document(decoding: Array(memory.prefix { $0 != 0 })) } catch { return nil }
  }

  /// The list that it saw last.
  var base: Document? { sync?.list }

  /// All that imports have saved.
  var saved: Int { store.saved }

  private func start() {
    let process = process
    // The device owns the app, and the app what asks for the time.
    let clock = Unchecked({ [unowned device] in (monotonic: device.world.now, now: device.instant) })
    let sync = ListSync(
      store: store,
      file: LockedListFile(
        path: "/list/" + World.listName, history: .folder("/state/app"), syscalls: process.syscalls),
      memory: BaseMemory(
        load: { [unowned self] () throws(AppStoreError) in
          try step()
          return memory
        },
        save: { [unowned self] (bytes) throws(AppStoreError) in
          try step()
          memory = bytes
        }),
      loopGuard: LoopGuard(checks: world.setup.checks),
      clock: AppClock(monotonic: { clock.value().monotonic }, now: { clock.value().now }), wake: {})
    self.sync = sync
    sync.start()
    arm()
  }

  func step() throws(AppStoreError) {
    do { try process.step() } catch { throw AppStoreError("dead") }
  }

  /// Has the sync asked again when something is due.
  private func arm() {
    guard let sync, let due = sync.signals.nextDue else { return }
    world.after(due > world.now ? due - world.now : 0) { [weak self, weak sync] in
      guard let self, let sync, sync === self.sync else { return }
      perform()
    }
  }

  private func perform() {
    guard let sync, !isPerforming, let due = sync.signals.nextDue, due <= world.now else { return }
    isPerforming = true
    if world.chance.percent(8) {
      process.interrupt(after: world.chance.number(5...90)) { [unowned device] in
        device.world.service.sync(World.listName, on: device)
      }
    }
    sync.perform()
    process.finish()
    isPerforming = false
    if process.isDead {
      world.log("\(name): dies")
      self.sync = nil
      world.after(world.random(1, 30)) { [weak self] in self?.recover() }
    } else {
      arm()
    }
  }

  func recover() {
    process.stepsToDeath = nil
    guard sync == nil else { return }
    world.log("\(name): starts again")
    process = Process(on: device, died: {})
    start()
  }

  var isDead: Bool { sync == nil }

  func die(after steps: Int) { process.stepsToDeath = steps }

  // MARK: What it hears

  func fileChanged() {
    guard let sync, !process.isDead else { return }
    sync.signals.fileChanged()
    if !isPerforming { arm() }
  }

  /// The file was changed; the app hears of it in its time.
  func watched() {
    guard watchDue <= world.now else { return }
    let delay = world.random(habits.watchedAfter.low, habits.watchedAfter.high)
    watchDue = world.now + min(delay, 50_000_000)
    world.after(delay) { [weak self] in self?.fileChanged() }
  }

  /// The store was changed; its observers hear of it in their time.
  func tellObservers() {
    guard let times = habits.observedAfter else { return noteChange() }
    world.after(world.random(times.low, times.high)) { [weak self] in self?.noteChange() }
  }

  private func noteChange() {
    guard let sync, !process.isDead else { return }
    sync.signals.noteChange()
    if !isPerforming { arm() }
  }

  /// Time that passes while rows are being saved; an export that is due begins meanwhile, on its own thread.
  func rest(_ duration: UInt64) {
    world.pass(duration)
    guard let sync, !process.isDead, let due = sync.signals.nextDue, due <= world.now else { return }
    sync.exporter.perform()
  }
}
