# One function for each row.

small=2048
folders=0

# pairs TIMES PICTURES OURS PEER…: runs both, each in its own new folder; sets mine and theirs.
# Nothing is deleted in between: ext4 makes new files slowly beside ones that were deleted a moment ago.
pairs() {
    local count=$2 ours=$3 peer=("${@:4}")
    mine=() theirs=()
    take_ours() { measure_new mine "$count" "$ours"; }
    take_peer() { measure_new theirs "$count" "${peer[@]}"; }
    take_turns "$1" || return 1
    rm -rf "$work/pair"*
}

# measure_new NAME PICTURES COMMAND…: of what fills a folder. A mirror that is gone is waited for: none is used twice.
measure_new() {
    local folder=$work/pair$((folders += 1))
    measure "$1" "${@:3}" "$folder" && count_pictures "$folder" "$2"
}

# A fast program that did not do its work is no competitor.
count_pictures() {
    local there
    there=$(find "$1" -path "$1/.*" -prune -o -type f -name '*.jpg' -printf x | wc -c)
    [ "$there" = "$2" ] || { say "$there pictures instead of $2 in $1"; return 1; }
}

report_pairs() {
    report "$1" "wall time" "$(compute "$(median "${mine[@]}")") s" "$(compute "$(median "${theirs[@]}")") s $2" \
        "$(compute "$(ratios "${mine[*]}" "${theirs[*]}")")" "$3"
}

row_curl() {
    serve $days 500000 && curl_list "$work/list" || return 1
    pairs 5 $days sync_all curl_all "$work/list" || return 1
    report_pairs "$days days of 500 KB" "curl + sha256sum + sync" 1.0
}

row_gallery_dl() {
    find_gallery_dl && serve $days 500000 && gallery_dl_list "$work/list" || return 1
    pairs 5 $days sync_all gallery_dl_all "$work/list" || return 1
    report_pairs "$days days of 500 KB" "gallery-dl" 0.25
}

row_lists() {
    stop upstream
    write_pictures "$items" 93000 && list_pages && start_nginx "$folder" && curl_list "$work/list" || return 1
    pairs 3 "$items" list_all curl_all "$work/list" || return 1
    report_pairs "a list of $items pictures of 93 KB" "curl + sha256sum + sync" 1.5
    nothing_of_list "$work/last" "$items"
}

# nothing_of_list ROOT COUNT
nothing_of_list() {
    quietly list_all "$1" && count_pictures "$1" "$2" && beside_request "$pictures/0.json" "nothing new of a list of $2" list_all "$1"
    rm -rf "$1"
}

# beside_request ADDRESS WORK COMMAND…: what it takes where it asks once, and nothing is new.
beside_request() {
    local mine request
    mine=$(often 10 "${@:3}") && request=$(often 10 bounded curl -s --noproxy '*' -o "$work/null" "$1") || return 1
    report "$2" "wall time less a request, ms" "$mine" "$request, one request" "$(compute "$mine - $request" %.1f)" 50
}

# The upstream itself serves these: no disk has to hold them twice.
row_memory() {
    local via=(/usr/bin/time -v -o "$work/usage")
    start_upstream --days 8 --bytes $large_bytes && quietly sync_all "$work/large" && count_pictures "$work/large" 8 || return 1
    rm -rf "$work/large"
    report_own "8 pictures of 300 MB" "peak memory, MB" "$(megabytes "$work/usage" "Maximum resident")" 40
}

# The many days, mirrored once for all rows that want them. What is there before the newest day comes is
# kept, too. Whatever the row wants beside them is made later.
mirror_many() {
    serve $many $small || return 1
    [ ! -d "$work/many" ] || return 0
    local -x APOD_MIRROR_GALLERY=no APOD_MIRROR_THUMBNAILS=no
    serve_until_yesterday $((many - 1)) --pictures "$pictures" && quietly sync_all "$work/many" &&
        count_pictures "$work/many" $((many - 1)) && second_names "$work/many" "$work/before" && serve $many $small &&
        quietly sync_all "$work/many" && count_pictures "$work/many" $many && return
    rm -rf "$work/many" "$work/before"
    return 1
}

# second_names MIRROR NEW: the same files under second names: they are only read.
second_names() { mkdir "$2" && cp -al "$1"/[0-9]* "$2" && cp -a "$1/.apod-mirror" "$2"; }

# serve_until_yesterday DAYS OPTION…
serve_until_yesterday() {
    start_upstream --days "$1" --bytes $small --newest "$(date -u -d "$newest - 1 day" +%F)" "${@:2}"
}

row_nothing_new() { mirror_many && nothing_new "$work/many" "nothing new, $many days"; }

row_rebuild() {
    mirror_many || return 1
    rebuilt() { rm -f "$work/many/.apod-mirror/catalog."* && sync_all "$work/many"; }
    mine=$(often 3 rebuilt) && report_own "catalog of $many days made anew" "wall time, ms" "$mine" 10000
}

# nothing_new ROOT WORK
nothing_new() {
    quietly sync_all "$1" && beside_request "$upstream/wp-json/wp/v2/apod-basic?page=1" "$2" sync_all "$1" && walk "$1" "$2"
}

# How many folders it lists: a walk over the tree would list hundreds.
walk() {
    local via=(strace -f -o "$work/calls" -e trace=getdents64)
    has strace && quietly sync_all "$1" || return 1
    report_own "$2" "getdents64 calls" "$(grep -c getdents64 "$work/calls")" 20
}

row_status() { mirror_many && look "$work/many" "status, $many days"; }

# look ROOT WORK
look() { mine=$(often 10 ours "$1" status) && report_own "$2" "wall time, ms" "$mine" 30; }

row_verify() {
    serve $verified 500000 && quietly sync_all "$work/big" || return 1
    count_pictures "$work/big" $verified || return 1
    mine=() theirs=()
    take_ours() { measure mine ours "$work/big" verify; }
    take_peer() { measure theirs sums_all "$work/big"; }
    take_turns 5 || return 1
    rm -rf "$work/big"*
    report_pairs "verify 1 GB" "sha256sum on $(nproc) cores" 1.1
}
