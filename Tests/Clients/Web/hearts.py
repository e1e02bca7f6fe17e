# Taps hearts on a phone, and looks at them in a second browser; what is wrong ends it.
#
# usage: hearts.py ROOT ORIGIN OLDER NEWEST, two days of the mirror
import os
import sys
import time
from os.path import join, relpath

from playwright.sync_api import sync_playwright

root, origin, older, newest = sys.argv[1:]
folder, HEART = join(root, "favorites"), "main .heart.tool"


def until(holds, what):
    end = time.monotonic() + 10
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"it does not come to that: {what}; there are {linked()}")
        time.sleep(0.02)


def shows(page, script):
    until(lambda: page.evaluate(script), script)


def heart(page, is_on):
    shows(page, f"document.querySelector('{HEART}')?.ariaPressed === '{str(is_on).lower()}'")


def linked():
    return sorted(relpath(join(way, name), folder) for way, _, names in os.walk(folder) for name in names)


def links(*names):
    until(lambda: linked() == sorted(names), names)


def lose(route):
    # It is done, and not answered in time.
    favorites = join(root, "gallery/data/favorites.js")
    before = os.stat(favorites).st_mtime_ns
    route.fetch()
    until(lambda: os.stat(favorites).st_mtime_ns != before, "the service has done it")
    route.fulfill(status=202, body="not answered yet")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    other, said = browser.new_context().new_page(), []
    for page in (phone, other):
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{origin}/#{older}")
        heart(page, False)
    for count in (1, 0, 1, 0):
        phone.tap(HEART)
        until(lambda: len(linked()) == count, f"{count} links by a tap")
        heart(other, count > 0)
    heart(phone, False)
    # A service that does not answer in time has not failed: what is there is asked for, also without news.
    phone.evaluate("stream.close()")
    phone.route("**/favorites/*", lose)
    phone.tap(HEART)
    heart(phone, True)
    shows(phone, "hint.textContent === 'not answered yet'")
    phone.unroute("**/favorites/*", lose)
    phone.evaluate("stream = undefined, listen()")
    # An album that is new, and names that none can have.
    top, = linked()
    phone.tap("main .album.tool")
    phone.fill("#albums [name=new]", "Sofa & TV")
    phone.keyboard.press("Enter")
    links(top, f"Sofa & TV/{top}")
    shows(other, "document.querySelector('.date').textContent.includes('in Sofa & TV')")
    for name in ["..", ".a", "a/b", "a%2Fb/c"]:
        words = phone.evaluate("name => change('add', location.hash.slice(1), name)", name)
        if not words or len(linked()) != 2:
            sys.exit(f"the album {name!r} is answered {words!r}, and there are {linked()}")
    # A day that is not here is asked for elsewhere.
    phone.goto(f"{origin}/#2019-04-10")
    shows(phone, "main.innerText.includes('favorites add 2019-04-10')")
    other.goto(f"{origin}/#{newest}")
    heart(other, False)
    os.symlink("../latest", join(folder, "dropped"))
    heart(other, True)
    # The strange names are refused, and the newest picture was preloaded for nothing.
    if said := [words for words in said if "status of 40" not in words and "preload" not in words]:
        sys.exit(f"the browsers say {said}")
