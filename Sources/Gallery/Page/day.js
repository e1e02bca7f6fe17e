/* The page of a day. */

const film = (day, alt) => element('video', { src: path(day, day.video), poster: large(day), controls: true, preload: 'none',
    'aria-label': alt });

// A day's picture or video, as large as its room. `href`: where the picture leads.
function stage(day, alt, href) {
    const shown = day.video ? film(day, alt) : picture(day, alt);
    if (!shown) return undefined;
    const figure = element('figure', {}, day.video ? shown : element('a', { href }, shown), player(day));
    const shape = ratio => figure.style.setProperty('--ratio', ratio);
    shape(ratio(day));
    // A small picture is shown in twice its size at most.
    if (day.width && !day.video) figure.style.setProperty('--most', `${2 * day.width}px`);
    // Its own size counts: some pictures are rotated.
    on(shown, 'load', () => shape(shown.naturalWidth / shown.naturalHeight), { once: true });
    shown.coming?.then(isHere => isHere || shown.parentElement.replaceChildren(shown, element('p', { class: 'plain' }, lost)));
    return figure;
}

const lost = 'The file of this picture is missing.';

// A day's pictures beside the first, each as if it were a day's own.
const beside = day => (day.also ?? []).map(other => ({ ...day, copies: undefined, color: undefined, video: undefined, player: undefined,
    ...other, stem: `${day.stem} (${other.number})` }));

const player = day => isWeb(day.player) && element('a', { href: day.player, class: 'player', ...outside }, '▶\ufe0e Play the video');

// What can be done with a day: its heart first.
const acts = day => [heart(day), served.albumButton?.(day), large(day) && element('a', { href: original(day) ?? path(day, day.video), download: '',
    class: 'tool', 'aria-label': 'Download', title: 'Download' }, icon('download')), shareButton(day)];

function shareButton(day) {
    const button = tool('share', 'Share');
    on(button, 'click', async () => { if (await load('others')) share(day); });
    return button;
}

// Adds the words to a page. The rest stays: a video can be playing, a link can have the focus.
function tell(page, day, words) {
    const credit = page.querySelector('.credit');
    const told = rights(words);
    if (told.length && !credit.textContent) credit.append(' · ', ...told);
    if (words.alt) page.querySelector('figure img, figure video')?.setAttribute('aria-label', words.alt);
    const text = paragraph(words.text);
    page.querySelector('.text').replaceChildren(...page.matches('.hero') ? text.map(part => part.textContent ?? part) : text);
    if (isWeb(words.page)) {
        page.querySelector('.facts')?.prepend(element('li', {}, element('a', { href: words.page, ...outside }, day.list ? 'Its page' : 'NASA’s page of the day')));
    }
}

// What the page itself tells of its newest day.
const first = JSON.parse(byId('first').textContent || '{}');

// Returns the words of a day, loading them where they are not there.
async function wordsOf(day) {
    if (day.date === first.date) return first;
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

// A day as large as the window, with its words beside it or below. Without `near`, the newest one, above the wall: its text is cut.
function dayPage(day, pieces, near) {
    const albums = apod.albums.get(subject(day))?.flatMap((album, index) => [index ? ', ' : ' in ',
        element('a', { href: `#favorites/${encodeURIComponent(album)}` }, named(album))]);
    const own = `#${day.date}`;
    const view = `#view/${day.date}${wallOf(pieces)}`;
    const shown = stage(day, day.title, near ? view : own);
    const others = near ? beside(day).filter(large) : [];
    const over = shown && !day.video && others.find(other => other.rollover);
    const head = element('div', { class: 'head' },
        element('h2', { id: 'title', tabindex: -1 }, near ? named(day.title) : element('a', { href: own }, named(day.title))),
        element('p', { class: 'date' }, moment(day), albums, element('span', { class: 'credit' })),
        element('p', { class: 'acts' }, acts(day), near && shown && !day.video && fullButton(view),
            over && apod.here.has('others') && turning(shown, over)));
    const text = element('p', { class: 'text' }, 'Loading the text …');
    return element('article', { 'aria-labelledby': 'title', class: `day${near ? '' : ' hero'}${shown && ratio(day) < 2 ? '' : ' wide'}` },
        element('div', { class: 'first' }, shown, head),
        element('div', { class: 'rest' }, near ? [steps(day, pieces, near), ...facts(day, shown, text),
            element('div', { class: 'beside' }, others.filter(other => other !== over).map(other => stage(other, other.alt ?? day.title, original(other)))),
            element('section', { class: 'others' })] : [text, element('a', { href: own }, 'Read on')]));
}

// What is told below a day.
function facts(day, shown, text) {
    const trouble = why(day) ?? (!shown && whys.none);
    const ways = [
        !shown && player(day),
        day.image && element('a', { href: original(day) }, `The picture itself${day.width ? `, ${day.width} × ${day.height}` : ''}`,
            `, ${bytes(day.bytes)}`),
        day.video && element('a', { href: path(day, day.video) }, 'The video itself'),
    ].filter(Boolean);
    const replaced = (day.replaced ?? []).filter(([date]) => isDate(date)).map(([date, what]) =>
        element('p', { class: 'note' }, `On ${written(date)}, another ${what} came${day.list ? '' : ' from NASA'}. The former one is kept.`));
    return [trouble && element('p', { class: 'note' }, trouble), text, replaced,
        element('ul', { class: 'facts' }, ways.map(fact => element('li', {}, fact)))];
}

function fullButton(view) {
    const button = tool('full', 'Full screen');
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

// The page that a finger moves away, until the next one has its place, and the way of that one.
let swept;

function sweep(page, top) {
    const { page: former, way } = swept;
    swept = undefined;
    const far = way * innerWidth;
    put(page, { ...whole, x: standing(former).x + far });
    glide(page, whole, 240);
    former.className += ' swept';
    former.style.top = `${top}px`;
    main.append(former);
    glide(former, { ...whole, x: -far }, 240);
    setTimeout(() => former.remove(), isCalm.matches ? 0 : 240);
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
        const top = -scrollY;
        draw(date, [page], `${day.title} – ${when(day)}`);
        if (swept) sweep(page, top);
        if (!isScrolled) offerOthers(page, day);
        // The picture does not wait for the text.
        await new Promise(afterPaint);
        for (const date of [near.older, near.newer]) loadAhead(date);
        load('viewer');
        if (!words) tell(page, day, await wordsOf(day));
    };
}
