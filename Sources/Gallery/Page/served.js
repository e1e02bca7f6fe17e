/* Where the mirror itself serves the page: news of it, and hearts that can be changed. */

let news = {};
let stream;
// The albums of favorites that were ended here, which a second tap brings back.
const ended = new Map();

const heart = day => {
    const isFavorite = apod.albums.has(day.date);
    return news.hearts ? element('button', { type: 'button', class: 'heart', 'data-date': day.date, 'aria-label': 'Favorite',
        'aria-pressed': String(isFavorite) }, isFavorite ? '♥' : '♡') : isFavorite && sign('favorite', '♥');
};

async function beat(button) {
    const { date } = button.dataset;
    const albums = apod.albums.get(date);
    button.disabled = true;
    const answer = await fetch(`favorites/${date}`, { method: 'POST',
        headers: { 'X-APOD-Favorite': albums ? 'remove' : ended.has(date) ? 'restore' : 'add' } }).catch(() => undefined);
    button.disabled = false;
    if (!answer?.ok) {
        state.textContent = await answer?.text() ?? 'The mirror does not answer.';
        button.title = state.textContent;
        return;
    }
    if (albums) {
        ended.set(date, albums);
        apod.albums.delete(date);
    } else {
        apod.albums.set(date, ended.get(date) ?? []);
        ended.delete(date);
    }
    button.textContent = albums ? '♡' : '♥';
    button.setAttribute('aria-pressed', String(!albums));
}

const isPlaying = () => [...main.querySelectorAll('video')].some(video => !video.paused);

async function hear(now) {
    const before = news;
    news = now;
    const isNew = before.hearts !== undefined && (before.days !== now.days || before.favorites !== now.favorites);
    if (isNew && before.days !== now.days) await loadNewDays();
    else if (isNew) await load('favorites', () => true, Date.now());
    if ((isNew || Boolean(before.hearts) !== now.hearts) && !seen && !running && !isTyping && !isPlaying()) {
        remember();
        route();
    }
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

// The favorites come last of the page's scripts.
on(window, 'DOMContentLoaded', () => {
    if (!apod.isServed) return;
    on(main, 'click', event => {
        const button = event.target.closest('.heart');
        if (button) beat(button);
    });
    on(document, 'visibilitychange', listen);
    listen();
});
