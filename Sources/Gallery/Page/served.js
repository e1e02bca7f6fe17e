/* Where the mirror itself serves the page: news of it, and favorites that can be changed. */

apod.here.add('served');

let news = {};
let stream;
// The favorites that were ended here, with their albums: a second tap brings them back.
const ended = new Map();

// What the page shows where favorites can be changed.
const changing = {
    heart(day) {
        const isFavorite = apod.albums.has(subject(day));
        return element('button', { type: 'button', class: 'heart', 'data-date': subject(day), 'aria-label': 'Favorite',
            'aria-pressed': String(isFavorite) }, isFavorite ? '♥' : '♡');
    },
    albumButton: day => element('button', { type: 'button', class: 'put', 'data-date': subject(day), 'aria-haspopup': 'dialog' }, 'Albums'),
};

// Asks the mirror for a change, of one album's link or of the favorite. Returns why it was not made, or that this is
// not known yet: then what is there is asked for, and news tells what comes.
async function change(action, date, album) {
    const way = [album, ...date.split('/')].filter(Boolean).map(encodeURIComponent).join('/');
    const answer = await fetch(`favorites/${way}`, { method: 'POST', headers: { 'X-APOD-Favorite': action } }).catch(() => undefined);
    const words = answer?.status === 200 ? '' : await answer?.text() ?? 'The mirror does not answer.';
    if (!answer || answer.status === 202) {
        await loadFavorites(true);
        redraw();
    }
    state.textContent = words;
    return words;
}

async function beat(button) {
    const { date } = button.dataset;
    const former = apod.albums.get(date);
    button.disabled = true;
    button.title = await change(former ? 'remove' : ended.has(date) ? 'undo' : 'add', date);
    button.disabled = false;
    if (button.title) return;
    if (former) {
        ended.set(date, former);
        apod.albums.delete(date);
    } else {
        apod.albums.set(date, ended.get(date) ?? []);
        ended.delete(date);
    }
    const made = heart({ date });
    button.replaceWith(made);
    made.focus();
    redraw();
    // News may have drawn the viewer's anew before the answer came.
    if (seen) part('.bar .heart')?.focus();
}

// Once more what is there, with what is known now.
function redraw() {
    if (seen) {
        const hasFocus = document.activeElement.matches('.heart');
        tellTitle();
        if (hasFocus) part('.bar .heart')?.focus();
    } else if (!running && !isTyping && !isPlaying()) {
        remember();
        route();
    }
}

// Offers the albums at the top of favorites, and a new one.
function offerAlbums({ date }) {
    const box = name => element('label', {}, element('input', { type: 'checkbox', name,
        checked: apod.albums.get(date)?.includes(name) }), ' ', named(name));
    albums.dataset.date = date;
    const rule = new RegExp(`^(?:${albums.querySelector('[name=new]').pattern})$`, 'u');
    albums.querySelector('div').replaceChildren(...albumNames().filter(name => rule.test(name)).map(box));
    albums.querySelector('form').reset();
    if (!albums.open) albums.showModal();
}

async function putInAlbum(box) {
    const { date } = albums.dataset;
    const words = await change(box.checked ? 'add' : 'remove', date, box.name);
    albums.querySelector('.note').textContent = words;
    if (words) {
        box.checked = apod.albums.get(date)?.includes(box.name);
        return;
    }
    const others = (apod.albums.get(date) ?? []).filter(name => name !== box.name);
    apod.albums.set(date, box.checked ? [...others, box.name].sort() : others);
    if (!box.type) albums.close();
}

const isPlaying = () => [...main.querySelectorAll('video')].some(video => !video.paused);

async function hear(now) {
    const before = news;
    news = now;
    const isNew = before.hearts !== undefined && (before.days !== now.days || before.favorites !== now.favorites);
    if (isNew && before.days !== now.days) await loadNewDays();
    else if (isNew) await loadFavorites(true);
    for (const name in changing) served[name] = now.hearts ? changing[name] : undefined;
    if (isNew || Boolean(before.hearts) !== now.hearts) redraw();
}

// A browser has few connections for a server: a hidden page leaves its own to others.
function listen() {
    if (document.hidden) {
        stream?.close();
        stream = undefined;
    } else if (!stream) {
        stream = new EventSource('events');
        stream.onmessage = ({ data }) => hear(JSON.parse(data));
    }
}

on(document, 'click', ({ target }) => {
    if (target.className === 'heart') beat(target);
    if (target.className === 'put') offerAlbums(target.dataset);
});
on(albums, 'change', ({ target }) => { if (target.type === 'checkbox') putInAlbum(target); });
on(albums, 'submit', event => {
    const name = albums.querySelector('[name=new]').value.trim().normalize();
    if (!name) return;
    event.preventDefault();
    putInAlbum({ name, checked: true });
});
// The button may have been drawn again meanwhile.
on(albums, 'close', () => {
    redraw();
    main.querySelector('.put')?.focus();
});
on(document, 'visibilitychange', listen);
listen();
