/* The page of a day. */

// A day's picture or video, as large as the window allows. `href`: where the picture leads.
function stage(day, alt, href) {
    if (day.video) {
        const video = element('video', { src: path(day, day.video), poster: large(day), controls: true, preload: 'none',
            'aria-label': alt });
        video.style.setProperty('--ratio', ratio(day));
        return element('figure', {}, video);
    }
    const image = picture(day, alt);
    return image && element('figure', {}, element('a', { href }, image));
}

const head = (day, title, ...more) => element('div', { class: 'head' }, element('h2', { id: 'title', tabindex: -1 }, title),
    element('p', { class: 'date' }, time(day.date), more, element('span', { class: 'credit' })));

// The newest picture, whole.
const hero = day => element('article', { class: 'hero', 'aria-labelledby': 'title' }, stage(day, day.title, `#${day.date}`),
    head(day, element('a', { href: `#${day.date}` }, named(day.title)), videoSign(day), ' ', heart(day)));

// Adds the credit and NASA's words for the picture to a page.
function tellHead(page, day, words) {
    const credit = page.querySelector('.credit');
    if (credit && words.credit && !credit.textContent) credit.append(' · ', ...paragraph(words.credit));
    if (words.alt) page.querySelector('figure img, figure video')?.setAttribute('aria-label', words.alt);
}

// Returns the words of a day, loading them where they are not there.
async function wordsOf(day) {
    return day.words ?? (await loadTexts(yearOf(day.date)) && apod.days.get(day.date).words) ?? {};
}

// The ways to the neighbours, and up to the wall.
function steps({ date }, pieces, { newer, older, place }) {
    const step = (to, rel, words) => to ? element('a', { href: `#${to}${wallOf(pieces)}`, rel }, words) : element('span');
    const up = pieces.length ? [wallName(pieces), place && ` · ${place}`] : monthName(date);
    return element('nav', { 'aria-label': 'Days', class: 'steps' }, step(newer, 'prev', '‹ Newer'),
        element('a', { href: wallOf(pieces).replace('/', '#') || `#${date.slice(0, 7)}`, class: 'up' }, up),
        step(older, 'next', 'Older ›'));
}

function dayPage(day, pieces, near) {
    const albums = apod.albums.get(day.date)?.flatMap((album, index) => [index ? ', ' : ' in ',
        element('a', { href: `#favorites/${encodeURIComponent(album)}` }, named(album))]);
    const facts = [
        isWeb(day.player) && element('a', { href: day.player, ...outside }, 'Play the video on its own page'),
        day.image && element('a', { href: original(day) }, `The picture itself${day.width ? `, ${day.width} × ${day.height}` : ''}`,
            `, ${bytes(day.bytes)}`),
        day.video && element('a', { href: path(day, day.video) }, 'The video itself'),
        element('a', { href: `#on/${day.date.slice(5)}` }, `Every ${dayInYear(day.date)}`),
    ].filter(Boolean);
    const replaced = (day.replaced ?? []).filter(([date]) => isDate(date)).map(([date, what]) =>
        element('p', { class: 'note' }, `On ${written(date)}, another ${what} came from NASA. The former one is kept.`));
    return element('article', { 'aria-labelledby': 'title' },
        stage(day, day.title, `#view/${day.date}${wallOf(pieces)}`) ?? element('p', { class: 'nothing' }, why(day) ?? whys.none),
        head(day, day.title, ' ', heart(day), albums, ' ', served.albumButton?.(day)),
        steps(day, pieces, near),
        element('p', { class: 'text' }, 'Loading the text …'),
        large(day) && why(day) && element('p', { class: 'note' }, why(day)),
        replaced,
        element('ul', { class: 'facts' }, facts.map(fact => element('li', {}, fact))));
}

// Adds the texts to a page. The rest stays: a video can be playing, a link can have the focus.
function tell(page, day, words) {
    tellHead(page, day, words);
    page.querySelector('.text').replaceChildren(...paragraph(words.text));
    if (isWeb(words.page)) {
        page.querySelector('.facts').prepend(element('li', {}, element('a', { href: words.page, ...outside }, 'NASA’s page of the day')));
    }
}

async function showDay(date, pieces) {
    if (!isDate(date)) return say('There is no such day.', date);
    await loadYear(yearOf(date));
    if (pieces[0] === 'favorites') await loadFavorites();
    const day = apod.days.get(date);
    const near = await around(date, pieces);
    if (!day?.stem) {
        const words = day && why(day) || (letter(date) === 'm' ? whys.waiting : 'No picture of this day is here.');
        return say(words, written(date), steps({ date }, [], near));
    }
    return async () => {
        const page = dayPage(day, pieces, near);
        if (day.words) tell(page, day, day.words);
        draw(date, [page], `${day.title} – ${written(date)}`);
        // The picture does not wait for the text.
        await new Promise(afterPaint);
        for (const date of [near.older, near.newer]) loadAhead(date);
        if (!day.words) tell(page, day, await wordsOf(day));
    };
}
