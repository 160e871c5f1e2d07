// The built executable, as a host starts it: a child with a pipe at either end, and standard error in a file.
//
//     let folder = try Folder()
//     let server = try Program.start(["--file", folder.list], in: folder)
//     try server.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
//     let answer = try server.answer()          // waits for it, 60 s at most
//     server.closeInput()
//     #expect(try server.end() == .exited(0))
//
// Nothing here sleeps: every wait ends when the child has written, or has ended, and fails after a minute. The pipes
// are FIFOs that are opened and unlinked at once, since that gives descriptors which no other child can inherit: other
// tests start processes at the same time, and one that held our end would keep the input from ending.

import Foundation
import Testing

/// How a process ended.
enum Ending: Equatable {
  case exited(Int32)
  case killed(signal: Int32)
}

/// What went wrong in the test itself.
struct HarnessError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The failure of the call that was made last.
  static func system(_ call: String) -> HarnessError {
    HarnessError("\(call): \(String(cString: strerror(errno)))")
  }
}

/// A child that runs the built executable.
final class Program {
  let pid: pid_t
  private var input: Int32
  private var output: Int32
  private let errors: String
  private var received: [UInt8] = []
  private var outputEnded = false
  private var ending: Ending?

  /// Where the executable lies: where the variable says, as `make stress` does with the release; else beside the bundle
  /// that the tests are in, wherever that was built.
  static let path: String = {
    if let given = ProcessInfo.processInfo.environment["GET_BANANAS_EXECUTABLE"] {
      // As the program itself says it, without links.
      return URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    }
    return built("get-bananas")
  }()

  /// Another executable of this package, beside the bundle that the tests are in.
  static func built(_ name: String) -> String {
    var running = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
      running = bundle.bundleURL
    }
    return running.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Starts the executable, or another one. Its environment holds what is given and a home of its own in the folder,
  /// nothing else.
  static func start(
    _ arguments: [String], executable: String = path, in folder: Folder, environment: [String: String] = [:],
    directory: String? = nil
  ) throws -> Program {
    let (childInput, input) = try pipe(in: folder)
    let (output, childOutput) = try pipe(in: folder)
    let errors = folder.file("stderr-\(UUID().uuidString)")
    let errorDescriptor = open(errors, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard errorDescriptor >= 0 else { throw HarnessError.system("open") }
    defer { for descriptor in [childInput, childOutput, errorDescriptor] { close(descriptor) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, childInput, 0)
    posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
    posix_spawn_file_actions_adddup2(&actions, errorDescriptor, 2)

    // The runner's threads may have signals blocked or ignored; a host's child begins with none.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var every = sigset_t()
    sigemptyset(&none)
    sigfillset(&every)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &every)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var variables = ["HOME": folder.file("home"), "XDG_STATE_HOME": folder.file("state")]
    // What a sanitizer in the executable is to do with what it finds (make tsan).
    variables["TSAN_OPTIONS"] = ProcessInfo.processInfo.environment["TSAN_OPTIONS"]
    variables.merge(environment) { _, given in given }
    var words = [executable] + arguments
    var executable = executable
    if let directory {
      // posix_spawn knows no portable way to another working directory.
      words = ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", directory] + words
      executable = "/bin/sh"
    }
    let argumentPointers = words.map { strdup($0) } + [nil]
    let variablePointers = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argumentPointers + variablePointers { free(pointer) } }

    var pid: pid_t = 0
    let result = posix_spawn(&pid, executable, &actions, &attributes, argumentPointers, variablePointers)
    guard result == 0 else {
      close(input)
      close(output)
      throw HarnessError("posix_spawn \(executable): \(String(cString: strerror(result)))")
    }
    return Program(pid: pid, input: input, output: output, errors: errors)
  }

  /// Runs the executable to its end with the given input.
  static func run(
    _ arguments: [String], executable: String = path, input: String = "", in folder: Folder,
    environment: [String: String] = [:], directory: String? = nil
  ) throws -> (ending: Ending, output: String, errors: String) {
    let program = try start(
      arguments, executable: executable, in: folder, environment: environment, directory: directory)
    try program.write(input)
    program.closeInput()
    let output = try program.outputToTheEnd()
    return (try program.end(), output, program.errorText)
  }

  private init(pid: pid_t, input: Int32, output: Int32, errors: String) {
    self.pid = pid
    self.input = input
    self.output = output
    self.errors = errors
  }

  deinit {
    closeInput()
    closeOutput()
    if ending == nil {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  /// How many times as much work the tests that have a longer form are to do. Their usual form is short, since the
  /// executable beside the tests is a debug build, which is fifty times slower than the release.
  static let effort = Int(ProcessInfo.processInfo.environment["GET_BANANAS_STRESS"] ?? "") ?? 1

  // MARK: Input

  /// Sends a line.
  func send(_ line: String) throws { try write(line + "\n") }

  /// Sends text as it is.
  func write(_ text: String) throws {
    var rest = ArraySlice(text.utf8)
    while !rest.isEmpty {
      try wait(for: input, events: Int16(POLLOUT))
      let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, min($0.count, 4096)) }
      guard count > 0 else { throw HarnessError.system("write") }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether the child's input has room now, or has some within two seconds.
  func takesMore() throws -> Bool { poll(input, Int16(POLLOUT), 2_000) > 0 }

  /// Ends the child's input.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  // MARK: Output

  /// The next line, without its end; nil when the output has ended.
  func answer() throws -> String? {
    while true {
      if let line = takeLine() { return line }
      if outputEnded {
        defer { received = [] }
        return received.isEmpty ? nil : String(decoding: received, as: UTF8.self)
      }
      try wait(for: output, events: Int16(POLLIN))
      try receive()
    }
  }

  /// Lines that have come, without waiting for more than the given time.
  func answersSoFar(waiting milliseconds: Int32 = 0) throws -> [String] {
    var lines: [String] = []
    if !outputEnded, poll(output, Int16(POLLIN), milliseconds) > 0 { try receive() }
    while let line = takeLine() { lines.append(line) }
    return lines
  }

  /// Everything that is still to come.
  func outputToTheEnd() throws -> String {
    while !outputEnded {
      try wait(for: output, events: Int16(POLLIN))
      try receive()
    }
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// Stops listening, as a host that has gone.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// What the child said on standard error.
  var errorText: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  // MARK: The end

  func signal(_ number: Int32) { kill(pid, number) }

  /// Waits until the child has closed its output, with all that it has written left unread.
  func waitForTheEndWithoutReading() throws { try wait(for: output, events: 0) }

  /// Waits for the end.
  func end() throws -> Ending {
    if let ending { return ending }
    // Its output ends with it. Whoever does not care for the rest must not be waited for by it.
    if output >= 0 {
      while !outputEnded {
        try wait(for: output, events: Int16(POLLIN))
        try receive()
      }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw HarnessError.system("waitpid") }
    }
    // The macros of <sys/wait.h>, which Swift does not import.
    let result: Ending = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: status & 0x7f)
    ending = result
    return result
  }

  private func receive() throws {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw HarnessError.system("read") }
    if count == 0 { outputEnded = true }
    received.append(contentsOf: chunk[..<count])
  }

  private func takeLine() -> String? {
    guard let end = received.firstIndex(of: 10) else { return nil }
    defer { received.removeSubrange(...end) }
    return String(decoding: received[..<end], as: UTF8.self)
  }

  private func wait(for descriptor: Int32, events: Int16) throws {
    guard poll(descriptor, events, 60_000) > 0 else {
      throw HarnessError("\(Self.path) (\(pid)) gave no sign of life for a minute: \(errorText)")
    }
  }

  private func poll(_ descriptor: Int32, _ events: Int16, _ milliseconds: Int32) -> Int32 {
    var request = pollfd(fd: descriptor, events: events, revents: 0)
    while true {
      let result = Foundation.poll(&request, 1, milliseconds)
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// A pipe whose ends no other child inherits.
  private static func pipe(in folder: Folder) throws -> (reading: Int32, writing: Int32) {
    let path = folder.file("pipe-\(UUID().uuidString)")
    guard mkfifo(path, 0o600) == 0 else { throw HarnessError.system("mkfifo") }
    defer { unlink(path) }
    let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(path, O_WRONLY | O_CLOEXEC)
    guard reading >= 0, writing >= 0 else { throw HarnessError.system("open") }
    // Only the opening must not wait for the other end. The flag belongs to the pipe, not to one process.
    guard fcntl(reading, F_SETFL, fcntl(reading, F_GETFL) & ~O_NONBLOCK) == 0 else {
      throw HarnessError.system("fcntl")
    }
    return (reading, writing)
  }
}

/// A folder that is gone when nobody uses it any more. The list has one of its own inside, so that what lies beside it
/// is only what the program put there.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory().appending("get-bananas-\(UUID().uuidString)")
    for part in ["list", "home"] {
      try FileManager.default.createDirectory(atPath: file(part), withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// The list's path.
  var list: String { file("list/BananaList.json") }

  /// The list's bytes.
  func listBytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: list)) }

  func writeList(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: list)) }

  /// What lies beside the list and is not the list.
  func besideTheList() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file("list")).filter { $0 != "BananaList.json" }
      .sorted()
  }
}
