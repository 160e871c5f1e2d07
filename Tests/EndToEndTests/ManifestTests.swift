// The bundle's manifest tells a host, before the server ever ran, what the server tells it afterwards. Both must agree.

import Foundation
import Testing

@Suite struct ManifestTests {
  private let manifest: [String: Any]

  init() throws {
    let data = try Data(contentsOf: ReadmeTests.repository.appendingPathComponent("manifest.json"))
    manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func answers(_ requests: String...) throws -> [WireAnswer] {
    let opening =
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
    let input = ([opening] + requests).joined(separator: "\n") + "\n"
    let output = try Program.run([], input: input, in: Folder()).output
    return try output.split(separator: "\n").map { try WireAnswer(String($0)) }
  }

  @Test func theToolsAreThoseOfTheServer() throws {
    let answer = try #require(try answers(#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#).last)
    let served = try #require(answer.result?["tools"] as? [[String: Any]])
    let declared = try #require(manifest["tools"] as? [[String: String]])
    #expect(
      declared
        == served.map {
          ["name": $0["name"] as? String ?? "", "description": $0["description"] as? String ?? ""]
        },
      "make manifest renews them")
  }

  @Test func nameVersionAndDescriptionAreThoseOfTheServer() throws {
    let info = try #require(try answers().first?.result?["serverInfo"] as? [String: Any])
    for (member, key) in [
      ("name", "name"), ("version", "version"), ("display_name", "title"), ("description", "description"),
    ] {
      #expect(manifest[member] as? String == info[key] as? String, "\(member)")
    }
  }

  @Test func anUnsetPathIsEmptyAndTheShellStartsTheServer() throws {
    let settings = try #require(manifest["user_config"] as? [String: [String: Any]])
    #expect(settings["list_file"]?["default"] as? String == "")
    let server = try #require(manifest["server"] as? [String: Any])
    let configuration = try #require(server["mcp_config"] as? [String: Any])
    #expect(configuration["command"] as? String == "/bin/sh")
    #expect(configuration["env"] as? [String: String] == ["BANANA_LIST_FILE": "${user_config.list_file}"])
  }
}
