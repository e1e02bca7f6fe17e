# The views in Debian's Firefox, by WebDriver BiDi, and the ways between them. What its page is asked for is called as
# Playwright's is, which cannot speak to this release.
import contextlib
import itertools
import json
import socket
import subprocess
import tempfile
import time

import walk
from browser import LOOK, Error, check, served, visit
from play import Hand, rows, take

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowRight": "\ue014"}
WAYS = """
ways  -
    see                            image('2026-11-22')
    run follow('.hero img')        #2026-11-22
    Enter                          viewer.open
    →                              location.hash.startsWith('#view/2026-11-2') && location.hash !== '#view/2026-11-22'
    Escape                         !viewer.open
    go 2026-10                     'October 2026'
    run follow('.wall [href="#2026-10"]')    document.querySelector('#calendar[open] a')
    Escape                         !document.querySelector('#calendar').open
    go search/lantern              '2 pictures with “lantern”'
    s                              viewer.open && one('.here img')
    Escape                         !viewer.open
"""


class Firefox:
    # A window and a profile of its own. What its console says is kept in `said`.
    def __init__(self, size):
        from websockets.sync.client import connect
        self.profile, self.keyboard = tempfile.TemporaryDirectory(ignore_cleanup_errors=True), self
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", f"{port}", "--profile", self.profile.name],
            env={"HOME": self.profile.name, "PATH": "/usr/bin:/bin", "TZ": "UTC"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.numbers, self.said, self.socket, end = itertools.count(1), [], None, time.monotonic() + 60
        while not self.socket and time.monotonic() < end:
            time.sleep(0.1)
            with contextlib.suppress(OSError):
                self.socket = connect(f"ws://127.0.0.1:{port}/session", max_size=None)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": size[0], "height": size[1]})
        self.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {LOOK} }}")

    def ask(self, method, **values):
        number, answer = next(self.numbers), {}
        self.socket.send(json.dumps({"id": number, "method": method, "params": values}))
        while answer.get("id") != number:
            answer = json.loads(self.socket.recv(timeout=60))
            if answer.get("method") == "log.entryAdded":
                self.said.append(f"{answer['params']['text']}"[:200])
        check("error" not in answer, f"Firefox: {method}: {answer.get('error')} {answer.get('message')}")
        return answer.get("result", {})

    def goto(self, address, **_):
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="interactive")

    def evaluate(self, script, value=None):
        answer = self.ask("script.callFunction", target={"context": self.window}, awaitPromise=True, functionDeclaration=f"""
            async text => {{ const made = ({script}); return JSON.stringify(await (made instanceof Function ? made(JSON.parse(text)) : made)); }}""",
                          arguments=[{"type": "string", "value": json.dumps(value)}])
        check(answer["type"] == "success", f"Firefox: {script!r}: {answer.get('exceptionDetails', {}).get('text')}")
        return json.loads(answer.get("result", {}).get("value", "null"))

    def wait_for_function(self, script, arg, timeout, polling):
        end = time.monotonic() + timeout / 1000
        while not self.evaluate(f"value => Boolean(({script})(value))", arg):
            if time.monotonic() > end:
                raise Error("it takes too long")
            self.wait_for_timeout(polling)

    def wait_for_timeout(self, time_in_ms):
        time.sleep(time_in_ms / 1000)

    def press(self, key):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
        self.ask("input.performActions", context=self.window, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def close(self):
        with contextlib.suppress(Exception):
            self.ask("browser.close")
        self.process.wait(20)
        self.profile.cleanup()


def firefox(mirror):
    (_, ways), = rows(WAYS)
    for base, width in [(f"file://{mirror.root}/", 1280), (f"file://{mirror.root}/", 390), (served(mirror.root), 1280)]:
        with contextlib.closing(Firefox((width, 800))) as page:
            for place, conditions in walk.rows():
                visit(page, base, place)
                walk.look(page, f"Firefox: #{place} of {base[:4]} at {width}", conditions, width < 1000, 1, width > 1000)
            visit(page, base)
            take(Hand(page, base, False), ways, "Firefox")
            for words in page.said:
                check("preload" in words, f"Firefox says {words}")
            check(page.evaluate("window.hacked === undefined"), "Firefox: something hostile was run")
