/* Navigation: addresses, keys, the search field, the years at the edge. */

const [main, state, search, years, ways, viewer, hint] = ['main', 'state', 'search', 'years', 'ways', 'viewer', 'hint'].map(byId);
const header = document.querySelector('header');
const root = document.documentElement;

const headHeight = header.offsetHeight;
const entitle = title => { document.title = [title, 'Astronomy Picture of the Day'].filter(Boolean).join(' – '); };
const afterPaint = work => requestAnimationFrame(() => setTimeout(work));

// The view that the page shows, and its wall; undefined before anything is shown.
let drawn;
let current;
// The address of that view: until another one is drawn, what is scrolled is not that one's.
let drawnAt;
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

// What the focus is on, in words that find it in the same view drawn again: what it is called, or its address.
const nameOf = element => element.ariaLabel ?? element.getAttribute('href');

// `month`: where a wall is to be seen first.
function draw(what, content, title, wall, month) {
    const isFirst = drawn === undefined;
    // Where news draws the same view again, or a row of ways another one with this row, the focus stays where it is.
    const own = document.activeElement;
    const kept = main.contains(own) && (isAgain || own.closest('.pick')) && { name: nameOf(own), date: own.closest('[data-date]')?.dataset.date };
    [drawn, current] = [what, wall];
    main.replaceChildren(...content.flat().filter(Boolean));
    entitle(title);
    for (const link of header.querySelectorAll('a')) {
        link.setAttribute('aria-current', (link.hash.slice(1) || 'timeline') === what ? 'page' : 'false');
    }
    // The years stand at the edge.
    root.classList.toggle('scrubbed', what === 'timeline');
    const { at, y } = history.state ?? {};
    wall?.resize(at);
    if (!wall?.tiles.has(at?.date)) scrollTo(0, y ?? 0);
    if (month && y === undefined && !left) wall.revealMonth(month);
    if (left && wall?.reveal(left)) wall.focus(left);
    else if (kept?.date) wall?.focus(kept.date);
    else if (kept) focus([...main.querySelectorAll('a, button')].find(one => nameOf(one) === kept.name));
    else if (!isFirst && !isAgain) focus(left && main.querySelector(`a[href^="#${left}"]`) || main.querySelector('h2'));
    scrub();
    Promise.resolve(main.querySelector('.hero img')?.coming).then(begin);
}

// A view of words alone.
function say(words, title, more = [], above) {
    return () => {
        draw(location.hash, [element('div.empty', above, heading(title), element('p.said', words)), ...more], title);
        state.textContent = words;
    };
}

/* Addresses */

const place = () => location.hash.slice(1).split('/').map(piece => {
    try { return decodeURIComponent(piece); } catch { return piece; }
});

async function destination([first, ...rest]) {
    const isMonth = /^\d{4}(-\d\d)?$/.test(first);
    if (/^[a-z]{2}/.test(first) && !listOf(first)) await (begin(), styled);
    if (!first || isMonth || !await load('page')) return showTimeline(isMonth ? first : undefined);
    const words = rest.join('/');
    if (first === 'view' && await load('viewer')) return showView(rest[0] ?? '', inWall(rest[0], rest.slice(1)));
    if (first.startsWith('slideshow') && await load('viewer') && await load('slideshow')) return showSlides([first.slice(10), ...rest].join('/'));
    if (first === 'search' && words.trim()) return showSearch(words);
    if (first === 'favorites') return showFavorites(words);
    if (first === 'changes') return showChanges();
    if (first === 'on') return showOn(rest[0] ?? today().slice(5));
    if (first === 'random' && archive.size) return go(`#${await randomDate()}`, true);
    if (/^lists?$/.test(first)) return showList(rest);
    return isDay(first) ? showDay(first, inWall(first, rest)) : showTimeline();
}

// In the reader's own time.
const today = () => new Date().toLocaleDateString('sv');

let turns = 0;
let routed;

const openDialog = () => document.querySelector('dialog[open]:not(#viewer)');

async function route() {
    const turn = turns += 1;
    const isNew = routed !== location.hash;
    isAgain = !isNew;
    if (isNew) openDialog()?.close();
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
    const change = apod.here.has('page') ? grow : (_, draw) => draw();
    await change(isOther && (pieces.find(isDay) ?? left), () => {
        if (seen && !isView(pieces)) closeViewer();
        drawnAt = location.hash;
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
    if (drawnAt === location.hash && !seen) history.replaceState({ ...history.state, y: scrollY, at: current?.anchor() }, '');
}

history.scrollRestoration = 'manual';
on(window, 'hashchange', () => { if (routed !== location.hash) route(); });
on(window, 'pagehide', remember);
on(window, 'click', event => {
    remember();
    const link = event.target.closest('a[rel=prev], a[rel=next]');
    if (!link || isElsewhere(event)) return;
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

/* The years at the edge */

years.append(...[...years.children].reverse());

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

function toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
}

// Of the wall that is seen, or that the day is seen in.
function startSlideshow() {
    const [first, ...rest] = place();
    go(slidesOf(seen?.pieces ?? (isDay(first) ? inWall(first, rest) : /^[flo\d]|^search/.test(first) ? place() : [])));
}

on(byId('start'), 'click', startSlideshow);
const showHelp = async () => { if (await load('page')) help.showModal(); };
on(byId('ask'), 'click', showHelp);
on(ways, 'click', () => ways.hidePopover());
on(byId('skip'), 'click', event => {
    event.preventDefault();
    main.focus();
});

/* Keys and fingers */

const follow = relation => main.querySelector(`a[rel=${relation}]`)?.click();

const keys = {
    '/': () => search.focus(),
    '?': showHelp,
    h: () => go('#'),
    r: () => go('#random'),
    o: () => main.querySelector('.other') ? main.querySelector('.other').click() : go(`#on/${(isDate(drawn) ? drawn : today()).slice(5)}`),
    v: () => go('#favorites'),
    s: startSlideshow,
    f: toggleFullScreen,
    Enter: () => main.querySelector('figure a')?.click(),
    Escape: () => drawn === 'search' ? leaveSearch() : main.querySelector('.up') && goBack(main.querySelector('.up').hash),
};

on(window, 'keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey && event.key.startsWith('Arrow')) return;
    if (event.target.closest('input, select, video') || openDialog() || ways.matches(':popover-open')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = seen ? viewKey(key) : key.startsWith('Arrow') ? apod.here.has('page') && walk(key) : keys[key];
    // A button and a link do what they say.
    if (!act || (key === ' ' || key === 'Enter') && event.target.closest('a, button')) return;
    event.preventDefault();
    act();
});

// A video's own controls stand at its lower edge.
const isOnControls = ({ target, clientY }) => target.matches('video') && clientY > target.getBoundingClientRect().bottom - 64;

/* The beginning */

// Called when the first picture can be seen. A slow one is not waited for.
let begin;
const begun = new Promise(done => {
    begin = () => afterPaint(done);
    setTimeout(done, 300);
});

// What the first screen does not need comes after it: dialogs, the viewer, and lists.
const styled = begun.then(() => new Promise(done => {
    load('page');
    const style = element('link', { rel: 'stylesheet', href: `gallery/viewer.css${version}` });
    style.onload = style.onerror = done;
    document.head.append(style);
}));

// The scripts with the newest days follow this one in the page.
on(window, 'DOMContentLoaded', route);
