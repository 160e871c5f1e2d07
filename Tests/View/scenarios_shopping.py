"""What a person does with the list, and what becomes of it in the file."""

from world import WEEKEND, World, scenario


@scenario("the list is shown by section, with amounts, ticks and what is optional")
async def shown(world: World) -> None:
    view = await world.view()
    assert await view.find("#list h2 span:first-child").all_text_contents() == ["Produce", "Dairy", "Bakery", "No section"]
    assert await view.names() == ["Bananas", "Apples", "Milk", "Cheese", "Bread", "Candles"]
    assert await view.find("li .amount").all_text_contents() == ["6", "", "2 l", "200 g", "", ""]
    assert await view.find("li .note").all_text_contents() == ["", "", "", "optional", "", ""]
    assert [await box.is_checked() for box in await view.find("li .tick").all()] == [False, True, False, False, True, False]
    await view.shows("#left", "4 items to buy")
    await view.shows("#bought", "2 of 6 bought")
    track = view.frame.get_by_role("progressbar")
    assert await track.get_attribute("aria-valuenow") == "33"
    assert await track.get_attribute("aria-valuetext") == "2 of 6 bought"


@scenario("a tick shows at once, goes into the file, and the model is told")
async def ticking(world: World) -> None:
    view = await world.view()
    await view.box("Milk").check()
    await view.shows("#bought", "3 of 6 bought")
    await view.quiet()
    assert world.rows()["Milk"]["checked"] is True
    assert view.writes == [{"name": "update_item", "arguments": {"checked": True, "name": "Milk"}}]
    assert await view.said() == "Ticked off Milk"
    (told,) = view.told
    assert "Milk" in told["content"][0]["text"] and told["content"][0]["text"]


@scenario("a tick is taken off again")
async def unticking(world: World) -> None:
    view = await world.view()
    await view.box("Apples").uncheck()
    await view.quiet()
    assert world.rows()["Apples"]["checked"] is False
    assert await view.said() == "To buy again: Apples"
    await view.shows("#left", "5 items to buy")


@scenario("ticks that pile up while an answer is pending go in one call, in the order of a shopper")
async def piling_up(world: World) -> None:
    import asyncio

    view = await world.view()
    gate = asyncio.Event()

    async def hold(call: dict) -> None:
        await gate.wait()

    view.on_call = hold
    for name in ("Milk", "Bananas", "Cheese"):
        await view.box(name).check()
    await view.box("Cheese").uncheck()
    await view.shows("#bought", "4 of 6 bought")
    gate.set()
    await view.quiet()
    assert [call["arguments"] for call in view.writes] == [
        {"checked": True, "name": "Milk"},
        {"items": [{"checked": True, "name": "Bananas"}, {"checked": False, "name": "Cheese"}]},
    ]
    rows = world.rows()
    assert rows["Milk"]["checked"] and rows["Bananas"]["checked"] and not rows["Cheese"]["checked"]


@scenario("an item is added with amount and section, whose names are offered")
async def adding(world: World) -> None:
    view = await world.view()
    assert await view.find("#sections option").all_text_contents() == ["Produce", "Dairy", "Bakery"]
    assert await view.find("#section").get_attribute("list") == "sections"
    assert not await view.find("#amount").is_visible()
    await view.add("Yoghurt", "4", "Dairy")
    await view.quiet()
    row = world.rows()["Yoghurt"]
    assert (row["amount"], row["section"]) == ("4", "Dairy")
    assert await view.names() == ["Bananas", "Apples", "Milk", "Cheese", "Yoghurt", "Bread", "Candles"]
    assert [await view.find(f"#{field}").input_value() for field in ("name", "amount", "section")] == ["", "", ""]
    await view.sees(view.find("#name")).to_be_focused()
    await view.find("#name").press_sequentially("Teab")
    await view.find("#name").press("Backspace")
    await view.find("#put").click()
    await view.quiet()
    assert "Tea" in world.rows()
    await view.add("Sponges", section="Household")
    await view.quiet()
    assert await view.find("#sections option").all_text_contents() == ["Produce", "Dairy", "Bakery", "Household"]


@scenario("what is on the list is not added twice, and what was bought comes back")
async def adding_again(world: World) -> None:
    view = await world.view()
    await view.add("milk", "3 l")
    await view.quiet()
    assert await view.said() == "Already on the list: Milk"
    assert world.rows()["Milk"]["amount"] == "2 l"
    await view.add("apples")
    await view.quiet()
    assert world.rows()["Apples"]["checked"] is False and len(world.rows()) == 6


@scenario("name, amount, section and optional are changed, and cleared")
async def changing(world: World) -> None:
    view = await world.view()
    editor = await view.edit("Cheese")
    await view.sees(editor.locator("[name=name]")).to_be_focused()
    await editor.locator("[name=amount]").fill("300 g")
    await editor.locator("[name=section]").fill("Produce")
    await editor.locator("[name=optional]").uncheck()
    await editor.get_by_role("button", name="Save").click()
    await view.quiet()
    row = world.rows()["Cheese"]
    assert (row["amount"], row["section"], row["optional"]) == ("300 g", "Produce", False)
    editor = await view.edit("Cheese")
    await editor.locator("[name=name]").fill("Gouda")
    await editor.locator("[name=amount]").fill("")
    await editor.locator("[name=section]").fill("")
    await editor.locator("[name=section]").press("Enter")
    await view.quiet()
    row = world.rows()["Gouda"]
    assert (row["amount"], row["section"]) == ("", ""), view.writes
    assert "Cheese" not in world.rows()
    assert await view.said() == "Changed Gouda"
    await view.box("Gouda").check()
    await view.quiet()
    assert world.rows()["Gouda"]["checked"]
    editor = await view.edit("Milk")
    await editor.locator("[name=amount]").press("End")
    await editor.locator("[name=amount]").press_sequentially(" 9")
    await view.sees(editor.locator("[name=amount]")).to_have_value("2 l 9")
    await editor.locator("[name=amount]").press("Escape")
    await view.sees(view.find("#editor")).to_have_count(0)
    assert world.rows()["Milk"]["amount"] == "2 l"


@scenario("an item is removed, and everything that was bought is cleared in one go; both are undone")
async def removing(world: World) -> None:
    view = await world.view()
    editor = await view.edit("Milk")
    await editor.get_by_role("button", name="Remove").click()
    await view.sees(view.row("Milk")).to_have_count(0)
    await view.quiet()
    assert "Milk" not in world.rows() and await view.said() == "Removed Milk"
    await view.button("Undo").click()
    await view.quiet()
    assert world.rows()["Milk"]["amount"] == "2 l" and await view.said() == "Undone"
    await view.button("Clear bought").click()
    await view.quiet()
    assert list(world.rows()) == ["Bananas", "Milk", "Cheese", "Candles"]
    assert await view.said() == "Removed Apples, Bread"
    await view.sees(view.button("Clear bought")).to_be_hidden()
    await view.button("Undo").click()
    await view.quiet()
    assert list(world.rows()) == ["Bananas", "Apples", "Milk", "Cheese", "Bread", "Candles"]
    assert await view.names() == ["Bananas", "Apples", "Milk", "Cheese", "Bread", "Candles"]


@scenario("the last change is undone, and the undoing too")
async def undoing(world: World) -> None:
    view = await world.view()
    await view.box("Milk").check()
    await view.quiet()
    await view.button("Undo").click()
    await view.quiet()
    assert world.rows()["Milk"]["checked"] is False and not await view.box("Milk").is_checked()
    assert set(view.writes[-1]["arguments"]) == {"restore", "expected_revision"}
    await view.button("Redo").click()
    await view.quiet()
    assert world.rows()["Milk"]["checked"] is True and await view.box("Milk").is_checked()


@scenario("only what is still to buy; what is ticked there stays in sight until the filter is chosen again")
async def filtering(world: World) -> None:
    view = await world.view()
    await view.button("To buy").click()
    assert await view.names() == ["Bananas", "Milk", "Cheese", "Candles"]
    assert await view.button("To buy").get_attribute("aria-pressed") == "true"
    await view.box("Milk").check()
    await view.quiet()
    assert await view.names() == ["Bananas", "Milk", "Cheese", "Candles"]
    await view.button("To buy").click()
    assert await view.names() == ["Bananas", "Cheese", "Candles"]
    for name in ("Bananas", "Cheese", "Candles"):
        await view.box(name).check()
    await view.quiet()
    await view.button("To buy").click()
    await view.shows("#state", "Nothing left to buy")
    await view.button("Show the whole list").click()
    assert len(await view.names()) == 6


@scenario("a call for a part of the list opens the view on that part, and the whole is one press away")
async def part(world: World) -> None:
    view = await world.view(arguments={"section": "dairy", "status": "unchecked"})
    assert await view.names() == ["Milk", "Cheese"]
    await view.shows("#bought", "2 of 6 bought")
    await view.button("Show the whole list").click()
    assert len(await view.names()) == 6
    await view.sees(view.find("#whole")).to_be_hidden()
    assert await (await world.view(None, arguments={"section": "none"})).names() == ["Candles"]
    assert await (await world.view(None, arguments={"search": "BA"})).names() == ["Bananas"]
    assert len(await (await world.view(None, arguments={"limit": 1})).names()) == 6


@scenario("an empty list says so, and takes its first item")
async def empty(world: World) -> None:
    view = await world.view(None)
    await view.shows("#state h2", "The list is empty")
    await view.sees(view.find("#summary")).to_be_hidden()
    await view.add("Bananas", "6")
    await view.quiet()
    assert world.rows()["Bananas"]["amount"] == "6" and await view.names() == ["Bananas"]
    await view.sees(view.find("#state")).to_be_hidden()
    # One section, or none, needs no heading.
    await view.sees(view.find("#list h2")).to_be_hidden()


@scenario("two items of one name are told apart by their ids")
async def twins(world: World) -> None:
    rows = [("Chocolate", "1", "Sweets", False, False), ("Chocolate", "2", "Baking", False, False), *WEEKEND]
    view = await world.view(rows)
    second = view.find("section").filter(has_text="Baking").locator("li .tick")
    await second.check()
    await view.quiet()
    assert view.writes == [{"name": "update_item", "arguments": {"checked": True, "id": "00000000-0000-4000-8000-000000000001"}}]
    assert await second.is_checked() and not await view.find("section").filter(has_text="Sweets").locator("li .tick").is_checked()
