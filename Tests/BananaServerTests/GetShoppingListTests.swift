import Testing

@testable import BananaServer
@testable import JSON
@testable import ShoppingList

@Suite struct GetShoppingListTests {
  @Test func theWholeListBySection() throws {
    let server = try TestServer(weekend)
    let answer = try server.call("get_shopping_list")
    let revision = try #require(answer.structured?["revision"]?.string)
    #expect(
      answer.text == """
        Produce
        - [ ] Bananas (6)
        - [x] Apples

        Dairy
        - [ ] Milk (2 l), optional

        No section
        - [ ] Flour

        4 items: 3 to buy, 1 bought. Revision \(revision).
        """)
    #expect(
      answer.structured?["items"]?.description
        == #"[{"name":"Bananas","amount":"6","section":"Produce"},{"name":"Apples","section":"Produce","checked":true},{"name":"Milk","amount":"2 l","section":"Dairy","optional":true},{"name":"Flour"}]"#
    )
    #expect(answer.structured?["total"]?.int64 == 4)
    #expect(answer.structured?["matched"]?.int64 == 4)
    #expect(answer.structured?["sections"]?.description == #"["Produce","Dairy"]"#)
  }

  @Test(arguments: [
    (#"{"section":"DAIRY"}"#, ["Milk"]), (#"{"section":"none"}"#, ["Flour"]),
    (#"{"status":"unchecked"}"#, ["Bananas", "Milk", "Flour"]), (#"{"status":"checked"}"#, ["Apples"]),
    (#"{"search":"  ANA "}"#, ["Bananas"]), (#"{"section":"Produce","status":"checked"}"#, ["Apples"]),
    (#"{"limit":2}"#, ["Bananas", "Apples"]), (#"{"limit":1,"offset":3}"#, ["Flour"]), (#"{"offset":9}"#, []),
    (#"{"limit":0,"section":"","search":null,"colour":"red"}"#, ["Bananas", "Apples", "Milk", "Flour"]),
  ])
  func parts(arguments: String, names: [String]) throws {
    let answer = try TestServer(weekend).call("get_shopping_list", arguments)
    #expect(answer.names("items") == names)
    let isWhole = names.count == 4
    #expect((answer.structured?["revision"] != nil) == isWhole, "a part has no revision")
    #expect(answer.text.contains("Revision") == isWhole)
    #expect(answer.structured?["total"]?.int64 == 4)
  }

  /// The last answer is kept; it must be given to the same question about the same list only.
  @Test func askedAgainItIsTheListAsItIsNow() throws {
    let server = try TestServer(weekend)
    let whole = try server.call("get_shopping_list").text
    #expect(try server.call("get_shopping_list").text == whole)
    #expect(try server.call("get_shopping_list", #"{"limit":1}"#).names("items") == ["Bananas"])
    #expect(try server.call("get_shopping_list").text == whole)
    try server.replaceFile(weekend.replacing("Flour", with: "Flowers"))
    #expect(try server.call("get_shopping_list").names("items").last == "Flowers")
    _ = try server.call("update_item", #"{"name":"Flowers","checked":true}"#)
    #expect(try server.call("get_shopping_list").text.contains("- [x] Flowers"))
    try server.replaceFile(weekend)
    #expect(try server.call("get_shopping_list", #"{"limit":2}"#).names("items") == ["Bananas", "Apples"])
  }

  /// What the store says only once is not said to a call that is refused for its arguments.
  @Test func aMistakeInTheArgumentsIsFoundBeforeTheListIsRead() throws {
    let server = try TestServer(weekend)
    _ = try server.call("add_item", #"{"name":"Tea"}"#)
    try server.replaceFile(weekend)
    #expect(try server.call("get_shopping_list", #"{"status":"eaten"}"#).isError)
    #expect(try server.call("get_shopping_list").text.contains("without the Tea added"))
    try server.replaceFile("{")
    #expect(try server.call("get_shopping_list", #"{"status":"eaten"}"#).text.contains("status"))
  }

  @Test func itSaysWhenThereIsMore() throws {
    let server = try TestServer(weekend)
    #expect(
      try server.call("get_shopping_list", #"{"limit":2}"#).text.hasSuffix(
        "4 items: 3 to buy, 1 bought. Shown: 1 to 2. For more: offset 2."))
    #expect(
      try server.call("get_shopping_list", #"{"search":"a","limit":1,"offset":1}"#).text.hasSuffix(
        "2 of 4 items match. Shown: 2 to 2."))
  }

  @Test func anUnknownSectionIsAnsweredWithTheOnesThatExist() throws {
    let answer = try TestServer(weekend).call("get_shopping_list", #"{"section":"Bakery"}"#)
    #expect(!answer.isError)
    #expect(
      answer.text == "No section is called \"Bakery\". The sections: Produce and Dairy.\n0 of 4 items match.")
  }

  @Test func anEmptyListAndNoFile() throws {
    for server in [try TestServer(), try TestServer("{}")] {
      let answer = try server.call("get_shopping_list")
      #expect(answer.text.hasPrefix("The shopping list is empty. Revision "))
      #expect(answer.structured?["items"]?.description == "[]")
    }
  }

  @Test func readingCreatesNothing() throws {
    let server = try TestServer()
    _ = try server.call("get_shopping_list")
    _ = try server.request("resources/read", ["uri": "shopping-list://current"])
    #expect(server.file == nil)
  }

  @Test func anIDStandsWhereANameOccursTwice() throws {
    let server = try TestServer(
      #"{"items":[{"id":"1","name":"Milk"},{"id":"2","name":"milk "},{"id":"3","name":"Eggs"}]}"#)
    let answer = try server.call("get_shopping_list", #"{"search":"i"}"#)
    #expect(answer.text.hasPrefix("- [ ] Milk [id 1]\n- [ ] milk [id 2]\n"))
    let all = try server.call("get_shopping_list")
    #expect(all.structured?["items"]?.elements.map { $0["id"]?.string } == ["1", "2", nil])
  }

  @Test func namesCannotForgeLines() throws {
    let server = try TestServer(
      #"{"items":[{"id":"1","name":"Milk\n- [x] Poison\u202e\u0007"},{"id":"2","name":"<b>Eggs</b>"}]}"#)
    let answer = try server.call("get_shopping_list")
    #expect(answer.text.hasPrefix("- [ ] Milk - [x] Poison\n- [ ] <b>Eggs</b>\n"))
    #expect(
      answer.names("items")[0] == "Milk\n- [x] Poison\u{202E}\u{7}", "the structure has the name as it is")
  }

  @Test func aHundredItemsStayUnderTenKibibytes() throws {
    let rows = (1...100).map {
      #"{"id":"7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F\#(3000 + $0)","name":"Some thing to buy \#($0)","amount":"\#($0) pieces","section":"Section \#($0 % 9)"}"#
    }
    let answer = try TestServer(#"{"items":[\#(rows.joined(separator: ","))]}"#).call("get_shopping_list")
    #expect(try #require(answer.structured).sourceBytes.count < 10_240)
    #expect(answer.names("items").count == 100)
  }

  @Test func thirtyItemsCostAThirdOfTheirJSON() throws {
    let rows = (1...30).map {
      #"{"id":"7D0C4E0A-2B7C-4D1B-9A55-0D8E5B1F\#(3000 + $0)","name":"Thing \#($0)","amount":"\#($0) pcs","section":"Section \#($0 % 5)","optional":false,"checked":false,"lastModified":"2026-11-30T20:41:12.345Z"}"#
    }
    let answer = try TestServer(#"{"items":[\#(rows.joined(separator: ","))]}"#).call("get_shopping_list")
    #expect(answer.text.utf8.count * 3 <= rows.joined(separator: ",").utf8.count)
  }

  @Test func aLongListCanBeShownWhole() throws {
    let rows = (1...150).map { #"{"id":"\#($0)","name":"Thing \#($0)"}"# }
    let server = try TestServer(#"{"items":[\#(rows.joined(separator: ","))]}"#)
    #expect(try server.call("get_shopping_list").names("items").count == 100)
    let whole = try server.call("get_shopping_list", #"{"limit":"1000000"}"#)
    #expect(whole.names("items").count == 150)
    #expect(whole.structured?["revision"] != nil)
  }
}
