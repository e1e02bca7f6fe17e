# Chromium, a page in it that notes what it says and asks for, and a server.
import contextlib
import functools
import http.server
import os
import threading
import time
import traceback
from os.path import abspath, dirname

from playwright.sync_api import Error

HERE = dirname(abspath(__file__))

# What is wrong; each line of it is printed once.
findings = []

# What a person sees of a page, as words for conditions.
LOOK = """
window.eye = {
    top: () => document.querySelector('dialog[open]') ?? document.body,
    find: name => document.querySelector(name),
    one: name => eye.top().querySelector(name),
    all: name => [...eye.top().querySelectorAll(name)],
    near: (a, b, by = 2) => Math.abs(a - b) < by,
    box: (what = '.here .shown') => (what.matches ? what : eye.one(what)).getBoundingClientRect().toJSON(),
    wide: () => eye.box().width,
    css: (what, name) => getComputedStyle(what.matches ? what : eye.one(what))[name],
    opacity: what => Number(eye.css(what, 'opacity')),
    inWindow: one => (({ left, top, right, bottom, width, height }) => width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight
        && left < innerWidth)(eye.box(one)),
    isWhole: one => (({ left, top, right, bottom }) => left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1)(eye.box(one)),
    // A picture of a day that can be seen now.
    image: date => eye.all('img').some(image => image.complete && image.naturalWidth
        && decodeURIComponent(image.currentSrc).includes(date) && eye.inWindow(image) && image.checkVisibility()),
    // Words that can be read now.
    words: text => eye.all('*').some(element => element.textContent.includes(text)
        && ![...element.children].some(child => child.textContent.includes(text))
        && eye.inWindow(element) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })),
    text: () => eye.top().innerText.replace(/\\s+/g, ' '),
    isDone: () => Boolean(eye.find('main h2, dialog[open] :is(h2, time)')) && !/Loading|Looking/.test(eye.text()),
    isLoaded: () => eye.tiles().length > 0 && eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete)),
    isCut: element => element.scrollWidth > element.clientWidth,
    tile: date => eye.find(`.wall [data-date="${date}"]`),
    caption: date => eye.tile(date).querySelector('.caption').checkVisibility({ visibilityProperty: true }),
    marks: date => eye.tile(date).querySelector('.marks')?.innerHTML ?? '',
    month: () => eye.find('#calendar h2').textContent,
    follow: name => eye.find(name).click(),
    day: () => eye.one('time').dateTime,
    source: () => eye.one('.here .shown').currentSrc,
    isOther: () => eye.source().includes('(2)'),
    tiles: () => [...document.querySelectorAll('.wall li')].filter(eye.inWindow),
    dates: () => eye.tiles().map(tile => tile.dataset.date),
    focused: () => document.activeElement.closest('[data-date]')?.dataset.date,
    isMoving: () => document.getAnimations().some(animation => animation.playState !== 'finished'),
    moved: 0,
};
new PerformanceObserver(list => { for (const { value } of list.getEntries()) eye.moved += value; }).observe({ type: 'layout-shift', buffered: true });
"""


def check(holds, words):
    if not holds and words not in findings:
        findings.append(words)
        # A line that begins with # is nothing wrong, but a view's address begins so.
        print(f"at {words}" if words.startswith("#") else words, flush=True)
    return holds


def attempt(name, task, *values):
    # One that cannot be carried on is something wrong, and the next one is taken.
    start = time.monotonic()
    try:
        task(*values)
    except (Error, AssertionError) as error:
        place = next(frame for frame in reversed(traceback.extract_tb(error.__traceback__)) if HERE in frame.filename)
        check(False, f"{name}: line {place.lineno}, {place.line}: {str(error).splitlines()[0][:300]}")
    if os.environ.get("TIMES"):
        print(f"# {name}: {time.monotonic() - start:.1f} s", flush=True)


def launched(playwright):
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
        "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--hide-scrollbars",
        "--enable-precise-memory-info", "--js-flags=--expose-gc", "--autoplay-policy=no-user-gesture-required"])


@contextlib.contextmanager
def opened(browser, base, place="", size=(1280, 800), *, may_say=(), now=None, script="", **options):
    # A page of its own. What it says, and what it asks for elsewhere, is wrong, but for what `may_say` names.
    options.setdefault("reduced_motion", "no-preference")
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    if now:
        context.clock.set_fixed_time(now)
    context.add_init_script(LOOK + script)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text[:200]))
    page.on("pageerror", lambda error: page.said.append(f"{error}"[:200]))
    page.on("request", lambda request: page.asked.append(request.url))
    try:
        visit(page, base, place)
        yield page
        # The invented days lack some files. Who comes for another day does not need the newest picture, which is asked for at once.
        may_say = [*may_say, "ERR_FILE_NOT_FOUND", "404", "was preloaded using link preload"]
        wrong = [words for words in page.said if not any(allowed in words for allowed in may_say)]
        wrong += [address for address in page.asked if not address.startswith((base, "about:blank", "data:", "blob:"))]
        wrong += page.evaluate("window.hacked ? ['something hostile was run'] : []")
        check(not wrong, f"#{place} of {base[:4]}: {wrong}")
    finally:
        context.close()


def visit(page, base, place=""):
    # Nothing is left of the view before.
    page.goto("about:blank")
    page.goto(f"{base}index.html" + (f"#{place}" if place else ""), wait_until="domcontentloaded")


def within(condition):
    # A function of it, in whose words are the eye's. The page's policy forbids to evaluate words, not to call functions.
    return f"value => {{ with (window.eye ?? window) return {condition}; }}"


def until(page, condition, value=None, what=None, limit=60):
    # Waits until it holds, also for what it speaks of. `what`: said if it does not.
    try:
        page.wait_for_function(f"value => {{ try {{ return ({within(condition)})(value); }} catch {{ return false; }} }}", arg=value,
                               timeout=limit * 1000, polling=30)
        return True
    except Error:
        return check(False, f"{what or condition}: it does not come to that ({page.evaluate('location.hash + eye.text()')[:250]!r})")


def go(page, place):
    page.evaluate("place => { location.hash = place; }", place)


# Chromium's own words, for fingers and memory.
def protocol(page):
    return page.context.new_cdp_session(page)


class Fingers:
    # Touches as a screen tells of them.
    def __init__(self, page):
        self.page = page

    @functools.cached_property
    def session(self):
        return protocol(self.page)

    def put(self, kind, *points, time=None):
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]} | ({"timestamp": time} if time else {}))

    # Each of `start` and `end`: a point for each finger. `times`: when each step is told to have been.
    def draw(self, start, end, steps=6, pause=0, times=None):
        self.put("touchStart", *start, time=times and times[0])
        for step in range(1, steps + 1):
            points = [(a + (c - a) * step / steps, b + (d - b) * step / steps) for (a, b), (c, d) in zip(start, end)]
            self.put("touchMove", *points, time=times and times[step])
            if pause:
                self.page.wait_for_timeout(pause)

    def lift(self, time=None):
        self.put("touchEnd", time=time)


def served(root, asked=None):
    # `asked` notes what is asked for.
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            if asked is not None:
                asked.append(self.path)

    class Server(http.server.ThreadingHTTPServer):
        # A browser asks for many files at once: where the queue is full, it waits for seconds.
        request_queue_size = 100
        # Who asked may have gone.
        handle_error = lambda *_: None

    server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"
