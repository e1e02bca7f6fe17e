/* The slideshow: a wall's pictures, one after another, for as long as one likes. Loaded when the first one begins. */

apod.here.add('slideshow');

const slides = byId('slideshow');
const [screen, note, choice, pause] = ['.field', 'p', 'select', '.pause'].map(name => slides.querySelector(name));

let awake;

// #slideshow=favorites,30: of which wall, and how many seconds each.
async function showSlides(what) {
    await styled;
    const [, wall, seconds] = /^(.*?)(?:,(\d+))?$/.exec(what);
    return () => {
        if (!drawn) draw('slideshow', [], '');
        entitle('Slideshow');
        const time = Math.min(120, Math.max(5, Number(seconds) || 15));
        choice.value = time;
        if (running?.wall === wall) {
            running.seconds = time;
            if (!running.isPaused) wait(running);
            return;
        }
        clearTimeout(running?.timer);
        running = { wall, pieces: wall.split('/').filter(Boolean), fresh: Date.now(), seconds: time };
        pauseSlides(false);
        if (slides.open) return;
        slides.showModal();
        slides.focus();
        stayAwake();
    };
}

function wait(own, seconds = own.seconds) {
    clearTimeout(own.timer);
    own.timer = setTimeout(nextSlide, seconds * 1000, 1);
}

// Shows the next picture that can be shown, at first the day's from whose page it was begun; a wall of none says so.
async function nextSlide(step) {
    const own = running;
    if (!own) return;
    clearTimeout(own.timer);
    const turn = own.turn = {};
    // Days that came since join in.
    if (Date.now() - own.fresh > 3_600_000) {
        own.fresh = Date.now();
        await loadNewDays();
        if (apod.here.has('lists')) await loadNewItems();
    }
    const days = (await daysOf(own.pieces)).flatMap(day => [day, ...beside(day)]).filter(day => day.stem && large(day));
    const at = own.date ? Math.max(days.findIndex(day => day.date <= own.date), days.findIndex(day => day.date === own.date && day.stem === own.stem))
        : Math.max(0, days.findIndex(day => day.date === drawn)) - step;
    for (let tries = 1; tries <= Math.min(20, days.length); tries += 1) {
        const day = days.at((at + step * tries) % days.length);
        const image = copied(day, day.title, true);
        const isThere = await isDecoded(image);
        if (running !== own || own.turn !== turn) return;
        [own.date, own.stem] = [day.date, day.stem];
        if (!isThere) continue;
        crossfade(image);
        const name = wallName(own.pieces);
        note.replaceChildren(element('b', {}, named(day.title)), ' ', moment(day), ...(name ? [' · ', named(name)] : []));
        break;
    }
    if (running !== own || own.turn !== turn) return;
    if (!days.length) note.textContent = 'There is no picture to show here.';
    if (!own.isPaused) wait(own, days.length ? own.seconds : 60);
}

function crossfade(image) {
    for (const old of screen.children) {
        old.classList.add('gone');
        setTimeout(() => old.remove(), 2000);
    }
    screen.append(image);
}

function pauseSlides(isPaused = !running.isPaused) {
    running.isPaused = isPaused;
    pause.textContent = isPaused ? 'Go on' : 'Pause';
    clearTimeout(running.timer);
    if (!isPaused) nextSlide(1);
}

// The screen stays on where the browser allows it.
async function stayAwake() {
    try { awake = await navigator.wakeLock?.request('screen'); } catch { /* The manual says what to set. */ }
}
on(document, 'visibilitychange', () => { if (running && !document.hidden) stayAwake(); });

function closeSlides() {
    clearTimeout(running.timer);
    running = undefined;
    awake?.release().catch(() => {});
    shut(slides, screen);
}

const leaveSlides = () => goBack(wallOf(running.pieces).replace('/', '#') || '#');
leadOut(slides, leaveSlides);
on(pause, 'click', () => pauseSlides());
on(choice, 'change', () => go(`#slideshow=${wallOf(running.pieces).slice(1)},${choice.value}`, true));
// The words and buttons are seen while somebody moves.
let quiet;
on(slides, 'pointerdown pointermove keydown focusin', () => {
    slides.classList.add('busy');
    clearTimeout(quiet);
    quiet = setTimeout(() => slides.classList.remove('busy'), 3000);
});


// A swipe shows the next one, or leads out downwards.
let swipe = noHand;
const swipes = { step: () => nextSlide(swipe.intent.to === 'older' ? 1 : -1), close: leaveSlides };
on(screen, 'pointerdown pointermove pointerup pointercancel', event => {
    if (event.type === 'pointerdown' && event.button) return;
    swipe = gesture(swipe, event, { width: innerWidth, height: innerHeight, size: { width: 0, height: 0 }, most: 1, at: whole, turn: 0,
        newer: true, older: true });
    const image = screen.lastElementChild;
    if (image) image.style.transform = swipe.kind ? `translate(${swipe.turn}px, ${swipe.drop}px)` : '';
    if (swipe.intent) swipes[swipe.intent.kind]?.();
});

const slideKeys = { ' ': () => pauseSlides(), ArrowRight: () => nextSlide(1), ArrowLeft: () => nextSlide(-1), f: toggleFullScreen };
