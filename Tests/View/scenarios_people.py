"""For everybody: names of all kinds, long lists, narrow hosts, themes, languages, the keyboard, screen readers."""

import time
from pathlib import Path

import axe_playwright_python
from playwright.async_api import expect
from world import WEEKEND, World, file_text, scenario

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
HTML = '<img src=x onerror="document.title=1"><b>bold</b>'
ARABIC = "حليب 2 لتر"
OVERRIDE = "gnp.\u202egnirts"
EMOJI = "👩‍👩‍👧‍👦 🍌🍌🏽"
LONG = "Very" + "long" * 49


@scenario("names that are markup, right to left, emoji or 200 characters long show as they are, and work")
async def odd_names(world: World) -> None:
    names = [HTML, ARABIC, OVERRIDE, EMOJI, LONG, "O'Neil & \"Sons\" <br>"]
    rows = [(name, "<i>2</i>", "<u>Odd</u> קטע", False, False) for name in names]
    view = await world.view(rows, width=320)
    assert await view.names() == names
    assert await view.find("#list h2 span:first-child").all_text_contents() == ["<u>Odd</u> קטע"]
    assert await view.find("#list :is(img, b, i, u, br)").count() == 0
    assert await view.row(ARABIC).locator(".name").get_attribute("dir") == "auto"
    assert await view.row(ARABIC).locator(".name").evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    assert await view.row(EMOJI).locator(".name").evaluate("(one) => getComputedStyle(one).direction") == "ltr"
    for name in names:
        await view.box(name).check()
    await view.quiet()
    assert all(row["checked"] for row in world.rows().values())
    await view.button("Clear bought").click()
    await view.quiet()
    # What turns text around stays out of sentences, and so does what is too much.
    assert await view.said() == f"Removed {HTML}, {ARABIC}, gnp.gnirts, +3", await view.said()
    await view.button("Undo").click()
    await view.quiet()
    editor = await view.edit(HTML)
    assert await editor.locator("[name=name]").input_value() == HTML
    await editor.locator("[name=name]").fill(HTML + "!")
    await editor.locator("[name=name]").press("Enter")
    await view.quiet()
    assert HTML + "!" in world.rows()
    await view.add("<script>alert(1)</script>", section="</option><h1>")
    await view.quiet()
    assert "<script>alert(1)</script>" in await view.names()
    assert await overflow(view) == 0


async def overflow(view) -> int:
    """By how many pixels the page is wider than its frame."""
    return await view.frame.evaluate("document.documentElement.scrollWidth - innerWidth")


@scenario("a name of 201 characters, in a file of another program, is shown and ticked off")
async def too_long(world: World) -> None:
    view = await world.view([(LONG + "!!!!!", "", "", False, False)])
    await view.box("Verylong").check()
    await view.quiet()
    assert next(iter(world.rows().values()))["checked"]


@scenario("a thousand items: shown, searched, ticked, without rows that were not touched being made anew")
async def thousand(world: World) -> None:
    rows = [(f"Item {number}", str(number), f"Section {number // 40}", False, number % 5 == 0) for number in range(1000)]
    host = await world.host(rows)
    result = await host.server.call("get_shopping_list", {"limit": 1000})
    await host.load()
    await host.frame.evaluate("""() => addEventListener("message", () => {
      if (window.ready || !list.time) return;
      // Styles and layout, too: after this the page can be used.
      document.body.offsetHeight;
      window.ready = performance.now() - event.timeStamp;
    })""")
    await host.send("ui/notifications/tool-input", {"arguments": {}})
    await host.send("ui/notifications/tool-result", result)
    await expect(host.box("Item 999")).to_be_attached()
    ready = await host.frame.evaluate("ready")
    world.figures.append(f"1,000 items: {ready:.0f} ms from the result's arrival to a page that can be used")
    await host.quiet()
    await host.frame.evaluate("""() => {
      window.touched = new Set();
      const note = (changes) => changes.forEach(({ target }) => {
        const item = (target.closest ? target : target.parentElement).closest("li");
        if (item) touched.add(item.row.name);
      });
      new MutationObserver(note).observe($("list"), { subtree: true, childList: true, characterData: true });
    }""")
    before = time.perf_counter()
    shown = await host.frame.evaluate("""() => {
      const before = performance.now();
      elements.get("n:Item 7").box.click();
      document.body.offsetHeight;
      return performance.now() - before;
    }""")
    await host.quiet()
    world.figures.append(
        f"a tick among 1,000: {shown:.1f} ms until it shows, {(time.perf_counter() - before) * 1000:.0f} ms until it is"
        " saved, answered and read again")
    assert world.rows()["Item 7"]["checked"]
    touched = await host.frame.evaluate("[...touched]")
    assert set(touched) <= {"Item 7"}, f"{len(touched)} rows were touched by one tick"
    await host.find("#search").fill("item 99")
    assert await host.names() == ["Item 99", *[f"Item {number}" for number in range(990, 1000)]]
    await host.find("#search").fill("")
    assert len(await host.names()) == 1000
    assert host.frame_height == 720, host.frame_height


@scenario("at 320 pixels nothing is cut off, and everything to press is at least 44 pixels high")
async def narrow(world: World) -> None:
    view = await world.view(width=320)
    for _ in range(2):
        assert await overflow(view) == 0
        small = await view.frame.evaluate("""() => [...document.querySelectorAll("button, label, input:not([type=checkbox])")]
          .filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).map((one) => [one, one.getBoundingClientRect()])
          .filter(([one, { width, height }]) => height < 44 || width < 44).map(([one]) => one.outerHTML.slice(0, 200))""")
        assert small == [], small
        # And once more with everything open.
        await view.box("Bananas").check()
        await view.quiet()
        await view.edit("Milk")


@scenario("the host's theme, colours and font are taken over, and its changes too")
async def theming(world: World) -> None:
    view = await world.view(theme="dark", styles={
        "variables": {"--color-background-primary": "light-dark(#ffffff, #102030)", "--font-sans": "monospace", "--color-text-info": None},
        "css": {"fonts": "@font-face { font-family: Odd; src: local('Odd'); }"}})
    style = "(name) => getComputedStyle(document.documentElement)[name]"
    assert await view.frame.evaluate(style, "backgroundColor") == "rgb(16, 32, 48)"
    assert await view.frame.evaluate(style, "fontFamily") == "monospace"
    assert await view.frame.evaluate("[...document.fonts].map((font) => font.family)") == ["Odd"]
    await view.send("ui/notifications/host-context-changed", {"theme": "light"})
    await view.quiet()
    assert await view.frame.evaluate(style, "backgroundColor") == "rgb(255, 255, 255)"
    assert await view.frame.evaluate(style, "fontFamily") == "monospace"
    await view.send("ui/notifications/host-context-changed", {"locale": "fr-CA"})
    await view.quiet()
    await view.shows("h1", "Liste de courses")


@scenario("the page is as tall as its list up to what the host has room for, and fills the frame where the host says so")
async def sizes(world: World) -> None:
    view = await world.view(WEEKEND[:2])
    small = view.frame_height
    assert 200 < small < 400, small
    await view.add("Tea")
    await view.quiet()
    assert view.frame_height > small
    await view.send("ui/notifications/host-context-changed", {"containerDimensions": {"maxHeight": 300}})
    await view.quiet()
    assert view.frame_height == 300
    # The list scrolls, the line to add something stays in sight.
    assert await view.find("#list").evaluate("(one) => one.scrollHeight > one.clientHeight")
    await view.sees(view.find("#name")).to_be_in_viewport()
    heard = len(view.log)
    await view.send("ui/notifications/host-context-changed", {"displayMode": "fullscreen"})
    await view.page.evaluate("frame.style.height = '800px'")
    await view.quiet()
    await expect(view.find("#main")).to_have_js_property("clientHeight", 800)
    assert not any("size-changed" in str(message) for _, message in view.log[heard:])


@scenario("English, French, Polish and Portuguese, with their plurals; any other language is English")
async def languages(world: World) -> None:
    def rows(count: int):
        return [(f"Item {number}", "", "", number == 0, False) for number in range(count)]

    for locale, title, left in (
        ("en-US", "Shopping list", {1: "1 item to buy", 2: "2 items to buy"}),
        ("fr", "Liste de courses", {1: "1 article à acheter", 2: "2 articles à acheter"}),
        ("pl-PL", "Lista zakupów", {1: "1 produkt do kupienia", 3: "3 produkty do kupienia", 5: "5 produktów do kupienia",
                                    22: "22 produkty do kupienia"}),
        ("pt-BR", "Lista de compras", {1: "1 item por comprar", 2: "2 itens por comprar"}),
        ("de", "Shopping list", {1: "1 item to buy"}), ("no such tag", "Shopping list", {1: "1 item to buy"}),
    ):
        view = await world.view(rows(1), locale=locale)
        await view.shows("h1", title)
        assert await view.frame.evaluate("document.documentElement.lang") in (locale[:2], "en")
        for count, text in left.items():
            world.save(file_text(rows(count)))
            await view.find("#refresh").click()
            await view.quiet()
            assert await view.find("#left").text_content() == text
    view = await world.view(rows(1234), locale="pl")
    assert await view.find("#left").text_content() == "1234 produkty do kupienia"
    # No language lacks a word that another has.
    assert await view.frame.evaluate("""Object.values(languages).map((one) => Object.keys(one).sort().join()).every((keys, i, all) =>
      keys === all[0])""")


@scenario("everything by keyboard alone: tick, move, change, add, filter, clear, undo")
async def keyboard(world: World) -> None:
    view = await world.view()
    press = view.page.keyboard.press

    async def focused() -> str:
        return await view.frame.evaluate("""() => {
          const one = document.activeElement, item = one.closest("li");
          return [item?.row.name, one.id || one.name || one.className].filter(Boolean).join(" ");
        }""")

    async def tab_to(what: str) -> None:
        for _ in range(40):
            await press("Tab")
            if await focused() == what:
                return
        raise AssertionError(f"Tab does not come to {what}")

    await view.find("h1").focus()
    await tab_to("Bananas tick")
    await press("Space")
    assert await focused() == "Bananas tick"
    await view.quiet()
    assert world.rows()["Bananas"]["checked"] and await focused() == "Bananas tick"
    await press("ArrowDown")
    await press("ArrowDown")
    assert await focused() == "Milk tick"
    await press("End")
    assert await focused() == "Candles tick"
    await press("ArrowDown")
    await press("Home")
    await press("ArrowUp")
    assert await focused() == "Bananas tick"
    # The editor opens with Enter, closes with Escape, and gives the focus back.
    await press("ArrowDown")
    await press("ArrowDown")
    await press("Enter")
    assert await focused() == "Milk name"
    await press("Escape")
    assert await focused() == "Milk icon more"
    await press("Enter")
    assert await focused() == "Milk name"
    await press("Tab")
    assert await focused() == "Milk amount"
    await view.page.keyboard.type("3 l")
    await press("Enter")
    assert await focused() == "Milk icon more"
    await view.quiet()
    assert world.rows()["Milk"]["amount"] == "3 l" and await focused() == "Milk icon more"
    # A row that goes leaves the focus to the row that takes its place.
    await press("Enter")
    await tab_to("Milk remove")
    await press("Enter")
    assert await focused() == "Cheese tick"
    await view.quiet()
    assert "Milk" not in world.rows() and await focused() == "Cheese tick"
    await tab_to("act")
    await press("Enter")
    assert await focused() == "title", await focused()
    await view.quiet()
    assert "Milk" in world.rows()
    await tab_to("name")
    await view.page.keyboard.type("Tea")
    await press("Tab")
    await press("Tab")
    assert await focused() == "amount"
    await view.page.keyboard.type("1 box")
    await press("Enter")
    await view.quiet()
    assert world.rows()["Tea"]["amount"] == "1 box" and await focused() == "name"
    await view.find("h1").focus()
    await tab_to("buy")
    await press("Enter")
    assert "Apples" not in await view.names() and await focused() == "buy"
    await tab_to("clear")
    await press("Enter")
    await view.quiet()
    assert list(world.rows()) == ["Milk", "Cheese", "Candles", "Tea"] and await focused() == "title"


@scenario("a focus in the list stays on its row when others change the list around it")
async def focus_stays(world: World) -> None:
    view, phone = await world.view(), await world.server()
    await view.box("Milk").focus()
    await phone.call("remove_item", {"name": "Bananas"})
    await phone.call("update_item", {"name": "Milk", "section": "Bakery"})
    await phone.call("add_item", {"name": "Rice", "section": "Bakery"})
    await view.frame.evaluate("refresh()")
    await view.quiet()
    assert "Bananas" not in await view.names()
    await view.sees(view.box("Milk")).to_be_focused()
    await phone.call("remove_item", {"name": "Milk"})
    await view.frame.evaluate("refresh()")
    await view.quiet()
    assert await view.frame.evaluate("document.activeElement.className") == "tick"


@scenario("a screen reader hears names, states and what was done")
async def heard(world: World) -> None:
    view = await world.view()
    await expect(view.frame.locator("main")).to_match_aria_snapshot("""
      - main "Shopping list":
        - heading "Shopping list" [level=1]
        - button "Refresh"
        - progressbar "Shopping list"
        - group "Shopping list":
          - button "To buy"
          - button "All" [pressed]
        - button "Clear bought"
        - heading "Produce 1" [level=2]
        - list:
          - listitem:
            - checkbox "Bananas 6"
            - button /Edit .Bananas./
          - listitem:
            - checkbox "Apples" [checked]
            - button /Edit .Apples./
        - heading "Dairy 2" [level=2]
        - list:
          - listitem:
            - checkbox "Milk 2 l"
            - button /Edit .Milk./
          - listitem:
            - checkbox "Cheese optional 200 g"
            - button /Edit .Cheese./
        - heading "Bakery" [level=2]
        - list:
          - listitem:
            - checkbox "Bread" [checked]
            - button /Edit .Bread./
        - heading "No section 1" [level=2]
        - list:
          - listitem:
            - checkbox "Candles"
            - button /Edit .Candles./
        - textbox "Add an item"
        - button "Add an item"
    """)
    assert await view.find("#said").get_attribute("role") == "status"
    assert await view.find("#failure").get_attribute("role") == "alert"
    await view.find("#name").focus()
    await view.sees(view.frame.get_by_role("combobox", name="Section")).to_be_visible()
    await view.sees(view.frame.get_by_role("textbox", name="Amount")).to_be_visible()


@scenario("nothing moves for who wants it so")
async def motion(world: World) -> None:
    moving = """() => [...document.querySelectorAll("*")].filter((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one);
      return transitionDuration !== "0s" || animationName !== "none";
    }).length"""
    assert await (await world.view(reduced=False)).frame.evaluate(moving) > 0
    assert await (await world.view(reduced=True)).frame.evaluate(moving) == 0


async def violations(view) -> list[str]:
    await view.frame.evaluate(AXE + "; undefined")
    found = await view.frame.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert len(found["passes"]) > 10
    return [f"{one['id']}: {one['help']}: {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]


async def audit(world: World, theme: str) -> None:
    for width in (320, 700):
        view = await world.view(theme=theme, scheme=theme, width=width)
        assert await violations(view) == [], await violations(view)
        # With the editor, a message, and the details of what is to be added.
        await view.box("Milk").check()
        await view.quiet()
        await view.edit("Cheese")
        await view.find("#name").fill("Tea")
        assert await violations(view) == [], await violations(view)
        world.save("{")
        await view.find("#refresh").click()
        await view.quiet()
        assert await violations(view) == [], await violations(view)
        empty = await world.view('{"items": []}', theme=theme, scheme=theme, width=width)
        assert await violations(empty) == [], await violations(empty)
        broken = await world.view("{", theme=theme, scheme=theme, width=width)
        assert await violations(broken) == [], await violations(broken)


@scenario("axe finds nothing to object to, in light")
async def axe_light(world: World) -> None:
    await audit(world, "light")


@scenario("axe finds nothing to object to, in dark")
async def axe_dark(world: World) -> None:
    await audit(world, "dark")


@scenario("axe sees what is wrong: a button without a name, words too pale to read")
async def axe_can_fail(world: World) -> None:
    view = await world.view()
    await view.frame.evaluate("""() => {
      $("refresh").removeAttribute("aria-label");
      $("title").style.color = "#ddd";
    }""")
    found = await violations(view)
    assert any(one.startswith("button-name") for one in found) and any(one.startswith("color-contrast") for one in found), found
