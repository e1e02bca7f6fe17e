# shellcheck shell=bash
# systemd/try, by a person without any rights, on a machine that knows no NASA.

case_try() {
    local place=/home/ben/try
    # The programs were built above.
    inside touch "$package"/.build/install/tried-apod-{mirror,stand-in}
    start_try "--root $place"
    once "it says what it shows" try_says "NASA does not answer: these days are invented"
    check "where the mirror is" try_says "The mirror is in $place"
    check "and the gallery, which answers" try_answers
    once "days come" within 60 try_says "Now, in another terminal:"
    check "a video that is a film" inside sh -c "ls $place/*/*/*.mp4"
    check "two skies that differ" inside sh -c "! cmp -s \$(ls $place/*/*/*.jpg | sed -n '1p;2p' | tr ' ' '?')"
    check "the commands that it tells do what they say" as ben "set -e; $(try_commands)"
    check "a link is a favorite" try_status ".favorites == 1"
    once "it tells so" within 20 try_says " came "
    as ben "rm $place/favorites/*"
    once "and that it went, too" within 20 try_says " went "
    check "its command makes the link again" as ben "$(try_commands | head -1)
        apod-mirror favorites restore --since 1h --config $place.settings"
    once "a correction comes" within 60 try_says "has another picture or video"
    once "and what was before, by the command that it tells" as ben "$(try_commands | head -1)
        $(inside grep -o 'apod-mirror revert [^\`]*' /home/ben/said)"
    stop_try
    once "it ends, and says how to go on and how to take it away" try_says "To take it away: rm -r $place"
    once "no program of it is left" fails inside pgrep -u ben "^apod-"
    once "what status then offers asks nobody but those who invented the days" try_asks 127.0.0.1
    start_try "--root $place"
    once "again, the gallery answers in 5 seconds" within 5 try_answers
    check "and the correction does not come twice" try_status ".days == 60 and .replaced == 1 and .favorites == 1"
    stop_try
    as ben "$(inside grep -o 'rm -r .*' /home/ben/said)"
    once "nothing is left of it" [ -z "$(inside find /home/ben -newer "$package/.build/install/tried-apod-mirror" -name '*apod*')" ]
    once "nor beside it" fails inside test -e $place.settings
    upstream --days 40 --skies 640x480
    start_try "--root $place" "APOD_MIRROR_UPSTREAM=$origin"
    once "where NASA answers, its days come" within 60 try_status ".days == 31 and .missing == 0"
    once "and none is invented" fails try_says invented
    stop_try
    once "a root that holds other things is left alone" fails as ben "cd '$package' && systemd/try --invented --root /home/ben"
}

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
        apod-mirror status --json --config $place.settings" | jq -e "$1" >/dev/null; }

# try_asks HOST: by a command that remembers the mirror elsewhere than the person's own do.
try_asks() {
    as ben "$(try_commands | head -1); XDG_STATE_HOME=\$(mktemp -d) apod-mirror sync --config $place.settings 2>&1" |
        grep -qF "$1"
}
