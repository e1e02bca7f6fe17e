/* A day: its picture, its words, and what can be done with it. */

const film = (day, alt) => element('video', { src: path(day, day.video), poster: large(day), controls: true, preload: 'none',
    'aria-label': alt });

// A day's picture or video, as large as its room. `href`: where the picture leads.
function stage(day, alt, href) {
    const shown = day.video ? film(day, alt) : picture(day, alt);
    if (!shown) return undefined;
    const figure = element('figure', day.video ? shown : element('a', { href }, shown), player(day));
    const shape = ratio => figure.style.setProperty('--ratio', ratio);
    shape(ratio(day));
    // A small picture is shown in twice its size at most.
    if (day.width && !day.video) figure.style.setProperty('--most', `${2 * day.width}px`);
    on(shown, 'load', () => shape(shapeHere(shown, day)), { once: true });
    shown.coming?.then(isHere => isHere || shown.parentElement.replaceChildren(shown, element('p.plain', lost)));
    return figure;
}

const lost = 'This picture cannot be loaded.';

// A day's pictures beside the first, each as if it were a day's own.
const beside = day => (day.also ?? []).map(other => ({ ...day, copies: undefined, color: undefined, video: undefined, player: undefined,
    ...other, stem: `${day.stem} (${other.number})` }));

const player = day => isWeb(day.player) && element('a.player', { href: day.player, ...outside }, '▶\ufe0e Play the video');

// What can be done with a day: its heart first.
const acts = day => [heart(day), served.albumButton?.(day), large(day) && tool('download', 'Download', { href: original(day) ?? path(day, day.video), download: '' }),
    tool('share', 'Share', {}, async () => { if (await load('page')) share(day); })].filter(Boolean);

// Adds the words to a page. The rest stays: a video can be playing, a link can have the focus.
function tell(page, day, words) {
    const told = rights(words);
    if (told.length) page.querySelector('.credit').append(' · ', ...told);
    if (words.alt) page.querySelector('figure img, figure video')?.setAttribute('aria-label', words.alt);
    const text = paragraph(words.text);
    page.querySelector('.text').replaceChildren(...page.matches('.hero') ? text.map(part => part.textContent ?? part) : text);
    if (isWeb(words.page)) {
        page.querySelector('.facts')?.prepend(element('li', element('a', { href: words.page, ...outside }, day.list ? 'Its page' : 'NASA’s page of the day')));
    }
}

// What the page itself tells of its newest day.
const first = JSON.parse(byId('first').textContent || '{}');

// Returns the words of a day, loading them where they are not there.
async function wordsOf(day) {
    if (day.date === first.date) return first;
    return day.words ?? (await load(`data/${day.volume ?? yearOf(day.date)}-text`) && dayOf(day.date).words) ?? {};
}

// A day as large as the window, with its words beside it or below. Without `near`, the newest one, above the wall: its text is cut.
function dayPage(day, pieces, near) {
    const albums = apod.albums.get(subject(day))?.flatMap((album, index) => [index ? ', ' : ' in ',
        element('a', { href: `#favorites/${encodeURIComponent(album)}` }, named(album))]);
    const own = `#${day.date}`;
    const shown = stage(day, day.title, near ? `#view/${day.date}${wallOf(pieces)}` : own);
    const others = near ? beside(day).filter(large) : [];
    const over = shown && !day.video && others.find(other => other.rollover);
    const head = element('div.head',
        element('h2', { id: 'title', tabindex: -1 }, near ? named(day.title) : element('a', { href: own }, named(day.title))),
        element('p.date', moment(day), albums, element('span.credit')),
        element('p.acts', acts(day), over && turning(shown, over)));
    const text = element('p.text', 'Loading the text …');
    return element(`article.day${near ? '' : '.hero'}${shown && ratio(day) < 2 ? '' : '.wide'}`, { 'aria-labelledby': 'title' },
        element('div.first', shown, head),
        element('div.rest', near ? [steps(day, pieces, near), ...facts(day, shown, text),
            element('div.beside', others.filter(other => other !== over).map(other => stage(other, other.alt ?? day.title, original(other)))),
            element('section.others')] : [text, element('a', { href: own }, 'Read on')]));
}
