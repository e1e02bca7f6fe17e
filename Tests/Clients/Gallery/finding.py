"""Finding a day: the one row at the top, what can be found without typing, and where nothing is found."""
from browser import Fingers, check, scrolled_wall, until, viewed

PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}
NARROW = [(320, 568), (390, 844), (844, 390), (820, 1180)]


def finding(browser, base, _):
    for task in [row, scrolled, field, held, birthday, comets, calendar, nothing, times]:
        task(browser, base)


def row(browser, base):
    """The header is one row of 48 pixels, and the pictures share their edges."""
    for size in NARROW:
        with viewed(browser, base, "", size, name=f"the first screen at {size}", has_touch=True, is_mobile=True) as page:
            until(page, "eye.tile('2026-11-20')")
            height, wide = page.evaluate("[document.querySelector('header').offsetHeight, document.documentElement.scrollWidth]")
            check(height == 48 and wide == size[0], f"at {size}, the header is {height} pixels high, the page {wide} wide")
            cut = page.evaluate("[...document.querySelectorAll('header h1, header nav > *')].filter(one => one.checkVisibility()"
                                " && one.scrollWidth > one.clientWidth).map(one => one.innerText)")
            check(not cut or size[0] == 320, f"at {size}, the header cuts {cut}")
            edges = page.evaluate("[document.querySelector('.wall'), document.querySelector('.hero')].map(one => "
                                  "[one.getBoundingClientRect().left, one.getBoundingClientRect().right])")
            check(edges[0][0] == edges[1][0], f"at {size}, the newest picture has edges at {edges[1]}, the wall at {edges[0]}")
            check(sum(edges[1]) == size[0], f"at {size}, the newest picture is not in the middle: {edges[1]}")
            marked = page.evaluate("document.querySelectorAll('header nav a[aria-current=page]').length")
            check(marked == 0, f"at {size}, a way is marked that one is not on")
    for place, name in [("favorites", "Favorites"), ("on/11-20", "On this day")]:
        with viewed(browser, base, place, name="where one is") as page:
            until(page, "name => document.querySelector('header nav [aria-current=page]')?.innerText === name", name, f"{name} is marked")


def scrolled(browser, base):
    """On the way down the header goes, on the way up it is back; the years are there while the wall moves."""
    with viewed(browser, base, "", **PHONE, name="scrolling") as page:
        until(page, "document.documentElement.scrollHeight > 20 * innerHeight")
        bottom = "document.querySelector('header').getBoundingClientRect().bottom"
        years = "Number(getComputedStyle(document.querySelector('#years')).opacity)"
        fingers = Fingers(page)
        for _ in range(3):
            fingers.move([(190, 700)], [(190, 300)], 12)
        until(page, f"{bottom} <= 0", what="the header goes on the way down")
        until(page, f"{years} > .9", what="the years while the wall moves")
        until(page, f"{years} < .1", what="the years go when the wall rests")
        found = page.evaluate("document.elementFromPoint(innerWidth - 20, 400).closest('#years') === null")
        check(found, "the years lie over pictures that rest")
        fingers.move([(190, 300)], [(190, 500)], 12)
        until(page, f"{bottom} > 47", what="the header comes back on the way up")
        until(page, f"{years} < .1", what="the wall rests")
        page.evaluate("go('#2025')")
        until(page, "document.querySelector('#years [aria-current=true]')?.textContent === '2025'", what="the year that is gone to is marked")
        page.evaluate("go('#2026')")
        until(page, "document.querySelector('#years [aria-current=true]')?.textContent === '2026'", what="the newest year is marked")


def field(browser, base):
    """A phone's field opens by its magnifier; Enter leaves it, the arrow goes to what is found, × and Escape go back."""
    for size in [(390, 844), (1280, 800)]:
        with viewed(browser, base, "2026-11-20", size, name="the search field") as page:
            until(page, "document.querySelector('main article')")
            if size[0] < 800:
                check(not page.get_by_role("searchbox").evaluate("one => one.checkVisibility({ opacityProperty: true })"), "the field is open")
                page.locator("label[for=search]").click()
            else:
                page.get_by_role("searchbox").click()
            page.keyboard.type("lantern")
            until(page, "eye.words('1 day with')", what="what is found")
            page.keyboard.press("ArrowDown")
            until(page, "document.activeElement.closest('main') && document.activeElement.matches('.wall a')", what="the arrow's way")
            page.get_by_role("searchbox").focus()
            page.keyboard.press("Enter")
            until(page, "document.activeElement === document.querySelector('main')", what="Enter leaves the field")
            page.get_by_role("button", name="Leave the search").click()
            until(page, "location.hash === '#2026-11-20' && document.querySelector('main article:not(.hero)')", what="× goes back")
            check(page.locator("#search").input_value() == "", "× leaves words in the field")
            contrast = page.evaluate(CONTRAST)
            check(contrast >= 4.5, f"the field's words have a contrast of {contrast:.1f}")


CONTRAST = """() => {
    const light = color => {
        const parts = color.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255)
            .map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
    };
    const field = document.querySelector('#search');
    const [a, b] = [getComputedStyle(field, '::placeholder').color, getComputedStyle(field).backgroundColor].map(light);
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}"""


def held(browser, base):
    """A wall stands where it stood, however one comes to the field, types and leaves."""
    for size in [(390, 844), (1280, 800)]:
        with scrolled_wall(browser, base, size, "the search field over a wall") as page:
            for way in ("/", "click"):
                if way == "/":
                    page.keyboard.press("/")
                else:
                    (page.locator("label[for=search]") if size[0] < 800 else page.get_by_role("searchbox")).click()
                at = [page.evaluate("scrollY")]
                page.keyboard.type("s", delay=20)
                until(page, "drawn === 'search'")
                page.keyboard.press("Escape")
                until(page, "drawn === 'timeline'")
                page.wait_for_timeout(400)
                at.append(page.evaluate("scrollY"))
                check(at == [900, 900], f"{size[0]}: by {way}, the wall that stood at 900 is at {at}")


def birthday(browser, base):
    """In three taps, on a phone too."""
    for options in [PHONE, {"size": (1280, 800)}]:
        with viewed(browser, base, "", **options, name="a birthday") as page:
            until(page, "document.querySelector('main article')")
            for name in ["On this day", "March", "14 March"]:
                page.get_by_role("link", name=name, exact=True).click()
            until(page, "eye.tiles().length && eye.tiles().every(tile => tile.dataset.date.endsWith('-03-14'))",
                  what="a birthday's days in three taps")


def comets(browser, base):
    """A slideshow of comets takes seven actions: the field, five letters, one more tap."""
    for options in [PHONE, {"size": (1280, 800)}]:
        with viewed(browser, base, "", **options, name="comets") as page:
            until(page, "document.querySelector('main article')")
            page.locator("label[for=search], #search").first.click() if "has_touch" in options else page.locator("#search").click()
            page.keyboard.type("comet")
            page.locator("main").get_by_role("link", name="Slideshow").click()
            until(page, "document.querySelector('#viewer.running[open] img')", what="comets as a slideshow")


def calendar(browser, base):
    """A month's heading opens its calendar, which leads to any day."""
    for options in [PHONE, {"size": (1280, 800)}]:
        with viewed(browser, base, "2025-06", **options, name="a calendar") as page:
            until(page, "eye.words('June 2025')")
            heading = page.locator(".wall h3 a").get_by_text("June 2025")
            heading.click()
            until(page, "document.querySelector('#calendar[open]') && document.querySelectorAll('#calendar li').length === 30", what="June's calendar")
            # 1 June 2025 was a Sunday.
            check(page.evaluate("document.querySelector('#calendar li').style.gridColumnStart") == "7", "June 2025 begins on another day")
            page.get_by_role("button", name="The month after").click()
            until(page, "document.querySelector('#calendar h2').textContent === 'July 2025'", what="the month after")
            page.get_by_role("combobox", name="Year").select_option("2024")
            until(page, "document.querySelector('#calendar h2').textContent === 'July 2024'", what="another year")
            page.locator("#calendar").get_by_role("link", name="14 July 2024").click()
            until(page, "location.hash === '#2024-07-14' && !document.querySelector('dialog[open]') && document.querySelector('main article')",
                  what="the day of a calendar")
            page.go_back()
            until(page, "location.hash === '#2025-06' && eye.tile('2024-07-14') && eye.inWindow(eye.tile('2024-07-14'))",
                  what="back to the wall, at that day")


def nothing(browser, base):
    with viewed(browser, base, "search/comat", name="nothing found") as page:
        until(page, "eye.words('No day has “comat”')", what="what is said where nothing is found")
        check(page.evaluate("document.querySelectorAll('main a, main .cards').length") == 0, "where nothing is found, something else is offered")


# What is asked for, and the beginnings of the days that are found.
TIMES = {"comet 2025": ["2025"], "comet april 2026": ["2026-04"], "spring 2025": ["2025-03", "2025-04", "2025-05"],
         "comet winter 2024": ["2024-12", "2025-01", "2025-02"], "comet 2026-04-0": []}


def times(browser, base):
    """Words and a time are found together; the years of what is found are ways to a part of it."""
    with viewed(browser, base, "search/comet", name="words and times") as page:
        until(page, "eye.words(' days with “comet”') && !eye.words('Looking')", what="comets")
        link = page.get_by_role("navigation", name="Years").get_by_role("link")
        count = int(link.filter(has_text="2025").inner_text().split()[1])
        link.filter(has_text="2025").click()
        until(page, "count => eye.words(`${count} days with “comet 2025”`)", count, "the comets of a year")
        check(link.count() > 1, "the other years are gone")
        link.filter(has_text="2025").click()
        until(page, "eye.words(' days with “comet”')", what="all comets again")
        for text, starts in TIMES.items():
            page.get_by_role("searchbox").fill(text)
            until(page, "text => eye.words(`with “${text}”`) || eye.words(`has “${text}”`)", text, f"{text!r} is looked for")
            found = page.evaluate("[...new Set(current.days.map(day => day.date.slice(0, 7)))]")
            wrong = [month for month in found if not month.startswith(tuple(starts))]
            check(not wrong and bool(found) == bool(starts), f"{text!r} finds days of {wrong or found}")
