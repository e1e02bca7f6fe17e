"""Walls at all widths: rows of one height, pictures in their own shape, nothing over them, and only what is near."""
from browser import check, opened, until, viewed

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


def wall(browser, base, place, width):
    with viewed(browser, base, place, (width, 900), name=f"#{place} at {width}") as page:
        where = f"#{place} at {width}"
        until(page, "eye.tiles().length > 1", what=f"{where}: a wall")
        until(page, "eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete))",
              what=f"{where}: all its pictures", limit=20)
        tiles = page.evaluate(TILES)
        if not place.startswith("search"):
            rows(where, tiles)
        for tile in tiles:
            at = f"{where}: {tile['date']}"
            check(not tile["covers"], f"{at} is covered by {tile['covers'][:1]}")
            check(tile["left"] > -1 and tile["right"] < width + 1, f"{at} stands out of the window")
            if tile["shape"] and tile["date"] != TURNED:
                check(abs(tile["width"] / tile["height"] / tile["shape"] - 1) < 0.05, f"{at} has lost its shape: {tile}")
            check(tile["fit"] in (None, "contain"), f"{at} may be cut")
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
    if len(heights) > 1:
        ends = sorted((max(t["bottom"] for t in row), min(t["top"] for t in row)) for row in heights.values())
        check(all(a[0] <= b[1] + 1 for a, b in zip(ends, ends[1:])), f"{where}: rows lie over one another")


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
