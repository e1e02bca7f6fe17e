# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# Photo programs on a whole mirror: gallery, thumbnails, sidecars, an album, a video with its still, a PNG.

photo_programs=$package/.build/clients/photos

prepare_photos() {
    need minidlnad minidlna && need ffmpeg ffmpeg && need_python "$photo_programs" picframe picframe
}

# begin_photos: sets stems to the names of the three days' files, without suffixes.
begin_photos() {
    stop_mirror
    /usr/bin/python3 "$here/photos.py" "$root" || return 1
    mapfile -t stems < <(printf '%s\n' "${pictures[@]%.jpg}" | sed 's|.*/||')
    mkdir "$root/favorites/Album" &&
        ln -s "../2019/04/${stems[0]}.jpg" "$root/favorites/" &&
        ln -s "../../2019/04/${stems[1]}.mp4" "$root/favorites/Album/" &&
        start_photos || return 1
    # Decoders let all others go first.
    for _ in 1 2 3 4 5; do ! eventually is_complete || return 0; done
    seen+=("NOT to be made")
    return 1
}

# Nobody answers: these pictures are no upstream's.
start_photos() {
    upstream=http://127.0.0.1:9 APOD_MIRROR_GALLERY=yes APOD_MIRROR_SIDECARS=yes start_mirror --root "$root"
}

is_complete() {
    [ "$(find "$root/gallery" -name '*-1280.jpg' | wc -l)" = 3 ] && [ -e "$root/latest.jpg" ] &&
        [ "$(find "$root/2019" -name '*.xmp' | wc -l)" = 4 ] &&
        [ "$(find "$root/2019" -path '*/.sh_thumbnails/*.png' | wc -l)" -ge 12 ]
}

# same FILE LINE…: the file has these lines, in whatever order.
same() { diff <(sort "$1") <(printf '%s\n' "${@:2}" | sort) >&2; }

# start_dlna MEDIA-DIR…: sets dlna_port.
start_dlna() {
    local folder=$place/dlna
    stop_background
    rm -rf "$folder" && mkdir "$folder" && chown nobody "$folder" || return 1
    for _ in 1 2 3; do
        dlna_port=$(free_port)
        printf '%s\n' "port=$dlna_port" "db_dir=$folder" "log_dir=$folder" network_interface=lo \
            "${@/#/media_dir=}" >"$place/dlna.conf"
        "${person[@]}" minidlnad -S -f "$place/dlna.conf" -P "$folder/pid" \
            >"$place/dlna.log" 2>&1 &
        ends
        eventually offer && return
        stop_background
    done
    return 1
}

offer() { /usr/bin/python3 "$here/dlna.py" "$dlna_port" >"$place/offered"; }

# offers LINE…: as soon as all is read.
offers() { offer && same "$place/offered" "$@"; }

client_minidlna() {
    begin_photos || return 1
    local month=("04/${stems[0]} photo" "04/${stems[1]} photo")
    start_dlna "$root/2019" || { seen+=("NOT to be started"); return 1; }
    check "of a year's folder, each JPEG and video is there once, the video with its still, and no PNG" \
        offers "${month[@]}" "04/${stems[1]} videoItem with art"
    start_dlna "$root/favorites"
    check "of favorites, the links" offers "${stems[0]} photo" "Album/${stems[1]} videoItem"
    start_dlna "P,$root"
    check "of the whole mirror, copies and favorites, too: .nomedia is not read" offers "${month[@]/#/2019/}" \
        "favorites/${stems[0]} photo" "latest photo" gallery/2019/2019-04-{29,30}"-1280 photo" \
        "gallery/2019/2019-05-01-1280 photo"
}

# framed FOLDER FOLLOW_LINKS: what picframe shows; thumbnails without their names.
framed() {
    rm -rf "$place/frame" && mkdir "$place/frame" &&
        timeout 60 "$photo_programs/bin/python3" "$here/frame.py" "$1" "$2" "$place/frame" 2>>"$place/frame.log" |
        sed -E 's|[0-9a-f]{32}\.png$|*.png|' | sort -u >"$place/framed"
}

# frames FOLDER FOLLOW_LINKS LINE…
frames() { framed "$1" "$2" && same "$place/framed" "${@:3}"; }

client_picframe() {
    begin_photos || return 1
    local year=("04/${stems[0]}.jpg" "04/${stems[1]}".{jpg,mp4} "05/${stems[2]}.png") links=$place/links
    local favorites=("${stems[0]}.jpg" "Album/${stems[1]}.mp4")
    local hidden=("2019/"{04,05}"/.sh_thumbnails/"{large,normal}"/*.png")
    hidden+=("$(cd "$root" && echo .apod-mirror/latest/*)")
    mkdir "$links" && ln -s "$root/2019" "$links/"
    once "of favorites, the links" frames "$root/favorites" no "${favorites[@]}"
    once "of the mirror, copies, favorites and what hidden folders have" frames "$root" no "${year[@]/#/2019/}" \
        "${favorites[@]/#/favorites/}" "${hidden[@]}" latest.jpg gallery/2019/2019-{04-29,04-30,05-01}-1280.jpg
    stop_mirror
    APOD_MIRROR_THUMBNAILS=no start_photos
    check "without thumbnails" test ! -e "$root/2019/04/.sh_thumbnails"
    once "of a link to a year, all once with follow_links" frames "$links" yes "${year[@]/#/2019/}"
    once "and nothing without" frames "$links" no none
}

