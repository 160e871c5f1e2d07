// What the kernel tells of a running child: its memory and its open descriptors.

import Foundation
import Testing

extension Program {
  /// A size from /proc/PID/status, in bytes.
  enum Memory: String {
    /// What it has now.
    case resident = "VmRSS"
    /// The most that it ever had.
    case peak = "VmHWM"
  }

  func memory(_ what: Memory) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(what.rawValue + ":") })
    let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    return try #require(kilobytes) * 1024
  }

  /// How many descriptors it has open.
  func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
  }

  /// Waits until it has at most so many descriptors open, for a minute: a thread that ends, or looks again, holds some for a
  /// moment.
  func settles(atDescriptors count: Int) throws -> Bool {
    let start = ContinuousClock.now
    while try descriptors() > count {
      guard ContinuousClock.now - start < .seconds(60) else { return false }
      sched_yield()
    }
    return true
  }
}

/// A number of bytes as people read it.
func mebibytes(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20) MiB" }
