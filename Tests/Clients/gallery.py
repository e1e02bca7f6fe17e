#!/usr/bin/python3
"""Looks at a gallery with Debian's Chromium.

usage: gallery.py walk FOLDER                   as Tests/Gallery/BrowserTests.swift makes it
       gallery.py speed FOLDER [TIMES]          prints what is measured, as NAME|UNIT|VALUE|GOAL
       gallery.py mirror FOLDER [PART…]         the long form, around the page of FOLDER
       gallery.py firefox FOLDER                the views in Firefox, as above
       gallery.py shots FOLDER OUT              keeps pictures of each view for a person to look at

Every line that walk and mirror print is something that is wrong or, with a # before it, something to know.
It needs what Tests/prepare installs in .build/python, and runs in there.
"""
import contextlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(HERE, "../../.build/python/bin/python3")
sys.path.insert(0, os.path.join(HERE, "Gallery"))

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    if os.path.exists(PYTHON) and not os.environ.get("IN_PYTHON"):
        os.execve(PYTHON, [PYTHON, *sys.argv], os.environ | {"IN_PYTHON": "1"})
    sys.exit("Playwright is not installed (Tests/prepare installs it): the gallery was not looked at")

import tasks


def main():
    task, root, *more = sys.argv[1:]
    with sync_playwright() as playwright:
        getattr(tasks, task)(playwright, os.path.abspath(root), *more)


if __name__ == "__main__":
    main()
