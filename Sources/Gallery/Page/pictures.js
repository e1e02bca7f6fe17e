/* Pictures: the original, its smaller copies, and which of them to show. */

// Encodes each part of a path: a name can hold # or %.
const path = (day, suffix) => [...day.folder ?? day.date.split('-', 2), `${day.stem}.${suffix}`].map(encodeURIComponent).join('/');
const copy = ({ date, number, base = `${date.slice(0, 4)}/${date}` }, suffix) => `gallery/${base}${number ? `-${number}` : ''}-${suffix}`;
const original = day => day.image && path(day, day.image);
const ratio = day => day.width && day.height ? limit(day.width / day.height, 1 / 12, 12) : 4 / 3;
// The shape of an image that came: its own, as some are rotated, but for what rounding to whole pixels changes.
const shapeHere = (image, day, own = image.naturalWidth / image.naturalHeight) => Math.abs(own / ratio(day) - 1) > 0.02 ? own : ratio(day);
const widthIn = (day, box) => Math.round(day.width * Math.min(1, box / Math.max(day.width, day.height)));
// Few browsers show TIFF, and a very large original is too much for a page.
const isShown = day => day.image && day.image !== 'tif' && !(day.bytes > 30_000_000 || day.width * day.height > 100_000_000);
const isLight = day => isShown(day) && day.bytes <= 8_000_000;

// A wall has hundreds of pictures: large originals are left out.
function small(day) {
    if (day.copies) return copy(day, '480.webp');
    return day.image && day.width <= 480 && day.bytes <= 300_000 ? original(day) : undefined;
}

const large = day => day.copies ? copy(day, '1280.jpg') : isShown(day) ? original(day) : undefined;
const canBeSeen = day => Boolean(day.stem && (large(day) || day.video));

// Where a copy is lost, the original lies beside it. Returns whether that is asked for.
function takesOriginal(image, day, isFine) {
    if (!isFine || image.dataset.isWhole) return false;
    image.dataset.isWhole = true;
    image.removeAttribute('srcset');
    image.src = original(day);
    return true;
}

// A picture of which the smallest copy shows first, then one that is large enough; where the copies are lost, the original.
// `coming`: whether it came, and can be shown without a pause.
function copied(day, alt) {
    const source = large(day);
    if (!source) return undefined;
    // The source comes last: where its copy is loaded already, Firefox decodes nothing after a change.
    const sizes = `${Math.ceil(Math.min(innerWidth, innerHeight * ratio(day)))}px`;
    const srcset = day.copies && day.width && day.height
        && `${copy(day, '480.webp')} ${widthIn(day, 480)}w, ${copy(day, '1280.jpg')} ${widthIn(day, 1280)}w`;
    const image = element('img', { sizes, srcset, src: source, alt, decoding: 'async' });
    if (day.color) image.style.backgroundColor = `#${day.color}`;
    // One that is here already needs nothing behind it.
    queueMicrotask(() => { if (day.copies && !image.complete) image.style.backgroundImage = `url("${small(day)}")`; });
    image.coming = new Promise(come => {
        on(image, 'load', () => {
            image.style.background = '';
            image.decode().catch(() => {}).then(() => come(true));
        }, { once: true });
        on(image, 'error', () => {
            if (takesOriginal(image, day, isShown(day))) return;
            image.classList.add('lost');
            come(false);
        });
    });
    return image;
}

// The same, with the original after the copy where it has to be.
function picture(day, alt) {
    const image = copied(day, alt);
    if (image) on(image, 'load', () => sharpen(image, day, image.clientWidth), { once: true });
    return image;
}

// Shows the original in the picture's place, once it is decoded, where the copy has too few pixels for the width.
// `isAsked`: also a heavy one. Returns whether it came, or nothing where none is needed; one that did not is asked for again.
function sharpen(image, day, width, isAsked) {
    if (!(isAsked ? isShown(day) : isLight(day)) || !day.copies || image.dataset.isWhole) return undefined;
    // A moving picture moves in the original alone.
    const most = widthIn(day, 1280);
    if (day.image !== 'gif' && (day.width <= most || width * devicePixelRatio <= most * 1.05)) return undefined;
    image.dataset.isWhole = true;
    const better = element('img', { src: original(day) });
    return better.decode().then(() => {
        image.removeAttribute('srcset');
        image.src = better.src;
        return true;
    }, () => {
        delete image.dataset.isWhole;
        return false;
    });
}

// The pictures that were loaded ahead. A few are kept, so that the browser keeps them decoded.
const ahead = [];

async function loadAhead(date) {
    if (!date) return;
    await loadDay(date);
    const day = dayOf(date);
    const image = day && !ahead.some(image => image.dataset.date === date) && picture(day, '');
    if (!image) return;
    image.dataset.date = date;
    ahead.push(image);
    if (ahead.length > 4) ahead.shift();
}
