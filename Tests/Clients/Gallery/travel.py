"""Ways through the gallery: years, chance, dates, words, and back to where one was."""
from browser import WHOLE, check, go, scrolled_wall, until, viewed
from invented import WAY

TYPED = {"2026-11-20": "#2026-11-20", "20 Nov 2026": "#2026-11-20", "261120": "#2026-11-20",
         "November 20, 2026": "#2026-11-20", "november 2025": "#2025-11", "2025/3/7": "#2025-03-07", "20.11.2026": "#2026-11-20",
         "3/14": "#on/03-14", "14/3": "#on/03-14", "03-14": "#on/03-14", "3/14/2025": "#2025-03-14",
         "14 March": "#on/03-14", "march 14th": "#on/03-14", "14.3.": "#on/03-14", "14th of March": "#on/03-14",
         "20261120": "#2026-11-20", "29 Feb": "#on/02-29", "31 June": "#search/31%20June", "may": "#search/may",
         "2025": "#2025", "1054": "#search/1054"}
TEXT = "eye.top().innerText.replace(/\\s+/g, ' ')"
# The page of the day in the address, not the one before it.
DRAWN = "document.querySelector('main article:not(.hero) time')?.dateTime === location.hash.slice(1, 11)"
# The month of the first whole day that is seen.
MONTH = "() => eye.tiles().find(eye.isWhole)?.dataset.date.slice(0, 7)"


def travel(browser, base, _):
    for task in [years, months, chance, dates, marks, back, cut, late, wander, reloads, addresses]:
        task(browser, base)


def years(browser, base):
    for size in [(1280, 800), (390, 844)]:
        with viewed(browser, base, "", size, name="years") as page:
            until(page, "document.documentElement.scrollHeight > 20 * innerHeight", what="the wall of all years")
            bar = page.get_by_role("navigation", name="Years").bounding_box()
            x = bar["x"] + bar["width"] / 2
            # On a phone, the years are there while the wall moves.
            page.mouse.move(size[0] / 3, size[1] / 2)
            page.mouse.wheel(0, 900)
            until(page, "scrollY > 500 && eye.words('2024')", what="the years while the wall moves")
            page.mouse.move(x, bar["y"] + bar["height"] - 2)
            until(page, "eye.words('February 2024')", what="the scrubber's month")
            page.mouse.down()
            page.mouse.up()
            until(page, "Boolean(eye.tile('2024-02-01'))", what="the oldest month, by the scrubber")
            page.mouse.down()
            page.mouse.move(x, bar["y"] + bar["height"] / 2, steps=4)
            page.mouse.up()
            # Half of the days: the middle of July 2025, within two months.
            until(page, f"['2025-05', '2025-06', '2025-07', '2025-08'].includes(({MONTH})())", what="the middle, by the scrubber")
            page.mouse.move(size[0] / 3, size[1] / 2)
            until(page, "!eye.words('February 2024')", what="the scrubber's month goes")
            page.evaluate("[...document.querySelectorAll('#years a')].find(a => a.textContent === '2024').focus()")
            page.keyboard.press("Enter")
            until(page, "location.hash === '#2024' && eye.words('December 2024')", what="a year, by keys")


def months(browser, base):
    """A month's address leads to its heading, right below what covers the top."""
    for size in [(1280, 800), (390, 844), (844, 390)]:
        with viewed(browser, base, "2026-09", size, name="months") as page:
            until(page, "eye.words('September 2026')", what="a month")
            room = page.evaluate("""() => {
                const head = document.querySelector('header');
                const below = getComputedStyle(head).position === 'sticky' ? head.getBoundingClientRect().bottom : 0;
                const month = [...document.querySelectorAll('.wall h3')].find(one => one.textContent === 'September 2026');
                return month.getBoundingClientRect().top - below;
            }""")
            check(abs(room) < 40, f"at {size}, the heading of a month stands {room:.0f} pixels below the header")


def chance(browser, base):
    with viewed(browser, base, name="random") as page:
        met = set()
        for turn in range(6):
            before = page.evaluate("location.hash")
            page.keyboard.press("r") if turn % 2 else page.get_by_role("link", name="Random").click()
            until(page, "before => location.hash !== before && /^#\\d{4}-\\d\\d-\\d\\d$/.test(location.hash)", before, "a random day")
            until(page, "Boolean(document.querySelector('main article h2'))")
            met.add(page.evaluate("location.hash"))
        check(len(met) > 1, "a random day is always the same")
    with viewed(browser, base, name="on this day", now="2026-11-20T12:00:00") as page:
        page.keyboard.press("o")
        until(page, "eye.words('20 November, in every year')", what="on this day, by o")
        check(page.evaluate("eye.tiles().map(tile => tile.dataset.date)") == ["2026-11-20", "2025-11-20", "2024-11-20"],
              "on this day shows other days")
        page.get_by_role("link", name="21 November", exact=True).click()
        until(page, "eye.words('21 November, in every year')", what="another day of the year")
        page.get_by_role("link", name="On this day").click()
        until(page, "eye.words('20 November, in every year')", what="on this day, by its link")


def dates(browser, base):
    with viewed(browser, base, name="typed dates") as page:
        for text, address in TYPED.items():
            field = page.get_by_role("searchbox", name="Search")
            field.fill(text)
            until(page, "address => location.hash === address", address, f"{text!r} typed")
            field.press("Escape")
            until(page, "location.hash === '' && document.querySelector('#search').value === ''", what=f"Escape from {text!r}")
        page.keyboard.press("/")
        check(page.evaluate("document.activeElement.type") == "search", "/ does not go to the search field")


def marks(browser, base):
    with viewed(browser, base, name="search") as page:
        page.get_by_role("searchbox").fill("Lantern")
        until(page, "eye.words('1 day with “Lantern”')", what="a search")
        found = page.evaluate("[...document.querySelectorAll('.wall mark')].map(mark => mark.textContent)")
        check(found == ["lantern"], f"what is found is marked so: {found}")
        line = page.evaluate("eye.tile('2024-02-29').innerText")
        check(line.count("…") == 2 and "Here a lantern is hung" in line and len(line) < 320, f"the line of a text is {line!r}")
        for width in [320, 390, 768]:
            page.set_viewport_size({"width": width, "height": 800})
            until(page, "() => eye.tiles().length === 1 && eye.isWhole(eye.tiles()[0])")
            cut = page.evaluate("""() => {
                const mark = document.querySelector('.wall mark');
                return mark.getBoundingClientRect().bottom - mark.parentElement.getBoundingClientRect().bottom;
            }""")
            check(cut < 2, f"at {width}, the word that is found is cut off with its line")
        page.set_viewport_size({"width": 1280, "height": 800})
        for text in ["lanterns", "\"a lantern\" hung", "“Lanterns"]:
            page.get_by_role("searchbox").fill(text)
            until(page, "text => eye.words(`1 day with “${text}”`)", text, f"{text!r} finds a lantern")
        page.get_by_role("searchbox").fill("celebre etoile")
        until(page, "document.querySelectorAll('.wall mark').length === 2", what="two words without their accents")
        check(page.evaluate("eye.tiles()[0].innerText.includes('Étoile Célèbre')"), "accents hide a title")
        page.get_by_role("searchbox").fill("comet")
        until(page, "eye.words(' days with “comet”')")
        dates = page.evaluate("eye.tiles().map(tile => tile.dataset.date)")
        check(dates == sorted(dates, reverse=True), "what is found is not in order, newest first")
        page.evaluate("scrollTo(0, 700)")
        until(page, "scrollY > 600", what="more of what is found")
        page.get_by_role("searchbox").fill("nebula")
        until(page, "eye.words(' days with “nebula”') && scrollY === 0", what="another search, at its top")


def back(browser, base):
    """Escape and the browser's own way lead to where one was, from a day and from the viewer."""
    for way in ["Escape", "back"]:
        for place, date in [("2025-06", "2025-06-1"), ("favorites", "2026-11-14"), ("search/comet", "202")]:
            with viewed(browser, base, "2026-11-22", name=f"{way} to #{place}") as page:
                until(page, "document.querySelector('main article h2')")
                go(page, place)
                until(page, "location.hash.length > 1 && eye.tiles().length > 1")
                if place.startswith("search"):
                    until(page, "document.querySelector('[role=status]').textContent.includes('days with')", limit=20)
                    page.evaluate("scrollTo(0, 700)")
                page.wait_for_timeout(400)
                date = page.evaluate("start => eye.tiles().find(tile => eye.isWhole(tile) && tile.dataset.date.startsWith(start) "
                                     "&& tile.querySelector('a img')).dataset.date", date)
                y = page.evaluate("scrollY")
                page.evaluate("date => [...eye.tile(date).querySelectorAll('a')].at(-1).focus({ preventScroll: true })", date)
                page.keyboard.press("Enter")
                until(page, "date => location.hash.startsWith('#' + date)", date, "a day of the wall")
                until(page, DRAWN, what="the day's page")
                page.keyboard.press("ArrowRight")
                until(page, "date => /^#\\d/.test(location.hash) && !location.hash.startsWith('#' + date)", date, "the older day")
                until(page, DRAWN, what="the older day's page")
                page.keyboard.press("ArrowLeft")
                until(page, "date => location.hash.startsWith('#' + date)", date, "the newer day")
                until(page, DRAWN, what="the newer day's page")
                page.keyboard.press("Enter")
                until(page, "document.querySelector('dialog[open]')", what="the viewer by Enter")
                for _ in range(2):
                    before = page.evaluate("location.hash")
                    page.keyboard.press("Escape") if way == "Escape" else page.go_back()
                    until(page, "before => location.hash !== before && !document.querySelector('dialog[open]')", before, f"{way}")
                where = f"{way} to #{place}"
                until(page, "place => location.hash === '#' + place", place, where)
                until(page, "date => Boolean(eye.tile(date)) && eye.inWindow(eye.tile(date))", date, f"{where}: the day is seen")
                until(page, "y => Math.abs(scrollY - y) < 3", y, f"{where}: the place is kept")
                until(page, "date => document.activeElement.closest('[data-date]')?.dataset.date === date", date, f"{where}: the focus")


def cut(browser, base):
    """The way back from a day whose tile the window's edge cuts leaves the wall where it stood."""
    for size in [(390, 844), (1280, 800)]:
        with scrolled_wall(browser, base, size, "a cut tile") as page:
            dates = page.evaluate("eye.tiles().filter(tile => !eye.isWhole(tile) && tile.querySelector('a')"
                                  " && tile.getBoundingClientRect().bottom > headHeight + 1).map(tile => tile.dataset.date)")
            check(len(dates) > 0, "no tile is cut")
            for date in (dates[0], dates[-1]):
                page.evaluate("date => eye.tile(date).querySelector('a').click()", date)
                until(page, "date => drawn === date", date, "the day of a cut tile")
                page.wait_for_timeout(400)
                page.go_back()
                until(page, "drawn === 'timeline'")
                page.wait_for_timeout(400)
                y = page.evaluate("scrollY")
                check(y == 900, f"{size[0]}: back from {date}, the wall that stood at 900 is at {y}")


def late(browser, base):
    """A day's words are told, also those that come while its page is drawn."""
    with viewed(browser, base, "2026-10-30", name="late words") as page:
        until(page, "document.querySelector('main article') && apod.days.get('2026-10-30').words")
        page.evaluate("""async () => {
            const day = apod.days.get('2026-10-30');
            const { words } = day;
            day.words = undefined;
            const done = (await showDay(day.date, []))();
            day.words = { ...words, text: 'Words that came meanwhile.' };
            await done;
        }""")
        until(page, "main.innerText.includes('Words that came meanwhile.')", what="the words")


def wander(browser, base):
    """Over ten days by the links of their texts and by what speaks of them, and back: each page and place is there again."""
    for options in [{}, {"size": (390, 844), "has_touch": True, "is_mobile": True}]:
        with viewed(browser, base, WAY[0], name="wandering", **options) as page:
            places = []
            for index, date in enumerate(WAY[1:]):
                until(page, DRAWN, what=f"the page of {WAY[index]}")
                if index % 2:
                    page.evaluate("document.querySelector('.others').scrollIntoView()")
                link = page.locator(f"main a[href='#{date}']").first
                link.wait_for()
                link.scroll_into_view_if_needed()
                if not index % 2:
                    check(link.get_attribute("title") == page.evaluate("date => written(date)", date), "a link does not say its day")
                page.wait_for_timeout(400)
                places.append(page.evaluate("scrollY"))
                link.click()
                until(page, "date => location.hash === '#' + date", date, f"{date} by a link")
            until(page, DRAWN, what="the last page of the way")
            check(sum(y > 100 for y in places) > 3, f"the ways lead on from {places}: they try nothing")
            for index in reversed(range(len(places))):
                page.go_back()
                until(page, "date => location.hash === '#' + date", WAY[index], f"back to {WAY[index]}")
                until(page, DRAWN, what=f"the page of {WAY[index]}, once more")
                until(page, "y => Math.abs(scrollY - y) < 3", places[index], f"the place on the page of {WAY[index]}", limit=10)
                until(page, "date => document.activeElement.hash === '#' + date", WAY[index + 1], "the link that was followed", limit=10)
            page.go_forward()
            until(page, "date => location.hash === '#' + date", WAY[1], "forward again")


def reloads(browser, base):
    with viewed(browser, base, "2025-06", name="a reload") as page:
        until(page, "eye.words('June 2025')")
        page.mouse.wheel(0, 333)
        # The place is kept a moment after the last step.
        page.wait_for_timeout(900)
        until(page, "Math.abs(history.state.y - scrollY) < 1")
        first = page.evaluate("[scrollY, eye.tiles().find(eye.isWhole).dataset.date]")
        page.reload()
        until(page, "date => Boolean(eye.tile(date)) && eye.inWindow(eye.tile(date))", first[1], "a reload: the day that was seen")
        until(page, "y => Math.abs(scrollY - y) < 3", first[0], "a reload: the place")
        page.keyboard.press("?")
        page.get_by_label("Light").check()
        page.get_by_label("Always").check()
        page.reload()
        until(page, "getComputedStyle(document.body).backgroundColor === 'rgb(251, 251, 253)'", what="the theme after a reload")
        until(page, "eye.tiles().some(tile => [...tile.querySelectorAll('time')].some(time => time.checkVisibility("
                    "{ visibilityProperty: true })))", what="the words after a reload")


def addresses(browser, base):
    """Whoever is sent an address sees what the sender saw."""
    with viewed(browser, base, "favorites/Comets", name="addresses") as page:
        for step in ["", "2026-11-14/favorites/Comets", "view/2026-11-14/favorites/Comets", "on/11-20", "search/lantern", "2026-11-19"]:
            if step:
                go(page, step)
            until(page, WHOLE, what=f"#{step}")
            page.wait_for_timeout(300)
            there = page.evaluate(TEXT)
            with viewed(browser, base, page.evaluate("location.hash.slice(1)"), name=f"#{step}") as other:
                until(other, WHOLE)
                check(until(other, f"there => {TEXT} === there", there, f"#{step} opened by itself"), f"#{step} is another view by itself")
