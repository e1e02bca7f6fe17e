/* What keys and fingers do. */

const habits = [
    ['← →', 'newer day, older day; on a wall, from picture to picture'], ['Enter', 'the picture in the whole window'],
    ['+ - 0 1', 'closer, farther, whole, its pixels'], ['f', 'full screen'], ['i', 'the text beside it'], ['Esc', 'back'],
    ['/', 'search: words, a date, or both'], ['r', 'a random day'], ['o', 'on this day, or a day’s other picture'],
    ['v', 'favorites'], ['s', 'slideshow, and its pause'], ['h', 'the newest picture'],
];

const help = dialog('help', 'Keys', element('h2', 'Keys'),
    element('dl', habits.map(([by, what]) => [element('dt', element('kbd', by)), element('dd', what)])));
