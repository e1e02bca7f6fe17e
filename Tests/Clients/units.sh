# shellcheck shell=bash disable=SC1091,SC2016,SC2034,SC2154
# The units of systemd/examples, in a systemd that is really booted. The mirror runs outside, in the same folder.

. "$here/../Machine/box.sh"

# start_box FOLDER: what is /srv/apod there.
start_box() {
    toolchain=$(dirname "$(realpath "$(command -v swift)")")
    make_box && box_options+=(--bind="$1:/srv/apod") && boot && inside useradd --create-home --shell /bin/bash ann &&
        inside loginctl enable-linger ann || return 1
    rm -f "$root/usr/sbin/sendmail"
    printf '#!/bin/sh\ncat >>/home/ann/mails\n' >"$root/usr/sbin/sendmail" && chmod 755 "$root/usr/sbin/sendmail"
    eventually as ann 'test -S $XDG_RUNTIME_DIR/bus'
}

stop_box() {
    [ -n "${box:-}" ] || return 0
    local root=$box/root
    remove_box
    rm -rf --one-file-system "$box"
    box=
}

# As people do, except that nobody waits for the gallery here, and that these pictures are small.
install_examples() {
    as ann "mkdir -p ~/.config/systemd/user && cd ~/.config/systemd/user && cp '$examples'/apod-* . &&
        sed -i 's/sleep 60/sleep 5/; s/MIN_SIZE=[^ ]*/MIN_SIZE=640x480/' *.service && sed -i 's/=12:00/=2199-12-31/' *.timer &&
        systemctl --user enable --now apod-mail.path apod-wallpaper.path apod-stale.timer"
}

# mails SUBJECT…: all that came, from the first to the last.
mails() { [ "$(as ann 'cat mails' | sed -n 's/^Subject: \([-0-9N]*\).*/\1/p' | xargs)" = "$*" ]; }

# shows DATE: as the wallpaper.
shows() {
    as ann "$session gsettings get org.gnome.desktop.background picture-uri-dark" | grep -qF "/srv/apod/2019/$1"
}

client_units() {
    local tree=$place/tree root=$root session='DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus'
    get() { mirror sync --root "$tree" --since "$1" --until "$1" >&2; }
    once "systemd-analyze has nothing to say" silent env XDG_RUNTIME_DIR="$place" systemd-analyze --user verify \
        "$examples"/*.path "$examples"/*.timer "$examples"/*.service
    if ! get 2019-04-29 || ! start_box "$tree"; then
        seen+=("NOT to be booted")
        return 1
    fi
    once "all are started" install_examples
    check "the newest picture is mailed" mails 2019-04-29
    check "and the wallpaper" shows 04/2019-04-29
    once "a new picture" get 2019-04-30
    check "is mailed" mails 2019-04-29 2019-04-30
    check "and the wallpaper" shows 04/2019-04-30
    once "the timer's service" as ann "systemctl --user start apod-stale"
    once "tells that no picture came since" mails 2019-04-29 2019-04-30 N
    once "nothing has failed" silent as ann "systemctl --user --failed --no-legend"
    stop_box
}
