# shellcheck shell=bash
# What systemd and the service have to do with each other.

# The entry in which it says that it watches comes before it is ready.
case_ready() {
    once "start returns" begin_with 3 || return 1
    check "and it is active" is ActiveState active
    check "its status line tells of the newest day" status_tells "newest day $newest; next refresh"
    check "ready is told" has_fields ready '.PRIORITY == "5" and (.MESSAGE | contains("/srv/apod"))'
    check "an entry for a day has its field" has_fields mirrored '.PRIORITY == "6" and (.APOD_DAY | test("^[0-9-]{10}$"))'
    check "each picture has its smaller copies" has_copies 6
    check "the pages show them" shows_copies 3
    once "there is nothing left to make" status ".without_thumbnails == 0"
    once "nothing that decodes is left" fails inside pgrep -f libexec/apod-mirror
    reload_with "gallery = no"
    check "they go when they are not wanted" [ ! -e "$root/srv/apod/gallery" -a ! -e "$root/srv/apod/index.html" ]
    adjust "ExecStart=" "ExecStart=sleep infinity" "TimeoutStartSec=2s" "Restart=no"
    once "what does not say that it is ready is never active" fails inside systemctl restart apod-mirror
}

status_tells() { property StatusText | grep -qF -- "$1"; }

has_fields() { [ "$(entry "$1" | jq "$2")" = true ]; }

has_copies() { [ "$(inside find /srv/apod/gallery -name '20*-480.webp' -o -name '20*-1280.jpg' | wc -l)" = "$1" ]; }
shows_copies() { [ "$(inside sh -c 'grep -oh "\"copies\":1" /srv/apod/gallery/data/*.js' | wc -l)" = "$1" ]; }

case_reload() {
    local before
    begin_with 20 "since = $(days_back 4)"
    check "5 days are there" has_days 5
    before=$(property MainPID)
    once "it is reloaded" reload_with "since = $(days_back 19)"
    check "all 20 are fetched" has_days 20
    check "by the same process" is MainPID "$before"
    check "the journal tells" has_fields reloaded '.MESSAGE | contains("/srv/apod")'
    once "with another root, it is not" fails reload_with "root = /data/none"
    check "the journal tells what to do" said "$settings:4: a reload does not change \`root\`; instead, \`sudo systemctl"
    once "nor with a fault" fails reload_with "since = yesterday"
    check "the journal tells which" said "$settings:4: “yesterday”"
    check "it goes on" is MainPID "$before"
    check "and still watches" becomes_favorite "$(latest)" here
    once "started with a fault, it fails" fails inside systemctl restart apod-mirror
    check "and it is not tried again" is NRestarts 0
}

latest() { inside readlink /srv/apod/latest; }

# becomes_favorite PICTURE NAME
becomes_favorite() {
    inside ln -s "../$1" "/srv/apod/favorites/$2" && eventually has_favorite "$2"
}

has_favorite() { inside apod-mirror favorites list --json | jq -e "[.[].links[]] | index(\"$1\")" >/dev/null; }

case_watchdog() {
    begin
    adjust WatchdogSec=4s
    upstream --days 10 --bytes 20000 && configure
    inside systemctl start apod-mirror
    check "all is there" has_days 10
    once "after 5 s it has not been killed" stays_up 5
    inside systemctl kill --kill-whom main --signal STOP apod-mirror
    check "one that hangs is killed and started again" restarted 1
    check "because of the watchdog" said_systemd "watchdog"
    once "nothing is lost" whole
}

stays_up() {
    sleep "$1"
    is NRestarts 0 && is ActiveState active
}

# What systemd itself says of it.
said_systemd() { inside journalctl --quiet --since "@$mark" --output cat UNIT=apod-mirror.service | grep -qi -- "$1"; }

case_power() {
    begin
    upstream --days 60 --bytes 200000 --delay 250 && configure "since = $(days_back 59)"
    inside systemctl start apod-mirror
    check "the backfill is on its way" status '.days >= 35 and .days < 55' || return 1
    cut_power
    boot || { seen+=("NOT booted again"); return 1; }
    check "after a power cut it starts by itself" is ActiveState active
    check "some days are missing" status '.days < 60'
    once "verify finds the others whole" whole
    upstream --days 60 --bytes 200000 && inside systemctl reload-or-restart apod-mirror
    check "all 60 days are fetched" has_days 60
    once "verify finds all whole" whole
}

case_stop() {
    local size=300000000 start
    begin
    upstream --days 1 --bytes $size --stall-after 100000000 --log /tmp/asked && configure "since = $newest"
    inside systemctl start apod-mirror
    check "100 MB of 300 MB have come" has_unfinished 99000000 || return 1
    start=${EPOCHREALTIME/./}
    inside systemctl stop apod-mirror
    start=$(((${EPOCHREALTIME/./} - start) / 1000))
    once "stop returns within 1 s, after $start ms" [ $start -lt 1000 ]
    check "without a kill" is Result success
    inside systemctl start apod-mirror
    check "the picture goes on where it was" inside grep -E 'bytes=[0-9]{8,}-' /tmp/asked
    check "and is whole" status ".bytes >= $size"
}

has_unfinished() { [ "$(inside find /srv/apod/.apod-mirror/unfinished -type f -size +"$1"c | wc -l)" = 1 ]; }

# The machine's certificates, and its names, can be read from inside. The server answers with pages, not with JSON.
case_https() {
    local place=$work/https address=https://nasa.example:8443
    mkdir -p "$place" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=nasa.example \
        -addext subjectAltName=DNS:nasa.example -keyout "$place/key" -out "$place/certificate" 2>/dev/null || return 1
    cp -r "$place" "$root/root/https"
    echo 127.0.0.1 nasa.example >>"$root/etc/hosts"
    inside systemd-run --quiet --collect --unit https --working-directory /root/https \
        openssl s_server -accept 8443 -cert certificate -key key -www
    begin
    configure "upstream = $address" && inside systemctl start apod-mirror
    check "a server whose certificate nobody knows is refused" said "certificate"
    once "and not listened to" fails said "not JSON"
    cat "$place/certificate" >>"$root/etc/ssl/certs/ca-certificates.crt"
    begin
    inside systemctl start apod-mirror
    check "one whose certificate the machine knows is" said "not JSON"
    inside systemctl stop https
}

# The service publishes what it has for others a moment after it has it.
is_published() {
    [ -e "$root/srv/apod/index.html" ] && grep -q "$newest" "$root/srv/apod/.apod-mirror/days/${newest%%-*}.json"
}
