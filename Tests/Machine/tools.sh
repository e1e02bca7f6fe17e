# shellcheck shell=bash
# What the cases need beside the box: the programs, the upstream, and what the service says.

# prepare PRODUCT…: everything is built or installed before anything is tried.
prepare() {
    workshop machine || return 1
    toolchain=$(dirname "$(realpath "$(command -v swift)")")
    say "building"
    build_programs "$@"
}

clean_up() {
    remove_box 2>/dev/null
    rm -rf --one-file-system "$work"
}

# ann installs, ben is to have nothing to do with it.
make_people() {
    inside useradd --create-home --shell /bin/bash ann && inside useradd --create-home --shell /bin/bash ben || return 1
    echo "ann ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/ann"
    # Not all of it: what is given away is copied.
    inside sh -c 'chown ann: "$1" && chown -R ann: "$1/install" && rm -f "$1"/*.deb' sh "$package/.build"
    inside loginctl enable-linger ann
}

settings=/etc/apod-mirror.conf
units=/etc/systemd/system
origin=http://127.0.0.1:8080
# Today where NASA is, as the mirror takes it.
today() { TZ=EST5EDT,M3.2.0,M11.1.0 date +%F; }
newest=$(today)

# upstream OPTION…: a new one, with its own days, until today.
upstream() {
    newest=$(today)
    inside systemctl stop nasa 2>/dev/null
    inside systemd-run --quiet --collect --unit nasa "$package/.build/install/release/apod-stand-in" \
        --port "${origin##*:}" --newest "$newest" "$@" && eventually inside bash -c "true </dev/tcp/127.0.0.1/${origin##*:}"
}

# configure LINE…: the settings of the system service, with these.
configure() { printf '%s\n' "root = /srv/apod" "upstream = $origin" "rate = 0" "$@" >"$root$settings"; }

# adjust LINE…: goes into the unit, until the next case.
adjust() {
    mkdir -p "$root$units/apod-mirror.service.d"
    printf '%s\n' "[Service]" "RestartSec=100ms" "$@" >"$root$units/apod-mirror.service.d/test.conf"
    inside systemctl daemon-reload
}

# The service as after its first installation, on an empty folder, with an upstream of so many days of so many bytes.
begin() {
    inside systemctl stop apod-mirror
    inside systemctl reset-failed apod-mirror 2>/dev/null
    inside umount -q /srv/apod
    inside find /srv/apod /var/lib/apod-mirror -mindepth 1 -delete
    adjust
    mark=$(inside date +%s.%6N)
}

# reload_with LINE…: the settings change beside a service that runs.
reload_with() { configure "$@" && inside systemctl reload apod-mirror; }

# is_empty FOLDER
is_empty() { silent inside ls -A "$1"; }

# begin_with DAYS [SETTING…]: and with so many days of 20 KB, which the service fetches.
begin_with() {
    begin
    upstream --days "$1" --bytes 20000 && configure "${@:2}" && inside systemctl start apod-mirror
}

# begin_whole DAYS: until all are there.
begin_whole() {
    begin_with "$1"
    check "all is there" has_days "$1"
}

# refused PERSON COMMAND WORDS: it fails, and says them.
refused() { fails as "$1" "$2 >said 2>&1" && grep -qF -- "$3" "$root/home/$1/said"; }

days_back() { date -u -d "$newest $1 days ago" +%F; }

# property NAME: of the service.
property() { inside systemctl show apod-mirror --property "$1" --value; }

is() { [ "$(property "$1")" = "$2" ]; }

# said TEXT: in the journal, since the case began.
said() { journal | grep -qF -- "$1"; }

journal() { inside journalctl --quiet --unit apod-mirror --since "@$mark" --output cat "$@"; }

# entry EVENT: the last of this kind.
entry() { inside journalctl --quiet --since "@$mark" --output json --lines 1 "APOD_EVENT=$1"; }

# jq finds nothing wrong with nothing.
status() {
    local json
    json=$(inside apod-mirror status --json)
    [ -n "$json" ] && jq -e "$1" <<<"$json" >/dev/null
}

has_days() { status ".days == $1"; }

whole() { inside apod-mirror verify >/dev/null; }

# restarted TIMES: by systemd itself.
restarted() { [ "$(property NRestarts)" -ge "$1" ] && is ActiveState active; }

is_not() { ! is "$@"; }

fails() { ! "$@" 2>/dev/null; }
