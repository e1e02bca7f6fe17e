/* The viewer: a picture in the whole window, down to its pixels, with its neighbours to the sides. Loaded with a day. */

const part = name => viewer.querySelector(name);
const [field, strip, dark] = ['.field', '.strip', '.dark'].map(part);
// Between two pictures.
const gap = 24;

const keyed = (name, label, key) => tool(name, label, {}, () => viewKeys[key]());
part('.bar').append(element('span'), keyed('other', 'The other picture', 'o'), keyed('play', 'Slideshow', 's'), keyed('tell', 'Text', 'i'),
    keyed('full', 'Full screen', 'f'), keyed('close', 'Close', 'close'));
field.after(keyed('newer', 'Newer', 'ArrowLeft'), keyed('older', 'Older', 'ArrowRight'));

let hand = noHand;

async function showView(date, pieces) {
    await loadDay(date);
    const day = dayOf(date);
    if (!day || !canBeSeen(day)) {
        if (seen) closeViewer();
        return showDay(date, pieces);
    }
    const near = await around(date, pieces, true);
    await styled;
    return () => {
        if (running) endSlides();
        look(day, pieces, near);
    };
}

function slideOf(day) {
    const shown = day.video ? film(day, day.title) : copied(day, day.title);
    shown.classList.add('shown');
    shown.draggable = false;
    const slide = { day, shown, element: element('div', shown) };
    on(shown, 'load', () => {
        const { shape } = slide;
        size(slide);
        if (slide.shape !== shape && slide.day === seen?.day) fit();
    });
    return slide;
}

function look(day, pieces, near, at = whole, slide = seen?.slides.find(slide => slide.day === day) ?? slideOf(day)) {
    const before = seen;
    seen = { ...slide, pieces, near, slides: [slide], at, turn: 0 };
    // The neighbours stay where they are; what was turned so far is not turned again.
    const way = ['newer', 'older'].find(way => before?.near[way] === day.date);
    const from = way ? standing(strip).x + (way === 'older' ? pitch() : -pitch()) : 0;
    for (const other of before?.slides ?? []) {
        if (other === slide) continue;
        other.shown.pause?.();
        if ([near.newer, near.older].includes(other.day.date)) seen.slides.push(other);
        else other.element.remove();
    }
    // A screen reader and the keys meet the picture itself alone.
    strip.prepend(slide.element);
    seen.slides.forEach(arrange);
    if (!viewer.open) {
        toggleFrame(false);
        viewer.showModal();
        viewer.focus();
    }
    hand = noHand;
    viewer.classList.remove('held', 'leaving');
    dark.style.opacity = '';
    fit();
    put(strip, { ...whole, x: limit(from, -1.5 * pitch(), 1.5 * pitch()) });
    if (way) glide(strip, whole, 240);
    tellTitle();
    tellText();
    entitle(`${day.title} – ${when(day)}`);
    for (const name of ['newer', 'older']) part(`.${name}`).disabled = !near[name];
    loadSlides(seen);
}

const pitch = () => field.clientWidth + gap;

function arrange(slide) {
    const { day, element, shown } = slide;
    const isHere = day === seen.day;
    element.className = `slide ${isHere ? 'here' : day.date === seen.near.newer ? 'before' : 'after'}`;
    element.inert = !isHere;
    element.ariaHidden = !isHere;
    if (!isHere) put(shown, whole);
}

// Shows what was seen before over what is seen now, and less and less.
function crossfade(former, time) {
    if (isCalm.matches) return;
    strip.replaceChildren(...seen.slides.map(({ element }) => element), former.element);
    fade(former.element, 1, 0, time).onfinish = () => former.element !== seen?.element && former.element.remove();
}

// The neighbours come after the picture itself: a slow line has one at a time.
async function loadSlides(own) {
    if (await awaits(own, own.shown.coming ?? true, 'Loading …')) sharpenSeen();
    for (const date of running ? [] : [own.near.older, own.near.newer].filter(Boolean)) {
        if (own.slides.some(({ day }) => day.date === date) || !await loadDay(date) || seen !== own) continue;
        const slide = slideOf(dayOf(date));
        own.slides.push(slide);
        arrange(slide);
        size(slide);
        strip.append(slide.element);
    }
}

// Waits for a picture of the viewer's, and tells so after a while. Returns whether it is seen then.
async function awaits({ shown }, picture, words, failed = lost) {
    const isHere = () => seen?.shown === shown;
    const timer = setTimeout(() => isHere() && tellHint(words, 1e9), 500);
    const isThere = await picture;
    clearTimeout(timer);
    if (isHere()) tellHint(isThere ? '' : failed, 5000);
    return isHere();
}

// Who zooms in wants to see the original, also a heavy one.
function sharpenSeen() {
    const { day, shown, size, at } = seen;
    if (day.video || !shown.naturalWidth) return;
    const better = sharpen(shown, day, size.width * at.scale, at.scale > 1);
    if (better) awaits(seen, better, `Loading ${bytes(day.bytes)} …`, 'The original cannot be loaded.');
}

// Makes a picture as large as its room.
function size(slide) {
    const { shown, day } = slide;
    slide.shape = shapeHere(shown, day);
    // A video's own controls stand above the title.
    const height = field.clientHeight - (day.video ? 160 : 0);
    const width = Math.min(field.clientWidth, height * slide.shape, !day.video && 2 * day.width || Infinity);
    slide.size = { width, height: width / slide.shape };
    Object.assign(shown.style, { width: `${width}px`, height: `${slide.size.height}px` });
}

function fit() {
    seen.slides.forEach(size);
    const { slides: [{ size: own }], day } = seen;
    // `pixels`: the scale at which one of the original is one of the screen.
    Object.assign(seen, { width: field.clientWidth, height: field.clientHeight, size: own,
        pixels: day.width / devicePixelRatio / own.width || 1 });
    seen.most = day.video ? 1 : mostOf(seen);
    putPicture(within(seen, { ...seen.at, scale: Math.min(seen.at.scale, seen.most) }));
}

function putPicture(at) {
    seen.at = at;
    put(seen.shown, at);
    tellZoom();
}

// Closer, the original is wanted.
function tellZoom() {
    viewer.classList.toggle('zoomed', seen.at.scale > 1);
    viewer.classList.toggle('last', nextScale(seen, seen.at.scale) === 1);
    if (seen.at.scale > 1) sharpenSeen();
}

// Glides to another scale; `point`: what stays where it is, by default the middle.
function zoom(scale, point = { x: seen.width / 2, y: seen.height / 2 }, isHeld) {
    if (seen.day.video) return;
    const to = limit(scale, 1, seen.most);
    seen.at = within(seen, scaled(seen, seen.at, to, point));
    if (isHeld) put(seen.shown, seen.at);
    else glide(seen.shown, seen.at, 260);
    tellZoom();
}

const shifted = (x, y) => within(seen, { ...seen.at, x: seen.at.x + x, y: seen.at.y + y });

function move(x, y) {
    seen.at = shifted(x, y);
    glide(seen.shown, seen.at, 200);
}

// Goes to another day in the place of this one, so that the way back leads out of the viewer.
function viewStep(which) {
    if (running) nextSlide(which === 'older' ? 1 : -1);
    else if (seen.near[which]) go(`#view/${seen.near[which]}${wallOf(seen.pieces)}`, true);
}

const leaveViewer = () => goBack(running ? wallOf(running.pieces).replace('/', '#') || '#' : `#${seen.day.date}${wallOf(seen.pieces)}`);

// Its own way out of a window leads back through the history.
on(viewer, 'cancel', event => {
    event.preventDefault();
    leaveViewer();
});

function closeViewer() {
    clearTimeout(tapping);
    if (running) endSlides();
    seen = undefined;
    put(strip, whole);
    viewer.close();
    strip.replaceChildren();
    if (document.fullscreenElement) document.exitFullscreen();
}

/* Fingers, the mouse, the wheel and keys */

on(field, 'pointerdown pointermove pointerup pointercancel', event => {
    if (!seen) return;
    if (event.type === 'pointerdown') {
        if (event.button || isOnControls(event)) return;
        if (!seen.day.video) event.preventDefault();
        if (!hand.fingers.length) hold();
    }
    const { kind } = hand;
    hand = gesture(hand, event, { ...seen, ...seen.near });
    if (hand.kind && hand.kind !== kind) {
        field.setPointerCapture(event.pointerId);
        viewer.classList.add('held');
    }
    if (hand.kind) followHand();
    // A video answers a tap by itself.
    if (hand.intent && !(event.target.matches('video') && !kind)) answers[hand.intent.kind](hand.intent);
    if (!hand.fingers.length) viewer.classList.remove('held');
});

// A flick is none of the page's, which would take the next tap for the one that stops it.
on(field, 'touchmove', event => event.preventDefault(), { passive: false });

// What glides stays where a finger meets it.
function hold() {
    seen.turn = Math.round(standing(strip).x);
    put(strip, { ...whole, x: seen.turn });
    putPicture(within(seen, standing(seen.shown)));
}

// Moves the picture, or the days, to where the hand has them.
function followHand() {
    const { at, turn, drop, kind } = hand;
    seen.at = at;
    put(strip, { ...whole, x: turn });
    put(seen.shown, { ...at, y: at.y + drop });
    dark.style.opacity = 1 - Math.min(1, 2 * Math.abs(drop) / seen.height);
    viewer.classList.toggle('leaving', drop !== 0);
    if (kind === 'pinch') tellZoom();
}

let tapping;

const answers = {
    // The first tap may be the first of two.
    tap() {
        tapping = setTimeout(toggleFrame, 300);
        if (seen.at.scale < 1) answers.settle();
    },
    zoom(point) {
        clearTimeout(tapping);
        zoom(nextScale(seen, seen.at.scale), point);
    },
    step: ({ to }) => viewStep(to),
    close: leaveViewer,
    carry({ speed }) {
        if (isCalm.matches) return;
        // It begins as fast as the hand was, and rests at an edge.
        const from = seen.at;
        seen.at = shifted(500 * speed.x, 500 * speed.y);
        glide(seen.shown, seen.at, 3 * Math.hypot(seen.at.x - from.x, seen.at.y - from.y) / Math.hypot(speed.x, speed.y));
    },
    settle() {
        seen.at = within(seen, scaled(seen, seen.at, limit(seen.at.scale, 1, seen.most), { x: seen.width / 2, y: seen.height / 2 }));
        glide(strip, whole, 240);
        glide(seen.shown, seen.at, 260);
        dark.style.opacity = '';
        viewer.classList.remove('leaving');
    },
};

on(field, 'wheel', event => {
    event.preventDefault();
    const { deltaX, deltaY, wheelDeltaY, ctrlKey, clientX: x, clientY: y } = event;
    // Notches of a wheel are 120 each. Two fingers on a trackpad tell of parts, or, as Macs do, of three times their way;
    // a pinch comes with Ctrl.
    const isWheel = wheelDeltaY && wheelDeltaY % 120 === 0 && wheelDeltaY !== -3 * deltaY;
    if (ctrlKey || isWheel) return zoom(seen.at.scale * Math.exp(-deltaY * (ctrlKey ? 0.01 : 0.002)), { x, y }, ctrlKey);
    if (seen.at.scale > 1) return putPicture(shifted(-deltaX, -deltaY));
    roll(Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : deltaY, event.timeStamp);
}, { passive: false });

// Two fingers that roll lead on by one day, however long they roll, and then roll on by themselves, ever slower. A pause
// or more speed begins anew.
let rolled = { way: 0 };
function roll(by, time) {
    const isNew = time - rolled.time > 150 || time - rolled.done > 250 && Math.abs(by) > 2 * Math.abs(rolled.by) + 10;
    if (isNew) rolled = { way: 0 };
    Object.assign(rolled, { time, by, way: rolled.way + by });
    if (rolled.done || Math.abs(rolled.way) < 50) return;
    rolled.done = time;
    viewStep(rolled.way > 0 ? 'older' : 'newer');
}

new ResizeObserver(() => {
    if (seen && (field.clientWidth !== seen.width || field.clientHeight !== seen.height)) fit();
}).observe(field);

const viewKeys = {
    ArrowLeft: () => viewStep('newer'), ArrowRight: () => viewStep('older'),
    '+': () => zoom(seen.at.scale * 1.5), '-': () => zoom(seen.at.scale / 1.5), 0: () => zoom(1), 1: () => zoom(seen.pixels),
    i: toggleText, f: toggleFullScreen, close: leaveViewer,
    s: () => running ? pauseSlides() : startSlideshow(), ' ': () => running && pauseSlides(), o: () => showOther(),
};
viewKeys['='] = viewKeys['+'];
const moveKeys = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };

// The action of a key; undefined if it has none here.
const viewKey = key => seen.at.scale > 1 && moveKeys[key] ? () => move(...moveKeys[key]) : viewKeys[key];
