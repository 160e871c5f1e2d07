import Foundation
import Platform
import Testing

@testable import ListStore

#if os(Linux)
  /// A disk that is full, really: a small file system of its own. Needs the superuser, to mount it.
  @Suite struct FullDiskTests {
    /// A file system of 64 KiB, gone with the test.
    private final class SmallDisk {
      let path: String

      init() throws {
        path = NSTemporaryDirectory() + "get-bananas-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else {
          try FileManager.default.removeItem(atPath: path)
          try Test.cancel("needs the superuser, to mount a small file system")
        }
      }

      deinit {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: path)
      }

      /// Takes all the room that is left but so many bytes.
      func fill(leaving room: Int) throws {
        let directory = try OwnedDescriptor(opening: path, [.read, .directory], with: .live)
        let free = try Syscalls.live.fstatfs(directory.descriptor).availableBytes
        let filler = try OwnedDescriptor(
          opening: "filler", in: directory.descriptor, [.write, .createNew], mode: 0o600, with: .live)
        try Syscalls.live.writeFile(filler.descriptor, [UInt8](repeating: 1, count: Int(free) - room))
      }
    }

    // Room for nothing, for the lock, and for the lock and a part of the list (in pages of 4 KiB).
    @Test(arguments: [0, 4096, 8192]) func aFullDiskLeavesTheListAsItWas(room: Int) throws {
      let disk = try SmallDisk()
      let path = disk.path + "/BananaList.json"
      let old = listText(String(repeating: "Milk ", count: 3000))
      try Data(old.utf8).write(to: URL(fileURLWithPath: path))
      try disk.fill(leaving: room)
      let error = #expect(throws: StoreError.self) { try Store(path: path).add("Bread") }
      #expect(error?.errno == .noSpace)
      #expect(error?.kind == .failed(room == 0 ? .lock : .save))
      #expect(error?.message.hasSuffix("Nothing was changed. Free some space, then try again.") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == old)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == [
          "BananaList.json", "filler",
        ])

      try FileManager.default.removeItem(atPath: disk.path + "/filler")
      try Store(path: path).add("Bread")
      #expect(try Store(path: path).names().last == "Bread")
    }
  }
#endif
