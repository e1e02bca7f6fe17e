/* The viewer's frame: what stands over the picture, and its text. */

const sheet = part('.words');

function tellTitle() {
    const { day, near } = seen;
    part('.name').replaceChildren(player(day) || '', element('p', element('b', named(day.title)), element('span', moment(day),
        near.place && ` · ${near.place}`)));
    part('.bar span').replaceChildren(...acts(day));
    part('.other').hidden = !beside(day).some(large);
}

async function tellText() {
    const { day, shown } = seen;
    const words = await wordsOf(day);
    const alt = day.number ? day.alt : words.alt;
    if (alt) shown.ariaLabel = alt;
    if (seen?.day !== day) return;
    sheet.lastElementChild.replaceChildren(...[moment(day), paragraph(words.text), rights(words)].map(part => element('p', part)));
    grip.querySelector('h2').replaceChildren(named(day.title));
    sheet.scrollTop = 0;
}

function toggleText() {
    sheet.hidden = !sheet.hidden;
    sheet.classList.remove('high');
    part('.tell').ariaExpanded = !sheet.hidden;
}

/* The sheet with the text is pulled by its title: up to all of the window, or down and away. */

const grip = sheet.firstElementChild;
let pulled;

on(grip, 'pointerdown', event => {
    grip.setPointerCapture(event.pointerId);
    pulled = sheet.offsetHeight + event.clientY;
    sheet.classList.add('pulled');
});
on(grip, 'pointermove', event => { if (pulled) sheet.style.height = `${pulled - event.clientY}px`; });
on(grip, 'pointerup pointercancel', () => {
    const share = sheet.offsetHeight / innerHeight;
    pulled = undefined;
    sheet.classList.remove('pulled');
    sheet.style.height = '';
    sheet.classList.toggle('high', share > 0.65);
    if (share < 0.3) toggleText();
});

/* The frame goes by a tap, or when the mouse rests, and comes back by either. */

const toggleFrame = isBare => viewer.classList.toggle('bare', isBare);
let idle;

on(viewer, 'pointermove pointerover', event => {
    if (event.pointerType !== 'mouse') return;
    toggleFrame(false);
    clearTimeout(idle);
    idle = setTimeout(toggleFrame, 3000, true);
});

part('.full').hidden = !document.fullscreenEnabled;
