// What the process was given when it was started: its environment, its user, its standard streams.

import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package enum CurrentProcess {
  /// Whether this is an Apple system, where the list's usual place is iCloud Drive.
  package static var isOnApple: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

  /// A variable of the environment; nil when it is not set.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The user's home folder by the user database, for when HOME is not set.
  package static func userHome() -> String? {
    #if canImport(Darwin)
      LiveSystem.text(cplatform_user_home)
    #else
      // A static executable cannot use getpwuid: it would load the system's own libraries, of another version maybe.
      LiveSystem.contents(of: "/etc/passwd").flatMap { home(ofUser: geteuid(), inDatabase: $0) }
    #endif
  }

  /// The home folder that a user database in the format of passwd(5) gives the user.
  static func home(ofUser user: UInt32, inDatabase database: [UInt8]) -> String? {
    for line in database.split(separator: UInt8(ascii: "\n")) {
      // name:password:user:group:comment:home:shell
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count >= 6, UInt32(String(decoding: fields[2], as: UTF8.self)) == user else { continue }
      let home = String(decoding: fields[5], as: UTF8.self)
      return home.hasPrefix("/") ? home : nil
    }
    return nil
  }

  /// The folder that relative paths start from.
  package static func workingDirectory() throws(Errno) -> String {
    guard let path = getcwd(nil, 0) else { throw .last }
    defer { free(path) }
    return String(cString: path)
  }

  /// The process that started this one, or took it over when that one ended.
  package static var parentPID: Int32 { getppid() }

  /// Whether a person sits at the other end.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Takes standard output for the protocol and returns its new descriptor. What is written to descriptor 1 from then
  /// on, by a stray print or a library, goes to standard error. To be called first, before any file is opened: it also
  /// opens /dev/null in place of a standard stream that is closed, or the list could get its number.
  package static func claimStandardOutput() throws(Errno) -> Int32 {
    guard cplatform_fill_standard_descriptors() == 0 else { throw .last }
    let output = cplatform_dup_above_standard(STDOUT_FILENO)
    guard output >= 0 else { throw .last }
    guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw .last }
    return output
  }

  /// Ends the process, whatever its other threads do.
  package static func exit(_ status: Int32) -> Never {
    _exit(status)
  }
}
