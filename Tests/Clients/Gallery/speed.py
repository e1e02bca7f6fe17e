# How fast it is: a row a line, as `NAME|UNIT|VALUE|GOAL`. All days of the mirror are looked at, from the disk.
import datetime
import gzip
import os
import statistics
import sys
from os.path import getsize

from browser import memory, opened, until

# What is painted, and when: the first words, and the newest picture, whole.
PAINT = """
window.painted = {};
new PerformanceObserver(list => { for (const entry of list.getEntries())
    if (entry.name === 'first-contentful-paint') painted.first = entry.startTime; }).observe({ type: 'paint', buffered: true });
new PerformanceObserver(list => { for (const entry of list.getEntries()) {
    if (entry.element?.tagName === 'IMG' && !painted.picture) painted.picture = entry.startTime; }
}).observe({ type: 'largest-contentful-paint', buffered: true });
window.long = [];
new PerformanceObserver(list => { for (const entry of list.getEntries()) long.push(entry.duration); })
    .observe({ type: 'longtask', buffered: true });
"""

# From a letter until what it finds is painted.
TYPED = """text => new Promise(done => {
    const field = document.getElementById('search');
    const channel = new MessageChannel();
    field.value = text;
    const start = performance.now();
    channel.port1.onmessage = () => done(performance.now() - start);
    const wait = () => requestAnimationFrame(() => IS_THERE ? channel.port2.postMessage(0) : wait());
    field.dispatchEvent(new Event('input', { bubbles: true }));
    wait();
})"""

ALL_YEARS = "apod.years.size >= document.querySelectorAll('#years a').length - 1"

# Scrolls to the end, a part of the window a frame. Notes how long a tile that is seen has neither picture nor color,
# how many tiles there are at once, and the days that are met.
SCROLL = """step => new Promise(done => {
    const [since, met] = [new Map(), new Set()];
    let [longest, most, frames] = [0, 0, 0];
    const isBlank = tile => {
        const image = tile.querySelector('img');
        return image && !(image.complete && image.naturalWidth) && !image.parentElement.style.background;
    };
    const next = () => {
        const now = performance.now();
        const tiles = eye.tiles();
        const blank = tiles.filter(isBlank).map(tile => tile.dataset.date);
        // The window itself may be blank, where no tile is made yet.
        if (!tiles.length && scrollY > innerHeight * 2) blank.push('all');
        for (const date of [...since.keys()]) if (!blank.includes(date)) since.delete(date);
        for (const date of blank) {
            if (!since.has(date)) since.set(date, now);
            longest = Math.max(longest, now - since.get(date));
        }
        frames += 1;
        const all = document.querySelectorAll('.wall li');
        for (const tile of all) met.add(tile.dataset.date);
        most = Math.max(most, all.length);
        if (frames > 3000 || scrollY + innerHeight >= document.documentElement.scrollHeight - 2) return done([longest, most, frames, met.size]);
        scrollBy(0, step);
        requestAnimationFrame(next);
    };
    next();
})"""


def typed(page, text, is_there):
    # Fast fingers make ten letters a second.
    page.wait_for_timeout(100)
    return page.evaluate(TYPED.replace("IS_THERE", is_there), text)


def row(name, unit, value, goal):
    print(f"{name}|{unit}|{value:.1f}|{goal}", flush=True)


def median(values):
    return statistics.median(values)


def speed(launch, base, root, times):
    painting(launch, base, times)
    with launch() as browser:
        searching(browser, base, times)
        scrolling(browser, base)
        stepping(browser, base)
    for what, names, goal, packed in [("the first page's script and style", ["gallery.js", "gallery.css"], 56, 18),
                                      ("the viewer's script", ["viewer.js"], 18, 6)]:
        files = [contents(f"{root}/gallery/{name}") for name in names]
        row(f"{what}, as it lies", "KB", sum(map(len, files)) / 1000, goal)
        row(f"{what}, compressed", "KB", sum(len(gzip.compress(file)) for file in files) / 1000, packed)
    data = f"{root}/gallery/data"
    size = sum(getsize(f"{data}/{name}") for name in os.listdir(data) if name.endswith("-search.js"))
    if size:
        row("search data as it lies", "MB", size / 1e6, 8)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def painting(launch, base, rounds):
    # Of programs that know nothing yet.
    first, picture = [], []
    for _ in range(rounds):
        with launch() as browser:
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.add_init_script(PAINT)
            page = context.new_page()
            page.goto(base + "index.html")
            if not until(page, "painted.first && painted.picture", what="the newest picture"):
                return
            page.wait_for_timeout(500)
            first.append(page.evaluate("painted.first"))
            picture.append(page.evaluate("painted.picture"))
    row("home, first paint", "ms", median(first), 150)
    row("home, newest picture painted", "ms", median(picture), 300)


def searching(browser, base, rounds):
    times = []
    for _ in range(rounds):
        with opened(browser, base, size=(1440, 900)) as page:
            until(page, ALL_YEARS, limit=20)
            page.focus("#search")
            # Before any text has come.
            times.append(typed(page, "comet", "document.querySelector('.list li')"))
    row("a word's first answers", "ms", median(times), 60)
    with opened(browser, base, size=(1440, 900)) as page:
        until(page, ALL_YEARS, limit=20)
        page.evaluate("load('search').then(() => loadAllTexts())")
        times = []
        for word in ["galaxy", "moon", "n", "ne", "neb", "nebula", "red comet", "of the", "saturn and", "eclipse"]:
            times.append(typed(page, word, f"document.querySelector('.progress')?.textContent.includes('“{word}”')"))
        row("a word's answers, all texts there", "ms", median(times), 60)
        row("a word's answers, the slowest", "ms", max(times), 60)
        days = [datetime.date.fromisoformat(day) for day in page.evaluate("allDays().map(day => day.date)")]
        days = [days[len(days) * part // 4] for part in (1, 2, 3)]
        times = [typed(page, words, f"document.querySelector('main time')?.dateTime === '{day}'")
                 for day, words in zip(days, [f"{days[0]}", f"{days[1].day} {days[1]:%b %Y}", f"{days[2]:%y%m%d}"])]
        row("a date's day", "ms", median(times), 20)


def scrolling(browser, base):
    # All years of the wall: slowly enough for a person who turns a wheel without end, then by leaps.
    for name, step in [("31 years by the wheel", 400), ("31 years by the scrubber", 5000)]:
        with opened(browser, base, size=(1440, 900)) as page:
            until(page, f"{ALL_YEARS} && current.days.length >= allDays().length - 1", limit=20)
            page.wait_for_timeout(500)
            page.evaluate(PAINT)
            page.evaluate("long.length = 0")
            longest, most, frames, _ = page.evaluate(SCROLL, step)
            long = page.evaluate("long")
            heap, nodes = memory(page)
            row(f"{name}: longest task", "ms", max(long, default=0), 50)
            row(f"{name}: longest blank", "ms", longest, 100)
            row(f"{name}: most tiles at once", "tiles", most, 1000)
            row(f"{name}: heap", "MB", heap, 200)
            print(f"# {name}: {frames} frames, {nodes} nodes, {len(long)} tasks over 50 ms: {[round(x) for x in long[:8]]}", file=sys.stderr)
            row(f"{name}: renderer", "MB", renderer(page), 200)


def renderer(page):
    # Resident memory of the process that draws the page: what it has for itself.
    session = page.context.browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            with open(f"/proc/{process['id']}/status", encoding="utf-8") as file:
                sizes.append(sum(int(line.split()[1]) for line in file if line.startswith("RssAnon")) / 1000)
    return max(sizes, default=0)


def stepping(browser, base):
    # The next day in the viewer, when it is loaded ahead.
    with opened(browser, base, size=(1440, 900)) as page:
        until(page, ALL_YEARS, limit=20)
        days = page.evaluate("allDays().filter(day => canBeSeen(day) && !day.video).slice(0, 12).map(day => day.date)")
        page.evaluate("date => { location.hash = `view/${date}`; }", days[0])
        times = []
        for _ in range(8):
            until(page, "eye.image(location.hash.slice(6, 16))")
            page.wait_for_timeout(400)
            times.append(page.evaluate("""() => new Promise(done => {
                const start = performance.now();
                document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
                const wait = () => requestAnimationFrame(() => {
                    const image = document.querySelector('#viewer img');
                    if (image?.complete && image.naturalWidth && image.currentSrc.includes(location.hash.slice(6, 16)))
                        image.decode().then(() => done(performance.now() - start));
                    else wait();
                });
                wait();
            })"""))
    row("next day in the viewer, loaded ahead", "ms", median(times), 50)
