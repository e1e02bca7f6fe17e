# The walk through every view, at each size: what is seen there, how it is laid out, what axe-core and a screen reader say.
import os
import re
from urllib.parse import quote
from os.path import join

from axe_playwright_python.sync_playwright import Axe

from browser import HERE, check, go, opened, served, until, visit
from invented import ALBUM, HOSTILE, UNKNOWN
from play import WINDOWS
from speed import SCROLL

# The first ones are also judged by axe; ALBUM, HOSTILE and UNKNOWN are those of the invented mirror.
VIEWS = """
                                        Cluster 739942  22 November 2026  Somebody &  picture 2026-11-22
2026-10                                 October 2026  picture 2026-10-31
favorites                               Favorites  Comets  picture 2026-11-22  picture 2026-11-21
favorites/Comets                        Comets  5 pictures  picture 2026-11-17  picture 2026-11-14
on/11-20                                20 November, in every year  2025  picture 2026-11-20  picture 2025-11-20
search/lantern                          2 pictures with “lantern”  29 February 2024  a lantern is hung  picture 2025-05-05
search/comet                            pictures with “comet”
2026-11-14/favorites/Comets             Nebula 739934  Comets  2 of 4  picture 2026-11-14
2026-11-16                              Moving Clouds
2026-11-19                              19 November 2026  could not be fetched
view/2026-11-20                         Jupiter 739940  20 November 2026  picture 2026-11-20
view/2026-11-16                         Moving Clouds
slideshow=favorites,60                  picture 2026-11-22
lists                                   Cats  21 pictures  265 pictures
list/hubble                             Hubble  November 2026
hubble.0000000000000108                 Hubble · 24 November 2026  ESA/Hubble · CC BY 4.0  picture 0000000000000108
changes                                 Changes  HOSTILE  · 14 November 2026  picture 2026-11-10
1990-06-16                              There is no such day
2025-04                                 April 2025  picture 2025-04-30
2026-11-10                              Mended  14 November 2026  The former one is kept  1200 × 1200  NASA’s page  picture 2026-11-10
2026-11-17                              A Flight  Play
2026-11-21                              HOSTILE  picture 2026-11-21
cats.0000000000000015                   HOSTILE  Cats ·
favorites/ALBUM                         Best of </script><b>50%/a  picture 2026-11-21  picture 2026-11-14
search/%3Cscript%3E                     with “<script>”  picture 2026-11-21
favorites/%3Cimg%20src=x%20onerror=hacked=7%3E    There is no album <img
slideshow=favorites/Best%252Fa          There is no picture to show
%E0%A4%A                                Cluster 739942  picture 2026-11-22
2026-11-18                              Only Words  NASA shows no picture
2026-11-15                              Pruned Away  deleted to make room
2026-11-11                              11 November 2026  has not been fetched yet
2026-11-02                              Too Large  larger than this mirror keeps
UNKNOWN                                 3 March 2024  This day is not here
2094-11-23                              23 November 2094  This day has not come yet
on/02-29                                29 February, in every year  picture 2024-02-29
view/UNKNOWN                            This day is not here
search/zzzz                             No picture has “zzzz”
list/nobody                             There is no such list here.
nobody.ffffffffffffffff                 This picture is not here.
"""
JUDGED = 18
# Dialogs, by what opens them.
PARTS = {"the help": "showHelp()", "the calendar": "document.querySelector('.wall h3 a').click()", "the menu": "ways.showPopover()"}
# Width, height, theme, and how large letters are.
SIZES = [(1280, 800, "light", 1), (320, 568, "dark", 1), (390, 844, "light", 1), (390, 844, "dark", 2), (820, 1180, "dark", 1),
         (844, 390, "light", 1), (1440, 900, "dark", 1), (1440, 900, "light", 1), (2560, 1440, "light", 1)]
# The views whose text is compared with that in Gallery/expected (EXPECT=1 writes it anew); the others are longer.
READ = ["favorites/Comets", "on/11-20", "search/lantern", "2026-11-14/favorites/Comets", "2026-11-19", "view/2026-11-14/favorites/Comets"]

# What is wrong with what is seen: true, or the elements that are so. `isFine`: letters have their size, and there is room for all.
FAULTS = """([isTouch, isFine]) => {
    const { all, one, box, near, tiles, isCut, text, find } = eye;
    const isFound = location.hash.startsWith('#search');
    const isSeen = one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const isSmall = least => one => (size => size > 1 && size < least)(Math.min(box(one).width, box(one).height));
    const pressed = all('a[href], button, input, select').filter(one => isSeen(one) && !one.matches('#years *, #skip, .text *, input, p a, .facts a'));
    const hero = one('.hero');
    const pictures = find('dialog[open], :popover-open') ? [] : tiles().map(tile => ({ tile, image: tile.querySelector('img'), ...box(tile.querySelector('img') ?? tile) }));
    const rows = [];
    for (const one of pictures.toSorted((a, b) => a.top - b.top)) near(one.top, rows.at(-1)?.[0].top, 3) ? rows.at(-1).push(one) : rows.push([one]);
    const inRows = rows.flatMap(row => row.sort((a, b) => a.left - b.left));
    const isCovered = ({ image, left, top, right, bottom }) => image && top >= Math.max(0, box(header).bottom) && bottom <= innerHeight
        && [.1, .5, .9].some(at => !document.elementFromPoint(left + at * (right - left), top + at * (bottom - top))?.contains(image));
    const shapeOf = image => isFound ? 1 : Math.min(3, Math.max(1 / 3, image.naturalWidth / image.naturalHeight));
    return Object.entries({
        'reads like a program': /undefined|NaN|\[object|\bnull\b|Invalid Date/.test(text()),
        'tells a stranger of commands': location.protocol !== 'file:' && text().includes('favorites add'),
        // A phone shows all of a page that is too wide.
        'is too wide': document.documentElement.scrollWidth > (isFine ? screen.width : innerWidth),
        'has small targets': pressed.filter(isSmall(24)),
        'has targets for no finger': isTouch && pressed.filter(one => one.matches('header *, .tool') && isSmall(44)(one)),
        'has another header': isTouch && isFine && !near(header.offsetHeight, 48, 1),
        'cuts': isFine && innerWidth > 320 && all('h1, h1 a, header nav > *').filter(one => isSeen(one) && isCut(one)),
        'has a crooked hero': hero && isFine && !near(box(hero).left + box(hero).right, document.documentElement.clientWidth),
        'has its text below': isFine && innerWidth > 1000 && one('.text') && box('.text').top + 24 > innerHeight,
        'covers pictures': pictures.filter(isCovered),
        // One picture is another shape than its line says.
        'bends pictures': isFine && pictures.filter(({ image, width, height, tile }) => image?.naturalWidth && tile.dataset.date !== '2026-10-30'
            && Math.abs(width / height / shapeOf(image) - 1) > .05),
        'has uneven rows': !isFound && rows.filter(row => row.some(({ height }) => !near(height, row[0].height) || height < 60)).flat(),
        'has pictures over pictures': rows.flatMap((row, at) => row.filter(({ left, top }, index) => index && !isFound && left < row[index - 1].right - 1
            || at && top < rows[at - 1][0].bottom - 1)),
        'is out of order': !/^#(search|list|favorites)/.test(location.hash) && inRows.filter(({ tile }, at) => at && tile.dataset.date > inRows[at - 1].tile.dataset.date),
    }).filter(([, found]) => found === true || found?.length).map(([what, found]) => [what, ...[found].flat().slice(0, 2)
        .map(one => one.tile?.dataset.date ?? one.outerHTML?.slice(0, 90) ?? one)].join(' '));
}"""


def rows():
    for line in VIEWS.strip("\n").replace("ALBUM", quote(ALBUM, safe="")).replace("UNKNOWN", UNKNOWN).splitlines():
        place, *conditions = re.split(r" {2,}", line)
        yield place, [HOSTILE if one == "HOSTILE" else one for one in conditions]


def walk(browser, base, sizes, count=None):
    for width, height, theme, letters in sizes:
        is_touch = width < 1000
        with opened(browser, base, size=(width, height), color_scheme=theme, has_touch=is_touch, is_mobile=is_touch,
                    script=WINDOWS["large"]["script"] if letters > 1 else "") as page:
            view = lambda place: f"#{place} of {base[:4]} at {width}, {theme}, {letters}"
            there = {}
            for index, (place, conditions) in enumerate(list(rows())[:count]):
                # What is opened is seen like what is gone to.
                visit(page, base, place) if width == 1280 else go(page, place)
                look(page, view(place), conditions, is_touch, letters, width == 1280)
                # A picture below that is lost has words, once that is known.
                until(page, "all('img:not(.lost)').every(image => image.naturalWidth) && (eye.told = text())", what=view(place))
                there[place] = page.evaluate("eye.told")
                if index < JUDGED and base.startswith("file") and width in (320, 390, 820, 1440):
                    judge(page, view(place))
                if os.environ.get("SHOTS"):
                    page.screenshot(path=f"{os.environ['SHOTS']}/{quote(place, safe='')}-{width}-{theme}-{letters}.png")
            for part, script in PARTS.items() if base.startswith("file") else []:
                if part != "the menu" or is_touch:
                    visit(page, base, "2026-10")
                    until(page, "isLoaded() && apod.here.has('page')")
                    page.evaluate(script)
                    until(page, "openDialog() || ways.matches(':popover-open')", what=part)
                    look(page, view(part), [], is_touch, letters, False)
                    judge(page, view(part))
            for place in there if width == 1280 else []:
                go(page, place)
                # What a day has beside it comes when it is near.
                until(page, "text().startsWith(value)", there[place], f"{view(place)}, gone to, is another view")


def look(page, where, conditions, is_touch, letters, is_first):
    until(page, "isDone()", what=where)
    for condition in conditions:
        if not condition.startswith("picture "):
            # A small window shows some of them below.
            until(page, "words(value)" if is_first else "top().textContent.replace(/\\s+/g, ' ').includes(value.replace(/\\s+/g, ' '))",
                  condition, f"{where}: {condition!r}")
        elif is_first:
            until(page, "image(value)", condition[8:], f"{where}: {condition}")
    # The years go when a wall rests.
    until(page, "isDone() && !isMoving() && (!tiles().length || isLoaded()) && !root.matches('.scrubbed.travelling')", what=where)
    for fault in page.evaluate(FAULTS, [is_touch, letters == 1]):
        check(False, f"{where} {fault}")


STILL = """() => {
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets.push(still);
}"""


def judge(page, where):
    # Controls that fade meanwhile have no contrast of their own.
    page.evaluate(STILL)
    for violation in Axe().run(page, options={"preload": False}).response["violations"]:
        check(False, f"axe: {violation['id']} in {where}: {violation['nodes'][0]['html'][:120]} ({len(violation['nodes'])})")
    page.evaluate("() => { document.adoptedStyleSheets.pop(); }")


def reader(browser, base, _):
    # Some views as the accessibility tree tells them; and Tab comes to all of them that can be pressed, and shows where it is.
    for place in READ:
        with opened(browser, base, place) as page:
            until(page, "isDone() && !isMoving()", what=place)
            page.wait_for_timeout(300)
            tree = page.locator("dialog[open]" if place.startswith("view") else "main").aria_snapshot()
            # A text's first words are enough.
            told = "".join(f"{line[:120].rstrip()}\n" for line in tree.splitlines())
            name = join(HERE, "expected", place.replace("/", "-") + ".txt")
            if os.environ.get("EXPECT"):
                with open(name, "w", encoding="utf-8") as file:
                    file.write(told)
            with open(name, encoding="utf-8") as file:
                expected = file.read().splitlines()
            wrong = [f"{a!r} instead of {b!r}" for a, b in zip(told.splitlines() + [""] * 99, expected) if a != b]
            check(told.splitlines() == expected, f"#{place} reads otherwise: {(wrong or ['more lines'])[0]}")
            keys(page, place)


def keys(page, place):
    left = """eye.all('a[href], button, input, select, video[controls]').filter(element => element.checkVisibility({ visibilityProperty: true })
        && !element.disabled && element.tabIndex >= 0 && !element.dataset.met && !element.closest('.deeds')).map(element => element.outerHTML.slice(0, 90))"""
    for _ in range(len(page.evaluate(left)) + 20):
        page.keyboard.press("Tab")
        shown = page.evaluate("""() => {
            const element = document.activeElement;
            element.dataset.met = 'yes';
            return element.matches('body, dialog, video, main, h2') || getComputedStyle(element).outlineStyle !== 'none' || element.outerHTML.slice(0, 90);
        }""")
        check(shown is True, f"#{place}: one does not see where one is: {shown}")
    check(not page.evaluate(left), f"#{place}: Tab does not come to {page.evaluate(left)[:3]}")


def journey(browser, base, mirror):
    # All days but the one above the wall are met on the way down, and never many of them at once.
    for width in [390, 1440]:
        with opened(browser, base, "", (width, 900)) as page:
            until(page, "document.documentElement.scrollHeight > 20 * innerHeight")
            _, most, met = page.evaluate(SCROLL, 900)
            days = sum(map(len, mirror.years.values())) - 1
            check(met == days and most < days / 3, f"at {width}, {met} of {days} days are met on the way down, and {most} at once")


def policy(browser, base, mirror):
    # What stands in a page itself is not run, nor what is elsewhere loaded.
    asked = []
    elsewhere = served(mirror.root, asked)
    with opened(browser, base, may_say=["Content Security Policy", "violates"]) as page:
        page.evaluate("""async elsewhere => {
            const made = [['script', { textContent: 'window.hacked = 1' }], ['style', { textContent: 'body { display: none }' }],
                ['iframe', { src: elsewhere }], ['img', { src: `${elsewhere}x.png` }]];
            document.body.append(...made.map(([name, values]) => Object.assign(document.createElement(name), values)));
            document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.hacked = 2">');
            await fetch(elsewhere).catch(() => {});
        }""", elsewhere)
        page.wait_for_timeout(500)
        check(asked == [] and page.locator("body").is_visible() and len(page.said) >= 4, f"the policy lets something in: {asked}, {page.said}")
        page.asked.clear()
