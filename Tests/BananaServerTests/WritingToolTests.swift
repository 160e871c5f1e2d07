import Testing

@testable import BananaServer
@testable import JSON
@testable import ShoppingList

@Suite struct AddItemTests {
  @Test func oneItem() throws {
    let server = try TestServer(weekend)
    let answer = try server.call("add_item", #"{"name":"Bread","amount":"1"}"#)
    #expect(answer.text == "Added Bread (1).")
    #expect(answer.names("added") == ["Bread"])
    let row = try #require(answer.structured?["added"]?.elements.first)
    #expect(row.members.map(\.key) == ["id", "name", "amount", "section", "optional", "checked"])
    #expect(try server.call("get_shopping_list", #"{"search":"bread"}"#).names("items") == ["Bread"])
  }

  @Test func manyInOneCallWithDefaultsBesideThem() throws {
    let server = try TestServer(weekend)
    let answer = try server.call(
      "add_item",
      #"{"items":["Yoghurt",{"name":"Butter","amount":"250 g"},{"name":"Pears","section":"produce"}],"section":"dairy"}"#
    )
    #expect(answer.text == "Added Yoghurt and Butter (250 g) in Dairy; Pears in Produce.")
    #expect(answer.names("added") == ["Yoghurt", "Butter", "Pears"])
  }

  @Test func whatIsThereAlreadyIsNotAdded() throws {
    let server = try TestServer(weekend)
    let before = server.file
    let answer = try server.call("add_item", #"{"name":"milk","amount":"1 l"}"#)
    #expect(!answer.isError)
    #expect(
      answer.text
        == "NOT ADDED: Milk is already on the list in Dairy, with the amount \"2 l\". To set a new total: update_item with name \"Milk\" and amount."
    )
    #expect(answer.names("unchanged") == ["Milk"])
    #expect(server.file == before)
  }

  @Test func aMixedCallBeginsWithWhatWasNotAdded() throws {
    let server = try TestServer(weekend)
    let answer = try server.call("add_item", #"{"items":["Flour","Apples","Rice","rice"]}"#)
    let lines = answer.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("NOT ADDED: Flour is already on the list, without an amount."))
    #expect(lines[1].hasPrefix("NOT ADDED: Rice is already"))
    #expect(lines[2] == "Added Rice.")
    #expect(lines[3] == "Back on the list: Apples in Produce.")
    #expect(answer.names("added") == ["Rice"])
    #expect(answer.names("updated") == ["Apples"])
  }

  @Test func aNewSectionIsMentionedWithTheOthers() throws {
    let answer = try TestServer(weekend).call("add_item", #"{"name":"Rolls","section":"Bakery"}"#)
    #expect(
      answer.text
        == "Added Rolls in Bakery.\n\"Bakery\" is a new section; there were already: Produce and Dairy.")
  }

  @Test func duplicatesOnRequest() throws {
    let answer = try TestServer(weekend).call("add_item", #"{"name":"Milk","allow_duplicate":true}"#)
    #expect(answer.text == "Added Milk in Dairy.")
  }

  @Test func noSectionOnRequest() throws {
    let server = try TestServer(weekend)
    _ = try server.call("add_item", #"{"name":"Apples","section":"None"}"#)
    #expect(
      try server.call("get_shopping_list", #"{"section":"none"}"#).names("items") == ["Apples", "Flour"])
  }

  @Test(arguments: [
    (#"{}"#, "name is missing"), (#"{"name":"  "}"#, "name is missing"),
    (#"{"items":[{"amount":"2"}]}"#, "items[0]"),
    (#"{"name":"Milk","quantity":"3"}"#, "unknown argument quantity; did you mean amount?"),
    (#"{"name":"x","aisle":"3"}"#, "did you mean section?"), (#"{"item":"Milk"}"#, "did you mean name?"),
    (#"{"items":[{"name":"x","qty":2}]}"#, "did you mean amount?"), (#"{"nmae":"x"}"#, "did you mean name?"),
    (#"{"name":"x","colour":"red"}"#, "known are"), (#"{"name":["Milk"]}"#, "name"),
  ])
  func refusals(arguments: String, part: String) throws {
    let server = try TestServer(weekend)
    let before = server.file
    let answer = try server.call("add_item", arguments)
    #expect(answer.isError)
    #expect(answer.structured == nil)
    #expect(answer.text.contains(part), "\(answer.text)")
    #expect(server.file == before)
  }

  @Test func limitsForNewText() throws {
    let server = try TestServer(weekend)
    let long = String(repeating: "ä", count: 200)
    #expect(try !server.call("add_item", #"{"name":"\#(long)"}"#).isError)
    #expect(try server.call("add_item", #"{"name":"\#(long)b"}"#).isError)
    #expect(
      try server.call("add_item", #"{"name":"x","amount":"\#(String(repeating: "1", count: 101))"}"#).isError)
    let many = (0...500).map { "\"n\($0)\"" }.joined(separator: ",")
    #expect(try server.call("add_item", #"{"items":[\#(many)]}"#).isError)
  }
}

@Suite struct UpdateItemTests {
  @Test func tickingOff() throws {
    let server = try TestServer(weekend)
    let answer = try server.call("update_item", #"{"items":["milk","FLOUR"],"checked":true}"#)
    #expect(answer.text == "Ticked off Milk (2 l) and Flour.\nStill to buy: 1 item.")
    #expect(answer.names("updated") == ["Milk", "Flour"])
    #expect(try server.call("get_shopping_list", #"{"status":"unchecked"}"#).names("items") == ["Bananas"])
  }

  @Test func everyChangeInWords() throws {
    let server = try TestServer(weekend)
    #expect(
      try server.call(
        "update_item",
        #"{"name":"Bananas","amount":"3","section":"none","optional":true,"new_name":"Plantains"}"#
      )
      .text == "Bananas: now called \"Plantains\", amount 3 (was 6), in no section (was Produce), optional.")
    #expect(
      try server.call("update_item", #"{"name":"Flour","section":"Baking","amount":"none"}"#).text.hasPrefix(
        "Flour: moved to Baking."))
    #expect(
      try server.call("update_item", #"{"id":"m","amount":"none","optional":false}"#).text
        == "Milk: no amount (was 2 l), no longer optional.")
    #expect(
      try server.call("update_item", #"{"name":"Apples","checked":false}"#).text
        == "Apples: to buy again.\nStill to buy: 4 items.")
  }

  @Test func whatIsSoAlreadyIsSaid() throws {
    let server = try TestServer(weekend)
    let before = server.file
    let answer = try server.call("update_item", #"{"name":"Milk","amount":"2 l"}"#)
    #expect(answer.text == "So already: Milk (2 l).")
    #expect(answer.names("unchanged") == ["Milk"])
    #expect(server.file == before)
  }

  @Test(arguments: [
    (#"{"name":"Milk"}"#, "nothing to change"), (#"{"checked":true}"#, "names no item"),
    (
      #"{"name":"soy milk","checked":true}"#,
      "No item is called \"soy milk\". Near it: Milk (2 l) in Dairy, id m."
    ),
    (#"{"name":"Window cleaner","checked":true}"#, "Nothing on the list is near it"),
    (#"{"id":"zzz","checked":true}"#, "No item has the id \"zzz\""),
    (#"{"id":"m","name":"Soy milk","checked":true}"#, "To rename it, give the new name as new_name."),
    (#"{"items":["Milk","Eggs"],"checked":true}"#, "No item is called \"Eggs\""),
    (#"{"items":["Milk",{"id":"m"}],"checked":true}"#, "\"Milk\" is named twice"),
    (#"{"name":"Milk","done":true}"#, "did you mean checked?"),
    (#"{"name":"Milk","checked":"maybe"}"#, "true or false"),
  ])
  func refusals(arguments: String, part: String) throws {
    let server = try TestServer(weekend)
    let before = server.file
    let answer = try server.call("update_item", arguments)
    #expect(answer.isError)
    #expect(answer.text.contains(part), "\(answer.text)")
    #expect(
      answer.text.localizedCaseInsensitiveContains("nothing was changed") || part.contains("did you mean")
        || part.contains("true or false"))
    #expect(server.file == before)
  }

  @Test func anAmbiguousNameIsAnsweredWithAllCandidates() throws {
    let server = try TestServer(
      #"{"items":[{"id":"1","name":"Milk","amount":"2 l","section":"Dairy"},{"id":"2","name":"Milk","checked":true}]}"#
    )
    let answer = try server.call("update_item", #"{"name":"milk","checked":true}"#)
    #expect(answer.isError)
    #expect(
      answer.text
        == "Nothing was changed. \"milk\" fits 2 items: Milk (2 l) in Dairy, id 1; Milk, bought, id 2. Name one by its id."
    )
    #expect(try !server.call("update_item", #"{"id":"1","checked":true}"#).isError)
  }
}

@Suite struct RemoveItemTests {
  @Test func byNameAndByID() throws {
    let server = try TestServer(weekend)
    let answer = try server.call("remove_item", #"{"items":["flour",{"id":"m"}]}"#)
    #expect(answer.text == "Removed Milk (2 l) and Flour. On the list: 2 items: 1 to buy, 1 bought.")
    #expect(answer.names("removed") == ["Milk", "Flour"])
    #expect(try server.call("get_shopping_list").names("items") == ["Bananas", "Apples"])
  }

  @Test func allThatIsBought() throws {
    let server = try TestServer(weekend)
    #expect(try server.call("remove_item", #"{"all_checked":true}"#).names("removed") == ["Apples"])
    #expect(
      try server.call("remove_item", #"{"all_checked":true}"#).text
        == "Nothing on the list is bought; nothing was changed.")
  }

  @Test(arguments: [
    (#"{}"#, "names no item"), (#"{"all_checked":false}"#, "names no item"),
    (#"{"name":" "}"#, "names no item"),
    (#"{"all_checked":true,"name":"Milk"}"#, "all_checked stands alone"),
    (#"{"all_checked":true,"items":["Milk"]}"#, "all_checked stands alone"),
    (#"{"items":["Milk","milk"]}"#, "named twice"),
    (#"{"items":["Milk","Eggs"]}"#, "No item is called \"Eggs\""),
    (#"{"name":"Milk","amount":"1"}"#, "unknown argument amount"),
  ])
  func refusals(arguments: String, part: String) throws {
    let server = try TestServer(weekend)
    let before = server.file
    let answer = try server.call("remove_item", arguments)
    #expect(answer.isError)
    #expect(answer.text.contains(part), "\(answer.text)")
    #expect(server.file == before)
  }

  @Test func fillersBesideANameCountAsAbsent() throws {
    let server = try TestServer(weekend)
    let answer = try server.call(
      "remove_item", #"{"name":"Milk","id":"null","items":[],"all_checked":false}"#)
    #expect(answer.names("removed") == ["Milk"])
  }
}

@Suite struct UpdateShoppingListTests {
  private func revision(_ server: TestServer) throws -> String {
    try #require(try server.call("get_shopping_list").structured?["revision"]?.string)
  }

  @Test func removingNeedsTheRevision() throws {
    let server = try TestServer(weekend)
    let before = server.file
    let refused = try server.call("update_shopping_list", #"{"items":["Milk","Eggs"]}"#)
    #expect(refused.isError)
    #expect(
      refused.text.hasPrefix(
        "REFUSED, nothing was changed: this would remove 3 of 4 items: Bananas (6), Apples and Flour."))
    #expect(!refused.text.contains(try revision(server)), "a refusal does not hand out what it asks for")
    #expect(server.file == before)
    let done = try server.call(
      "update_shopping_list", #"{"items":["Milk","Eggs"],"expected_revision":"\#(try revision(server))"}"#)
    #expect(!done.isError)
    #expect(done.names("removed") == ["Bananas", "Apples", "Flour"])
    #expect(done.names("added") == ["Eggs"])
    #expect(done.names("unchanged") == ["Milk"])
    #expect(try server.call("get_shopping_list").names("items") == ["Milk", "Eggs"])
  }

  @Test func aStaleRevisionIsRefusedEvenIfNothingWouldGo() throws {
    let server = try TestServer(weekend)
    let stale = try revision(server)
    _ = try server.call("add_item", #"{"name":"Eggs"}"#)
    let before = server.file
    for arguments in [
      #"{"items":[],"expected_revision":"\#(stale)"}"#,
      #"{"sections":["Dairy"],"expected_revision":"\#(stale)"}"#,
    ] {
      let answer = try server.call("update_shopping_list", arguments)
      #expect(answer.isError)
      #expect(answer.text.hasPrefix("Nothing was changed: the list is not the one with revision"))
    }
    #expect(server.file == before)
  }

  @Test func nothingToRemoveNeedsNothing() throws {
    let server = try TestServer(weekend)
    let answer = try server.call(
      "update_shopping_list",
      #"{"items":["Flour","Milk","Apples",{"name":"Bananas","amount":"none"},"Eggs"]}"#)
    #expect(!answer.isError)
    #expect(
      answer.text == """
        Added 1 item: Eggs.
        Bananas: no amount (was 6).
        The items are in the new order.
        On the list: 5 items: 4 to buy, 1 bought.
        """)
    let items = try server.call("get_shopping_list").structured?["items"]
    #expect(items?.elements.map { $0["name"]?.string } == ["Flour", "Milk", "Apples", "Bananas", "Eggs"])
    #expect(items?.elements.map { $0["amount"]?.string } == [nil, "2 l", nil, nil, nil], "left out is kept")
  }

  @Test func emptyingIsGuardedLikeAnyRemoval() throws {
    let server = try TestServer(weekend)
    #expect(try server.call("update_shopping_list", #"{"items":[]}"#).isError)
    let done = try server.call(
      "update_shopping_list", #"{"items":[],"expected_revision":"\#(try revision(server))"}"#)
    #expect(done.names("removed").count == 4)
  }

  @Test func writingTheSameListBackChangesNothing() throws {
    let server = try TestServer(weekend)
    let before = server.file
    let items = try #require(try server.call("get_shopping_list").structured?["items"])
    let answer = try server.call(
      "update_shopping_list", #"{"items":\#(items),"expected_revision":"\#(try revision(server))"}"#)
    #expect(answer.text.hasPrefix("The list was so already; nothing was changed."))
    #expect(answer.names("unchanged").count == 4)
    #expect(server.file == before)
  }

  @Test func sectionsAlone() throws {
    let server = try TestServer(weekend)
    #expect(
      try server.call("update_shopping_list", #"{"sections":["dairy","Bakery"]}"#).text
        == "The sections are now: Dairy, Bakery and Produce.")
    #expect(
      try server.call("update_shopping_list", #"{"sections":["Dairy"]}"#).text
        == "The sections stood so already: Dairy, Bakery and Produce.")
  }

  @Test(arguments: [#"{}"#, #"{"items":null,"sections":[]}"#, #"{"items":["Milk",{"id":"unknown"}]}"#])
  func refusals(arguments: String) throws {
    let server = try TestServer(weekend)
    let before = server.file
    #expect(try server.call("update_shopping_list", arguments).isError)
    #expect(server.file == before)
  }
}
