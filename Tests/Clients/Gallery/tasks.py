"""The words of gallery.py's command line."""
import contextlib
import tempfile

import access
import feel
import finding
import firefox as foxes
import gestures
import lists
import mirrors
import replays
import shots as pictures
import slides
import speed as speeds
import travel
import viewing
import views
import walls
from browser import Nginx, attempt, launched
from invented import Invented

LONG = {"walls": walls.walls, "finding": finding.finding, "travel": travel.travel, "viewing": viewing.viewing, "feel": feel.feel,
        "slides": slides.slides, "access": access.access, "lists": lists.lists,
        "replays": replays.replays}


def speed(playwright, root, times=5):
    @contextlib.contextmanager
    def launch():
        browser = launched(playwright)
        try:
            yield browser
        finally:
            browser.close()
    speeds.speed(launch, f"file://{root}/", root, int(times))


def walk(playwright, root):
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(launched(playwright)) as browser:
        mirror = Invented(folder, root)
        disk = f"file://{folder}/"
        with Nginx(folder) as server:
            attempt("gestures", gestures.gestures, browser, disk, mirror)
            attempt("views", views.views, browser, disk, mirror)
            attempt("views", views.views, browser, server, mirror, 12)
            for base in [disk, server]:
                attempt("policy", views.policy, browser, base, mirror)
                attempt("wish", views.wish, browser, base)
        attempt("the first screen", finding.row, browser, disk)
        for task in [views.facts, views.losses, views.late]:
            attempt(task.__name__, task, browser, disk, mirror)


def mirror(playwright, page, *parts):
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(launched(playwright)) as browser:
        made = mirrors.made(browser, folder, page)
        for part in parts or LONG:
            attempt(part, LONG[part], browser, f"file://{made.root}/", made)


def firefox(_, page):
    with tempfile.TemporaryDirectory() as folder:
        attempt("firefox", foxes.firefox, Invented(f"{folder}/mirror", page))


def shots(playwright, page, out):
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(launched(playwright)) as browser:
        made = mirrors.made(browser, folder, page)
        pictures.shots(browser, f"file://{made.root}/", out)
