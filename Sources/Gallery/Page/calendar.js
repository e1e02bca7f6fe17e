/* Calendars: of a month, behind its heading, and of a day in every year. */

const [calendarTitle, calendarYear] = [element('h2', { 'aria-live': 'polite' }), element('select', { 'aria-label': 'Year' })];
const calendar = dialog('calendar', 'Calendar', element('div.turn', calendarTitle, element('div', tool('newer', 'The month before', {}, () => turnMonth(-1)),
    calendarYear, tool('older', 'The month after', {}, () => turnMonth(1)))), element('p', { 'aria-hidden': 'true' }, 'Mo Tu We Th Fr Sa Su'.split(' ').map(name => element('span', name))),
    element('ul'));

async function showMonth(month) {
    await loadYear(yearOf(month));
    calendar.dataset.month = month;
    calendarTitle.textContent = monthName(month);
    calendarYear.replaceChildren(...yearsDown.map(year => element('option', year)));
    calendarYear.value = yearOf(month);
    const cells = datesOf(month).map(date => element('li', dayInMonth(dayOf(date) ?? { date })));
    // Its weeks begin on Monday; 1 January 1970 was a Thursday.
    cells[0].style.gridColumnStart = (number(`${month}-01`) + 3) % 7 + 1;
    calendar.querySelector('ul').replaceChildren(...cells);
    if (!calendar.open) calendar.showModal();
}

function dayInMonth(day) {
    const words = element('span', Number(day.date.slice(8)));
    return day.stem ? element('a', { href: `#${day.date}`, 'aria-label': `${day.title}, ${written(day.date)}` },
        small(day) && element('img', { src: small(day), alt: '' }), words) : words;
}

function turnMonth(by) {
    // From the middle of a month, 30 days lead into the next one.
    const turned = dateOf(number(`${calendar.dataset.month}-15`) + 30 * by).slice(0, 7);
    if (archive.has(yearOf(turned))) showMonth(turned);
}

on(calendar, 'keydown', ({ key, target }) => { if (/^Arrow(Left|Right)$/.test(key) && target !== calendarYear) turnMonth(key === 'ArrowLeft' ? -1 : 1); });
let grasped;
on(calendar, 'touchstart', ({ touches: [{ clientX }] }) => { grasped = clientX; });
on(calendar, 'touchend', ({ changedTouches: [{ clientX }] }) => { if (Math.abs(clientX - grasped) > 60) turnMonth(clientX > grasped ? -1 : 1); });
on(calendarYear, 'change', () => showMonth(`${calendarYear.value}${calendar.dataset.month.slice(4)}`));

/* A day in every year */

async function showOn(day) {
    if (!isDate(`2000-${day}`)) return say('There is no such day.', day);
    const days = await daysOf(['on', day]);
    const wall = new Wall({ days, suffix: wallOf(['on', day]), told: true });
    const name = dayInYear(`2000-${day}`);
    const title = `${name}, in every year`;
    const step = (by, rel) => {
        const date = dateOf(number(`2000-${day}`) + by);
        return element('a', { href: `#on/${date.slice(5)}`, rel }, by > 0 && '‹ ', dayInYear(date), by < 0 && ' ›');
    };
    return () => draw('on', [heading(title), element('nav.steps', { 'aria-label': 'Days' }, step(1, 'prev'), step(-1, 'next')),
        days.length ? wall.element : element('p', `No picture of a ${name} is here.`)], title, wall);
}
