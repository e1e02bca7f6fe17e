# shellcheck shell=bash
# systemd/try, by a person without any rights, on a machine that knows no NASA.

case_try() {
    local place=/home/ben/try options words suggested
    while IFS='|' read -r options words; do
        once "$options: ${words:0:12}…" try_refuses "$options" "$words"
    done <<END
--days 0|--days takes a number from 1 to 99999
--root|--root needs a folder
--rot x|unknown option: --rot (systemd/try --help names all)
--root /root/x|You may not write in /root. Name another folder: --root DIR
--root /home/ben|/home/ben has other things in it. Name an empty folder: --root DIR
END
    # Nobody has tried it here.
    inside find "$package/.build/install" -maxdepth 1 -name 'tried-*' -delete
    once "without Swift, it says so and what it would install" try_lacks_swift
    # The programs were built above.
    inside touch "$package"/.build/install/tried-apod-{mirror,stand-in}
    as ben "echo mine >letter; ln -s letter try.settings"
    start_try "--root $place"
    once "it says what it shows" try_says "NASA does not answer: these days are invented"
    check "where the mirror is" try_says "The mirror is in $place/APOD"
    check "and the gallery, which answers" try_answers
    once "days come" within 240 try_says "Now, in another terminal:"
    check "a video that is a film" inside sh -c "ls $place/APOD/*/*/*.mp4"
    check "two skies that differ" inside sh -c "! cmp -s \$(ls $place/APOD/*/*/*.jpg | sed -n '1p;2p' | tr ' ' '?')"
    once "its count of days never falls" try_counts
    check "cats and their cover come, but for one cat" try_status '.lists[0] | .pictures == 12 and .failed == 1'
    once "which the command of status names" try_tells "apod-mirror sync --list cats" "cats: Fig failed"
    once "with their breed" try_tells "apod-mirror search Ocicat" Biscuit
    once "and are in the gallery" grep -q cats "$root$place/APOD/index.html"
    check "the commands that it tells do what they say" as ben "set -e; $(try_commands)"
    check "a link is a favorite" try_status ".favorites == 1"
    once "it tells so" within 20 try_says " came "
    as ben "rm $place/APOD/favorites/*"
    once "and that it went, too" within 20 try_says " went "
    check "its command makes the link again" as ben "$(try_commands | head -1)
        apod-mirror favorites restore --since 1h --config $place/settings"
    once "a correction comes" within 60 try_says "has another picture or video"
    once "and what was before, by the command that it tells" as ben "$(try_commands | head -1)
        $(inside grep -o 'apod-mirror revert [^\`]*' /home/ben/said)"
    stop_try
    once "it ends, and says how to go on and how to take it away" try_says "To take it away: rm -r $place"
    once "no program of it is left" fails inside pgrep -u ben "^apod-"
    once "what status then offers asks nobody but those who invented the days" try_asks 127.0.0.1
    suggested=$(try_commands | grep ^ln)
    start_try "--root $place"
    once "again, the gallery answers in 5 seconds" within 5 try_answers
    check "and the correction does not come twice" try_status ".days == 60 and .replaced == 1 and .favorites == 1"
    once "another day is suggested" within 20 try_suggests_another
    stop_try
    as ben "$(inside grep -o 'rm -r .*' /home/ben/said)"
    once "nothing is left of it" [ -z "$(inside find /home/ben -newer "$package/.build/install/tried-apod-mirror" -name '*apod*')" ]
    once "what was beside it is as it was" [ "$(as ben 'readlink try.settings; cat letter')" = $'letter\nmine' ]
    upstream --days 40 --skies 640x480
    start_try "--root $place" "APOD_MIRROR_UPSTREAM=$origin"
    once "where NASA answers, its days come" within 60 try_status ".days == 31 and .missing == 0"
    once "and none is invented" fails try_says invented
    stop_try
}

# try_fails OPTIONS WORDS [VARIABLE…]: without a start.
try_fails() { fails as ben "cd '$package' && env ${*:3} systemd/try $1 >~/said 2>&1" && try_says "$2"; }

# try_refuses OPTIONS WORDS: in one line.
try_refuses() { try_fails "$1" "$2" && [ "$(inside sh -c 'wc -l </home/ben/said')" = 1 ]; }

# As on a machine that lacks all libraries, too.
try_lacks_swift() {
    try_fails "--root $place" "Swift 6.2 or newer is needed" PATH=/usr/bin:/bin PKG_CONFIG_LIBDIR=/nowhere &&
        inside grep -qE '^Building needs .* libvips-dev .* on disk\)$' /home/ben/said && try_says "Nothing was installed."
}

try_counts() {
    local counts
    counts=$(inside grep -oE '[0-9]+ days are here' /home/ben/said)
    [ -n "$counts" ] && sort -nc <<<"$counts"
}

# try_tells COMMAND WORDS: beside it.
try_tells() { as ben "$(try_commands | head -1); $1 --config $place/settings" 2>&1 | grep -qF "$2"; }

try_suggests_another() { local line; line=$(try_commands | grep ^ln) && [ "$line" != "$suggested" ]; }

# start_try OPTIONS [VARIABLE]
start_try() {
    as ben "rm -f said"
    as ben "cd '$package' && exec env ${2:-} systemd/try $1 >/home/ben/said 2>&1" &
    try_id=$!
    check "it starts" try_says "The mirror is in"
}

stop_try() {
    inside pkill -TERM -u ben -f systemd/try
    wait "$try_id"
    seen+=("ended")
}

try_says() { inside grep -qF -- "$1" /home/ben/said; }

try_answers() { inside curl -sf -m 5 -o /dev/null "$(inside sed -n 's/^Its gallery is at //p' /home/ben/said)/index.html"; }

# The lines that it tells, below "Now".
try_commands() { inside sed -n '/^Now, in/,/^$/ s/^  //p' /home/ben/said; }

try_status() { as ben "$(try_commands | head -1)
        apod-mirror status --json --config $place/settings" | jq -e "$1" >/dev/null; }

# try_asks HOST: by a command that remembers the mirror elsewhere than the person's own do.
try_asks() {
    as ben "$(try_commands | head -1); XDG_STATE_HOME=\$(mktemp -d) apod-mirror sync --config $place/settings 2>&1" |
        grep -qF "$1"
}
