# The mirror on the web, beside nginx with static files of the same size.

day_after() { date -u -d "$1 + $2 days" +%F; }

# start_web ROOT: sets web to its origin.
start_web() {
    stop web
    at_port web "$1" && web=http://127.0.0.1:$port
}

begin_web() { exec "$server_program" "$1" --listen "127.0.0.1:$port"; }
is_web() { curl -sf --noproxy '*' -o "$work/null" "http://127.0.0.1:$port/health"; }

# load URL: requests a second. None may fail.
load() {
    bounded wrk -t 1 -c 16 --timeout 30s -d $load_seconds "$1" >"$work/wrk" 2>&1 && ! grep -q "Non-2xx\|Socket errors" "$work/wrk" ||
        { say "wrk: $(tail -4 "$work/wrk")"; return 1; }
    awk '/^Requests\/sec/ { print $2 }' "$work/wrk"
}

# beside_nginx WORK PATH STATIC-PATH GOAL: pairs, the one first that was last.
beside_nginx() {
    local mine=() theirs=() ours=$web/$2 peer=$pictures/$3
    take_ours() { mine+=("$(load "$ours")"); }
    take_peer() { theirs+=("$(load "$peer")"); }
    take_turns 3 || return 1
    report "$1" "requests a second" "$(median "${mine[@]}")" "$(median "${theirs[@]}") nginx" \
        "$(compute "$(ratios "${mine[*]}" "${theirs[*]}")")" ">$4"
}

row_web() {
    local day month
    has wrk && mirror_many && start_web "$work/many" && mkdir -p "$work/static" && start_nginx "$work/static" || return 1
    day="date=$(day_after "$oldest" 15)" month="start_date=$oldest&end_date=$(day_after "$oldest" 30)"
    curl -sf --noproxy '*' -o "$work/static/day.json" "$web/planetary/apod?$day" &&
        curl -sf --noproxy '*' -o "$work/static/month.json" "$web/planetary/apod?$month" || return 1
    beside_nginx "v1, one day" "planetary/apod?$day" day.json 0.15 &&
        beside_nginx "v1, a month" "planetary/apod?$month" month.json 0.1 && beside_file 500 0.28 && beside_file 30000 0.9
}

# beside_file KB GOAL: pictures of that size.
beside_file() {
    local from=$work/web-$1 path
    serve 2 "${1}000" && quietly sync_all "$from" && start_web "$from" && start_nginx "$from" || return 1
    path=$(readlink "$from/latest") && path=${path// /%20}
    beside_nginx "pictures of $1 KB" "$path" "$path" "$2"
}

row_web_memory() {
    mirror_many && start_web "$work/many" && bounded python3 "$here/visitors.py" "$web" "$oldest" $connections || return 1
    report_own "$connections connections" "peak memory, MB" "$(megabytes "/proc/$web_id/status" VmHWM)" 40
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
