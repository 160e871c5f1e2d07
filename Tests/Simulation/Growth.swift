// The run that began all this: an app that imports what it has exported.
//
// One device, a list of 30 items, a server that adds one more after a second, and nobody else who does anything for three
// minutes. A change of the file is announced 17 s later, as a sync service takes its time; the store is exported half a
// second after its last change.

import AppSync
import ListStore
import ShoppingList

/// Which app lives there.
public enum GrowingApp: String, CaseIterable, Sendable {
  /// As the first version was: no layer, no revision check, and what is read in is added, since nothing is met by its id.
  case firstVersion
  /// The app as it is, without the layers and the revision check: its reconciler alone.
  case unguarded
  /// The app as it is.
  case linked
}

/// The file at one second.
public struct GrowthPoint: Sendable {
  public let second: Int
  public let bytes: Int
  /// How often it was written by then.
  public let writes: Int
}

extension World {
  /// The file of an app over three minutes, second by second.
  public static func growth(of app: GrowingApp) -> [GrowthPoint] {
    let world = World(seed: 1, setup: Setup(checks: app == .unguarded ? [] : .all))
    return world.grow(app)
  }

  private func grow(_ app: GrowingApp) -> [GrowthPoint] {
    let device = Device("device 0", in: self, offset: 0)
    devices = [device]
    let items = (1...30).map { Item(id: "item-\($0)", name: "Item \($0)") }
    let start = Instant(milliseconds: trueTime / 1_000_000 - 3_600_000)
    let list = Document().withRows(of: items, now: start) { _ in start }.inAppStyle
    device.disk.put(Self.listName, list.encoded(), modified: device.time)
    let server = Server("server", on: device)
    device.servers = [server]
    var habits = Habits()
    (habits.stampsWhenSaving, habits.observedAfter, habits.watchedAfter) = (true, (0.1, 0.2), (17, 17))
    let first = app == .firstVersion ? FirstApp(on: device, rows: items) : nil
    if app != .firstVersion { device.app = App("app", on: device, habits: habits) }
    after(Self.second) { [unowned self] in
      _ = server.edit { list, context in
        _ = list.add([Addition(name: "One more")], in: EditContext(now: context.now, newID: { "one-more" }))
      }
      if let first { after(17 * Self.second) { first.fileChanged() } }
    }
    var points: [GrowthPoint] = []
    for second in 0...180 {
      after(UInt64(second) * Self.second) {
        points.append(
          GrowthPoint(
            second: second, bytes: device.disk.file(Self.listName)?.bytes.count ?? 0,
            writes: device.disk.replacements + (first?.exports ?? 0)))
      }
    }
    _ = runEvents(atMost: 181 * Self.second)
    return points
  }
}

/// An app as its first version was.
final class FirstApp {
  private unowned let device: Device
  private var rows: [Item]
  private var isExporting = false
  private(set) var exports = 0

  init(on device: Device, rows: [Item]) {
    (self.device, self.rows) = (device, rows)
  }

  /// Every row of the file becomes one of the store, with an identity of the store's.
  func fileChanged() {
    for item in device.document()?.items ?? [] {
      var new = item
      new.id = "row-\(rows.count)"
      rows.append(new)
    }
    storeChanged()
  }

  /// All rows are written.
  private func storeChanged() {
    guard !isExporting else { return }
    isExporting = true
    device.world.after(World.second / 2) { [self] in
      isExporting = false
      exports += 1
      let list = Document().withRows(of: rows, now: device.instant) { [device] _ in device.instant }.inAppStyle
      device.disk.put(World.listName, list.encoded(), modified: device.time)
      device.world.after(17 * World.second) { self.fileChanged() }
    }
  }
}
