/* What a day has beside its picture: another one, days that speak of it, those of its date, or how to ask for it. */

// Lets another picture take the place of a figure's under the pointer. Returns a button that does the same.
function turning(figure, other) {
    const [link] = figure.children;
    const begin = () => {
        if (link.children.length > 1) return;
        const over = picture(other, other.alt ?? '');
        over.classList.add('over');
        // It crossfades the first time too, and only once it is there.
        on(over, 'load', () => over.classList.add('here'));
        link.append(over);
    };
    on(link, 'mouseenter', begin);
    return tool('other', 'The other picture', { 'aria-pressed': 'false' }, ({ currentTarget }) => {
        begin();
        currentTarget.ariaPressed = figure.classList.toggle('turned');
    });
}

// In the viewer: crossfades to the next picture of the day, a rollover's or another one, at the same zoom.
async function showOther() {
    const own = seen;
    const [former] = own.slides;
    // They are kept for the way back, with their originals.
    const all = own.all ?? [former, ...beside(own.day).filter(large).map(slideOf)];
    if (all.length < 2) return;
    const next = all[(all.indexOf(former) + 1) % all.length];
    if (!await awaits(own, next.shown.coming, 'Loading …')) return;
    look(next.day, own.pieces, own.near, own.at, next);
    seen.all = all;
    crossfade(former, 150);
}

// Sends a day's address where the browser can, or copies it.
async function share({ date, title }) {
    const url = location.href.replace(/(#.*)?$/, `#${date}`);
    if (navigator.share) return navigator.share({ title, url }).catch(() => {});
    const [focused, box] = [document.activeElement, element('textarea.unseen')];
    box.value = url;
    focused.after(box);
    box.select();
    tellHint(document.execCommand('copy') ? 'The address is copied.' : url, 4000);
    box.remove();
    focused.focus();
}

// How to ask for a day that does not come by itself.
function offerWish(date) {
    if ('hpmf'.includes(letter(date) ?? '.') || isToCome(date)) return undefined;
    return (served.heart || location.protocol === 'file:') && !apod.albums.has(date)
        && element('p.said', 'To ask for it, type ', element('code', `apod-mirror favorites add ${date}`), ' where the mirror runs.');
}

// The days that speak of each day, newest first.
const speaking = new Map();

apod.links = links => {
    speaking.clear();
    for (const numbers of links.reverse()) {
        const [day, ...targets] = numbers.map(count => dateOf(number('1995-06-16') + count));
        for (const target of targets) speaking.set(target, [...speaking.get(target) ?? [], day]);
    }
};

async function fillOthers(section, date) {
    await load('data/links');
    const same = yearsDown.map(year => year + date.slice(4)).filter(other => other !== date && isDate(other) && letter(other) === 'h').slice(0, 8);
    const wall = ['on', date.slice(5)];
    const title = element('a', { href: `#${wall.join('/')}` }, `${dayInYear(date)} in other years`);
    section.replaceChildren(...await cardsOf('What speaks of this day', speaking.get(date) ?? [], ''),
        ...await cardsOf(title, same, wallOf(wall)));
}

// A title and the cards of some days; nothing where none has a picture.
async function cardsOf(title, dates, suffix) {
    await Promise.all([...new Set(dates.map(yearOf))].map(loadYear));
    const days = dates.map(date => dayOf(date)).filter(day => day?.stem);
    return days.length ? [element('h3', title), element('div.cards', days.map(day => card(day, { href: `#${day.date}${suffix}` }, named(day.title), moment(day))))] : [];
}

// A mirror without days says why none comes, where the program serves the page and knows it.
async function showNothing() {
    const asked = served.heart && await fetch('health').then(answer => answer.json()).catch(() => undefined);
    return say(asked?.why ?? 'The first days come within minutes.', 'Nothing here yet', [], icon('calendar'));
}

/* What was corrected */

let changes = [];
apod.changes = all => { changes = all; };

async function showChanges() {
    await load('data/changes');
    const empty = element('p', 'Nothing has changed yet.');
    return () => draw('changes', [heading('Changes'), changes.length ? changes.map(changed) : empty], 'Changes');
}

// A correction; or what came to a list on a day.
const changed = ({ list, date = `list/${list}`, title = listTitle(list), day, came, gone, texts = [], pictures }) => element('section.change',
    element('h3', element('a', { href: `#${date}` }, named(title)), ' · ', element('small', came
        ? `${counted(came, 'picture')} came ${written(day)}${gone ? `, ${gone} deleted since` : ''}` : written(day))),
    pictures && swing(pictures), texts.map(([field, ...parts]) => element('p', element('b', `${field} `), parts.map(([kind, words]) =>
        [kind ? element(kind > 0 ? 'ins' : 'del', words) : words, ' ']))));

// Shows the picture that is there now, and the one before it while it is pressed in.
function swing([before, now]) {
    const made = element('button.swing', { 'aria-pressed': 'false', 'aria-label': 'The picture before' },
        element('img', { src: now, alt: '', loading: 'lazy' }), element('img.over.here', { src: before, alt: '', loading: 'lazy' }));
    on(made, 'click', () => { made.ariaPressed = made.classList.toggle('turned'); });
    return made;
}

/* Favorites and their albums */

async function showFavorites(album) {
    const days = await favoriteDays(album);
    const wall = new Wall({ days, suffix: wallOf(album ? ['favorites', album] : ['favorites']), isQuiet: true });
    const names = albumNames();
    const empty = element('p', album ? ['There is no album ', named(album), '.']
        : `No favorites yet. ${served.heart ? 'Tap the heart of a day' : 'Drop a link to a picture into the folder favorites'}.`);
    return () => draw('favorites', [album ? heading('Favorites: ', named(album)) : heading('Favorites'),
        names.length > 0 && albumCards(names, album), days.length ? wall.element : empty], album || 'Favorites', wall);
}

// A picture with words over its lower edge.
function card(day, attributes, ...words) {
    const source = day && small(day);
    return element('a.card', attributes, source && element('img', { src: source, alt: '', loading: 'lazy' }),
        element('span.caption', words));
}

// An album's newest picture, its name, and how many it has.
function albumCards(names, current) {
    return element('nav.cards', { 'aria-label': 'Albums' }, names.map(name => {
        const dates = albumDates(name);
        const day = dates.map(date => dayOf(date)).find(day => day && small(day));
        return card(day, { href: `#favorites/${encodeURIComponent(name)}`, 'aria-current': name === current && 'page' },
            named(name), element('span', counted(dates.length, listsLink ? 'picture' : 'day')));
    }));
}
