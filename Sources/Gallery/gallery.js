'use strict';

// The data. The files in gallery/data call its functions.
const apod = {
    years: new Map(),
    days: new Map(),
    albums: new Map(),
    hasFavorites: false,
    withTexts: new Set(),
    year(year, days) {
        this.years.set(year, days);
        for (const day of days) this.days.set(day.date, day);
    },
    texts(year, texts) {
        for (const day of this.years.get(year) ?? []) day.words = texts[day.date] ?? {};
        this.withTexts.add(year);
        sought.set(year, new Sought(year));
    },
    favorites(favorites) {
        this.albums = new Map(favorites);
        this.hasFavorites = true;
    },
};

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'];
const main = document.getElementById('main');
const state = document.getElementById('state');
const search = document.getElementById('search');
const bar = document.getElementById('archive');
const portion = 60;

// Elements are made of text only: nothing that a file tells is ever read as HTML.
function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children.filter(child => child !== undefined));
    return made;
}

// Isolates a foreign name, so that a right-to-left one does not reorder the words beside it.
const named = text => element('bdi', {}, text);

// A text is words and links: ['Seen from ', ['the Moon', 'https://…'], ' …'].
const parts = text => Array.isArray(text) ? text : [text ?? ''];
const plain = text => parts(text).map(part => Array.isArray(part) ? part[0] : part).join('');
const fold = text => /^[\x20-\x7e]*$/.test(text) ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const outside = { rel: 'noopener noreferrer external' };
const isWeb = address => /^https?:\/\//.test(address ?? '');

/* The calendar */

const number = date => Date.parse(date) / 86_400_000;
const written = date => `${Number(date.slice(8))} ${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
const dateOf = number => new Date(number * 86_400_000).toISOString().slice(0, 10);
const archive = new Map([...bar.querySelectorAll('a')].map(link => [Number(link.textContent), link.dataset.days]));
const newestYear = Math.max(...archive.keys());
const letter = number => archive.get(Number(dateOf(number).slice(0, 4)))?.[number - yearStart(number)];
const isDate = text => !Number.isNaN(Date.parse(text)) && dateOf(number(text)) === text;
const yearStart = at => number(`${dateOf(at).slice(0, 4)}-01-01`);

// The nearest day that can be looked at; step is 1 or -1.
function neighbour(date, step) {
    const ends = [number(`${Math.min(...archive.keys())}-01-01`), number(`${newestYear}-12-31`)];
    for (let at = number(date) + step; at >= ends[0] && at <= ends[1]; at += step) {
        if ('hp'.includes(letter(at) ?? '-')) return dateOf(at);
    }
}

/* Files */

// The version in this script's address.
const version = new URL(document.currentScript.src).search;
// The loads under way, by file name.
const loads = new Map();

// Loads a data file. One that failed is tried again at the next call.
function load(name, isThere) {
    if (isThere()) return true;
    if (!loads.has(name)) loads.set(name, new Promise(resolve => {
        const script = element('script', { src: `gallery/data/${name}.js${version}` });
        script.onload = script.onerror = () => {
            script.remove();
            loads.delete(name);
            resolve(isThere());
        };
        document.head.append(script);
    }));
    return loads.get(name);
}

// Only the years of the archive have files.
const loadYear = async year => archive.has(year) && load(year, () => apod.years.has(year));
const loadTexts = async year => await loadYear(year) && load(`${year}-text`, () => apod.withTexts.has(year));
const loadFavorites = () => load('favorites', () => apod.hasFavorites);

// Encodes each part of a path: a name can hold # or %.
const path = (day, suffix) => [...day.date.split('-', 2), `${day.stem}.${suffix}`].map(encodeURIComponent).join('/');
const size = (day, suffix) => `gallery/${day.date.slice(0, 4)}/${day.date}-${suffix}`;
const original = day => day.image && path(day, day.image);
// Few browsers show TIFF, and a heavy original is too much for a page.
const isHeavy = day => day.bytes > 30_000_000 || day.width * day.height > 100_000_000;
const large = day => day.large ? size(day, '1280.jpg') : day.image === 'tif' || isHeavy(day) ? undefined : original(day);

// A wall has hundreds of pictures: large originals are left out.
function small(day) {
    if (day.small) return size(day, '480.webp');
    return day.image && day.width <= 480 && day.bytes <= 300_000 ? original(day) : undefined;
}

function bytes(count) {
    const units = ['bytes', 'KB', 'MB', 'GB'];
    let unit = 0;
    for (; count >= 1000 && unit < 3; unit += 1) count /= 1000;
    return `${count < 10 && unit ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}

/* Walls */

function tile(day, withYear) {
    const date = element('time', { datetime: day.date }, withYear ? written(day.date) : `${Number(day.date.slice(8))}`);
    if (!day.stem) return element('li', { class: 'tile failed' }, element('p', {}, date, `: ${day.why}`));
    const source = small(day);
    const image = source && element('img', { src: source, alt: '', loading: 'lazy', decoding: 'async' });
    const favorite = apod.albums.has(day.date) ? ['\u00a0', heart()] : [];
    const name = element('span', {}, date, ' ', named(day.title), ...favorite);
    const video = (day.video || day.player) && element('span', { role: 'img', 'aria-label': 'video', class: 'play' }, '▶');
    return element('li', { class: image ? 'tile picture' : 'tile words' },
        element('a', { href: `#${day.date}` }, ...(image ? [image] : []), name, ...(video ? [' ', video] : [])));
}

const heart = () => element('span', { role: 'img', 'aria-label': 'favorite', class: 'heart' }, '♥');
const wall = (days, withYear) => element('ul', { class: withYear ? 'wall dated' : 'wall' }, ...days.map(day => tile(day, withYear)));

// A wall that shows more on request, and at once as far as the day that the reader comes back from.
function growingWall(days) {
    const list = wall([], true);
    const button = element('button', { type: 'button' });
    const shown = [];

    // Tiles that are there stay: one of them can have the focus.
    function show(count) {
        for (const [index, day] of days.slice(0, count).entries()) {
            if (shown[index] === day.date) continue;
            shown.splice(index, 0, day.date);
            list.insertBefore(tile(day, true), list.children[index] ?? null);
        }
        button.hidden = shown.length >= days.length;
        const more = days.length - shown.length;
        button.textContent = more === 1 ? '1 more day' : `${more} more days`;
    }

    button.addEventListener('click', () => {
        const first = shown.length;
        show(first + 5 * portion);
        [...list.children].slice(first).find(tile => tile.querySelector('a'))?.querySelector('a').focus();
    });
    show(Math.max(portion, days.findIndex(day => day.date === left) + 1));
    return {
        content: [list, button],
        // `more` must contain all days from before.
        update(more) {
            days = more;
            show(Math.max(portion, days.findIndex(day => day.date === shown.at(-1)) + 1));
        },
    };
}

const kinds = [['h', 'here', '--here'], ['p', 'as text only', '--pruned'], ['m', 'missing', '--missing'],
    ['f', 'failed', '--failed']];

// Counts days by their letters in the archive.
function count(letters) {
    return kinds.map(([kind, words]) => [letters.split(kind).length - 1, words]).filter(([count]) => count > 0)
        .map(([count, words]) => `${count} ${words}`).join(', ');
}

function countMonth(year, month) {
    const start = number(`${year}-01-01`);
    const [from, to] = [month, month + 1].map(month => Date.UTC(year, month, 1) / 86_400_000 - start);
    return count((archive.get(year) ?? '').slice(from, to));
}

function yearWall(year) {
    const days = [...apod.years.get(year)].reverse();
    const sections = [];
    const jumps = element('nav', { 'aria-label': `Months of ${year}`, class: 'months' });
    for (let month = 11; month >= 0; month -= 1) {
        const id = `${year}-${String(month + 1).padStart(2, '0')}`;
        const ofMonth = days.filter(day => day.date.startsWith(id));
        const counted = countMonth(year, month);
        if (!ofMonth.length && !counted) continue;
        jumps.append(element('a', { href: `#${id}` }, months[month].slice(0, 3)), ' ');
        sections.push(element('section', { 'aria-labelledby': `m${id}` },
            element('h3', { id: `m${id}`, tabindex: -1 }, `${months[month]} ${year} `, element('small', {}, counted)),
            wall(ofMonth)));
    }
    return [element('h2', { tabindex: -1 }, String(year)), jumps, ...sections];
}

// Why there is nothing to show of a year, or of a day.
const unread = (year, what) => archive.has(year) && !apod.years.has(year) ? `The list of ${year} cannot be read.`
    : `There is nothing of ${what} here.`;

async function showYear(year, month) {
    if (!await loadYear(year)) return say(unread(year, year), `${year}`);
    return () => draw(`${year}`, yearWall(year), `${year}`, { year: `${year}`, at: month && `m${year}-${month}` });
}

async function showFavorites(album) {
    if (!await loadFavorites()) return say('The favorites cannot be read.', 'Favorites');
    const dates = [...apod.albums].filter(([, albums]) => !album || albums.includes(album)).map(([date]) => date);
    await Promise.all([...new Set(dates.map(date => Number(date.slice(0, 4))))].map(loadYear));
    const names = [...new Set([...apod.albums.values()].flat())].sort();
    const links = names.map(name => element('a', { href: `#favorites/${encodeURIComponent(name)}`,
        'aria-current': name === album && 'page' }, named(name)));
    const days = dates.map(date => apod.days.get(date) ?? { date, why: 'it is not here yet' });
    const heading = element('h2', { tabindex: -1 }, ...(album ? ['Favorites: ', named(album)] : ['Favorites']));
    const albums = element('nav', { 'aria-label': 'Albums', class: 'months' }, ...links.flatMap(link => [link, ' ']));
    const empty = element('p', {}, ...(album ? ['There is no album ', named(album), '.']
        : ['No favorites yet. Drop a link to a picture into the folder favorites.']));
    const content = () => [heading, ...(names.length ? [albums] : []), ...(days.length ? growingWall(days).content : [empty])];
    return () => draw(location.hash, content(), 'Favorites');
}

/* A day */

// Returns words and links. A link that is not on the web becomes words.
function paragraph(text) {
    return parts(text).map(part => !Array.isArray(part) ? part : !isWeb(part[1]) ? part[0]
        : element('a', { href: part[1], ...outside }, part[0]));
}

function view(day, alt) {
    if (day.video) {
        const poster = large(day);
        return element('video', { src: path(day, day.video), poster, controls: true, preload: 'none', 'aria-label': alt });
    }
    const source = large(day);
    const image = source && element('img', { src: source, alt });
    if (image && day.width && day.height) {
        const most = day.large ? Math.min(1, 1280 / Math.max(day.width, day.height)) : 1;
        image.style.setProperty('--width', `${day.width * most}px`);
        image.style.setProperty('--ratio', day.width / day.height);
        // Once it is loaded, its own size counts: some pictures are rotated.
        for (const event of ['load', 'error']) image.addEventListener(event, () => image.removeAttribute('style'));
    }
    if (isWeb(day.player)) {
        return element('a', { href: day.player, ...outside, class: 'player' }, ...(image ? [image] : []),
            element('span', {}, 'Play the video on its own page'));
    }
    return image && element('a', { href: original(day) }, image);
}

// Links to the days before and after, also of an unknown day.
function steps(date) {
    const [older, newer] = [neighbour(date, -1), neighbour(date, 1)];
    return element('nav', { 'aria-label': 'Days', class: 'steps' },
        older ? element('a', { href: `#${older}`, rel: 'prev' }, '← Older') : element('span'),
        element('a', { href: `#${date.slice(0, 7)}` }, written(date).replace(/^\d+ /, '')),
        newer ? element('a', { href: `#${newer}`, rel: 'next' }, 'Newer →') : element('span'));
}

// The page of a day. `tell` adds the text when it is loaded.
function dayPage(day) {
    const shown = view(day, day.title);
    const albums = apod.albums.get(day.date);
    const among = albums?.flatMap((album, index) => [index ? ', ' : ' in ', named(album)]);
    const links = [
        day.image && element('a', { href: original(day) }, `Original${day.width ? `, ${day.width} × ${day.height}` : ''}`,
            `, ${bytes(day.bytes)}`),
        day.video && element('a', { href: path(day, day.video) }, 'Video file'),
        element('a', { href: path(day, 'json') }, 'JSON'),
    ].filter(Boolean);
    return element('article', { 'aria-labelledby': 'title' },
        steps(day.date),
        element('h2', { id: 'title', tabindex: -1 }, day.title),
        element('p', { class: 'date' }, element('time', { datetime: day.date }, written(day.date)),
            ...(albums ? [' ', heart(), ...among] : [])),
        ...(shown ? [element('figure', {}, shown)] : []),
        ...(day.pruned ? [element('p', { class: 'note' }, 'The picture was deleted to make room; its text stays.')] : []),
        element('p', { class: 'text' }, 'Loading the text …'),
        element('ul', { class: 'links' }, ...links.map(link => element('li', {}, link))));
}

// Adds the texts to a page. The rest stays: a video can be playing, a link can have the focus.
function tell(article, words) {
    const text = article.querySelector('.text');
    text.replaceChildren(...paragraph(words.text ?? 'The text cannot be read.'));
    if (words.credit) text.after(element('p', { class: 'credit' }, 'Credit: ', ...paragraph(words.credit)));
    if (isWeb(words.page)) {
        const page = element('a', { href: words.page, ...outside }, 'The day at NASA');
        article.querySelector('.links').lastElementChild.before(element('li', {}, page));
    }
    if (words.alt) {
        article.querySelector('figure img')?.setAttribute('alt', words.alt);
        article.querySelector('figure video')?.setAttribute('aria-label', words.alt);
    }
}

async function showDay(date) {
    const year = Number(date.slice(0, 4));
    await loadYear(year);
    const day = apod.days.get(date);
    if (!day?.stem) return say(unread(year, written(date)), written(date), archive.has(year) ? [steps(date)] : []);
    return async () => {
        const article = dayPage(day);
        if (day.words) tell(article, day.words);
        draw(date, [article], `${day.title} – ${written(date)}`, { year: String(year) });
        // The picture does not wait for the text.
        if (!day.words) tell(article, await loadTexts(year) && day.words || {});
    };
}

/* Searching */

let isLoading = false;

async function loadAll() {
    if (isLoading) return;
    const years = [...archive.keys()].filter(year => !apod.withTexts.has(year)).sort((a, b) => b - a);
    loadAll.words = years.length ? ' Loading the texts …' : '';
    isLoading = true;
    for (const [index, year] of years.entries()) {
        await loadTexts(year);
        loadAll.words = index + 1 < years.length ? ` Loading the texts: ${index + 1} of ${years.length} years …` : '';
        if (drawn === 'search' && place().startsWith('search/')) updateFound();
    }
    isLoading = false;
}
loadAll.words = ' Loading the texts …';

// The texts of a year in one string, newest day first: much faster to search than day by day.
class Sought {
    constructor(year) {
        this.days = apod.years.get(year).filter(day => day.stem).reverse();
        const texts = this.days.map(({ title, words }) =>
            fold(`${title} ${plain(words?.text)} ${plain(words?.credit)}\n`));
        this.text = texts.join('');
        this.starts = [0];
        for (const [index, text] of texts.entries()) this.starts.push(this.starts[index] + text.length);
    }

    find([longest, ...others]) {
        const found = [];
        for (let index = 0; index < this.days.length; index += 1) {
            const at = this.text.indexOf(longest, this.starts[index]);
            if (at < 0) break;
            while (this.starts[index + 1] <= at) index += 1;
            const text = others.length ? this.text.slice(this.starts[index], this.starts[index + 1]) : '';
            if (others.every(word => text.includes(word))) found.push(this.days[index]);
        }
        return found;
    }
}

const sought = new Map();

function find(text) {
    const words = fold(text).split(/\s+/).filter(Boolean).sort((a, b) => b.length - a.length);
    return [...apod.years.keys()].sort((a, b) => b - a).flatMap(year => {
        // Until its texts are loaded, a year is searched by its titles.
        if (!sought.has(year)) sought.set(year, new Sought(year));
        return sought.get(year).find(words.length ? words : ['']);
    });
}

// The search that is drawn: its text, the dates found, and their wall.
let results;

function showSearch(text) {
    loadAll();
    if (search.value.trim() !== text) search.value = text;
    return () => {
        const found = find(text);
        const title = `${text} – Search`;
        const dates = found.map(day => day.date).join();
        if (drawn === 'search' && dates === results.dates) {
            results.text = text;
            entitle(title);
        } else {
            results = { text, dates, wall: growingWall(found) };
            const heading = element('h2', { tabindex: -1 }, 'Search');
            draw('search', [heading, element('p', { class: 'progress' }), ...results.wall.content], title);
        }
        tellFound(found.length);
    };
}

// Searches again when more texts are loaded. Days found before are found again.
function updateFound() {
    const found = find(results.text);
    const dates = found.map(day => day.date).join();
    if (dates !== results.dates) results.wall.update(found);
    results.dates = dates;
    tellFound(found.length);
}

// Screen readers hear only the final number.
function tellFound(count) {
    const lacking = loadAll.words ? [] : [...archive.keys()].filter(year => !apod.withTexts.has(year)).sort();
    const words = `${count === 1 ? '1 day' : `${count} days`} found.`
        + (lacking.length ? ` The texts of ${lacking.join(', ')} cannot be read.` : '');
    main.querySelector('.progress').textContent = loadAll.words && words + loadAll.words;
    state.textContent = loadAll.words ? '' : words;
}

/* Navigation */

let drawn;
// The day that the reader comes back from, by the browser's history.
let left;

// Leaves the focus in the search field while somebody types.
function focus(element) {
    if (document.activeElement !== search) element?.focus({ preventScroll: true });
}

function entitle(title) {
    document.title = `${title} – Astronomy Picture of the Day`;
}

// `at`: the heading to go to.
function draw(what, content, title, { year, at } = {}) {
    const isFirst = drawn === undefined;
    drawn = what;
    main.replaceChildren(...content);
    entitle(title);
    for (const link of bar.children) {
        if (link.textContent === year) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
    }
    if (isFirst) {
        const current = bar.querySelector('[aria-current]') ?? bar.lastElementChild;
        current?.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
    const tile = left && main.querySelector(`.tile a[href="#${left}"]`);
    const heading = at && document.getElementById(at);
    const target = tile ?? heading;
    if (target) {
        const see = () => target.scrollIntoView({ block: tile ? 'center' : 'start' });
        see();
        // Sections get their heights when they are about to be seen, in the next frame.
        requestAnimationFrame(() => requestAnimationFrame(see));
        focus(target);
    } else if (!isFirst) {
        scrollTo(0, 0);
        focus(main.querySelector('h2'));
    }
}

function say(words, heading, before = []) {
    return () => {
        draw(location.hash, [...before, element('h2', { tabindex: -1 }, heading)], words);
        state.textContent = words;
    };
}

function destination(hash) {
    const [, year, month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(hash) ?? [];
    if (day) return isDate(hash) ? showDay(hash) : say('There is no such day.', hash);
    if (year) return showYear(Number(year), month);
    if (hash.startsWith('search/')) return showSearch(hash.slice(7));
    if (hash === 'favorites') return showFavorites();
    if (hash.startsWith('favorites/')) return showFavorites(hash.slice(10));
    return archive.size ? showYear(newestYear) : say('No day has come yet.', 'Nothing here yet');
}

let turns = 0;
let routed;

function place() {
    const hash = location.hash.slice(1);
    try { return decodeURIComponent(hash); } catch { return hash; }
}

async function route(isTyped) {
    const turn = turns += 1;
    routed = location.hash;
    // Only a history entry that was shown before has a state.
    left = history.state && /^\d{4}-\d\d-\d\d$/.test(drawn) ? drawn : undefined;
    if (!history.state) history.replaceState(true, '');
    state.textContent = '';
    if (!isTyped && !place().startsWith('search/')) search.value = '';
    const show = await destination(place());
    // The reader may have gone on meanwhile.
    if (turn === turns) await show();
}

addEventListener('hashchange', () => { if (routed !== location.hash) route(); });

search.form.addEventListener('submit', event => event.preventDefault());
search.addEventListener('focus', loadAll);
// The turn that emptied the search.
let emptied;
search.addEventListener('input', () => {
    const words = search.value.trim();
    // The first letter makes an entry in the history, the others change it.
    const isOn = place().startsWith('search/') || emptied === turns;
    if (!words && !isOn) return;
    const address = words ? `#search/${encodeURIComponent(words)}` : '#';
    if (isOn) location.replace(address);
    else location.assign(address);
    // The hashchange event comes somewhat later.
    route(true);
    if (!words) emptied = turns;
});

document.querySelector('.skip').addEventListener('click', event => {
    event.preventDefault();
    main.focus();
});

function go(relation) {
    const link = main.querySelector(`a[rel=${relation}]`);
    if (link) location.hash = link.hash;
}

addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, video')) return;
    if (event.key === 'ArrowLeft' && !event.shiftKey) go('prev');
    else if (event.key === 'ArrowRight' && !event.shiftKey) go('next');
    else if (event.key === 'Escape' && main.querySelector('article')) location.hash = drawn.slice(0, 7);
    else if (event.key === '/') {
        event.preventDefault();
        search.focus();
    }
});

let touch;
main.addEventListener('touchstart', event => {
    touch = event.touches.length === 1 && !(visualViewport?.scale > 1) ? event.touches[0] : undefined;
}, { passive: true });
main.addEventListener('touchend', event => {
    const end = event.changedTouches[0];
    if (!touch || event.touches.length || event.target.closest('video')) return;
    const [x, y] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
    if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) go(x > 0 ? 'prev' : 'next');
}, { passive: true });

/* The bar of the whole archive */

// Many people cannot tell the colors apart.
function legend() {
    const all = [...archive.values()].join('');
    const parts = kinds.filter(([kind]) => all.includes(kind)).map(([kind, words]) =>
        element('span', {}, element('span', { class: `key ${kind}`, 'aria-hidden': 'true' }), ` ${words}`));
    bar.after(element('aside', { class: 'legend', 'aria-label': 'Colors of the years' }, ...parts.flatMap(part => [part, ' '])));
    for (const link of bar.children) {
        link.title = `${link.textContent}: ${count(link.dataset.days)}`;
        link.setAttribute('aria-label', link.title);
    }
}

function paint() {
    const style = getComputedStyle(document.documentElement);
    const colors = Object.fromEntries(kinds.map(([kind, , color]) => [kind, style.getPropertyValue(color)]));
    for (const link of bar.children) {
        const letters = [...link.dataset.days];
        const size = { width: letters.length, height: 1 };
        const canvas = link.querySelector('canvas') ?? link.appendChild(element('canvas', { ...size, 'aria-hidden': 'true' }));
        const context = canvas.getContext('2d');
        context.clearRect(0, 0, letters.length, 1);
        letters.forEach((letter, index) => {
            if (!colors[letter]) return;
            context.fillStyle = colors[letter];
            context.fillRect(index, 0, 1, 1);
        });
    }
}

// The scripts with the newest days follow this one in the page. The wall comes before the bar.
addEventListener('DOMContentLoaded', () => {
    if (archive.size) legend();
    route();
    setTimeout(paint);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
});
