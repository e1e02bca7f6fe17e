# The rows about the favorites folder.

roots=0

# Sets root to a mirror of the many days that is new, and files to what can be linked to. None is deleted before the
# end: ext4 makes new links slowly beside ones that were deleted a moment ago.
favorites_root() {
    mirror_many || return 1
    root=$work/favorites-$((roots += 1))
    files=$work/files
    [ -s "$files" ] || (cd "$work/many" && find [0-9]* -name '*.jpg' | sort) >"$files"
    # The same files under second names: they are only linked to.
    mkdir -p "$root/favorites" && cp -al "$work/many"/[0-9]* "$root" && cp -a "$work/many/.apod-mirror" "$root"
}

# fill COUNT: that many favorites, before the service starts.
fill() { head -n "$1" "$files" | sed 's,^,../,' | tr '\n' '\0' | xargs -0 ln -s -t "$root/favorites"; }

# start_service PROGRAM: sets service; returns when everything that was there is remembered and nothing more happens.
start_service() {
    "$1" run --config /dev/null --root "$root" --upstream "${service_upstream:-http://127.0.0.1:9}" --rate 0 >"$work/service" 2>&1 &
    service=$!
    for _ in {1..300}; do
        ! grep -q '^watching ' "$work/service" || { become_quiet; return; }
        kill -0 $service 2>/dev/null || break
        sleep 0.1
    done
    say "the service does not start: $(tail -3 "$work/service")"
    return 1
}

stop_service() {
    [ -n "${service:-}" ] && kill "$service" 2>/dev/null && wait "$service"
    service=
}

# Six seconds with less than a millisecond of work in each fifth: five after a change, there is still something to do.
become_quiet() {
    local before=0 now quiet=0
    for _ in {1..600}; do
        now=$(processor_time)
        if ((now - before < 1000000)); then quiet=$((quiet + 1)); else quiet=0; fi
        [ $quiet -lt 30 ] || return 0
        before=$now
        sleep 0.2
    done
    say "the service does not come to rest"
    return 1
}

# All threads', also of those that have ended, in ns: clock_getcpuclockid(3).
processor_time() { python3 -c "import time; print(time.clock_gettime_ns(~$service << 3 | 2))"; }
wake_ups() { cat /proc/"$service"/task/*/status 2>/dev/null | awk '/^voluntary_ctxt/ { sum += $2 } END { print sum }'; }
# memory VmRSS|VmHWM: in MB.
memory() { awk -v name="$1:" '$1 == name { printf "%.1f", $2 / 1024 }' /proc/"$service"/status; }

row_link() {
    local mine theirs=("?" "?")
    favorites_root && start_service "$mirror_program" || return 1
    mine=($(bounded "$favorites_program" single "$root" "$files" 1000)) || return 1
    stop_service
    watched_by_peer && theirs=($(cat "$work/noticed"))
    report "one link, 1,000 times" "median until on the disk, ms" "${mine[0]}" \
        "${mine[2]}, plain loop; ${theirs[0]}, watchman" "$(compute "${mine[0]} / ${mine[2]}")" 1.5
    report "one link, 1,000 times" "99th percentile, ms" "${mine[1]}" \
        "${mine[3]}, plain loop; ${theirs[1]}, watchman" "$(compute "${mine[1]} / ${mine[3]}")" 2
}

# Until it tells of a link, which it remembers nowhere.
watched_by_peer() {
    command -v watchman >/dev/null || { say "watchman cannot be had: measured without"; return 1; }
    local place=$work/watchman status=1
    mkdir -p "$place/seen/favorites"
    local socket=(--sockname="$place/socket")
    watchman --foreground "${socket[@]}" --statefile="$place/state" --logfile="$place/log" --pidfile="$place/pid" \
        >/dev/null 2>&1 &
    local peer=$!
    for _ in {1..100}; do [ ! -S "$place/socket" ] || break; sleep 0.05; done
    if bounded watchman "${socket[@]}" --no-spawn watch "$place/seen" >/dev/null 2>&1; then
        bounded "$favorites_program" noticed "$place/seen" "$files" 1000 >"$work/noticed" < <(
            echo "[\"subscribe\", \"$place/seen\", \"links\", {\"expression\": [\"type\", \"l\"], \"fields\": [\"name\"]}]" |
                watchman "${socket[@]}" --no-spawn --json-command --persistent --no-pretty 2>/dev/null
        )
        status=$?
    fi
    kill $peer && wait $peer
    return "$status"
}

row_burst() {
    local i times=() all=() plain=() peaks=() lost=0
    for i in 1 2 3; do
        favorites_root && start_service "$mirror_program" || return 1
        bounded "$favorites_program" burst "$root" "$files" 100000 >"$work/times" || return 1
        become_quiet || return 1
        peaks+=("$(memory VmHWM)")
        stop_service
        bounded "$favorites_program" plain "$root" "$work/plain$i" >"$work/plain" || return 1
        times+=("$(cut -d ' ' -f 1 "$work/times")") all+=("$(cut -d ' ' -f 2 "$work/times")")
        plain+=("$(cut -d ' ' -f 1 "$work/plain")") lost=$((lost + $(cut -d ' ' -f 2 "$work/plain")))
    done
    report "100,000 links at once" "from the last to on the disk" \
        "$(median "${times[@]}") s, $(median "${all[@]}") from the first" "$(median "${plain[@]}") s, plain loop" \
        "$(compute "$(ratios "${times[*]}" "${plain[*]}")")" 2
    report "100,000 links at once" "lost" "$lost" - "$lost" 0
    report "100,000 links at once" "peak memory, MB" "$(median "${peaks[@]}")" - "$(median "${peaks[@]}")" 60
}

row_addition() {
    local count times=()
    for count in 10 $many; do
        favorites_root && fill $count && start_service "$mirror_program" || return 1
        bounded "$favorites_program" single "$root" "$files" 300 >"$work/times" || return 1
        stop_service
        times+=("$(cut -d ' ' -f 1 "$work/times")")
    done
    report "$many favorites, one added" "median until on the disk" "${times[1]} ms" "${times[0]} ms, with 10" \
        "$(compute "${times[1]} / ${times[0]}")" 1.5
}

# idle PROGRAM: sets busy, woken and resident.
idle() {
    favorites_root && fill 2000 && start_service "$1" || return 1
    local time wakes
    # Threads that have nothing to do end after a while, and take their numbers along.
    sleep 10
    time=$(processor_time) wakes=$(wake_ups)
    sleep 60
    busy=$(compute "($(processor_time) - $time) / 1e6" %.2f) woken=$(($(wake_ups) - wakes)) resident=$(memory VmRSS)
    stop_service
}

# What is installed brings its Swift libraries along: that one counts. Beside it, the one that needs the toolchain's.
row_idle() {
    local shared=()
    idle "$mirror_program" && shared=("$busy" "$woken" "$resident") && idle "$static_program" || return 1
    report "idle for 60 s" "processor time, ms" "$busy" "${shared[0]}, not static" "$busy" 10
    report "idle for 60 s" "wake-ups" "$woken" "${shared[1]}, not static" "$woken" 30
    report "idle for 60 s" "resident memory, MB" "$resident" "${shared[2]}, not static" "$resident" 20
}

row_ready() { favorites_root && fill 2000 && ready "start, $many days, 2,000 favorites"; }

# ready WORK
ready() {
    local times=()
    # What was there is remembered by the time that counts.
    start_service "$static_program" || return 1
    stop_service
    for _ in {1..10}; do
        times+=("$(bounded python3 "$here/ready.py" "$static_program" run --config /dev/null --root "$root" \
            --upstream http://127.0.0.1:9 --rate 0)") || return 1
    done
    report "$1" "until ready, ms" "$(median "${times[@]}")" - "$(median "${times[@]}")" 100
}

row_rest() {
    favorites_root && fill 2000 && start_service "$static_program" || return 1
    local time wakes seconds=600
    sleep 10
    time=$(processor_time) wakes=$(wake_ups)
    sleep $seconds
    time=$(compute "($(processor_time) - $time) / 1e6" %.2f) wakes=$(($(wake_ups) - wakes))
    report "idle for 10 minutes" "processor time, ms" "$time" - "$time" 100
    report "idle for 10 minutes" "wake-ups" "$wakes" - "$wakes" $((seconds / 2))
    report "idle for 10 minutes" "resident memory, MB" "$(memory VmRSS)" - "$(memory VmRSS)" 24
    stop_service
}

# The last days are as NASA has them when the service starts. It has asked in vain, it believes, and asks again soon.
row_daily() {
    local time times=() port day i
    day=$newest
    for i in 1 2 3; do
        favorites_root && fill 2000 && withdraw "$day" || return 1
        start_upstream --days 60 --bytes $small --newest "$(date -u -d "$day - 1 day" +%F)" || return 1
        quietly bounded "$static_program" sync --config /dev/null --root "$root" --upstream "$upstream" --rate 0 ||
            return 1
        sqlite3 "$root/.apod-mirror/catalog.sqlite" \
            "UPDATE fact SET value = value - 280 WHERE name = 'last_refresh'" || return 1
        service_upstream=$upstream start_service "$static_program" || return 1
        port=${upstream##*:}
        stop_upstream
        start_upstream --days 60 --bytes $small --newest "$day" --port "$port" || return 1
        time=$(processor_time)
        wait_for_day "$day" && become_quiet || return 1
        times+=("$(compute "($(processor_time) - $time) / 1e6" %.1f)")
        stop_service
    done
    report "a daily refresh, one day new" "processor time, ms" "$(median "${times[@]}")" - "$(median "${times[@]}")" 50
}

# Nothing else may come before it.
wait_for_day() {
    for _ in {1..600}; do
        ! grep -q '^asked for new days' "$work/service" || break
        sleep 0.1
    done
    [ "$(grep -c '^[12][0-9-]* ' "$work/service")" = 1 ] && grep -q "^$1 " "$work/service" && return
    say "not only $1 has come: $(tail -3 "$work/service")"
    return 1
}

# withdraw DAY: as if it had not come yet.
withdraw() {
    local number=$(($(date -u -d "$1" +%s) / 86400))
    sqlite3 "$root/.apod-mirror/catalog.sqlite" "DELETE FROM day WHERE day = $number;
        DELETE FROM file WHERE day = $number; DELETE FROM prose WHERE rowid = $number" &&
        rm -f "$root/${1:0:4}/${1:5:2}/$1"*
}

row_stop() {
    local times=() start i
    favorites_root && fill 2000 || return 1
    for i in {1..10}; do
        start_service "$mirror_program" || return 1
        start=$EPOCHREALTIME
        stop_service
        times+=("$(compute "($EPOCHREALTIME - $start) * 1000" %.1f)")
    done
    report "stop" "SIGTERM to exit, ms" "$(median "${times[@]}")" - "$(median "${times[@]}")" 50
}
