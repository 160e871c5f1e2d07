// The composition of the program: which list, which store, which command.
//
// In this order, since each step relies on the one before:
// 1. standard output is claimed, before any file is opened that could get its number;
// 2. the command line is read, and help and mistakes end here;
// 3. the path of the list is settled, without a look at the file;
// 4. the server, or one request for a person.
// Nothing of the list is touched before a request needs it: hosts start servers only to look at their tools.

import BananaServer
import ListStore
import MCP
import Platform

struct GetBananas {
  private let invocation: Invocation
  private let streams: Streams
  /// The name by which it was started.
  private let name: String

  /// Runs the program with the command line, whose first word is the program's own name.
  /// - Returns: the exit status of the process.
  static func run(_ arguments: [String]) -> Int32 {
    let streams: Streams
    do {
      streams = Streams(output: try CurrentProcess.claimStandardOutput(), syscalls: .live)
    } catch {
      Streams(output: 1, syscalls: .live).say("get-bananas: standard output: \(error.message)\n")
      return ExitStatus.failed.rawValue
    }
    // A reader that has gone is an error of the write, not the end of the process.
    Threads.ignoreSignals([.brokenPipe, .fileSizeLimit])
    do {
      let invocation = try Invocation(words: Array(arguments.dropFirst()))
      let program = GetBananas(invocation: invocation, streams: streams, name: arguments.first ?? "")
      return try program.status().rawValue
    } catch {
      return streams.complain("\(error.message)\nget-bananas --help tells what there is.", .usage).rawValue
    }
  }

  private func status() throws(UsageError) -> ExitStatus {
    if invocation.has(.help) { return streams.show(help.text) }
    if invocation.has(.version) { return streams.show("get-bananas \(BananaServer.version)\n") }
    switch invocation.command {
    case nil: return try serve(greeting: CurrentProcess.isTerminal(0))
    case .serve: return try serve(greeting: false)
    case .list: return try person().list(asJSON: asJSON)
    case .call:
      let operands = invocation.operands
      let json = operands.count > 1 ? operands[1] : nil
      return try person().call(operands[0], json: json, asJSON: asJSON)
    case .history: return try versions().list(asJSON: asJSON)
    case .restore: return try person().restore(invocation.operands[0], asJSON: asJSON)
    case .absorb: return try versions().absorb(invocation.operands[0])
    case .doctor: return try doctor()
    case .config: return try configuration()
    case .completion: return try completion()
    case .man: return streams.show(ManualPage(definition: pathlessDefinition).text)
    }
  }

  private var asJSON: Bool { invocation.has(.json) }

  // MARK: The list

  /// Where the list is. A server refuses a relative path: its host starts it in whatever folder it likes.
  private func location(resolvingRelativePaths: Bool) throws(StoreError) -> ListLocation {
    var workingDirectory: String?
    if resolvingRelativePaths {
      // A working directory that is gone cannot resolve anything; the path is refused then, as for a server.
      do { workingDirectory = try CurrentProcess.workingDirectory() } catch {}
    }
    return try ListLocation.resolve(
      option: invocation.value(of: .file), environment: CurrentProcess.environment,
      userHome: CurrentProcess.userHome, workingDirectory: workingDirectory)
  }

  private func store(at location: ListLocation, syscalls: Syscalls) -> Store {
    Store(
      path: location.path, syscalls: syscalls, createsFolder: location.createsFolder,
      history: .resolve(environment: CurrentProcess.environment, userHome: CurrentProcess.userHome))
  }

  // MARK: Commands

  /// Serves a host until its input ends.
  private func serve(greeting: Bool) throws(UsageError) -> ExitStatus {
    let location: ListLocation
    do {
      location = try self.location(resolvingRelativePaths: false)
    } catch {
      throw UsageError(error.message)
    }
    let queue = EventQueue<Event>()
    // Every wait of the store ends when a signal asks the server to.
    var syscalls = streams.syscalls
    syscalls.sleep = { queue.sleep(nanoseconds: $0) }
    let log = Self.log(to: streams)
    if greeting { streams.say(help.greeting) }
    Threads.shareHeap()
    do {
      try StopSignals.block()
      // The reader first: it finds the first line while the rest is made ready.
      try InputReader(input: 0, queue: queue, syscalls: syscalls, log: log).start()
      try StopSignals.watch(queue)
    } catch {
      return streams.complain("the server cannot start: \(error.message)", .failed)
    }
    let watch = ListWatch(path: location.path, syscalls: syscalls) { queue.push(.fileChanged, cost: 0) }
    let definition = BananaServer.definition(
      store: store(at: location, syscalls: syscalls), watch: watch)
    let session = Session(definition: definition, monotonic: syscalls.monotonic, log: log)
    let loop = ServerLoop(queue: queue, session: session, output: streams.output, syscalls: syscalls)
    let ending = loop.run()
    if case .outputFailed(let errno) = ending {
      return streams.complain("standard output: \(errno.message)", .failed)
    }
    return .done
  }

  /// What answers a person's command by a request.
  private func person() throws(UsageError) -> PersonCommands {
    let definition = BananaServer.definition(store: try personsStore())
    return PersonCommands(
      request: OneRequest(definition: definition, log: Self.log(to: streams)), streams: streams)
  }

  /// What answers a person's command that no host has.
  private func versions() throws(UsageError) -> VersionCommands {
    VersionCommands(store: try personsStore(), streams: streams)
  }

  private func personsStore() throws(UsageError) -> Store {
    do {
      return store(at: try location(resolvingRelativePaths: true), syscalls: streams.syscalls)
    } catch {
      throw UsageError(error.message)
    }
  }

  /// Looks for what may be wrong with the list.
  private func doctor() throws(UsageError) -> ExitStatus {
    let location: ListLocation
    do {
      location = try self.location(resolvingRelativePaths: true)
    } catch {
      return DoctorCommand(
        request: OneRequest(definition: pathlessDefinition, log: Self.log(to: streams)), streams: streams
      ).run(error, asJSON: asJSON)
    }
    let store = store(at: location, syscalls: streams.syscalls)
    let definition = BananaServer.definition(store: store)
    let doctor = DoctorCommand(
      request: OneRequest(definition: definition, log: Self.log(to: streams)), streams: streams)
    return doctor.run(store, at: location, isRelative: isRefusedByServers(location), asJSON: asJSON)
  }

  /// Whether the environment, which a host may hand on, names the list in a way that a server refuses.
  private func isRefusedByServers(_ location: ListLocation) -> Bool {
    guard location.origin == .environment else { return false }
    do {
      _ = try self.location(resolvingRelativePaths: false)
      return false
    } catch {
      return true
    }
  }

  /// Shows what makes a host start this executable, with the list that this command line means, if it names one.
  private func configuration() throws(UsageError) -> ExitStatus {
    let names = Host.allCases.map(\.rawValue)
    if invocation.has(.hosts) {
      let width = names.map(\.count).max() ?? 0
      let lines = Host.allCases.map { host in
        host.rawValue + String(repeating: " ", count: width + 2 - host.rawValue.count) + host.title + "\n"
      }
      return streams.show(lines.joined())
    }
    guard let word = invocation.operands.first else {
      throw UsageError("config needs HOST, which is one of \(names.joined(separator: ", "))")
    }
    guard let host = Host(rawValue: word) else { throw .unknown("host", word, among: names) }
    let location: ListLocation
    do {
      location = try self.location(resolvingRelativePaths: true)
    } catch {
      throw UsageError(error.message)
    }
    let isNamed = location.origin == .option || location.origin == .environment
    let info = pathlessDefinition.info
    let configuration = HostConfiguration(
      name: info.name, description: info.description, program: program, list: isNamed ? location.path : nil)
    streams.say("\(host.title): this goes into \(host.place).\n")
    return streams.show(configuration.snippet(for: host))
  }

  private func completion() throws(UsageError) -> ExitStatus {
    let word = invocation.operands[0]
    guard let shell = Shell(rawValue: word) else {
      throw .unknown("shell", word, among: Shell.allCases.map(\.rawValue))
    }
    let definition = pathlessDefinition
    return streams.show(
      CompletionScript(name: definition.info.name, tools: definition.tools.map(\.name)).text(for: shell))
  }

  /// What the server says of itself, which is the same whatever the list is; the store behind it is never used.
  private var pathlessDefinition: ServerDefinition {
    BananaServer.definition(store: Store(path: "/", syscalls: streams.syscalls))
  }

  private static func log(to streams: Streams) -> @Sendable (String) -> Void {
    { streams.say("get-bananas: \($0)\n") }
  }

  private var help: HelpPage {
    var path = "no list: "
    do {
      path = try location(resolvingRelativePaths: true).path
    } catch {
      path += error.message
    }
    return HelpPage(definition: pathlessDefinition, program: program, list: path)
  }

  /// The absolute path of the executable; of the name it was started by where the system does not tell.
  private var program: String {
    for path in ["/proc/self/exe", name] {
      do { return try streams.syscalls.realpath(path) } catch {}
    }
    return "/path/to/get-bananas"
  }
}
