'use strict';

/* The archive: what is known of its days, and the files that tell it. */

// The files in gallery/data call its functions.
const apod = {
    // The files that are loaded, as `load` names them.
    here: new Set(),
    years: new Map(),
    days: new Map(),
    albums: new Map(),
    // Newest day first. The page itself loads the newest year and the favorites.
    year(year, days) {
        this.here.add(`data/${year}`);
        this.years.set(year, days.reverse());
        for (const day of days) {
            this.days.set(day.date, day);
            if (listOf(day.date)) enlist(day, year);
        }
    },
    texts(year, texts) {
        for (const day of this.years.get(year) ?? []) Object.assign(day, { words: texts[day.date] ?? {}, sought: undefined });
    },
    favorites(days) {
        this.here.add('data/favorites');
        this.albums = new Map(days);
    },
    // Called where the mirror itself serves the page.
    serve() { load('served'); },
};

// A letter for each day of a year: here, pruned, missing, failed.
const archive = new Map([...document.querySelectorAll('#years a')].map(link => [Number(link.textContent), link.dataset.days]));
const yearsDown = [...archive.keys()].sort((a, b) => b - a);
// The link to the other lists, where there are some.
const listsLink = document.querySelector('[data-names]');

/* The calendar */

const number = date => Date.parse(date) / 86_400_000;
const dateOf = number => new Date(number * 86_400_000).toISOString().slice(0, 10);
const yearOf = date => Number(date.slice(0, 4));
// The days of a month.
const datesOf = month => Array.from({ length: 31 }, (_, index) => dateOf(number(`${month}-01`) + index))
    .filter(date => date.startsWith(month));
// The list of an item, which has an address like cats.00c0ffee00c0ffee in the place of a date; as a favorite, it is called by
// the path of its files: lists/cats/Mittens.
const listOf = text => /^[a-z\d-]+(?=\.[\da-f]{16}$)|(?<=^lists\/)[a-z\d-]+(?=\/)/.exec(text)?.[0];
const isDay = text => /^\d{4}-\d\d-\d\d$/.test(text) || Boolean(listOf(text));
const isDate = text => isDay(text) && !Number.isNaN(Date.parse(text)) && dateOf(number(text)) === text;
const letter = date => archive.get(yearOf(date))?.[number(date) - number(`${date.slice(0, 4)}-01-01`)];
const count = kind => [...archive.values()].join('').split(kind).length - 1;

/* Files */

// The version in this script's address.
const version = new URL(document.currentScript.src).search;
// Ends the addresses of files that a browser may have kept in an older form.
let fresh = '';
// The loads under way, by file name.
const loads = new Map();
// The files that could not be read when they were needed.
const unread = new Set();

// Loads a file of the gallery. One that failed is tried again at the next call. `again`: also one that is there.
function load(name, again) {
    if (apod.here.has(name) && !again) return true;
    if (again) fresh = `&${Date.now()}`;
    if (!loads.has(name)) loads.set(name, new Promise(resolve => {
        const script = element('script', { src: `gallery/${name}.js${version}${fresh}` });
        script.onload = script.onerror = ({ type }) => {
            script.remove();
            loads.delete(name);
            if (type === 'load') apod.here.add(name);
            if (!again) tellUnread(name);
            resolve(apod.here.has(name));
        };
        document.head.append(script);
    }));
    return loads.get(name);
}

function tellUnread(name) {
    unread[apod.here.has(name) ? 'delete' : 'add'](name);
    const [first] = unread;
    byId('unread').textContent = first ? `gallery/${first}.js cannot be read.` : '';
}

// Only the years of the archive have files.
const loadYear = async year => archive.has(year) && load(`data/${year}`);
const loadDay = async date => listOf(date) ? loadList(listOf(date)) : loadYear(yearOf(date));
const loadFavorites = again => load('data/favorites', again);

// The lists of all years.
const loadAllYears = () => Promise.all(yearsDown.map(loadYear));

const dayOf = date => apod.days.get(date);
const allDays = () => yearsDown.flatMap(year => apod.years.get(year) ?? []);

// The load of all texts to search, once it began.
let allTexts;

function renewLetters(year) {
    const letters = [...archive.get(year) ?? ''];
    for (const day of apod.years.get(year)) {
        if (day.stem) letters[number(day.date) - number(`${year}-01-01`)] = day.pruned ? 'p' : 'h';
    }
    archive.set(year, Array.from(letters, letter => letter ?? '.').join(''));
}

// Asks for what has come since, also of a year that has begun.
async function loadNewDays() {
    // The first days come with a page that lists them.
    if (!archive.size) return location.reload();
    const [newest] = yearsDown;
    for (const year of yearOf(today()) === newest + 1 ? [newest, newest + 1] : [newest]) {
        if (!await load(`data/${year}`, true)) continue;
        if (!archive.has(year)) yearsDown.unshift(year);
        renewLetters(year);
        // The texts that are here lack those of the new days.
        apod.here.delete(`data/${year}-text`);
        allTexts = undefined;
    }
    // Links and lists are asked for again when they are needed.
    for (const name of apod.here) if (name.startsWith('data/l')) apod.here.delete(name);
    await loadFavorites(true);
}
