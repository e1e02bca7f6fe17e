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
    local each
    for each in jq:jq sshfs:sshfs /usr/lib/openssh/sftp-server:openssh-sftp-server smbd:samba smbclient:smbclient \
        Xvfb:xvfb xdotool:xdotool openbox:openbox dbus-run-session:dbus-daemon thunar:thunar import:imagemagick; do
        need "${each%:*}" "${each#*:}" || return 1
    done
    prepare_examples && prepare_web || return 1
    mirror_program=${APOD_MIRROR:-$build/install/release/apod-mirror}
    [ -n "${APOD_MIRROR:-}" ] || build_programs apod-mirror apod-stand-in apod-thumbnailer apod-server || return
    upstream_program=$(dirname "$mirror_program")/apod-stand-in
}

# need_python FOLDER MODULES PACKAGE…: in an environment of its own.
need_python() {
    "$1/bin/python" -c "import $2" 2>/dev/null && return
    [ -d /usr/share/doc/python3-venv ] || install_package python3-venv
    /usr/bin/python3 -m venv "$1" && timeout 300 "$1/bin/pip" install -q "${@:3}" >&2 || { say "$2 cannot be had"; return 1; }
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
