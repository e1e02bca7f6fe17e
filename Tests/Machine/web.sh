# shellcheck shell=bash
# The mirror on the web: started by the first request, without rights, and gone when nobody asks.

web=http://127.0.0.1:8095

web_is() { [ "$(inside systemctl show apod-mirror-web.service --property "$1" --value)" = "$2" ]; }

web_process() { inside systemctl show apod-mirror-web.service --property MainPID --value; }

# in_web COMMAND…: where it runs, as it.
in_web() {
    local process
    process=$(web_process)
    [ "${process:-0}" != 0 ] && inside nsenter -m -t "$process" \
        setpriv --reuid "$(inside stat -c %u "/proc/$process")" --clear-groups "$@"
}

# is_sized PATH SIZE
is_sized() {
    local picture=$work/sized.jpg
    inside curl -s -m 30 "$web/$1" >"$picture"
    [ "$(vipsheader -f width "$picture")x$(vipsheader -f height "$picture")" = "$2" ]
}

web_may_write_in() {
    local words
    words=$(in_web find / -xdev -maxdepth 4 -type d -writable -print -prune 2>/dev/null | sort | xargs)
    [ "$words" = "$1" ] || { echo "it may write in $words" >&2; return 1; }
}

# named NAME WORDS: what is answered by that name.
named() { inside curl -s -m 10 -H "Host: $1:8095" "$web/health" | grep -qF -- "$2"; }

# answered STATUS OPTION…
answered() { [ "$(inside curl -s -o /dev/null -m 10 -w '%{http_code}' "${@:2}")" = "$1" ]; }

# answers PATH
answers() { answered 200 "$web$1"; }

# heart STATUS: what a heart of the newest day is answered with.
heart() { answered "$1" -X POST -H "X-APOD-Favorite: add" "$web/favorites/$newest"; }

case_web() {
    begin_whole 3
    check "and published" is_published
    once "systemd-analyze verify is silent" silent inside systemd-analyze verify apod-mirror-web.socket apod-mirror-web.service
    once "which listens on this machine alone" [ "$(as ann "sed -n 's/^ListenStream=//p' /usr/lib/systemd/user/apod-mirror-web.socket")" = 127.0.0.1:8095 ]
    once "its exposure is 0.5 at most" inside systemd-analyze security --no-pager --threshold=5 apod-mirror-web.service
    once "the web is off" fails answers /
    once "one command switches it on" inside systemctl enable --quiet --now apod-mirror-web.socket
    once "and nothing runs for it" web_is ActiveState inactive
    once "the first request is answered" answers /planetary/apod
    once "so is one in the size of a frame" is_sized "latest.jpg?width=320&height=200" 320x200
    inside ip addr add 203.0.113.1 dev lo
    once "it lets in nobody from a public network" fails inside curl -s -o /dev/null -m 10 http://203.0.113.1:8095/health
    inside ip addr del 203.0.113.1/32 dev lo
    once "it can be looked at" in_web true
    once "it has a user of its own" fails in_web cat /srv/apod/.apod-mirror/catalog.sqlite
    once "it may write nowhere" web_may_write_in ""
    once "and sees nothing of the service" fails in_web ls /run/apod-mirror/control
    once "it has a network of its own" [ "$(inside readlink "/proc/$(web_process)/ns/net")" != "$(inside readlink /proc/1/ns/net)" ]
    check "a heart changes nothing" heart 403
    once "with a setting" reload_with "web-favorites = yes"
    check "it makes a favorite" heart 200
    check "in the folder" status ".favorites == 1"
    once "a further name is not known" named nas.lan "write \`web-names = nas.lan\` into /etc/apod-mirror.conf, then \`sudo systemctl reload apod-mirror\`"
    once "with a setting" reload_with "web-names = nas.lan"
    check "it is" named nas.lan '"ok"'
    check "and a heart changes nothing again" heart 403
    once "the service is restarted" inside systemctl restart apod-mirror
    once "and it answers" answers /latest.json
    once "the service is stopped" inside systemctl stop apod-mirror
    once "which ends it, too" web_is ActiveState inactive
    once "the next request starts it" answers /latest.json
    mkdir -p "$root$units/apod-mirror-web.service.d"
    printf '%s\n' "[Service]" "ExecStart=" "ExecStart=/usr/libexec/apod-mirror/apod-server /srv/apod --idle 1" \
        >"$root$units/apod-mirror-web.service.d/test.conf"
    inside systemctl daemon-reload && inside systemctl stop apod-mirror-web.service
    once "with a second of patience it answers" answers /latest.json
    check "and is gone when nobody asks" web_is ActiveState inactive
    once "and comes again, ten times" asked_often
    rm -r "$root$units/apod-mirror-web.service.d"
    inside systemctl daemon-reload
    inside systemctl disable --quiet --now apod-mirror-web.socket && inside systemctl stop apod-mirror-web.service
}

# With pauses about as long as its patience: some requests meet it while it leaves.
asked_often() {
    local more
    for more in {00..27..3}; do
        answers /latest.json || return 1
        sleep "1.$more"
    done
}
