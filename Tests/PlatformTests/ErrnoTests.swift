import Platform
import Testing

@Suite struct ErrnoTests {
  @Test func knowsNamesAndTexts() {
    #expect(Errno.noSpace.name == "ENOSPC")
    #expect(Errno.noSpace.message == "no space left on device")
    #expect(Errno(rawValue: 9999).name == "errno 9999")
    #expect(Errno(rawValue: 9999).message == "unknown error 9999")
  }

  @Test(arguments: [
    (Errno.notSupported, true), (.operationNotSupported, true), (.notImplemented, true), (.invalid, true),
    (.noSpace, false), (.exists, false), (.accessDenied, false),
  ])
  func tellsMissingOperationsFromFailures(error: Errno, isUnsupported: Bool) {
    #expect(error.isUnsupported == isUnsupported)
  }
}
