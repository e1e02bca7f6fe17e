# What the rows need: programs, a clock and the table.

complete=yes
table=()
# Today where NASA is, as the mirror takes it (POSIX rule: no time zone files are needed).
newest=$(TZ=EST5EDT,M3.2.0,M11.1.0 date +%F)

# How much the rows take, and how often: with --once, as little as shows that they work.
choose_sizes() {
    many=11422 days=400 large_bytes=300000000 verified=2000 items=${APOD_MIRROR_ITEMS:-1000}
    favored=2000 links=1000 burst=100000 idle_seconds=60 settle_seconds=10 quiet_fifths=30 ago=260
    sky="4000 3000" skies=10 copied=20 browsers=5 copied_skies=24 load_seconds=3 connections=1000
    [ -n "$once" ] || return 0
    many=40 days=4 large_bytes=100000 verified=4 items=4
    favored=20 links=20 burst=100 idle_seconds=1 settle_seconds=0 quiet_fifths=6 ago=270
    sky="400 300" skies=2 copied=1 browsers=1 copied_skies=2 load_seconds=1 connections=10
}

# rounds COUNT: a word for each.
rounds() { [ -n "$once" ] && echo 1 || seq "$1"; }

# take ROW
take() {
    # What a row that fails needs and this machine lacks.
    lacking=
    "row_${1//-/_}" && return
    if [ -n "$once" ] && [ -n "$lacking" ]; then
        say "$1: left out, as $lacking is not installed"
    else
        say "$1: could not be measured${lacking:+, as $lacking is not installed}"
        complete=no
    fi
}

# has PROGRAM…: sets lacking.
has() {
    for lacking; do command -v "$lacking" >/dev/null || return 1; done
    lacking=
}

# Everything is built or installed before anything is measured.
prepare() {
    workshop benchmarks || return 1
    # What the mirror remembers of its roots is nobody else's matter.
    export XDG_STATE_HOME=$work/state
    # What is made of the pictures has rows of its own.
    export APOD_MIRROR_GALLERY=no APOD_MIRROR_THUMBNAILS=no
    PATH=$PATH:/usr/sbin
    local each
    for each in curl:curl strace:strace /usr/bin/time:time wrk:wrk faketime:faketime column:bsdextrautils vipsthumbnail:libvips-tools \
        chromium:chromium nginx:nginx-light; do
        [ -n "$once" ] || need "${each%:*}" "${each#*:}" || say "rows that need it will be missing"
    done
    [ -n "$once" ] || "$package/Tests/prepare" >&2 || return 1
    mirror_program=$(realpath -m "${APOD_MIRROR:-$build/install/release/apod-mirror}")
    server_program=$(dirname "$mirror_program")/apod-server
    upstream_program=$(dirname "$mirror_program")/apod-stand-in
    [ -z "${APOD_MIRROR:-}" ] || return 0
    say "building"
    build_programs apod-mirror apod-thumbnailer apod-server apod-stand-in
}

clean_up() {
    stop service web upstream nginx
    rm -rf "$work"
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
    declare -n list=$name
    list+=("$(compute "$end - $start" %.6f)")
}

# often COUNT COMMAND…: the median of its times, in ms.
often() {
    local times=() i
    for i in $(rounds "$1"); do measure times "${@:2}" || return 1; done
    compute "$(median "${times[@]}") * 1000" %.1f
}

# take_turns TIMES: take_ours and take_peer each time, the one first that was last.
take_turns() {
    local i
    for i in $(rounds "$1"); do
        if ((i % 2)); then take_peer && take_ours; else take_ours && take_peer; fi || return 1
    done
}

# megabytes FILE WORDS: the KB in the line of these words.
megabytes() { compute "$(awk -F': *' -v words="$2" 'index($0, words) { print $2 + 0 }' "$1") / 1024" %.1f; }

compute() { awk "BEGIN { printf \"${2:-%.3f}\", $1 }"; }

median() {
    printf '%s\n' "$@" | sort -g |
        awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

worst() { printf '%s\n' "$@" | sort -g | tail -n 1; }

# ratios "A…" "B…": the median of what each pair gives.
ratios() {
    local -a a=($1) b=($2) r=()
    for i in "${!a[@]}"; do r+=("$(compute "${a[i]} / ${b[i]}" %.6f)"); done
    median "${r[@]}"
}

# report WORK MEASURE OURS PEER VALUE GOAL: the value is what the goal is about; it may not be more, or with >GOAL not less.
report() {
    local ok=yes sign='<=' goal=${6#>}
    [ "$goal" = "$6" ] || sign='>='
    [ "$(compute "($5 $sign $goal)" %d)" = 1 ] || ok=missed
    table+=("$1|$2|$3|$4|$5|$(sed 's/<=/≤/; s/>=/≥/' <<<"$sign") $goal|$ok")
}

# report_own WORK MEASURE VALUE GOAL: beside nothing.
report_own() { report "$1" "$2" "$3" - "$3" "$4"; }

print_table() {
    [ ${#table[@]} -gt 0 ] || return
    printf '%s\n' 'work|measure|ours|peer|ratio|goal|ok' "${table[@]}" | sed 's/|/ | /g' | column -t -s '|' -o '|'
}
