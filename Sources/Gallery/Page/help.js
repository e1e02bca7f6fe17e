/* What the reader may choose, and what keys and fingers do. Loaded when somebody asks. */

const wishes = [
    ['theme', 'Colors', [['no', 'As the system'], ['light', 'Light'], ['dark', 'Dark']]],
    ['words', 'Words on the pictures of a wall', [['no', 'When I point at one'], ['yes', 'Always']]],
];
const habits = [
    ['← →', 'or a swipe: the newer day, the older day; on a wall, with ↑ ↓, from picture to picture'],
    ['Enter', 'or a tap: the picture in the whole window'], ['+ - 0 1', 'or two fingers: closer, farther, whole, its pixels'],
    ['f', 'full screen'], ['i', 'words'], ['Esc', 'back'],
    ['/', 'search: words, a date as 14 March, or both; there: ↓ goes to what is found'], ['r', 'a random day'],
    ['o', 'on this day, in every year; or the other picture of a day that has two'], ['v', 'favorites'],
    ['s', 'slideshow; there: Space pauses'], ['h', 'the newest picture'],
];

const wish = ([name, legend, values]) => element('fieldset', element('legend', legend), values.map(([value, words]) =>
    element('label', element('input', { type: 'radio', name, value }), ' ', words)));
const help = dialog('help', 'Looks and keys', element('h2', 'Looks and keys'), wishes.map(wish),
    element('dl', habits.map(([by, what]) => [element('dt', by.split(' ').map(key => [element('kbd', key), ' '])), element('dd', what)])));

on(help, 'change', ({ target }) => choose(target.name, target.value));

function openHelp() {
    for (const input of help.querySelectorAll('input')) input.checked = root.dataset[input.name] === input.value;
    help.showModal();
}
