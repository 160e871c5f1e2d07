// The real system: time, chance, processes and the machine.
//
// On Linux processes and the machine are read from /proc and /etc; `ProcessStat` is the one text there that needs
// care. On Apple systems CPlatform asks the kernel.

import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum LiveSystem {
  @Sendable static func now() -> Int64 {
    let time = clock(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  @Sendable static func monotonic() -> UInt64 {
    let time = clock(CLOCK_MONOTONIC)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func clock(_ clock: clockid_t) -> timespec {
    var time = timespec()
    // Fails only for a clock that does not exist.
    clock_gettime(clock, &time)
    return time
  }

  @Sendable static func uptime() -> UInt64 {
    cplatform_uptime_nanoseconds()
  }

  @Sendable static func sleep(_ nanoseconds: UInt64) -> Bool {
    var rest = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    while true {
      var asked = rest
      // An interrupted sleep leaves what remains of it in `rest`.
      if nanosleep(&asked, &rest) == 0 || Errno.last != .interrupted { return true }
    }
  }

  @Sendable static func random(_ count: Int) -> [UInt8] {
    // Eight bytes at a time: each is a call of the system.
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
    }
    return bytes
  }

  @Sendable static func pid() -> Int32 {
    getpid()
  }

  @Sendable static func life(of pid: Int32) -> ProcessLife {
    // 0 and below would name groups of processes.
    guard pid > 0 else { return .unknown }
    if kill(pid, 0) != 0 {
      switch Errno.last {
      case .notPermitted: break  // it runs, and is another user's
      case .noProcess: return .notRunning
      default: return .unknown
      }
    }
    return hasEnded(pid) ? .notRunning : .running
  }
}

#if canImport(Darwin)
  extension LiveSystem {
    private static func hasEnded(_ pid: Int32) -> Bool {
      cplatform_has_ended(pid) == 1
    }

    @Sendable static func processStart(_ pid: Int32) -> ProcessStart? {
      var microseconds: Int64 = 0
      var uptime: UInt64 = 0
      guard cplatform_process_start(pid, &microseconds, &uptime) == 0 else { return nil }
      return ProcessStart(identity: String(microseconds), uptime: uptime)
    }

    @Sendable static func maximumPID() -> Int32 {
      99_999  // PID_MAX of the kernel; no header of the system has it
    }

    @Sendable static func machineID() -> String {
      text(cplatform_machine_id) ?? "unknown"
    }

    @Sendable static func pidNamespace() -> String? {
      nil
    }

    @Sendable static func bootID() -> String? {
      text(cplatform_boot_id)
    }

    /// What a function of CPlatform writes into the buffer it is given.
    static func text(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String? {
      var buffer = [CChar](repeating: 0, count: 1024)
      guard write(&buffer, buffer.count) == 0 else { return nil }
      return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
#else
  extension LiveSystem {
    /// False also where /proc tells nothing (it may be mounted to hide other users' processes).
    private static func hasEnded(_ pid: Int32) -> Bool {
      guard let stat = stat(of: pid) else { return false }
      return stat.hasEnded
    }

    private static func stat(of pid: Int32) -> ProcessStat? {
      contents(of: "/proc/\(pid)/stat").flatMap(ProcessStat.init(parsing:))
    }

    @Sendable static func processStart(_ pid: Int32) -> ProcessStart? {
      let frequency = sysconf(Int32(_SC_CLK_TCK))
      guard frequency > 0, let stat = stat(of: pid) else { return nil }
      let (uptime, overflow) = stat.startTicks.multipliedReportingOverflow(
        by: 1_000_000_000 / UInt64(frequency))
      return overflow ? nil : ProcessStart(identity: String(stat.startTicks), uptime: uptime)
    }

    @Sendable static func maximumPID() -> Int32 {
      // Without /proc: the most that the kernel can be told.
      line(of: "/proc/sys/kernel/pid_max").flatMap(Int32.init) ?? 4_194_304
    }

    @Sendable static func machineID() -> String {
      // A container or a small system may have no id; its name is the next best.
      line(of: "/etc/machine-id") ?? line(of: "/var/lib/dbus/machine-id")
        ?? line(of: "/proc/sys/kernel/hostname") ?? "unknown"
    }

    @Sendable static func pidNamespace() -> String? {
      let target = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        let room = UnsafeMutableRawBufferPointer(buffer).assumingMemoryBound(to: CChar.self)
        guard let start = room.baseAddress else { return }
        count = max(readlink("/proc/self/ns/pid", start, room.count), 0)
      }
      let text = String(decoding: target, as: UTF8.self)
      guard text.hasPrefix("pid:["), text.hasSuffix("]") else { return nil }
      return String(text.dropFirst(5).dropLast())
    }

    @Sendable static func bootID() -> String? {
      line(of: "/proc/sys/kernel/random/boot_id")
    }

    /// The first line of a file of the system's; nil when there is none or it is blank.
    private static func line(of path: String) -> String? {
      guard let bytes = contents(of: path) else { return nil }
      let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return line.isEmpty ? nil : line
    }

    /// The bytes of a file of the system's, at most 1 MiB; nil when it cannot be read, whatever the reason: callers
    /// have something else to go by.
    static func contents(of path: String) -> [UInt8]? {
      do {
        let file = try OwnedDescriptor(opening: path, [.read], with: .live)
        return try Syscalls.live.readAll(file.descriptor, limit: 1 << 20)
      } catch {
        return nil
      }
    }
  }
#endif
