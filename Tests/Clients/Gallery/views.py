"""Every view by its address: what must be seen there, that nothing else happens, and what is said of what is missing."""
import os
from urllib.parse import quote

from browser import Quiet, check, go, opened, served, until, viewed, visit
from invented import ALBUM, HOSTILE, NEWEST, UNKNOWN

LONG = "2024-02-29"


def table(mirror):
    """Address, words and days' pictures that are seen without scrolling."""
    title = {line["date"]: line.get("title") for line in mirror.lines}
    return [
        ("", [title[NEWEST], "22 November 2026", "Somebody & "], [NEWEST]),
        ("2019", ["December 2019", "2019"], ["2019-12-31"]),
        ("2019-04", ["April 2019"], ["2019-04-30"]),
        ("favorites", ["Favorites", "Comets", ALBUM], ["2026-11-22", "2026-11-21"]),
        ("favorites/Comets", ["Comets"], ["2026-11-17", "2026-11-14"]),
        ("slideshow=favorites,5", [], [NEWEST]),
        ("search/lantern", ["2 days with “lantern”", "29 February 2024", "a lantern is hung"], [LONG, "2001-05-05"]),
        ("on/11-20", ["20 November, in every year", "2025"], ["2026-11-20", "2025-11-20"]),
        ("slideshow=on/11-20,60", [], ["2026-11-20"]),
        ("2026-11-20", [title["2026-11-20"], "20 November 2026", "November 2026"], ["2026-11-20"]),
        ("2026-11-14/favorites/Comets", [title["2026-11-14"], "Comets", "2 of 4"], ["2026-11-14"]),
        ("view/2026-11-20", [title["2026-11-20"], "20 November 2026"], ["2026-11-20"]),
        ("view/2026-11-14/favorites/Comets", [title["2026-11-14"], "2 of 4"], ["2026-11-14"]),
        # What is hostile.
        ("2026-11-21", [HOSTILE], ["2026-11-21"]),
        ("favorites/" + quote(ALBUM, safe=""), [ALBUM], ["2026-11-21", "2026-11-14"]),
        ("view/2026-11-21/favorites/" + quote(ALBUM, safe=""), [HOSTILE], ["2026-11-21"]),
        ("search/" + quote("<script>"), ["1 day with “<script>”"], ["2026-11-21"]),
        ("search/" + quote(HOSTILE, safe=""), [], ["2026-11-21"]),
        ("favorites/" + quote("<img src=x onerror=hacked=7>"), ["There is no album <img"], []),
        ("slideshow=" + quote("favorites/" + ALBUM.replace("/", "%2F")), ["There is no picture to show"], []),
        ("%E0%A4%A", [title[NEWEST]], [NEWEST]),
        # What is not there, in a person's words.
        ("2026-11-19", ["19 November 2026", "could not be fetched"], []),
        ("2026-11-18", ["Only Words", "NASA shows no picture"], []),
        ("2026-11-15", ["Pruned Away", "deleted to make room"], []),
        ("2026-11-12", ["Torn", "cut off or damaged"], []),
        ("2026-11-11", ["11 November 2026", "has not been fetched yet"], []),
        ("2026-11-02", ["Too Large", "larger than this mirror keeps"], []),
        ("2026-11-10", ["Mended"], ["2026-11-10"]),
        ("1990-06-16", ["There is no such day"], []),
        (UNKNOWN, ["3 March 2024", "This day is not here"], []),
        ("2094-11-23", ["23 November 2094", "This day has not come yet"], []),
        ("2025-02-30", ["There is no such day"], []),
        ("on/02-31", ["There is no such day"], []),
        ("on/02-29", ["29 February, in every year"], [LONG]),
        ("view/2026-11-19", ["could not be fetched"], []),
        (f"view/{UNKNOWN}", ["This day is not here"], []),
        ("favorites/Nobody", ["There is no album Nobody"], []),
        ("search/zzzz", ["No day has “zzzz”"], []),
    ]


def views(browser, base, mirror, count=None):
    with opened(browser, base, name="views", may_say=["net::ERR_FILE_NOT_FOUND", "404"]) as page:
        for place, words, dates in table(mirror)[:count]:
            visit(page, base, place)
            seen_at(page, base, place, words, dates)
            check(not page.evaluate("/undefined|NaN|\\[object|null|Invalid Date/.test(eye.top().innerText)"),
                  f"#{place} reads like a program: {page.evaluate('eye.top().innerText')[:200]!r}")
            check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"#{place} is too wide")
            check("Astronomy" in page.title() or page.title(), f"#{place} has no title")
        # An address that is gone to is seen like one that is opened.
        for place, words, dates in table(mirror)[:count]:
            go(page, place)
            seen_at(page, base, place + " (gone to)", words, dates)
            check(page.evaluate("document.querySelectorAll('dialog[open]').length <= 1"), f"#{place}: dialogs stay open")


def wish(browser, base):
    """Whoever has the folder is told how to ask for a day; whoever only looks has nothing to do."""
    with opened(browser, base, UNKNOWN, name="a day that is not here") as page:
        until(page, "eye.words('This day is not here')")
        check(page.evaluate("words => eye.words(words)", f"ln -s {UNKNOWN} favorites/") == base.startswith("file:"),
              f"{base[:4]}: how to ask for a day is told to another, or not told")


def seen_at(page, base, place, words, dates):
    where = f"{base[:4]} #{place}"
    for text in words:
        until(page, "text => eye.words(text)", text, f"{where}: {text!r} is not seen")
    for date in dates:
        until(page, "date => Boolean(eye.image(date))", date, f"{where}: the picture of {date} is not seen")


def facts(browser, base, _):
    """What a day's page tells besides."""
    with opened(browser, base, "2026-11-10") as page:
        text = "document.querySelector('main').innerText"
        until(page, f"{text}.includes('end.')", what="the text of a day")
        said = page.evaluate(text)
        for words in ["14 November 2026", "The former one is kept", "1200 × 1200", "NASA’s page"]:
            check(words in said, f"a day's page does not tell {words!r}")
        until(page, f"{text}.includes('10 November in other years')", what="the day in other years")
        others = page.evaluate("[...document.querySelectorAll('.others .card time')].map(time => time.dateTime)")
        check(others and all(date[4:] == "-11-10" and date[:4] != "2026" for date in others) and len(others) <= 8,
              f"the same day in other years is {others}")
        go(page, "2026-11-17")
        until(page, "eye.words('A Flight')")
        play = page.get_by_role("link", name="Play")
        check(page.evaluate("document.querySelector('.player').closest('figure').matches(':has(img)')"),
              "a video elsewhere has no ▶ over its still")
        check(play.get_attribute("href") == "https://example.org/2026-11-17.html", "a video elsewhere is not linked")
        check("noreferrer" in play.get_attribute("rel") + "noreferrer" and "noopener" in play.get_attribute("rel"),
              "a link elsewhere lets that page in")
        check(page.locator("meta[name=referrer]").get_attribute("content") == "no-referrer", "links tell where they are from")
        check(page.evaluate("[999, 11422, 1234567].map(number => counted(number, 'day'))")
              == ["999 days", "11,422 days", "1,234,567 days"], "large numbers are not grouped")
        go(page, "2026-11-15")
        until(page, f"{text}.includes('deleted to make room')")
        check(page.evaluate("document.querySelector('main article').firstElementChild.querySelector('h2')?.textContent")
              == "Pruned Away", "a day without a picture does not begin with its title")
        check(page.evaluate(text).count("deleted to make room") == 1, "why a picture is not there is said twice")
        go(page, "2026-11-22")
        until(page, "document.querySelector('main .favorite')", what="a favorite's heart")
        go(page, "2026-11-14")
        until(page, "document.querySelector('main a[href=\"#favorites/Comets\"]')", what="a day's albums")
        go(page, "2026-11-16")
        until(page, "document.querySelector('main video')", what="a video in its page")
        check(page.evaluate("document.querySelector('main video').preload") == "none", "a video loads before it is asked for")
        go(page, "2026-11-21")
        until(page, "eye.image('2026-11-21')")
        until(page, f"{text}.includes('run')")
        links = page.evaluate("[...document.querySelectorAll('main a')].map(link => link.protocol)")
        check(set(links) <= {"file:", "http:", "https:"}, f"a text leads to {set(links)}")
        check(page.evaluate("!document.querySelector('main script, .text b, main [onerror]')"), "a text became HTML")
        # The day's link to its file leads to it.
        href = page.evaluate("[...document.querySelectorAll('main a')].find(a => a.innerText.includes('itself')).href")
        check(page.request.get(href).ok if base[:4] == "http" else os.path.exists(unquoted(href)), "no way to the file itself")


def unquoted(address):
    from urllib.parse import unquote, urlsplit
    return unquote(urlsplit(address).path)


def policy(browser, base, _):
    """What stands in the page itself is not run, nor what is elsewhere loaded."""
    asked = []

    class Noted(Quiet):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

    elsewhere = served(Noted)
    with opened(browser, base, may_say=["Content Security Policy", "violates", "ERR_FILE_NOT_FOUND", "404"], name="policy") as page:
        said = len(page.said)
        page.evaluate("""elsewhere => {
            const script = document.createElement('script');
            script.textContent = 'window.hacked = 1';
            document.body.append(script);
            const image = new Image();
            image.src = elsewhere + 'x.png';
            const frame = document.createElement('iframe');
            frame.src = elsewhere;
            const style = document.createElement('style');
            style.textContent = 'body { display: none }';
            document.body.append(image, frame, style);
            document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.hacked = 2">');
            fetch(elsewhere + 'y').catch(() => {});
        }""", elsewhere)
        for _ in range(600):
            if len(page.said) - said >= 4:
                break
            page.wait_for_timeout(100)
        page.wait_for_timeout(300)
        check(asked == [], "the policy lets something elsewhere be asked for")
        check(page.evaluate("getComputedStyle(document.body).display") != "none", "the policy lets a style in")
        check(len(page.said) - said >= 4, f"the policy says nothing: {page.said}")
        page.asked[:] = [address for address in page.asked if not address.startswith(elsewhere)]


def losses(browser, base, mirror):
    """A data file that cannot be read is told of; the rest works, and the file is asked for again."""
    rows = [("2024-text", LONG), ("2024", LONG), ("2024", "2024"), ("2024-search", "search/violin"), ("2026", ""),
            ("favorites", "favorites")]
    for name, place in rows:
        words = f"gallery/data/{name}.js cannot be read."
        path = f"{mirror.root}/gallery/data/{name}.js"
        os.rename(path, path + ".away")
        try:
            with viewed(browser, base, place, name=f"without {name}") as page:
                until(page, "words => document.querySelector('[role=alert]').textContent === words", words,
                      f"#{place} without {name}")
                until(page, "!eye.words('Looking')", what="the end of a search")
                go(page, "2019-04-10")
                until(page, "eye.words('First Black Hole')", what=f"the rest without {name}")
                os.rename(path + ".away", path)
                go(page, place)
                until(page, "words => document.querySelector('[role=alert]').textContent === ''", words, f"{name} when it is back")
        finally:
            if os.path.exists(path + ".away"):
                os.rename(path + ".away", path)
    # Damaged ones, too: cut off, and with other bytes in it.
    path = f"{mirror.root}/gallery/data/2024-search.js"
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    for damaged in [whole[:1000], whole.replace('"0000000000000000","', '"0000000000000000","AAAA')]:
        try:
            mirror.write("gallery/data/2024-search.js", damaged)
            with opened(browser, base, "search/violin", name="a damaged file", may_say=["unexpected token"]) as page:
                until(page, "document.querySelector('[role=alert]').textContent.includes('2024-search.js cannot be read')",
                      what="a damaged file")
                until(page, "eye.words('1 day with') && !eye.words('Looking')", what="the end of a search in damaged texts")
        finally:
            mirror.write("gallery/data/2024-search.js", whole)


def late(browser, _, mirror):
    """What comes late takes neither the focus nor what is there already."""
    import functools
    import threading
    gates = {"/gallery/data/2026-text.js": threading.Event(), "/gallery/data/2001-search.js": threading.Event()}

    class Held(Quiet):
        def do_GET(self):
            gate = gates.get(self.path.partition("?")[0])
            if gate:
                gate.wait(60)
            super().do_GET()

    base = served(functools.partial(Held, directory=mirror.root))
    with opened(browser, base, "2026-11-16", name="late texts", may_say=["favicon"]) as page:
        until(page, "document.querySelector('main video')")
        page.evaluate("window.video = document.querySelector('main video'); document.querySelector('.facts a').focus();"
                      "window.focused = document.activeElement")
        gates["/gallery/data/2026-text.js"].set()
        until(page, "document.querySelector('main').innerText.includes('end.')", what="the text, later")
        check(page.evaluate("document.querySelector('main video') === video"), "a text makes the video anew")
        check(page.evaluate("document.activeElement === focused && focused.isConnected"), "a text takes the focus")
    with opened(browser, base, "search/lantern", name="late search") as page:
        until(page, "eye.tile('2024-02-29')", what="what is found first, while texts come")
        page.evaluate("""window.heard = []; new MutationObserver(() => heard.push(state.textContent))
            .observe(document.querySelector('[role=status]'), { childList: true, characterData: true, subtree: true });
            eye.tile('2024-02-29').querySelector('a').focus()""")
        gates["/gallery/data/2001-search.js"].set()
        until(page, "eye.tile('2001-05-05')", what="what is found last")
        until(page, "heard.some(words => words)", what="what a screen reader hears")
        check(page.evaluate("document.activeElement.closest('li')?.dataset.date") == LONG, "what is found later takes the focus")
        heard = [words for words in page.evaluate("heard") if words]
        check(len(heard) == 1 and "2 days" in heard[0], f"a screen reader hears {heard}")
