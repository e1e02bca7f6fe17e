# shellcheck shell=bash disable=SC2154
# The page of a mirror that runs, in Chromium, around invented days of all kinds.

client_gallery() {
    begin_photos || return 1
    local told status
    told=$(timeout 1800 "$here/gallery.py" mirror "$root")
    status=$?
    say "$told"
    told=$(grep -v '^#' <<<"$told")
    once "walls, ways, the viewer, slides and access${told:+: ${told//;/,}}" test "$status" = 0 -a -z "$told"
}
