# A slideshow on a clock that runs fast, which a day joins that is written meanwhile.
from browser import check, opened, until
from invented import png
from play import WINDOWS

DATE = "2026-11-23"
# Which texts of the year are found, and where the new one is.
TOLD = f"""Promise.resolve(load('data/2026-text')).then(() => load('page')).then(() => loadAllTexts()).then(() => ['2026-11-20', '{DATE}']
    .map(date => Boolean(apod.days.get(date)?.words?.text)).concat(find('newcomer').within.length))"""


def joins(browser, base, mirror):
    lines, texts = mirror.years[2026], mirror.texts[2026]
    with opened(browser, base, "slideshow=2026-11,5", **WINDOWS["fast"]) as page:
        until(page, "shown.length > 3", what="slides of a month")
        before = page.evaluate(TOLD)
        mirror.write(f"gallery/2026/{DATE}-1280.jpg", png(1280, 960, "6b2424"))
        mirror.years[2026] = [*lines, next(line for line in lines if line["date"] == "2026-11-22") | {"date": DATE}]
        mirror.texts[2026] = texts | {DATE: texts["2026-11-20"] | {"text": ["A newcomer."]}}
        mirror.write_year(2026)
        try:
            until(page, "shown.lastIndexOf('2026-11-17') > shown.indexOf(value) && shown.includes(value)", DATE, "a day that comes later")
            # No other hour begins meanwhile.
            page.evaluate("window.pace = 1")
            after = page.evaluate(TOLD)
            check((before, after) == ([True, False, 0], [True, True, 1]), f"texts of a year that grew: {before}, then {after}")
            check(page.evaluate("nearest('2026-11-22', 1)") == DATE, "no way leads to a day that came later")
        finally:
            mirror.years[2026], mirror.texts[2026] = lines, texts
            mirror.write_year(2026)
