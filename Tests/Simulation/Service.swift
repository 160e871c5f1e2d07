// The sync service: keeps the folders of all devices the same, file by file, late, in no order, and with a conflict copy
// where a file was changed on both sides.
//
// | here, against what was synced last | in the cloud | so                                                       |
// | unchanged                          | unchanged    | nothing                                                  |
// | changed, or gone                   | unchanged    | the cloud gets it, or loses it                           |
// | unchanged                          | changed      | the device gets it, or loses it                          |
// | changed                            | the same     | both have it                                             |
// | changed                            | changed      | the device's becomes a conflict copy, and it gets the    |
// |                                    |              |   cloud's                                                |
// | gone                               | changed      | the device gets it again                                 |
// | changed                            | gone         | the cloud gets it again                                  |

import Platform

final class Service {
  /// What a downloaded file is dated.
  enum Dating: CaseIterable { case asSent, atSecond, now }

  private struct Stored {
    var bytes: [UInt8]?
    var version = 0
    var date: Int64 = 0
  }

  private var cloud: [String: Stored] = [:]
  private let dating: Dating
  /// Whether the date of a file is made whole after it was sent, as file systems and services with coarser dates do.
  private let redates: Bool
  /// How often, at most, a change is announced again.
  private let repeats: Int
  private let slowness: Double

  init(_ chance: inout Chance) {
    dating = Dating.allCases[chance.number(0...2)]
    redates = chance.percent(35)
    repeats = chance.percent(35) ? chance.number(1...6) : 0
    slowness = chance.pick([2.0, 6.0, 40.0]) ?? 2
  }

  /// Looks at a file of a device, sooner or later.
  func schedule(_ name: String, on device: Device) {
    guard device.isSyncing.insert(name).inserted else { return }
    device.world.after(device.world.random(0.2, slowness)) { [self] in
      device.isSyncing.remove(name)
      sync(name, on: device)
    }
  }

  /// Looks at all files: the device is connected again.
  func scheduleAll(on device: Device) {
    for name in Set(device.disk.folder.names.keys).union(cloud.keys).sorted() where Self.syncs(name) {
      schedule(name, on: device)
    }
  }

  static func syncs(_ name: String) -> Bool { !name.hasPrefix(".") && !name.hasSuffix(".lock") }

  func sync(_ name: String, on device: Device) {
    guard device.isOnline else { return }
    let world = device.world
    let here = device.disk.file(name)
    let known = device.synced[name] ?? (nil, 0)
    let stored = cloud[name] ?? Stored()
    let (isChanged, isNew) = (here?.bytes != known.bytes, stored.version != known.version)
    switch (isChanged, isNew) {
    case (false, false):
      return
    case (true, false):
      upload(name, here?.bytes, here?.modified ?? 0, from: device)
    case (false, true):
      download(name, stored, to: device)
    case (true, true):
      if here?.bytes == stored.bytes {
        device.synced[name] = (stored.bytes, stored.version)
      } else if let here, stored.bytes != nil {
        world.outcome.conflicts += 1
        let copy = "BananaList.sync-conflict-20261130-\(204_100 + world.outcome.conflicts)-ABCDEFG.json"
        // As Syncthing, Dropbox and their like do it: who comes last moves its own version aside.
        world.log("\(device.name): conflict")
        device.disk.put(copy, here.bytes, modified: here.modified)
        download(name, stored, to: device)
      } else if let here {
        upload(name, here.bytes, here.modified, from: device)
      } else {
        download(name, stored, to: device)
      }
    }
  }

  private func upload(_ name: String, _ bytes: [UInt8]?, _ date: Int64, from device: Device) {
    let world = device.world
    world.log("\(device.name): sends \(name)\(bytes == nil ? ", deleted" : "")")
    let version = (cloud[name]?.version ?? 0) + 1
    cloud[name] = Stored(bytes: bytes, version: version, date: date)
    device.synced[name] = (bytes, version)
    for other in world.devices where other !== device { schedule(name, on: other) }
    guard bytes != nil else { return }
    if redates {
      world.after(world.random(0.1, 1.5)) {
        guard let there = device.disk.file(name), there.bytes == bytes else { return }
        world.log("\(device.name): \(name) gets a whole date")
        device.disk.touch(name, modified: there.modified / 1_000_000_000 * 1_000_000_000 + 1_000_000_000)
      }
    }
    announce(name, on: device)
  }

  private func download(_ name: String, _ stored: Stored, to device: Device) {
    device.world.log("\(device.name): gets \(name)\(stored.bytes == nil ? ", deleted" : "")")
    let date =
      switch dating {
      case .asSent: stored.date
      case .atSecond: stored.date / 1_000_000_000 * 1_000_000_000
      case .now: device.time
      }
    device.synced[name] = (stored.bytes, stored.version)
    device.disk.put(name, stored.bytes, modified: date)
    device.world.noteSetBack(on: device)
    announce(name, on: device)
  }

  /// Progress, thumbnails, backups: events without a change.
  private func announce(_ name: String, on device: Device) {
    let world = device.world
    guard repeats > 0 else { return }
    var delay: UInt64 = 0
    for _ in 0..<world.chance.number(0...repeats) {
      delay += world.random(0.5, 9)
      world.after(delay) { device.app?.fileChanged() }
    }
  }
}
