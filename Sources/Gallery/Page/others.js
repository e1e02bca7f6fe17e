/* The days that have to do with a day: whose texts speak of it, and those of the same date. Loaded at the end of a day's page. */

apod.here.add('others');

// The days that speak of each day, newest first.
const speaking = new Map();

apod.links = text => {
    apod.here.add('data/links');
    speaking.clear();
    const date = digits => dateOf(number('1995-06-16') + parseInt(digits, 36));
    for (const word of text.split(' ').reverse()) {
        const [day, ...targets] = (word.match(/.../g) ?? []).map(date);
        for (const target of targets) speaking.set(target, [...speaking.get(target) ?? [], day]);
    }
};

async function fillOthers(section, date) {
    await load('data/links');
    const far = other => Math.abs(yearOf(other) - yearOf(date));
    const same = yearsDown.map(year => year + date.slice(4)).filter(other => other !== date && isDate(other) && letter(other) === 'h')
        .sort((a, b) => far(a) - far(b)).slice(0, 8).sort().reverse();
    const wall = ['on', date.slice(5)];
    const title = element('a', { href: `#${wall.join('/')}` }, `${dayInYear(date)} in other years`);
    section.replaceChildren(...await cardsOf('What speaks of this day', speaking.get(date) ?? [], ''),
        ...await cardsOf(title, same, wallOf(wall)));
}

// A title and the cards of some days; nothing where none has a picture.
async function cardsOf(title, dates, suffix) {
    await Promise.all([...new Set(dates.map(yearOf))].map(loadYear));
    const days = dates.map(date => apod.days.get(date)).filter(day => day?.stem);
    return days.length ? [element('h3', {}, title), element('div', { class: 'cards' }, days.map(day => dayCard(day, suffix)))] : [];
}
