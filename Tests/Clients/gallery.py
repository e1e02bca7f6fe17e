#!/usr/bin/python3
# Looks at a gallery with Debian's Chromium.
#
# usage: gallery.py walk FOLDER                   as Tests/Gallery/BrowserTests.swift makes it: the views, and some gestures
#        gallery.py speed FOLDER [TIMES]          prints what is measured, as NAME|UNIT|VALUE|GOAL
#        gallery.py mirror FOLDER [PART…]         the long form, or parts or rows of it; SHOTS=FOLDER keeps pictures of each view
#        gallery.py firefox FOLDER                the views in Firefox, as above
#
# Every line that walk and mirror print is something that is wrong or, with a # before it, something to know.
# It needs what Tests/prepare installs in .build/python, and runs in there.
import contextlib
import functools
import os
import sys
import tempfile
from os.path import abspath, dirname, exists, join

HERE = dirname(abspath(__file__))
PYTHON = join(HERE, "../../.build/python/bin/python3")
sys.path.insert(0, join(HERE, "Gallery"))

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    if exists(PYTHON) and not os.environ.get("IN_PYTHON"):
        os.execve(PYTHON, [PYTHON, *sys.argv], os.environ | {"IN_PYTHON": "1"})
    sys.exit("Playwright is not installed (Tests/prepare installs it): the gallery was not looked at")

import feel
import firefox as foxes
import gestures
import speed as speeds
import slides
import table
import walk as ways
from browser import attempt, launched, served
from invented import Invented
from play import play


def walks(sizes, count=None):
    def both(browser, disk, mirror):
        ways.walk(browser, disk, sizes)
        ways.walk(browser, served(mirror.root), sizes[:1], count)
    return both


def played(*names):
    return lambda browser, disk, _: play(browser, disk, table.TABLE, names)


SHORT = {"gestures": gestures.gestures, "walk": walks(ways.SIZES[:2], 12), "policy": ways.policy, "some": played(
    "without", "facts", "keys", "swipes", "back to", "late", "field", "hearts")}
LONG = {"gestures": gestures.gestures, "walk": walks(ways.SIZES), "policy": ways.policy, "table": played(""), "typed": table.typed,
        "reader": ways.reader, "journey": ways.journey, "joins": slides.joins, "feel": feel.feel}


def look(parts, playwright, page, *named):
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(launched(playwright)) as browser:
        made = Invented(folder, page)
        for name in named or parts:
            attempt(name, parts.get(name) or played(name), browser, f"file://{folder}/", made)


def speed(playwright, root, times=5):
    speeds.speed(lambda: contextlib.closing(launched(playwright)), f"file://{root}/", root, int(times))


def firefox(_, page):
    with tempfile.TemporaryDirectory() as folder:
        attempt("firefox", foxes.firefox, Invented(folder, page))


if __name__ == "__main__":
    task, root, *more = sys.argv[1:]
    tasks = {"walk": functools.partial(look, SHORT), "mirror": functools.partial(look, LONG), "speed": speed, "firefox": firefox}
    with sync_playwright() as playwright:
        tasks[task](playwright, abspath(root), *more)
