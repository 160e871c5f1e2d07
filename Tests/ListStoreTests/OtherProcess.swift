import Foundation
import Platform
import Testing

/// The program `lock-contender`, as another process, and as another user.
final class OtherProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Where the build put it: beside what runs the tests, or above that.
  static let executable: String? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let file = folder.appendingPathComponent("lock-contender").path
      if FileManager.default.isExecutableFile(atPath: file) { return file }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  init(_ arguments: [String], executable: String? = executable) throws {
    process.executableURL = URL(fileURLWithPath: try #require(executable))
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  var pid: Int32 { process.processIdentifier }

  /// The next line that it says; nil at its end.
  func line() -> String? {
    var line = Data()
    while let byte = output.fileHandleForReading.readData(ofLength: 1).first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  func send(_ signal: Int32) {
    kill(pid, signal)
  }

  /// Its exit status, once it has ended.
  func status() -> Int32 {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The first line that a run says, and its exit status.
  static func run(_ arguments: [String], executable: String? = executable) throws -> (
    line: String?, status: Int32
  ) {
    let process = try OtherProcess(arguments, executable: executable)
    let line = process.line()
    return (line, process.status())
  }
}
