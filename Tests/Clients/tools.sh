# What all clients need: programs, processes and the time.

# Everything is built or installed before anything is tried.
prepare() {
    local build=$package/.build
    [ "$(id -u)" = 0 ] || { say "only root can mount folders and be other people"; return 1; }
    mkdir -p "$build/clients" && work=$(mktemp -d "$build/clients/run-XXXXXX") || return 1
    chmod 755 "$work"
    trap clean_up EXIT
    trap 'exit 1' INT TERM
    "$package/Tests/prepare" || return 1
    need jq jq && need sshfs sshfs && need sftp openssh-client &&
        need /usr/lib/openssh/sftp-server openssh-sftp-server && need smbd samba && need smbclient smbclient &&
        need Xvfb xvfb && need xdotool xdotool && need openbox openbox && need dbus-run-session dbus-daemon &&
        need thunar thunar && need import imagemagick && prepare_examples &&
        prepare_photos && prepare_web || return 1
    mirror_program=${APOD_MIRROR:-$build/install/release/apod-mirror}
    [ -n "${APOD_MIRROR:-}" ] || build_programs apod-mirror apod-stand-in apod-thumbnailer apod-server || return
    upstream_program=$(dirname "$mirror_program")/apod-stand-in
}

# What a client has started, to be ended with it: after `&`, it says `ends`.
background=()
ends() { background+=($!); }

stop_background() {
    local at
    for ((at = ${#background[@]} - 1; at >= 0; at--)); do stop "${background[at]}"; done
    background=()
}

# An ordinary person.
person=(setpriv --reuid nobody --regid nogroup --clear-groups)

free_port() { echo $((20000 + RANDOM % 20000)); }

# start_screen: one that nobody sees; sets DISPLAY.
start_screen() {
    export DISPLAY=:$((100 + RANDOM % 400))
    Xvfb "$DISPLAY" -screen 0 1200x800x24 -nolisten tcp >/dev/null 2>&1 &
    ends
    eventually xdotool getdisplaygeometry >/dev/null
}

clean_up() {
    end
    rm -rf --one-file-system "$work"
}
