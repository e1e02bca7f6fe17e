# shellcheck shell=bash
# What the tests need that shells run: programs, processes, the time, and what was seen.

failed=no failures=0

say() { echo "$*" >&2; }

# need COMMAND PACKAGE
need() {
    command -v "$1" >/dev/null && return
    install_package "$2"
    command -v "$1" >/dev/null || { say "$2 cannot be had"; return 1; }
}

# workshop NAME: sets build, and work to a folder of this run's own below it, which `clean_up` empties whatever happens.
workshop() {
    build=$package/.build
    mkdir -p "$build/$1" && work=$(mktemp -d "$build/$1/run-XXXXXX") || return 1
    trap clean_up EXIT
    trap 'exit 1' INT TERM
}

# quietly COMMAND…: what it says is told only when it fails.
quietly() { "$@" >"$work/said" 2>&1 || { say "failed: $*: $(tail -5 "$work/said")"; return 1; }; }

install_package() {
    say "installing $1"
    # Debian's packages would start their services.
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 timeout 300 apt-get install -y -q --no-install-recommends "$1" >&2
}

# eventually COMMAND…: succeeds as soon as the command does, within `limit` seconds.
eventually() {
    local deadline=$((SECONDS + ${limit:-30}))
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
    if eventually "$@" >/dev/null; then seen+=("$what"); else miss "$what"; fi
}

# once WHAT COMMAND…: the same for what is to be so at once, or must not be done again.
once() {
    local what=$1
    shift
    if "$@" >/dev/null; then seen+=("$what"); else miss "$what"; fi
}

miss() {
    seen+=("NOT $1")
    return 1
}

tell() {
    local IFS=';' result=ok
    [ "$2" = 0 ] && [[ ${seen[*]-} != *NOT\ * ]] || { result=FAILED; failed=yes; failures=$((failures + 1)); }
    printf '%-15s %-6s %s\n' "$1" $result "$(sed 's/;/; /g' <<<"${seen[*]-}")"
}

# silent COMMAND…: it succeeds, and prints nothing.
silent() {
    local words
    words=$("$@" 2>&1) && [ -z "$words" ]
}
