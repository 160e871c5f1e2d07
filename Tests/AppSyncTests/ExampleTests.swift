import AppSync
import Foundation
import ShoppingList
import Testing

/// The example runs, on a file, and the page quotes it.
struct ExampleTests {
  @Test func theExampleKeepsModelAndFileTheSame() throws {
    let folder = NSTemporaryDirectory() + "get-bananas-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/BananaList.json"
    try Data(listText("Milk").utf8).write(to: URL(fileURLWithPath: path))

    let model = ListModel()
    let woken = DispatchSemaphore(value: 0)
    let (sync, watch) = makeSync(model, path: path, memory: MemoryBase().access) { woken.signal() }
    try watch.start()
    func live(until isSo: () -> Bool) throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while true {
        sync.perform()
        if isSo() { return }
        try #require(ContinuousClock.now < deadline, "it does not happen: \(String(describing: sync.problem))")
        let due = sync.signals.nextDue.map { Int64($0) - Int64(AppClock.system.monotonic()) } ?? 1_000_000_000
        _ = woken.wait(timeout: .now() + .nanoseconds(Int(max(due, 0))))
      }
    }
    func file() -> [String] {
      guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
      return (try? Document(decoding: Array(bytes)).brief) ?? []
    }
    try live { model.rows["milk"] != nil }
    model.put([row("Tea", at: Int64(Date().timeIntervalSince1970 * 1_000))])
    try live { file() == ["Milk", "Tea"] }
    try Data(listText("Milk:2").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    try live { model.rows["milk"]?.amount == "2" && model.rows["tea"] == nil }
    watch.stop()
  }

  @Test func thePageQuotesTheExample() throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let example = try String(contentsOf: source.appendingPathComponent("Example.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: source.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/app-integration.md"), encoding: .utf8)
    let parts = example.components(separatedBy: "// example: ").dropFirst().filter { !$0.hasPrefix("end") }
    #expect(parts.count == 2)
    for part in parts {
      let code = part.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
      #expect(page.contains(code), "the page does not quote: \(code.prefix(60))…")
    }
  }
}
