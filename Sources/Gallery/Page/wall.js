/* Walls: days in rows of one height, each picture in its own shape. Only what is near is made. */

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
// How long a picture grows from its tile, in ms.
const growing = 280;
const fade = (element, from, to, time = 180) => element.animate({ opacity: [from, to] }, time);

// Why a day has no picture, and what will happen: by the failure's code, or a word of `Volume`.
const whys = {
    waiting: 'Its picture has not been fetched yet. It comes by itself.',
    broken: 'Its picture came cut off or damaged. The mirror asks for it again.',
    large: 'Its picture is larger than this mirror keeps.',
    records: 'What NASA tells of this day was not understood. The mirror asks again.',
    none: 'NASA shows no picture on this day.',
};
const why = day => day.pruned ? 'The picture was deleted to make room. Its text stays.' : day.why && (whys[day.why] ?? 'Its picture could not be fetched. The mirror asks for it again.');

// What a favorite calls it.
const subject = day => day.subject ?? day.date;

// What is special about a day: in words, and as a mark. Phones would make small pictures of some letters.
const marks = (day, isQuiet) => [
    (day.video || day.player) && ['video', '▶\ufe0e'],
    day.also && [counted(day.also.length, 'more picture'), `+${day.also.length}`],
    !isQuiet && favoriteMark(day),
].filter(Boolean);
const sign = ([name, letter]) => element('span', { role: 'img', 'aria-label': name, class: name }, letter);
const favoriteMark = day => apod.albums.has(subject(day)) && ['favorite', icon('heart')];

// A picture in a wall, as sharp as its tile needs it; a day without one shows its words.
function face(day, width, height) {
    const isLarge = day.copies && Math.max(height * ratio(day), width / ratio(day)) * devicePixelRatio > 600;
    const source = isLarge ? large(day) : small(day);
    if (!source) return plain(day, why(day));
    const image = element(shapeOf(day) === ratio(day) ? 'img' : 'img.cut', { 'data-src': source, alt: '', decoding: 'async', width: day.width,
        height: day.height });
    // Until it is here, it is not seen: Chromium draws an outline around an image without an address. Only one that comes
    // late fades in: while a wall moves fast, each motion costs.
    on(image, 'load', ({ timeStamp }) => {
        image.classList.add('here');
        if (timeStamp - image.asked > 100 && !isCalm.matches) fade(image, 0, 1, 150);
    });
    on(image, 'error', () => takesOriginal(image, day, isLight(day)) || image.replaceWith(plain(day, lost)));
    return image;
}

const plain = (day, words) => element('span.plain', day.title && named(day.title), element('small', when(day)),
    element('small', words ?? ''));

// What `served.js` adds where the mirror itself serves the page: `heart` and `albumButton`.
let served = {};

function heart(day) {
    const mark = favoriteMark(day);
    return served.heart?.(day) ?? (mark && sign(mark));
}

// Very wide and very tall pictures are cut.
const shapeOf = day => limit(ratio(day), 1 / 3, 3);

// In a list, the words beside it are the link. `told`: with words of one day in all years, which tell the year.
function tile({ day, width, height }, { suffix, line, told, isQuiet }) {
    const own = marks(day, isQuiet);
    const attributes = { href: `#${day.date}${suffix}`, tabindex: line && -1, 'aria-hidden': line && 'true',
        'aria-label': [day.title, when(day), ...own.map(([name]) => name)].join(', ') };
    const shown = face(day, line ? height : width, height);
    const isPicture = shown.matches('img');
    // A narrow tile has no room for a title.
    const isWide = width > 80;
    const made = element(day.stem ? 'a' : 'p', Boolean(day.stem) && attributes, shown,
        own.length > 0 && element('span.marks', { 'aria-hidden': 'true' }, own.map(sign)),
        isPicture && !line && (isWide || told) && element('span.caption', isWide && named(day.title),
            moment(day, told && day.date.slice(0, 4))));
    if (isPicture && day.color) made.style.background = `#${day.color}`;
    return made;
}

// The heading of a month opens its calendar.
function monthLink(month) {
    const link = element('a', { href: `#${month}`, 'aria-haspopup': 'dialog' }, monthName(month));
    on(link, 'click', async event => {
        if (isElsewhere(event)) return;
        event.preventDefault();
        if (await load('page')) showMonth(month);
    });
    return link;
}

class Wall {
    // `suffix`: the end of its days' addresses. `byMonth`: makes the heading of a month. `told`: with words on each picture.
    // `line`: what to write beside a picture; the wall is a list then. `keyOf`: what of a day is shown. `isQuiet`: all are favorites.
    // `isSparse`: months with few days share a row.
    constructor(options) {
        Object.assign(this, { suffix: '', keyOf: day => day.date, days: [], groups: [], tiles: new Map(), made: new Map(), width: 0 }, options);
        this.element = element(`div.wall${this.line ? '.list' : ''}${this.told ? '.told' : ''}`);
        new ResizeObserver(() => this.resize()).observe(this.element);
    }

    set(days) {
        const anchor = this.width && this.anchor();
        this.days = days;
        if (this.width) this.arrange(anchor);
    }

    // Called when it is on the page, and when the page changes its size. `anchor`: the place that is to be seen.
    resize(anchor) {
        const width = this.element.clientWidth;
        if (!width || width === this.width) return;
        anchor ??= this.width && this.anchor();
        this.width = width;
        this.arrange(anchor);
    }

    arrange(anchor) {
        this.layout();
        this.element.style.height = `${this.height}px`;
        const focused = this.element.contains(document.activeElement) && document.activeElement.closest('li')?.dataset.date;
        if (!anchor || !this.reveal(anchor.date, anchor.offset)) this.draw(true);
        if (focused && !this.element.contains(document.activeElement)) this.focus(focused);
    }

    // Sets where each day goes, in groups that are made and dropped as a whole.
    layout() {
        const size = parseFloat(getComputedStyle(root).fontSize);
        const isWide = this.width >= 40 * size;
        const gap = this.line ? size : isWide ? 8 : 4;
        const height = this.line ? (isWide ? 7.5 : this.width < 16 * size ? 9 : 6) * size : limit(this.width / 6, 120, 280);
        const columns = Math.max(1, Math.floor(this.width / (36 * size)));
        const shape = day => this.line ? ((this.width - gap * (columns - 1)) / columns - 0.01) / height : small(day) ? shapeOf(day) : 4 / 3;
        Object.assign(this, { groups: [], tiles: new Map(), height: 0 });
        let [group, row, sum] = [undefined, [], 0];
        const close = isFull => {
            const free = this.width - (row.length - 1) * gap;
            const high = isFull ? free / sum : Math.min(height, free / sum);
            let x = 0;
            for (const day of row) {
                const tile = { day, x, y: group.height, width: high * shape(day), height: high, group };
                this.tiles.set(day.date, tile);
                group.tiles.push(tile);
                x += tile.width + gap;
            }
            group.height += high + gap;
            group.rows += 1;
            [row, sum] = [[], 0];
        };
        const begin = month => {
            if (row.length) close(false);
            this.height += group?.height ?? 0;
            group = { month, tiles: [], rows: 0, top: this.height, height: month ? 3 * size : 0 };
            this.groups.push(group);
        };
        for (const day of this.days) {
            const month = this.byMonth && (day.when ?? day.date).slice(0, 7);
            const isNew = this.byMonth ? group?.oldest !== month && !(this.isSparse && month && !group?.rows) : group?.rows > 5 && !row.length;
            if (!group || isNew) begin(month);
            group.oldest = month;
            const wide = shape(day);
            // A picture begins a row where it would make this one too low: without it, the row is `full`, with it `next`.
            const full = (this.width - (row.length - 1) * gap) / sum;
            const next = (this.width - row.length * gap) / (sum + wide);
            if (row.length && height - next > full - height) close(true);
            row.push(day);
            sum += wide;
            if (sum * height + (row.length - 1) * gap >= this.width - 1) close(true);
        }
        if (row.length) close(false);
        this.height += group?.height ?? 0;
    }

    // Makes what is within a screen of what is seen, and drops the rest. `isFirst`: what is not seen comes when
    // the picture that may grow meanwhile has its place, also where the page scrolls until then.
    draw(isFirst = this.later) {
        if (!this.element.isConnected) return;
        const top = -this.element.getBoundingClientRect().top;
        // Read once: after each change, it would lay out the page.
        const high = innerHeight;
        const [from, to] = [top - high, top + 2 * high];
        // A row with the focus stays.
        const near = this.groups.filter(group => group.top < to && group.top + group.height > from
            || this.made.get(group.key)?.contains(document.activeElement));
        for (const group of near) group.key ??= `${this.width} ${group.height} ${group.tiles.map(({ day }) => this.keyOf(day))}`;
        const keys = new Set(near.map(group => group.key));
        for (const [key, made] of this.made) {
            if (keys.has(key)) continue;
            made.remove();
            this.made.delete(key);
        }
        const isSeen = ({ top: start, height }) => start < top + high && start + height > top;
        // In the order of the days, for those who go by keys.
        let next;
        for (const group of near.reverse()) {
            if (isFirst && !this.made.has(group.key) && !isSeen(group)) continue;
            const made = this.made.get(group.key) ?? this.make(group, next);
            made.style.top = `${group.top}px`;
            next = made;
        }
        if (isFirst) {
            const isBegun = this.later;
            this.later = true;
            // Behind the first frame of what flies: its time begins there.
            return afterPaint(() => {
                this.fill(isSeen);
                if (!isBegun) setTimeout(() => this.draw(this.later = false), growing);
            });
        }
        // During fast scrolling, new rows show colors alone.
        const isFast = Math.abs(top - this.last) > high / 3;
        this.last = top;
        clearTimeout(this.filling);
        this.filling = isFast ? setTimeout(() => this.fill(), 60) : this.fill();
    }

    fill(isWanted = () => true) {
        for (const image of this.element.querySelectorAll('img[data-src]')) {
            const { y, height, group } = this.tiles.get(image.closest('li').dataset.date);
            if (!isWanted({ top: group.top + y, height })) continue;
            image.asked = performance.now();
            image.src = image.dataset.src;
            delete image.dataset.src;
            if (image.complete) image.classList.add('here');
        }
    }

    make(group, next) {
        const list = element('ul', group.tiles.map(placed => {
            const { day, x, y, width, height } = placed;
            const made = element('li', { 'data-date': day.date }, tile(placed, this), this.line?.(day));
            lay(made, x, y, width, height);
            return made;
        }));
        const title = group.month && element('h3', this.byMonth(group.month, group.oldest));
        const made = element('section', title, list);
        made.style.height = `${group.height}px`;
        this.element.insertBefore(made, next);
        this.made.set(group.key, made);
        return made;
    }

    get pageTop() { return this.element.getBoundingClientRect().top + scrollY; }

    // The first day that is seen, and how far below the top it begins; undefined above the wall.
    anchor() {
        const top = headHeight - this.element.getBoundingClientRect().top;
        if (top < 0) return undefined;
        for (const { day: { date }, group, y, height } of this.tiles.values()) {
            const offset = group.top + y - top;
            if (offset + height > 0) return { date, offset };
        }
    }

    // Scrolls to a day; without an offset, only if nothing of it is seen.
    reveal(date, offset) {
        const tile = this.tiles.get(date);
        if (!tile) return false;
        const y = this.pageTop + tile.group.top + tile.y;
        const isSeen = y + tile.height > scrollY + headHeight && y < scrollY + innerHeight;
        if (offset !== undefined) scrollTo(0, Math.round(y - offset - headHeight));
        else if (!isSeen) scrollTo(0, y - (innerHeight - tile.height) / 2);
        else return true;
        this.draw(true);
        return true;
    }

    // The group of the month, or of the next older one that has days.
    groupFrom(month) { return this.groups.find(group => group.oldest <= month) ?? this.groups.at(-1); }

    // `month`: or a year.
    revealMonth(month) {
        const group = this.groupFrom(`${month}-12`.slice(0, 7));
        if (group) scrollTo(0, this.pageTop + group.top - headHeight);
        this.draw();
    }

    focus(date) {
        this.element.querySelector(`[data-date="${date}"] a:not([tabindex])`)?.focus({ preventScroll: true });
    }
}
