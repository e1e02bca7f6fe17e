# What all clients need: programs, processes and the time.

failed=no

say() { echo "$*" >&2; }

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
        need thunar thunar && need import imagemagick || return 1
    say "building"
    swift build --package-path "$package" -c release --product benchmark-upstream >&2 || return 1
    upstream_program=$build/release/benchmark-upstream
    mirror_program=${APOD_MIRROR:-$build/release/apod-mirror}
    [ -n "${APOD_MIRROR:-}" ] || swift build --package-path "$package" -c release --product apod-mirror >&2
}

clean_up() {
    end
    rm -rf --one-file-system "$work"
}

need() {
    command -v "$1" >/dev/null && return
    say "installing $2"
    # Debian's packages would start their services.
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 timeout 300 apt-get install -y -q --no-install-recommends "$2" >&2
    command -v "$1" >/dev/null || { say "$2 cannot be had"; return 1; }
}

# eventually COMMAND…: succeeds as soon as the command does, within 20 seconds.
eventually() {
    local deadline=$((SECONDS + 20))
    until "$@"; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.05
    done 2>/dev/null
}

# stop ID: ends a process that was started here, and waits for it.
stop() {
    [ -n "${1:-}" ] || return 0
    kill "$1" 2>/dev/null
    eventually is_gone "$1" || kill -9 "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}

is_gone() { [ ! -e "/proc/$1" ] || [ "$(cut -d' ' -f3 "/proc/$1/stat")" = Z ]; }

# check WHAT COMMAND…: what it is that should become true.
check() {
    local what=$1
    shift
    if eventually "$@"; then
        seen+=("$what")
    else
        seen+=("NOT $what")
        return 1
    fi
}

tell() {
    local IFS=';' result=ok
    [ "$2" = 0 ] && [[ ${seen[*]-} != *NOT\ * ]] || { result=FAILED; failed=yes; }
    printf '%-12s %-6s %s\n' "$1" $result "$(sed 's/;/; /g' <<<"${seen[*]-}")"
}
