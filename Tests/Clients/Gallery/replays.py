"""What once went wrong in the page, played again."""
from browser import Fingers, check, go, until, viewed, visit
from viewing import PHONE, rest

# As where the mirror itself serves the page and hearts make favorites.
SERVED = """window.EventSource = class {
    constructor() { setTimeout(() => this.onmessage?.({ data: JSON.stringify({ hearts: true, days: 1, favorites: 1 }) }), 50); }
    close() {}
};"""
LARGE = "document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; });"
MONTH = "[...document.querySelectorAll('.wall h3 a')][0].click()"


def replays(browser, base, _):
    for task in [focus, large, title, first, fog, beside, copies, data, away, finger, dialogs, quiet]:
        task(browser, base)


def serve(page, base, place):
    page.add_init_script(SERVED)
    visit(page, base, place)
    until(page, "document.querySelector('main h2')")
    page.evaluate("load('served')")
    until(page, "document.querySelector('main .heart.tool')", what="hearts")


def focus(browser, base):
    """News leaves the focus where it is: Tab begins at the skip link."""
    for place in ["", "2026-11-20"]:
        with viewed(browser, base, name="the first focus") as page:
            serve(page, base, place)
            page.keyboard.press("Tab")
            check(page.evaluate("document.activeElement.id") == "skip", f"#{place}, served: Tab does not begin at the skip link")


def large(browser, base):
    """Letters of twice the size."""
    with viewed(browser, base, "2026-10", name="large letters", **PHONE) as page:
        page.add_init_script(LARGE)
        page.reload()
        until(page, "eye.tiles().length > 0")
        check(page.evaluate("(one => one.scrollWidth <= one.clientWidth)(document.querySelector('h1 a'))"), "large letters cut the title")
        page.evaluate(MONTH)
        until(page, "document.querySelector('#calendar[open] h2')")
        lines = page.evaluate("(one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))(document.querySelector('#calendar h2'))")
        check(lines < 3, f"large letters: a month's name takes {lines:.0f} lines")
        page.evaluate("document.querySelector('#calendar form button').scrollIntoView()")
        cut = page.evaluate("[...document.querySelectorAll('#calendar :is(button, select)')].filter(one => one.getBoundingClientRect().right > innerWidth"
                            " || one.scrollHeight > one.clientHeight + 2).map(one => one.outerHTML)")
        check(not cut, f"large letters: the calendar cuts {cut}")
        go(page, "search/comet")
        until(page, "document.querySelectorAll('.found .line').length > 1")
        check(page.evaluate("[...document.querySelectorAll('.found .when')].every(one => one.getBoundingClientRect().bottom"
                            " <= one.closest('li').getBoundingClientRect().bottom + 1)"), "large letters: what is found is cut")


def title(browser, base):
    for size in [(820, 1180), (844, 390), (1100, 800)]:
        with viewed(browser, base, "favorites", size, name="the title") as page:
            until(page, "document.querySelector('main h2')")
            check(page.evaluate("(one => one.scrollWidth <= one.clientWidth)(document.querySelector('h1 a'))"), f"at {size}, the title is cut")


def first(browser, base):
    """The heart is in the first screen, with a line of the text, and the page in its middle."""
    for place in ["", "2026-11-22", "2026-11-20", "2026-11-14"]:
        for size in [(1440, 900), (1280, 800), (1024, 768)]:
            with viewed(browser, base, name="the first screen", size=size) as page:
                serve(page, base, place)
                until(page, "document.querySelector('.text').textContent.includes('word')", what="a text")
                low = page.evaluate("document.querySelector('main .heart.tool').getBoundingClientRect().bottom - innerHeight")
                check(low <= 0, f"#{place} at {size}: the heart lies {low:.0f} pixels below the first screen")
                low = page.evaluate("document.querySelector('.text').getBoundingClientRect().top + 24 - innerHeight")
                check(low <= 0, f"#{place} at {size}: the text begins {low:.0f} pixels below the first screen")
                edges = page.evaluate("(({ left, right }) => left + right)(document.querySelector('article').getBoundingClientRect())")
                check(abs(edges - size[0]) < 1, f"#{place} at {size}: the day stands {edges - size[0]:.0f} pixels off the middle")


def fog(browser, base):
    with viewed(browser, base, "", name="the years on a phone", color_scheme="light", **PHONE) as page:
        until(page, "document.documentElement.scrollHeight > 9 * innerHeight")
        check(page.evaluate("getComputedStyle(years).backgroundImage") == "none", "a fog lies over the pictures")


def beside(browser, base):
    """The pointer beside a rollover turns nothing, and its button looks pressed when it is."""
    with viewed(browser, base, "2026-10-29", (1100, 600), name="beside a rollover") as page:
        until(page, "eye.image('2026-10-29') && document.querySelector('main button.other')")
        box = page.locator("main figure img").first.bounding_box()
        page.mouse.move(box["x"] - 30, box["y"] + 50)
        page.wait_for_timeout(300)
        check(not page.evaluate("document.querySelector('.turned')"), "a rollover turns with the pointer beside it")
        page.mouse.move(5, 5)
        look = "getComputedStyle(document.querySelector('main button.other')).backgroundColor"
        before = page.evaluate(look)
        page.keyboard.press("o")
        until(page, "document.querySelector('main button.other').ariaPressed === 'true'")
        check(page.evaluate(look) != before, "the other picture's button looks the same pressed and not")


def copies(browser, base):
    """Where the smaller copies are lost, the original shows; where all is, words do."""
    for place, image in [("2026-10", ".wall [data-date='2026-10-31'] img"), ("2026-10-31", "figure img"), ("view/2026-10-31", ".here img")]:
        with viewed(browser, base, name=f"lost copies in #{place}", may_say=["ERR_FAILED", "ERR_FILE_NOT_FOUND"]) as page:
            page.route("**/gallery/2026/2026-10-31-*", lambda route: route.abort())
            visit(page, base, place)
            until(page, "image => document.querySelector(image)?.currentSrc.endsWith('.png') && document.querySelector(image).naturalWidth > 0", image,
                  what=f"#{place}: the original in the place of lost copies")
    with viewed(browser, base, "2026-11-05", name="a lost picture") as page:
        until(page, "eye.words('This picture cannot be loaded')", what="what is said of a lost picture")
        go(page, "2026-11")
        until(page, "current?.reveal('2026-11-05') && eye.tile('2026-11-05').querySelector('.plain')?.innerText.includes('Lost Picture')",
              what="the tile of a lost picture")


def data(browser, base):
    with viewed(browser, base, name="a lost year", may_say=["ERR_FAILED", "ERR_FILE_NOT_FOUND"]) as page:
        page.route("**/data/2025.js*", lambda route: route.abort())
        visit(page, base, "2025-11")
        until(page, "eye.words('The days of 2025')", what="what is said of a lost year")


def away(browser, base):
    """A heart that nobody answers says so."""
    with viewed(browser, base, name="a heart without a mirror") as page:
        serve(page, base, "2026-11-20")
        page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError()); }")
        page.locator("main .heart.tool").click()
        until(page, "eye.words('does not answer')", what="a word that is seen")


def finger(browser, base):
    """A day's page goes with the finger."""
    with viewed(browser, base, "2026-11-20", name="a finger on a day", **PHONE) as page:
        until(page, "document.querySelector('main article') && apod.here.has('viewer')")
        fingers = Fingers(page)
        fingers.put("touchStart", (300, 300))
        for step in range(1, 6):
            fingers.put("touchMove", (300 - 20 * step, 300))
        until(page, "document.querySelector('main article').getBoundingClientRect().left < -60", what="a page that goes with the finger", limit=10)
        fingers.put("touchMove", (290, 300))
        fingers.put("touchEnd")
        rest(page)
        check(abs(page.evaluate("document.querySelector('main article').getBoundingClientRect().left") - 8) < 1, "the page does not go back")
        check(page.url.endswith("#2026-11-20"), "a finger that comes back leads on")


def dialogs(browser, base):
    with viewed(browser, base, "2026-10", name="dialogs", **PHONE) as page:
        until(page, "eye.tiles().length > 2")
        page.evaluate(MONTH)
        name = "document.querySelector('#calendar h2')?.textContent"
        until(page, f"{name} === 'November 2026'")
        Fingers(page).move([(100, 450)], [(300, 455)])
        until(page, f"{name} === 'October 2026'", what="a calendar by a finger")
        page.keyboard.press("ArrowLeft")
        until(page, f"{name} === 'September 2026'", what="a calendar by an arrow")
        page.evaluate("calendar.close()")
        serve(page, base, "2026-11-20")
        page.locator("main .album.tool").click()
        until(page, "albums.open")
        page.mouse.click(5, 5)
        until(page, "!albums.open", what="albums that close by a tap beside them")


def quiet(browser, base):
    """The first page asks for nothing that is not there, for no texts of a year, and stands still."""
    with viewed(browser, base, "", name="the first page") as page:
        page.add_init_script("window.moved = 0; new PerformanceObserver(list => { for (const { value } of list.getEntries()) moved += value; })"
                             ".observe({ type: 'layout-shift', buffered: true });")
        page.asked.clear()
        visit(page, base)
        until(page, "eye.words('Somebody & ') && current?.tiles.size > 300")
        page.wait_for_timeout(300)
        check(not any("-text.js" in address for address in page.asked), "the first page loads the texts of a year")
        check(page.evaluate("moved") <= .002, f"the first page moves by {page.evaluate('moved'):.4f}")
        page.evaluate("loadNewDays()")
        until(page, "fresh")
        page.wait_for_timeout(500)
        year = page.evaluate("today().slice(0, 4)")
        asked = {address.partition("/data/")[2][:4] for address in page.asked if "/data/" in address}
        check(all(not one.isdigit() or one <= max(year, "2026") for one in asked), f"it asks for {asked}")
