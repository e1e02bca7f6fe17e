/* Searching: titles at once, texts as they come. Loaded with the first search. */

apod.here.add('search');

/* Dates as people type them */

// In lower case, with single spaces: 190410, 2019-04-10, 10.4.2019, 4/10, 10th april 2019,
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
    const { year, month, day } = datePatterns.map(pattern => pattern.exec(words)?.groups).find(Boolean) ?? {};
    if (!year && !day) return undefined;
    if (!month) return archive.has(Number(year)) ? year : undefined;
    // A leap year has all days.
    const date = dateFrom(year ?? '2000', month, day ?? 1);
    return date && (!year ? `on/${date.slice(5)}` : day ? date : date.slice(0, 7));
}

/* Words */

// The pattern for a word: comets finds a comet, and galaxies a galaxy.
function finder(word) {
    const literal = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const both = literal.replace(/(?<=...)(ies|(?<!s)s)$/, end => end === 's' ? '(?:s|\\b)' : '(?:ies|y)');
    return new RegExp(both);
}

// The longest comes first.
const wordsIn = text => fold(text).split(/[\s"“”]+/).filter(Boolean).sort((a, b) => b.length - a.length).map(finder);

// The months of a year are deflated each for itself, in blocks that follow one another: behind the last comes an end.
async function unpack(months) {
    const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const blocks = months.map(([, , text]) => bytes(text));
    const stream = new Blob([...blocks, new Uint8Array([3, 0])]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).text();
}

// Until its text is loaded, a day is searched by its title.
async function loadSought(year) {
    const name = `data/${year}-search`;
    if (!apod.years.has(year) || !await load(name)) return;
    const months = apod.packed.get(year);
    apod.packed.delete(year);
    try {
        for (const line of (await unpack(months ?? [])).split('\n')) {
            const [date, plain] = line.split('\t');
            const day = apod.days.get(date);
            if (!day) continue;
            day.plain = plain;
            day.sought = fold(`${day.title}\n${day.plain}`);
        }
    } catch {
        apod.here.delete(name);
        tellUnread(name);
    }
}

const isSought = year => apod.here.has(`data/${year}-search`) && !apod.packed.has(year);
// Loads all texts, once.
function loadAllTexts() {
    allTexts ??= (async () => {
        const timer = setInterval(updateFound, 200);
        await loadAllYears();
        const all = [...yearsDown, ...listsLink && await load('lists') ? await loadAllLists() : []];
        for (const year of all) {
            await loadSought(year);
            // A letter typed meanwhile is answered first.
            await new Promise(resolve => setTimeout(resolve));
        }
        clearInterval(timer);
        if (!all.every(isSought)) allTexts = undefined;
    })();
    return allTexts;
}

// All days, and then the items of other lists.
const everything = () => apod.here.has('lists') ? [...allDays(), ...allItems()] : allDays();

function find(text) {
    const words = wordsIn(text);
    return words.length ? everything().filter(day => day.stem && words.every(word => word.test(day.sought))) : [];
}

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

// The search that is drawn.
let results;

// The title with the words marked; the date; a line of the text around the first of them.
const foundLine = day => element('a', { href: `#${day.date}${results.wall.suffix}`, class: 'found' },
    element('b', {}, marked(results.pattern, day.title)), element('span', { class: 'when' }, moment(day), signs(day)),
    element('span', { class: 'line' }, lineAround(results.pattern, day.plain ?? '')));

async function showSearch(text) {
    // After Back, the wall is scrolled far down, and needs all texts.
    if (history.state?.at) await loadAllTexts();
    if (search.value.trim() !== text) search.value = text;
    // More letters change the wall that is there, and what they find begins at its top.
    if (drawn === 'search' && text !== results.text) scrollTo(0, 0);
    const { wall, progress, nearest } = drawn === 'search' ? results : { progress: element('p', { class: 'progress' }),
        nearest: element('div', { class: 'cards' }), wall: new Wall({ line: foundLine, keyOf: date => [date, 'plain' in apod.days.get(date), results.text] }) };
    wall.suffix = wallOf(['search', text]);
    results = { wall, progress, nearest, text, pattern: new RegExp(wordsIn(text).map(word => word.source).join('|'), 'g') };
    return () => {
        tellFound();
        if (drawn !== 'search') draw('search', [heading('Search'), progress, nearest, wall.element], '', wall);
        entitle(`${text} – Search`);
        loadAllTexts().then(() => updateFound(true));
    };
}

// Days found before are found again when more texts are there.
const updateFound = isDone => drawn === 'search' && tellFound(isDone);

function tellFound(isDone) {
    const { wall, progress, nearest, text } = results;
    const found = find(text);
    wall.set(found);
    const isLost = isDone && !found.length;
    const one = listsLink ? 'picture' : 'day';
    const words = found.length ? `${counted(found.length, one)} with “${text}”. `
        : isDone ? `No ${one} has “${text}” in its title or text. ` : '';
    // Screen readers hear only the final number.
    state.textContent = isDone ? words : '';
    const known = isLost ? likeWords(text) : [];
    const way = found.length ? element('a', { href: `#slideshow=${wallOf(['search', text]).slice(1)},15` }, 'Slideshow')
        : ['Try ', known.map(word => [element('a', { href: `#search/${encodeURIComponent(word)}` }, word), ', ']),
            'or a date as 14 March or 10 April 2019.'];
    progress.replaceChildren(words, ...isDone ? [way].flat(3) : ['Looking through the texts …']);
    nearest.replaceChildren(...(isLost ? nearestDays(text, known) : []).map(day => dayCard(day, '')));
}

/* Where nothing is found */

const piecesOf = word => new Set(Array.from(word.slice(1), (letter, index) => word[index] + letter));

// How much two words share, from 0 to 1: their pairs of letters.
function likeness(word, other) {
    const [pieces, others] = [piecesOf(word), piecesOf(other)];
    return 2 * [...pieces].filter(piece => others.has(piece)).length / (pieces.size + others.size || 1);
}

// Four words of the titles that are most like those of the reader; of two, the more frequent one.
function likeWords(text) {
    const counts = new Map();
    for (const day of everything()) {
        for (const word of day.stem && day.title.match(/\p{Lu}\p{Ll}{4,}/gu) || []) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const asked = fold(text).split(/\s+/);
    return [...counts].map(([word, count]) => {
        const like = Math.max(...asked.map(other => likeness(fold(word), other)));
        return [word, like < 0.4 ? 0 : like, count];
    }).sort((a, b) => b[1] - a[1] || b[2] - a[2]).slice(0, 4).map(([word]) => word);
}

// The days that have most of the words; where they have none, those that have one that is like them.
function nearestDays(text, known) {
    const words = wordsIn(text);
    const ranked = everything().filter(day => day.stem && small(day)).map(day => [day, words.filter(word => word.test(day.sought)).length]);
    const most = Math.max(0, ...ranked.map(([, count]) => count));
    const days = most ? ranked.filter(([, count]) => count === most).map(([day]) => day) : known.slice(0, 1).flatMap(find).filter(small);
    return days.slice(0, 8);
}
