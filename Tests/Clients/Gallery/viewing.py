"""The viewer: closer, farther, moved, turned, drawn away, by mouse, keys and fingers; its frame and text; videos; a slow line."""
import functools
import threading

from browser import Fingers, Quiet, attempt, check, go, opened, protocol, served, until, viewed

BOX = """() => {
    const { left, top, right, bottom, width, height } = document.querySelector('dialog[open] img').getBoundingClientRect();
    return { left, top, right, bottom, width, height };
}"""
SHOWN = "document.querySelector('dialog[open] img')?.naturalWidth > 0"
PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}


def viewing(browser, base, mirror):
    for task in [wheel, trackpad, keys, drag, taps, pinch, swipes, drops, frame, sheet, videos, lacking, stays,
                 rollover, others]:
        attempt(task.__name__, task, browser, base)
    slow(browser, mirror)


def box(page):
    return page.evaluate(BOX)


def view(page, date):
    until(page, SHOWN, what=f"the viewer of {date}")
    rest(page)
    return box(page)


def rest(page):
    """Until nothing glides or grows any more."""
    until(page, "document.getAnimations().every(animation => animation.playState === 'finished')", what="motion that ends")


def pressed(page, key):
    page.keyboard.press(key)
    rest(page)
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


# Two fingers on a trackpad, as events with their distances, an event in 16 ms; a Mac's are whole, and tell of three times them.
ROLL = """async ([ways, isMac]) => {
    const field = document.querySelector('#viewer .field');
    const [x, y] = [innerWidth / 2, innerHeight / 2];
    for (const [deltaX, deltaY] of ways) {
        const times = isMac ? -3 : -1;
        field.dispatchEvent(new WheelEvent('wheel', { deltaX, deltaY, wheelDeltaX: Math.trunc(times * deltaX),
            wheelDeltaY: Math.trunc(times * deltaY), clientX: x, clientY: y, bubbles: true, cancelable: true }));
        await new Promise(done => setTimeout(done, 16));
    }
}"""


def swiped(way, speed=60):
    """Two fingers that go faster for some events, and what rolls on by itself, ever slower."""
    sizes = [2.25, 9.5, 31.75, speed] + [speed * .93 ** step for step in range(1, 40)]
    return [[round(size * way * 4) / 4, 0.25] for size in sizes]


def trackpad(browser, base):
    with viewed(browser, base, "view/2026-11-20/2026-11", name="a trackpad") as page:
        first = view(page, "2026-11-20")
        session = protocol(page)
        for delta in [-12.5, -31.25, -56.25]:
            session.send("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": 640, "y": 400, "deltaX": 0, "deltaY": delta, "modifiers": 2})
        until(page, f"width => Math.abs(({BOX})().width / width - Math.E) < 0.02", first["width"], "a pinch of 100 is 2.7 times as near")
        for is_mac in [False, True]:
            before = box(page)
            # Forty, three times over, are as much as a notch.
            ways = [[5, 40]] * 3 if is_mac else [[4.5, 2.25]] * 10
            page.evaluate(ROLL, [ways, is_mac])
            after = box(page)
            moved = [before["left"] - after["left"], before["top"] - after["top"]]
            wanted = [sum(way) for way in zip(*ways)]
            check(all(abs(a - b) < 2 for a, b in zip(moved, wanted)), f"two fingers move it by {moved} instead of {wanted}")
            check(after["width"] == before["width"] and "2026-11-20" in page.url, "two fingers zoom, or lead to another day")
        page.keyboard.press("0")
        rest(page)
        for is_mac in [False, True]:
            page.evaluate(ROLL, [swiped(1), is_mac])
            until(page, "location.hash.includes('2026-11-17')", what="the older day that can be seen, and no other, by two fingers")
            page.wait_for_timeout(300)
            page.evaluate(ROLL, [swiped(-1), is_mac])
            until(page, "location.hash.includes('2026-11-20')", what="the newer day, and no other, by two fingers")
            page.wait_for_timeout(300)
        # The second of two swipes comes before the first one has rolled out.
        page.evaluate(ROLL, [swiped(1)[:25] + swiped(1), True])
        until(page, "location.hash.includes('2026-11-16')", what="two days by two swipes")
        check(page.evaluate("seen.at.scale") == 1, "two fingers bring it closer")


def keys(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="keys") as page:
        first = view(page, "2026-11-09")
        check(first["left"] >= -1 and first["right"] <= 1281 and first["top"] >= -1 and first["bottom"] <= 801, "it is not whole")
        check(pressed(page, "+")["width"] > 1.2 * first["width"], "+ does not bring it closer")
        check(abs(pressed(page, "-")["width"] - first["width"]) < 1, "- does not bring it back")
        check(abs(pressed(page, "-")["width"] - first["width"]) < 1, "- makes it smaller than the window")
        width = pressed(page, "1")["width"]
        check(abs(width - 4800) < 2, f"1 shows {width} pixels of 4800")
        check(page.evaluate("eye.words('1:1')"), "1 does not say 1:1")
        until(page, "document.querySelector('dialog[open] img').currentSrc.endsWith('.png')", what="the original, closer", limit=15)
        left = box(page)["left"]
        check(pressed(page, "ArrowRight")["left"] < left and "2026-11-09" in page.url, "an arrow does not move it where it is close")
        for _ in range(80):
            page.keyboard.press("ArrowRight")
        rest(page)
        check(abs(box(page)["right"] - 1280) < 2, f"it is moved out of the window: {box(page)}")
        check(abs(pressed(page, "0")["width"] - first["width"]) < 1, "0 does not show it whole")
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
        before = pressed(page, "1")
        page.mouse.move(600, 400)
        page.mouse.down()
        page.mouse.move(500, 350, steps=5)
        page.wait_for_timeout(200)
        page.mouse.up()
        after = box(page)
        moved = (round(after["left"] - before["left"]), round(after["top"] - before["top"]))
        check(abs(moved[0] + 100) < 10 and abs(moved[1] + 50) < 10, f"the mouse moves it by {moved} instead of (-100, -50)")
        check("2026-11-09" in page.url, "moving it leads to another day")
        for _ in range(6):
            page.mouse.move(100, 100)
            page.mouse.down()
            page.mouse.move(900, 750, steps=4)
            page.mouse.up()
        rest(page)
        check(abs(box(page)["left"]) < 2 and abs(box(page)["top"]) < 2, f"it is moved away from the edge: {box(page)}")


def taps(browser, base):
    with viewed(browser, base, "view/2026-11-09", name="taps", **PHONE) as page:
        first = view(page, "2026-11-09")
        for what, width in [("fill the window", 1267), ("show its pixels", 4800), ("show it whole", first["width"])]:
            double_tap(page, 100, 400)
            until(page, f"width => Math.abs(({BOX})().width - width) < 2", width, f"two taps {what}")
        # The time of two taps that are apart is the page's, not the test's.
        Fingers(page).tap(100, 400)
        page.wait_for_timeout(800)
        Fingers(page).tap(100, 400)
        rest(page)
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
        page.locator("figure a").first.tap(position={"x": 30, "y": 30})
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


def drops(browser, base):
    """Down or up moves the picture while the page shows below, and far enough leads back to the day; a little does not."""
    with viewed(browser, base, "2026-11-20", name="drops", **PHONE) as page:
        until(page, SHOWN.replace("dialog[open]", "main figure"))
        for way in [200, -200]:
            page.locator("figure a").first.tap(position={"x": 30, "y": 30})
            first = view(page, "2026-11-20")
            fingers = Fingers(page)
            fingers.put("touchStart", (200, 420))
            for step in range(1, 6):
                fingers.put("touchMove", (200, 420 + way * step / 5))
            until(page, f"way => Math.abs(({BOX})().top - way) < 12", first["top"] + way, "a picture that is drawn away")
            check(page.evaluate("getComputedStyle(dark).opacity") < "0.7", "the black stays where a picture is drawn away")
            check(page.evaluate("!document.querySelector('main').checkVisibility() === false"), "no page below")
            fingers.put("touchEnd")
            until(page, "location.hash === '#2026-11-20' && !document.querySelector('dialog[open]')", what="the day, by drawing it away")
            rest(page)
        page.locator("figure a").first.tap(position={"x": 30, "y": 30})
        first = view(page, "2026-11-20")
        slowly(page, (200, 420), (200, 480))
        rest(page)
        check(box(page) == first, "a picture that is drawn a little does not go back to its place")


def slowly(page, start, end):
    fingers = Fingers(page)
    fingers.put("touchStart", start)
    for step in range(1, 5):
        fingers.put("touchMove", tuple(a + (b - a) * step / 4 for a, b in zip(start, end)))
        page.wait_for_timeout(40)
    page.wait_for_timeout(150)
    fingers.put("touchEnd")


FRAME = "Number(getComputedStyle(document.querySelector('#viewer .bar')).opacity)"


def frame(browser, base):
    """A tap takes it away and brings it back; so do a mouse that rests and one that moves. The keys bring it as well."""
    with viewed(browser, base, "view/2026-11-14/favorites/Comets", name="the frame", **PHONE) as page:
        view(page, "2026-11-14")
        for wanted in [0, 1]:
            Fingers(page).tap(200, 400)
            until(page, f"wanted => {FRAME} === wanted", wanted, f"a tap: the frame at {wanted}")
        sizes = page.evaluate("[...document.querySelectorAll('#viewer .bar button:not([hidden])')].map(one => one.getBoundingClientRect().toJSON()).filter(one => one.width)")
        check(all(size["width"] >= 44 and size["height"] >= 44 for size in sizes), f"buttons of {sizes}")
        words = page.evaluate("document.querySelector('.name p').innerText")
        check(words.split("\n")[1:] == ["14 November 2026 · 2 of 3"], f"below the picture: {words!r}")
        check(not page.evaluate("document.querySelector('#viewer > .older').checkVisibility()"), "a phone has buttons at its sides")
    with viewed(browser, base, "view/2026-11-17", name="the frame and a mouse") as page:
        view(page, "2026-11-17")
        page.mouse.move(500, 500)
        until(page, f"{FRAME} === 0", what="a mouse that rests", limit=20)
        page.mouse.move(510, 500)
        until(page, f"{FRAME} === 1", what="a mouse that moves")
        until(page, f"{FRAME} === 0", what="a mouse that rests again", limit=20)
        page.keyboard.press("Tab")
        until(page, f"{FRAME} === 1", what="the frame by Tab")
        page.mouse.move(510, 510)
        for wanted in ["zoom-in", "zoom-out"]:
            until(page, "wanted => getComputedStyle(document.querySelector('.shown')).cursor === wanted", wanted, "the cursor")
            before = box(page)["width"]
            page.mouse.click(510, 510)
            rest(page)
            check((box(page)["width"] > before) == (wanted == "zoom-in"), f"a click at {wanted}")


def sheet(browser, base):
    """A phone's text stands below the picture, and is pulled by its title."""
    height = "document.querySelector('.words').getBoundingClientRect().height"
    with viewed(browser, base, "view/2026-11-09", name="the text", **PHONE) as page:
        view(page, "2026-11-09")
        page.get_by_role("button", name="Text").tap()
        until(page, f"Math.abs({height} - 422) < 2", what="half a phone's height")
        until(page, f"() => ({BOX})().bottom < 424", what="the picture above the text")
        grip = page.locator(".grip").bounding_box()
        y = grip["y"] + 10
        slowly(page, (200, y), (200, y - 300))
        until(page, f"{height} > 742", what="a text that is pulled up")
        slowly(page, (200, 110), (200, 780))
        until(page, "document.querySelector('.words').hidden", what="a text that is pulled away")
        check(page.get_by_role("button", name="Text").get_attribute("aria-expanded") == "false", "the button says that it is there")


def rollover(browser, base):
    """A day's page changes its picture under the mouse, by the button, by a finger on it, and by o."""
    over = "Number(getComputedStyle(document.querySelector('.over')).opacity)"
    with viewed(browser, base, "2026-10-29", name="a rollover") as page:
        until(page, "eye.image('2026-10-29')")
        check(not any("(2)" in address for address in page.asked), "the other picture is loaded before it is asked for")
        page.evaluate("""window.runs = 0; document.addEventListener('transitionrun',
            ({ target }) => { if (target.matches('.over')) runs += 1; })""")
        page.mouse.move(640, 300)
        until(page, f"document.querySelector('.over') && {over} === 1", what="the other picture under the mouse")
        check(page.evaluate("runs") == 1, "the other picture does not fade in")
        page.mouse.move(5, 700)
        until(page, f"{over} === 0", what="the first picture, without the mouse")
        page.keyboard.press("o")
        until(page, f"{over} === 1", what="the other picture by o")
        check(page.url.endswith("#2026-10-29"), "o leads to another view from a day with two pictures")
        button = page.get_by_role("button", name="The other picture")
        check(button.get_attribute("aria-pressed") == "true", "the button does not say that the other picture is shown")
        button.click()
        until(page, f"{over} === 0", what="the first picture by the button")
        go(page, "2026-10-28")
        until(page, "document.querySelector('.beside img')?.naturalWidth === 1600", what="a second picture that is no rollover")
        check(page.locator(".beside img").get_attribute("alt") == "From the other side", "the second picture has no words of its own")
        check(not button.count(), "a day without a rollover has its button")
        page.keyboard.press("o")
        until(page, "location.hash === '#on/10-28'", what="the day in every year by o, where there is no rollover")
    with viewed(browser, base, "2026-10-29", name="a rollover and a finger", **PHONE) as page:
        until(page, "eye.image('2026-10-29')")
        for wanted in [1, 0]:
            page.get_by_role("button", name="The other picture").tap()
            until(page, f"wanted => document.querySelector('.over') && {over} === wanted", wanted, f"a tap on the button: {wanted}")


def others(browser, base):
    """The viewer crossfades to the day's other picture and back, in place and at the same zoom, by o and by its button."""
    other = "document.querySelector('.here .shown')?.currentSrc.endsWith('(2).png') && document.querySelectorAll('.here').length === 1"
    spy = """() => {
        window.faded = [];
        const { animate } = Element.prototype;
        Element.prototype.animate = function (places, time) {
            if (this.matches('.here')) faded.push(time);
            return animate.call(this, places, time);
        };
    }"""
    for wish, fades in [("no-preference", [150, 150]), ("reduce", [])]:
        with viewed(browser, base, "view/2026-10-29", name="the other picture", reduced_motion=wish) as page:
            view(page, "2026-10-29")
            page.evaluate(spy)
            page.keyboard.press("1")
            page.keyboard.press("ArrowRight")
            rest(page)
            before = box(page)
            page.keyboard.press("o")
            until(page, other, what="the other picture by o")
            rest(page)
            check(box(page) == before, f"the other picture stands at {box(page)} instead of {before}")
            check(page.locator(".here .shown").get_attribute("aria-label") == "The same with names", "it has no words of its own")
            page.get_by_role("button", name="The other picture").click()
            until(page, f"!({other}) && document.querySelectorAll('.here').length === 1", what="the first picture by the button")
            rest(page)
            check(box(page) == before, f"the first picture comes back at {box(page)} instead of {before}")
            check(page.evaluate("faded") == fades, f"with motion {wish}, it fades in {page.evaluate('faded')} ms")
    with viewed(browser, base, "view/2026-10-28", name="the other picture on a phone", **PHONE) as page:
        view(page, "2026-10-28")
        button = page.get_by_role("button", name="The other picture")
        size = button.bounding_box()
        check(size["width"] >= 44 and size["height"] >= 44, f"the button is {size}")
        button.tap()
        until(page, other, what="a second picture that is no rollover")
        fingers = Fingers(page)
        for start, end, wanted in [(300, 80, "2026-10-27"), (80, 300, "2026-10-28")]:
            fingers.move([(start, 400)], [(end, 400)])
            until(page, "date => location.hash === '#view/' + date && Boolean(eye.image(date))", wanted, f"a swipe to {wanted}")
            rest(page)
            check(button.count() == (wanted == "2026-10-28"), f"the button on {wanted}")
        check(page.evaluate("document.querySelectorAll('.slide').length <= 3 && document.querySelectorAll('.here').length === 1"),
              "pictures are left behind")


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
    for place in ["2026-11-16", "view/2026-11-16"]:
        for where in ["on", "beside"]:
            with viewed(browser, base, place, name=f"a swipe {where} the video of #{place}", **PHONE) as page:
                until(page, "eye.top().querySelector('video')")
                rest(page)
                video = page.locator("dialog[open] video" if place[0] == "v" else "main video").bounding_box()
                y = video["y"] + (video["height"] / 3 if where == "on" else video["height"] + 60)
                Fingers(page).move([(300, y)], [(80, y)])
                # A day's page leads to the next day of any kind.
                wanted = place.replace("16", "14" if place[0] == "v" else "15")
                until(page, "wanted => location.hash === '#' + wanted", wanted, f"a swipe {where} the video of #{place}")


def lacking(browser, base):
    """What the viewer cannot show is passed over: 15, 12 and 11 November have no picture."""
    with viewed(browser, base, "view/2026-11-20", name="days without pictures") as page:
        view(page, "2026-11-20")
        for date in ["2026-11-17", "2026-11-16", "2026-11-14", "2026-11-13", "2026-11-10"]:
            page.keyboard.press("ArrowRight")
            until(page, "date => location.hash === '#view/' + date && eye.words(apod.days.get(date).title)", date, f"→ to {date}")
        page.keyboard.press("ArrowLeft")
        until(page, "location.hash === '#view/2026-11-13'", what="← over them")
        go(page, "view/2026-11-12")
        until(page, "!document.querySelector('dialog[open]') && eye.words('cut off or damaged')", what="a day without a picture, by its address")


def slow(browser, mirror):
    """On a slow line, it says that a picture comes, and that an original broke off."""
    gates = {"-1280.jpg": threading.Event(), ".png": threading.Event()}

    class Held(Quiet):
        def do_GET(self):
            path = self.path.partition("?")[0]
            gate = next((gate for end, gate in gates.items() if "2026-11-09" in path and path.endswith(end)), None)
            if gate:
                gate.wait(60)
            if path.endswith(".png") and gate:
                # It breaks off.
                self.send_response(200)
                self.send_header("Content-Length", "400000")
                self.end_headers()
                self.wfile.write(b"\x89PNG")
                self.close_connection = True
                return
            super().do_GET()

    base = served(functools.partial(Held, directory=mirror.root))
    with opened(browser, base, "view/2026-11-09", name="a slow line", may_say=["favicon", "ERR_"]) as page:
        until(page, "eye.words('Loading …')", what="a copy that comes")
        check(page.evaluate("getComputedStyle(document.querySelector('.shown')).backgroundImage.includes('480')"), "no smaller copy meanwhile")
        gates["-1280.jpg"].set()
        until(page, "!eye.words('Loading …') && document.querySelector('.shown').naturalWidth > 0", what="the copy")
        page.keyboard.press("1")
        until(page, "eye.words('Loading 400 KB …')", what="an original that comes")
        gates[".png"].set()
        until(page, "eye.words('The original cannot be loaded.')", what="an original that broke off")


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
