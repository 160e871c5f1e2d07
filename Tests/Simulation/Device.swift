import AppSync
import ListStore
import Platform
import ShoppingList

/// A program on a device: lives, dies before one of its system calls, or has something happen between two of them.
final class Process {
  let pid: Int32
  private unowned let device: Device
  private(set) var isDead = false
  /// How many steps it has to live; nil: it lives on.
  var stepsToDeath: Int?
  /// After how many steps the other thing happens.
  private var interruption: (steps: Int, body: () -> Void)?
  private let died: () -> Void

  init(on device: Device, died: @escaping () -> Void) {
    pid = device.world.newProcess()
    (self.device, self.died) = (device, died)
    device.disk.running.insert(pid)
  }

  func interrupt(after steps: Int, _ body: @escaping () -> Void) { interruption = (steps, body) }

  func step() throws(Errno) {
    guard !isDead else { throw .inputOutput }
    if let steps = stepsToDeath {
      stepsToDeath = steps - 1
      if steps <= 0 {
        isDead = true
        device.disk.end(pid)
        device.world.outcome.deaths += 1
        died()
        throw .inputOutput
      }
    }
    if let (steps, body) = interruption {
      interruption = steps > 0 ? (steps - 1, body) : nil
      if steps <= 0 { body() }
    }
  }

  /// Nothing of what it was about to be interrupted by happens any more.
  func finish() { interruption = nil }

  lazy var syscalls: Syscalls = device.disk.syscalls(
    of: pid, step: { [unowned self] () throws(Errno) in try step() },
    monotonic: { [unowned device] in device.world.now },
    sleep: { [unowned self, unowned device] duration in
      device.world.pass(duration)
      return !isDead
    },
    random: { [unowned device] in device.world.randomBytes($0) })
}

/// A device: a disk, a clock that is wrong, servers, an app, a connection that comes and goes.
final class Device {
  unowned let world: World
  let name: String
  let disk: Disk
  var servers: [Server] = []
  var app: App?
  /// What the service has brought into step here: bytes and version of each file.
  var synced: [String: (bytes: [UInt8]?, version: Int)] = [:]
  /// Files that the service is about to look at.
  var isSyncing: Set<String> = []
  private(set) var isOnline = true
  private let offset: Int64

  /// - Parameter offset: nanoseconds that its clock is ahead.
  init(_ name: String, in world: World, offset: Int64) {
    (self.name, self.world, self.offset) = (name, world, offset)
    disk = Disk(clock: { [unowned world] in world.trueTime + offset })
    disk.changed = { [unowned self] name in
      guard Service.syncs(name) else { return }
      if name == World.listName { self.world.log("\(self.name): the list is \(brief)") }
      app?.watched()
      if synced[name]?.bytes != disk.file(name)?.bytes { self.world.service.schedule(name, on: self) }
    }
  }

  /// Unix time in nanoseconds, as this device has it.
  var time: Int64 { world.trueTime + offset }

  var instant: Instant { Instant(milliseconds: time / 1_000_000) }

  func setOnline(_ isOnline: Bool) {
    world.log("\(name): \(isOnline ? "online" : "offline")")
    self.isOnline = isOnline
    if isOnline { world.service.scheduleAll(on: self) }
  }

  /// Brings everything back that was lost in between.
  func recover() {
    if !isOnline { setOnline(true) }
    for server in servers { server.recover() }
    app?.recover()
  }

  /// Lets a server write where conflict copies have stayed: a write that changes nothing merges them.
  ///
  /// - Returns: whether there were any.
  func mergeCopies() -> Bool {
    guard !left.isEmpty else { return false }
    if let server = servers.first { server.tidy() } else { app?.fileChanged() }
    return true
  }

  /// What lies beside the list, less what goes with time: half a lock, and what an app, which writes only if it must, has
  /// left where it died.
  var left: [String] {
    disk.folder.names.keys.filter {
      $0 != World.listName && !$0.hasSuffix(".lock.tmp") && (Service.syncs($0) || !servers.isEmpty)
    }.sorted()
  }

  /// What the list and the copies beside it say together; nil where there is no list.
  func view() -> [Item]? {
    guard let list = document() else { return nil }
    var copies: [Document] = []
    for (name, node) in disk.folder.names where Service.syncs(name) && name != World.listName {
      do { copies.append(try Document(decoding: node.bytes)) } catch {}
    }
    return list.merging(copies: copies).items
  }

  /// The list in a line, for the schedule.
  private var brief: String {
    (document()?.items ?? []).map { "\($0.id)\($0.amount.isEmpty ? "" : "=" + $0.amount)\($0.checked ? "*" : "")" }
      .joined(separator: " ")
  }

  /// The list's items, conflict copies left aside; nil where there is no list.
  func document() -> Document? {
    guard let file = disk.file(World.listName) else { return nil }
    do { return try Document(decoding: file.bytes) } catch { return nil }
  }
}
