# The mirror on the web, beside nginx with static files of the same size.

day_after() { date -u -d "$1 + $2 days" +%F; }

# start_web ROOT: sets web to its origin.
start_web() {
    local port
    for _ in 1 2 3 4 5; do
        port=$((20000 + RANDOM % 20000))
        web=http://127.0.0.1:$port
        "$server_program" "$1" --listen "127.0.0.1:$port" 2>/dev/null &
        web_id=$!
        for _ in {1..80}; do
            if curl -sf --noproxy '*' -o "$work/null" "$web/health"; then return 0; fi
            kill -0 $web_id 2>/dev/null || break
            sleep 0.05
        done
        stop_web
    done
    say "apod-server does not start"
    return 1
}

stop_web() {
    [ -n "${web_id:-}" ] && kill "$web_id" 2>/dev/null && wait "$web_id" 2>/dev/null
    web_id=
}

# load URL [HEADER]: requests a second. None may fail.
load() {
    bounded wrk -t 1 -c 16 -d $load_seconds ${2:+-H "$2"} "$1" >"$work/wrk" 2>&1 && ! grep -q "Non-2xx\|Socket errors" "$work/wrk" ||
        { say "wrk: $(tail -4 "$work/wrk")"; return 1; }
    awk '/^Requests\/sec/ { print $2 }' "$work/wrk"
}

# beside_nginx WORK PATH STATIC-PATH GOAL [HEADER]: pairs, the one first that was last.
beside_nginx() {
    local mine=() theirs=() header=${5:-} theirs_header i
    # nginx has a tag of its own.
    theirs_header=${header:+If-None-Match: $(curl -sI --noproxy '*' "$pictures/$3" | sed -n 's/^ETag: \(.*\)\r/\1/p')}
    for i in $(rounds 3); do
        if ((i % 2)); then theirs+=("$(load "$pictures/$3" "$theirs_header")") || return 1; fi
        mine+=("$(load "$web/$2" "$header")") || return 1
        if ((i % 2 == 0)); then theirs+=("$(load "$pictures/$3" "$theirs_header")") || return 1; fi
    done
    report_least "$1" "requests a second" "$(median "${mine[@]}")" "$(median "${theirs[@]}") nginx" \
        "$(ratios "${mine[*]}" "${theirs[*]}")" "$4"
}

row_web() {
    local tag day month
    has wrk && mirror_many && start_web "$work/many" || return 1
    mkdir -p "$work/static" && stop_nginx && start_nginx "$work/static" || return 1
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
    stop_web
    serve 3 500000 && quietly sync_all "$work/web-pictures" || return 1
    path=$(cd "$work/web-pictures" && readlink latest)
    beside_file "pictures of 500 KB" "$work/web-pictures" "$path" 0.28 || return 1
    serve 2 30000000 && quietly sync_all "$work/web-large" || return 1
    path=$(cd "$work/web-large" && readlink latest)
    beside_file "pictures of 30 MB" "$work/web-large" "$path" 0.9
}

# beside_file WORK ROOT PATH GOAL
beside_file() {
    start_web "$2" && stop_nginx && start_nginx "$2" || return 1
    beside_nginx "$1" "${3// /%20}" "${3// /%20}" "$4"
    stop_web
}

row_web_memory() {
    local peak
    mirror_many && start_web "$work/many" || return 1
    bounded python3 "$here/visitors.py" "$web" "$oldest" $connections || return 1
    peak=$(compute "$(awk '/VmHWM/ { print $2 }' "/proc/$web_id/status") / 1024" %.1f)
    report "$connections connections" "peak memory, MB" "$peak" - "$peak" 40
    stop_web
}

# From systemd's start of the program to the first byte of an answer.
row_web_start() {
    local times=()
    mirror_many || return 1
    for _ in $(rounds 10); do
        times+=("$(bounded python3 "$here/activation.py" "$server_program" "$work/many")") || return 1
    done
    report "web, activated, $many days" "first byte, ms" "$(median "${times[@]}")" - "$(median "${times[@]}")" 60
}

# The same days from a mirror, and from NASA's server with nginx for its pictures.
row_chain() {
    local i mine=() theirs=() folder from
    serve $days 500000 && quietly sync_all "$work/first" && start_web "$work/first" || return 1
    from=$upstream
    for i in $(rounds 3); do
        folder=$work/chain$((folders += 1))
        mkdir "$folder"
        if ((i % 2)); then measure theirs sync_all "$folder/peer" || return 1; fi
        upstream=$web
        measure mine sync_all "$folder/ours" || return 1
        upstream=$from
        if ((i % 2 == 0)); then measure theirs sync_all "$folder/peer" || return 1; fi
        count_pictures "$folder/ours" $days && count_pictures "$folder/peer" $days || return 1
    done
    stop_web
    rm -rf "$work/chain"* "$work/first"
    report_pairs "a mirror's mirror, $days days of 500 KB" "from nginx" 1.5
}
