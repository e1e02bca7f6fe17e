/* Navigation: addresses, keys, the search field, the years at the edge. */

const [main, state, search, years, help, albums, calendar, ways, viewer, hint] = ['main', 'state', 'search', 'years', 'help', 'albums', 'calendar',
    'ways', 'viewer', 'hint'].map(byId);
const header = document.querySelector('header');
const root = document.documentElement;

const headHeight = header.offsetHeight;
const entitle = title => { document.title = title ? `${title} – Astronomy Picture of the Day` : 'Astronomy Picture of the Day'; };
const afterPaint = work => requestAnimationFrame(() => setTimeout(work));

// The view that the page shows, and its wall; undefined before anything is shown.
let drawn;
let current;
// Whether it is drawn again, with news.
let isAgain;
// The day in the viewer: its neighbours, their slides, its picture, the picture's size without zoom, and where it stands.
let seen;
// The slideshow that the viewer runs.
let running;
// The day that the reader comes back from.
let left;

let hinted;

// Tells something in a few words, for a time in ms, over whatever is open.
function tellHint(words, time = 1200) {
    clearTimeout(hinted);
    (document.querySelector('dialog[open]') ?? document.body).append(hint);
    hint.textContent = words;
    hinted = setTimeout(() => { hint.textContent = ''; }, time);
}

// Leaves the focus in the search field while somebody types.
function focus(element) {
    if (document.activeElement !== search) element?.focus({ preventScroll: true });
}

// What the focus is on, in words that find it in the same view drawn again: an address, or what a button is for.
const nameOf = element => element.getAttribute('href') ?? element.ariaLabel;

function draw(what, content, title, wall) {
    const isFirst = drawn === undefined;
    // News draws the same view again: the focus stays where it is.
    const own = document.activeElement;
    const pick = [...main.querySelectorAll('.pick')].findIndex(one => one.contains(own));
    const kept = main.contains(own) && isAgain && { name: nameOf(own), date: own.closest('[data-date]')?.dataset.date };
    [drawn, current] = [what, wall];
    main.replaceChildren(...content.flat().filter(Boolean));
    main.className = wall ? 'walls' : '';
    entitle(title);
    for (const link of header.querySelectorAll('a')) {
        link.setAttribute('aria-current', (link.hash.slice(1) || 'timeline') === what ? 'page' : 'false');
    }
    // The years stand at the edge.
    root.classList.toggle('scrubbed', what === 'timeline');
    const { at, y } = history.state ?? {};
    wall?.resize(at);
    if (!wall?.tiles.has(at?.date)) scrollTo(0, y ?? 0);
    if (left && wall?.reveal(left)) wall.focus(left);
    else if (kept) {
        wall?.focus(kept.date);
        if (!main.contains(document.activeElement)) focus([...main.querySelectorAll('a, button')].find(one => nameOf(one) === kept.name));
    } else if (!isFirst && !isAgain) {
        focus(left && main.querySelector(`a[href^="#${left}"]`) || main.querySelectorAll('.pick')[pick]?.querySelector('[aria-current]') || main.querySelector('h2'));
    }
    scrub();
}

// A view of words alone.
function say(words, title, ...more) {
    return () => {
        draw(location.hash, [element('div', { class: 'empty' }, more[0]?.matches?.('svg') && more.shift(), heading(title), element('p', { class: 'said' }, words)), ...more], title);
        state.textContent = words;
    };
}

/* Addresses */

const place = () => location.hash.slice(1).split('/').map(piece => {
    try { return decodeURIComponent(piece); } catch { return piece; }
});

async function destination([first, ...rest]) {
    if (first === 'view' && await load('viewer')) return showView(rest[0] ?? '', inWall(rest[0], rest.slice(1)));
    if (first.startsWith('slideshow') && await load('viewer') && await load('slideshow')) return showSlides([first.slice(10), ...rest].join('/'));
    if (first === 'search' && rest.join('/').trim() && await load('search')) return showSearch(rest.join('/'));
    if (first === 'favorites') return showFavorites(rest.join('/'));
    if (first === 'on' && await load('calendar')) return showOn(rest[0] ?? today().slice(5));
    if (first === 'random' && archive.size) return go(`#${randomDate()}`, true);
    if (/^lists?$/.test(first) && await load('lists')) return showList(rest);
    if (isDay(first)) return showDay(first, inWall(first, rest));
    return showTimeline(/^\d{4}(-\d\d)?$/.test(first) ? first : undefined);
}

// In the reader's own time.
const today = () => new Date().toLocaleDateString('sv');

let turns = 0;
let routed;

async function route() {
    const turn = turns += 1;
    const isNew = routed !== location.hash;
    isAgain = !isNew;
    if (isNew) for (const dialog of [albums, calendar]) dialog.close();
    ways.hidePopover();
    routed = location.hash;
    const pieces = place();
    // Only a history entry that was shown before has a place.
    left = history.state?.y === undefined ? returning : lastDay();
    returning = undefined;
    if (!history.state) history.replaceState({ cameFrom: drawn !== undefined }, '');
    // Back from the viewer leads to the page of the day that it showed last.
    if (seen && left && isDay(pieces[0]) && pieces[0] !== left) return go(`#${left}${wallOf(seen.pieces)}`, true);
    state.textContent = '';
    if (!isTyping && pieces[0] !== 'search') search.value = '';
    const show = await destination(pieces);
    // The reader may have gone on meanwhile.
    if (turn !== turns) return;
    // The day whose picture both views show. The viewer turns to its next day by itself.
    const isOther = isNew && !(seen && isView(pieces));
    await grow(isOther && (isDay(pieces[0]) ? pieces[0] : pieces[0] === 'view' ? pieces[1] : left), () => {
        if (seen && !isView(pieces)) closeViewer();
        return show?.();
    });
}

const isView = ([first]) => /^(view$|slideshow)/.test(first);

// Goes to an address, in the place of this one or not.
function go(address, isReplaced) {
    if (isReplaced || location.hash.slice(1) === address.slice(1)) {
        history.replaceState({ cameFrom: history.state?.cameFrom }, '', address);
    } else {
        remember();
        history.pushState({ cameFrom: drawn !== undefined }, '', address);
    }
    route();
}

const lastDay = () => seen?.day.date ?? (isDay(drawn) ? drawn : undefined);
// The day to come back to where the way back is none of the browser's.
let returning;

// Back to where one was; to the address for whoever came here first.
function goBack(address) {
    if (history.state?.cameFrom) return history.back();
    returning = lastDay();
    go(address, true);
}

function remember() {
    if (drawn && !seen) history.replaceState({ ...history.state, y: scrollY, at: current?.anchor() }, '');
}

history.scrollRestoration = 'manual';
on(window, 'hashchange', () => { if (routed !== location.hash) route(); });
on(window, 'pagehide', remember);
on(window, 'click', event => {
    remember();
    const link = event.target.closest('a[rel=prev], a[rel=next]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // From day to day, the history has one step: Back leads to the wall.
    event.preventDefault();
    go(link.hash, true);
});

let [lastY, scrolled, resting] = [0];

// In a small window, the header leaves on the way down and comes back on the way up. A leap is no way.
function followScroll() {
    const step = scrollY - lastY;
    lastY = scrollY;
    if (Math.abs(step) > 3) root.classList.toggle('descending', step > 0 && step < innerHeight / 2 && scrollY > 100);
}

// Called once a frame.
on(window, 'scroll', () => {
    followScroll();
    // The bar reads positions before the wall changes the page.
    scrub();
    current?.draw();
    clearTimeout(scrolled);
    scrolled = setTimeout(remember, 300);
    clearTimeout(resting);
    resting = setTimeout(() => root.classList.remove('travelling'), 1500);
}, { passive: true });

/* The search field */

// From the first letter, which makes an entry in the history, to the last, which has changed it.
let isTyping = false;

// Back to where one was before the first letter.
function leaveSearch() {
    const isAway = isTyping || drawn === 'search';
    search.blur();
    search.value = '';
    if (isAway) goBack('#');
}

on(search.form, 'submit', event => {
    event.preventDefault();
    main.focus({ preventScroll: true });
});
on(search.form, 'reset', leaveSearch);
// The field keeps the focus until the button is pressed: without it, the button would go.
on(search.form, 'mousedown', event => { if (event.target !== search) event.preventDefault(); });
on(search, 'keydown', event => {
    if (event.key === 'Escape') leaveSearch();
    else if (event.key === 'ArrowDown') main.querySelector('li a:not([tabindex="-1"])')?.focus();
    else return;
    event.preventDefault();
});
on(search, 'focus', async () => { if (await load('search')) loadAllTexts(); });
on(search, 'blur', () => { isTyping = false; });
on(search, 'input', async () => {
    const words = search.value.trim();
    if (!words && !isTyping || !await load('search')) return;
    const wasTyping = isTyping;
    isTyping = true;
    go(words ? `#${typedDate(words) ?? `search/${encodeURIComponent(words)}`}` : '#', wasTyping);
});

/* The years at the edge */

const bubble = element('p', { class: 'bubble', hidden: true, 'aria-hidden': 'true' });
years.append(...[...years.children].reverse(), bubble);

// Tells which year is seen.
function scrub() {
    if (!root.classList.contains('scrubbed')) return;
    const year = (current.anchor() ?? current.days[0])?.date.slice(0, 4);
    root.classList.toggle('travelling', scrollY > innerHeight / 3);
    if (year === years.dataset.seen) return;
    years.dataset.seen = year;
    for (const link of years.querySelectorAll('a')) {
        link.setAttribute('aria-current', link.textContent === year);
    }
}

// The month at a height of the bar, on which each year has the same share.
function monthAt(y) {
    const { top, height } = years.getBoundingClientRect();
    const links = years.querySelectorAll('a');
    const at = Math.min(Math.max((y - top) / height, 0), 0.9999) * links.length;
    return current.groupFrom(`${links[Math.floor(at)].textContent}-${String(12 - Math.floor(at % 1 * 12)).padStart(2, '0')}`)?.month;
}

let isScrubbing = false;
on(years, 'pointerdown', event => {
    isScrubbing = true;
    years.setPointerCapture(event.pointerId);
});
on(years, 'pointermove', event => {
    const month = monthAt(event.clientY);
    if (!month) return;
    bubble.hidden = false;
    bubble.textContent = monthName(month);
    bubble.style.top = `${event.clientY - years.getBoundingClientRect().top}px`;
    if (isScrubbing) current.revealMonth(month);
});
on(years, 'pointerleave', () => { bubble.hidden = true; });
on(years, 'pointerup', event => {
    isScrubbing = false;
    bubble.hidden = event.pointerType !== 'mouse';
    current.revealMonth(monthAt(event.clientY));
});
on(years, 'dragstart', event => event.preventDefault());
on(years, 'click', event => { if (event.detail) event.preventDefault(); });

function toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
}

/* What the reader chooses */

function choose(name, value) {
    root.dataset[name] = value;
    // Where nothing may be kept, it is for this time only.
    try { localStorage.setItem(`apod-${name}`, value); } catch { /* */ }
    for (const input of help.querySelectorAll('input')) input.checked = root.dataset[input.name] === input.value;
}

function kept(name) { try { return localStorage.getItem(`apod-${name}`); } catch { return null; } }

on(help, 'change', ({ target }) => choose(target.name, target.value));

const wallHere = () => {
    const [first, ...rest] = place();
    return first === 'view' ? rest.slice(1) : isDay(first) ? inWall(first, rest) : /^[flo\d]|^search/.test(first) ? [first, ...rest] : [];
};
const startSlideshow = () => go(`#slideshow=${wallOf(wallHere()).slice(1)},15`);

on(byId('start'), 'click', startSlideshow);
on(byId('ask'), 'click', () => help.showModal());
on(ways, 'click', () => ways.hidePopover());
on(byId('skip'), 'click', event => {
    event.preventDefault();
    main.focus();
});

/* Keys and fingers */

const follow = relation => main.querySelector(`a[rel=${relation}]`)?.click();

// From tile to tile, or from day to day. Returns nothing where the arrow is the browser's.
function walk(key) {
    const date = current && main.contains(document.activeElement) && document.activeElement.closest('[data-date]')?.dataset.date;
    const relation = { ArrowLeft: 'prev', ArrowRight: 'next' }[key];
    if (!current?.tiles.has(date)) return relation && (() => follow(relation));
    return () => {
        const next = current.toward(date, key);
        if (!next) return;
        current.reveal(next);
        current.focus(next);
        document.activeElement.scrollIntoView({ block: 'nearest' });
    };
}

const keys = {
    '/': () => search.focus(),
    '?': () => help.showModal(),
    h: () => go('#'),
    r: () => go('#random'),
    o: () => main.querySelector('.other') ? main.querySelector('.other').click() : go(`#on/${(isDate(drawn) ? drawn : today()).slice(5)}`),
    v: () => go('#favorites'),
    s: startSlideshow,
    f: toggleFullScreen,
    i: () => choose('words', root.dataset.words === 'yes' ? 'no' : 'yes'),
    Enter: () => main.querySelector('figure a')?.click(),
    Escape: () => drawn === 'search' ? leaveSearch() : main.querySelector('.up') && goBack(main.querySelector('.up').hash),
};

on(window, 'keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey && event.key.startsWith('Arrow')) return;
    if (event.target.closest('input, select, video') || help.open || albums.open || calendar.open || ways.matches(':popover-open')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = seen ? viewKey(key) : key.startsWith('Arrow') ? walk(key) : keys[key];
    // A button and a link do what they say.
    if (!act || (key === ' ' || key === 'Enter') && event.target.closest('a, button')) return;
    event.preventDefault();
    act();
});

// A video's own controls stand at its lower edge.
const isOnControls = ({ target, clientY }) => target.matches('video') && clientY > target.getBoundingClientRect().bottom - 64;

/* What can be done with a tile: over it, where the mouse or the keys are; at the window's edge after a long press. */

const deeds = element('p', { class: 'deeds' });

function offer(item, place = item) {
    const day = current?.tiles.get(item?.dataset.date)?.day;
    if (!day?.stem || place.contains(deeds)) return;
    deeds.replaceChildren(...[place !== item && element('b', {}, named(day.title)), ...acts(day)].filter(Boolean));
    place.append(deeds);
}

on(main, 'mouseover focusin', ({ target }) => offer(target.closest('.wall:not(.list) li')));
on(main, 'contextmenu', event => {
    if (event.pointerType !== 'touch' || !event.target.closest('.wall')) return;
    event.preventDefault();
    offer(event.target.closest('li'), document.body);
});
on(document, 'pointerdown', ({ target }) => { if (!deeds.contains(target)) deeds.remove(); });

/* The beginning */

// What the first screen does not need comes after it: dialogs, the viewer, and lists.
const styled = new Promise(done => on(window, 'load', () => {
    const style = element('link', { rel: 'stylesheet', href: `gallery/viewer.css${version}` });
    style.onload = style.onerror = done;
    document.head.append(style);
}));

for (const name of ['theme', 'words']) choose(name, kept(name) ?? (name === 'theme' ? 'system' : 'no'));
// The scripts with the newest days follow this one in the page.
on(window, 'DOMContentLoaded', route);
