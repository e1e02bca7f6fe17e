/* The calendar of a month, behind its heading. */

const calendar = byId('calendar');
const [calendarTitle, calendarYear] = ['h2', 'select'].map(name => calendar.querySelector(name));

function monthLink(month) {
    const link = element('a', { href: `#${month}`, 'aria-haspopup': 'dialog' }, monthName(month));
    on(link, 'click', event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        showMonth(month);
    });
    return link;
}

async function showMonth(month) {
    await loadYear(yearOf(month));
    calendar.dataset.month = month;
    calendarTitle.textContent = monthName(month);
    calendarYear.replaceChildren(...yearsDown.map(year => element('option', {}, year)));
    calendarYear.value = yearOf(month);
    const cells = datesOf(month).map(date => element('li', {}, dayInMonth(apod.days.get(date) ?? { date })));
    // Its weeks begin on Monday; 1 January 1970 was a Thursday.
    cells[0].style.gridColumnStart = (number(`${month}-01`) + 3) % 7 + 1;
    calendar.querySelector('ul').replaceChildren(...cells);
    if (!calendar.open) calendar.showModal();
}

function dayInMonth(day) {
    const words = element('span', {}, Number(day.date.slice(8)));
    return day.stem ? element('a', { href: `#${day.date}`, 'aria-label': `${day.title}, ${written(day.date)}` },
        small(day) && element('img', { src: small(day), alt: '' }), words) : words;
}

function turnMonth(by) {
    const [year, month] = calendar.dataset.month.split('-').map(Number);
    const turned = new Date(Date.UTC(year, month - 1 + by)).toISOString().slice(0, 7);
    if (archive.has(yearOf(turned))) showMonth(turned);
}

on(calendar.querySelector('.earlier'), 'click', () => turnMonth(-1));
on(calendar.querySelector('.later'), 'click', () => turnMonth(1));
on(calendarYear, 'change', () => showMonth(`${calendarYear.value}${calendar.dataset.month.slice(4)}`));
