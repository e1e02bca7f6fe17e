"""A slideshow of 2,000 pictures, on a clock that runs fast: memory and page stay even, and new days join in."""
import contextlib
import datetime
import os
import tempfile

from browser import Fingers, check, memory, protocol, until, viewed, visit
from invented import Invented, png
from speed import renderer

# Time runs faster; what is painted and decoded keeps its own.
FAST = """{
    const [wait, now, start] = [window.setTimeout.bind(window), Date.now.bind(Date), Date.now()];
    window.pace = 1000;
    window.setTimeout = (act, time = 0, ...values) => wait(act, time > 300 ? time / pace : time, ...values);
    Date.now = () => start + (now() - start) * pace;
    window.days = [];
    window.times = [];
    // A blank page comes before the gallery's.
    if (location.href !== 'about:blank') addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        const day = document.querySelector('dialog[open] p time')?.dateTime;
        if (day && day !== days.at(-1)) days.push(day);
        if (days.length > 3000) days.splice(0, 1000);
        window.count = (window.count ?? 0) + 1;
        times.push(performance.now());
    }).observe(document.querySelector('#viewer .name p'), { childList: true }));
}"""


def slides(browser, base, mirror):
    for task in [order, pairs, leaves, begins, swipes, joins, tablet, week]:
        task(browser, base, mirror)


@contextlib.contextmanager
def fast(browser, base, place, name):
    """A page whose slideshow runs fast from its first slide on."""
    with viewed(browser, base, "2026-11-22", name=name) as page:
        page.add_init_script(FAST)
        visit(page, base, place)
        yield page


def order(browser, base, _):
    """The album's days, newest first, and the first again."""
    with fast(browser, base, "slideshow=favorites/Comets,5", "the order of slides") as page:
        until(page, "days.length >= 7", limit=30, what="slides of an album")
        seen = page.evaluate("days.slice(0, 7)")
        album = ["2026-11-17", "2026-11-14", "2024-02-29"]
        check(seen == (album * 3)[:7], f"an album is shown as {seen}")
        until(page, "document.querySelectorAll('dialog[open] img').length <= 3", what="old slides go")


def pairs(browser, base, _):
    """A day's pictures come one after the other, forwards and back."""
    with viewed(browser, base, "2026-10-29", name="a day's pictures in a slideshow") as page:
        until(page, "eye.image('2026-10-29')")
        page.keyboard.press("s")
        until(page, "Boolean(document.querySelector('dialog[open] time'))", what="s")
        page.keyboard.press(" ")
        shown = "([date, isOther]) => document.querySelector('dialog[open] time').dateTime === date" \
            " && document.querySelector('.here .shown').src.includes('(2)') === isOther"
        for key, date, is_other in [("", "29", False), ("Right", "29", True), ("Right", "28", False), ("Right", "28", True),
                                    ("Right", "27", False), ("Left", "28", True), ("Left", "28", False), ("Left", "29", True)]:
            if key:
                page.keyboard.press(f"Arrow{key}")
            until(page, shown, [f"2026-10-{date}", is_other], f"the slide of {date} October, {'the other' if is_other else 'the first'} picture")


def leaves(browser, base, _):
    with viewed(browser, base, "favorites/Comets", name="a slideshow's keys") as page:
        until(page, "eye.tile('2026-11-14')")
        page.keyboard.press("s")
        until(page, "location.hash.startsWith('#slideshow=favorites/Comets,') && Boolean(document.querySelector('dialog[open] time'))", what="s")
        page.keyboard.press(" ")
        until(page, "document.querySelector('#viewer .play').title === 'Go on'", what="a pause")
        page.keyboard.press("ArrowRight")
        until(page, "Boolean(eye.image('2026-11-14'))", what="the next slide by a key")
        page.keyboard.press("ArrowLeft")
        until(page, "Boolean(eye.image('2026-11-17'))", what="the slide before by a key")
        page.keyboard.press(" ")
        until(page, "document.querySelector('#viewer .play').title === 'Pause' && Boolean(eye.image('2026-11-14'))", what="a slideshow that goes on")
        page.get_by_label("Time for each picture").select_option("60")
        until(page, "location.hash.endsWith(',60')", what="the time that is chosen")
        page.wait_for_timeout(500)
        check(page.evaluate("document.querySelector('dialog[open] time').dateTime") == "2026-11-14", "another time changes the picture")
        page.keyboard.press("Escape")
        until(page, "location.hash === '#favorites/Comets' && !document.querySelector('dialog[open]')", what="out of a slideshow")
        check(page.evaluate("document.querySelectorAll('#viewer img').length") == 0, "a slideshow that ended keeps pictures")


def begins(browser, base, _):
    """With the day from whose page it is begun. The first tap shows the buttons, and presses none."""
    with viewed(browser, base, "2026-11-14/favorites/Comets", name="a slideshow of a day", size=(800, 600), has_touch=True,
                is_mobile=True) as page:
        page.get_by_role("button", name="More").tap()
        page.get_by_role("button", name="Slideshow").tap()
        until(page, "document.querySelector('dialog[open] time')?.dateTime === '2026-11-14'", what="the day itself, first")
        until(page, "document.querySelector('#viewer.bare')", what="no buttons")
        box = page.evaluate("document.querySelector('#viewer .close').getBoundingClientRect().toJSON()")
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(*at)
        until(page, "document.querySelector('#viewer:not(.bare)')", what="buttons by a tap")
        check(page.evaluate("document.querySelector('#viewer').open"), "a tap presses a button that is not seen")
        page.touchscreen.tap(*at)
        until(page, "location.hash === '#2026-11-14/favorites/Comets' && !document.querySelector('dialog[open]')", what="out by a tap")


def swipes(browser, base, _):
    """To the next slide and the one before, and down to leave."""
    with viewed(browser, base, "slideshow=favorites/Comets,60", name="swipes in a slideshow", size=(390, 844), has_touch=True,
                is_mobile=True) as page:
        fingers = Fingers(page)
        for start, end, date in [(300, 80, "2026-11-14"), (80, 300, "2026-11-17")]:
            until(page, "document.querySelector('dialog[open] img')")
            fingers.move([(start, 400)], [(end, 400)])
            until(page, "date => document.querySelector('dialog[open] time').dateTime === date", date, f"a swipe to {date}")
        fingers.move([(200, 300)], [(200, 600)])
        until(page, "location.hash === '#favorites/Comets' && !document.querySelector('dialog[open]')", what="out by a swipe down")


def joins(browser, base, mirror):
    """An hour later, by its own clock, a day that was written meanwhile is shown. Its year's texts are found, old and new."""
    date, lines, texts = "2026-11-23", mirror.years[2026], mirror.texts[2026]
    line = {"date": date, "title": "Joined In", "stem": f"{date} Joined In", "image": "png", "width": 1600, "height": 1200,
            "bytes": 400_000, "copies": 1}
    told = (f"Promise.resolve(load('data/2026-text')).then(() => load('search')).then(() => loadAllTexts()).then(() => ['2026-11-20', '{date}'].map("
            "date => Boolean(apod.days.get(date)?.words?.text)).concat(find('newcomer').length))")
    try:
        with fast(browser, base, "slideshow=2026-11,5", "a day that comes later") as page:
            until(page, "days.length > 3", what="slides of a month", limit=30)
            before = page.evaluate(told)
            mirror.write(f"gallery/2026/{date}-1280.jpg", png(1280, 960, "6b2424"))
            mirror.years[2026] = lines + [line]
            mirror.texts[2026] = texts | {date: texts["2026-11-20"] | {"text": ["A newcomer."]}}
            mirror.write_year(2026)
            until(page, f"days.includes('{date}')", what="a day that comes later joins the slideshow", limit=60)
            until(page, f"days.lastIndexOf('2026-11-17') > days.indexOf('{date}')", what="the others after it", limit=60)
            # No other hour begins meanwhile.
            page.evaluate("window.pace = 1")
            after = page.evaluate(told)
            check((before, after) == ([True, False, 0], [True, True, 1]), f"texts of a year that grew: {before}, then {after}")
            ways = page.evaluate(f"[neighbour('2026-11-22', 1), neighbour('{date}', -1), letter('{date}')]")
            check(ways == [date, "2026-11-22", "h"], f"the ways to a day that came later and back: {ways}")
    finally:
        mirror.years[2026], mirror.texts[2026] = lines, texts
        mirror.write_year(2026)


def tablet(browser, _, mirror):
    """An hour of an old tablet, whose processor is six times slower, over 2,000 pictures: a step each five seconds, 20 times as fast."""
    with tempfile.TemporaryDirectory() as folder:
        Invented(folder, mirror.page, first=datetime.date(2021, 5, 1))
        with viewed(browser, f"file://{folder}/", "2026-11-22", name="an old tablet", size=(1024, 768), has_touch=True) as page:
            page.add_init_script(FAST + "pace = 20;")
            protocol(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
            visit(page, f"file://{folder}/", "slideshow=all,5")
            until(page, "window.count >= 100", what="100 slides of an old tablet", limit=120)
            first = [*memory(page), renderer(page)]
            until(page, "window.count >= 720", what="an hour of slides on an old tablet", limit=400)
            last = [*memory(page), renderer(page)]
            steps = page.evaluate("times.slice(1).map((time, index) => time - times[index] - 5000 / pace).sort((a, b) => a - b)")
            print(f"# an old tablet, {len(steps)} steps: half take {steps[len(steps) // 2]:.0f} ms until they are seen, the longest {steps[-1]:.0f}")
            check(os.getloadavg()[0] > os.cpu_count() or steps[-1] < 1000, f"an old tablet's step comes {steps[-1]:.0f} ms late")
            print(f"# an old tablet, slides 100 and 720: heap {first[0]:.1f} and {last[0]:.1f} MB, nodes {first[1]} and {last[1]}, "
                  f"all memory {first[2]:.0f} and {last[2]:.0f} MB")
            check(last[0] < first[0] + 3 and last[1] < first[1] + 300, "an old tablet's page grows")
            check(last[2] < first[2] + 40, "an old tablet keeps decoded pictures")


def week(browser, base, _):
    with fast(browser, base, "slideshow=all,5", "2,000 slides") as page:
        until(page, "window.count >= 200", what="200 slides", limit=120)
        first = memory(page)
        until(page, "window.count >= 2000", what="2,000 slides", limit=600)
        last = memory(page)
        check(last[0] < first[0] + 3, f"the heap grows from {first[0]:.1f} to {last[0]:.1f} MB")
        check(last[1] < first[1] + 300, f"nodes grow from {first[1]} to {last[1]}")
        check(page.evaluate("document.querySelectorAll('dialog[open] img').length") <= 4, "old slides stay")
        print(f"# slides: {first[0]:.1f} MB and {first[1]} nodes after 200, {last[0]:.1f} MB and {last[1]} after 2,000")
