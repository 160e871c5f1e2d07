// An app without screens, for tests beside real servers: rows in memory, the file on a disk, the machine's own clock and
// its notifications.
//
//     sample-app LIST STATE
//
// STATE is a folder of its own: what it saw last, and the history of what it displaced. Edits come as lines of JSON on
// standard input, each is answered with a line on standard output:
//
//     {"do":"add","name":"Milk","amount":"2"}     {"do":"set","name":"Milk","amount":"3","checked":true}
//     {"do":"remove","name":"Milk"}               {"do":"show"}
//
// `show` answers {"items":[{"name":…,"amount":…,"checked":…}],"quiet":true,"problem":…}; quiet means that nothing is due.
// The other answers are {"ok":true}, or {"ok":false} where no row has the name. An edit is made before it is answered, and
// exported in its time. The end of the input ends it, after what is due was done.

import AppSync
import Foundation
import Platform

guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("sample-app LIST STATE\n".utf8))
  exit(2)
}
try SampleApp(list: CommandLine.arguments[1], state: CommandLine.arguments[2]).run()
