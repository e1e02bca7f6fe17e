/* Where the mirror itself serves the page: news of it, and favorites that can be changed. */

let news;
let stream;
// The favorites that were ended here, with their albums: a second tap brings them back.
const ended = new Map();

// What the page shows where favorites can be changed.
const changing = {
    heart(day) {
        const isFavorite = apod.albums.has(subject(day));
        return tool('heart', 'Favorite', { 'data-date': subject(day), 'aria-pressed': String(isFavorite) }, ({ currentTarget }) => beat(currentTarget));
    },
    albumButton: day => tool('album', 'Albums', { 'aria-haspopup': 'dialog' }, () => offerAlbums({ date: subject(day) })),
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
    return words;
}

async function beat(button) {
    const { date } = button.dataset;
    const former = apod.albums.get(date);
    button.disabled = true;
    const words = await change(former ? 'remove' : ended.has(date) ? 'undo' : 'add', date);
    button.disabled = false;
    button.focus();
    tellHint(words || (former ? 'No favorite any more.' : 'Added to the favorites.'), words ? 5000 : 2000);
    if (words) return;
    if (former) {
        ended.set(date, former);
        apod.albums.delete(date);
    } else {
        apod.albums.set(date, ended.get(date) ?? []);
        ended.delete(date);
    }
    for (const one of document.querySelectorAll('.heart.tool')) if (one.dataset.date === date) one.ariaPressed = !former;
    redraw();
}

// Once more what is there, with what is known now.
function redraw() {
    if (seen) {
        const own = document.activeElement;
        const name = own.closest('.bar span') && nameOf(own);
        tellTitle();
        if (name) [...part('.bar span').children].find(one => nameOf(one) === name)?.focus();
    } else if (!isTyping && [...main.querySelectorAll('video')].every(video => video.paused)) {
        remember();
        route();
    }
}

/* The albums at the top of favorites, and a new one */

const isAlbum = name => /^[^.\s/:|<>"?*\\]([^/:|<>"?*\\]*[^.\s/:|<>"?*\\])?$/u.test(name);
const [shelf, added, note] = [element('div'), element('input', { name: 'new', maxlength: 60, autocomplete: 'off' }), element('p.note', { role: 'alert' })];
const albums = dialog('albums', 'Albums', element('h2', 'Albums'), shelf, note);
albums.querySelector('form').prepend(element('p', element('label', 'A new one ', added)));

function offerAlbums({ date }) {
    albums.dataset.date = date;
    note.textContent = added.value = '';
    shelf.replaceChildren(...albumNames().filter(isAlbum).map(name => element('label', element('input', { type: 'checkbox', name,
        checked: apod.albums.get(date)?.includes(name) }), ' ', named(name))));
    if (!albums.open) albums.showModal();
}

async function putInAlbum(box) {
    const { date } = albums.dataset;
    const words = await change(box.checked ? 'add' : 'remove', date, box.name);
    note.textContent = words;
    if (words) {
        box.checked = apod.albums.get(date)?.includes(box.name);
        return;
    }
    const others = (apod.albums.get(date) ?? []).filter(name => name !== box.name);
    apod.albums.set(date, box.checked ? [...others, box.name].sort() : others);
    if (!box.type) albums.close();
}

async function hear(now) {
    // The page that opens is new, and has no hearts.
    const before = news ?? { ...now, hearts: false };
    news = now;
    if (before.days !== now.days) await loadNewDays();
    else if (before.favorites !== now.favorites) await loadFavorites(true);
    served = now.hearts ? changing : {};
    if (Object.keys(now).some(what => before[what] !== now[what])) redraw();
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

on(albums, 'change', ({ target }) => { if (target.type === 'checkbox') putInAlbum(target); });
on(albums, 'submit', event => {
    const name = added.value.trim().normalize();
    if (!name) return;
    event.preventDefault();
    if (isAlbum(name)) putInAlbum({ name, checked: true });
    else note.textContent = 'Without / : | < > " ? * \\, and no dot at its ends.';
});
on(albums, 'close', redraw);
on(document, 'visibilitychange', listen);
listen();
