"""Everybody can use it: what axe-core says, keys alone, what a screen reader reads, less motion, and paper."""
import os

from axe_playwright_python.sync_playwright import Axe

from browser import HERE, WHOLE, check, until, viewed, visit

VIEWS = ["", "2026-10", "favorites", "favorites/Comets", "on/11-20", "search/lantern", "2026-11-14/favorites/Comets", "2026-11-16",
         "2026-11-19", "view/2026-11-20", "view/2026-11-16", "slideshow=favorites,60", "1990-06-16"]
# The views whose text is compared with that in Gallery/expected (EXPECT=1 writes it anew); the others are longer.
READ = ["favorites/Comets", "on/11-20", "search/lantern", "2026-11-14/favorites/Comets", "2026-11-19", "view/2026-11-14/favorites/Comets"]

# What the keys must be able to reach in what is open, as words.
WANTED = """() => [...eye.top().querySelectorAll('a[href], button, input, select, video[controls]')]
    .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0
        && (element.type !== 'radio' || element.checked))
    .map(element => { element.dataset.wanted = 'yes'; return element.outerHTML.slice(0, 90); })"""
LEFT = """() => [...eye.top().querySelectorAll('[data-wanted]')].filter(element => element.isConnected && !element.dataset.met)
    .map(element => element.outerHTML.slice(0, 110))"""


def access(browser, base, _):
    for task in [axe, keys, reader, targets, motion, paper]:
        task(browser, base)


def axe(browser, base):
    for theme in ["light", "dark"]:
        for width in [320, 1440]:
            with viewed(browser, base, "", (width, 900), color_scheme=theme, name="axe") as page:
                for place in [*VIEWS, "?", "the calendar", "the menu"]:
                    if place == "the menu" and width > 800:
                        continue
                    visit(page, base, place if place in VIEWS else "2026-10")
                    if place not in VIEWS:
                        until(page, "eye.tiles().length > 2")
                        open_part(page, place)
                    until(page, WHOLE, what=f"#{place} for axe", limit=20)
                    page.wait_for_timeout(400)
                    for violation in Axe().run(page, options={"preload": False}).response["violations"]:
                        check(False, f"axe: {violation['id']} in #{place}, {theme}, {width}: "
                              f"{violation['nodes'][0]['html'][:120]} ({len(violation['nodes'])})")


def open_part(page, place):
    if place == "?":
        page.keyboard.press("?")
    elif place == "the menu":
        page.get_by_role("button", name="More").click()
    else:
        page.evaluate("document.querySelector('.wall h3 a').click()")
        until(page, "document.querySelector('#calendar[open] a')", what="a month's calendar")


# What can be pressed and is no part of a sentence, and how small it is. The years are one bar.
SMALL = """least => [...eye.top().querySelectorAll('a[href], button, input, select')]
    .filter(element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('#years, #skip, .text')
        && !(element.matches('input, p a, .facts a')))
    .map(element => [Math.min(element.getBoundingClientRect().width, element.getBoundingClientRect().height), element.outerHTML.slice(0, 80)])
    .filter(([size]) => size > 1 && size < least)"""


def targets(browser, base):
    """A finger finds what can be pressed: 24 pixels, and 44 in the header."""
    for place in ["", "2026-10", "favorites", "on/11-20", "search/comet", "2026-11-14/favorites/Comets", "?", "the calendar"]:
        with viewed(browser, base, place if place in ["", *VIEWS, "search/comet"] else "2026-10", (390, 844), name="targets", has_touch=True,
                    is_mobile=True) as page:
            until(page, WHOLE, what=f"#{place} for fingers")
            if place in ["?", "the calendar"]:
                until(page, "eye.tiles().length > 2")
                open_part(page, place)
            small = page.evaluate(SMALL, 24)
            check(not small, f"#{place} has small targets: {small[:2]}")
            if not place:
                small = [found for found in page.evaluate(SMALL, 44) if "#20" not in found[1]]
                check(not small, f"the header has small targets: {small[:2]}")


def keys(browser, base):
    """Tab comes to all that can be pressed, shows where it is, and does not get caught."""
    for place in ["2026-11-14/favorites/Comets", "favorites/Comets", "search/lantern", "view/2026-11-14/favorites/Comets", "?",
                  "slideshow=favorites,60"]:
        with viewed(browser, base, "2026-11-20" if place == "?" else place, name=f"Tab in #{place}") as page:
            until(page, WHOLE, what=f"#{place} for keys")
            if place == "?":
                page.keyboard.press("?")
            page.wait_for_timeout(400)
            wanted = page.evaluate(WANTED)
            check(len(wanted) > 2, f"#{place} has nothing to press")
            for _ in range(len(wanted) + 20):
                page.keyboard.press("Tab")
                page.evaluate("document.activeElement.dataset.met = 'yes'")
                shown = page.evaluate("""() => {
                    const element = document.activeElement;
                    const style = getComputedStyle(element);
                    return element === document.body || element.matches('dialog, video, main, h2') || style.outlineStyle !== 'none'
                        || element.outerHTML.slice(0, 90);
                }""")
                check(shown is True, f"#{place}: one does not see where one is: {shown}")
            lacking = page.evaluate(LEFT)
            check(not lacking, f"#{place}: Tab does not come to {lacking[:3]}")


def reader(browser, base):
    """Each view as the accessibility tree tells it, beside Gallery/expected."""
    for place in READ:
        with viewed(browser, base, place, name=f"#{place} for a screen reader") as page:
            until(page, WHOLE, what=f"#{place} for a screen reader")
            page.wait_for_timeout(300)
            tree = page.locator("dialog[open]" if place.startswith("view") else "main").aria_snapshot()
            # A text's first words are enough.
            told = "".join(f"{line[:120].rstrip()}\n" for line in tree.splitlines())
            name = os.path.join(HERE, "expected", place.replace("/", "-") + ".txt")
            if os.environ.get("EXPECT"):
                os.makedirs(os.path.dirname(name), exist_ok=True)
                with open(name, "w", encoding="utf-8") as file:
                    file.write(told)
            with open(name, encoding="utf-8") as file:
                expected = file.read().splitlines()
            wrong = [f"{a!r} instead of {b!r}" for a, b in zip(told.splitlines() + [""] * 99, expected) if a != b]
            check(told.splitlines() == expected, f"#{place} reads otherwise: {(wrong or ['more lines'])[0]}")
            landmarks = page.evaluate("['header', 'main', 'nav[aria-label]', '[role=search]', 'h1'].filter(name => "
                                      "!document.querySelector(name))")
            check(not landmarks, f"#{place} lacks {landmarks}")


def motion(browser, base):
    for wish, moves in [("reduce", False), ("no-preference", True)]:
        with viewed(browser, base, "slideshow=favorites,60", name="motion", reduced_motion=wish) as page:
            until(page, "document.querySelector('dialog[open] img')")
            page.keyboard.press("ArrowRight")
            until(page, "seen.day.date === '2026-11-21'", what="the next slide")
            fades = page.evaluate("document.getAnimations().filter(one => one.effect.target.matches('.slide')).length")
            check((fades > 0) == moves, f"with {wish}, {fades} slides fade")


def paper(browser, base):
    with viewed(browser, base, "2026-11-20", name="paper") as page:
        until(page, WHOLE + " && eye.image('2026-11-20')")
        page.emulate_media(media="print")
        check(not page.locator("header").is_visible() and not page.get_by_role("link", name="Older").is_visible(),
              "paper has what is to be pressed")
        for words in ["20 November 2026", "Somebody &", "end."]:
            check(page.get_by_text(words).first.is_visible(), f"paper lacks {words!r}")
        image = page.locator("figure img").bounding_box()
        check(image["width"] > 200 and abs(image["width"] / image["height"] - 3) < .1, f"paper shows the picture so: {image}")
        check(page.pdf()[:4] == b"%PDF", "it cannot be printed")
    for place, most in [("on/11-20", 1), ("2026-10", 5)]:
        with viewed(browser, base, place, name="a wall on paper") as page:
            until(page, "eye.tiles().length > 2 && eye.tiles().every(tile => [...tile.querySelectorAll('img')].every(image => image.complete))")
            pages = page.pdf().count(b"/Type /Page\n")
            check(0 < pages <= most, f"the wall #{place} takes {pages} pages")
