// What a lock file says:
//
//     4711
//     host=0f3a…1c.4026531836
//     boot=2f9c7ab1-…
//     started=5678
//     nonce=9f86d081884c7d65
//     since=2026-11-30T20:41:12.345Z
//     kernel=1
//
// The first line is the holder's pid, alone, as older writers write it; they write nothing else. A second line that is no
// `key=value` is another program's way to name its machine. Keys that are not known are ignored.

import ShoppingList

struct LockRecord: Hashable {
  var pid: Int32
  var host: String?
  var boot: String?
  var started: String?
  var nonce: String?
  var since: Instant?
  /// The holder has the kernel's lock on the folder, too.
  var hasKernelLock = false
  /// The second line is somebody else's: the holder may be on any machine.
  var isForeign = false

  /// A lock file that is longer is read no further.
  static let maximumSize = 1024

  init(of process: ProcessIdentity, nonce: String, since: Instant, hasKernelLock: Bool) {
    pid = process.pid
    host = process.host
    boot = process.boot
    started = process.started
    self.nonce = nonce
    self.since = since
    self.hasKernelLock = hasKernelLock
  }

  /// Nil when the first line is no number that a pid could be.
  init?(parsing bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map(Self.trimmed)
    guard let first = lines.first, let pid = Int32(first) else { return nil }
    self.pid = pid
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      guard let equals = line.firstIndex(of: "="), equals != line.startIndex else {
        if number == 1 { isForeign = true }
        continue
      }
      let value = String(line[line.index(after: equals)...])
      switch line[..<equals] {
      case "host": host = value
      case "boot": boot = value
      case "started": started = value
      case "nonce": nonce = value
      case "since": since = Instant(iso8601: value)
      case "kernel": hasKernelLock = value == "1"
      default: break
      }
    }
  }

  private static func trimmed(_ line: Substring) -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var line = line.drop(while: isBlank)
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  var bytes: [UInt8] {
    var text = "\(pid)\n"
    let fields = [
      ("host", host), ("boot", boot), ("started", started), ("nonce", nonce), ("since", since?.iso8601),
      ("kernel", hasKernelLock ? "1" : nil),
    ]
    for case (let key, let value?) in fields { text += "\(key)=\(value)\n" }
    return Array(text.utf8)
  }
}
