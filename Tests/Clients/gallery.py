#!/usr/bin/python3
"""Looks at a gallery with Debian's Chromium.

usage: gallery.py walk FOLDER                   as Tests/Gallery/BrowserTests.swift makes it
       gallery.py mirror FOLDER [SCREENSHOTS]   of any mirror; with pictures of it at three widths, light and dark
       gallery.py speed FOLDER                  prints how long the first wall takes, and a word, in ms

Every line that is printed is something that is wrong or, with a # before it, something to know. Each step is taken
from the disk and from nginx.
"""
import calendar
import functools
import glob
import http.server
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
import json

# When the first wall is drawn: every picture of it that can be seen.
WATCH = """
(() => {
  const look = () => {
    const tiles = [...document.querySelectorAll('.tile')].filter(tile => tile.getBoundingClientRect().top < innerHeight);
    const images = tiles.flatMap(tile => [...tile.querySelectorAll('img')]);
    if (tiles.length && images.every(image => image.complete && image.naturalWidth)) window.drawnAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


# Every picture that can be seen now.
LOADED = """[...document.images].filter(i => i.getBoundingClientRect().top < innerHeight)
    .every(i => i.complete && i.naturalWidth)"""

# Calls back with the time until what a word finds can be seen.
SEARCH = """
    const [word, done] = arguments;
    const channel = new MessageChannel();
    const start = performance.now();
    channel.port1.onmessage = () => done(performance.now() - start);
    new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => channel.port2.postMessage(0));
    }).observe(document.body, { childList: true, subtree: true });
    search.value = word;
    search.dispatchEvent(new Event('input'));
"""

# Calls back when some frames have been drawn.
FRAMES = """
    const [done] = arguments;
    const wait = count => requestAnimationFrame(() => count ? wait(count - 1) : done());
    wait(5);
"""

HERE = os.path.dirname(os.path.abspath(__file__))


class Browser:
    def __init__(self, width=1024, height=768):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--hide-scrollbars", f"--window-size={width},{height}"]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.darken(False)
        self.resize(width, height)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def __enter__(self):
        return self

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def darken(self, dark):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def __exit__(self, *_):
        self.driver.quit()

    def forget(self):
        """What was said and asked for before."""
        self.complaints()
        self.requests()

    def open(self, address):
        self.driver.get("about:blank")
        self.driver.get(address)

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def await_that(self, what, script, *values):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            result = self.run("return " + script, *values)
            if result:
                return result
            time.sleep(0.01)
        print(f"{what}: it did not come to that; {self.run('return location.hash + document.body.innerText')[:300]!r}")
        return None

    def go(self, place):
        self.run("location.hash = arguments[0]", place)

    def press(self, *keys):
        """By whoever has the focus, as a keyboard does."""
        for key in keys:
            webdriver.ActionChains(self.driver, duration=0).send_keys(key).perform()

    def press_with(self, modifier, key):
        webdriver.ActionChains(self.driver, duration=0).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def focused(self):
        return self.run("const e = document.activeElement; return e.id || e.getAttribute('href') || e.tagName")

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


def check(holds, words):
    if not holds:
        print(words)


def text(browser, selector):
    return browser.run("return document.querySelector(arguments[0])?.textContent", selector)


def walk(browser, base, hostile):
    browser.forget()
    browser.open(base + "index.html")
    browser.await_that("the first wall", "window.drawnAt")
    check(browser.run("return !!document.querySelector('.tile img')"), "no picture in the wall")
    check(browser.run("return [...document.querySelectorAll('.tile img')].every(i => i.src.includes('/gallery/'))"),
          "a wall loads an original")
    check(browser.run("return [...document.querySelectorAll('.tile.words')].some(t => t.textContent.includes('Words'))"),
          "a day without picture has no tile")
    check("f" in browser.run("return document.querySelector('#archive a[aria-current]').dataset.days"), "no failed day")
    check(browser.run("return document.querySelectorAll('#archive canvas').length") == 2, "no bar")
    dates = browser.run("return arguments[0].map(written)", [f"2026-{month:02}-09" for month in range(1, 13)])
    check(dates == [f"9 {name} 2026" for name in calendar.month_name[1:]], f"dates are written {dates}")

    browser.go("2026-11-20")
    browser.await_that("the hostile day", "document.querySelector('#title')?.textContent === arguments[0]", hostile)
    browser.await_that("its text", "document.querySelector('article .text').textContent === arguments[0]", hostile)
    check(browser.run("return window.hacked === undefined && !document.querySelector('article script, article b')"),
          "a title or text was run")
    browser.press(Keys.ARROW_LEFT)
    browser.await_that("the day before", "location.hash === '#2026-11-18'")
    browser.await_that("its title", "document.querySelector('#title').textContent === 'Words'")
    check(browser.run("return document.activeElement.id") == "title", "the focus is not on the title")
    browser.press(Keys.ARROW_LEFT)
    browser.await_that("the way to the video", "document.querySelector('.player')?.href === arguments[0]",
                       "https://example.org/2026-11-17.html")
    check("noreferrer" in browser.run("return document.querySelector('.player').rel"), "the link tells from where")
    browser.press(Keys.ARROW_LEFT)
    browser.await_that("the video", "decodeURI(document.querySelector('video')?.src ?? '').endsWith(arguments[0])",
                       "2026/11/2026-11-16 Clouds.mp4")
    browser.press(Keys.ARROW_RIGHT)
    browser.await_that("the day after", "location.hash === '#2026-11-17'")
    browser.press(Keys.ESCAPE)
    browser.await_that("the month", "location.hash === '#2026-11' && document.activeElement.id === 'm2026-11'")
    swipe(browser)
    step_into_other_year(browser)
    favorites(browser)
    search(browser)
    keyboard(browser, base)
    typing(browser, base)
    back(browser, base)
    words(browser, base)
    nothing_there(browser, base)
    heavy(browser, base)
    narrow(browser, base)
    many_favorites(browser)
    check(browser.complaints() == [], f"the console says something")
    foreign = [url for url in browser.requests() if not url.startswith((base, "about:blank", "data:"))]
    check(foreign == [], f"requests elsewhere: {foreign}")


def swipe(browser):
    browser.go("2026-11-18")
    browser.await_that("the day to swipe", "document.querySelector('#title')?.textContent === 'Words'")
    for x, hash in [(200, "#2026-11-17"), (-200, "#2026-11-18")]:
        browser.run("""
            const target = document.querySelector('main');
            const touch = x => new Touch({ identifier: 1, target, clientX: x, clientY: 300 });
            const send = (name, touches, x) => target.dispatchEvent(new TouchEvent(name, {
                touches: touches.map(touch), changedTouches: [touch(x)], bubbles: true }));
            send('touchstart', [400], 400);
            send('touchend', [], 400 + arguments[0]);
        """, x)
        browser.await_that("what was swiped to", "location.hash === arguments[0]", hash)


def step_into_other_year(browser):
    browser.go("2025-12-31")
    browser.await_that("the older year", "document.querySelector('#title')?.textContent === 'Last of 2025'")
    browser.await_that("its words", "document.querySelector('article .text').textContent === 'Quasar words.'")
    browser.press(Keys.ARROW_RIGHT)
    browser.await_that("the next year", "location.hash === '#2026-11-16'")


def favorites(browser):
    browser.driver.find_element(By.ID, "to-favorites").click()
    browser.await_that("the favorites", "document.querySelectorAll('main .tile').length === 2")
    browser.run("[...document.querySelectorAll('main nav a')].at(-1).click()")
    browser.await_that("an album", "document.querySelectorAll('main .tile').length === 1")
    album = "Best of </script><b>50%"
    check(text(browser, "main h2") == f"Favorites: {album}", f"an album is called {text(browser, 'main h2')!r}")


def search(browser):
    field = browser.driver.find_element(By.ID, "search")
    field.send_keys("quásar")
    browser.await_that("a word that only a text has", "document.querySelectorAll('main .tile').length === 1")
    browser.await_that("all texts", "document.getElementById('state').textContent.endsWith('found.')")
    check(text(browser, "#state") == "1 day found.", f"it says {text(browser, '#state')!r}")
    for words, days in [("words", ["2026-11-18", "2025-12-31"]), ("UP", ["2026-11-17", "2026-11-16"]),
                        ("qua last", ["2025-12-31"]), ("last up", []), ("only quasar", [])]:
        browser.run("search.value = arguments[0]; search.dispatchEvent(new Event('input'))", words)
        browser.await_that(f"days with {words}", "decodeURIComponent(location.hash) === '#search/' + arguments[0]", words)
        found = browser.run("return [...document.querySelectorAll('main .tile a')].map(link => link.hash.slice(1))")
        check(found == days, f"{words} finds {found}")
    browser.run("search.value = ''; search.dispatchEvent(new Event('input'))")
    browser.await_that("the wall again", "document.querySelectorAll('main .tile').length === 5")


def keyboard(browser, base):
    """From the address to a day and back, found pictures and favorites, without a mouse."""
    browser.open(base + "index.html")
    browser.await_that("the wall", "window.drawnAt")
    browser.press(Keys.TAB)
    check(browser.focused() == "#main", f"the first stop is {browser.focused()}, and not the way past the years")
    browser.press(Keys.ENTER, Keys.TAB)
    check(browser.focused() == "#2026-11", f"behind the years comes {browser.focused()}")
    browser.press(Keys.TAB)
    check(browser.focused() == "#2026-11-20", f"the first picture is {browser.focused()}")
    outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    check(outline == "solid", "nobody sees where the focus is")
    browser.press(Keys.ENTER)
    browser.await_that("the day", "document.activeElement.id === 'title' && location.hash === '#2026-11-20'")
    browser.press(Keys.ARROW_LEFT)
    browser.await_that("the day before", "location.hash === '#2026-11-18'")
    browser.press(Keys.ESCAPE)
    browser.await_that("its month", "document.activeElement.id === 'm2026-11'")
    browser.press("/")
    check(browser.focused() == "search", "/ does not lead to the search")
    browser.press("q", "u", "a", "s", Keys.TAB)
    browser.await_that("what was found", "document.querySelectorAll('main .tile').length === 1")
    # Past the way to the favorites and the years.
    for _ in range(5):
        if browser.focused() != "#2025-12-31":
            browser.press(Keys.TAB)
    browser.press(Keys.ENTER)
    browser.await_that("the day that was found", "document.querySelector('#title')?.textContent === 'Last of 2025'")


def typing(browser, base):
    """Nobody is interrupted, and the way back leads to where the search began."""
    browser.open(base + "index.html#2026-11-18")
    browser.await_that("the day", "document.querySelector('#title')?.textContent === 'Words'")
    for modifier in [Keys.SHIFT, Keys.CONTROL]:
        browser.press_with(modifier, Keys.ARROW_LEFT)
        check(browser.run("return location.hash") == "#2026-11-18", "an arrow with Shift or Ctrl leads elsewhere")
    event = "new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true })"
    browser.run(f"document.body.dispatchEvent({event})")
    check(browser.run("return location.hash") == "#2026-11-18", "an arrow with Alt leads elsewhere")
    browser.press("/", "u", "p")
    browser.await_that("what was found", "document.querySelectorAll('main .tile').length === 2")
    browser.press(Keys.BACKSPACE, Keys.BACKSPACE)
    browser.await_that("the wall", "drawn === '2026'")
    check(browser.focused() == "search", f"an empty search gives the focus to {browser.focused()}")
    browser.press("q", "u", "a", "s")
    browser.await_that("what was found then", "location.hash === '#search/quas' && drawn === 'search'")
    browser.press("a", "r", " ")
    browser.await_that("what was found last", "location.hash === '#search/quasar'")
    browser.driver.execute_async_script(FRAMES)
    check(browser.run("return search.value") == "quasar ", "a blank at the end is taken away before the next word")
    browser.driver.back()
    browser.await_that("the day before", "document.querySelector('#title')?.textContent === 'Words'")
    check(browser.run("return search.value") == "", "the box holds what is not searched any more")


def back(browser, base):
    """From a day back to its tile."""
    browser.resize(600, 300)
    for place in ["", "2026", "search/last"]:
        browser.open(base + "index.html#" + place)
        there_and_back(browser, place)
    browser.resize(1024, 768)


def there_and_back(browser, place):
    link = browser.await_that("the last tile", "[...document.querySelectorAll('main .tile a')].at(-1)")
    day = browser.run("arguments[0].focus(); return arguments[0].hash", link)
    browser.press(Keys.ENTER)
    browser.await_that("its day", "document.activeElement.id === 'title' && location.hash === arguments[0]", day)
    browser.driver.back()
    browser.await_that(f"its tile in #{place}", "document.activeElement.hash === arguments[0]", day)
    browser.driver.execute_async_script(FRAMES)
    browser.await_that("it, to be seen", """(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    })()""")


def words(browser, base):
    """What colors and signs tell is also told in words."""
    browser.open(base + "index.html#2026%2D11%2D18")
    browser.await_that("the text", "document.querySelector('.text')?.textContent === 'Only words.'")
    check(browser.run("return getComputedStyle(state).display !== 'none' && state.offsetHeight === 0"),
          "what has no news is not there, or takes room")
    check(text(browser, ".legend").split() == ["here", "missing", "failed"], f"the legend is {text(browser, '.legend')!r}")
    name = browser.driver.find_element(By.CSS_SELECTOR, "#archive a:last-of-type").accessible_name
    check(name == "2026: 4 here, 6 missing, 1 failed", f"a year is called {name!r}")
    browser.go("2026")
    browser.await_that("the wall", "document.querySelectorAll('main .tile').length === 5")
    name = browser.driver.find_element(By.CSS_SELECTOR, ".tile a[href='#2026-11-16']").accessible_name
    check(name == "16 Clouds video", f"a video is called {name!r}")


def many_favorites(browser):
    browser.run("apod.favorites(Array.from({ length: 150 }, (_, at) => [dateOf(number('2026-11-20') - at), []]))")
    browser.go("favorites")
    browser.await_that("some of many favorites", "document.querySelectorAll('main .tile').length === 60")
    browser.run("document.querySelector('main button').click()")
    browser.await_that("all favorites", "document.querySelectorAll('main .tile').length === 150")
    check(not browser.driver.find_element(By.CSS_SELECTOR, "main button").is_displayed(), "there are never enough days")
    browser.go("favorites/Nobody")
    browser.await_that("an unknown album", "document.querySelector('main').textContent.includes('no album Nobody.')")


def nothing_there(browser, base):
    """Days that never were, and years that are not in the archive, are not asked for."""
    for place, words in [("1990-06-16", "There is nothing of 16 June 1990 here."), ("1999-13-45", "There is no such day."),
                         ("2025-02-30", "There is no such day."), ("1990", "There is nothing of 1990 here."),
                         ("1990-06", "There is nothing of 1990 here."),
                         ("2026-11-19", "There is nothing of 19 November 2026 here.")]:
        browser.open(base + "index.html#" + place)
        browser.await_that(f"that there is no {place}", "state.textContent === arguments[0]", words)
        check("undefined" not in browser.run("return document.body.textContent"), f"#{place} reads undefined")
    links = browser.run("return [...document.querySelectorAll('.steps a')].map(link => link.hash)")
    check(links == ["#2026-11-18", "#2026-11", "#2026-11-20"], f"a failed day leads to {links}")


def heavy(browser, base):
    """What no small copy could be made of is a link only where it is large."""
    browser.open(base + "index.html")
    browser.await_that("the first wall", "window.drawnAt")
    for bytes, width, shown in [(2_000_000, 4000, True), (31_000_000, 4000, False), (2_000_000, 50_000, False)]:
        views = browser.run("""
            const day = { ...apod.days.get('2026-11-20'), large: undefined, height: 3000,
                bytes: arguments[0], width: arguments[1] };
            const page = dayPage(day);
            return [!!page.querySelector('figure'), page.querySelector('.links a').textContent.startsWith('Original')];
        """, bytes, width)
        check(views == [shown, True], f"of {bytes} bytes and {width} pixels, it shows {views}")


def narrow(browser, base):
    """In a tile of words, nothing covers its date."""
    browser.open(base + "index.html")
    browser.await_that("the first wall", "window.drawnAt")
    browser.resize(390, 844)
    covered = browser.run("""
        const day = { date: '2026-11-17', stem: 'A', title: 'A Flight', player: 'https://example.org/' };
        main.replaceChildren(wall([day], true));
        const [date, play] = ['time', '.play'].map(name => main.querySelector(name).getClientRects()[0]);
        const range = document.createRange();
        range.selectNodeContents(main.querySelector('time'));
        const words = range.getBoundingClientRect();
        return words.right > play.left && words.bottom > play.top && words.top < play.bottom;
    """)
    check(not covered, "the sign of a video covers the date")
    browser.resize(1024, 768)


def late(browser, root):
    """What comes late takes neither the focus nor what is there already."""
    gates = {"/gallery/data/2026-text.js": threading.Event(), "/gallery/data/2025.js": threading.Event()}

    class Held(Quiet):
        def do_GET(self):
            path = self.path.partition("?")[0]
            if path in gates:
                gates[path].wait(20)
            super().do_GET()

    base = served(functools.partial(Held, directory=root))
    browser.open(base + "index.html")
    browser.go("2026-11-16")
    browser.await_that("the video", "document.querySelector('video')")
    check(text(browser, ".text") == "Loading the text …", "the text is there already")
    browser.run("window.video = document.querySelector('video'); document.querySelector('.links a').focus()")
    gates["/gallery/data/2026-text.js"].set()
    browser.await_that("the text", "document.querySelector('.text').textContent === 'Up.'")
    check(browser.run("return document.querySelector('video') === video"), "the video is made anew")
    check(browser.focused().startswith("2026/11/2026-11-16"), f"a text gives the focus to {browser.focused()}")
    check("apod.nasa.gov" in browser.run("return document.querySelector('.links').innerHTML"), "no way to NASA")

    browser.open(base + "index.html")
    browser.await_that("the first wall", "window.drawnAt")
    browser.run("""
        const days = Array.from({ length: 300 }, (_, at) => dateOf(number('2026-01-01') + at));
        apod.year(2026, days.map(date => ({ date, title: 'Many', stem: 'Many' })));
        window.heard = [];
        new MutationObserver(() => heard.push(state.textContent)).observe(state, { childList: true });
        search.value = 'a';
        search.dispatchEvent(new Event('input'));
    """)
    browser.await_that("some days", "document.querySelectorAll('main .tile').length === 60")
    browser.run("document.querySelector('main button').click(); window.reached = document.activeElement")
    gates["/gallery/data/2025.js"].set()
    browser.await_that("the end", "state.textContent === '301 days found.'")
    check(browser.run("return document.activeElement === reached && reached.hash.length > 1"), "the focus is lost")
    check(browser.run("return document.querySelectorAll('main .tile').length") == 300, "the wall collapses")
    check(text(browser, "main button") == "1 more day", f"the button says {text(browser, 'main button')!r}")
    heard = [words for words in browser.run("return heard") if words]
    check(heard == ["301 days found."], f"a screen reader hears {heard}")
    for place in ["2026", "search/a"]:
        browser.go(place)
        browser.await_that("the long wall", "drawn === arguments[0]", place.split("/")[0])
        there_and_back(browser, place)


def losses(browser, root, base):
    for name, place, words in [("2025-text", "2025-12-31", "The text cannot be read."),
                               ("2025", "2025", "The list of 2025 cannot be read."),
                               ("2025", "2025-12-31", "The list of 2025 cannot be read."),
                               ("2025", "search/words", "1 day found. The texts of 2025 cannot be read."),
                               ("2025-text", "search/words", "1 day found. The texts of 2025 cannot be read."),
                               ("2026", "", "The list of 2026 cannot be read."),
                               ("favorites", "favorites", "The favorites cannot be read.")]:
        path = os.path.join(root, f"gallery/data/{name}.js")
        os.rename(path, path + ".away")
        browser.open(base + "index.html#" + place)
        browser.await_that(f"{name} is missing", "document.body.textContent.includes(arguments[0])", words)
        if (name, place) == ("2025", "2025-12-31"):
            links = browser.run("return [...document.querySelectorAll('.steps a')].map(link => link.hash)")
            check(links == ["#2025-12", "#2026-11-16"], f"a day of a list that is missing leads to {links}")
        rest, title = ("2025-12-31", "Last of 2025") if name == "2026" else ("2026-11-18", "Words")
        browser.go(rest)
        browser.await_that("the rest", "document.querySelector('#title')?.textContent === arguments[0]", title)
        os.rename(path + ".away", path)
        browser.go(place)
        browser.await_that(f"{name} when it is back", "!document.body.textContent.includes(arguments[0])", words)


def policy(browser, base):
    """What stands in the page itself is not run, nor what is elsewhere loaded."""
    asked = []

    class Noted(Quiet):
        def do_GET(self):
            asked.append(self.path)

    elsewhere = served(Noted)
    browser.open(base + "index.html")
    browser.run("""
        const script = document.createElement('script');
        script.textContent = 'window.hacked = 1';
        document.body.append(script);
        const image = new Image();
        image.src = arguments[0] + 'x.png';
        document.body.append(image);
        document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.hacked = 2">');
    """, elsewhere)
    time.sleep(0.3)
    check(browser.run("return window.hacked === undefined"), "the policy lets foreign scripts run")
    check(asked == [], "the policy lets foreign pictures be asked for")
    check(len(browser.complaints()) >= 2, "the policy says nothing")


def accessibility(browser, base, places, widths):
    """As axe judges, whose parts of a page are never seen by a person."""
    axe = next(iter(glob.glob(os.path.join(HERE, "../../.build/python/lib/python*/site-packages"))), None)
    sys.path.append(axe or "")
    try:
        from axe_core_python.selenium import Axe
    except ImportError:
        print("# axe is not installed (Tests/prepare installs it): nothing is said about accessibility")
        return
    for width in widths:
        browser.resize(width, 844)
        for place in places:
            browser.open(base + "index.html#" + place)
            browser.await_that(place, "document.querySelector('main h2')")
            for dark in [False, True]:
                browser.darken(dark)
                for violation in Axe().run(browser.driver)["violations"]:
                    nodes = [node["html"][:120] for node in violation["nodes"][:3]]
                    print(f"{'dark' if dark else 'light'} #{place}: {violation['impact']} {violation['id']}: {nodes}")


def screenshots(browser, base, folder, places):
    for width, height in [(390, 844), (1024, 768), (2560, 1440)]:
        browser.resize(width, height)
        for name, place in places:
            browser.open(base + "index.html#" + place)
            browser.await_that(place, "document.querySelector('main h2')")
            browser.await_that("pictures", LOADED)
            for dark in [False, True]:
                browser.darken(dark)
                time.sleep(0.3)
                browser.driver.save_screenshot(f"{folder}/{name}-{width}-{'dark' if dark else 'light'}.png")
            wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"#{place} is {wide} pixels too wide at {width}")


def mirror(browser, base, root):
    """Walls show the small copies, a day's page the large one, and nothing else is asked for."""
    browser.forget()
    browser.open(base + "index.html")
    browser.await_that("the first wall", "window.drawnAt")
    browser.await_that("its pictures", LOADED)
    days = browser.run("return [...document.querySelectorAll('.tile.picture a')].map(link => link.hash.slice(1))")
    wrong = browser.run("return [...document.querySelectorAll('.tile img')].map(i => i.src)"
                        ".filter(source => !/\\/gallery\\/\\d{4}\\/[-0-9]{10}-480\\.webp$/.test(source))")
    check(days != [], "no picture in the wall")
    check(wrong == [], f"a wall shows {wrong[:3]}")
    for day in days[:3]:
        browser.go(day)
        browser.await_that(f"the page of {day}", "document.querySelector('figure img')?.src.endsWith(arguments[0])",
                           f"/gallery/{day[:4]}/{day}-1280.jpg")
        browser.await_that("its picture", LOADED)
        browser.await_that("its text", "document.querySelector('.text').textContent.length > 20 && "
                                       "!document.querySelector('.text').textContent.includes('Loading')")
        original = browser.run("return decodeURIComponent(document.querySelector('figure a').href)")
        check(os.path.exists(f"{root}/{original.removeprefix(base)}"), f"no original: {original}")
    browser.go("favorites")
    browser.await_that("the favorites", "document.querySelector('main h2').textContent === 'Favorites'")
    word = max(text_of(browser, days[0]).split(), key=len).strip(".,:;()'\"").lower()
    browser.go("search/" + word)
    browser.await_that(f"days with {word}", "document.querySelector('main .tile')")
    browser.await_that("all texts", "document.getElementById('state').textContent.endsWith('found.')")
    check(browser.complaints() == [], "the console says something")
    foreign = [url for url in browser.requests() if not url.startswith((base, "about:blank", "data:"))]
    check(foreign == [], f"requests elsewhere: {foreign}")
    return days


def text_of(browser, day):
    return browser.run("return apod.days.get(arguments[0]).words ? plain(apod.days.get(arguments[0]).words.text) : ''", day)


def speed(base):
    """Medians: of five programs that know nothing yet, and of words that are looked for once the texts are there."""
    drawn = []
    for _ in range(5):
        with Browser() as browser:
            browser.open(base + "index.html")
            drawn.append(browser.await_that("the first wall", "window.drawnAt"))
            if len(drawn) < 5:
                continue
            browser.run("search.focus()")
            browser.await_that("all texts", "loadAll.words === ''")
            words = [browser.driver.execute_async_script(SEARCH, word) for word in
                     ["lantern", "violin", "n", "no", "not", "nothing", "sky owl harbor", "patience", "zz", "telescope"]]
    print(f"{statistics.median(drawn):.0f} {statistics.median(words):.1f}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def served(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


class Nginx:
    """Debian's, with a configuration of its own; Python's server where it is missing."""

    def __init__(self, root):
        self.root = root
        there = [shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin"),
                 os.path.join(HERE, "../../.build/benchmarks/nginx/usr/sbin/nginx")]
        self.program = next((path for path in there if path and os.path.exists(path)), None)

    def __enter__(self):
        if not self.program:
            print("# nginx is not installed: Python's server stands in for it")
            return served(functools.partial(Quiet, directory=self.root))
        self.folder = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        prefix = self.folder.name
        with open(f"{prefix}/nginx.conf", "w", encoding="utf-8") as file:
            file.write(f"""daemon off; {'user root;' if os.getuid() == 0 else ''} pid {prefix}/pid; error_log {prefix}/errors;
                events {{}}
                http {{
                    access_log off; client_body_temp_path {prefix}/a; proxy_temp_path {prefix}/b;
                    fastcgi_temp_path {prefix}/c; uwsgi_temp_path {prefix}/d; scgi_temp_path {prefix}/e;
                    types {{ text/html html; text/css css; text/javascript js; image/svg+xml svg; image/webp webp;
                        image/jpeg jpg; image/png png; video/mp4 mp4; application/json json; application/atom+xml xml; }}
                    server {{ listen 127.0.0.1:{port}; root "{self.root}"; }}
                }}""")
        self.process = subprocess.Popen([self.program, "-p", prefix, "-c", f"{prefix}/nginx.conf", "-e", f"{prefix}/errors"])
        while self.process.poll() is None and not (os.path.exists(f"{prefix}/pid") and os.path.getsize(f"{prefix}/pid")):
            time.sleep(0.01)
        return f"http://127.0.0.1:{port}/"

    def __exit__(self, *_):
        if self.program:
            self.process.terminate()
            self.process.wait()
            self.folder.cleanup()


def main():
    task, root = sys.argv[1], os.path.abspath(sys.argv[2])
    disk = f"file://{root}/"
    if task == "speed":
        return speed(disk)
    with Nginx(root) as server, Browser() as browser:
        if task == "walk":
            with open(os.path.join(root, "hostile.txt"), encoding="utf-8") as file:
                hostile = file.read()
            for base in [disk, server]:
                walk(browser, base, hostile)
                policy(browser, base)
            late(browser, root)
            losses(browser, root, disk)
            places = ["", "2026-11-20", "2026-11-17", "2026-11-16", "favorites", "search/words"]
            accessibility(browser, disk, places, [390])
        else:
            for base in [disk, server]:
                days = mirror(browser, base, root)
            if len(sys.argv) > 3:
                places = [("wall", ""), ("day", days[0]), ("favorites", "favorites"), ("search", "search/lantern")]
                screenshots(browser, server, sys.argv[3], places)
                accessibility(browser, disk, [place for _, place in places], [390, 1024, 2560])


if __name__ == "__main__":
    main()
