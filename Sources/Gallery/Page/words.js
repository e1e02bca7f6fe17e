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
const isWeb = address => /^https?:\/\//.test(address ?? '');
// 11,422. The browser's own way loads its tables of languages first, which takes longer than a search.
const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'];
const monthName = month => `${months[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;
const written = date => `${Number(date.slice(8))} ${monthName(date)}`;
const dayInYear = date => written(date).replace(/ \d+$/, '');
const time = (date, words = written(date)) => element('time', { datetime: date }, words);

// Dates as people type them, in lower case, with single spaces: 190410, 2019-04-10, 10.4.2019, 4/10, 10th april 2019,
// april 10 2019, 2019.
const datePatterns = [
    /^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)$/,
    /^(?<year>\d{4})([-/. ]?(?<month>\d\d?)([-/. ]?(?<day>\d\d?))?)?$/,
    /^(?<day>1[3-9]|[23]\d)[-/](?<month>\d\d?)([-/](?<year>\d{4}))?$/,
    /^(?<month>\d\d?)[-/](?<day>\d\d?)([-/](?<year>\d{4}))?$/,
    /^(?<day>\d\d?)\. ?(?<month>\d\d?)\.( ?(?<year>\d{4}))?$/,
    /^((?<day>\d\d?)(\.|st|nd|rd|th)? )?(?<month>[a-z]{3,9})\.?( (?<year>\d{4}))?$/,
    /^(?<month>[a-z]{3,9})\.? (?<day>\d\d?)(st|nd|rd|th)?( (?<year>\d{4}))?$/,
];

// The address of the day, month or year that somebody typed: 2019-04-10, 2019-04, 2019 or, without a year, on/04-10.
function typedDate(text) {
    const words = text.trim().toLowerCase().replace(/[,\s]+(of )?/g, ' ');
    let { year, month, day } = datePatterns.map(pattern => pattern.exec(words)?.groups).find(Boolean) ?? {};
    if (!year && !day) return undefined;
    if (year?.length === 2) year = (year < 95 ? '20' : '19') + year;
    if (!month) return archive.has(Number(year)) ? year : undefined;
    month = Number(month) || months.findIndex(name => name.toLowerCase().startsWith(month)) + 1;
    // A leap year has all days.
    const date = [year ?? 2000, month, day ?? 1].map(part => String(part).padStart(2, '0')).join('-');
    if (isDate(date)) return !year ? `on/${date.slice(5)}` : day ? date : date.slice(0, 7);
}

// The day that an address of NASA's shows, in any of the forms that it has used: …/ap130630.html,
// …/apod-2026-june-10-the-eagle-nebula-and-friends/.
function dayAt(address) {
    const [, old, year, month, day] = /\/(?:ap(\d{6})\.html|apod-(\d{4})-([a-z]{3,9})-(\d\d?)-[^/]*\/?)$/.exec(address) ?? [];
    return old ? typedDate(old) : day && typedDate(`${month} ${day} ${year}`);
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

// Lower case without marks. Each letter keeps its place.
const fold = text => text.replace(/[^\x00-\x7e]/g, letter => letter.normalize('NFKD')[0]).toLowerCase();

// The text with what the pattern finds marked.
function marked(pattern, text) {
    let end = 0;
    const made = [...fold(text).matchAll(pattern)].flatMap(({ 0: part, index }) =>
        [text.slice(end, index), element('mark', {}, text.slice(index, end = index + part.length))]);
    return [...made, text.slice(end)];
}

// About a line of the text around the first place of the pattern.
function lineAround(pattern, text) {
    const at = fold(text).search(pattern);
    const start = at < 24 ? 0 : text.indexOf(' ', at - 24) + 1;
    const end = text.length < start + 180 ? text.length : text.lastIndexOf(' ', start + 180);
    return [start ? '… ' : '', ...marked(pattern, text.slice(start, end)), end < text.length ? ' …' : ''];
}

const bytes = count => count < 1e6 ? `${Math.ceil(count / 1000)} KB` : `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
