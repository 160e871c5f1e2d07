// What people say, and what must come of it.
//
// A model sees the instructions, the descriptions and the schemas, and nothing else. Each test here is one saying: that
// what is to be seen leads to the call (the words that it is recognized by stand where a model looks, the arguments are
// what the schema has), that the call does what was said, and that the answer says so in words that can be passed on.

import Testing

@testable import BananaServer
@testable import JSON
@testable import ShoppingList

@Suite struct SayingTests {
  private let server: TestServer
  private let model: ScriptedModel

  init() throws {
    server = try TestServer(
      #"""
      {
        "sections": ["Produce", "Dairy", "Bakery"],
        "items": [
          {"id": "1", "name": "Milk", "amount": "2", "section": "Dairy"},
          {"id": "2", "name": "Eggs", "section": "Dairy"},
          {"id": "3", "name": "Flour", "section": ""},
          {"id": "4", "name": "Rolls", "amount": "6", "section": "Bakery"},
          {"id": "5", "name": "Bread", "section": "Bakery", "checked": true},
          {"id": "6", "name": "Pears", "section": "Produce", "checked": true}
        ]
      }
      """#)
    model = try ScriptedModel(server)
  }

  private func rows() throws -> [String] { try server.store.read().document.items.map(\.name) }

  private func item(_ name: String) throws -> Item {
    try #require(server.store.read().document.items.first { $0.name == name })
  }

  @Test func tickOffMilkAndEggs() throws {
    let answer = try model.call(
      "update_item", #"{"items": [{"name": "milk"}, {"name": "eggs"}], "checked": true}"#,
      led: ["checked true", "ticks off", "one call"])
    #expect(answer.text.hasPrefix("Ticked off Milk (2) and Eggs."))
    #expect(try item("Milk").checked)
    #expect(try item("Eggs").checked)
    #expect(try rows().count == 6, "ticked off, not removed")
  }

  @Test func clearWhatIBought() throws {
    let answer = try model.call(
      "remove_item", #"{"all_checked": true}"#,
      led: ["everything that is bought", "all_checked", "clear what I bought"])
    #expect(answer.text.hasPrefix("Removed Bread and Pears."))
    #expect(try rows() == ["Milk", "Eggs", "Flour", "Rolls"])
  }

  @Test func moveFlourToBaking() throws {
    let answer = try model.call(
      "update_item", #"{"name": "flour", "section": "Baking"}"#, led: ["section moves"])
    #expect(answer.text.contains("Flour: moved to Baking"))
    #expect(
      answer.text.contains("\"Baking\" is a new section; there were already: Produce, Dairy and Bakery."))
    #expect(try item("Flour").section == "Baking")
  }

  @Test func iNeedThreeInsteadOfTwo() throws {
    let answer = try model.call(
      "update_item", #"{"name": "milk", "amount": "3"}"#, led: ["amount sets", "the total"])
    #expect(answer.text.contains("Milk: amount 3 (was 2)."))
    #expect(try item("Milk").amount == "3")
  }

  @Test func addTheIngredientsOfThisRecipe() throws {
    let answer = try model.call(
      "add_item",
      #"{"items": [{"name": "Butter", "amount": "250 g"}, {"name": "Eggs", "amount": "4"}, {"name": "pears"}]}"#,
      led: ["ingredients of a recipe", "one call", "NOT ADDED"])
    let lines = answer.text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("NOT ADDED: Eggs is already on the list in Dairy, without an amount."))
    #expect(answer.text.contains("Added Butter (250 g)."))
    #expect(answer.text.contains("Back on the list: Pears"))

    // The answer itself says how to go on.
    let advice = try #require(
      lines[0].firstMatch(of: /To set a new total: (\w+) with name "(.+)" and amount\./))
    let followUp = try model.call(
      String(advice.output.1), #"{"name": "\#(advice.output.2)", "amount": "4"}"#, led: ["amount sets"])
    #expect(followUp.text.contains("Eggs: amount 4."))
    #expect(try rows() == ["Milk", "Eggs", "Flour", "Rolls", "Bread", "Pears", "Butter"], "each once")
    #expect(try item("Eggs").amount == "4")
  }

  @Test func whatDoINeedFromTheBakery() throws {
    let answer = try model.call(
      "get_shopping_list", #"{"section": "bakery", "status": "unchecked"}"#,
      led: ["any question about the list", "section", "still to buy"])
    #expect(answer.text.hasPrefix("Bakery\n- [ ] Rolls (6)\n"))
    #expect(!answer.text.contains("Milk"))
    #expect(!answer.text.contains("Revision"), "a part of the list unlocks nothing")
  }

  // MARK: What nobody says, and a model might do

  @Test func aModelThatWouldRewriteTheListIsLedToTheItemTools() throws {
    let tool = try #require(model.tools["update_shopping_list"])
    let description = try #require(tool["description"]?.string)
    for name in ["add_item", "update_item", "remove_item"] { #expect(description.contains(name)) }
    let refused = try model.attempt("update_shopping_list", #"{"items": [{"name": "Milk"}]}"#)
    #expect(refused.isError)
    #expect(refused.text.hasPrefix("REFUSED, nothing was changed: this would remove 5 of 6 items"))
    for name in ["get_shopping_list", "add_item", "update_item", "remove_item", "expected_revision"] {
      #expect(refused.text.contains(name))
    }
    #expect(model.instructions.contains("REFUSED"))
  }

  @Test func namesAreEnough() throws {
    for name in ["update_item", "remove_item"] {
      let id = model.tools[name]?["inputSchema"]?["properties"]?["id"]?["description"]?.string
      #expect(id?.contains("Needed only when several items have the same name") == true)
    }
    #expect(model.instructions.contains("by name") || model.instructions.contains("by its name"))
    let answer = try model.call("remove_item", #"{"name": "  ROLLS "}"#, led: ["by name"])
    #expect(answer.names("removed") == ["Rolls"])
  }

  @Test func aNameThatFitsNothingIsAnsweredWithWhatIsNear() throws {
    let refused = try model.attempt("update_item", #"{"name": "Flower", "checked": true}"#)
    #expect(refused.isError)
    #expect(refused.text.contains("Flour"))
    #expect(refused.text.hasPrefix("Nothing was changed."))
    #expect(model.instructions.contains("do not repeat the call unchanged"))
  }

  @Test func everyToolIsNamedInTheInstructions() {
    for name in model.tools.keys { #expect(model.instructions.contains(name), "\(name)") }
  }
}

/// A model that knows of the server what its client shows it, and makes the calls that a test tells it to.
private struct ScriptedModel {
  let instructions: String
  let tools: [String: JSONValue]
  private let server: TestServer

  init(_ server: TestServer) throws {
    self.server = server
    instructions = try #require(
      server.request("initialize", ["protocolVersion": "2025-11-25"])["instructions"]?.string)
    let listed = try #require(server.request("tools/list")["tools"])
    tools = Dictionary(
      uniqueKeysWithValues: listed.elements.compactMap { tool in tool["name"]?.string.map { ($0, tool) } })
  }

  /// Makes a call that the texts must have led to: each phrase stands in the tool's description, in that of an argument, or
  /// in the instructions.
  func call(_ name: String, _ arguments: String, led phrases: [String]) throws -> TestServer.Answer {
    let tool = try #require(tools[name], "there is no \(name)")
    let properties = tool["inputSchema"]?["properties"]?.members.compactMap {
      $0.value["description"]?.string
    }
    let seen = ([instructions, tool["description"]?.string ?? ""] + (properties ?? [])).joined(
      separator: "\n")
    for phrase in phrases {
      #expect(seen.contains(phrase), "nothing leads to \(name): \"\(phrase)\" is nowhere")
    }
    let answer = try attempt(name, arguments)
    #expect(!answer.isError, "\(answer.text)")
    return answer
  }

  /// Makes a call whose arguments are what the schema has.
  func attempt(_ name: String, _ arguments: String) throws -> TestServer.Answer {
    let schema = try #require(tools[name]?["inputSchema"], "there is no \(name)")
    #expect(Self.misfits(try JSONValue(parsing: Array(arguments.utf8)), schema, at: name) == [])
    return try server.call(name, arguments)
  }

  /// Where a value is not what a schema of ours says.
  private static func misfits(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    let fits =
      switch schema["type"]?.string {
      case "object": value.kind == .object
      case "array": value.kind == .array
      case "string": value.kind == .string
      case "boolean": value.kind == .bool
      case "integer": value.int64 != nil
      default: false
      }
    guard fits else { return ["\(place) is of another type"] }
    if let choices = schema["enum"], !choices.elements.contains(where: { $0.string == value.string }) {
      return ["\(place) is none of the choices"]
    }
    let members = value.members.flatMap { member in
      schema["properties"]?[member.key].map { misfits(member.value, $0, at: "\(place).\(member.key)") }
        ?? ["\(place).\(member.key) is unknown"]
    }
    let elements = schema["items"].map { items in
      value.elements.flatMap { misfits($0, items, at: "\(place)[]") }
    }
    return members + (elements ?? [])
  }
}
