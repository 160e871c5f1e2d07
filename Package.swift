// swift-tools-version: 6.2
// The targets of get-bananas. Who may import whom is the table of docs/architecture.md; `make lint` checks it.
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "get-bananas",
  products: [
    .executable(name: "get-bananas", targets: ["get-bananas"]),
    .library(name: "ShoppingList", targets: ["ShoppingList"]),
    .library(name: "AppSync", targets: ["AppSync"]),
  ],
  targets: [
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "ShoppingList", dependencies: ["JSON"], swiftSettings: strict),
    .target(name: "CPlatform"),
    .target(name: "Platform", dependencies: ["CPlatform"], swiftSettings: strict),
    .target(
      name: "ListStore", dependencies: ["ShoppingList", "JSON", "Platform"], swiftSettings: strict),
    .target(name: "AppSync", dependencies: ["ShoppingList", "ListStore", "Platform"], swiftSettings: strict),
    .target(name: "MCP", dependencies: ["JSON", "Platform"], swiftSettings: strict),
    .target(
      name: "BananaServer", dependencies: ["MCP", "ListStore", "ShoppingList", "JSON"],
      resources: [.embedInCode("Resources/list.html")], swiftSettings: strict),
    .executableTarget(
      name: "get-bananas", dependencies: ["BananaServer", "ListStore", "MCP", "JSON", "Platform"],
      swiftSettings: strict),

    .testTarget(name: "JSONTests", dependencies: ["JSON", "Seeded"], swiftSettings: strict),
    .testTarget(
      name: "ShoppingListTests", dependencies: ["ShoppingList", "JSON", "Seeded"], exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(name: "PlatformTests", dependencies: ["Platform"], swiftSettings: strict),
    .testTarget(
      name: "ListStoreTests",
      dependencies: ["ListStore", "ShoppingList", "JSON", "Platform", "lock-contender"],
      swiftSettings: strict),
    .testTarget(
      name: "MCPTests", dependencies: ["MCP", "JSON", "Platform", "Seeded", "Transcript"], exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "BananaServerTests",
      dependencies: ["BananaServer", "MCP", "ListStore", "ShoppingList", "JSON", "Platform", "Transcript"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["get-bananas", "sample-app", "ShoppingList", "Platform", "Seeded"],
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["BananaServer", "MCP", "ListStore", "ShoppingList", "JSON", "Platform", "Seeded"],
      path: "Tests/Fuzz", exclude: ["Seeds", "fuzz", "tokens.dict"], swiftSettings: strict),
    .target(name: "Seeded", path: "Tests/Seeded", swiftSettings: strict),
    .target(name: "Transcript", dependencies: ["JSON"], path: "Tests/Transcript", swiftSettings: strict),
    .testTarget(
      name: "AppSyncTests", dependencies: ["AppSync", "ShoppingList", "Simulation"], swiftSettings: strict),
    .target(
      name: "Simulation", dependencies: ["AppSync", "ListStore", "ShoppingList", "Platform", "Seeded"],
      path: "Tests/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "AppSync"], path: "Tests/Simulate", exclude: ["curve.py"],
      swiftSettings: strict),
    .executableTarget(
      name: "sample-app", dependencies: ["AppSync", "ShoppingList", "Platform"], path: "Tests/SampleApp",
      swiftSettings: strict),
    .executableTarget(
      name: "merge-probe", dependencies: ["ShoppingList", "JSON"], path: "Tests/MergeProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "json-bench", dependencies: ["ShoppingList", "JSON"], path: "Tests/JSONBench",
      swiftSettings: strict),
    .executableTarget(
      name: "lock-contender", dependencies: ["ListStore", "Platform"], path: "Tests/LockContender",
      swiftSettings: strict),
  ]
)
