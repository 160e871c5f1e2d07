import Platform
import Testing

@testable import ListStore

@Suite struct ListLocationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var option: String?
    var environment: [String: String] = ["HOME": "/home/ada"]
    var userHome: String? = "/users/ada"
    var workingDirectory: String?
    var isOnApple = false
    let path: String
    let origin: ListLocation.Origin

    var testDescription: String { "\(option ?? "no option"), \(environment) → \(path)" }
  }

  static let cases: [Case] = [
    // In this order.
    Case(
      option: "/a/list.json", environment: ["BANANA_LIST_FILE": "/b/list.json"], path: "/a/list.json",
      origin: .option),
    Case(environment: ["BANANA_LIST_FILE": "/b/list.json"], path: "/b/list.json", origin: .environment),
    Case(
      isOnApple: true, path: "/home/ada/Library/Mobile Documents/com~apple~CloudDocs/BananaList.json",
      origin: .iCloud),
    Case(path: "/home/ada/.local/share/get-bananas/BananaList.json", origin: .standard),
    Case(
      environment: ["HOME": "/home/ada", "XDG_DATA_HOME": "/data"], path: "/data/get-bananas/BananaList.json",
      origin: .standard),
    // What says nothing.
    Case(
      option: "", environment: ["BANANA_LIST_FILE": "/b/list.json"], path: "/b/list.json",
      origin: .environment),
    Case(
      option: "${user_config.list_file}", environment: ["BANANA_LIST_FILE": "/b/list.json"],
      path: "/b/list.json", origin: .environment),
    Case(
      environment: ["HOME": "/home/ada", "BANANA_LIST_FILE": ""],
      path: "/home/ada/.local/share/get-bananas/BananaList.json", origin: .standard),
    Case(
      environment: ["HOME": "/home/ada", "BANANA_LIST_FILE": "${BANANA_LIST_FILE}"],
      path: "/home/ada/.local/share/get-bananas/BananaList.json", origin: .standard),
    Case(
      environment: ["HOME": "/home/ada", "XDG_DATA_HOME": "data"],
      path: "/home/ada/.local/share/get-bananas/BananaList.json", origin: .standard),
    Case(
      environment: ["HOME": "/home/ada", "XDG_DATA_HOME": ""],
      path: "/home/ada/.local/share/get-bananas/BananaList.json", origin: .standard),
    // The home folder.
    Case(option: "~/list.json", path: "/home/ada/list.json", origin: .option),
    Case(
      environment: ["HOME": "/home/ada/", "BANANA_LIST_FILE": "~/list.json"], path: "/home/ada/list.json",
      origin: .environment),
    Case(option: "~/list.json", environment: [:], path: "/users/ada/list.json", origin: .option),
    Case(option: "~/list.json", environment: ["HOME": ""], path: "/users/ada/list.json", origin: .option),
    Case(
      environment: [:], path: "/users/ada/.local/share/get-bananas/BananaList.json", origin: .standard),
    Case(
      environment: ["XDG_DATA_HOME": "/data"], userHome: nil, path: "/data/get-bananas/BananaList.json",
      origin: .standard),
    // Relative paths where somebody sits in a folder.
    Case(option: "list.json", workingDirectory: "/folder", path: "/folder/list.json", origin: .option),
    Case(option: "list.json", workingDirectory: "/", path: "/list.json", origin: .option),
    Case(
      option: "~ada/list.json", workingDirectory: "/folder", path: "/folder/~ada/list.json", origin: .option),
    Case(
      environment: ["BANANA_LIST_FILE": "./list.json"], workingDirectory: "/folder",
      path: "/folder/./list.json",
      origin: .environment),
  ]

  @Test(arguments: cases) func takesTheFirstThatSaysSomething(example: Case) throws {
    let location = try ListLocation.resolve(
      option: example.option, environment: { example.environment[$0] }, userHome: { example.userHome },
      workingDirectory: example.workingDirectory, isOnApple: example.isOnApple)
    #expect(location.path == example.path)
    #expect(location.origin == example.origin)
    #expect(location.createsFolder == (example.origin == .standard))
  }

  @Test(arguments: ["list.json", "./list.json", "~ada/list.json", "$HOME/list.json"])
  func aServerRefusesRelativePaths(path: String) {
    let error = #expect(throws: StoreError.self) {
      try ListLocation.resolve(
        option: path, environment: { _ in nil }, userHome: { "/home/ada" }, workingDirectory: nil)
    }
    #expect(error?.kind == .relativePath)
    #expect(error?.message.hasPrefix("\(path) is a relative path") == true)
  }

  @Test(arguments: ["~/list.json", nil]) func saysThatThereIsNoHome(option: String?) {
    let error = #expect(throws: StoreError.self) {
      try ListLocation.resolve(
        option: option, environment: { _ in nil }, userHome: { nil }, workingDirectory: nil)
    }
    #expect(error?.kind == .noHome)
  }
}
