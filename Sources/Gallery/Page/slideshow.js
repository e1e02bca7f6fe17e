/* The slideshow: the viewer leads on by itself, through a wall and again, for as long as one likes. Loaded when the first one begins. */

const choice = element('select', { 'aria-label': 'Time for each picture' }, [5, 10, 15, 30, 60, 120].map(seconds =>
    element('option', { value: seconds }, seconds < 60 ? `${seconds} s` : `${seconds / 60} min`)));
part('.bar').prepend(choice);

let awake;

// #slideshow=favorites,30: of which wall, and how many seconds each.
async function showSlides(what) {
    const [, wall, seconds] = /^(.*?)(?:,(\d+))?$/.exec(what);
    const pieces = wall.split('/').filter(Boolean);
    const time = limit(Number(seconds) || 15, 5, 120);
    const own = running?.wall === wall ? running : { wall, pieces, fresh: Date.now(), date: lastDay() };
    if (own !== running && !await findSlide(own, 0)) return say('There is no picture to show here.', 'Slideshow');
    return () => {
        const isNew = own !== running;
        Object.assign(own, { seconds: time });
        running = own;
        choice.value = time;
        if (!isNew) return wait(own);
        if (!drawn) draw('slideshow', [], '');
        showSlide(own);
        tellRunning();
        wait(own);
        toggleFrame(true);
        stayAwake();
    };
}

function wait(own) {
    clearTimeout(own.timer);
    if (!own.isPaused) own.timer = setTimeout(nextSlide, own.seconds * 1000, 1);
}

// Finds the next picture that comes, at first the day's from whose page it was begun. Returns whether there is one.
async function findSlide(own, step) {
    // Days that came since join in.
    if (Date.now() - own.fresh > 3_600_000) {
        own.fresh = Date.now();
        await loadNewDays();
    }
    const days = (await daysOf(own.pieces)).flatMap(day => [day, ...beside(day)]).filter(day => day.stem && large(day));
    let at = Math.max(0, days.findIndex(day => day.date === own.date && day.stem === (own.slide?.day ?? day).stem)) + step;
    for (let tries = Math.min(20, days.length); tries > 0; tries -= 1, at += step || 1) {
        own.slide = slideOf({ ...days.at(at % days.length), video: undefined });
        own.date = own.slide.day.date;
        if (await own.slide.shown.coming) return true;
    }
}

async function nextSlide(step) {
    const own = running;
    if (!own) return;
    clearTimeout(own.timer);
    const turn = own.turn = {};
    // Who looks closer is not led on.
    const isThere = seen.at.scale > 1 || await findSlide(own, step);
    if (running !== own || own.turn !== turn) return;
    if (isThere && own.slide.day !== seen.day) showSlide(own);
    wait(own);
}

function showSlide({ slide, pieces }) {
    const former = seen?.slides[0];
    look(slide.day, pieces, { newer: true, older: true, place: wallName(pieces) }, whole, slide);
    if (former) crossfade(former, 1600);
    entitle('Slideshow');
}

function pauseSlides(isPaused = !running.isPaused) {
    running.isPaused = isPaused;
    tellRunning();
    if (isPaused) wait(running);
    else nextSlide(1);
}

// The screen stays on where the browser allows it.
async function stayAwake() {
    try { awake = await navigator.wakeLock?.request('screen'); } catch { /* The manual says what to set. */ }
}
on(document, 'visibilitychange', () => { if (running && !document.hidden) stayAwake(); });

function endSlides() {
    clearTimeout(running.timer);
    running = undefined;
    tellRunning();
    awake?.release().catch(() => {});
}

function tellRunning() {
    const play = part('.play.tool');
    const isRunning = running && !running.isPaused;
    play.replaceChildren(icon(isRunning ? 'pause' : 'play'));
    play.title = play.ariaLabel = !running ? 'Slideshow' : isRunning ? 'Pause' : 'Go on';
    viewer.classList.toggle('running', Boolean(running));
}

on(choice, 'change', () => go(slidesOf(running.pieces, choice.value), true));
