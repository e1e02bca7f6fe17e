# The rows about what is made of the pictures.

# draw COUNT WIDTH HEIGHT: sets drawn to a folder with so many skies, made once.
draw() {
    drawn=$work/skies-$2
    [ ! -d "$drawn" ] || return 0
    "$upstream_program" --write-pictures "$work/drawn" --days "$1" --skies "$2x$3" --newest "$newest" && mkdir "$drawn" &&
        find "$work/drawn" -name '*.jpg' | sort | awk -v folder="$drawn" '{ print $0; print folder "/" NR - 1 ".jpg" }' |
        xargs -n 2 mv && rm -r "$work/drawn"
}

# Sets root to a mirror of the days before the newest, with its gallery. The smaller copies are those of some skies under
# many names: a service takes the files that it finds for those that it made.
gallery_root() {
    favorites_root before || return 1
    if [ ! -d "$work/gallery" ]; then
        draw $copied_skies 1600 1200 && mkdir "$work/sizes" || return 1
        for size in 480.webp 1280.jpg; do
            bounded vipsthumbnail "$drawn"/*.jpg -s "${size%.*}" -o "$work/sizes/%s-$size" || return 1
        done
        copies_of_skies || return 1
        APOD_MIRROR_GALLERY=yes start_service || return 1
        stop service
        mkdir "$work/gallery" && cp -al "$root"/{gallery,index.html,feed.xml} "$work/gallery" &&
            cp -a "$root/.apod-mirror" "$work/gallery"
    else
        rm -rf "$root/.apod-mirror" && cp -al "$work/gallery"/{gallery,index.html,feed.xml} "$root" &&
            cp -a "$work/gallery/.apod-mirror" "$root"
    fi
}

# Each day's, by its date.
copies_of_skies() {
    local number=0 date size
    while read -r date; do
        mkdir -p "$root/gallery/${date%%-*}" || return 1
        for size in 480.webp 1280.jpg; do
            echo "$work/sizes/$((number++ / 2 % copied_skies))-$size"
            echo "$root/gallery/${date%%-*}/$date-$size"
        done
    done < <(sed 's,.*/,,; s, .*,,' "$files") | xargs -n 2 ln
}

# All that there is to be made is made first.
row_defaults() {
    local -x APOD_MIRROR_GALLERY=yes APOD_MIRROR_THUMBNAILS=yes
    favorites_root && fill $favored || return 1
    quietly sync_all "$root" || return 1
    nothing_new "$root" "the defaults, nothing new" && look "$root" "the defaults, status" &&
        ready "the defaults, start with $favored favorites"
}

row_gallery() {
    local look=$package/Tests/Clients/gallery.py name unit value goal
    has chromium && gallery_root && bounded /usr/bin/python3 "$look" speed "$root" $browsers >"$work/said" || return 1
    while IFS='|' read -r name unit value goal; do
        report_own "gallery, $many days" "$name, $unit" "$value" "$goal"
    done <"$work/said"
    APOD_MIRROR_GALLERY=yes look "$root" "status, $many days with a gallery"
}

# Until the gallery shows the newest day's smaller copies.
has_copies() {
    ! limit=90 eventually grep -q "\"$newest\"[^}]*\"copies\"" "$root/gallery/data/${newest%%-*}.js" || return 0
    say "no smaller copy of $newest"
    return 1
}

row_new_day() {
    local mine=() theirs=() value
    for _ in $(rounds 3); do
        gallery_root && fill $favored && APOD_MIRROR_GALLERY=yes new_day has_copies || return 1
        mine+=("$time")
        favorites_root before && fill $favored && new_day || return 1
        theirs+=("$time")
    done
    report_own "a daily refresh, one day new" "processor time, ms" "$(median "${theirs[@]}")" 50
    value=$(compute "$(median "${mine[@]}") - $(median "${theirs[@]}")" %.1f)
    report "one new day beside $many" "processor time for gallery, feed and thumbnails, ms" "$value" \
        "$(median "${mine[@]}") with, $(median "${theirs[@]}") without them" "$value" 20
}

# serve_pictures FILE…: an upstream with a day for each. What is behind the end of a picture makes each another one.
serve_pictures() {
    local count=$# name
    rm -rf "$work/pictures-$count-$small"
    write_pictures $count $small || return 1
    while read -r name; do
        cp "$1" "$name" && echo $# >>"$name" || return 1
        shift
    done < <(find "$folder" -type f | sort)
    start_nginx "$folder" && start_upstream --days $count --bytes $small --pictures "$pictures"
}

row_thumbnails() {
    local sources=() times=() peer=() goal=1.8 i
    has vipsthumbnail && draw $skies $sky || return 1
    for ((i = 0; i < copied; i++)); do sources+=("$drawn"/*.jpg); done
    serve_pictures "${sources[@]}" && quietly sync_all "$work/thumbnails" || return 1
    count_pictures "$work/thumbnails" ${#sources[@]} || return 1
    mkdir "$work/peer"
    # What it reads is in memory, for both.
    find "$work/thumbnails" -name '*.jpg' -exec cat {} + | wc -c >"$work/said"
    APOD_MIRROR_GALLERY=yes measure times ours "$work/thumbnails" thumbnails || return 1
    measure peer bounded vipsthumbnail "$work/thumbnails"/*/*/*.jpg -s 1280 -o "$work/peer/%s.jpg" || return 1
    ! dpkg --compare-versions "$(vips --version | grep -oE '[0-9.]+' | head -1)" ge 8.15 || goal=1.2
    report "${#sources[@]} pictures of 12 megapixels" "wall time" "${times[0]} s" "${peer[0]} s, vipsthumbnail" \
        "$(compute "${times[0]} / ${peer[0]}")" $goal
    rm -rf "$work/thumbnails"
}
