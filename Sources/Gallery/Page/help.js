/* What keys and fingers do. */

const habits = [
    ['← →', 'or a swipe: the newer day, the older day; on a wall, from picture to picture'],
    ['Enter', 'or a tap: the picture in the whole window'], ['+ - 0 1', 'or two fingers: closer, farther, whole, its pixels'],
    ['f', 'full screen'], ['i', 'there: the text of the day'], ['Esc', 'back'],
    ['/', 'search: words, a date as 14 March, or both; there: ↓ goes to what is found'], ['r', 'a random day'],
    ['o', 'on this day, in every year; or the other picture of a day that has two'], ['v', 'favorites'],
    ['s', 'slideshow; there: Space pauses'], ['h', 'the newest picture'],
];

const help = dialog('help', 'Keys', element('h2', 'Keys'),
    element('dl', habits.map(([by, what]) => [element('dt', by.split(' ').map(key => [element('kbd', key), ' '])), element('dd', what)])));
