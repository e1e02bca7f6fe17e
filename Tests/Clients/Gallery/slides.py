# A slideshow on a clock that runs fast, which new days join.
from browser import check, opened, until
from invented import png
from play import WINDOWS


def joins(browser, base, mirror):
    # An hour later, by its own clock, a day that was written meanwhile is shown. Its year's texts are found, old and new.
    date, lines, texts = "2026-11-23", mirror.years[2026], mirror.texts[2026]
    line = {"date": date, "title": "Joined In", "stem": f"{date} Joined In", "image": "png", "width": 1600, "height": 1200,
            "bytes": 400_000, "copies": 1}
    told = (f"Promise.resolve(load('data/2026-text')).then(() => load('search')).then(() => loadAllTexts()).then(() => ['2026-11-20', '{date}'].map("
            "date => Boolean(apod.days.get(date)?.words?.text)).concat(find('newcomer').length))")
    try:
        with opened(browser, base, "slideshow=2026-11,5", **WINDOWS["fast"]) as page:
            until(page, "shown.length > 3", what="slides of a month")
            before = page.evaluate(told)
            mirror.write(f"gallery/2026/{date}-1280.jpg", png(1280, 960, "6b2424"))
            mirror.years[2026] = lines + [line]
            mirror.texts[2026] = texts | {date: texts["2026-11-20"] | {"text": ["A newcomer."]}}
            mirror.write_year(2026)
            until(page, "shown.lastIndexOf('2026-11-17') > shown.indexOf(value) && shown.includes(value)", date, "a day that comes later, and the others after it")
            # No other hour begins meanwhile.
            page.evaluate("window.pace = 1")
            after = page.evaluate(told)
            check((before, after) == ([True, False, 0], [True, True, 1]), f"texts of a year that grew: {before}, then {after}")
            ways = page.evaluate(f"[neighbour('2026-11-22', 1), neighbour('{date}', -1), letter('{date}')]")
            check(ways == [date, "2026-11-22", "h"], f"the ways to a day that came later and back: {ways}")
    finally:
        mirror.years[2026], mirror.texts[2026] = lines, texts
        mirror.write_year(2026)
