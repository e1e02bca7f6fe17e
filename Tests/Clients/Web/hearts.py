# Taps hearts on a phone, and looks at them in a second browser; what is wrong ends it.
#
# usage: hearts.py ROOT ORIGIN OLDER NEWEST, two days of the mirror

import os
import sys
import time
from os.path import abspath, dirname, join, relpath

PYTHON = join(dirname(abspath(__file__)), "../../../.build/python/bin/python3")
try:
    from playwright.sync_api import sync_playwright
except ImportError:
    os.execv(PYTHON, [PYTHON, *sys.argv])

root, origin, older, newest = sys.argv[1:]
folder = join(root, "favorites")
HEART, ALBUM = "main .heart.tool", "main .album.tool"


def until(holds, what):
    end = time.monotonic() + 10
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"it does not come to that: {what}")
        time.sleep(0.02)


def tap(what, holds, words):
    phone.tap(what)
    until(holds, words)


def says(page, script):
    return lambda: page.evaluate(script)


def shows(page, letter, what, where=HEART):
    until(says(page, f"document.querySelector('{where}')?.ariaPressed === '{str(letter == '♥').lower()}'"), what)


def linked():
    return sorted(relpath(join(way, name), folder) for way, _, names in os.walk(folder) for name in names)


def counts(number):
    return lambda: len(linked()) == number


def lose(route):
    # It is done, and not answered in time.
    favorites = join(root, "gallery/data/favorites.js")
    before = os.stat(favorites).st_mtime_ns
    route.fetch()
    until(lambda: os.stat(favorites).st_mtime_ns != before, "the service has done it")
    route.fulfill(status=202, body="not answered yet")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    size = {"width": 390, "height": 844}
    phone = browser.new_context(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=3).new_page()
    other = browser.new_context().new_page()
    said = []
    for page in (phone, other):
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{origin}/#{older}")
        shows(page, "♡", "a heart that is not")
    tap(HEART, counts(1), "a tap is a link")
    shows(other, "♥", "a heart in the other browser")
    tap(HEART, counts(0), "a second tap ends it")
    shows(other, "♡", "none in the other browser")
    tap(HEART, counts(1), "a third brings it back")
    # A service that does not answer in time has not failed: what is there is asked for, also without news.
    tap(HEART, counts(0), "it is ended again")
    shows(phone, "♡", "and shown so")
    phone.evaluate("stream.close()")
    phone.route("**/favorites/*", lose)
    phone.tap(HEART)
    shows(phone, "♥", "a heart that was made after all")
    until(says(phone, "hint.textContent === 'not answered yet'"), "and what is said of it")
    phone.unroute("**/favorites/*", lose)
    phone.evaluate("stream = undefined, listen()")
    # Albums: one that is new, one that is there, and out of both.
    top, = linked()
    phone.tap(ALBUM)
    phone.fill("#albums [name=new]", "Sofa & TV")
    phone.keyboard.press("Enter")
    until(lambda: linked() == sorted([top, f"Sofa & TV/{top}"]), "a name is an album with a link")
    until(says(other, "document.querySelector('.date').textContent.includes('in Sofa & TV')"), "the album in the other browser")
    os.mkdir(join(folder, "Comets"))
    os.symlink("../../latest", join(folder, "Comets", "dropped"))
    until(says(phone, "albumNames().length === 2"), "a folder is an album")
    phone.tap(ALBUM)
    phone.get_by_label("Comets").tap()
    until(lambda: f"Comets/{top}" in linked(), "a tap puts it in an album")
    os.unlink(join(folder, "Comets", "dropped"))
    os.unlink(join(folder, top))
    for name, left in [("Comets", [f"Sofa & TV/{top}"]), ("Sofa & TV", [top])]:
        phone.get_by_label(name).tap()
        until(lambda: linked() == left, f"a tap takes it out of {name}, and leaves it a favorite")
    phone.tap("#albums form button")
    for name in ["..", ".a", "a/b", "a%2Fb/c"]:
        words = phone.evaluate("name => change('add', location.hash.slice(1), name)", name)
        if not words or linked() != [top]:
            sys.exit(f"the album {name!r} is answered {words!r}, and there are {linked()}")
    phone.goto(f"{origin}/#view/{older}")
    shows(phone, "♥", "a heart in the viewer", ".bar .heart.tool")
    tap(".bar .heart.tool", counts(0), "which a tap ends")
    until(says(phone, "document.activeElement.matches('.bar .heart') && document.activeElement.ariaPressed === 'false'"),
          "and which keeps the focus")
    tap(".bar .heart.tool", lambda: top in linked(), "and brings back")
    # A day that is not here is asked for elsewhere.
    phone.goto(f"{origin}/#2019-04-10")
    until(says(phone, "main.innerText.includes('favorites add 2019-04-10')"), "the page tells how to ask for a day")
    other.goto(f"{origin}/#{newest}")
    shows(other, "♡", "the newest is none")
    os.symlink("../latest", join(folder, "dropped"))
    shows(other, "♥", "a link that is dropped is a heart")
    # The strange names are refused.
    if said := [words for words in said if "status of 40" not in words]:
        sys.exit(f"the browsers say {said}")
