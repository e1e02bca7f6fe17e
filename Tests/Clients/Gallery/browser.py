"""Chromium, a page in it that notes what it says and asks for, and the servers that a mirror is looked at from."""
import contextlib
import functools
import http.server
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import traceback

from playwright.sync_api import Error

CHROMIUM = "/usr/bin/chromium"
HERE = os.path.dirname(os.path.abspath(__file__))

# A view is whole when it has its heading or its dialog, and nothing is still coming.
WHOLE = ("Boolean(document.querySelector('main h2, dialog[open] time'))"
         " && !/Loading|Looking/.test(document.body.innerText)")

# What is wrong; each line of it is printed once.
findings = []


# What a person sees of a page.
LOOK = """
window.eye = {
    top: () => document.querySelector('dialog[open]') ?? document.body,
    inWindow(element) {
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
        return width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    },
    isWhole(element) {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    },
    // A picture of a day that can be seen now.
    image: date => [...eye.top().querySelectorAll('img')].find(image => image.complete && image.naturalWidth
        && decodeURIComponent(image.currentSrc).includes(date) && eye.inWindow(image) && image.checkVisibility()),
    // Words that can be read now.
    words: text => [...eye.top().querySelectorAll('*')].some(element => element.textContent.includes(text)
        && ![...element.children].some(child => child.textContent.includes(text))
        && eye.inWindow(element) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })),
    tile: date => document.querySelector(`.wall [data-date="${date}"]`),
    tiles: () => [...document.querySelectorAll('.wall li')].filter(eye.inWindow),
    frames: count => new Promise(done => {
        const wait = left => left ? requestAnimationFrame(() => wait(left - 1)) : done();
        wait(count);
    }),
};
"""


def check(holds, words):
    if not holds and words not in findings:
        findings.append(words)
        # A line that begins with # is nothing wrong, but a view's address begins so.
        print(f"at {words}" if words.startswith("#") else words, flush=True)
    return holds


def attempt(name, task, *values):
    """One that cannot be carried on is something wrong, and the next one is taken."""
    start = time.monotonic()
    try:
        task(*values)
    except (Error, AssertionError) as error:
        place = next((frame for frame in reversed(traceback.extract_tb(error.__traceback__))
                      if HERE in frame.filename and not frame.filename.endswith("browser.py")), None)
        check(False, f"{name}: line {place and place.lineno}, {place and place.line}: {str(error).splitlines()[0][:200]}")
    if os.environ.get("TIMES"):
        print(f"# {name}: {time.monotonic() - start:.1f} s", flush=True)


def launched(playwright):
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[
        "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--hide-scrollbars",
        "--enable-precise-memory-info", "--js-flags=--expose-gc", "--autoplay-policy=no-user-gesture-required"])


@contextlib.contextmanager
def opened(browser, base, place="", size=(1280, 800), *, name=None, may_say=(), now=None, **options):
    """A page of its own. What it says, and what it asks for elsewhere, is wrong, but for what `may_say` names."""
    options.setdefault("reduced_motion", "no-preference")
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    if now:
        context.clock.set_fixed_time(now)
    context.add_init_script(LOOK)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(f"{message.type}: {message.text[:200]}"))
    page.on("pageerror", lambda error: page.said.append(f"error: {str(error)[:200]}"))
    page.on("request", lambda request: page.asked.append(request.url))
    try:
        page.goto(base + "index.html" + (f"#{place}" if place else ""), wait_until="domcontentloaded")
        yield page
        where = name or f"#{place} of {base[:4]}"
        # Who comes for another day does not need the newest picture, which the page asks for at once.
        may_say = [*may_say, "was preloaded using link preload"]
        for words in page.said:
            check(any(allowed in words for allowed in may_say), f"{where}: the console says {words}")
        for address in page.asked:
            check(address.startswith((base, "about:blank", "data:", "blob:")), f"{where}: asks for {address}")
        check(page.evaluate("window.hacked") is None, f"{where}: something hostile was run")
    finally:
        context.close()


# From the disk, where the invented days lack some files.
viewed = functools.partial(opened, may_say=["ERR_FILE_NOT_FOUND"])


@contextlib.contextmanager
def scrolled_wall(browser, base, size, name):
    """The wall of a month, scrolled to 900."""
    with viewed(browser, base, "2026-10", size, name=name) as page:
        until(page, "current?.tiles.size > 20")
        page.evaluate("scrollTo(0, 900)")
        page.wait_for_timeout(400)
        yield page


def visit(page, base, place=""):
    """Nothing is left of the view before."""
    page.goto("about:blank")
    page.goto(f"{base}index.html#{place}")


def until(page, script, value=None, what=None, limit=60):
    """Waits for a script's true value. `what`: said if it does not come."""
    what = what or script
    # The page's policy forbids to evaluate words, not to call functions.
    if "=>" not in script.split("(")[0] and not script.startswith("("):
        script = f"() => ({script})"
    try:
        return page.wait_for_function(script, arg=value, timeout=limit * 1000, polling=30).json_value()
    except Error:
        seen = page.evaluate("[location.hash, document.querySelector('dialog[open]')?.innerText ?? document.body.innerText]")
        check(False, f"{what}: it does not come to that ({page.url[-60:]!r}: {seen[1][89:209]!r})")
        return None


def go(page, place):
    page.evaluate("place => { location.hash = place; }", place)


def protocol(page):
    """Chromium's own words, for fingers and memory."""
    return page.context.new_cdp_session(page)


def memory(page):
    """MB of the script's heap, and the number of nodes, of what is still in use."""
    session = protocol(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    numbers = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    return numbers["JSHeapUsedSize"] / 1e6, int(numbers["Nodes"])


class Fingers:
    """Touches as a screen tells of them."""

    def __init__(self, page):
        self.session = protocol(page)

    def put(self, kind, *points, time=None):
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]} | ({"timestamp": time} if time else {}))

    def move(self, start, end, steps=6):
        """Each of `start` and `end`: a point for each finger."""
        self.put("touchStart", *start)
        for step in range(1, steps + 1):
            self.put("touchMove", *[(a + (c - a) * step / steps, b + (d - b) * step / steps)
                                    for (a, b), (c, d) in zip(start, end)])
        self.put("touchEnd")

    def tap(self, x, y):
        self.put("touchStart", (x, y))
        self.put("touchEnd")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    # A browser asks for many files at once: where the queue is full, it waits for seconds.
    request_queue_size = 100


def served(handler):
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


class Nginx:
    """Debian's, with a configuration of its own; Python's server where it is missing."""

    def __init__(self, root):
        self.root = root
        there = [shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin"),
                 os.path.join(HERE, "../../../.build/benchmarks/nginx/usr/sbin/nginx")]
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
                        image/jpeg jpg; image/png png; video/mp4 mp4; video/webm webm; application/json json;
                        application/atom+xml xml; }}
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
