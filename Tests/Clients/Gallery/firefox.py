# The basic views in Debian's Firefox, which is spoken to by WebDriver BiDi.
import contextlib
import itertools
import json
import re
import subprocess
import tempfile
import time

import walk
from browser import LOOK, check, served, visit, within
from play import rows, scripted


class Firefox:
    # A window of its own, with a profile of its own. What its console says is kept in `said`.

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

    def goto(self, address, **_):
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="interactive")

    def evaluate(self, script, value=""):
        answer = self.ask("script.callFunction", target={"context": self.window}, awaitPromise=True,
                          functionDeclaration=within(script), arguments=[{"type": "string", "value": value}])
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


KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "→": "\ue014"}

# By the mouse and keys, as a person goes.
WAYS = """
ways  -
    tap .hero img                #2026-11-22
    Enter                        viewer.open
    →                            location.hash.startsWith('#view/2026-11-2') && location.hash !== '#view/2026-11-22'
    Escape                       !viewer.open
    go 2026-10                   'October 2026'
    tap .wall [href="#2026-10"]  document.querySelector('#calendar[open] a')
    Escape                       !document.querySelector('#calendar').open
    go search/lantern            '2 pictures with “lantern”'
    s                            viewer.open && one('.here img')
    Escape                       !viewer.open
"""


def firefox(mirror):
    disk = f"file://{mirror.root}/"
    for base, size in [(disk, (1280, 800)), (disk, (390, 844)), (served(mirror.root), (1280, 800))]:
        with contextlib.closing(Firefox(size)) as page:
            views(page, base)
            ways(page, base)


def views(page, base):
    for place, conditions in walk.rows():
        visit(page, base, place)
        for condition in conditions:
            # A phone shows some of them below its window.
            page.until(scripted(condition) if condition.startswith("picture ")
                       else "words(value) || innerWidth < 600 && top().innerText.includes(value)", condition, f"#{place}: {condition}")
        check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"Firefox: #{place} is too wide")
        check(page.evaluate("window.hacked === undefined"), f"Firefox: #{place}: something hostile was run")
    for words in page.said:
        check("preload" in words, f"Firefox: the console says {words}")


def ways(page, base):
    visit(page, base)
    page.until("one('.hero img')", "", "the newest picture")
    for _, steps in rows(WAYS):
        for action, condition in steps:
            verb, _, words = action.partition(" ")
            if verb == "go":
                page.evaluate("location.hash = value", words)
            elif verb == "tap":
                page.tap(words)
            else:
                page.press(*(KEYS.get(key, key) for key in action.split()))
            page.until(scripted(condition), "", f"after {action!r}: {condition}")
