/* Gestures: what fingers and the mouse do over a picture, as one function of their events. */

// A room is what there is to move in: the window's `width` and `height`, the picture's `size` at scale 1, the scale of its
// own `pixels` and the largest one, where it stands (`at`), how far the days are turned, and which neighbours it has.

// How far a picture can be moved to each side until its edge meets the window's.
const reach = ({ width, height, size }, scale) => ({ x: Math.max(0, (size.width * scale - width) / 2),
    y: Math.max(0, (size.height * scale - height) / 2) });

function within(room, { scale, x, y }) {
    const most = reach(room, scale);
    return { scale, x: limit(x, -most.x, most.x), y: limit(y, -most.y, most.y) };
}

// In another scale, with the same point of the picture below a point of the window.
function scaled({ width, height }, at, scale, point) {
    const [x, y] = [point.x - width / 2, point.y - height / 2];
    return { scale, x: x + (at.x - x) * scale / at.scale, y: y + (at.y - y) * scale / at.scale };
}

// The scales that fit a picture: all of it, the window covered, pixel by pixel. Two that look alike are one.
function scalesOf({ width, height, size, pixels }) {
    const fill = Math.max(width / size.width, height / size.height);
    const scales = [fill, pixels].sort((a, b) => a - b).reduce((all, scale) => scale > 1.4 * all.at(-1) ? [...all, scale] : all, [1]);
    return scales.length > 1 ? scales : [1, 2];
}

const mostOf = room => 2 * Math.max(1, room.pixels, scalesOf(room).at(-1) / 2);
const nextScale = (room, scale) => scalesOf(room).find(next => next > 1.05 * scale) ?? 1;

/* A hand: the fingers that touch, what they do (`kind`) and since where, and where that leads: `at`, `turn`, `drop`. */

const noHand = { fingers: [], at: whole, turn: 0, drop: 0 };

const middleOf = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) });

// The hand after an event. Its intent is what to do then: `tap`, `zoom`, `step`, `close`, `carry`, or `settle` back.
function gesture(hand, event, room) {
    const { type, pointerId: id, clientX: x, clientY: y, timeStamp: time } = event;
    const isHeld = hand.fingers.some(finger => finger.id === id);
    const idle = { ...hand, intent: undefined };
    if (type === 'pointerdown') return isHeld ? idle : touched(idle, { id, x, y }, time, room);
    if (!isHeld) return idle;
    const fingers = hand.fingers.map(finger => finger.id === id ? { id, x, y } : finger);
    if (type === 'pointermove') return moved({ ...idle, fingers }, time, room);
    return lifted({ ...idle, fingers: fingers.filter(finger => finger.id !== id) }, event, room);
}

function touched(hand, finger, time, room) {
    // Two fingers zoom, unless the first one turns already.
    if (hand.fingers.length > 1 || hand.kind === 'turn' || hand.kind === 'drop') return hand;
    const fingers = [...hand.fingers, finger];
    if (fingers.length > 1) return { ...hand, fingers, kind: 'pinch', from: middleOf(fingers), start: hand.at };
    // Days that still turn are held.
    return { ...hand, fingers, kind: room.turn ? 'turn' : undefined, from: finger, start: room.at, at: room.at, turn: room.turn, drop: 0,
        begin: room.turn, path: [{ ...finger, time }] };
}

const slack = 8;

function moved(hand, time, room) {
    const { fingers: [finger], start } = hand;
    if (hand.kind === 'pinch') {
        const now = middleOf(hand.fingers);
        // Beyond the largest scale, it gives way a little.
        const wanted = Math.max(0.6, start.scale * now.apart / hand.from.apart);
        const at = scaled(room, start, wanted > room.most ? room.most * (wanted / room.most) ** 0.3 : wanted, hand.from);
        return { ...hand, at: within(room, { ...at, x: at.x + now.x - hand.from.x, y: at.y + now.y - hand.from.y }) };
    }
    const path = [...hand.path.filter(point => time - point.time < 100), { ...finger, time }];
    let { kind, from } = hand;
    const far = Math.hypot(finger.x - from.x, finger.y - from.y);
    if (!kind) {
        if (far < slack) return { ...hand, path };
        kind = kindOf(room, start, finger.x - from.x, finger.y - from.y);
        from = { x: from.x + (finger.x - from.x) * slack / far, y: from.y + (finger.y - from.y) * slack / far };
    }
    const [x, y] = [finger.x - from.x, finger.y - from.y];
    const next = { ...hand, path, kind, from };
    if (kind === 'drop') return { ...next, drop: y };
    if (kind === 'pan') return { ...next, at: within(room, { scale: start.scale, x: start.x + x, y: start.y + y }) };
    const turn = hand.begin + x;
    return { ...next, turn: room[turn > 0 ? 'newer' : 'older'] ? turn : turn / 3 };
}

// What a finger begins to do: to the side, a picture that cannot be moved that way turns to the next.
function kindOf(room, at, x, y) {
    const most = reach(room, at.scale);
    const isSide = Math.abs(x) > (at.scale > 1 ? 2 : 1) * Math.abs(y);
    if (isSide && most.x - Math.sign(x) * at.x < 1) return 'turn';
    return at.scale > 1 ? 'pan' : 'drop';
}

function lifted(hand, { type, pointerType, clientX: x, clientY: y, timeStamp: time }, room) {
    const { kind, fingers, path } = hand;
    if (fingers.length) return { ...hand, kind: 'pan', from: fingers[0], start: hand.at, path: [] };
    const free = { ...hand, kind: undefined, tap: undefined };
    if (type === 'pointercancel') return { ...free, intent: { kind: 'settle' } };
    if (!kind) {
        const isSecond = time - hand.tap?.time < 350 && Math.hypot(x - hand.tap.x, y - hand.tap.y) < 40;
        if (pointerType === 'mouse' || isSecond) return { ...free, intent: { kind: 'zoom', x, y } };
        return { ...free, tap: { x, y, time }, intent: { kind: 'tap' } };
    }
    return { ...free, intent: intentOf(hand, speedOf(path, time), room) };
}

// Pixels a millisecond; none where the finger has rested.
function speedOf(path, time) {
    const recent = path.filter(point => time - point.time < 100);
    if (recent.length < 2) return { x: 0, y: 0 };
    const [first, last] = [recent[0], recent.at(-1)];
    const per = axis => limit((last[axis] - first[axis]) / Math.max(8, last.time - first.time), -5, 5);
    return { x: per('x'), y: per('y') };
}

function intentOf({ kind, at, turn, begin, drop }, speed, room) {
    const settle = { kind: 'settle' };
    // A flick, or a long way; but not where it ends in the other direction.
    const isMeant = (way, speed, far) => {
        const onward = Math.sign(way) * speed;
        return Math.abs(way) > far ? onward > -0.2 : Math.abs(way) > 30 && onward > 0.4;
    };
    if (kind === 'turn') {
        const to = turn > begin ? 'newer' : 'older';
        return room[to] && isMeant(turn - begin, speed.x, room.width / 3) ? { kind: 'step', to } : settle;
    }
    if (kind === 'drop') return isMeant(drop, speed.y, 100) ? { kind: 'close' } : settle;
    if (at.scale < 1 || at.scale > room.most) return settle;
    return kind === 'pan' && Math.hypot(speed.x, speed.y) > 0.1 ? { kind: 'carry', speed } : undefined;
}
