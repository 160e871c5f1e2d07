import ListStore
import Platform
import ShoppingList

/// A server: the store as `BananaServer` uses it, with its history.
final class Server {
  private unowned let device: Device
  let name: String
  private var process: Process
  private var store: Store

  init(_ name: String, on device: Device) {
    (self.name, self.device) = (name, device)
    process = Process(on: device, died: {})
    store = Self.store(process)
  }

  private static func store(_ process: Process) -> Store {
    Store(path: "/list/" + World.listName, syscalls: process.syscalls, history: .folder("/state/servers"))
  }

  var isDead: Bool { process.isDead }

  func recover() {
    process.stepsToDeath = nil
    guard isDead else { return }
    device.world.log("\(name): starts again")
    process = Process(on: device, died: {})
    store = Self.store(process)
  }

  /// What it shows; nil where it cannot.
  func items() -> [Item]? {
    do { return try store.read(quietly: true).document.items } catch { return nil }
  }

  /// What came of an edit.
  enum Answer {
    case done, refused, uncertain
  }

  /// One edit, in the middle of which anything may happen.
  func edit(_ edit: (inout Document, EditContext) -> Void) -> Answer {
    let world = device.world
    var ran = false
    if world.chance.percent(12) {
      process.interrupt(after: world.chance.number(5...70)) { [unowned device] in
        device.world.service.sync(World.listName, on: device)
      }
    }
    defer { process.finish() }
    do throws(StoreError) {
      _ = try store.write { list, context in
        ran = true
        edit(&list, context)
      }
      return .done
    } catch {
      if isDead {
        world.log("\(name): dies in the middle of it")
        world.after(world.random(1, 20)) { [weak self] in self?.recover() }
        return ran ? .uncertain : .refused
      }
      world.log("\(name): \(error.message)")
      return error.kind == .uncertain || error.kind == .unsettled ? .uncertain : .refused
    }
  }

  func die(after steps: Int) { process.stepsToDeath = steps }

  /// A write that changes nothing, to merge what lies beside the list.
  func tidy() {
    device.world.log("\(name): tidies up")
    do throws(StoreError) {
      _ = try store.write { _, _ in }
    } catch {
      device.world.outcome.complaints.append("\(name) cannot merge: \(error.message)")
    }
  }
}
