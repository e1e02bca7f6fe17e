# How it feels on a phone whose processor is four times slower: the frames between two states.
import os

from browser import check, opened, protocol, until
from play import HANDS, PHONE, Hand, rows

# Notes at each frame where the picture stands: growing, turned, zoomed or moved; and which pictures outside the window are asked
# for while it flies.
FILM = """() => {
    Object.assign(eye, { film: [], early: 0 });
    const note = now => {
        const flying = eye.find('img.flying'), { left, top, width } = (flying ?? eye.find('.here .shown'))?.getBoundingClientRect() ?? {};
        eye.film.push([now, [left, top, width].join(' ')]);
        if (flying?.getAnimations()[0]?.currentTime < 150)
            eye.early += [...document.querySelectorAll('.wall img[src]')].filter(image => !eye.inWindow(image)).length;
        if (eye.film.length < 600) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""

FRAMES = """
frames  phone
    run follow('[data-date="2026-10-31"] a')    drawn === '2026-10-31' && one('figure img')
    corner figure a              viewer.open && wide() > 0
    flick 330, 400, 90, 400      seen?.day.date === '2026-10-30'
    flick 60, 400, 300, 400      seen?.day.date === '2026-10-31'
    run twice(200, 400)          seen.at.scale > 1
    0                            seen.at.scale === 1
    flick 200, 300, 200, 600     drawn === '2026-10-31' && !viewer.open
    Escape                       drawn === 'timeline'
"""


# How many frames the picture moves in, and the longest time between two of them.
def filmed(page, hand, action, end):
    page.evaluate(FILM)
    hand.act(action)
    until(page, f"{end} && !isMoving()", what=f"what {action!r} leads to")
    film = page.evaluate("eye.film.splice(0, 600, ...Array(600))")
    times = [now for (now, state), (_, before) in zip(film[1:], film) if state != before]
    return len(times), -max((b - a for a, b in zip(times, times[1:])), default=0)


def feel(browser, base, _):
    (_, steps), = rows(FRAMES)
    with opened(browser, base, "2026-10", script=HANDS, **PHONE) as page:
        until(page, "image('2026-10-31')")
        protocol(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        hand, best = Hand(page, base, True), {}
        for _ in range(3):
            for action, end in steps:
                best[action] = [max(pair) for pair in zip(best.get(action, (0, -999)), filmed(page, hand, action, end))]
            check(page.evaluate("eye.early") == 0, "pictures that nobody sees are asked for while one flies back into its tile")
            page.wait_for_timeout(500)
    # A busy machine holds up any frame. Three frames of a screen are 50 ms and a bit.
    least, longest = (3, 9999) if os.getloadavg()[0] > os.cpu_count() else (12, 50.5)
    for what, (count, most) in best.items():
        check(count >= least and -most < longest, f"{what}: {count} frames, one of {-most:.0f} ms")
    with opened(browser, base, "2026-10-31", script=HANDS, reduced_motion="reduce", **PHONE) as page:
        until(page, "one('figure img')?.naturalWidth")
        count, _ = filmed(page, Hand(page, base, True), *steps[1])
        check(count <= 2, f"less motion: the day opens in {count} frames")
