// A program that the store's tests, and `make stress`, run as other processes and as other users.
//
//     lock-contender stress MODE ROUNDS     12 processes meet one stale lock, so many times; exit status 1 if two of
//                                           them ever held it at once (Stress.swift)
//     lock-contender contend MODE LIST      one of the twelve
//     lock-contender hold LIST              takes the lock, says so, and keeps it until SIGTERM or the end of input
//     lock-contender read LIST              says what reading gives
//     lock-contender add LIST               adds an item, and says what writing gives

import Platform

CurrentProcess.exit(runLockContender(Array(CommandLine.arguments.dropFirst())))
