# The mirror and the programs beside it. Each does its whole work when called, in a fresh folder where that matters.

bounded() { timeout --foreground -k 5 600 "$@"; }

# ours ROOT COMMAND…: by another program, if `via` names one.
via=()
ours() {
    APOD_MIRROR_UPSTREAM=$upstream APOD_MIRROR_RATE=0 APOD_MIRROR_CONNECTIONS=8 \
        bounded "${via[@]}" "$mirror_program" "${@:2}" --config /dev/null --root "$1"
}

sync_all() { ours "$1" sync --since "$oldest"; }

# list_pages: writes the pages of a list of the pictures, a hundred on each, beside them.
list_pages() {
    /usr/bin/python3 - "$folder" <<END
import json, os, sys
folder = sys.argv[1]
paths = sorted(os.path.relpath(os.path.join(at, name), folder)
               for at, _, names in os.walk(folder) for name in names if name.endswith(".jpg"))
text = "<p>What a picture of the sky shows, in <i>several</i> sentences.</p>" * 12
for start in range(0, len(paths), 100):
    items = [{"id": path, "title": f"Spiral {n} in Virgo", "date": f"{2026 - n // 336}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}",
              "content_html": text, "credit": "<p>ESA &amp; others</p>", "image": "/" + path}
             for n, path in list(enumerate(paths))[start:start + 100]]
    page = {"items": items} | ({"next_url": f"{start // 100 + 1}.json"} if start + 100 < len(paths) else {})
    json.dump(page, open(f"{folder}/{start // 100}.json", "w"))
END
}

# list_all ROOT
list_all() {
    printf '%s\n' "root = $1" "list.sky = $pictures/0.json" >"$1.conf" || return 1
    APOD_MIRROR_RATE=0 APOD_MIRROR_CONNECTIONS=8 bounded "$mirror_program" sync --list sky --config "$1.conf"
}

# curl_list LIST: what to fetch, and what to call it.
curl_list() {
    (cd "$folder" && find . -type f -printf '%P\n') |
        awk -v from="$pictures" '{
            n = split($0, part, "/")
            printf "url = \"%s/%s\"\noutput = \"%s\"\n", from, $0, part[n]
        }' >"$1"
}

# curl_all LIST FOLDER
curl_all() {
    mkdir -p "$2"
    (
        cd "$2" &&
            bounded curl --silent --show-error --fail --noproxy '*' --parallel --parallel-max 8 --config "$1" &&
            bounded sha256sum -- * >"$2.sums" && bounded sync -f .
    )
}

# In a folder of its own, because Debian's is older than the sites it knows.
find_gallery_dl() {
    local place=$package/.build/benchmarks/gallery-dl
    gallery_dl_program=$place/bin/gallery-dl
    [ -x "$gallery_dl_program" ] && return
    lacking=gallery-dl
    [ -z "$once" ] || return 1
    say "fetching gallery-dl"
    python3 -m venv "$place" >&2 || { need ensurepip python3-venv; python3 -m venv "$place" >&2; } || return 1
    timeout 300 "$place/bin/pip" install --quiet --disable-pip-version-check gallery-dl >&2
    [ -x "$gallery_dl_program" ] && lacking=
}

gallery_dl_list() { (cd "$folder" && find . -type f -printf "$pictures/%P\n") >"$1"; }

# gallery_dl_all LIST FOLDER
gallery_dl_all() {
    mkdir -p "$2"
    no_proxy='*' bounded "$gallery_dl_program" --config-ignore --quiet --write-metadata \
        --download-archive "$2.sqlite3" --directory "$2" --input-file "$1"
}

sums_all() {
    find "$1" -path "$1/.*" -prune -o -type f -name '*.jpg' -print0 |
        bounded xargs -0 -P "$(nproc)" -n 32 sha256sum >"$1.sums"
}
