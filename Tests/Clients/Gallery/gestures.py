"""What fingers and the mouse mean: a table of movements over a picture of 390 x 260 in a window of 390 x 844."""
from browser import check, opened

ROOM = {"width": 390, "height": 844, "size": {"width": 390, "height": 260}, "pixels": 4, "most": 8, "turn": 0,
        "at": {"scale": 1, "x": 0, "y": 0}, "newer": True, "older": True}
CLOSE = {"at": {"scale": 4, "x": 0, "y": 0}}
EDGE = {"at": {"scale": 4, "x": -585, "y": 0}}

PLAY = """([events, room]) => {
    let [hand, intents] = [noHand, []];
    for (const event of events) {
        hand = gesture(hand, event, room);
        if (hand.intent) intents.push([hand.intent.kind, hand.intent.to].filter(Boolean).join(' '));
    }
    return { intents: intents.join(', '), scale: hand.at.scale, x: hand.at.x, y: hand.at.y, turn: hand.turn, drop: hand.drop };
}"""


def event(kind, x, y, time, finger=1, pointer="touch"):
    return {"type": f"pointer{kind}", "pointerId": finger, "pointerType": pointer, "clientX": x, "clientY": y, "timeStamp": time}


def drag(x, y, by_x, by_y, ms=100, *, rest=0, start=1000, end="up", **more):
    steps = [event("move", x + by_x * step / 5, y + by_y * step / 5, start + ms * step / 5, **more) for step in range(1, 6)]
    return [event("down", x, y, start, **more), *steps, event(end, x + by_x, y + by_y, start + ms + rest, **more)]


def tap(x, y, time, **more):
    return [event("down", x, y, time, **more), event("up", x, y, time + 50, **more)]


def pinch(start, end, *, move=0):
    """Both fingers beside the window's middle, so far from it, and then moved to the side."""
    def both(kind, far, time, x=0):
        return [event(kind, 195 + x + side * far, 422, time, finger) for finger, side in [(1, -1), (2, 1)]]
    return [*both("down", start, 0), *both("move", end, 100, move), *both("up", end, 200, move)]


# The movement, its events, what is other about the room, and what comes of it.
ROWS = [
    ("a flick to the left", drag(300, 400, -100, 5), {}, {"intents": "step older"}),
    ("a flick to the right", drag(100, 400, 100, 5), {}, {"intents": "step newer"}),
    ("a flick at the last day", drag(300, 400, -98, 0), {"older": False}, {"intents": "settle", "turn": -30}),
    ("a long way that comes to rest", drag(300, 400, -200, 0, 400, rest=200), {}, {"intents": "step older", "turn": -192}),
    ("a short way that comes to rest", drag(300, 400, -100, 0, 400, rest=200), {}, {"intents": "settle", "turn": -92}),
    ("a long way, and back by a flick", drag(300, 400, -200, 0, 400)[:-1] + drag(100, 400, 60, 0, 50, start=1400)[1:], {},
     {"intents": "settle"}),
    ("a flick that the system takes away", drag(300, 400, -100, 0, end="cancel"), {}, {"intents": "settle"}),
    ("a finger that trembles", drag(200, 400, 5, 3), {}, {"intents": "tap", "turn": 0, "drop": 0}),
    ("a flick in days that still turn", drag(300, 400, -100, 0), {"turn": 200}, {"intents": "step older", "turn": 100}),
    ("a tap that holds days that turn", tap(300, 400, 0), {"turn": 200}, {"intents": "settle", "turn": 200}),
    ("far down", drag(200, 300, 10, 150, 500, rest=200), {}, {"intents": "close", "drop": 142}),
    ("a little down", drag(200, 300, 0, 60, 500, rest=200), {}, {"intents": "settle"}),
    ("a flick up", drag(200, 500, 0, -60, 50), {}, {"intents": "close"}),
    ("one tap", tap(100, 400, 0), {}, {"intents": "tap", "scale": 1}),
    ("two taps", tap(100, 400, 0) + tap(105, 402, 200), {}, {"intents": "tap, zoom"}),
    ("two taps that are apart", tap(100, 400, 0) + tap(100, 400, 600), {}, {"intents": "tap, tap"}),
    ("two taps in two places", tap(100, 400, 0) + tap(300, 400, 200), {}, {"intents": "tap, tap"}),
    ("three taps", tap(100, 400, 0) + tap(100, 400, 150) + tap(100, 400, 300), {}, {"intents": "tap, zoom, tap"}),
    ("a click", tap(100, 400, 0, pointer="mouse"), {}, {"intents": "zoom"}),
    ("the mouse drags to the side", drag(300, 400, -150, 0, 300, pointer="mouse"), {}, {"intents": "step older"}),
    ("two fingers apart", pinch(20, 60), {}, {"scale": 3, "x": 0, "intents": ""}),
    ("two fingers apart and to the side", pinch(20, 60, move=50), {}, {"scale": 3, "x": 50}),
    ("two fingers farther than they go", pinch(5, 180), {}, {"scale": 8 * 4.5 ** .3, "intents": "settle"}),
    ("two fingers together", pinch(60, 40), {}, {"scale": 1 / 1.5, "intents": "settle"}),
    ("close: a finger moves it", drag(200, 400, -108, 8, 300, rest=200), CLOSE, {"x": -100, "turn": 0, "intents": ""}),
    ("close: a flick carries it on", drag(200, 400, -100, 8), CLOSE, {"turn": 0, "intents": "carry"}),
    ("close: its edge stops it", drag(300, 400, -900, 0, 300, rest=200), CLOSE, {"x": -585, "turn": 0, "intents": ""}),
    ("close: down moves it", drag(200, 300, 0, 200, 300, rest=200), CLOSE, {"y": 98, "drop": 0, "intents": ""}),
    ("at its edge: a flick leads on", drag(300, 400, -100, 0), EDGE, {"intents": "step older", "x": -585}),
    ("at its edge: the way back moves it", drag(100, 400, 108, 0, 300, rest=200), EDGE, {"intents": "", "x": -485, "turn": 0}),
    ("a finger more while days turn", [event("down", 300, 400, 0), event("move", 250, 400, 50), event("down", 100, 400, 60, 2),
                                       event("move", 240, 400, 70)], {}, {"turn": -52, "scale": 1}),
    ("a finger stays after a pinch", [*pinch(20, 60)[:-2], event("up", 135, 422, 200), event("move", 205, 422, 300, 2)], {},
     {"x": -50, "scale": 3, "intents": ""}),
    ("a third finger", [*pinch(20, 60)[:-2], event("down", 50, 50, 150, 3), event("move", 90, 90, 160, 3)], {}, {"scale": 3}),
]

# A picture in a window, and the scales that two taps go through.
SCALES = [
    ((390, 260), (390, 844), 12.3, [1, 844 / 260, 12.3]), ((1067, 800), (1280, 800), 1.5, [1, 1.5]),
    ((1200, 800), (1280, 800), 1.1, [1, 2]), ((1348, 900), (1440, 900), 1.19, [1, 2]), ((390, 39), (390, 844), 8.5, [1, 8.5, 844 / 39]), ((400, 300), (1280, 800), .5, [1, 3.2]),
]


def gestures(browser, base, _):
    with opened(browser, base, "2026-11-20", name="gestures") as page:
        page.evaluate("load('viewer')")
        for what, events, other, wanted in ROWS:
            found = page.evaluate(PLAY, [events, ROOM | other])
            wrong = {name: found[name] for name, value in wanted.items()
                     if found[name] != value and not (isinstance(value, (int, float)) and abs(found[name] - value) < .1)}
            check(not wrong, f"gestures: {what}: {wrong} instead of {wanted}")
        for size, room, pixels, wanted in SCALES:
            found = page.evaluate("([size, room, pixels]) => scalesOf({ width: room[0], height: room[1], pixels, "
                                  "size: { width: size[0], height: size[1] } })", [size, room, pixels])
            check(found == wanted, f"gestures: {size} in {room}: {found} instead of {wanted}")
        # What is carried on comes to rest at the edge at the latest.
        for speed, end in [(-.2, -58), (-1, -292), (-9, -585)]:
            places = page.evaluate("([room, speed]) => carried(room, room.at, { x: speed, y: 0 }).places.map(place => place.x)",
                                   [ROOM | CLOSE, speed])
            check(abs(places[-1] - end) < 2 and places == sorted(places, reverse=True), f"gestures: at {speed}, it ends at {places[-1]}")
