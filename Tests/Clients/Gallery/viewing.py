"""The viewer: closer, farther, moved, swiped, by mouse, keys and fingers; videos; and that it stays in the gallery."""
from browser import Fingers, check, until, viewed

BOX = """() => {
    const { left, top, right, bottom, width, height } = document.querySelector('dialog[open] img').getBoundingClientRect();
    return { left, top, right, bottom, width, height };
}"""
SHOWN = "document.querySelector('dialog[open] img')?.naturalWidth > 0"
PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}


def viewing(browser, base, _):
    for task in [wheel, keys, drag, taps, pinch, swipes, videos, stays]:
        task(browser, base)


def box(page):
    return page.evaluate(BOX)


def view(page, date):
    until(page, SHOWN, what=f"the viewer of {date}")
    page.wait_for_timeout(100)
    return box(page)


def wheel(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="wheel") as page:
        first = view(page, "2026-11-09")
        x, y = first["left"] + first["width"] * .75, first["top"] + first["height"] * .25
        page.mouse.move(x, y)
        page.mouse.wheel(0, -400)
        until(page, f"width => ({BOX})().width > 1.5 * width", first["width"], "the wheel brings it closer")
        near = box(page)
        at = [(x - near["left"]) / near["width"], (y - near["top"]) / near["height"]]
        check(abs(at[0] - .75) < .01 and abs(at[1] - .25) < .01, f"the point below the mouse moves to {at}")
        for _ in range(30):
            page.mouse.wheel(0, -400)
        until(page, f"() => ({BOX})().width > 4000", what="the original's pixels by the wheel")
        page.wait_for_timeout(200)
        check(box(page)["width"] < 4800 * 2.1, "the wheel has no end")
        for _ in range(40):
            page.mouse.wheel(0, 400)
        until(page, f"width => Math.abs(({BOX})().width - width) < 1", first["width"], "the wheel brings it back, whole")
        check(abs(box(page)["left"] - first["left"]) < 1, "the picture is not in the middle again")


def keys(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="keys") as page:
        first = view(page, "2026-11-09")
        check(first["left"] >= -1 and first["right"] <= 1281 and first["top"] >= -1 and first["bottom"] <= 801, "it is not whole")
        page.keyboard.press("+")
        closer = box(page)["width"]
        check(closer > 1.2 * first["width"], "+ does not bring it closer")
        page.keyboard.press("-")
        check(abs(box(page)["width"] - first["width"]) < 1, "- does not bring it back")
        page.keyboard.press("-")
        check(abs(box(page)["width"] - first["width"]) < 1, "- makes it smaller than the window")
        page.keyboard.press("1")
        check(abs(box(page)["width"] - 4800) < 2, f"1 shows {box(page)['width']} pixels of 4800")
        until(page, "document.querySelector('dialog[open] img').currentSrc.endsWith('.png')", what="the original, closer", limit=15)
        left = box(page)["left"]
        page.keyboard.press("ArrowRight")
        check(box(page)["left"] < left and "2026-11-09" in page.url, "an arrow does not move it where it is close")
        for _ in range(80):
            page.keyboard.press("ArrowRight")
        check(abs(box(page)["right"] - 1280) < 2, f"it is moved out of the window: {box(page)}")
        page.keyboard.press("0")
        check(abs(box(page)["width"] - first["width"]) < 1, "0 does not show it whole")
        page.keyboard.press("i")
        until(page, "eye.words('Somebody & ')", what="the words by i")
        until(page, f"() => ({BOX})().right <= document.querySelector('dialog[open] .words').getBoundingClientRect().left + 1",
              what="the words beside the picture")
        page.keyboard.press("i")
        until(page, "!eye.words('Somebody & ')", what="the words go by i")
        page.keyboard.press("ArrowRight")
        until(page, "location.hash === '#view/2026-11-08'", what="the older day by a key")
        page.keyboard.press("ArrowLeft")
        until(page, "location.hash === '#view/2026-11-09'", what="the newer day by a key")
        page.get_by_role("button", name="Older").click()
        until(page, "location.hash === '#view/2026-11-08'", what="the older day by a button")
        page.get_by_role("button", name="Close").click()
        until(page, "location.hash === '#2026-11-08' && !document.querySelector('dialog[open]')", what="the day, by the button")
    for date, name in [("2026-11-22", "Newer"), ("2024-02-01", "Older")]:
        with viewed(browser, base, f"view/{date}", name="ends") as page:
            view(page, date)
            check(page.get_by_role("button", name=name).is_disabled(), f"{name} leads somewhere from {date}")


def drag(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="drag") as page:
        view(page, "2026-11-09")
        page.keyboard.press("1")
        before = box(page)
        page.mouse.move(600, 400)
        page.mouse.down()
        page.mouse.move(500, 350, steps=5)
        page.mouse.up()
        after = box(page)
        moved = (round(after["left"] - before["left"]), round(after["top"] - before["top"]))
        check(moved == (-100, -50), f"the mouse moves it by {moved} instead of (-100, -50)")
        check("2026-11-09" in page.url, "moving it leads to another day")
        page.mouse.move(100, 100)
        for _ in range(6):
            page.mouse.move(100, 100)
            page.mouse.down()
            page.mouse.move(1270, 700, steps=4)
            page.mouse.up()
        check(abs(box(page)["left"]) < 2 and abs(box(page)["top"]) < 2, f"it is moved away from the edge: {box(page)}")


def taps(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="taps", **PHONE) as page:
        first = view(page, "2026-11-09")
        # Within the first moments of a page, its first tap counts as a second one.
        until(page, "performance.now() > 500")
        double_tap(page, 100, 400)
        until(page, f"width => ({BOX})().width > 1.9 * width", first["width"], "two taps bring it closer")
        double_tap(page, 100, 400)
        until(page, f"width => Math.abs(({BOX})().width - width) < 1", first["width"], "two taps bring it back")
        # The time of two taps that are apart is the page's, not the test's.
        Fingers(page).tap(100, 400)
        page.wait_for_timeout(800)
        Fingers(page).tap(100, 400)
        page.wait_for_timeout(200)
        check(abs(box(page)["width"] - first["width"]) < 1, "two taps that are apart count as one double")


def double_tap(page, x, y):
    """Both in one go. Where a busy machine stood still between them, they are two taps, and are made again."""
    for _ in range(5):
        apart = page.evaluate("""([x, y]) => {
            const field = document.elementFromPoint(x, y).closest('.field');
            field.setPointerCapture = () => {};
            const tap = id => ['pointerdown', 'pointerup'].map(name => {
                const event = new PointerEvent(name, { clientX: x, clientY: y, pointerId: id, pointerType: 'touch',
                    bubbles: true, cancelable: true, isPrimary: true });
                field.dispatchEvent(event);
                return event.timeStamp;
            })[1];
            return -tap(71) + tap(72);
        }""", [x, y])
        if apart < 300:
            return
        page.wait_for_timeout(800)


def pinch(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="pinch", **PHONE) as page:
        first = view(page, "2026-11-09")
        fingers = Fingers(page)
        fingers.move([(185, 400), (205, 400)], [(65, 400), (325, 400)])
        until(page, f"width => ({BOX})().width > 5 * width", first["width"], "two fingers bring it closer")
        left = box(page)["left"]
        fingers.move([(250, 400)], [(150, 400)])
        until(page, f"left => ({BOX})().left < left - 60", left, "a finger moves it where it is close")
        check("2026-11-09" in page.url, "a finger that moves it leads to another day")
        fingers.move([(65, 400), (325, 400)], [(185, 400), (205, 400)])
        fingers.move([(65, 400), (325, 400)], [(185, 400), (205, 400)])
        until(page, f"width => Math.abs(({BOX})().width - width) < 1", first["width"], "two fingers bring it back, whole")
        check("2026-11-09" in page.url, "two fingers lead to another day")


def swipes(browser, base):
    """A swipe leads through the wall that one came from: an album, not the calendar."""
    with viewed(browser, base, "favorites/Comets", name="swipes", **PHONE) as page:
        until(page, "eye.tile('2026-11-17')")
        page.get_by_role("link", name="A Flight").first.tap()
        until(page, "location.hash === '#2026-11-17/favorites/Comets'")
        page.locator("figure a").tap()
        view(page, "2026-11-17")
        fingers = Fingers(page)
        for start, end, wanted in [(300, 80, "2026-11-14"), (300, 80, "2024-02-29"), (80, 300, "2026-11-14")]:
            fingers.move([(start, 400)], [(end, 400)])
            until(page, "date => location.hash.startsWith('#view/' + date) && Boolean(eye.image(date))", wanted, f"a swipe to {wanted}")
        before = page.evaluate("location.hash")
        fingers.move([(200, 400)], [(230, 400)])
        page.wait_for_timeout(300)
        check(page.evaluate("location.hash") == before, "a short swipe leads on")
        check(abs(box(page)["left"] + box(page)["right"] - 390) < 2, "a short swipe leaves the picture beside its place")
        page.keyboard.press("Escape")
        until(page, "!document.querySelector('dialog[open]')", what="out of the viewer")
        until(page, "location.hash === '#2026-11-14/favorites/Comets' && Boolean(eye.image('2026-11-14'))", what="the day seen last")
        page.keyboard.press("Escape")
        until(page, "location.hash === '#favorites/Comets'", what="the wall that one came from")


def videos(browser, base):
    for place in ["2026-11-16", "view/2026-11-16"]:
        with viewed(browser, base, place, name=f"the video of #{place}") as page:
            until(page, "eye.top().querySelector('video')", what="a video")
            page.evaluate("{ const video = eye.top().querySelector('video'); video.muted = true; video.play().catch(() => {}); }")
            until(page, "eye.top().querySelector('video').currentTime > 0.05", what=f"the video of #{place} plays", limit=15)
            check(page.evaluate("eye.isWhole(eye.top().querySelector('video'))"), f"the video of #{place} is not whole")
            if place[0] == "v":
                page.keyboard.press("Escape")
                until(page, "!document.querySelector('dialog[open]') && !document.querySelector('#viewer video')", what="the video ends")


def stays(browser, base):
    """A swipe over the page's edge does not leave the gallery."""
    with viewed(browser, base, "2026-11-20", name="edges", **PHONE) as page:
        until(page, "document.querySelector('main article h2')")
        for element in ["documentElement", "body"]:
            check(page.evaluate(f"getComputedStyle(document.{element}).overscrollBehaviorX") == "none", "a swipe leaves the page")
        fingers = Fingers(page)
        fingers.move([(80, 300)], [(300, 310)])
        until(page, "location.hash === '#2026-11-21'", what="a swipe to the newer day")
        fingers.move([(300, 300)], [(80, 310)])
        until(page, "location.hash === '#2026-11-20'", what="a swipe to the older day")
        fingers.move([(200, 600)], [(260, 300)])
        page.wait_for_timeout(300)
        check(page.evaluate("location.hash") == "#2026-11-20", "scrolling leads to another day")
