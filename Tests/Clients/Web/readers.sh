# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# For many readers: object storage. And what no reader asks for.

# Amazon's S3, played by moto: sets store to the address of the bucket.
start_store() {
    local port=$(free_port)
    store=http://127.0.0.1:$port/apod
    "$web_programs/bin/moto_server" -H 127.0.0.1 -p "$port" >"$place/store" 2>&1 &
    ends
    eventually fetch -o /dev/null "http://127.0.0.1:$port/"
}

# to_store COMMAND…: with the bucket as REMOTE:BUCKET.
to_store() {
    env -u AWS_CA_BUNDLE NO_PROXY='*' RCLONE_CONFIG="$place/rclone" RCLONE_CONFIG_REMOTE_TYPE=s3 \
        RCLONE_CONFIG_REMOTE_PROVIDER=Other RCLONE_CONFIG_REMOTE_ACL=public-read \
        RCLONE_CONFIG_REMOTE_ENDPOINT="${store%/apod}" \
        RCLONE_CONFIG_REMOTE_ACCESS_KEY_ID=x RCLONE_CONFIG_REMOTE_SECRET_ACCESS_KEY=x "$@"
}

# What is to be in the bucket: what is no person's and not hidden.
public() {
    (cd "$root" && find -L . -type f -not -path '*/.*' -not -path './favorites/*' -not -name favorites.json) |
        sed 's|^\./||' | sort
}

client_storage() {
    begin_photos || return 1
    local line
    line=$(recipe 'sh rclone' | sed "s|/srv/apod|'$root'|; s|BUCKET|apod|")
    echo private >"$root/favorites/Album/own.txt" && ln -s /etc/hostname "$root/favorites/outside"
    : >"$place/rclone"
    start_store && to_store rclone mkdir REMOTE:apod || return 1
    once "rclone says no word" silent to_store bash -c "$line"
    once "what is there is the folder, and nothing that is a person's or hidden" \
        diff <(public) <(to_store rclone lsf -R --files-only REMOTE:apod | sort)
    once "again, it sends nothing" [ -z "$(to_store bash -c "$line -v --stats-one-line" 2>&1 | grep Copied)" ]
    once "latest.jpg is a picture there" cmp "$root/latest.jpg" <(fetch "$store/latest.jpg")
    once "a feed reader finds all that the feed names" /usr/bin/python3 "$here/Web/storage.py" feed "$root" "$store"
    once "the gallery shows pictures, a video and a favorite in Chromium" \
        "$build_python" "$here/Web/storage.py" gallery "$root" "$store"
    once "without --copy-links, rclone leaves out the links to the newest" [ "$(to_store bash -c \
        "${line/--copy-links/--dry-run}" 2>&1 | grep -c "latest.*: Can't follow symlink")" = 3 ]
}

client_hostile() {
    local told status
    begin_photos && stop_mirror && head -c 30000000 /dev/urandom >"$root/big.mp4" && make_network 10.9.8.7 ||
        return 1
    start_led serve "$mirror_program" serve --config /dev/null --root "$root" --listen 0.0.0.0:8095
    eventually asks http://127.0.0.1:8095/health || return 1
    told=$(led timeout 300 /usr/bin/python3 "$here/Web/hostile.py" 8095 "${background[-1]}")
    status=$?
    say "$told"
    seen+=("$(sed -n 's/^# //p' <<<"$told")")
    told=$(grep -v '^#' <<<"$told")
    once "floods are refused, crowds bounded, and others answered meanwhile${told:+: ${told//;/,}}" test "$status" = 0 -a -z "$told"
}

# A mirror with real pictures and a video, on the web.
start_full() { begin_photos && start_web; }

# line KIND: a recipe of WEB.md with the mirror's own address.
line() { recipe "$1" | sed "s|http://SERVER:8095|$web|g"; }

client_settings() {
    start_full || return 1
    local kind title
    title=$(jq -r .title "$root/latest.json")
    for kind in home-assistant glance; do line "yaml $kind" >"$place/$kind"; done
    line "js mmm-apod" >"$place/mmm-apod"
    line "python inky-frame" >"$place/inky-frame"
    for kind in home-assistant glance mmm-apod inky-frame feed; do
        once "$kind" "$web_programs/bin/python" "$here/Web/settings.py" $kind "$web" "$title" "$place/$kind"
    done
    { printf '%s\n' 'conky.config = { alignment = "top_left", own_window = true, own_window_type = "override",' \
        'own_window_colour = "000000", double_buffer = true, use_xft = true, font = "DejaVu Sans:size=10", minimum_width = 700, minimum_height = 500, total_run_times = 0 }' \
        'conky.text = [['; line conky | sed "s|/tmp/apod.jpg|$place/apod.jpg|g"; echo ']]'; } >"$place/conky"
    start_conky
    check "conky shows a picture of its size" conky_shows
}

start_conky() {
    start_screen || return 1
    conky -c "$place/conky" >"$place/conky.log" 2>&1 &
    ends
}

# The newest picture is blue.
conky_shows() {
    [ "$(identify -format %wx%h "$place/apod.jpg")" = 640x400 ] &&
        import -window root "$place/shot.png" 2>/dev/null &&
        [ "$(pixel "$place/shot.png")" = "$(pixel "$place/apod.jpg")" ]
}

pixel() { convert "$1" -format '%[pixel:p{300,250}]' info:; }

client_video() {
    start_full || return 1
    local kind told
    stop_mirror
    # Half a minute, with a key frame each second.
    ffmpeg -loglevel error -f lavfi -i testsrc2=size=640x360:rate=25:duration=30 -g 25 -pix_fmt yuv420p -b:v 4M \
        -movflags +faststart "$root/long.mp4" </dev/null &&
        ffmpeg -loglevel error -i "$root/long.mp4" -c:v libvpx -deadline realtime -b:v 4M -g 25 "$root/long.webm" </dev/null ||
        return 1
    for kind in mp4 webm; do
        told=$("$build_python" "$here/Web/seeking.py" "$web/long.$kind")
        once "Chromium plays $kind, and seeks${told:+ ($told)}" [ -n "$told" ]
    done
    once "and the video of a day in the gallery" "$build_python" "$here/Web/seeking.py" "$web/index.html#2019-04-30"
}
