#if os(Linux)
  import Foundation

  // Swift's Glibc module lacks the calls for extended attributes; the library itself has them.
  private typealias Set =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
    ) -> Int32
  private typealias Get =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
    ) -> Int

  /// Whether the file could be given the attribute `user.note`.
  func setExtendedAttribute(_ value: String, of path: String) -> Bool {
    guard let symbol = dlsym(nil, "setxattr") else { return false }
    return unsafeBitCast(symbol, to: Set.self)(path, "user.note", value, value.utf8.count, 0) == 0
  }

  /// The file's attribute `user.note`.
  func extendedAttribute(of path: String) -> String? {
    guard let symbol = dlsym(nil, "getxattr") else { return nil }
    var value = [UInt8](repeating: 0, count: 64)
    let count = unsafeBitCast(symbol, to: Get.self)(path, "user.note", &value, value.count)
    return count < 0 ? nil : String(decoding: value.prefix(count), as: UTF8.self)
  }
#endif
