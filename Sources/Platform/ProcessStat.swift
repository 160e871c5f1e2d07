// The one line of /proc/<pid>/stat, proc_pid_stat(5):
//
//     1234 (a name) S 1 1234 … 5678 …
//
// The second field is the program's name, which may itself hold spaces and parentheses: what follows is counted from
// the last parenthesis.

struct ProcessStat: Equatable {
  /// One letter, third field: `R` running, `S` sleeping, `Z` a zombie, `X` dead …
  let state: Character
  /// When the process started, in clock ticks after boot: field 22.
  let startTicks: UInt64

  /// Nil when the bytes are no such line.
  init?(parsing bytes: [UInt8]) {
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    // The first of these is field 3.
    guard fields.count > 22 - 3, let state = fields[0].first,
      let startTicks = UInt64(String(decoding: fields[22 - 3], as: UTF8.self))
    else { return nil }
    self.state = Character(Unicode.Scalar(state))
    self.startTicks = startTicks
  }

  /// Whether only the entry is left of the process.
  var hasEnded: Bool { state == "Z" || state == "X" || state == "x" }
}
