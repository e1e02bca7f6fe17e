# The mirror on the web, beside nginx with static files of the same size.

day_after() { date -u -d "$1 + $2 days" +%F; }

# start_web ROOT: sets web to its origin.
start_web() {
    stop web
    at_port web "$1" && web=http://127.0.0.1:$port
}

begin_web() { exec "$server_program" "$1" --listen "127.0.0.1:$port"; }
is_web() { curl -sf --noproxy '*' -o "$work/null" "http://127.0.0.1:$port/health"; }

# load URL [HEADER]: requests a second. None may fail.
load() {
    bounded wrk -t 1 -c 16 -d $load_seconds ${2:+-H "$2"} "$1" >"$work/wrk" 2>&1 && ! grep -q "Non-2xx\|Socket errors" "$work/wrk" ||
        { say "wrk: $(tail -4 "$work/wrk")"; return 1; }
    awk '/^Requests\/sec/ { print $2 }' "$work/wrk"
}

# beside_nginx WORK PATH STATIC-PATH GOAL [HEADER]: pairs, the one first that was last.
beside_nginx() {
    local mine=() theirs=() ours=$web/$2 peer=$pictures/$3 header=${5:-} theirs_header
    # nginx has a tag of its own.
    theirs_header=${header:+If-None-Match: $(curl -sI --noproxy '*' "$pictures/$3" | sed -n 's/^ETag: \(.*\)\r/\1/p')}
    take_ours() { mine+=("$(load "$ours" "$header")"); }
    take_peer() { theirs+=("$(load "$peer" "$theirs_header")"); }
    take_turns 3 || return 1
    report "$1" "requests a second" "$(median "${mine[@]}")" "$(median "${theirs[@]}") nginx" \
        "$(compute "$(ratios "${mine[*]}" "${theirs[*]}")")" ">$4"
}

row_web() {
    local tag day month
    has wrk && mirror_many && start_web "$work/many" && mkdir -p "$work/static" && start_nginx "$work/static" || return 1
    day="date=$(day_after "$oldest" 15)" month="start_date=$oldest&end_date=$(day_after "$oldest" 30)"
    curl -sf --noproxy '*' -o "$work/static/day.json" "$web/planetary/apod?$day" &&
        curl -sf --noproxy '*' -o "$work/static/month.json" "$web/planetary/apod?$month" || return 1
    tag=$(curl -sI --noproxy '*' "$web/planetary/apod?$day" | sed -n 's/^ETag: \(.*\)\r/\1/p')
    beside_nginx "v1, one day" "planetary/apod?$day" day.json 0.15 &&
        beside_nginx "the same, not changed" "planetary/apod?$day" day.json 0.2 "If-None-Match: $tag" &&
        beside_nginx "v1, a month" "planetary/apod?$month" month.json 0.1 || return 1
    web_files
}

# Pictures of 500 KB, and a file of 30 MB.
web_files() {
    local path
    serve 3 500000 && quietly sync_all "$work/web-pictures" || return 1
    path=$(cd "$work/web-pictures" && readlink latest)
    beside_file "pictures of 500 KB" "$work/web-pictures" "$path" 0.28 || return 1
    serve 2 30000000 && quietly sync_all "$work/web-large" || return 1
    path=$(cd "$work/web-large" && readlink latest)
    beside_file "pictures of 30 MB" "$work/web-large" "$path" 0.9
}

# beside_file WORK ROOT PATH GOAL
beside_file() {
    start_web "$2" && start_nginx "$2" && beside_nginx "$1" "${3// /%20}" "${3// /%20}" "$4"
}

row_web_memory() {
    mirror_many && start_web "$work/many" && bounded python3 "$here/visitors.py" "$web" "$oldest" $connections || return 1
    report_own "$connections connections" "peak memory, MB" "$(megabytes "/proc/$web_id/status" VmHWM)" 40
}

# From systemd's start of the program to the first byte of an answer.
row_web_start() {
    local times=()
    mirror_many || return 1
    for _ in $(rounds 10); do
        times+=("$(bounded python3 "$here/activation.py" "$server_program" "$work/many")") || return 1
    done
    report_own "web, activated, $many days" "first byte, ms" "$(median "${times[@]}")" 60
}

# The same days from a mirror, and from NASA's server with nginx for its pictures.
row_chain() {
    local mine=() theirs=() from
    serve $days 500000 && quietly sync_all "$work/first" && start_web "$work/first" || return 1
    from=$upstream
    take_peer() { measure_new theirs $days sync_all; }
    take_ours() {
        upstream=$web
        measure_new mine $days sync_all
        upstream=$from
    }
    take_turns 3 || return 1
    rm -rf "$work/pair"* "$work/first"
    report_pairs "a mirror's mirror, $days days of 500 KB" "from nginx" 1.5
}
