/* Searching: titles at once, texts as they come. */

// The pattern for a word: comets finds a comet, and galaxies a galaxy.
function finder(word) {
    const literal = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const both = literal.replace(/(?<=...)(ies|(?<!s)s)$/, end => end === 's' ? '(?:s|\\b)' : '(?:ies|y)');
    return new RegExp(both, 'g');
}

// The longest comes first.
const wordsIn = text => fold(text).split(/[\s"“”]+/).filter(Boolean).sort((a, b) => b.length - a.length).map(finder);

// The texts of a year in one string, newest day first: much faster to search than day by day.
class Sought {
    constructor(days) {
        this.days = days.filter(day => day.stem);
        const all = this.days.map(day => `${fold(day.title)}\n${fold(plainTexts.get(day.date) ?? '')}\n`);
        this.text = all.join('');
        this.starts = [0];
        for (const [index, text] of all.entries()) this.starts.push(this.starts[index] + text.length);
    }

    find([longest, ...others]) {
        const found = [];
        for (let index = 0; index < this.days.length; index += 1) {
            longest.lastIndex = this.starts[index];
            const at = longest.exec(this.text)?.index;
            if (at === undefined) break;
            while (this.starts[index + 1] <= at) index += 1;
            const text = others.length ? this.text.slice(this.starts[index], this.starts[index + 1]) : '';
            if (others.every(word => text.search(word) >= 0)) found.push(this.days[index]);
        }
        return found;
    }
}

// By years; until its texts are loaded, a year is searched by its titles.
const sought = new Map();
// The plain texts, by their days.
const plainTexts = new Map();
const withPlain = new Set();

// The months of a year are deflated each for itself, in blocks that follow one another: behind the last comes an end.
async function unpack(months) {
    const bytes = text => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const blocks = months.map(([, , text]) => bytes(text));
    const stream = new Blob([...blocks, new Uint8Array([3, 0])]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).text();
}

async function loadSought(year) {
    if (withPlain.has(year)) return;
    await loadYear(year);
    if (!apod.years.has(year) || !await load(`${year}-search`, () => apod.packed.has(year))) return;
    try {
        for (const line of (await unpack(apod.packed.get(year))).split('\n')) plainTexts.set(line.slice(0, 10), line.slice(11));
    } catch { return; }
    apod.packed.set(year, []);
    withPlain.add(year);
    sought.set(year, new Sought(apod.years.get(year)));
}

let allTexts;
let textsDone = 0;
let updated = 0;
let update;

// Loads all texts, once; `told` is called as they come.
function loadAllTexts() {
    allTexts ??= (async () => {
        await loadAllYears();
        textsDone = 0;
        for (const year of yearsDown) {
            await loadSought(year);
            textsDone += 1;
            // A letter typed meanwhile is answered first.
            await new Promise(resolve => setTimeout(resolve));
            clearTimeout(update);
            if (performance.now() - updated > 200) updateFound();
            // The next year may take long.
            else update = setTimeout(updateFound, 200);
        }
        clearTimeout(update);
        const lacking = yearsDown.filter(year => !withPlain.has(year));
        if (lacking.length) allTexts = undefined;
        return lacking.sort();
    })();
    return allTexts;
}

function find(text) {
    const words = wordsIn(text);
    return words.length ? yearsDown.flatMap(year => sought.get(year)?.find(words) ?? []) : [];
}

// The search that is drawn.
let results;

// The title with the words marked, the date, and a line of the text around the first of them.
function foundLine(day) {
    const text = plainTexts.get(day.date) ?? '';
    return element('a', { href: `#${day.date}${results.wall.suffix}`, class: 'found' },
        element('b', {}, marked(results.words, day.title)), ' ', time(day.date), signs(day),
        element('span', {}, lineAround(results.words, text)));
}

async function showSearch(text) {
    // After Back, the wall is scrolled far down, and needs all texts.
    if (history.state?.at) await loadAllTexts();
    if (search.value.trim() !== text) search.value = text;
    // More letters change the wall that is there.
    const { wall, progress } = drawn === 'search' ? results : { progress: element('p', { class: 'progress' }),
        wall: new Wall({ line: foundLine, keyOf: date => [date, plainTexts.has(date), results.words] }) };
    wall.suffix = wallOf(['search', text]);
    results = { wall, progress, text, words: wordsIn(text) };
    return () => {
        const title = `${text} – Search`;
        tellFound();
        if (drawn !== 'search') draw('search', [heading('Search'), progress, wall.element], title, { wall });
        entitle(title);
        loadAllTexts().then(updateFound);
    };
}

// Searches again when more texts are there. Days found before are found again.
function updateFound(lacking) {
    if (drawn === 'search') tellFound(lacking);
}

function tellFound(lacking) {
    updated = performance.now();
    const found = find(results.text);
    results.wall.set(found);
    let words = found.length ? `${counted(found.length, 'day')} with “${results.text}”. `
        : lacking ? `No day has “${results.text}” in its title or text. Try fewer or shorter words, or a date: 10 April 2019, or 10 April. ` : '';
    if (lacking?.length) words += `The texts of ${lacking.join(', ')} cannot be read.`;
    // Screen readers hear only the final number.
    state.textContent = lacking ? words : '';
    if (!lacking) words += `Looking through the texts: ${textsDone} of ${yearsDown.length} years …`;
    const { text } = results;
    results.progress.replaceChildren(words, archive.has(Number(text)) ? element('a', { href: `#${text}` }, `All of ${text}`) : '');
}
