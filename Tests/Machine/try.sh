# shellcheck shell=bash
# systemd/try, by a person without any rights, on a machine that knows no NASA.

case_try() {
    local place=/home/ben/try
    once "a folder with other things is refused" refused ben "'$package/systemd/try' --root ~" "has other things in it. Name an empty folder: --root DIR"
    # Nobody has tried it here.
    inside find "$package/.build/install" -maxdepth 1 -name 'tried-*' -delete
    # The programs were built above.
    inside touch "$package"/.build/install/tried-apod-{mirror,stand-in}
    as ben "echo mine >letter; ln -s letter try.settings"
    start_try "--root $place --days 31"
    once "it says what it shows" try_says "NASA does not answer: these days are invented"
    check "where the mirror is" try_says "The mirror is in $place/APOD"
    check "and the gallery, which answers" try_answers
    limit=240 check "days come" try_says "Now, in another terminal:"
    check "a video that is a film" inside sh -c "ls $place/APOD/*/*/*.mp4"
    check "cats and their cover come, but for one cat" try_status '.lists[0] | .pictures == 12 and .failed == 1 and .failing and .why'
    once "and are in the gallery" grep -q cats "$root$place/APOD/index.html"
    check "the commands that it tells do what they say" as ben "set -e; $(try_commands)"
    check "a link is a favorite" try_status ".favorites == 1"
    check "it tells so" try_says " came "
    as ben "rm $place/APOD/favorites/*"
    check "and that it went, too" try_says " went "
    once "each once" [ "$(inside grep -cE '  (came|went)  ' /home/ben/said)" = 2 ]
    check "its command makes the link again" as ben "$(try_commands | head -1)
        apod-mirror favorites restore --since 1h --config $place/settings"
    limit=60 check "a correction comes" try_says "has another picture or video"
    once "and what was before, by the command that it tells" as ben "$(try_commands | head -1)
        $(inside grep -o 'apod-mirror revert [^\`]*' /home/ben/said)"
    stop_try
    once "it ends, and says how to go on and how to take it away" try_says "To take it away: rm -r $place"
    start_try "--root $place --days 31"
    limit=5 check "again, the gallery answers in 5 seconds" try_answers
    check "and the correction does not come twice" try_status ".days == 31 and .replaced == 1 and .favorites == 1"
    stop_try
    as ben "$(inside grep -o 'rm -r .*' /home/ben/said)"
    once "nothing is left of it" [ -z "$(inside find /home/ben -newer "$package/.build/install/tried-apod-mirror" -name '*apod*')" ]
    once "what was beside it is as it was" [ "$(as ben 'readlink try.settings; cat letter')" = $'letter\nmine' ]
    upstream --days 40 --skies 640x480
    start_try "--root $place" "APOD_MIRROR_UPSTREAM=$origin"
    limit=60 check "where NASA answers, its days come" try_status ".days == 31 and .missing == 0"
    once "and none is invented" fails try_says invented
    stop_try
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
        apod-mirror status --json --config $place/settings" | jq -e "$1" >/dev/null; }
