"""Walls at all widths: rows of one height, pictures in their own shape, nothing over them, and only what is near."""
from browser import check, go, opened, until, viewed

WIDTHS = [320, 390, 768, 1440, 2560]
PLACES = ["2026-10", "favorites", "on/11-20", "search/comet"]
# The one picture that is another shape than its line says.
TURNED = "2026-10-30"

TILES = """() => eye.tiles().map(tile => {
    const image = tile.querySelector('img');
    const { left, top, right, bottom, width, height } = (image ?? tile).getBoundingClientRect();
    const below = document.querySelector('header').getBoundingClientRect().bottom;
    const isOpen = top >= Math.max(0, below) && bottom <= innerHeight;
    const points = [[.5, .5], [.1, .1], [.9, .1], [.1, .9], [.9, .9]];
    const covers = !image || !isOpen ? [] : points.map(([x, y]) => document.elementFromPoint(left + x * width, top + y * height))
        .filter(found => !found?.contains(image)).map(found => found?.outerHTML.slice(0, 80) ?? 'nothing');
    return { date: tile.dataset.date, left, top, right, bottom, width, height, covers, isPicture: Boolean(image),
        fit: image && getComputedStyle(image).objectFit,
        shape: image?.complete && image.naturalWidth ? image.naturalWidth / image.naturalHeight : null };
})"""

# The most tiles, and the elements of the page at each stop on the way to its end.
JOURNEY = """async () => {
    let [most, stops, seen] = [0, [], new Set()];
    scrollTo(0, 0);
    for (let left = 2000; left; left -= 1) {
        await eye.frames(2);
        stops.push(document.querySelectorAll('*').length);
        const tiles = [...document.querySelectorAll('.wall [data-date]')];
        most = Math.max(most, tiles.length);
        for (const tile of tiles) seen.add(tile.dataset.date);
        if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) break;
        scrollBy(0, innerHeight);
    }
    return [most, stops, seen.size];
}"""


def walls(browser, base, mirror):
    for width in WIDTHS:
        for place in PLACES:
            wall(browser, base, place, width)
        journey(browser, base, mirror, width)
    sized_before(browser, base)
    sharp(browser, base)
    marked(browser, base)


def wall(browser, base, place, width):
    with viewed(browser, base, place, (width, 900), name=f"#{place} at {width}") as page:
        where = f"#{place} at {width}"
        until(page, "eye.tiles().length > 1", what=f"{where}: a wall")
        until(page, "eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete))",
              what=f"{where}: all its pictures", limit=20)
        until(page, "Number(getComputedStyle(document.querySelector('#years')).opacity) < .01 || innerWidth > 800",
              what=f"{where}: the years go when the wall rests")
        tiles = page.evaluate(TILES)
        if not place.startswith("search"):
            rows(where, tiles)
        for tile in tiles:
            at = f"{where}: {tile['date']}"
            check(not tile["covers"], f"{at} is covered by {tile['covers'][:1]}")
            check(tile["left"] > -1 and tile["right"] < width + 1, f"{at} stands out of the window")
            shape = 1 if place.startswith("search") else tile["shape"] and min(3, max(1 / 3, tile["shape"]))
            if tile["shape"] and tile["date"] != TURNED:
                check(abs(tile["width"] / tile["height"] / shape - 1) < 0.05, f"{at} has lost its shape: {tile}")
            fit = "cover" if place.startswith("search") or shape != tile["shape"] else "contain"
            check(tile["fit"] == fit or not tile["shape"], f"{at} is shown by {tile['fit']}")
        check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where} is too wide")


def rows(where, tiles):
    """Each row has one height, and none of its tiles lies over another."""
    heights = {}
    for tile in tiles:
        heights.setdefault(round(tile["top"] / 3), []).append(tile)
    for row in heights.values():
        row.sort(key=lambda tile: tile["left"])
        check(max(t["height"] for t in row) - min(t["height"] for t in row) < 2, f"{where}: a row has several heights: {row[:3]}")
        check(all(a["right"] <= b["left"] + 1 for a, b in zip(row, row[1:])), f"{where}: tiles lie over one another")
    check([tile["date"] for row in heights.values() for tile in row] ==
          sorted((tile["date"] for tile in tiles), reverse=True), f"{where}: the days are not in order, newest first")
    for row in heights.values():
        check(row[0]["height"] > 75, f"{where}: a row is {row[0]['height']:.0f} pixels high")
    if len(heights) > 1:
        ends = sorted((max(t["bottom"] for t in row), min(t["top"] for t in row)) for row in heights.values())
        check(all(a[0] <= b[1] + 1 for a, b in zip(ends, ends[1:])), f"{where}: rows lie over one another")
    if "2026-10" in where:
        gaps = {round(b[1] - a[0]) for a, b in zip(ends, ends[1:])} if len(heights) > 1 else set()
        beside = {round(b["left"] - a["right"]) for row in heights.values() for a, b in zip(row, row[1:])}
        check(max(beside) <= 8 and gaps & beside == beside, f"{where}: gaps of {gaps} between rows, {beside} in them")


def journey(browser, base, mirror, width):
    """All days are met on the way down, and never many of them at once."""
    with viewed(browser, base, "", (width, 900), name=f"down the wall at {width}") as page:
        until(page, "eye.tile('2026-11-20')")
        page.wait_for_function("() => document.documentElement.scrollHeight > 20 * innerHeight")
        most, stops, seen = page.evaluate(JOURNEY)
        days = len(mirror.lines)
        check(seen == days, f"at {width}, {seen} of {days} days are met on the way down")
        check(most < days / 3, f"at {width}, {most} of {days} tiles are there at once")
        half = len(stops) // 2
        check(max(stops[half:]) < 1.5 * max(stops[:half]), f"at {width}, elements grow from {max(stops[:half])} to {max(stops[half:])}")


def sized_before(browser, base):
    """The wall with its pictures is the wall without them."""
    places = []
    for is_blocked in [True, False]:
        with opened(browser, base, "favorites", (1440, 900), may_say=["ERR_FAILED", "ERR_FILE_NOT_FOUND"], name="sizes") as page:
            if is_blocked:
                page.route("**/*.webp", lambda route: route.abort())
                page.reload()
            until(page, "eye.tiles().length > 3")
            until(page, "eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete))")
            places.append([(tile["date"], round(tile["left"]), round(tile["width"]), round(tile["height"]))
                           for tile in page.evaluate(TILES)])
    check(places[0] == places[1], "a wall moves when its pictures come")


def sharp(browser, base):
    """Large tiles take the large copy, others the small one; no tile is outlined before its picture is here."""
    for scale in [1, 2]:
        with viewed(browser, base, "2026-10", (1440, 900), name="sharp tiles", device_scale_factor=scale) as page:
            until(page, "eye.tiles().length > 5 && eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete))")
            shown = page.evaluate("""eye.tiles().map(tile => [tile, tile.querySelector('img')]).filter(([, image]) => image?.naturalWidth)
                .map(([tile, image]) => [tile.dataset.date, Math.max(image.clientWidth, image.clientHeight) * devicePixelRatio, image.currentSrc])""")
            for date, size, source in shown:
                check(("1280" in source) == (size > 600), f"{date} is {size:.0f} pixels large and shows {source[-18:]}")
    with opened(browser, base, "2026-10", (1440, 900), may_say=["ERR_FAILED", "ERR_FILE_NOT_FOUND"], name="tiles without pictures") as page:
        held = []
        page.route("**/*.webp", lambda route: held.append(route))
        page.reload(wait_until="domcontentloaded")
        until(page, "eye.tiles().some(tile => tile.querySelector('img'))")
        page.wait_for_timeout(400)
        bare = page.evaluate("eye.tiles().flatMap(tile => [...tile.querySelectorAll('img')]).filter(image => !image.naturalWidth"
                             " && getComputedStyle(image).opacity > 0).length")
        check(held and bare == 0, f"{bare} tiles are outlined before their pictures come")
        page.evaluate("""window.faded = 0; for (const image of document.querySelectorAll('.wall img:not(.here)'))
            image.addEventListener('load', () => { faded += image.getAnimations().length; })""")
        for route in held:
            route.continue_()
        until(page, "faded > 0 && eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete))",
              what="pictures that come late fade in")


def marked(browser, base):
    """What is special about a day is seen on its tile; its words lie over it on hover and focus, and cover no ring."""
    for place, heart in [("on/11-17", 1), ("favorites", 0)]:
        with viewed(browser, base, place, name="marks") as page:
            until(page, "eye.tile('2026-11-17')")
            told = page.evaluate("['.video', '.favorite'].map(name => eye.tile('2026-11-17').querySelectorAll(`.marks ${name}`).length)")
            check(told == [1, heart], f"a tile of #{place} is marked {told}")
    with viewed(browser, base, "favorites", name="words on tiles") as page:
        until(page, "eye.tiles().length > 3")
        seen = "date => eye.tile(date).querySelector('.caption').checkVisibility({ visibilityProperty: true })"
        check(not page.evaluate(seen, "2026-11-22"), "words lie over pictures that nobody points at")
        page.hover("[data-date='2026-11-22'] a")
        until(page, seen, "2026-11-22", "words over the picture that one points at")
        page.keyboard.press("Tab")
        page.evaluate("eye.tile('2026-11-17').querySelector('a').focus()")
        until(page, seen, "2026-11-17", "words over the picture with the focus")
        inside = page.evaluate("""() => {
            const [caption, tile] = ['.caption', 'a'].map(name => eye.tile('2026-11-17').querySelector(name).getBoundingClientRect());
            return caption.bottom <= tile.bottom + .5 && caption.top >= tile.top && caption.right <= tile.right + .5;
        }""")
        check(inside, "the words of a tile lie over its ring")
        page.evaluate("choose('words', 'yes')")
        go(page, "2026-11")
        until(page, "current.reveal('2026-11-04', 0) && eye.tile('2026-11-04')", what="a day with a long title")
        check(page.evaluate("(time => time.scrollWidth <= time.clientWidth && eye.inWindow(time))"
                            "(eye.tile('2026-11-04').querySelector('time'))"), "a long title cuts the date")
        go(page, "2026-10")
        until(page, "eye.tile('2026-10-29')?.querySelector('.marks')?.innerText === '+1'", what="the mark of a day with two pictures")
        check(page.locator("[data-date='2026-10-29'] a").get_attribute("aria-label").endswith(", 1 more picture"), "its mark has no words")
        check(not page.evaluate("eye.tile('2026-10-30').querySelector('.marks')"), "a day with one picture is marked")
