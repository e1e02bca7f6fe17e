# The table of gestures: a name, the windows, the place that is opened; then what is done, and what must hold.
import datetime
import functools

from browser import check, opened, until

VIEWER = """
wheel  desk  view/2026-11-09
    keep w = wide()
    wheel 940, 200, -400            near((940 - box().left) / wide(), .75, .01) && near((200 - box().top) / box().height, .25, .01) && wide() > 1.5 * w
    wheel 940, 200, -400 × 30       wide() > 4000  still wide() < 10080
    wheel 940, 200, 400 × 40        near(wide(), w, 1) && near(box().left, 40, 1)
trackpad  desk  view/2026-11-20
    keep w = wide()
    run await roll([[0, -12.5], [0, -31.25], [0, -56.25]], 1, true)    near(wide() / w, Math.E, .02)
    keep b = box()
    run await roll(Array(10).fill([4.5, 2.25]))                    near(b.left - box().left, 45) && near(b.top - box().top, 22.5) && near(wide(), b.width)
    0                                                              #view/2026-11-20
    run await roll(rolling(1))                                     still #view/2026-11-17
    run await roll(rolling(-1), 3)                                 still #view/2026-11-20
    run await roll([...rolling(1, 22), ...rolling(1)], 3)          still #view/2026-11-16  seen.at.scale === 1
keys  desk  view/2026-11-09
    keep w = wide()                 isWhole(one('.shown'))
    +                               wide() > 1.2 * w
    1                               near(wide(), 4800)  source().endsWith('.png')
    → × 80                          near(box().right, 1280)  #view/2026-11-09
    0                               near(wide(), w, 1)
    i                               'Somebody & '  box().right <= box('.words').left + 1
    i                               !words('Somebody & ')
    →                               #view/2026-11-08
    ←                               #view/2026-11-09
    press Older                     #view/2026-11-08
    press Close                     #2026-11-08  !viewer.open
ends  desk  view/2026-11-22
    see                             one('.newer').disabled
    go view/2024-02-01              one('.older').disabled
pinch  phone  view/2026-11-09
    keep w = wide()
    pinch 20, 260                   wide() > 5 * w
    keep x = box().left
    swipe 250, 400, 150, 400        box().left < x - 60  #view/2026-11-09
    pinch 260, 20 × 2               near(wide(), w)  #view/2026-11-09
swipes  phone  favorites/Comets
    press A Flight, 17 November 2026, video    #2026-11-17/favorites/Comets
    corner figure a                 viewer.open && image('2026-11-17')
    swipe 300, 400, 80, 400         #view/2026-11-14/favorites/Comets  picture 2026-11-14
    swipe 300, 400, 80, 400         #view/2024-02-29/favorites/Comets  picture 2024-02-29
    swipe 80, 400, 300, 400         #view/2026-11-14/favorites/Comets  picture 2026-11-14
    swipe 200, 400, 230, 400        still #view/2026-11-14/favorites/Comets  near(box().left + box().right, 390)
    Escape                          #2026-11-14/favorites/Comets  !viewer.open && image('2026-11-14')
    Escape                          #favorites/Comets
drawn away  phone  2026-11-20
    corner figure a                 viewer.open && wide() > 0
    keep y = box().top
    draw 200, 420, 200, 620         near(box().top, y + 200, 12)  opacity(dark) < .7 && main.checkVisibility()
    lift                            #2026-11-20  !viewer.open
    corner figure a                 viewer.open && wide() > 0
    keep y = box().top
    pull 200, 420, 200, 480         still near(box().top, y)
    draw 200, 420, 200, 220         near(box().top, y - 200, 12)
    lift                            #2026-11-20
frame by taps  phone  view/2026-11-14/favorites/Comets
    tap 200, 400                    opacity('.bar') === 0
    tap 200, 400                    opacity('.bar') === 1  '14 November 2026 · 2 of 4'  !box('#viewer > .older').width
frame and a mouse  desk  view/2026-11-17
    hover 500, 500                  opacity('.bar') === 0
    hover 510, 500                  opacity('.bar') === 1  opacity('.bar') === 0
    Tab                             opacity('.bar') === 1
    keep w = wide()
    hover 510, 510                  css('.shown', 'cursor') === 'zoom-in'
    tap 510, 510                    still wide() > 1.4 * w  css('.shown', 'cursor') === 'zoom-out'
    tap 510, 510                    near(wide(), w)
text  phone  view/2026-11-09
    press Text                      near(sheet.offsetHeight, 422)  box().bottom < 424
    pull 200, 432, 200, 132         sheet.offsetHeight > 742
    pull 200, 110, 200, 780         sheet.hidden  one('.tell').ariaExpanded === 'false'
other picture  desk, calm  view/2026-10-29
    1                               wide() > 2000
    →
    keep b = box()
    o                               isOther() && all('.here').length === 1  near(box().left, b.left) && near(wide(), b.width)
    see                             one('.here .shown').ariaLabel === 'The same with names'
    press The other picture         !isOther() && all('.here').length === 1  near(box().left, b.left) && near(wide(), b.width)
no pictures  desk  view/2026-11-20
    →                               #view/2026-11-17
    →                               #view/2026-11-16
    →                               #view/2026-11-14
    →                               #view/2026-11-13
    →                               #view/2026-11-10  'Mended'
    ←                               #view/2026-11-13
    go view/2026-11-12              !viewer.open && words('cut off or damaged')
plays  desk  2026-11-16
    run one('video').muted = true; one('video').play()    one('video').currentTime > .05  isWhole(one('video'))
    Tab
    go view/2026-11-16              viewer.open
    run one('video').muted = true; one('video').play()    one('video').currentTime > .05  isWhole(one('video'))
    Escape                          !viewer.open && !find('#viewer video')
swipes on videos  phone  2026-11-16
    swipe 300, box('video').top + 50, 80, box('video').top + 50               #2026-11-15
    visit view/2026-11-16           one('video')
    keep x = 0
    swipe 300, box('video').bottom + 60, 80, box('video').bottom + 60         #view/2026-11-14
slow line  desk
    hold **/*1280.jpg
    hold **/*.png
    visit view/2026-11-09           'Loading …'  css('.shown', 'backgroundImage').includes('480')
    free **/*1280.jpg               !words('Loading …') && one('.shown').naturalWidth > 0
    1                               'Loading 400 KB …'
    lose **/*.png                   'The original cannot be loaded.'
"""

DAYS = """
finger  phone  2026-11-20
    see                             apod.here.has('viewer') && css(root, 'overscrollBehaviorX') === 'none'
    draw 300, 300, 200, 300         box('article').left < -60
    lift 290, 300                   still near(box('article').left, 8)  #2026-11-20
    swipe 80, 300, 300, 310         #2026-11-21  !isMoving()
    swipe 300, 300, 80, 310         #2026-11-20
    swipe 200, 600, 260, 300        still #2026-11-20
rollover  desk  2026-10-29
    hover 5, 700                    picture 2026-10-29  unasked (2)  one('main button.other')
    hover 640, 300                  opacity('.over') === 1
    hover 5, 700                    opacity('.over') === 0
    keep c = css('main button.other', 'backgroundColor')
    o                               opacity('.over') === 1  one('main button.other').ariaPressed === 'true' && css('main button.other', 'backgroundColor') !== c  #2026-10-29
    press The other picture         opacity('.over') === 0
    go 2026-10-28                   one('.beside img').naturalWidth === 1600 && one('.beside img').alt === 'From the other side' && !one('main button.other')
    o                               #on/10-28
rollover and a finger  phone  2026-10-29
    press The other picture         opacity('.over') === 1
    press The other picture         opacity('.over') === 0
facts  desk  2026-11-17
    see                             one('figure .player, .facts .player').href === 'https://example.org/2026-11-17.html' && one('.player').rel.includes('noopener')
    go 2026-11-16                   one('main video').preload === 'none'
    go 2026-11-15                   one('article').firstElementChild.querySelector('h2')  text().split('deleted to make room').length === 2
    go 2026-11-21                   text().includes('run')  all('main a').every(link => /^(file|https?):$/.test(link.protocol)) && !one('main :is(script, .text b, [onerror])')
    go 2024-03-03                   'apod-mirror favorites add 2024-03-03'
    go 2026-11-10                   all('.others time').map(time => time.dateTime).join() === '2025-11-10,2024-11-10'
    go 2026-11-14                   one('main a[href="#favorites/Comets"]')  one('.facts a[href^="2026"]').getAttribute('href') === '2026/11/2026-11-14%20Nebula%20739934.png'
lost copies  desk
    lose **/gallery/2026/2026-10-31-*
    visit 2026-10                   tile('2026-10-31').querySelector('img').currentSrc.endsWith('.png') && tile('2026-10-31').querySelector('img').naturalWidth
    visit 2026-10-31                one('figure img').currentSrc.endsWith('.png') && one('figure img').naturalWidth
    visit view/2026-10-31           one('.here img').currentSrc.endsWith('.png') && one('.here img').naturalWidth
    visit 2026-11-05                'This picture cannot be loaded'
    go 2026-11                      current?.reveal('2026-11-05') && tile('2026-11-05').querySelector('.plain')?.innerText.includes('Lost Picture')
late words  desk
    hold **/2026-text.js*
    visit 2026-11-16                one('main video') && one('.facts a')
    run eye.video = one('main video'); one('.facts a').focus(); eye.had = document.activeElement
    free **/2026-text.js*           text().includes('end.')  one('main video') === video && document.activeElement === had && had.isConnected
hearts  served, served laptop  2026-11-20
    see                             one('.heart.tool').getBoundingClientRect().bottom <= innerHeight && !one('.favorite')
    Tab                             document.activeElement.id === 'skip'
    run window.fetch = () => Promise.reject(new TypeError())
    press Favorite                  'does not answer'
    press Albums                    albums.open
    tap 5, 5                        !albums.open
    go 2026-11-22                   drawn === '2026-11-22' && box('main .heart.tool').bottom <= innerHeight && box('.text').top + 24 <= innerHeight
    go 2026-11-14                   drawn === '2026-11-14' && box('main .heart.tool').bottom <= innerHeight && box('.text').top + 24 <= innerHeight
the newest's heart  served
    see                             one('.hero .heart.tool')
    Tab                             document.activeElement.id === 'skip'
items' hearts  served  cats.0000000000000004/favorites/Comets
    run window.fetch = async (address, { headers }) => { (eye.sent ??= []).push(`${address} ${headers['X-APOD-Favorite']}`); return { status: 200 }; }
    see                             one('main .favorite, main .heart[aria-pressed=true]') && text().includes('in Comets') && text().includes('Comets · 4 of 4')
    press Favorite                  eye.sent[0] === 'favorites/lists/cats/Cat%203 remove'
    run offerAlbums({ date: one('.heart.tool').dataset.date }); albums.querySelector('[name=Comets]').click()    eye.sent[1] === 'favorites/Comets/lists/cats/Cat%203 add'
"""

WALLS = """
years  desk, narrow
    see                             document.documentElement.scrollHeight > 20 * innerHeight
    wheel box(years).x + 24, box(years).bottom - 2, 900            scrollY > 500 && words('2024')
    hover box(years).x + 24, box(years).bottom - 4                 'February 2024'
    drag box(years).x + 24, box(years).bottom - 2, box(years).x + 24, box(years).bottom - 2    tile('2024-02-01')
    drag box(years).x + 24, box(years).bottom - 2, box(years).x + 24, box(years).y + box(years).height / 2    /2025-0[5-8]/.test(tiles().find(isWhole)?.dataset.date)
    hover innerWidth / 3, 400       !words('2025-')
    run [...years.querySelectorAll('a')].find(a => a.textContent === '2024').focus()
    Enter                           #2024  'December 2024'
months  desk, phone, low  2026-09
    see                             'September 2026'  (below => Math.abs(all('.wall h3').find(one => one.textContent === 'September 2026').getBoundingClientRect().top - below) < 40)(Math.max(0, box(header).bottom))
header  phone
    see                             document.documentElement.scrollHeight > 20 * innerHeight && css(years, 'backgroundImage').includes('rgba(0, 0, 0')
    swipe 190, 700, 190, 300 × 3    box(header).bottom <= 0  opacity(years) > .9  opacity(years) < .1
    see                             !document.elementFromPoint(innerWidth - 20, 400).closest('#years')
    pull 190, 300, 190, 500         box(header).bottom > 47
    go 2025                         one('#years [aria-current=true]')?.textContent === '2025'
    go 2026                         one('#years [aria-current=true]')?.textContent === '2026'
chance  desk
    r                               /^#\\d{4}-\\d\\d-\\d\\d$/.test(location.hash) && one('article h2')
    keep h = location.hash
    press Random                    /^#\\d{4}-\\d\\d-\\d\\d$/.test(location.hash) && location.hash !== h
on this day  november, november phone
    o                               dates().join() === '2026-11-20,2025-11-20,2024-11-20'
    press 19 November ›             tiles().length && dates().every(date => date.endsWith('-11-19'))
    ←                               dates().every(date => date.endsWith('-11-20'))
    press On this day               '20 November, in every year'
calendar  desk, phone  2025-06
    see                             'June 2025'
    run all('.wall h3 a').find(a => a.textContent.startsWith('June 2025')).click()    month() === 'June 2025' && all('#calendar li').length === 30
    see                             one('#calendar li').style.gridColumnStart === '7'
    press The month after           month() === 'July 2025'
    ← ←                             month() === 'May 2025'
    choose 2024                     month() === 'May 2024'
    run one('[aria-label$="14 May 2024"]').click()    location.hash === '#2024-05-14' && !calendar.open && one('article')
    back                            location.hash === '#2025-06' && tile('2024-05-14') && inWindow(tile('2024-05-14'))
calendar and a finger  phone  2026-10
    run find('.wall h3 a').click()    month() === 'November 2026'
    swipe 100, 450, 300, 455        month() === 'October 2026'
marks  desk  on/11-17
    see                             /video.*favorite|favorite.*video/.test(marks('2026-11-17'))
    go favorites                    !marks('2026-11-17').includes('favorite') && !caption('2026-11-22')
    hover box(tile('2026-11-22')).x + 50, box(tile('2026-11-22')).y + 50    caption('2026-11-22')
    Tab
    run tile('2026-11-17').querySelector('a').focus()    caption('2026-11-17')
    go 2026-10                      marks('2026-10-29').includes('+1') && tile('2026-10-29').querySelector('a').ariaLabel.endsWith(', 1 more picture')
sharp  desk, fine  2026-10
    see                             isLoaded() && tiles().map(tile => tile.querySelector('img')).filter(image => image?.naturalWidth).every(image => image.currentSrc.includes('1280') === Math.max(image.clientWidth, image.clientHeight) * devicePixelRatio > 600)
arrows  desk  favorites
    see                             tile('2026-11-22')
    run tile('2026-11-22').querySelector('a').focus()
    →                               focused() === '2026-11-21'
    ←                               focused() === '2026-11-22'
    go 2026-11                      tile('2026-11-20')
    run tile('2026-11-20').querySelector('a').focus()
    →                               focused() === '2026-11-18'
reload  desk  2025-06
    wheel 500, 500, 333             Math.abs(history.state?.y - scrollY) < 1 && scrollY > 300 && isLoaded()
    keep y = scrollY
    run sessionStorage.y = scrollY; sessionStorage.date = tiles().find(isWhole).dataset.date
    reload                          tile(sessionStorage.date) && inWindow(tile(sessionStorage.date)) && near(scrollY, Number(sessionStorage.y), 3)
    ?                               help.open
first page  desk, light
    see                             'Somebody & '  current?.tiles.size > 300
    see                             still moved <= .002  unasked -text.js  unasked /lists
    run loadNewDays()               fresh  still unasked data/NEXT
""".replace("NEXT", str(datetime.date.today().year + 1))

# From a wall to a day, its neighbours and the viewer, and back by Escape or by the browser's own way.
BACK = """
WAY to PLACE  desk  2026-11-22
    run addEventListener('popstate', remember)
    go PLACE                      isDone() && tiles().length > 1
    run scrollTo(0, DEPTH)        near(scrollY, DEPTH) && isLoaded()
    keep date = tiles().find(tile => isWhole(tile) && /^20/.test(tile.dataset.date) && tile.dataset.date < '2026-11-18' && apod.days.get(tile.dataset.date).image).dataset.date
    keep y = scrollY
    run [...tile(date).querySelectorAll('a')].at(-1).focus({ preventScroll: true })
    Enter                           drawn === date
    →                               /^20/.test(drawn) && drawn !== date
    ←                               drawn === date && one('figure a')
    Enter                           viewer.open
    WAY                           !viewer.open && drawn === date
    WAY                           #PLACE  tile(date) && inWindow(tile(date))  near(scrollY, y, 3)  focused() === date
"""

# The way back from a day whose tile the window's edge cuts, and the search field, leave the wall where it stood.
STANDS = """
a cut tile  narrow, desk  2026-10
    run scrollTo(0, 5000)           scrollY === 5000 && all('.wall section').length > 1
    run scrollTo(0, 900)            scrollY === 900 && all('.wall section').every((one, at, rows) => !at || box(one).top > box(rows[at - 1]).top)
    keep cut = tiles().filter(tile => !isWhole(tile) && tile.querySelector('a') && box(tile).bottom > headHeight + 1).map(tile => tile.dataset.date)
    run tile(cut.at(-1)).querySelector('a').click()    drawn === cut.at(-1)
    keep x = 0
    back                            drawn === 'timeline'  still scrollY === 900
the field over a wall  narrow, desk  2026-10
    see                             current?.tiles.size > 20
    run scrollTo(0, 900)            still scrollY === 900
    /
    type s                          drawn === 'search'  still drawn === 'search'
    Escape                          drawn === 'timeline'  still scrollY === 900
    at label[for=search], #search
    type s                          drawn === 'search'  still drawn === 'search'
    Escape                          drawn === 'timeline'  still scrollY === 900
"""

SEARCH = """
field  desk, phone  2026-11-20
    see                             opacity(search) === Number(innerWidth > 800)
    at label[for=search], #search
    type lantern                    '2 pictures with'
    ↓                               document.activeElement.matches('.wall a')
    run search.focus()
    Enter                           document.activeElement === main
    press Leave the search          location.hash === '#2026-11-20' && one('article') && search.value === ''
    /                               document.activeElement === search
what is found  desk
    fill Lantern                    '2 pictures with “Lantern”'  all('.wall mark').every(mark => mark.textContent === 'lantern')
    see                             (line => line.split('…').length === 3 && line.includes('Here a lantern is hung') && line.length < 320)(tile('2024-02-29').innerText)
    fill lanterns                   '2 pictures with “lanterns”'
    fill celebre etoile             all('.wall mark').length === 2 && tiles()[0].innerText.includes('Étoile Célèbre')
    fill zither                     '2 pictures with “zither”'  text().includes('Hubble · 21 January 2024') && text().includes('Cats')
    fill spiral 263                 '1 picture with “spiral 263”'
    at .found                       picture 0000000000000108  '1 of 1'
    visit search/comet              ' pictures with “comet”'  dates().join() === dates().sort().reverse().join()
    run scrollTo(0, 700)            scrollY > 600
    fill nebula                     words(' pictures with “nebula”') && scrollY === 0
    fill 14 March                   #on/03-14
    Escape                          #search/comet
words and times  desk  search/comet
    see                             isDone() && words(' pictures with “comet”')
    keep count = one('.pick [href$="2025"] small').textContent
    at .pick [href$="2025"]        words(`${count} pictures with “comet 2025”`) && all('.pick a').length > 1
    at .pick [href$=comet]         ' pictures with “comet”'
    fill comet april 2026           words(' with “comet april 2026”') && current.days.every(day => day.date.startsWith('2026-04'))
    fill winter 2024                words(' with “winter 2024”') && current.days.every(day => /2024-12|2025-0[12]/.test(day.when ?? day.date))
    fill comet 2026-04-0            'No picture has “comet 2026-04-0”'
late texts  desk
    hold **/2024-text.js*
    visit search/lantern            tile('2025-05-05')
    run eye.heard = []; new MutationObserver(() => state.textContent && heard.push(state.textContent)).observe(state, { childList: true }); tile('2025-05-05').querySelector('a').focus()
    free **/2024-text.js*           tile('2024-02-29')  heard.length  heard.length === 1 && heard[0].includes('2 pictures')  focused() === '2025-05-05'
"""

# What is typed, and the address of the date that it is.
TYPED = {"2026-11-20": "2026-11-20", "20 Nov 2026": "2026-11-20", "261120": "2026-11-20", "November 20, 2026": "2026-11-20",
         "november 2025": "2025-11", "20.11.2026": "2026-11-20", "3/14": "on/03-14", "14/3": "on/03-14", "3/14/2025": "2025-03-14",
         "14th of March": "on/03-14", "29 Feb": "on/02-29", "2025": "2025", "31 June": None, "may": None, "1054": None}

SLIDES = """
order  fast desk  slideshow=favorites/Comets,5
    see                             shown.slice(0, 9).join() === Array(3).fill(['2026-11-17', '2026-11-14', '2024-02-29']).flat().join()  all('img').length <= 3
pairs  desk  2026-10-29
    s                               running && one('time')
    space                           one('.play').title === 'Go on'
    →                               isOther()
    →                               day() === '2026-10-28' && !isOther()
    →                               isOther()
    →                               day() === '2026-10-27'
    ←                               day() === '2026-10-28' && isOther()
    ← ←                             day() === '2026-10-29' && isOther()
slideshow  desk  favorites/Comets
    s                               location.hash.startsWith('#slideshow=favorites/Comets,') && viewer.open
    space                           one('.play').title === 'Go on'
    →                               picture 2026-11-14
    ←                               picture 2026-11-17
    space                           one('.play').title === 'Pause' && image('2026-11-14')
    choose 60                       still location.hash.endsWith(',60') && day() === '2026-11-14'
    Escape                          #favorites/Comets  !viewer.open && !find('#viewer img')
buttons of slides  phone  2026-11-14/favorites/Comets
    press More
    press Slideshow                 day() === '2026-11-14'  opacity('.bar') === 0
    keep c = box('.close')
    tap c.x + 9, c.y + 9            opacity('.bar') === 1  viewer.open
    tap c.x + 9, c.y + 9            #2026-11-14/favorites/Comets  !viewer.open
300 slides  fast desk  slideshow=,5
    see                             times.length >= 60
    run gc(); eye.heap = performance.memory.usedJSHeapSize; eye.count = document.querySelectorAll('*').length
    see                             times.length >= 300
    run gc()                        performance.memory.usedJSHeapSize < heap + 3e6 && document.querySelectorAll('*').length < count + 300 && all('img').length <= 4
faded  desk  slideshow=favorites,60
    →                               seen.day.date === '2026-11-21' && document.getAnimations().some(one => one.effect.target.matches('.slide'))
"""

LISTS = """
lists  desk, phone
    run document.querySelector('[href="#lists"]').click()    'Cats'  '21 pictures'  '265 pictures'  all('.card img').filter(image => image.naturalWidth).length === 2
    see                             one('header [aria-current=page]').innerText === 'Lists'
    at [href='#list/hubble']        'November 2026'  current.days.length === 265
    at [href='#list/hubble/2024']   #list/hubble/2024  'November 2024'  one('.pick [aria-current]').textContent.startsWith('2024')
    keep y = scrollY
    run tiles().find(isWhole).querySelector('a').click()    one('article.day')
    back                            #list/hubble/2024  near(scrollY, y, 300)
    back
    back                            #lists  'Cats'
items  desk  list/cats
    see                             tiles().length > 8 && !one('.wall h3') && current.days[0].title.startsWith('</script>')
    at [data-date='cats.000000000000000c'] > a    'Cat 11'
    Enter                           image('000000000000000c') && words('Cats · 10 of 21')
    →                               picture 000000000000000b
    i                               'Picture: ESA/Hubble · '
    back                            #cats.000000000000000b/list/cats
    Escape                          #list/cats  focused() === 'cats.000000000000000b'
    at main p a                     running?.date?.startsWith('cats.')
"""

# Over days by the links of their texts and by what speaks of them, and back to each place and link.
LINKS = """
links  desk  2026-10-20
    run one('a[title="14 March 2025"]').click()    drawn === '2025-03-14' && one('.others [href="#2026-08-01"]')
    run one('.others [href="#2026-08-01"]').focus()    scrollY > 0
    keep y = scrollY
    Enter                           drawn === '2026-08-01'
    back                            still near(scrollY, y, 3) && document.activeElement.hash === '#2026-08-01'
    back                            drawn === '2026-10-20' && document.activeElement.hash === '#2025-03-14'
"""

# A data file that cannot be read is told of; the rest works, and the file is asked for again.
LOSSES = """
without FILE  desk
    lose **/data/FILE.js*
    visit PLACE                   one('[role=alert]').textContent === 'gallery/data/FILE.js cannot be read.'  !words('Looking')
    go 2025-04-10                   drawn === '2025-04-10'
    free **/data/FILE.js*
    go PLACE                      one('[role=alert]').textContent === ''
"""
LOST = {"2024-text": "2024-02-29", "2024": "2024", "2025-text": "search/violin", "2026": "", "favorites": "favorites"}



def filled(text, *rows):
    # The same for each of some rows, whose values stand for what is in capitals.
    for names, *values in rows:
        yield functools.reduce(lambda text, pair: text.replace(*pair), zip(names.split(), values), text)


TABLE = "".join([
    VIEWER, DAYS, WALLS, STANDS, SEARCH, SLIDES, LISTS, LINKS,
    *filled(BACK, *(("WAY PLACE DEPTH", way, place, y) for way in ["Escape", "back"]
                    for place, y in [("2025-06", "700"), ("favorites", "0"), ("search/comet", "700")])),
    *filled(LOSSES, *(("FILE PLACE", name, place) for name, place in LOST.items()))])


def typed(browser, base, _):
    with opened(browser, base, "search/comet") as page:
        until(page, "apod.here.has('page')")
        found = page.evaluate("texts => texts.map(text => typedDate(text) ?? null)", list(TYPED))
        wrong = {text: address for text, address in zip(TYPED, found) if TYPED[text] != address}
        check(not wrong, f"typed dates lead to {wrong}")
