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
    return image && element('figure', {}, element('a', { href }, image), player(day));
}

// A day's pictures beside the first, each as if it were a day's own.
const beside = day => (day.also ?? []).map(other => ({ ...day, copies: undefined, color: undefined, video: undefined, player: undefined,
    ...other, stem: `${day.stem} (${other.number})` }));

const player = day => isWeb(day.player) && element('a', { href: day.player, class: 'play', ...outside }, '▶\ufe0e Play the video');

// `buttons`: what can be done with the day.
const head = (day, title, albums, buttons) => element('div', { class: 'head' },
    element('h2', { id: 'title', tabindex: -1 }, title),
    element('p', { class: 'date' }, moment(day), !served.heart && [' ', favoriteSign(day)], albums, element('span', { class: 'credit' })),
    element('p', { class: 'acts' }, buttons));

// The newest picture, whole.
const hero = day => element('article', { class: 'hero', 'aria-labelledby': 'title' }, stage(day, day.title, `#${day.date}`),
    head(day, element('a', { href: `#${day.date}` }, named(day.title)), [], [served.heart?.(day)]));

// Adds the credit and the words for the picture to a page.
function tellHead(page, day, words) {
    const credit = page.querySelector('.credit');
    const told = rights(words);
    if (credit && told.length && !credit.textContent) credit.append(' · ', ...told);
    if (words.alt) page.querySelector('figure img, figure video')?.setAttribute('aria-label', words.alt);
}

// Returns the words of a day, loading them where they are not there.
async function wordsOf(day) {
    return day.words ?? (await load(`data/${day.volume ?? yearOf(day.date)}-text`) && apod.days.get(day.date).words) ?? {};
}

// The ways to the neighbours, and up to the wall.
function steps({ date }, pieces, { newer, older, place }) {
    const step = (to, rel, ...words) => to ? element('a', { href: `#${to}${wallOf(pieces)}`, rel }, words) : element('span');
    const up = pieces.length ? [wallName(pieces), place && ` · ${place}`] : monthName(date);
    return element('nav', { 'aria-label': 'Days', class: 'steps' }, step(newer, 'prev', '‹ ', element('span', {}, 'Newer')),
        element('a', { href: wallOf(pieces).replace('/', '#') || `#${date.slice(0, 7)}`, class: 'up' }, up),
        step(older, 'next', element('span', {}, 'Older'), ' ›'));
}

function dayPage(day, pieces, near) {
    const albums = apod.albums.get(subject(day))?.flatMap((album, index) => [index ? ', ' : ' in ',
        element('a', { href: `#favorites/${encodeURIComponent(album)}` }, named(album))]);
    const view = `#view/${day.date}${wallOf(pieces)}`;
    const shown = stage(day, day.title, view);
    const trouble = why(day) ?? (!shown && whys.none);
    const others = beside(day).filter(large);
    const over = shown && !day.video && others.find(other => other.rollover);
    const facts = [
        !shown && player(day),
        day.image && element('a', { href: original(day) }, `The picture itself${day.width ? `, ${day.width} × ${day.height}` : ''}`,
            `, ${bytes(day.bytes)}`),
        day.video && element('a', { href: path(day, day.video) }, 'The video itself'),
    ].filter(Boolean);
    const replaced = (day.replaced ?? []).filter(([date]) => isDate(date)).map(([date, what]) =>
        element('p', { class: 'note' }, `On ${written(date)}, another ${what} came${day.list ? '' : ' from NASA'}. The former one is kept.`));
    return element('article', { 'aria-labelledby': 'title', class: day.height > day.width && !day.video ? 'day tall' : 'day' },
        shown, head(day, day.title, albums, [served.heart?.(day), served.albumButton?.(day), shown && !day.video && fullButton(view),
            over && apod.here.has('others') && turning(shown, over)]),
        element('div', { class: 'beside' }, others.filter(other => other !== over).map(other => stage(other, other.alt ?? day.title, original(other)))),
        steps(day, pieces, near),
        trouble && element('p', { class: 'note' }, trouble),
        element('p', { class: 'text' }, 'Loading the text …'),
        replaced,
        element('ul', { class: 'facts' }, facts.map(fact => element('li', {}, fact))),
        element('section', { class: 'others' }));
}

function fullButton(view) {
    const button = element('button', { type: 'button' }, 'Full screen');
    on(button, 'click', () => {
        go(view);
        toggleFullScreen();
    });
    return button;
}

// Shows the days that have to do with this one.
const tellOthers = async (page, { date, list }) => !list && await load('others') && fillOthers(page.querySelector('.others'), date);

// The same, when the reader comes near the page's end.
function offerOthers(page, day) {
    new IntersectionObserver(([{ isIntersecting }], observer) => {
        if (!isIntersecting) return;
        observer.disconnect();
        tellOthers(page, day);
    }, { rootMargin: '100%' }).observe(page.querySelector('.others'));
}

// Adds the texts to a page. The rest stays: a video can be playing, a link can have the focus.
function tell(page, day, words) {
    tellHead(page, day, words);
    page.querySelector('.text').replaceChildren(...paragraph(words.text));
    if (isWeb(words.page)) {
        page.querySelector('.facts').prepend(element('li', {}, element('a', { href: words.page, ...outside }, day.list ? 'Its page' : 'NASA’s page of the day')));
    }
}

const isToCome = date => date > today();

// Why there is nothing of a day.
const lackOf = (date, day) => day && why(day) || (apod.albums.has(date) || letter(date) === 'm' ? whys.waiting
    : isToCome(date) ? 'This day has not come yet.' : 'This day is not here.');

async function showDay(date, pieces) {
    const list = listOf(date);
    if (!list && (!isDate(date) || date < '1995-06-16')) return say('There is no such day.', date);
    await loadDay(date);
    if (pieces[0] === 'favorites') await loadFavorites();
    const day = apod.days.get(date);
    if (list && !day) return say('This picture is not here.', list);
    // What its other picture needs.
    if (day?.also) await load('others');
    const near = await around(date, pieces);
    if (!day?.stem) return say(lackOf(date, day), written(date), await load('others') && offerWish(date, day), steps({ date }, [], near));
    const page = dayPage(day, pieces, near);
    // After Back, the page is scrolled, and needs all of its parts.
    const isScrolled = history.state?.y > 0;
    if (isScrolled) await Promise.all([wordsOf(day), tellOthers(page, day)]);
    return async () => {
        // The words may come while it is drawn.
        const { words } = day;
        if (words) tell(page, day, words);
        draw(date, [page], `${day.title} – ${when(day)}`);
        if (!isScrolled) offerOthers(page, day);
        // The picture does not wait for the text.
        await new Promise(afterPaint);
        for (const date of [near.older, near.newer]) loadAhead(date);
        load('viewer');
        if (!words) tell(page, day, await wordsOf(day));
    };
}
