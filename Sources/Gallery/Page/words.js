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

const heading = (...words) => element('h2', { tabindex: -1 }, ...words);
// Isolates a foreign name, so that a right-to-left one does not reorder the words beside it.
const named = text => element('bdi', {}, text);
const outside = { rel: 'noopener noreferrer external' };
const unreadText = 'The text cannot be read.';
const isWeb = address => /^https?:\/\//.test(address ?? '');
const counted = (count, one, many = `${one}s`) => `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`;

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'];
const monthName = month => `${months[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;
const written = date => `${Number(date.slice(8))} ${monthName(date)}`;
const dayInYear = date => written(date).replace(/ \d+$/, '');
const time = (date, words = written(date)) => element('time', { datetime: date }, words);

// The address of the day or month that somebody typed: 2019-04-10, 2019-04 or, without a year, on/04-10.
function typedDate(text) {
    const words = text.trim().toLowerCase().replace(/[,\s]+(of )?/g, ' ');
    const short = /^(\d\d)(\d\d)(\d\d)$/.exec(words);
    if (short) return dated((short[1] < 95 ? '20' : '19') + short[1], Number(short[2]), short[3]);
    const figures = /^(\d{4})[-/. ]?(\d\d?)(?:[-/. ]?(\d\d?))?$/.exec(words);
    if (figures) return dated(figures[1], Number(figures[2]), figures[3]);
    const dotted = /^(\d\d?)\. ?(\d\d?)\.(?: ?(\d{4}))?$/.exec(words);
    if (dotted) return dated(dotted[3], Number(dotted[2]), dotted[1]);
    const monthly = /^(?:(\d\d?)(?:\.|st|nd|rd|th)? )?([a-z]{3,9})\.?(?: (\d\d?)(?:st|nd|rd|th)?)?(?: (\d{4}))?$/.exec(words);
    const month = monthly ? months.findIndex(name => name.toLowerCase().startsWith(monthly[2])) + 1 : 0;
    const [first, , last, year] = monthly?.slice(1) ?? [];
    if (month && !(first && last) && (first ?? last ?? year)) return dated(year, month, first ?? last);
}

function dated(year, month, day) {
    if (month < 1 || month > 12) return undefined;
    // A leap year has all days.
    const date = [year ?? 2000, month, ...(day ? [day] : [])].map(part => String(part).padStart(2, '0')).join('-');
    if (!day || isDate(date)) return year ? date : `on/${date.slice(5)}`;
}

// A text is words and links: ['Seen from ', ['the Moon', 'https://…'], ' …'].
const parts = text => Array.isArray(text) ? text : [text ?? ''];

// Returns words and links. A link that is not on the web becomes words.
const paragraph = text => parts(text).map(part => !Array.isArray(part) ? part : !isWeb(part[1]) ? part[0]
    : element('a', { href: part[1], ...outside }, part[0]));

// Letters without their marks, in lower case.
const fold = text => /^[\x20-\x7e]*$/.test(text) ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

// A text as it is searched, and where each of its letters stands in the text.
function folded(text) {
    const letters = fold(text);
    if (letters.length === text.length) return [letters, at => at];
    let at = 0;
    const places = [];
    for (const letter of text) {
        places.push(...Array(fold(letter).length).fill(at));
        at += letter.length;
    }
    return [letters, index => places[index] ?? at];
}

// Where the words stand in a text, as pairs of ends, in order and apart.
function placesOf(words, text) {
    const [letters, place] = folded(text);
    const found = [];
    for (const word of words) {
        for (const { 0: part, index } of letters.matchAll(word)) found.push([place(index), place(index + part.length)]);
    }
    found.sort((a, b) => a[0] - b[0]);
    return found.filter(([start], index) => !index || start >= found[index - 1][1]);
}

// The text with the words marked.
function marked(words, text) {
    const made = [];
    let end = 0;
    for (const [from, to] of placesOf(words, text)) {
        made.push(text.slice(end, from), element('mark', {}, text.slice(from, to)));
        end = to;
    }
    return [...made, text.slice(end)];
}

// About a line of the text around the first of the words.
function lineAround(words, text) {
    const [at] = placesOf(words, text)[0] ?? [0];
    const start = at < 40 ? 0 : text.indexOf(' ', at - 40) + 1;
    const end = text.length < start + 180 ? text.length : text.lastIndexOf(' ', start + 180);
    return [start ? '… ' : '', ...marked(words, text.slice(start, end)), end < text.length ? ' …' : ''];
}

function bytes(count) {
    const units = ['bytes', 'KB', 'MB', 'GB'];
    let unit = 0;
    for (; count >= 1000 && unit < 3; unit += 1) count /= 1000;
    return `${count < 10 && unit ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}
