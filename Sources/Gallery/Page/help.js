/* What keys and fingers do. */

const habits = [
    ['← →', 'the newer, the older day or picture'], ['Enter', 'the whole window'],
    ['+ - 0 1', 'closer, farther, whole, pixels'], ['f', 'full screen'], ['i', 'the text beside it'], ['Esc', 'back'],
    ['/', 'search'], ['r', 'a random day'], ['o', 'on this day, or a day’s other picture'],
    ['v', 'favorites'], ['s', 'slideshow, pause'], ['h', 'the newest picture'],
];

const help = dialog('help', 'Keys', element('h2', 'Keys'),
    element('dl', habits.map(([by, what]) => [element('dt', element('kbd', by)), element('dd', what)])));
