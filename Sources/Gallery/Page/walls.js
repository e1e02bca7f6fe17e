/* The days of a wall, by what its address says. */

const wallOf = pieces => pieces.length ? `/${pieces.map(encodeURIComponent).join('/')}` : '';
const slidesOf = (pieces, seconds = 15) => `#slideshow=${wallOf(pieces).slice(1)},${seconds}`;

// The days of a wall, newest first. Without a wall, those of the whole archive.
async function daysOf([kind, ...rest]) {
    if (kind === 'favorites') return favoriteDays(rest.join('/'));
    if (kind === 'search') {
        await loadAllTexts();
        return find(rest.join('/')).within;
    }
    if (/^lists?$/.test(kind)) return itemsOf(rest);
    await loadAllYears();
    return allDays().filter(({ date }) => kind === 'on' ? date.endsWith(`-${rest[0]}`) : date.startsWith(kind ?? ''));
}

async function randomDate() {
    const days = (await daysOf([])).filter(day => day.stem);
    return days[Math.floor(Math.random() * days.length)]?.date;
}

const albumDates = album => [...apod.albums].filter(([, albums]) => !album || albums.includes(album)).map(([date]) => date);

const albumNames = () => [...new Set([...apod.albums.values()].flat())].sort();

async function favoriteDays(album) {
    await loadFavorites();
    const dates = albumDates(album);
    await Promise.all(dates.map(loadDay));
    return dates.map(date => dayOf(date) ?? { date, told: listOf(date), why: 'waiting' });
}

// The wall of an item whose address names none is its list's.
const inWall = (date, pieces) => !pieces.length && listOf(date) ? ['list', listOf(date)] : pieces;

// The days around a day in its wall; in the calendar without one. `isSeen`: without those that the viewer cannot show.
async function around(date, pieces, isSeen) {
    if (!pieces.length) return { newer: await nearest(date, 1, isSeen), older: await nearest(date, -1, isSeen) };
    const days = (await daysOf(pieces)).filter(day => day.stem);
    const at = days.findIndex(day => day.date === date);
    if (at < 0) return around(date, inWall(date, []), isSeen);
    const isMeant = day => !isSeen || canBeSeen(day);
    return { newer: days.slice(0, at).findLast(isMeant)?.date, older: days.slice(at + 1).find(isMeant)?.date,
        place: `${at + 1} of ${days.length}` };
}

// The nearest day in the calendar; step is 1 or -1.
async function nearest(date, step, isSeen) {
    const ends = [number(`${yearsDown.at(-1)}-01-01`), number(`${yearsDown[0]}-12-31`)];
    for (let at = number(date) + step; at >= ends[0] && at <= ends[1]; at += step) {
        const near = dateOf(at);
        if (isSeen ? letter(near) === 'h' && await loadYear(yearOf(near)) && canBeSeen(dayOf(near) ?? {}) : 'hp'.includes(letter(near))) return near;
    }
}

const wallName = ([kind, ...rest]) => kind === 'favorites' ? rest.join('/') || 'Favorites'
    : kind === 'list' ? listTitle(rest[0]) : kind === 'search' ? `“${rest.join('/')}”` : kind === 'on' ? dayInYear(`2000-${rest[0]}`) : undefined;

/* The walls themselves */

// The whole archive below its newest picture. `month`: where to go, as 2019 or 2019-04.
async function showTimeline(month) {
    if (!archive.size) return await load('page') && showNothing();
    // After Back, the wall is scrolled far down, and needs all years.
    const isFar = month || history.state?.at;
    await (isFar ? loadAllYears() : loadYear(yearsDown[0]));
    const year = month && yearOf(month);
    if (archive.has(year) && !apod.years.has(year)) return say('These days cannot be read.', month);
    const newest = allDays().find(canBeSeen);
    const days = () => allDays().filter(day => day !== newest);
    const wall = new Wall({ days: isFar ? days() : [], byMonth: monthLink });
    const page = newest && dayPage(newest, []);
    if (newest) wordsOf(newest).then(words => tell(page, newest, words));
    return () => {
        draw('timeline', [page, element('p.progress', archiveState()), wall.element], month ?? '', wall, month);
        afterPaint(async () => {
            // The newest picture comes before the wall, and the wall before its older end.
            await begun;
            if (!isFar) wall.set(days());
            await loadAllYears();
            if (current === wall && !isFar) wall.set(days());
        });
    };
}

// A line that is there only if something is wrong or still coming.
function archiveState() {
    const [coming, failed] = [count('m'), count('f')];
    return [
        coming > 0 && `${counted(coming, 'day')} still to come. `,
        failed > 0 && `${counted(failed, 'day has', 'days have')} no picture yet; the mirror asks again. `,
    ];
}
