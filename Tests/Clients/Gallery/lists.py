"""Other lists of pictures: their walls, items, search and slideshows, from the disk and from a server."""
import re
import tempfile

from browser import Nginx, check, go, opened, until, visit
from invented import COLORS, FAVORITES, HOSTILE, SHAPES, Invented, fitted, packed, value

CATS = [f"Cat {number}" for number in range(20)] + [HOSTILE]
TEXT = "eye.top().innerText.replace(/\\s+/g, ' ')"
ITEM = "hubble.%016x"


class Listed(Invented):
    """The same mirror with two lists: `hubble` has dates, but for one, and `cats` has none, and a cover."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        dates = [f"{year}-{month:02}-{day:02}" for year in [2024, 2025, 2026] for month in range(1, 12) for day in range(3, 27, 3)]
        self.add_list("hubble", [(f"Spiral {number}", date) for number, date in enumerate(dates)] + [("Undated", None)])
        self.add_list("cats", [(title, None) for title in CATS], cover=True)
        items = [["lists/cats/Cat 3", ["Comets"]], ["lists/hubble/2026/2026-11-24 Spiral 263", []], ["lists/cats/Gone", []]]
        self.write("gallery/data/favorites.js", f"apod.favorites({value(FAVORITES)}, {value(items)});\n")
        with open(f"{self.root}/index.html", encoding="utf-8") as file:
            page = file.read()
        self.write("index.html", page.replace("<div id=\"ways\" popover>\n",
                                              "<div id=\"ways\" popover>\n<a href=\"#lists\" data-names=\"cats hubble\">Lists</a>\n"))

    def add_list(self, name, items, cover=False):
        """As Sources/Gallery writes it: each item with the number of its place."""
        volumes, texts = {}, {}
        for number, (title, date) in enumerate(items + ([("cover", None)] if cover else []), 1):
            shape, color = SHAPES[number % len(SHAPES)], COLORS[number % len(COLORS)]
            stem = "Hostile" if title == HOSTILE else f"{date} {title}" if date else title
            line = {"date": f"{name}.{number:016x}", "title": title, "stem": stem, "image": "png", "width": shape[0],
                    "height": shape[1], "bytes": 400_000, "copies": 1, "color": color}
            for suffix, box in [("480.webp", 480), ("1280.jpg", 1280)]:
                self.link(fitted(shape, box), color, f"gallery/lists/{name}/{number:016x}-{suffix}")
            self.link(shape, color, "/".join(filter(None, ["lists", name, date and date[:4], f"{stem}.png"])))
            if cover and title == "cover":
                head = line
                continue
            volumes.setdefault(date[:4] if date else "0", []).append(line)
            texts.setdefault(date[:4] if date else "0", {})[line["date"]] = {
                "of": "0" * 16, "text": f"A tale of the {'zither' if number == 7 else 'sky'}.", "credit": [HOSTILE if title == HOSTILE else "ESA/Hubble"],
                "licence": "CC BY 4.0", "page": f"https://example.org/{name}/{number}"}
        for year, lines in volumes.items():
            path = f"lists/{name}/{year}"
            self.write(f"gallery/data/{path}.js", f"apod.year({value(path)}, [\n" + "".join(f"{value(line)},\n" for line in lines) + "]);\n")
            self.write(f"gallery/data/{path}-text.js", f"apod.texts({value(path)}, {value(texts[year])});\n")
            self.write(f"gallery/data/{path}-search.js", f"apod.search({value(path)}, {packed({'1000000': texts[year]})});\n")
        head = head if cover else line
        years = [[int(year), len(lines)] for year, lines in sorted(volumes.items(), reverse=True)]
        self.write(f"gallery/data/lists/{name}/list.js", f"apod.list(\"{name}\", {value({'years': years, 'cover': head})});\n")


def lists(browser, _, mirror):
    with tempfile.TemporaryDirectory() as folder:
        made = Listed(f"{folder}/listed", mirror.page, first=mirror.first)
        with Nginx(made.root) as server:
            for base in [f"file://{made.root}/", server]:
                for task in [ways, items, viewer, found, favorites, slides, losses]:
                    with opened(browser, base, name=f"lists, {task.__name__}", may_say=["ERR_FILE_NOT_FOUND", "404"]) as page:
                        task(page, base)
                with opened(browser, base, size=(390, 844), has_touch=True, name="lists on a phone",
                            may_say=["ERR_FILE_NOT_FOUND", "404"]) as page:
                    phone(page, base)


def ways(page, base):
    """From the first page to a list, to a year of it, and back."""
    until(page, "document.querySelectorAll('.wall li').length > 2", what="the first page")
    check(not any("/lists" in address for address in page.asked), "the first page loads what is of lists")
    page.get_by_role("link", name="Lists").click()
    until(page, "location.hash === '#lists' && eye.words('Cats') && eye.words('21 pictures') && eye.words('265 pictures')",
          what="a card for each list")
    until(page, "[...document.querySelectorAll('.card img')].filter(image => image.naturalWidth).length === 2", what="the covers")
    check(page.locator("[aria-current=page]").inner_text() == "Lists", "the way to lists is not marked")
    page.get_by_role("link", name="Hubble").click()
    until(page, "location.hash === '#list/hubble' && eye.words('November 2026') && eye.tiles().length > 5", what="a wall by months")
    until(page, "current.days.length === 265", what="all of the list")
    order = page.evaluate("current.days.map(day => day.when)")
    check(order == sorted(order, reverse=True) and order[-1] == "", "the items are not in order, newest first")
    page.get_by_role("navigation", name="Years").get_by_role("link", name="2024").click()
    until(page, "location.hash === '#list/hubble/2024' && eye.words('November 2024')", what="a year of the list")
    at = page.evaluate("scrollY")
    page.locator(f"[data-date='{page.evaluate('eye.tiles().find(eye.isWhole).dataset.date')}'] > a").click()
    until(page, "Boolean(document.querySelector('article.day'))", what="an item of that year")
    page.go_back()
    until(page, "at => location.hash === '#list/hubble/2024' && Math.abs(scrollY - at) < 300", at, what="the place in the wall")
    page.go_back()
    page.go_back()
    until(page, "location.hash === '#lists' && eye.words('Cats')", what="back at the lists")


def items(page, base):
    """The page of an item: its words, its rights and its neighbours."""
    place = ITEM % 264
    for address in [place, f"{place}/list/hubble"]:
        visit(page, base, address)
        until(page, f"eye.image('{place[7:]}') && {TEXT}.includes('Hubble · 24 November 2026') && {TEXT}.includes('Picture: ESA/Hubble · CC BY 4.0')",
              what=f"{address}: its picture, date, credit and licence")
        until(page, f"{TEXT}.includes('A tale of the sky') && {TEXT}.includes('Its page')", what=f"{address}: its words")
        check(page.locator(".up").inner_text().startswith("Hubble · 1 of 265"), f"{address}: its place in the list")
        check("NASA" not in page.evaluate(TEXT), f"{address} speaks of NASA")
        check(page.get_by_role("link", name="The picture itself").get_attribute("href") ==
              "lists/hubble/2026/2026-11-24%20Spiral%20263.png", f"{address}: the way to its file")
        page.keyboard.press("ArrowRight")
        until(page, "location.hash.startsWith('#" + ITEM % 263 + "/list/hubble')", what=f"{address}: the older one")
    visit(page, base, "cats.%016x" % len(CATS))
    until(page, f"{TEXT}.includes({HOSTILE[:20]!r}) && {TEXT}.includes('Cats · ')", what="an item with a hostile name")


def viewer(page, base):
    visit(page, base, "list/cats")
    until(page, "eye.tiles().length > 8 && !document.querySelector('.wall h3')", what="a wall without months")
    check(page.evaluate("current.days[0].title") == HOSTILE, "the newest item is not the first")
    page.evaluate("current.focus('cats.%016x')" % 12)
    page.locator("[data-date='cats.%016x'] > a" % 12).click()
    until(page, "eye.words('Cat 11')", what="an item")
    page.keyboard.press("Enter")
    until(page, "seen && eye.image('%016x') && eye.words('Cats · 10 of 21')" % 12, what="the viewer with an item")
    page.keyboard.press("ArrowRight")
    until(page, "seen && eye.image('%016x')" % 11, what="the next item in the viewer")
    page.keyboard.press("i")
    until(page, "eye.words('Picture: ESA/Hubble · ')", what="credit and licence in the viewer")
    page.go_back()
    until(page, "!seen && location.hash === '#cats.%016x/list/cats'" % 11, what="the item that was seen last")
    page.keyboard.press("Escape")
    until(page, "location.hash === '#list/cats' && document.activeElement.closest('li')?.dataset.date === 'cats.%016x'" % 11,
          what="its tile with the focus")


def found(page, base):
    until(page, "document.querySelectorAll('.wall li').length > 2")
    page.fill("#search", "zither")
    until(page, f"{TEXT}.includes('2 pictures with “zither”') && {TEXT}.includes('Hubble · 21 January 2024') && {TEXT}.includes('Cats')",
          what="what is found in lists, and in which")
    page.fill("#search", "spiral 263")
    until(page, f"{TEXT}.includes('1 picture with “spiral 263”')", what="a title of a list")
    page.locator(".found").click()
    until(page, "eye.image('%016x') && eye.words('1 of 1')" % 264, what="an item by the search")


def favorites(page, base):
    """Items among the days, in walls and albums."""
    visit(page, base, "favorites")
    until(page, "current?.days.length === 10 && current.reveal('hubble.%016x') && eye.image('%016x')" % (264, 264), what="items among favorites")
    check(page.evaluate("eye.tile('hubble.%016x').querySelector('a').ariaLabel" % 264) == "Spiral 263, Hubble · 24 November 2026",
          "what is said of an item among favorites")
    check(page.get_by_role("navigation", name="Albums").inner_text().count("5 pictures") == 1, "the album counts no item")
    visit(page, base, "favorites/Comets")
    until(page, "current?.days.length === 5 && eye.tile('cats.%016x')" % 4, what="an item in an album")
    page.locator("[data-date='cats.%016x'] > a" % 4).click()
    until(page, f"eye.image('%016x') && document.querySelector('main .favorite') && {TEXT}.includes('in Comets') && {TEXT}.includes('Comets · 4 of 4')" % 4,
          what="the page of an item that is a favorite")
    # What the mirror itself answers when it serves the page.
    asked = page.evaluate("""async () => {
        window.EventSource = class {};
        await load('served');
        Object.assign(served, changing);
        route();
        await new Promise(done => setTimeout(done, 300));
        const asked = [];
        window.fetch = async (address, { headers }) => { asked.push([address, headers['X-APOD-Favorite']]); return { status: 200 }; };
        document.querySelector('main .heart').click();
        await new Promise(done => setTimeout(done, 300));
        offerAlbums({ date: document.querySelector('main .heart').dataset.date });
        albums.querySelector('[name=Comets]').click();
        await new Promise(done => setTimeout(done, 300));
        return asked;
    }""")
    check(asked == [["favorites/lists/cats/Cat%203", "remove"], ["favorites/Comets/lists/cats/Cat%203", "add"]], f"a heart asks for {asked}")


def slides(page, base):
    visit(page, base, "list/cats")
    until(page, "eye.tiles().length > 8")
    page.get_by_role("main").get_by_role("link", name="Slideshow").click()
    until(page, "running?.date?.startsWith('cats.')", what="a slideshow of a list")
    for place, kinds in [("slideshow=lists,5", "cats hubble"), ("slideshow=all,5", "20 cats hubble")]:
        visit(page, base, place)
        until(page, "running?.date", what=f"#{place}")
        met = set()
        for _ in range(60):
            before = page.evaluate("running.date")
            met.add(re.match(r"20|[a-z]+", before)[0])
            page.keyboard.press("ArrowRight")
            until(page, "date => running?.date !== date", before, what=f"#{place}: the next one")
        check(" ".join(sorted(met)) == kinds, f"#{place} shows {sorted(met)}")


def losses(page, base):
    for place, words in [("list/nobody", "There is no such list here."), ("hubble." + "f" * 16, "This picture is not here."),
                         ("nobody." + "f" * 16, "This picture is not here."), ("view/hubble." + "f" * 16, "This picture is not here.")]:
        visit(page, base, place)
        until(page, "words => eye.words(words)", words, what=f"#{place}: {words}")
    go(page, "lists")
    until(page, "eye.words('Cats')", what="the lists after that")


def phone(page, base):
    until(page, "document.querySelectorAll('.wall li').length > 0")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Lists").click()
    until(page, "eye.words('Hubble')", what="the lists on a phone")
    page.get_by_role("link", name="Hubble").click()
    until(page, "eye.tiles().length > 4", what="a list on a phone")
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a list's wall is too wide for a phone")
