/* Words: elements, dates as people write them, texts with links and marks. */

const on = (target, names, act, options) => names.split(' ').forEach(name => target.addEventListener(name, act, options));
const byId = id => document.getElementById(id);

const limit = (value, least, most) => Math.min(most, Math.max(least, value));

const isSaid = value => value !== undefined && value !== false;

// An element by its name and classes: element('p.note', { id: 'why' }, 'Words'). It is made of text only: nothing that a file
// tells is ever read as HTML.
function element(name, ...parts) {
    const [tag, ...classes] = name.split('.');
    const made = document.createElement(tag);
    made.classList.add(...classes);
    for (const part of parts.flat(Infinity)) {
        if (part?.constructor === Object) {
            for (const [key, value] of Object.entries(part)) {
                if (isSaid(value)) made.setAttribute(key, value === true ? '' : value);
            }
        } else if (isSaid(part)) made.append(part);
    }
    return made;
}

// The icons that the page itself does not show.
const icons = {
    download: 'M12 3v12M6 10l6 6 6-6M4 20h16',
    share: 'M12 15V3M8 7l4-4 4 4M6 11H4v10h16V11h-2',
    album: 'M4 7h16v13H4zM7 3h10',
    full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
    other: 'M8 8V3h13v13h-5M3 8h13v13H3z',
    tell: 'M4 6h16M4 12h16M4 18h10',
    close: 'M5 5l14 14M19 5L5 19',
    play: 'M7 4l13 8-13 8z',
    pause: 'M8 4v16M16 4v16',
    newer: 'M15 4l-8 8 8 8',
    older: 'M9 4l8 8-8 8',
};

function icon(name) {
    const made = document.querySelector(icons[name] ? 'header svg' : `svg.${name}`).cloneNode(true);
    if (icons[name]) made.firstChild.setAttribute('d', icons[name]);
    made.setAttribute('class', name);
    return made;
}

// A button or a link with an icon.
function tool(name, label, attributes = {}, act = () => {}) {
    const made = element(`${attributes.href ? 'a' : 'button'}.${name}.tool`, { 'aria-label': label, title: label, ...attributes }, icon(name));
    on(made, 'click', act);
    return made;
}

// A row of years, and one of them with how many it has. `isOwn`: it leads to what is seen.
const picks = (...links) => element('nav.pick', { 'aria-label': 'Years' }, links);
const pick = (href, isOwn, year, count) => element('a', { href, 'aria-current': isOwn && 'true' }, year, element('small', grouped(count)));

// Puts an element there, in pixels.
const lay = (made, left, top, width, height) => Object.assign(made.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
// Who holds such a key wants the link in a tab or a window of its own.
const isElsewhere = event => event.ctrlKey || event.metaKey || event.shiftKey;

// A dialog that closes by its button, or by a tap beside it.
function dialog(id, label, ...content) {
    const made = element('dialog', { id, 'aria-label': label, closedby: 'any' }, content,
        element('form', { method: 'dialog' }, element('button', 'Close')));
    document.body.append(made);
    return made;
}

const heading = (...words) => element('h2', { tabindex: -1 }, ...words);
// Isolates a foreign name, so that a right-to-left one does not reorder the words beside it.
const named = text => element('bdi', text);
const outside = { rel: 'noopener noreferrer external' };
const isWeb = address => /^https?:\/\//.test(address ?? '');
// 11,422. The browser's own way loads its tables of languages first, which takes longer than a search.
const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'];
const monthName = month => `${months[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;
const written = date => `${Number(date.slice(8))} ${monthName(date)}`;
const dayInYear = date => written(date).replace(/ \d+$/, '');
// When a day was; of an item, its list and its date.
const when = day => day.told ?? written(day.date);
const moment = (day, words = when(day)) => element('time', { datetime: day.when ?? day.date }, words);

// The day that an address of NASA's shows, in any of the forms that it has used: …/ap130630.html,
// …/apod-2026-june-10-the-eagle-nebula-and-friends/.
function dayAt(address) {
    const old = /\/ap(\d\d)(\d\d)(\d\d)\.html$/.exec(address);
    const [, year, month, day] = old ?? /\/apod-(\d{4})-([a-z]{3,9})-(\d\d?)-[^/]*\/?$/.exec(address) ?? [];
    return year && dateFrom(year, month, day);
}

// The date of a year of two or four digits, a month by its number or the beginning of its name, and a day.
function dateFrom(year, month, day) {
    const century = year.length > 2 ? '' : year < 95 ? '20' : '19';
    const number = Number(month) || months.findIndex(name => name.toLowerCase().startsWith(month)) + 1;
    const date = [century + year, number, day].map(part => String(part).padStart(2, '0')).join('-');
    return isDate(date) ? date : undefined;
}

// A text is words and links: ['Seen from ', ['the Moon', 'https://…'], ' …'].
// Returns words and links. A link to a day leads to it here; one that is not on the web becomes words.
const paragraph = text => [text ?? ''].flat().map(part => {
    if (!Array.isArray(part)) return part;
    const [words, address] = part;
    if (!isWeb(address)) return words;
    const date = dayAt(address);
    return element('a', date ? { href: `#${date}`, title: written(date) } : { href: address, ...outside }, words);
});

// Whose picture it is, and the licence where one is told.
const rights = ({ credit, licence }) => [credit && ['Picture: ', ...paragraph(credit)], credit && licence && ' · ', licence && deed(licence)]
    .filter(Boolean).flat();

function deed(licence) {
    const [, kind, version] = /^CC[ -](BY[-A-Z]*|0) (\d\.\d)/.exec(licence) ?? [];
    const way = kind === '0' ? 'publicdomain/zero' : `licenses/${kind?.toLowerCase()}`;
    return kind ? element('a', { href: `https://creativecommons.org/${way}/${version}/`, ...outside }, licence) : licence;
}

// Lower case without marks. Each letter keeps its place.
const fold = text => text.replace(/[^\x00-\x7e]/g, letter => letter.normalize('NFKD')[0]).toLowerCase();

const bytes = count => count < 1e6 ? `${Math.ceil(count / 1000)} KB` : `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
