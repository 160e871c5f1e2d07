import Platform
import ShoppingList
import Testing

@testable import ListStore

@Suite struct LockRecordTests {
  @Test func writesWhatItReads() throws {
    let process = ProcessIdentity(.live)
    let record = LockRecord(
      of: process, nonce: "abc", since: Instant(milliseconds: 1_796_071_272_345), hasKernelLock: true)
    let text = String(decoding: record.bytes, as: UTF8.self)
    #expect(text.hasPrefix("\(Syscalls.live.pid())\nhost="))
    #expect(text.hasSuffix("kernel=1\n"))
    #expect(LockRecord(parsing: record.bytes) == record)
    #expect(record.bytes.count < LockRecord.maximumSize)
    // The machine's id is nobody's business.
    #expect(!text.contains(Syscalls.live.machineID()))
  }

  @Test func saysNothingOfTheKernelsLockWithoutIt() {
    let record = LockRecord(
      of: ProcessIdentity(.live), nonce: "abc", since: Instant(milliseconds: 0), hasKernelLock: false)
    #expect(!String(decoding: record.bytes, as: UTF8.self).contains("kernel"))
  }

  @Test(arguments: ["4711", "4711\n", " 4711 \r\n", "4711\n\n"])
  func readsABarePid(text: String) throws {
    let record = try #require(LockRecord(parsing: Array(text.utf8)))
    #expect(record.pid == 4711)
    #expect(record.host == nil)
    #expect(!record.isForeign)
  }

  @Test(arguments: ["4711\nkitchen-laptop\n", "4711\r\nkitchen-laptop", "4711\n=x\nhost=a\n"])
  func anotherSecondLineMeansAnotherMachine(text: String) throws {
    #expect(try #require(LockRecord(parsing: Array(text.utf8))).isForeign)
  }

  @Test func ignoresWhatItDoesNotKnow() throws {
    let record = try #require(
      LockRecord(parsing: Array("7\ncolour=yellow\nhost=a=b\nsomething\nsince=yesterday\nkernel=2\n".utf8)))
    #expect(record.host == "a=b")
    #expect(record.since == nil)
    #expect(!record.hasKernelLock)
    #expect(!record.isForeign)
  }

  @Test(arguments: ["", "\n", "x", "12x\n", "99999999999\n", "\u{0}\u{0}", "host=a\n"])
  func nothingElseIsARecord(text: String) {
    #expect(LockRecord(parsing: Array(text.utf8)) == nil)
  }
}
