"""Pictures of each view in both themes at eight sizes, for a person to look at."""
import os

from browser import WHOLE, until, viewed, visit

# What is pressed there.
KEYS = {"text": "i", "pixels": "1"}
SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (1440, 900), (2560, 1440), (3840, 2160)]
VIEWS = {"home": "", "month": "2026-10", "favorites": "favorites", "album": "favorites/Comets", "on": "on/11-20",
         "search": "search/comet", "day": "2026-11-14/favorites/Comets", "hostile": "2026-11-21", "lacking": "2026-11-19",
         "viewer": "view/2026-11-20", "text": "view/2026-11-20", "pixels": "view/2026-11-09", "slideshow": "slideshow=favorites,60"}


def shots(browser, base, out):
    os.makedirs(out, exist_ok=True)
    for width, height in SIZES:
        for theme in ["light", "dark"]:
            with viewed(browser, base, "", (width, height), color_scheme=theme, name="shots",
                        has_touch=width < 1000) as page:
                for name, place in VIEWS.items():
                    visit(page, base, place)
                    until(page, WHOLE + " && [...document.images].every(image => image.complete)", what=f"#{place} at {width}",
                          limit=15)
                    if name in KEYS:
                        page.keyboard.press(KEYS[name])
                    page.wait_for_timeout(400)
                    page.screenshot(path=f"{out}/{name}-{width}x{height}-{theme}.png")
