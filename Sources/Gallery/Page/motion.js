/* Motion: what glides to its place, and one picture that grows from its tile into its day and the viewer, and back. */

// Where a picture stands: its scale, and how far its middle is from that of its room.
const whole = { scale: 1, x: 0, y: 0 };

const matrix = ({ scale, x, y }) => scale === 1 && !x && !y ? 'none' : `matrix(${scale}, 0, 0, ${scale}, ${x}, ${y})`;

// Where an element stands at this moment, also on its way.
function standing(element) {
    const { a, e, f } = new DOMMatrix(getComputedStyle(element).transform);
    return { scale: a, x: e, y: f };
}

function put(element, at) {
    for (const animation of element.getAnimations()) animation.cancel();
    element.style.transform = matrix(at);
}

// Moves it to a place within a time, from where it stands: at first at three times the even speed.
function glide(element, at, time) {
    const from = standing(element);
    put(element, at);
    if (isCalm.matches) return;
    element.animate([from, at].map(place => ({ transform: matrix(place) })), { duration: time, easing: 'cubic-bezier(.2, .6, .35, 1)' });
}

// The picture of a day where one sees it: in the viewer, in its page, or as a tile, at best the one that was chosen.
function pictureOf(date) {
    if (seen) return seen.day.date === date ? seen.shown : undefined;
    const all = [...main.querySelectorAll(`a[href^="#${date}"] img, a[href^="#view/${date}"] img`)].filter(image => {
        const { top, bottom } = image.getBoundingClientRect();
        return bottom > headHeight && top < innerHeight;
    });
    return all.find(image => image.closest('a') === document.activeElement) ?? all[0];
}

// Draws another view, with the day's picture growing from its place in this one to its place in that one.
function grow(date, draw) {
    const from = !isCalm.matches && date && pictureOf(date);
    if (!from) return draw();
    const start = from.getBoundingClientRect();
    const shade = seen ? getComputedStyle(dark).opacity : 0;
    const done = draw();
    const to = pictureOf(date);
    if (!to) return done;
    const end = to.getBoundingClientRect();
    const place = { scale: Math.max(start.width / end.width, start.height / end.height),
        x: start.left - end.left + (start.width - end.width) / 2, y: start.top - end.top + (start.height - end.height) / 2 };
    if (!seen) {
        fly(date, from, to, place, end, shade);
        return done;
    }
    put(to, place);
    glide(to, whole, growing);
    fade(dark, 0, 1);
    return done;
}


// A picture of its own flies over the page, which is there already: what is tapped meanwhile answers.
function fly(date, from, to, place, { left, top, width, height }, shade) {
    if (!from.naturalWidth) return;
    for (const other of document.querySelectorAll('.flying')) other.remove();
    // An original would take too long to decode once more.
    const src = from.dataset.isWhole ? large(dayOf(date)) : from.currentSrc;
    const image = element('img.flying', { src, alt: '', decoding: 'sync' });
    lay(image, left, top, width, height);
    const dusk = element('div.flying');
    document.body.append(dusk, image);
    fade(dusk, shade, 0);
    if (!shade) fade(main, 0, 1);
    put(image, place);
    glide(image, whole, growing);
    to.style.visibility = 'hidden';
    setTimeout(() => {
        to.style.visibility = '';
        dusk.remove();
        image.remove();
    }, growing);
}
