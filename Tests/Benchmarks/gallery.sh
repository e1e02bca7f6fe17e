# The rows about what is made of the pictures.

# skies COUNT WIDTH HEIGHT: sets skies to a folder with so many, made once.
skies() {
    skies=$work/skies-$2
    [ ! -d "$skies" ] || return 0
    "$upstream_program" --write-pictures "$work/drawn" --days "$1" --skies "$2x$3" --newest "$newest" && mkdir "$skies" &&
        find "$work/drawn" -name '*.jpg' | sort | awk -v folder="$skies" '{ print $0; print folder "/" NR - 1 ".jpg" }' |
        xargs -n 2 mv && rm -r "$work/drawn"
}

# with_gallery COMMAND…
with_gallery() { APOD_MIRROR_GALLERY=yes "$@"; }

# Sets root to a mirror of the many days with its gallery, in which each day has its smaller copies.
gallery_root() {
    favorites_root || return 1
    if [ ! -d "$work/gallery" ]; then
        skies 24 1600 1200 && mkdir "$work/sizes" || return 1
        for size in 480.webp 1280.jpg; do
            bounded vipsthumbnail "$skies"/*.jpg -s "${size%.*}" -o "$work/sizes/%s-$size" || return 1
        done
        /usr/bin/python3 - "$root" "$work/sizes" <<END || return 1
import os, sqlite3, sys
root, sizes = sys.argv[1:]
with sqlite3.connect(f"{root}/.apod-mirror/catalog.sqlite") as catalog:
    files = catalog.execute("SELECT day, date(day * 86400, 'unixepoch'), sha256 FROM file WHERE role = 'picture'")
    for index, (day, date, source) in enumerate(files.fetchall()):
        os.makedirs(f"{root}/gallery/{date[:4]}", exist_ok=True)
        copies = [f"{sizes}/{index % 24}-{size}" for size in ["480.webp", "1280.jpg"]]
        for copy in copies:
            os.link(copy, f"{root}/gallery/{date[:4]}/{date}-{copy.rpartition('-')[2]}")
        catalog.execute("REPLACE INTO thumbnail (day, source, version, screens, color) VALUES (?, ?, 1, ?, 0x203040)",
                        (day, source, sum(map(os.path.getsize, copies))))
END
        quietly with_gallery ours "$root" sync --since "$oldest" || return 1
        mkdir "$work/gallery" && cp -al "$root"/{gallery,index.html,feed.xml} "$work/gallery" &&
            cp -a "$root/.apod-mirror" "$work/gallery"
    else
        rm -rf "$root/.apod-mirror" && cp -al "$work/gallery"/{gallery,index.html,feed.xml} "$root" &&
            cp -a "$work/gallery/.apod-mirror" "$root"
    fi
}

# All that there is to be made is made first.
row_defaults() {
    local -x APOD_MIRROR_GALLERY=yes APOD_MIRROR_THUMBNAILS=yes
    favorites_root && fill 2000 || return 1
    quietly sync_all "$root" || return 1
    nothing_new "$root" "the defaults, nothing new" && look "$root" "the defaults, status" &&
        ready "the defaults, start with 2,000 favorites"
}

row_gallery() {
    local look=$package/Tests/Clients/gallery.py name unit value goal
    gallery_root && bounded /usr/bin/python3 "$look" speed "$root" >"$work/said" || return 1
    while IFS='|' read -r name unit value goal; do
        report "gallery, $many days" "$name, $unit" "$value" - "$value" "$goal"
    done <"$work/said"
    with_gallery look "$root" "status, $many days with a gallery"
}

# new_day: what the service works for one new day beside the many; sets time, in ms.
new_day() {
    local day port
    day=$newest
    if [ "$APOD_MIRROR_GALLERY" = yes ]; then gallery_root; else favorites_root; fi || return 1
    withdraw "$day" || return 1
    start_upstream --days 60 --bytes $small --newest "$(date -u -d "$day - 1 day" +%F)" || return 1
    # Its last days are as NASA has them, and it asks again soon.
    quietly ours "$root" sync || return 1
    sqlite3 "$root/.apod-mirror/catalog.sqlite" "UPDATE fact SET value = value - 260 WHERE name = 'last_refresh'" ||
        return 1
    service_upstream=$upstream start_service "$mirror_program" || return 1
    port=${upstream##*:}
    stop_upstream
    start_upstream --days 60 --bytes $small --newest "$day" --port "$port" || return 1
    time=$(processor_time)
    wait_for_day "$day" || return 1
    # Once for the day, and once more for its smaller copies.
    if [ "$APOD_MIRROR_GALLERY" = yes ]; then
        for _ in {1..200}; do
            ! grep -q "\"$day\".*\"copies\"" "$root/gallery/data/${day%%-*}.js" || break
            sleep 0.1
        done
        grep -q "\"$day\".*\"copies\"" "$root/gallery/data/${day%%-*}.js" || { say "no smaller copy of $day"; return 1; }
    fi
    become_quiet || return 1
    time=$(compute "($(processor_time) - $time) / 1e6" %.1f)
    stop_service
    stop_upstream
}

row_new_day() {
    local mine=() theirs=() value
    for _ in 1 2 3; do
        APOD_MIRROR_GALLERY=yes new_day || return 1
        mine+=("$time")
        APOD_MIRROR_GALLERY=no new_day || return 1
        theirs+=("$time")
    done
    value=$(compute "$(median "${mine[@]}") - $(median "${theirs[@]}")" %.1f)
    report "one new day beside $many" "processor time for gallery, feed and thumbnails, ms" "$value" \
        "$(median "${mine[@]}") with, $(median "${theirs[@]}") without them" "$value" 20
}

# serve_pictures FILE…: an upstream with a day for each. What is behind the end of a picture makes each another one.
serve_pictures() {
    local count=$# name
    stop_upstream
    stop_nginx
    rm -rf "$work/pictures-$count-$small"
    write_pictures $count $small || return 1
    while read -r name; do
        cp "$1" "$name" && echo $# >>"$name" || return 1
        shift
    done < <(find "$folder" -type f | sort)
    start_nginx "$folder" && start_upstream --days $count --bytes $small --pictures "$pictures"
}

row_thumbnails() {
    local sources=() times=() peer=() ratio goal=1.8 i
    skies 10 4000 3000 || return 1
    for i in {1..20}; do sources+=("$skies"/*.jpg); done
    serve_pictures "${sources[@]}" && quietly sync_all "$work/thumbnails" || return 1
    count_pictures "$work/thumbnails" 200 || return 1
    mkdir "$work/peer"
    # What it reads is in memory, for both.
    find "$work/thumbnails" -name '*.jpg' -exec cat {} + | wc -c >"$work/said"
    times=($(APOD_MIRROR_GALLERY=yes bounded /usr/bin/python3 "$here/stream.py" "$mirror_program" thumbnails \
        --config /dev/null --root "$work/thumbnails")) || return 1
    measure peer bounded vipsthumbnail "$work/thumbnails"/*/*/*.jpg -s 1280 -o "$work/peer/%s.jpg" || return 1
    ! dpkg --compare-versions "$(vips --version | grep -oE '[0-9.]+' | head -1)" ge 8.15 || goal=1.2
    ratio=$(compute "${times[1]} / ${peer[0]}")
    report "200 pictures of 12 megapixels" "wall time" "${times[1]} s" "${peer[0]} s, vipsthumbnail" "$ratio" $goal
    report "200 pictures of 12 megapixels" "until the first, over until the last" "${times[0]} s" "${times[1]} s" \
        "$(compute "${times[0]} / ${times[1]}")" 0.02
    row_thumbnails_memory
}

# A service that has made them all, beside one that had nothing to make.
row_thumbnails_memory() {
    local before after
    export APOD_MIRROR_GALLERY=yes
    root=$work/thumbnails
    start_service "$mirror_program" && before=$(memory VmRSS) && stop_service &&
        find "$root/gallery" -name '*-*-*' -delete && start_service "$mirror_program" || return 1
    for i in {1..3000}; do
        [ "$(find "$root/gallery" -name '*-1280.jpg' | wc -l)" != 200 ] || break
        sleep 0.1
    done
    become_quiet && after=$(memory VmRSS)
    stop_service
    export APOD_MIRROR_GALLERY=no
    rm -rf "$root"
    report "the service after 200 pictures" "resident memory, MB" "$after" "$before, with none to make" \
        "$(compute "$after / $before")" 1.05
}

row_large() {
    local goal kind peak
    skies 10 4000 3000 || return 1
    bounded vips resize "$skies/0.jpg" "$work/large.jpg[Q=85]" 2.9 &&
        bounded vips resize "$skies/1.jpg" "$work/large.png[compression=1]" 4.1 || return 1
    for kind in jpg:100 png:250; do
        goal=${kind#*:} kind=${kind%:*}
        serve_pictures "$work/large.$kind" && quietly sync_all "$work/large-$kind" || return 1
        APOD_MIRROR_GALLERY=yes quietly bounded /usr/bin/time -v -o "$work/usage" "$mirror_program" thumbnails \
            --config /dev/null --root "$work/large-$kind" || return 1
        # Of the largest process, which is the one that decodes.
        peak=$(compute "$(awk -F': ' '/Maximum resident set size/ { print $2 }' "$work/usage") / 1024" %.1f)
        report "$(vipsheader "$work/large.$kind" | sed 's/.*: \([0-9x]*\).*/\1/') $kind" "peak memory of the worker, MB" \
            "$peak" - "$peak" "$goal"
        rm -rf "$work/large-$kind"
    done
}
