/* Searching: titles at once, texts as they come. */

/* Dates as people type them */

// In lower case, with single spaces: 190410, 2019-04-10, 10.4.2019, 4/10, 10th april 2019,
// april 10 2019, 2019.
const dateParts = { Y: '(?<year>\\d{4})', M: '(?<month>\\d\\d?)', N: '(?<month>[a-z]{3,9})\\.?', D: '(?<day>\\d\\d?)' };
const datePatterns = ['(?<year>\\d\\d)(?<month>\\d\\d)(?<day>\\d\\d)', 'Y([-/. ]?M([-/. ]?D)?)?', '(?<day>1[3-9]|[23]\\d)[-/]M([-/]Y)?',
    'M[-/]D([-/]Y)?', 'D\\. ?M\\.( ?Y)?', '(D(\\.|st|nd|rd|th)? )?N( Y)?', 'N D(st|nd|rd|th)?( Y)?',
].map(text => new RegExp(`^${text.replace(/[YMND]/g, letter => dateParts[letter])}$`));

// The address of the day, month or year that somebody typed: 2019-04-10, 2019-04, 2019 or, without a year, on/04-10. Of words
// before it, `asked` makes a filter.
function typedDate(text) {
    const words = text.trim().toLowerCase().replace(/[,\s]+(of )?/g, ' ');
    const { year, month, day } = datePatterns.map(pattern => pattern.exec(words)?.groups).find(Boolean) ?? {};
    if (!year && !day) return undefined;
    if (!month) return archive.has(Number(year)) ? year : undefined;
    // A leap year has all days.
    const date = dateFrom(year ?? '2000', month, day ?? 1);
    return date && (!year ? `on/${date.slice(5)}` : day ? date : date.slice(0, 7));
}

const seasons = { spring: '03 04 05', summer: '06 07 08', autumn: '09 10 11', fall: '09 10 11', winter: '12 01 02' };

// What somebody asks for: words, and the beginnings of dates where these end with a time: comet april 2026, comet 2019, spring 2026.
function asked(text) {
    const pieces = text.trim().split(/\s+/);
    for (const size of [3, 2, 1]) {
        const [words, time] = [pieces.slice(0, -size).join(' '), pieces.slice(-size).join(' ').toLowerCase()];
        const [, season, year] = /^(\w+) (\d{4})$/.exec(time) ?? [];
        if (pieces.length < size) continue;
        if (seasons[season] && archive.has(Number(year))) {
            // A winter ends in the next year.
            const of = month => season === 'winter' && month < '12' ? Number(year) + 1 : year;
            return { words, time, starts: seasons[season].split(' ').map(month => `${of(month)}-${month}`) };
        }
        const date = words && typedDate(time);
        if (/^\d/.test(date)) return { words, time, starts: [date] };
    }
    return { words: text, starts: [''] };
}

/* Words */

// The pattern for a word: comets finds a comet, and galaxies a galaxy.
function finder(word) {
    const literal = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return new RegExp(literal.replace(/(?<=...)ies$/, '(?:ies|y)').replace(/(?<=..[^s])s$/, '(?:s|\\b)'));
}

// The longest comes first.
const wordsIn = text => fold(text).split(/[\s"“”]+/).filter(Boolean).sort((a, b) => b.length - a.length).map(finder);

// A text and its credit without links.
const unlinked = ({ text, credit } = {}) => [text, ' ', credit].flat().map(part => [part ?? ''].flat()[0]).join('').replace(/\s+/g, ' ').trim();

// What of a day is searched: until its text is loaded, its title.
const soughtOf = day => day.sought ??= fold(`${day.title}\n${unlinked(day.words)}`);

// Loads all texts, once.
function loadAllTexts() {
    allTexts ??= (async () => {
        const timer = setInterval(updateFound, 200);
        await loadAllYears();
        let isWhole = true;
        for (const year of [...yearsDown, ...await loadAllLists()]) {
            isWhole = apod.years.has(year) && await load(`data/${year}-text`) && isWhole;
            apod.years.get(year)?.forEach(soughtOf);
            // A letter typed meanwhile is answered first.
            await new Promise(resolve => setTimeout(resolve));
        }
        clearInterval(timer);
        if (!isWhole) allTexts = undefined;
    })();
    return allTexts;
}

// All with these words, and those of them within the time that is asked for.
function find(text) {
    const { words, starts } = asked(text);
    const patterns = wordsIn(words);
    const all = [...allDays(), ...allItems()].filter(day => day.stem && patterns.every(pattern => pattern.test(soughtOf(day))));
    return { all, within: all.filter(day => starts.some(start => (day.when ?? day.date).startsWith(start))) };
}

// The text with what the pattern finds marked.
function marked(pattern, text) {
    let end = 0;
    const made = [...fold(text).matchAll(pattern)].flatMap(({ 0: part, index }) =>
        [text.slice(end, index), element('mark', text.slice(index, end = index + part.length))]);
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
const foundLine = day => element('a.found', { href: `#${day.date}${results.wall.suffix}` },
    element('b', marked(results.pattern, day.title)), element('span.when', moment(day), marks(day).map(mark => [' ', sign(mark)])),
    element('span.line', lineAround(results.pattern, unlinked(day.words))));

async function showSearch(text) {
    // After Back, the wall is scrolled far down, and needs all texts.
    if (history.state?.at) await loadAllTexts();
    if (search.value.trim() !== text) search.value = text;
    // More letters change the wall that is there, and what they find begins at its top.
    if (drawn === 'search' && text !== results.text) scrollTo(0, 0);
    const { wall, progress, years } = drawn === 'search' ? results : { progress: element('p.progress'),
        years: picks(),
        wall: new Wall({ line: foundLine, keyOf: day => [day.date, Boolean(day.words), results.text] }) };
    wall.suffix = wallOf(['search', text]);
    results = { wall, progress, years, text, pattern: new RegExp(wordsIn(asked(text).words).map(word => word.source).join('|') || '$^', 'g') };
    return () => {
        tellFound();
        if (drawn !== 'search') draw('search', [heading('Search'), progress, years, wall.element], '', wall);
        entitle(`${text} – Search`);
        loadAllTexts().then(() => updateFound(true));
    };
}

// Days found before are found again when more texts are there.
const updateFound = isDone => drawn === 'search' && tellFound(isDone);

function tellFound(isDone) {
    const { wall, progress, years, text } = results;
    const { all, within: found } = find(text);
    wall.set(found);
    const one = listsLink ? 'picture' : 'day';
    const words = found.length ? `${counted(found.length, one)} with “${text}”. ` : isDone ? `No ${one} has “${text}” in its title or text.` : '';
    // Screen readers hear only the final number.
    state.textContent = isDone ? words : '';
    progress.replaceChildren(words, found.length ? element('a', { href: slidesOf(['search', text]) }, 'Slideshow') : '',
        isDone ? '' : ' Looking through the texts …');
    years.replaceChildren(...yearsFound(all, asked(text)));
}

// How many each year has, as ways to these alone, and back to all.
function yearsFound(found, { words, time }) {
    const counts = new Map();
    for (const day of words ? found : []) {
        const year = (day.when ?? day.date).slice(0, 4);
        if (Number(year)) counts.set(year, (counts.get(year) ?? 0) + 1);
    }
    return counts.size < 2 ? [] : [...counts].sort().reverse().map(([year, count]) =>
        pick(`#search/${encodeURIComponent(year === time ? words : `${words} ${year}`)}`, year === time, year, count));
}

/* The search field */

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
on(search, 'focus', loadAllTexts);
on(search, 'blur', () => { isTyping = false; });
on(search, 'input', type);
if (search.value) type();

function type() {
    const words = search.value.trim();
    if (!words && !isTyping) return;
    const wasTyping = isTyping;
    isTyping = true;
    go(words ? `#${typedDate(words) ?? `search/${encodeURIComponent(words)}`}` : '#', wasTyping);
}
