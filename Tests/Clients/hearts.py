"""Taps hearts on a phone, and looks at them in a second browser; what is wrong ends it.

usage: hearts.py ROOT ORIGIN OLDER NEWEST, two days of the mirror
"""

import os
import sys
import time

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build/python/bin/python3")
try:
    from playwright.sync_api import sync_playwright
except ImportError:
    os.execv(PYTHON, [PYTHON, *sys.argv])

root, origin, older, newest = sys.argv[1:]
folder = os.path.join(root, "favorites")


def until(isSo, what):
    end = time.monotonic() + 10
    while not isSo():
        if time.monotonic() > end:
            sys.exit(f"it does not come to that: {what}")
        time.sleep(0.02)


def shows(page, letter, what):
    until(lambda: page.evaluate("document.querySelector('.heart')?.textContent") == letter, what)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    size = {"width": 390, "height": 844}
    phone = browser.new_context(viewport=size, has_touch=True, is_mobile=True, device_scale_factor=3).new_page()
    other = browser.new_context().new_page()
    said = []
    for page in (phone, other):
        page.on("console", lambda message: said.append((message.text, message.location["url"])))
        page.on("pageerror", lambda error: said.append((str(error), "")))
        page.goto(f"{origin}/#{older}")
        shows(page, "♡", "a heart that is not")
    phone.tap(".heart")
    until(lambda: len(os.listdir(folder)) == 1, "a tap is a link")
    shows(other, "♥", "a heart in the other browser")
    phone.tap(".heart")
    until(lambda: not os.listdir(folder), "a second tap ends it")
    shows(other, "♡", "none in the other browser")
    phone.tap(".heart")
    until(lambda: len(os.listdir(folder)) == 1, "a third brings it back")
    other.goto(f"{origin}/#{newest}")
    shows(other, "♡", "the newest is none")
    os.symlink("../latest", os.path.join(folder, "dropped"))
    shows(other, "♥", "a link that is dropped is a heart")
    # The page looks whether a year has begun.
    said = [words for words, place in said if "/2020.js" not in words + place]
    if said:
        sys.exit(f"the browsers say {said}")
