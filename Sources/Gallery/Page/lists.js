/* Other lists of pictures: what is here of them, and their walls. */

const listNames = listsLink?.dataset.names.split(' ') ?? [];
// By name: its `years` with how many pictures each has, the newest first and 0 for those without a date, and its `cover`.
const lists = new Map();

const listTitle = name => name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ');

apod.list = (name, list) => {
    if (list.cover) enlist(list.cover);
    lists.set(name, list);
};

// Adds to an item what a day's date says of a day.
function enlist(item, volume) {
    const [list, number] = item.date.split('.');
    const start = item.stem.slice(0, 10);
    const date = isDate(start) ? start : '';
    const folder = ['lists', list, ...date ? [date.slice(0, 4)] : []];
    const told = listTitle(list) + (date && ` · ${written(date)}`);
    Object.assign(item, { list, volume, folder, told, when: date, base: `lists/${list}/${number}`, subject: [...folder, item.stem].join('/') });
    // Favorites ask for it so.
    if (volume) apod.days.set(item.subject, item);
}

const volumesOf = name => lists.get(name)?.years.map(([year]) => `lists/${name}/${year}`) ?? [];

// Loads all of a list.
async function loadList(name) {
    if (!listNames.includes(name) || !await load(`data/lists/${name}/list`)) return false;
    await Promise.all(volumesOf(name).map(volume => load(`data/${volume}`)));
    return true;
}

// Returns the volumes of all lists.
async function loadAllLists() {
    await Promise.all(listNames.map(loadList));
    return listNames.flatMap(volumesOf);
}

const itemsHere = name => volumesOf(name).flatMap(volume => apod.years.get(volume) ?? []);

const allItems = () => listNames.flatMap(itemsHere);

// Those of a list, or of one of its years; without a name those of all lists.
async function itemsOf([name, year = '']) {
    await (name ? loadList(name) : loadAllLists());
    return name ? itemsHere(name).filter(item => item.when.startsWith(year)) : allItems();
}

const sizeOf = name => counted((lists.get(name)?.years ?? []).reduce((sum, [, count]) => sum + count, 0), 'picture');

// #lists and #list/hubble, or #list/hubble/2019 for a year of it.
async function showList([name, year]) {
    if (!name && listNames.length !== 1) return showLists();
    name ??= listNames[0];
    if (!await loadList(name)) return say('There is no such list here.', name);
    const dated = lists.get(name).years.filter(([year]) => year);
    const wall = new Wall({ days: itemsHere(name), suffix: wallOf(['list', name]), isSparse: true,
        byMonth: dated.length && ((month, oldest) => month === oldest ? monthName(month) : `${monthName(month)} – ${monthName(oldest)}`) });
    const years = dated.length > 1 && picks(dated.map(([number, count]) => pick(`#list/${name}/${number}`, String(number) === year, number, count)));
    return () => {
        draw('lists', [heading(listTitle(name)), element('p.progress', `${sizeOf(name)}. `,
            element('a', { href: slidesOf(['list', name]) }, 'Slideshow')),
            years, wall.element], listTitle(name), wall, year);
    };
}

// A card for each list, with its cover.
async function showLists() {
    await Promise.all(listNames.map(name => load(`data/lists/${name}/list`)));
    const cards = listNames.filter(name => lists.has(name)).map(name =>
        card(lists.get(name).cover, { href: `#list/${name}` }, named(listTitle(name)), element('span', sizeOf(name))));
    return () => draw('lists', [heading('Lists'), element('nav.cards', { 'aria-label': 'Lists' }, cards)], 'Lists');
}
