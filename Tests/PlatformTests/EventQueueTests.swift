import Testing

@testable import Platform

@Suite struct EventQueueTests {
  /// Far enough off that only a defect reaches it.
  private var farOff: UInt64 { Syscalls.live.monotonic() + 60_000_000_000 }

  @Test func givesAllInOrder() {
    let queue = EventQueue<Int>()
    for number in 0..<1000 { #expect(queue.push(number, cost: 1)) }
    queue.pushWithoutWaiting(1000)
    #expect(queue.takeAll(deadline: nil) == Array(0...1000))
    #expect(queue.takeAll(deadline: 0) == [])
  }

  @Test func waitsForTheFirst() throws {
    let queue = EventQueue<Int>()
    try Threads.start("pusher") { queue.push(7, cost: 1) }
    #expect(queue.takeAll(deadline: farOff) == [7])
  }

  @Test func endsAtTheDeadline() {
    let queue = EventQueue<Int>()
    let deadline = Syscalls.live.monotonic() + 5_000_000
    #expect(queue.takeAll(deadline: deadline) == [])
    #expect(Syscalls.live.monotonic() >= deadline)
    #expect(queue.takeAll(deadline: 0) == [])
  }

  /// The pusher says before each push what it is about to do. When it is about to make the push that does not fit,
  /// those before are in and that one is not, however long anybody waits.
  @Test func pushWaitsAtTheBound() throws {
    let queue = EventQueue<Int>()
    let attempts = EventQueue<Int>()
    let mebibyte = 1 << 20
    let fitting = EventQueue<Int>.bound / (mebibyte + EventQueue<Int>.costPerEntry)
    try Threads.start("pusher") {
      for number in 0...fitting {
        attempts.pushWithoutWaiting(number)
        queue.push(number, cost: mebibyte)
      }
    }
    var last = -1
    while last < fitting { last = attempts.takeAll(deadline: nil).last ?? last }
    #expect(queue.takeAll(deadline: farOff) == Array(0..<fitting))
    #expect(queue.takeAll(deadline: farOff) == [fitting])
  }

  @Test func manySmallEntriesCostTheirPlaces() throws {
    let queue = EventQueue<Int>()
    let attempts = EventQueue<Int>()
    let fitting = EventQueue<Int>.bound / EventQueue<Int>.costPerEntry
    for number in 0..<fitting { queue.push(number, cost: 0) }
    try Threads.start("pusher") {
      attempts.pushWithoutWaiting(fitting)
      queue.push(fitting, cost: 0)
    }
    #expect(attempts.takeAll(deadline: nil) == [fitting])
    #expect(queue.takeAll(deadline: farOff).count == fitting)
    #expect(queue.takeAll(deadline: farOff) == [fitting])
  }

  @Test func anEmptyQueueTakesAnyEntry() {
    let queue = EventQueue<Int>()
    #expect(queue.push(1, cost: 10 * EventQueue<Int>.bound))
    #expect(queue.takeAll(deadline: nil) == [1])
  }

  @Test func anUrgentEntryNeverWaits() {
    let queue = EventQueue<Int>()
    queue.push(1, cost: EventQueue<Int>.bound)
    queue.pushWithoutWaiting(2)
    #expect(queue.takeAll(deadline: nil) == [1, 2])
  }

  @Test func aStopEndsAPushThatWaits() throws {
    let queue = EventQueue<Int>()
    let results = EventQueue<Bool>()
    queue.push(1, cost: EventQueue<Int>.bound)
    try Threads.start("pusher") { results.pushWithoutWaiting(queue.push(2, cost: 1)) }
    queue.requestStop()
    #expect(results.takeAll(deadline: farOff) == [false])
    #expect(queue.takeAll(deadline: nil) == [1])
    #expect(!queue.push(3, cost: 1))
  }

  @Test func aStopEndsTakeAll() throws {
    let queue = EventQueue<Int>()
    try Threads.start("stopper") { queue.requestStop() }
    #expect(queue.takeAll(deadline: nil) == [])
    #expect(queue.isStopping)
    // What came before or with the stop is still given.
    queue.pushWithoutWaiting(1)
    #expect(queue.takeAll(deadline: nil) == [1])
  }

  @Test func sleepEndsAtAStop() throws {
    let queue = EventQueue<Int>()
    #expect(!queue.isStopping)
    #expect(queue.sleep(nanoseconds: 1_000_000))
    try Threads.start("stopper") {
      queue.pushWithoutWaiting(1)  // an event is no reason to wake up
      queue.requestStop()
    }
    #expect(!queue.sleep(nanoseconds: 60_000_000_000))
    #expect(!queue.sleep(nanoseconds: .max))
  }

  @Test func sleepsItsTimeWhateverIsPushed() throws {
    let queue = EventQueue<Int>()
    try Threads.start("pusher") { for number in 0..<100 { queue.push(number, cost: 1) } }
    let start = Syscalls.live.monotonic()
    #expect(queue.sleep(nanoseconds: 5_000_000))
    #expect(Syscalls.live.monotonic() - start >= 5_000_000)
  }

  @Test func keepsTheOrderOfEachPusher() throws {
    let queue = EventQueue<(pusher: Int, number: Int)>()
    let perPusher = 2000
    for pusher in 0..<4 {
      try Threads.start("pusher") {
        for number in 0..<perPusher { queue.push((pusher, number), cost: 100_000) }
      }
    }
    var next = [0, 0, 0, 0]
    while next.reduce(0, +) < 4 * perPusher {
      let events = queue.takeAll(deadline: farOff)
      try #require(!events.isEmpty)
      #expect(events.count == 1 || events.count * 100_064 <= EventQueue<Int>.bound)
      for event in events {
        #expect(event.number == next[event.pusher])
        next[event.pusher] += 1
      }
    }
  }
}
