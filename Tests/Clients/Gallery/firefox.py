"""The basic views in Debian's Firefox, which is spoken to by WebDriver BiDi."""
import contextlib
import itertools
import json
import re
import subprocess
import tempfile
import time

from browser import LOOK, Nginx, check, visit
from views import table


class Firefox:
    """A window of its own, with a profile of its own. What its console says is kept in `said`."""

    def __init__(self, size=(1280, 800)):
        from websockets.sync.client import connect
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        log = f"{self.profile.name}/log"
        with open(log, "wb") as said:
            self.process = subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", self.profile.name],
                env={"HOME": self.profile.name, "PATH": "/usr/bin:/bin", "TZ": "UTC"}, stdout=said, stderr=said)
        try:
            self.socket = connect(f"{listening(log)}/session", max_size=None)
        except Exception:
            self.process.kill()
            raise
        self.numbers, self.said = itertools.count(1), []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": size[0], "height": size[1]})
        self.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {LOOK} }}")

    def ask(self, method, **values):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": values}))
        while True:
            answer = json.loads(self.socket.recv(timeout=30))
            if answer.get("method") == "log.entryAdded":
                entry = answer["params"]
                self.said.append(f"{entry['level']}: {(entry['text'] or '')[:200]}")
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(f"Firefox says: {answer['error']}: {answer['message'][:200]}")
                return answer["result"]

    def goto(self, address):
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="interactive")

    def evaluate(self, script, value=""):
        answer = self.ask("script.callFunction", target={"context": self.window}, awaitPromise=True,
                          functionDeclaration=f"value => ({script})", arguments=[{"type": "string", "value": value}])
        check(answer["type"] == "success", f"{script!r}: {answer.get('exceptionDetails', {}).get('text')}")
        return answer.get("result", {}).get("value")

    def until(self, script, value, words):
        end = time.monotonic() + 60
        while not self.evaluate(script, value):
            if time.monotonic() > end:
                return check(False, f"Firefox: {words}: it does not come to that, at {self.evaluate('location.href')[-60:]!r}")
            time.sleep(0.03)

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("input.performActions", context=self.window, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def tap(self, selector):
        x, y = json.loads(self.evaluate("""(() => {
            const { left, top, width, height } = document.querySelector(value).getBoundingClientRect();
            return JSON.stringify([Math.round(left + width / 2), Math.round(top + height / 2)]);
        })()""", selector))
        actions = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.ask("input.performActions", context=self.window, actions=[{"type": "pointer", "id": "mouse", "actions": actions}])

    def close(self):
        with contextlib.suppress(Exception):
            self.ask("browser.close")
        self.process.wait(20)
        self.socket.close()
        self.profile.cleanup()


def listening(log):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with open(log, encoding="utf-8", errors="replace") as said:
            address = re.search(r"BiDi listening on (ws://[\w.:]+)", said.read())
        if address:
            return address[1]
        time.sleep(0.1)
    raise AssertionError("Firefox does not listen")


ENTER, ESCAPE, RIGHT = "\ue007", "\ue00c", "\ue014"


def firefox(mirror):
    for base, size in [(f"file://{mirror.root}/", (1280, 800)), (f"file://{mirror.root}/", (390, 844))]:
        with contextlib.closing(Firefox(size)) as page:
            views(page, base, mirror)
            ways(page, base)
    with Nginx(mirror.root) as base, contextlib.closing(Firefox()) as page:
        views(page, base, mirror)


def views(page, base, mirror):
    for place, words, dates in table(mirror):
        visit(page, base, place)
        for text in words:
            # A phone shows some of them below its window.
            page.until("eye.words(value) || innerWidth < 600 && eye.top().innerText.includes(value)", text, f"#{place}: {text!r} is seen")
        for date in dates:
            page.until("Boolean(eye.image(value))", date, f"#{place}: the picture of {date} is seen")
        check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"Firefox: #{place} is too wide")
        check(page.evaluate("window.hacked === undefined"), f"Firefox: #{place}: something hostile was run")
    for words in page.said:
        check("preload" in words, f"Firefox: the console says {words}")


def ways(page, base):
    """By the mouse and keys, as a person goes."""
    page.goto("about:blank")
    page.goto(f"{base}index.html")
    page.until("Boolean(document.querySelector('.hero img'))", "", "the newest picture")
    page.tap(".hero img")
    page.until("location.hash === '#2026-11-22'", "", "a tap leads to the day")
    page.press(ENTER)
    page.until("document.querySelector('#viewer').open", "", "Enter opens the viewer")
    page.press(RIGHT)
    page.until("location.hash.startsWith('#view/2026-11-2') && location.hash !== '#view/2026-11-22'", "", "→ leads on")
    page.press(ESCAPE)
    page.until("!document.querySelector('#viewer').open", "", "Escape leads back")
    page.evaluate("location.hash = '#2026-10'")
    page.until("eye.words(value)", "October 2026", "a month")
    page.tap(".wall h3 a[href='#2026-10']")
    page.until("document.querySelector('#calendar').open && Boolean(document.querySelector('#calendar a'))", "", "a month's calendar")
    page.press(ESCAPE)
    page.until("!document.querySelector('#calendar').open", "", "Escape closes it")
    page.press("/", *"lantern")
    page.until("eye.words(value)", "2 days with “lantern”", "what is typed is found")
    page.press(ESCAPE)
    page.until("location.hash === '#2026-10' && search.value === ''", "", "Escape leads back from a search")
    page.press("s")
    page.until("document.querySelector('#slideshow').open && Boolean(document.querySelector('#slideshow img'))", "", "s shows slides")
    page.press(ESCAPE)
    page.until("!document.querySelector('#slideshow').open", "", "Escape ends them")
