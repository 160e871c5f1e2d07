import Foundation
import Platform

/// A folder of its own for one test, removed with all that is in it when the test ends.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "get-bananas-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func path(_ name: String) -> String { path + "/" + name }

  func open() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(opening: path, [.read, .directory], with: .live)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }
}
