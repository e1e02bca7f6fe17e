/* The viewer: a picture in the whole window, down to its pixels. */

const viewer = byId('viewer');
const part = name => viewer.querySelector(name);
const field = part('.field');

// The day in the viewer: its neighbours, its picture with its size without zoom, and how it is moved.
let seen;

async function showView(date, pieces) {
    await loadYear(yearOf(date));
    const day = apod.days.get(date);
    if (!day || !canBeSeen(day)) return showDay(date, pieces);
    const near = await around(date, pieces);
    return () => look(day, pieces, near);
}

function look(day, pieces, near) {
    const shown = day.video ? stage(day, day.title).firstChild : picture(day, day.title);
    shown.className = 'shown';
    shown.draggable = false;
    seen = { day, pieces, near, shown, scale: 1, x: 0, y: 0 };
    field.replaceChildren(shown);
    tellTitle();
    const player = isWeb(day.player) && day.player;
    part('.bar a').hidden = !player;
    part('.bar a').href = player || '';
    if (!viewer.open) {
        viewer.showModal();
        viewer.focus();
    }
    tellSeen();
    fit();
    sharpenSeen();
    entitle(`${day.title} – ${written(day.date)}`);
    for (const name of ['newer', 'older']) {
        part(`.${name}`).disabled = !near[name];
        loadAhead(near[name]);
    }
}

function tellTitle() {
    const { day, near } = seen;
    part('.bar p').replaceChildren(element('b', {}, named(day.title)), ' ', time(day.date), near.place ? ` · ${near.place} ` : ' ',
        heart(day) || '');
}

// Makes the picture as large as its room.
function fit() {
    const { shown, day } = seen;
    if (day.video) return;
    const shape = shown.naturalWidth ? shown.naturalWidth / shown.naturalHeight : ratio(day);
    seen.width = Math.min(field.clientWidth, field.clientHeight * shape, 2 * day.width || Infinity);
    seen.height = seen.width / shape;
    shown.style.width = `${seen.width}px`;
    shown.style.height = `${seen.height}px`;
    zoom(seen.scale);
}

// The scale at which a pixel of the original is one of the screen.
const wholeScale = () => Math.max(2, seen.day.width / devicePixelRatio / seen.width || 0);

// Zooms so that a point of the window stays where it is, by default the middle.
function zoom(scale, x = field.clientWidth / 2, y = field.clientHeight / 2) {
    const by = Math.min(Math.max(1, scale), 2 * wholeScale()) / seen.scale;
    const [fromX, fromY] = [x - field.clientWidth / 2, y - field.clientHeight / 2];
    seen.scale *= by;
    move((fromX - seen.x) * (1 - by), (fromY - seen.y) * (1 - by));
    if (seen.scale > 1) sharpenSeen();
}

function move(x, y) {
    const within = (place, size, room) => {
        const most = Math.max(0, (size * seen.scale - room) / 2);
        return Math.min(most, Math.max(-most, place));
    };
    seen.x = within(seen.x + x, seen.width, field.clientWidth);
    seen.y = within(seen.y + y, seen.height, field.clientHeight);
    seen.shown.style.transform = `translate(${seen.x}px, ${seen.y}px) scale(${seen.scale})`;
    viewer.classList.toggle('zoomed', seen.scale > 1);
}

// Who zooms in wants to see the original, also a heavy one.
function sharpenSeen() {
    if (!seen.day.video) sharpen(seen.shown, seen.day, seen.width * seen.scale, seen.scale > 1);
}

async function tellSeen() {
    const { day, shown } = seen;
    const words = await wordsOf(day);
    if (words.alt) shown.setAttribute('aria-label', words.alt);
    if (seen?.day !== day) return;
    part('.words').replaceChildren(element('p', {}, paragraph(words.text)), element('p', { class: 'credit' }, paragraph(words.credit)));
    part('.words').scrollTop = 0;
}

function toggleWords() {
    const { hidden } = part('.words');
    part('.words').hidden = !hidden;
    part('.tell').setAttribute('aria-expanded', hidden);
    fit();
}

function toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
}

// Goes to another day in the place of this one, so that the way back leads out of the viewer.
function viewStep(which) {
    if (seen.near[which]) go(`#view/${seen.near[which]}${wallOf(seen.pieces)}`, true);
}

// Its own ways out of a window lead back through the history.
function leadOut(dialog, leave) {
    on(dialog, 'cancel', event => {
        event.preventDefault();
        leave();
    });
    on(dialog.querySelector('.close'), 'click', leave);
}

function shut(dialog) {
    dialog.close();
    dialog.querySelector('.field').replaceChildren();
    if (document.fullscreenElement) document.exitFullscreen();
}

function closeViewer() {
    if (!seen) return;
    seen = undefined;
    shut(viewer);
}

const buttons = { full: toggleFullScreen, tell: toggleWords, newer: () => viewStep('newer'),
    older: () => viewStep('older') };
on(viewer, 'click', event => buttons[event.target.className]?.());
leadOut(viewer, () => goBack(`#${seen.day.date}${wallOf(seen.pieces)}`));
on(field, 'wheel', event => {
    if (seen.day.video) return;
    event.preventDefault();
    zoom(seen.scale * Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), event.clientX, event.clientY);
}, { passive: false });
on(window, 'resize', () => { if (seen) fit(); });

// Fingers and the mouse: one moves or swipes, two zoom, two taps go to the pixels and back.
const fingers = new Map();
let [swiped, tapped] = [0, -Infinity];

on(field, 'pointerdown', event => {
    if (seen.day.video || event.button) return;
    event.preventDefault();
    field.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    swiped = fingers.size === 1 ? 0 : NaN;
});
on(field, 'pointermove', event => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    fingers.set(event.pointerId, event);
    const [x, y] = [event.clientX - last.clientX, event.clientY - last.clientY];
    const other = [...fingers.values()].find(finger => finger.pointerId !== event.pointerId);
    if (other) {
        const apart = finger => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
        const middle = [(event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2];
        zoom(seen.scale * apart(event) / Math.max(1, apart(last)), ...middle);
        move(x / 2, y / 2);
    } else if (seen.scale > 1) {
        move(x, y);
        swiped += Math.hypot(x, y) > 2 ? NaN : 0;
    } else {
        swiped += x;
        seen.shown.style.transform = `translateX(${swiped || 0}px)`;
    }
});
on(field, 'pointerup pointercancel', event => {
    if (!fingers.delete(event.pointerId) || fingers.size || !seen) return;
    const isTap = Math.abs(swiped) < 8 && event.type === 'pointerup';
    const isSecond = isTap && event.timeStamp - tapped < 350;
    tapped = isTap && !isSecond ? event.timeStamp : -Infinity;
    if (isSecond) zoom(seen.scale > 1 ? 1 : wholeScale(), event.clientX, event.clientY);
    else move(0, 0);
    if (Math.abs(swiped) > 60) viewStep(swiped > 0 ? 'newer' : 'older');
});

const viewKeys = {
    ArrowLeft: () => viewStep('newer'), ArrowRight: () => viewStep('older'),
    '+': () => zoom(seen.scale * 1.5), '-': () => zoom(seen.scale / 1.5), 0: () => zoom(1), 1: () => zoom(wholeScale()),
    i: toggleWords, f: toggleFullScreen,
};
viewKeys['='] = viewKeys['+'];
const far = 80;
const moveKeys = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };

// The action of a key; undefined if it has none here.
const viewKey = key => seen.scale > 1 && moveKeys[key] ? () => move(...moveKeys[key]) : viewKeys[key];
