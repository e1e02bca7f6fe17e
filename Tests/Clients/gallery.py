#!/usr/bin/python3
"""Looks at a gallery with Debian's Chromium: gallery.py FOLDER [SCREENSHOTS]

The folder is as Tests/Gallery/BrowserTests.swift makes it. Every line that is printed is something that is wrong
or, with a # before it, something to know. Each step is taken from the disk and from a server.
"""
import functools
import http.server
import os
import sys
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


class Browser:
    def __init__(self, width=1024, height=768, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--hide-scrollbars", f"--window-size={width},{height}"]:
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

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

    def press(self, key):
        self.driver.find_element(By.TAG_NAME, "body").send_keys(key)

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
    browser.open(base + "index.html")
    browser.await_that("the first wall", "window.drawnAt")
    check(browser.run("return !!document.querySelector('.tile img')"), "no picture in the wall")
    check(browser.run("return [...document.querySelectorAll('.tile img')].every(i => i.src.includes('/gallery/'))"),
          "a wall loads an original")
    check(browser.run("return [...document.querySelectorAll('.tile.words')].some(t => t.textContent.includes('Words'))"),
          "a day without picture has no tile")
    check("f" in browser.run("return document.querySelector('#archive a[aria-current]').dataset.days"), "no failed day")
    check(browser.run("return document.querySelectorAll('#archive canvas').length") == 2, "no bar")

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
    browser.await_that("all texts", "!document.getElementById('state').textContent.includes('Loading')")
    check(text(browser, "#state") == "1 day found.", f"it says {text(browser, '#state')!r}")
    field.send_keys(Keys.BACKSPACE * 6)
    browser.await_that("the wall again", "document.querySelectorAll('main .tile').length === 5")


def losses(root, base):
    for name, place, words in [("2025-text", "2025-12-31", "The text cannot be read."),
                               ("2025", "2025", "The list of 2025 cannot be read.")]:
        path = os.path.join(root, f"gallery/data/{name}.js")
        os.rename(path, path + ".away")
        with Browser() as browser:
            browser.open(base + "index.html#" + place)
            browser.await_that(f"{name} is missing", "document.body.textContent.includes(arguments[0])", words)
            browser.go("2026-11-18")
            browser.await_that("the rest", "document.querySelector('#title')?.textContent === 'Words'")
        os.rename(path + ".away", path)


def policy(base):
    """What stands in the page itself is not run, nor what is elsewhere loaded."""
    asked = []

    class Noted(Quiet):
        def do_GET(self):
            asked.append(self.path)

    elsewhere = served(Noted)
    with Browser() as browser:
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


def accessibility(base):
    try:
        from axe_core_python.selenium import Axe
    except ImportError:
        print("# axe is not installed (pip install axe-core-python): nothing is said about accessibility")
        return
    for dark in [False, True]:
        with Browser(390, 844, dark) as browser:
            for place in ["", "2026-11-20", "2026-11-17", "2026-11-16", "favorites", "search/words"]:
                browser.open(base + "index.html#" + place)
                browser.await_that(place, "document.querySelector('main h2')")
                found = Axe().run(browser.driver)["violations"]
                for violation in found:
                    nodes = [node["html"][:120] for node in violation["nodes"][:3]]
                    print(f"{'dark' if dark else 'light'} #{place}: {violation['impact']} {violation['id']}: {nodes}")


def screenshots(base, folder, places):
    for width, height in [(390, 844), (1024, 768), (2560, 1440)]:
        for dark in [False, True]:
            with Browser(width, height, dark) as browser:
                for name, place in places:
                    browser.open(base + "index.html#" + place)
                    browser.await_that(place, "document.querySelector('main h2')")
                    time.sleep(0.5)
                    browser.driver.save_screenshot(f"{folder}/{name}-{width}-{'dark' if dark else 'light'}.png")
                    wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
                    check(wide <= 0, f"#{place} is {wide} pixels too wide at {width}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def served(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def main():
    root = os.path.abspath(sys.argv[1])
    hostile = open(os.path.join(root, "hostile.txt"), encoding="utf-8").read()
    for base in [f"file://{root}/", served(functools.partial(Quiet, directory=root))]:
        with Browser() as browser:
            walk(browser, base, hostile)
        policy(base)
    losses(root, base)
    accessibility(base)
    if len(sys.argv) > 2:
        screenshots(base, sys.argv[2], [("wall", ""), ("day", "2026-11-20"), ("favorites", "favorites")])


if __name__ == "__main__":
    main()
