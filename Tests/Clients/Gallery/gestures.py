# What fingers and the mouse mean, as one function of their events: a table of movements over a picture of 390 x 260 in a phone's window.
import re

from browser import check, opened

ROOM = {"width": 390, "height": 844, "size": {"width": 390, "height": 260}, "pixels": 4, "most": 8, "turn": 0,
        "at": {"scale": 1, "x": 0, "y": 0}, "newer": True, "older": True}
# What is other about the room.
ROOMS = {"-": {}, "last": {"older": False}, "turning": {"turn": 200}, "close": {"at": {"scale": 4, "x": 0, "y": 0}},
         "edge": {"at": {"scale": 4, "x": -585, "y": 0}}}

PLAY = """([events, room]) => {
    let [hand, intents] = [noHand, []];
    for (const event of events) {
        hand = gesture(hand, event, room);
        if (hand.intent) intents.push([hand.intent.kind, hand.intent.to].filter(Boolean).join(' '));
    }
    return { intents: intents.join(', ') || 'nothing', scale: hand.at.scale, x: hand.at.x, y: hand.at.y, turn: hand.turn, drop: hand.drop };
}"""


def event(kind, x, y, time, finger=1, pointer="touch"):
    return {"type": f"pointer{kind}", "pointerId": finger, "pointerType": pointer, "clientX": x, "clientY": y, "timeStamp": time}


# The words of a movement; `rest` is how long the finger stays in ms.
def drag(x, y, by_x, by_y, ms=100, rest=0, start=1000, end="up", **more):
    steps = [event("move", x + by_x * step / 5, y + by_y * step / 5, start + ms * step / 5, **more) for step in range(1, 6)]
    return [event("down", x, y, start, **more), *steps, event(end, x + by_x, y + by_y, start + ms + rest, **more)]


def tap(x, y, time=0, **more):
    return [event("down", x, y, time, **more), event("up", x, y, time + 50, **more)]


def pinch(start, end, move=0):
    # Both fingers beside the window's middle, so far from it, and then moved to the side.
    def both(kind, far, time, x=0):
        return [event(kind, 195 + x + side * far, 422, time, finger) for finger, side in [(1, -1), (2, 1)]]
    return [*both("down", start, 0), *both("move", end, 100, move), *both("up", end, 200, move)]


def back():
    # Far to the left, and then to the right without leaving the screen.
    return drag(300, 400, -200, 0, 400)[:-1] + drag(100, 400, 60, 0, 50, start=1400)[1:]


def more(*events):
    # After a pinch from 20 to 60, one finger of which stays.
    return pinch(20, 60)[:-2] + [event(*one) for one in events]


# The movement, the room, its events, what it is meant to do, and where that leads.
ROWS = """
a flick at the last day          last     drag(300, 400, -98, 0)                         settle         turn -30
a long way that rests            -        drag(300, 400, -200, 0, 400, 200)              step older     turn -192
a short way that rests           -        drag(300, 400, -100, 0, 400, 200)              settle         turn -92
a long way, and back by a flick  -        back()                                         settle
a flick that the system takes    -        drag(300, 400, -100, 0, end="cancel")          settle
a finger that trembles           -        drag(200, 400, 5, 3)                           tap            turn 0  drop 0
a tap that holds days that turn  turning  tap(300, 400)                                  settle         turn 200
a flick up                       -        drag(200, 500, 0, -60, 50)                     close
two taps that are apart          -        tap(100, 400) + tap(100, 400, 600)             tap, tap
two taps in two places           -        tap(100, 400) + tap(300, 400, 200)             tap, tap
three taps                       -        tap(9, 9) + tap(9, 9, 150) + tap(9, 9, 300)    tap, zoom, tap
the mouse drags to the side      -        drag(300, 400, -150, 0, 300, pointer="mouse")  step older
apart and to the side            -        pinch(20, 60, 50)                              nothing        scale 3  x 50
farther than they go             -        pinch(5, 180)                                  settle         scale 12.56
two fingers together             -        pinch(60, 40)                                  settle         scale .667
a finger moves it                close    drag(200, 400, -108, 8, 300, 200)              nothing        x -100  turn 0
a flick carries it on            close    drag(200, 400, -100, 8)                        carry          turn 0
its edge stops it                close    drag(300, 400, -900, 0, 300, 200)              nothing        x -585  turn 0
at its edge, a flick leads on    edge     drag(300, 400, -100, 0)                        step older     x -585
a finger more while days turn    -        drag(300, 400, -60, 0)[:-1] + [event("down", 100, 400, 1110, 2)]  nothing  turn -52  scale 1
a finger stays after a pinch     -        more(("up", 135, 422, 200), ("move", 205, 422, 300, 2))           nothing  x -50  scale 3
a third finger                   -        more(("down", 50, 50, 150, 3), ("move", 90, 90, 160, 3))          nothing  scale 3
"""

# A picture in a window, its pixels, and the scales that two taps go through.
SCALES = [
    ((390, 260), (390, 844), 12.3, [1, 844 / 260, 12.3]), ((1067, 800), (1280, 800), 1.5, [1, 1.5]),
    ((1200, 800), (1280, 800), 1.1, [1, 2]), ((390, 39), (390, 844), 8.5, [1, 8.5, 844 / 39]),
    ((400, 300), (1280, 800), .5, [1, 3.2]),
]


def gestures(browser, base, _):
    with opened(browser, base, "2026-11-20") as page:
        page.evaluate("load('viewer')")
        for row in ROWS.strip().splitlines():
            what, room, events, intents, *places = re.split(r" {2,}", row)
            found = page.evaluate(PLAY, [eval(events), ROOM | ROOMS[room]])
            wrong = [place for place in places if abs(found[place.split()[0]] - float(place.split()[1])) > .1]
            check(found["intents"] == intents and not wrong, f"gestures: {what}: {found} instead of {intents} {wrong}")
        for size, room, pixels, wanted in SCALES:
            found = page.evaluate("([size, room, pixels]) => scalesOf({ width: room[0], height: room[1], pixels, "
                                  "size: { width: size[0], height: size[1] } })", [size, room, pixels])
            check(found == wanted, f"gestures: {size} in {room}: {found} instead of {wanted}")
