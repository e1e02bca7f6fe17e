# shellcheck shell=bash disable=SC2154
# The page of a mirror that runs, in Chromium and Firefox, around invented days of all kinds.

client_gallery() {
    begin_photos || return 1
    local told status
    told=$(timeout 1800 "$here/gallery.py" mirror "$root")
    status=$?
    say "$told"
    told=$(grep -v '^#' <<<"$told")
    once "every view at each size, and gestures${told:+: ${told//;/,}}" test "$status" = 0 -a -z "$told"
}

client_firefox() {
    need firefox-esr firefox-esr || return 1
    local python=$package/.build/python/bin told status
    "$python/python3" -c "import websockets" 2>/dev/null || timeout 300 "$python/pip" install -q websockets >&2 || return 1
    begin_photos || return 1
    told=$(timeout 600 "$here/gallery.py" firefox "$root")
    status=$?
    once "each view, from the disk and from a server${told:+: ${told//;/,}}" test "$status" = 0 -a -z "$told"
}
