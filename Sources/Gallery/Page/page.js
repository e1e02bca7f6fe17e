/* The page of a day, and the way to the next one. */

// The ways to the neighbours, and up to the wall.
function steps({ date }, pieces, { newer, older, place }) {
    const wall = wallOf(pieces);
    const step = (to, rel, ...words) => to ? element('a', { href: `#${to}${wall}`, rel }, words) : element('span');
    return element('nav.steps', { 'aria-label': 'Days' }, step(newer, 'prev', '‹ ', element('span', 'Newer')),
        element('a.up', { href: wall.replace('/', '#') || `#${date.slice(0, 7)}` }, wall ? [wallName(pieces), place && ` · ${place}`] : monthName(date)),
        step(older, 'next', element('span', 'Older'), ' ›'));
}

// What is told below a day.
function facts(day, shown, text) {
    const trouble = why(day) ?? (!shown && whys.none);
    const ways = [
        !shown && player(day),
        day.image && element('a', { href: original(day) }, `The picture itself${day.width ? `, ${day.width} × ${day.height}` : ''}`,
            `, ${bytes(day.bytes)}`),
    ].filter(Boolean);
    const replaced = (day.replaced ?? []).filter(([date]) => isDate(date)).map(([date, what]) =>
        element('p.note', `On ${written(date)}, another ${what} came${day.list ? '' : ' from NASA'}. The former one is kept.`));
    return [trouble && element('p.note', trouble), text, replaced,
        element('ul.facts', ways.map(fact => element('li', fact)))];
}

// Shows the days that have to do with this one.
const tellOthers = async (page, { date, list }) => !list && fillOthers(page.querySelector('.others'), date);

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
    const day = dayOf(date);
    if (list && !day) return say('This picture is not here.', list);
    const near = await around(date, pieces);
    if (!day?.stem) return say(lackOf(date, day), written(date), [offerWish(date), steps({ date }, [], near)]);
    const page = dayPage(day, pieces, near);
    const fill = async () => {
        tell(page, day, await wordsOf(day));
        await tellOthers(page, day);
    };
    // After Back, the page needs all of its parts, where it was scrolled to and what had the focus.
    const isBack = history.state?.y !== undefined;
    if (isBack) await fill();
    return async () => {
        const top = -scrollY;
        draw(date, [page], `${day.title} – ${when(day)}`);
        if (swept) sweep(page, top);
        if (!isBack) fill();
        await new Promise(afterPaint);
        for (const date of [near.older, near.newer]) loadAhead(date);
        load('viewer');
    };
}

/* What can be done with a tile: over it, where the mouse or the keys are; at the window's edge after a long press. */

const deeds = element('p.deeds');

function offer(item, place = item) {
    const day = current?.tiles.get(item?.dataset.date)?.day;
    if (!day?.stem || place.contains(deeds)) return;
    deeds.replaceChildren(place === item ? '' : element('b', named(day.title)), ...acts(day));
    place.append(deeds);
}

on(main, 'mouseover focusin', ({ target }) => offer(target.closest('.wall:not(.list) li')));
on(main, 'contextmenu', event => {
    if (event.pointerType !== 'touch' || !event.target.closest('.wall')) return;
    event.preventDefault();
    offer(event.target.closest('li'), document.body);
});
on(document, 'pointerdown', ({ target }) => { if (!deeds.contains(target)) deeds.remove(); });

/* The years at the edge lead to their months. */

const bubble = element('p.bubble', { hidden: true, 'aria-hidden': 'true' });
years.append(bubble);

// The month at a height of the bar, on which each year has the same share.
function monthAt(y) {
    const { top, height } = years.getBoundingClientRect();
    const links = years.querySelectorAll('a');
    const at = limit((y - top) / height, 0, 0.9999) * links.length;
    return current.groupFrom(`${links[Math.floor(at)].textContent}-${String(12 - Math.floor(at % 1 * 12)).padStart(2, '0')}`)?.month;
}

on(years, 'pointerdown', event => years.setPointerCapture(event.pointerId));
on(years, 'pointermove', event => {
    const month = monthAt(event.clientY);
    if (!month) return;
    bubble.hidden = false;
    bubble.textContent = monthName(month);
    bubble.style.top = `${event.clientY - years.getBoundingClientRect().top}px`;
    if (years.hasPointerCapture(event.pointerId)) current.revealMonth(month);
});
on(years, 'pointerleave', () => { bubble.hidden = true; });
on(years, 'pointerup', event => {
    bubble.hidden = event.pointerType !== 'mouse';
    current.revealMonth(monthAt(event.clientY));
});
on(years, 'dragstart', event => event.preventDefault());
on(years, 'click', event => { if (event.detail) event.preventDefault(); });

/* The arrows */

// From tile to tile, or from day to day. Returns nothing where the arrow is the browser's.
function walk(key) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const own = main.contains(document.activeElement) && document.activeElement.closest('[data-date]')?.dataset.date;
    const days = current?.days.filter(day => day.stem) ?? [];
    const at = days.findIndex(({ date }) => date === own);
    if (at < 0) return step && (() => follow(step < 0 ? 'prev' : 'next'));
    return step && days[at + step] && (() => {
        const { date } = days[at + step];
        current.reveal(date);
        current.focus(date);
        document.activeElement.scrollIntoView({ block: 'nearest' });
    });
}

/* A day's page goes with the finger, and is followed by the next one. */

let swipe;
on(main, 'pointerdown pointermove pointerup pointercancel', event => {
    const way = name => main.querySelector(`a[rel=${name}]`);
    const page = main.firstElementChild;
    if (event.pointerType !== 'touch' || !apod.here.has('viewer') || !page?.matches('.day:not(.hero)') || event.type === 'pointerdown' && (isOnControls(event) || visualViewport.scale > 1)) return;
    swipe = gesture(swipe ?? noHand, event, { width: innerWidth, height: innerHeight, size: { width: 0, height: 0 }, most: 1, at: whole, turn: 0,
        newer: way('prev'), older: way('next') });
    if (swipe.kind === 'turn') put(page, { ...whole, x: swipe.turn });
    const { intent } = swipe;
    if (intent?.kind === 'step') {
        swept = { page, way: intent.to === 'older' ? 1 : -1 };
        way(intent.to === 'older' ? 'next' : 'prev').click();
    } else if (intent?.kind === 'settle') glide(page, whole, 240);
});
