# The rows about the favorites folder.

roots=0

# favorites_root [before]: sets root to a new mirror of the many days, or of those before the newest, and files to what
# can be linked to. None is deleted before the end: ext4 makes new links slowly beside ones that were deleted a moment ago.
favorites_root() {
    mirror_many || return 1
    root=$work/favorites-$((roots += 1))
    files=$work/files
    [ -s "$files" ] || (cd "$work/before" && find [0-9]* -name '*.jpg' | sort) >"$files"
    second_names "$work/${1:-many}" "$root" && mkdir "$root/favorites"
}

# fill COUNT: that many favorites, before the service starts.
fill() { head -n "$1" "$files" | sed 's,^,../,' | tr '\n' '\0' | xargs -0 ln -s -t "$root/favorites"; }

# Sets service; returns when everything that was there is remembered and nothing more happens.
start_service() {
    "$mirror_program" run --config /dev/null --root "$root" --upstream "${service_upstream:-http://127.0.0.1:9}" --rate 0 >"$work/service" 2>&1 &
    service_id=$!
    if eventually grep -q '^watching ' "$work/service"; then
        become_quiet
        return
    fi
    say "the service does not start: $(tail -3 "$work/service")"
    return 1
}

# Six seconds with less than a millisecond of work in each fifth: five after a change, there is still something to do.
become_quiet() {
    /usr/bin/python3 - "$service_id" $quiet_fifths <<END
import sys, time
service, wanted = map(int, sys.argv[1:])
before = quiet = 0
for _ in range(1500):
    now = time.clock_gettime_ns(~service << 3 | 2)
    quiet, before = quiet + 1 if now - before < 1000000 else 0, now
    if quiet == wanted:
        sys.exit()
    time.sleep(0.2)
sys.exit("the service does not come to rest")
END
}

# All threads', also of those that have ended, in ns: clock_getcpuclockid(3).
processor_time() { /usr/bin/python3 -c "import time; print(time.clock_gettime_ns(~$service_id << 3 | 2))"; }
wake_ups() { cat /proc/"$service_id"/task/*/status 2>/dev/null | awk '/^voluntary_ctxt/ { sum += $2 } END { print sum }'; }
# memory VmRSS|VmHWM: in MB.
memory() { megabytes "/proc/$service_id/status" "$1"; }

put_links() { bounded /usr/bin/python3 "$here/favorites.py" "$@"; }

row_link() {
    local mine
    favorites_root && start_service && mine=($(put_links single "$root" "$files" $links)) || return 1
    stop service
    report "one link, $links times" "median until on the disk, ms" "${mine[0]}" "${mine[2]}, plain loop" \
        "$(compute "${mine[0]} / ${mine[2]}")" 1.5
    report "one link, $links times" "99th percentile, ms" "${mine[1]}" "${mine[3]}, plain loop" \
        "$(compute "${mine[1]} / ${mine[3]}")" 2
}

# How many links the history does not name.
count_lost() {
    comm -23 <(find "$root/favorites" -type l -printf '%P\n' | sort) \
        <(grep -F '"change":"came"' "$root/.apod-mirror/history" | grep -oP '"link":"\K[^"]*' | sort -u) | wc -l
}

row_burst() {
    local times=() peaks=() lost=0
    for _ in $(rounds 10); do
        favorites_root && start_service && times+=("$(put_links burst "$root" "$files" $burst)") && become_quiet || return 1
        peaks+=("$(memory VmHWM)")
        stop service
        lost=$((lost + $(count_lost)))
    done
    report_own "$burst links at once" "worst of ${#times[@]}, from the first to all on the disk, s" "$(worst "${times[@]}")" 2.5
    report_own "$burst links at once" "lost" "$lost" 0
    report_own "$burst links at once" "worst peak memory, MB" "$(worst "${peaks[@]}")" 60
}

row_idle() {
    local time wakes memory
    favorites_root && fill $favored && start_service || return 1
    # Threads that have nothing to do end after a while, and take their numbers along.
    sleep $settle_seconds
    time=$(processor_time) wakes=$(wake_ups)
    sleep $idle_seconds
    time=$(compute "($(processor_time) - $time) / 1e6" %.2f) wakes=$(($(wake_ups) - wakes)) memory=$(memory VmRSS)
    report_own "idle for $idle_seconds s" "processor time, ms" "$time" 10
    report_own "idle for $idle_seconds s" "wake-ups" "$wakes" 30
    report_own "idle for $idle_seconds s" "resident memory, MB" "$memory" 20
}

row_ready() { favorites_root && fill $favored && ready "start, $many days, $favored favorites"; }

# ready WORK
ready() {
    local times=()
    # What was there is remembered by the time that counts.
    start_service || return 1
    stop service
    for _ in $(rounds 10); do
        times+=("$(bounded python3 "$here/ready.py" "$mirror_program" run --config /dev/null --root "$root" \
            --upstream http://127.0.0.1:9 --rate 0)") || return 1
    done
    report_own "$1" "until ready, ms" "$(median "${times[@]}")" 100
}

# new_day [COMMAND…]: what the service of root works for the newest day, until COMMAND is done as well; sets time, in ms.
new_day() {
    local port via=(env NO_FAKE_STAT=1 FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f -${ago}s)
    # Five minutes after that, the service asks again.
    has faketime && serve_until_yesterday 40 && quietly ours "$root" sync || return 1
    via=()
    service_upstream=$upstream start_service || return 1
    port=${upstream##*:}
    start_upstream --days 40 --bytes $small --port "$port" || return 1
    time=$(processor_time)
    wait_for_day "$newest" && "${@:-true}" && become_quiet || return 1
    time=$(compute "($(processor_time) - $time) / 1e6" %.1f)
    stop service upstream
}

# Nothing else may come before it.
wait_for_day() {
    limit=60 eventually grep -q '^asked for new days' "$work/service"
    [ "$(grep -c '^[12][0-9-]* ' "$work/service")" = 1 ] && grep -q "^$1 " "$work/service" && return
    say "not only $1 has come: $(tail -3 "$work/service")"
    return 1
}
