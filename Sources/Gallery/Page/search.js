/* Searching: titles at once, texts as they come. */

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
    if (!await loadYear(year) || !await load(name)) return;
    const months = apod.packed.get(year);
    apod.packed.delete(year);
    try {
        for (const line of (await unpack(months ?? [])).split('\n')) {
            const day = apod.days.get(line.slice(0, 10));
            if (!day) continue;
            day.plain = line.slice(11);
            day.sought = fold(`${day.title}\n${day.plain}`);
        }
    } catch {
        apod.here.delete(name);
        tellUnread(name);
    }
}

const isSought = year => apod.here.has(`data/${year}-search`) && !apod.packed.has(year);
let allTexts;

// Loads all texts, once.
function loadAllTexts() {
    allTexts ??= (async () => {
        const timer = setInterval(updateFound, 200);
        await loadAllYears();
        for (const year of yearsDown) {
            await loadSought(year);
            // A letter typed meanwhile is answered first.
            await new Promise(resolve => setTimeout(resolve));
        }
        clearInterval(timer);
        if (!yearsDown.every(isSought)) allTexts = undefined;
    })();
    return allTexts;
}

function find(text) {
    const words = wordsIn(text);
    return words.length ? allDays().filter(day => day.stem && words.every(word => word.test(day.sought))) : [];
}

// The search that is drawn.
let results;

// The title with the words marked, the date, and a line of the text around the first of them.
const foundLine = day => element('a', { href: `#${day.date}${results.wall.suffix}`, class: 'found' },
    element('b', {}, marked(results.pattern, day.title)), ' ', time(day.date), signs(day),
    element('span', {}, lineAround(results.pattern, day.plain ?? '')));

async function showSearch(text) {
    // After Back, the wall is scrolled far down, and needs all texts.
    if (history.state?.at) await loadAllTexts();
    if (search.value.trim() !== text) search.value = text;
    // More letters change the wall that is there, and what they find begins at its top.
    if (drawn === 'search' && text !== results.text) scrollTo(0, 0);
    const { wall, progress } = drawn === 'search' ? results : { progress: element('p', { class: 'progress' }),
        wall: new Wall({ line: foundLine, keyOf: date => [date, 'plain' in apod.days.get(date), results.text] }) };
    wall.suffix = wallOf(['search', text]);
    results = { wall, progress, text, pattern: new RegExp(wordsIn(text).map(word => word.source).join('|'), 'g') };
    return () => {
        tellFound();
        if (drawn !== 'search') draw('search', [heading('Search'), progress, wall.element], '', wall);
        entitle(`${text} – Search`);
        loadAllTexts().then(() => updateFound(true));
    };
}

// Days found before are found again when more texts are there.
const updateFound = isDone => drawn === 'search' && tellFound(isDone);

function tellFound(isDone) {
    const { wall, progress, text } = results;
    const found = find(text);
    wall.set(found);
    const words = found.length ? `${counted(found.length, 'day')} with “${text}”. `
        : isDone ? `No day has “${text}” in its title or text. Try fewer or shorter words, or a date as 10 April 2019. ` : '';
    // Screen readers hear only the final number.
    state.textContent = isDone ? words : '';
    progress.textContent = isDone ? words : `${words}Looking through the texts …`;
}
