# Plays the table of gestures: what is done, at which size, and what must then hold.
import re
import time

from browser import Fingers, attempt, check, go, opened, until, visit, within

# How long a condition is waited for: a busy machine takes its time.
PATIENCE = 120
PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}
# The sizes and kinds of windows. `served`: as where the mirror itself serves the page and hearts make favorites.
WINDOWS = {
    "desk": {}, "phone": PHONE, "low": PHONE | {"size": (844, 390)}, "narrow": {"size": (390, 844)}, "laptop": {"size": (1024, 768)},
    "calm": {"reduced_motion": "reduce"}, "november": {"now": "2026-11-20T12:00:00"}, "fine": {"device_scale_factor": 2}, "light": {"color_scheme": "light"},
    "large": {"script": "document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; });"},
    "served": {"script": """window.EventSource = class {
        constructor() { setTimeout(() => this.onmessage?.({ data: JSON.stringify({ hearts: true, days: 1, favorites: 1 }) }), 50); }
        close() {}
    };"""},
}
# Time runs faster; what is painted and decoded keeps its own. `shown`: the days of a slideshow.
WINDOWS["fast"] = {"script": """{
    const [wait, now, start] = [window.setTimeout.bind(window), Date.now.bind(Date), Date.now()];
    Object.assign(window, { pace: 1000, shown: [], times: [] });
    window.setTimeout = (act, time = 0, ...values) => wait(act, time > 300 ? time / pace : time, ...values);
    Date.now = () => start + (now() - start) * pace;
    if (location.href !== 'about:blank') addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        const day = document.querySelector('dialog[open] p time')?.dateTime;
        if (day && day !== shown.at(-1)) shown.push(day);
        times.push(performance.now());
    }).observe(document.querySelector('#viewer .name'), { childList: true }));
}"""}

# What hands do that only a page can tell of, at times of its own, however busy the machine is. Two fingers on a trackpad: an event
# in 16 ms with its distances; a Mac's are whole, and tell of three times them.
HANDS = """
let time = 1e6;
const tell = (event, later) => {
    Object.defineProperty(event, 'timeStamp', { value: time += later });
    eye.one('.field').dispatchEvent(event);
};
Object.assign(eye, {
    async roll(ways, times = 1, ctrlKey = false) {
        time += 500;
        for (const [deltaX, deltaY] of ways) {
            tell(new WheelEvent('wheel', { deltaX, deltaY, wheelDeltaX: Math.trunc(-times * deltaX), wheelDeltaY: Math.trunc(-times * deltaY),
                ctrlKey, clientX: innerWidth / 2, clientY: innerHeight / 2, cancelable: true }), 16);
            await new Promise(requestAnimationFrame);
        }
    },
    // Faster for some events, and then by itself, ever slower.
    rolling: (way, most = 40) => [2.25, 9.5, 31.75, ...Array.from({ length: most }, (_, step) => 60 * .93 ** step)].map(by => [Math.round(by * way * 4) / 4, .25]),
    twice(clientX, clientY) {
        eye.one('.field').setPointerCapture = () => {};
        for (const pointerId of [71, 72]) for (const name of ['pointerdown', 'pointerup'])
            tell(new PointerEvent(name, { clientX, clientY, pointerId, pointerType: 'touch', cancelable: true, isPrimary: true }), 50);
    },
});
"""


class Hand:
    # Each method is a verb of the table; its words are places in the page, or a name.

    def __init__(self, page, base, is_touch):
        self.page, self.base, self.is_touch, self.fingers, self.held = page, base, is_touch, Fingers(page), {}

    def act(self, action):
        action, _, times = action.partition(" × ")
        verb, _, words = action.partition(" ")
        for _ in range(int(times or 1)):
            if verb.startswith("_") or not hasattr(self, verb):
                for key in action.split():
                    self.page.keyboard.press({"→": "ArrowRight", "←": "ArrowLeft", "↓": "ArrowDown", "space": " "}.get(key, key))
            elif verb in ("tap", "flick", "swipe", "pull", "draw", "lift", "drag", "hover", "wheel", "pinch"):
                getattr(self, verb)(*self.page.evaluate(within(f"[{words}]")))
            else:
                getattr(self, verb)(words)

    def see(self, _):
        pass

    def touch(self, what, **place):
        (what.tap if self.is_touch else what.click)(**place)

    def press(self, name):
        top = self.page.locator("dialog[open]" if self.page.evaluate("eye.top().matches('dialog')") else "body")
        button, link = (top.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
        self.touch(button.or_(link).locator("visible=true").first)

    def at(self, what):
        self.touch(self.page.locator(what).locator("visible=true").first)

    # A picture's, away from what lies over its middle.
    def corner(self, what):
        self.touch(self.page.locator(what).first, position={"x": 30, "y": 30})

    def tap(self, x, y):
        self.swipe(x, y, x, y, 0) if self.is_touch else self.page.mouse.click(x, y)

    def draw(self, x, y, to_x, to_y, steps=6, **more):
        self.fingers.draw([(x, y)], [(to_x, to_y)], steps, **more)

    def lift(self, *place):
        if place:
            self.fingers.put("touchMove", place)
        self.fingers.lift()

    def swipe(self, *way):
        self.draw(*way)
        self.lift()

    # Slowly, and resting at the end.
    def pull(self, *way):
        self.draw(*way, 4, pause=50)
        self.page.wait_for_timeout(150)
        self.lift()

    # In a tenth of a second, by the time that it tells, however busy the machine is.
    def flick(self, *way):
        now = time.time()
        self.draw(*way, pause=10, times=[now + step / 60 for step in range(7)])
        self.fingers.lift(now + .11)

    def pinch(self, *ends):
        self.fingers.draw(*([(195 - apart / 2, 400), (195 + apart / 2, 400)] for apart in ends))
        self.lift()

    def hover(self, x, y):
        self.page.mouse.move(x, y)

    def drag(self, x, y, to_x, to_y):
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(to_x, to_y, steps=5)
        self.page.wait_for_timeout(200)
        mouse.up()

    def wheel(self, x, y, by):
        self.page.mouse.move(x, y)
        self.page.mouse.wheel(0, by)

    def type(self, text):
        self.page.keyboard.type(text)

    def fill(self, text):
        self.page.fill("#search", text)

    # An option of the menu in the dialog.
    def choose(self, words):
        self.page.locator("dialog[open] select").select_option(words)

    def back(self, _):
        self.page.go_back()

    def go(self, place):
        go(self.page, place)

    def visit(self, place):
        visit(self.page, self.base, place)

    def reload(self, _):
        self.page.reload()

    def run(self, script):
        self.page.evaluate(f"async () => {{ with (eye) {{ {script} }} }}")

    def keep(self, words):
        # NAME = VALUE, for conditions that follow.
        self.settle()
        self.run(f"eye.{words}")

    # What matches does not come until `free` or `lose` of the same.
    def hold(self, pattern):
        self.page.route(pattern, lambda route: self.held.setdefault(pattern, []).append(route))

    def free(self, pattern):
        for route in self.held.pop(pattern, []):
            route.continue_()
        self.page.unroute(pattern)

    def lose(self, pattern):
        self.page.route(pattern, lambda route: route.abort())
        for route in self.held.pop(pattern, []):
            route.abort()

    def settle(self):
        # Until nothing glides or grows any more, and what would come late has come.
        until(self.page, "!isMoving()")
        self.page.wait_for_timeout(300)

    def holds(self, condition):
        # #ADDRESS, `picture DATE`, 'WORDS', `unasked WORDS` in an address, or a script; after `still`, when nothing moves.
        limit = PATIENCE
        if condition.startswith("still "):
            self.settle()
            condition, limit = condition[6:], 5
        if condition.startswith("unasked "):
            return not any(condition[8:] in address for address in self.page.asked)
        return until(self.page, scripted(condition), limit=limit)


def scripted(condition):
    if condition.startswith("#"):
        return f"decodeURIComponent(location.hash) === {condition!r}"
    if condition.startswith("picture "):
        return f"image({condition[8:]!r})"
    return f"words({condition})" if condition.startswith("'") else condition


def rows(text):
    # Rows of a table: a name, the windows, and the place that is opened; below, actions and conditions, in columns.
    for block in re.split(r"\n(?=\S)", text.strip()):
        head, *steps = block.splitlines()
        yield re.split(r"  +", head) + [""] * (head.count("  ") < 2), [re.split(r"  +", step.strip()) for step in steps]


def play(browser, base, text, names=("",)):
    # Rows whose names begin so.
    for (name, windows, place, *_), steps in rows(text):
        for window in windows.split(", ") if name.startswith(names) else []:
            attempt(f"{name}, {window}", play_row, browser, base, f"{name}, {window}", window, place, steps)


def play_row(browser, base, where, window, place, steps):
    options = {"may_say": ["ERR_FAILED", "unexpected token"], "script": ""}
    for name in window.split():
        options |= WINDOWS[name] | {"script": options["script"] + WINDOWS[name].get("script", "")}
    with opened(browser, base, place, **options | {"script": options["script"] + HANDS}) as page:
        until(page, "isDone()", what=where)
        if "served" in window:
            page.evaluate("load('served')")
            until(page, "one('.heart.tool')", what=where)
        take(Hand(page, base, "has_touch" in options), steps, where)


def take(hand, steps, where):
    for action, *conditions in steps:
        hand.act(action)
        for condition in conditions:
            if not check(hand.holds(condition), f"{where}: after {action!r}, it is not so: {condition}"):
                return
