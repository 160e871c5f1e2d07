// What libFuzzer calls.
//
// One program has all fuzzers; the name it is started by chooses one. With FUZZ_PLANTED in the environment it is run on a
// program with a planted mistake.

#if FUZZING
  import Foundation

  // Set before the first input, and never again.
  nonisolated(unsafe) private var fuzzer = Fuzzer.json
  private let isPlanted = ProcessInfo.processInfo.environment["FUZZ_PLANTED"] != nil

  @_cdecl("LLVMFuzzerInitialize")
  public func initializeFuzzer(
    _ count: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafePointer<CChar>?>?>?
  ) -> Int32 {
    let name = arguments?.pointee?[0].map { String(cString: $0) } ?? ""
    guard let chosen = Fuzzer(rawValue: name.split(separator: "/").last.map(String.init) ?? "") else {
      complain("the program's name is none of \(Fuzzer.allCases.map(\.rawValue))")
      exit(2)
    }
    fuzzer = chosen
    return 0
  }

  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
      try fuzzer.run(Array(UnsafeBufferPointer(start: start, count: count)), planted: isPlanted)
    } catch {
      complain("\(fuzzer.rawValue): BROKEN PROMISE: \(error)")
      abort()
    }
    return 0
  }

  private func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
#endif
