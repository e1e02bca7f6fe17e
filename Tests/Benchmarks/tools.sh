# What the rows need: programs, a clock and the table.

complete=yes
table=()
# Today where NASA is, as the mirror takes it (POSIX rule: no time zone files are needed).
newest=$(TZ=EST5EDT,M3.2.0,M11.1.0 date +%F)

say() { echo "$*" >&2; }

# Everything is built or installed before anything is measured.
prepare() {
    local build=$package/.build
    mkdir -p "$build/benchmarks" && work=$(mktemp -d "$build/benchmarks/run-XXXXXX") || return 1
    # What the mirror remembers of its roots is nobody else's matter.
    export XDG_STATE_HOME=$work/state
    # What is made of the pictures has rows of its own.
    export APOD_MIRROR_GALLERY=no APOD_MIRROR_THUMBNAILS=no
    trap clean_up EXIT
    trap 'exit 1' INT TERM
    need curl curl && need strace strace
    [ -x /usr/bin/time ] || install time
    need python3 python3 && need sqlite3 sqlite3 && need watchman watchman && need wrk wrk
    need column bsdextrautils && need vipsthumbnail libvips-tools && need chromium chromium
    "$package/Tests/prepare" >&2 || return 1
    find_nginx "$build/benchmarks" || { say "nginx cannot be had"; return 1; }
    say "building"
    swift build --package-path "$package" -c release --product apod-stand-in >&2 || return 1
    upstream_program=$build/release/apod-stand-in
    mirror_program=${APOD_MIRROR:-$build/release/apod-mirror}
    static_program=${APOD_MIRROR:-$build/install/release/apod-mirror}
    server_program=$build/install/release/apod-server
    favorites_program=$build/benchmarks/favorites
    compile "$here/Favorites/favorites.c" "$favorites_program" || return 1
    [ -n "${APOD_MIRROR:-}" ] || build_mirror
}

build_mirror() {
    swift build --package-path "$package" -c release >&2 || return 1
    # As it is installed.
    [[ " $chosen " =~ \ (idle|ready|rest|daily|defaults|web|web-memory|web-start|chain)\  ]] || return 0
    for product in apod-mirror apod-thumbnailer apod-server; do
        swift build --package-path "$package" -c release --static-swift-stdlib --scratch-path "$build/install" \
            --product $product >&2 || return 1
    done
}

# compile SOURCE PROGRAM LIBRARY…
compile() {
    local compiler
    compiler=$(command -v cc || command -v clang) || compiler=$(dirname "$(realpath "$(command -v swift)")")/clang
    "$compiler" -O2 -Wall -Wextra -o "$2" "$1" "${@:3}" >&2
}

clean_up() {
    stop_service
    stop_web
    stop_upstream
    stop_nginx
    rm -rf "$work"
}

need() { command -v "$1" >/dev/null || install "$2"; }

install() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    say "installing $*"
    DEBIAN_FRONTEND=noninteractive timeout 300 $sudo apt-get install -y -q "$@" >&2 ||
        say "cannot install $*: rows that need it will be missing"
}

# measure NAME COMMAND…: appends the seconds it took to NAME; fails when the command does.
# What others left to be written is written first: whoever syncs would pay for it.
measure() {
    local name=$1 start end
    shift
    bounded sync -f "$work"
    start=$EPOCHREALTIME
    quietly "$@" || return 1
    end=$EPOCHREALTIME
    eval "$name+=(\$(awk \"BEGIN { printf \\\"%.6f\\\", $end - $start }\"))"
}

# quietly COMMAND…: what it says is told only when it fails.
quietly() { "$@" >"$work/said" 2>&1 || { say "failed: $*: $(tail -3 "$work/said")"; return 1; }; }

compute() { awk "BEGIN { printf \"${2:-%.3f}\", $1 }"; }

median() {
    printf '%s\n' "$@" | sort -g |
        awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

# ratios "A…" "B…": the median of what each pair gives.
ratios() {
    local -a a=($1) b=($2) r=()
    for i in "${!a[@]}"; do r+=("$(compute "${a[i]} / ${b[i]}" %.6f)"); done
    median "${r[@]}"
}

# report WORK MEASURE OURS PEER VALUE GOAL: the value is what the goal is about.
report() {
    local ok=yes
    [ "$(compute "$5 <= $6" %d)" = 1 ] || ok=missed
    table+=("$1|$2|$3|$4|$5|≤ $6|$ok")
}

# report_least WORK MEASURE OURS PEER VALUE GOAL
report_least() {
    local ok=yes
    [ "$(compute "($5 >= $6)" %d)" = 1 ] || ok=missed
    table+=("$1|$2|$3|$4|$(compute "$5")|≥ $6|$ok")
}

print_table() {
    [ ${#table[@]} -gt 0 ] || return
    printf '%s\n' 'work|measure|ours|peer|ratio|goal|ok' "${table[@]}" | sed 's/|/ | /g' | column -t -s '|' -o '|'
}
