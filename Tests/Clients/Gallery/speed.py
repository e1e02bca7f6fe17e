# How fast it is: a row a line, as `NAME|UNIT|VALUE|GOAL`. All days of the mirror are looked at, from the disk.
import gzip
import pathlib
from statistics import median

from browser import opened, until

# When the first words and the newest picture are painted, and how long tasks take.
PAINT = """
window.painted = {};
window.long = [];
for (const [type, note] of Object.entries({
    'paint': one => { if (one.name === 'first-contentful-paint') painted.first = one.startTime; },
    'largest-contentful-paint': one => { if (one.element?.tagName === 'IMG') painted.picture ??= one.startTime; },
    'longtask': one => long.push(one.duration),
})) new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true });
"""

# From `act` until what IS_THERE says is painted.
TIMED = """text => new Promise(done => {
    const channel = new MessageChannel();
    const start = performance.now();
    channel.port1.onmessage = () => done(performance.now() - start);
    const wait = () => requestAnimationFrame(() => IS_THERE ? channel.port2.postMessage(0) : wait());
    ACT;
    wait();
})"""
TYPE = "eye.find('#search').value = text, eye.find('#search').dispatchEvent(new Event('input', { bubbles: true }))"
ALL_YEARS = "apod.years.size >= document.querySelectorAll('#years a').length - 1 && current.days.length >= allDays().length - 1"

# Scrolls to the end, a part of the window a frame. Notes how long a tile that is seen has neither picture nor color,
# how many tiles there are at once, and the days that are met.
SCROLL = """step => new Promise(done => {
    const [since, met] = [new Map(), new Set()];
    let [longest, most, frames] = [0, 0, 0];
    const isBlank = tile => {
        const image = tile.querySelector('img');
        return image && !(image.complete && image.naturalWidth) && !image.parentElement.style.background;
    };
    const next = now => {
        const tiles = eye.tiles(), all = document.querySelectorAll('.wall li');
        const blank = tiles.filter(isBlank).map(tile => tile.dataset.date);
        // The window itself may be blank, where no tile is made yet.
        if (!tiles.length && scrollY > innerHeight * 2) blank.push('all');
        for (const date of [...since.keys()]) if (!blank.includes(date)) since.delete(date);
        for (const date of blank) {
            if (!since.has(date)) since.set(date, now);
            longest = Math.max(longest, now - since.get(date));
        }
        for (const tile of all) met.add(tile.dataset.date);
        most = Math.max(most, all.length);
        if (frames++ > 3000 || scrollY + innerHeight >= document.documentElement.scrollHeight - 2) return done([longest, most, met.size]);
        scrollBy(0, step);
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
})"""


def timed(page, act, is_there, text=""):
    # Fast fingers make ten letters a second.
    page.wait_for_timeout(100)
    return page.evaluate(TIMED.replace("IS_THERE", is_there).replace("ACT", act), text)


def row(name, unit, value, goal):
    print(f"{name}|{unit}|{value:.1f}|{goal}", flush=True)


def speed(launch, base, root, times):
    painting(launch, base, times)
    with launch() as browser:
        searching(browser, base)
        scrolling(browser, base)
    gallery = pathlib.Path(root) / "gallery"
    for what, names, goal, packed in [("the first page's script and style", ["gallery.js", "gallery.css"], 56, 18),
                                      ("the viewer's script", ["viewer.js"], 18, 6)]:
        files = [(gallery / name).read_bytes() for name in names]
        row(f"{what}, as it lies", "KB", sum(map(len, files)) / 1000, goal)
        row(f"{what}, compressed", "KB", sum(len(gzip.compress(file)) for file in files) / 1000, packed)


def painting(launch, base, rounds):
    # Of programs that know nothing yet.
    times = []
    for _ in range(rounds):
        with launch() as browser, opened(browser, base, size=(1440, 900), script=PAINT) as page:
            if not until(page, "painted.first && painted.picture", what="the newest picture"):
                return
            page.wait_for_timeout(500)
            times.append(page.evaluate("[painted.first, painted.picture]"))
    for name, goal, found in zip(["first paint", "newest picture painted"], [150, 300], zip(*times)):
        row(f"home, {name}", "ms", median(found), goal)


def at_home(browser, base):
    return opened(browser, base, size=(1440, 900), script=PAINT)


def searching(browser, base):
    with at_home(browser, base) as page:
        until(page, ALL_YEARS, limit=20)
        page.focus("#search")
        page.evaluate("Promise.resolve(load('page')).then(() => loadAllTexts())")
        words = ["galaxy", "moon", "n", "ne", "neb", "nebula", "red comet", "of the", "saturn and", "eclipse"]
        times = [timed(page, TYPE, f"document.querySelector('.progress')?.textContent.includes('“{word}”')", word) for word in words]
        row("a word's answers, all texts there", "ms", median(times), 60)


def scrolling(browser, base):
    # All years of the wall: slowly enough for a person who turns a wheel without end, then by leaps.
    for name, step in [("31 years by the wheel", 400), ("31 years by the scrubber", 5000)]:
        with at_home(browser, base) as page:
            until(page, ALL_YEARS, limit=20)
            page.wait_for_timeout(500)
            page.evaluate("long.length = 0")
            longest = page.evaluate(SCROLL, step)[0]
            row(f"{name}: longest task", "ms", page.evaluate("Math.max(0, ...long)"), 50)
            row(f"{name}: longest blank", "ms", longest, 100)
            row(f"{name}: heap", "MB", page.evaluate("(gc(), performance.memory.usedJSHeapSize / 1e6)"), 200)
