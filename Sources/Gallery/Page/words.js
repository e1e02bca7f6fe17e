/* Words: elements, dates as people write them, texts with links and marks. */

const on = (target, names, act, options) => names.split(' ').forEach(name => target.addEventListener(name, act, options));
const byId = id => document.getElementById(id);

// Elements are made of text only: nothing that a file tells is ever read as HTML.
function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children.flat(Infinity).filter(child => child !== undefined && child !== false));
    return made;
}

// An icon of the page, and a button with one.
const icon = name => document.querySelector(`svg.${name}`).cloneNode(true);
const tool = (name, label, attributes) => element('button', { type: 'button', class: `${name} tool`, 'aria-label': label, title: label,
    ...attributes }, icon(name));

// A dialog that closes by its button, or by a tap beside it.
function dialog(id, label, ...content) {
    const made = element('dialog', { id, 'aria-label': label, closedby: 'any' }, content,
        element('form', { method: 'dialog' }, element('button', {}, 'Close')));
    document.body.append(made);
    return made;
}

const heading = (...words) => element('h2', { tabindex: -1 }, ...words);
// Isolates a foreign name, so that a right-to-left one does not reorder the words beside it.
const named = text => element('bdi', {}, text);
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
