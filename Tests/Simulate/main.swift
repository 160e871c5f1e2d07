// Runs worlds of the simulation, one seed after the other:
//
//     simulate FIRST COUNT          complains of each seed that breaks a check, with its schedule; exit 1 if there was one
//     simulate seed SEED            the schedule of one
//     simulate off LAYER FIRST COUNT   seeds that break a check without this layer and the revision check, and do not
//                                   without the revision check alone
//     simulate growth               the file's size over time, for the picture

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
exit(run(arguments))
