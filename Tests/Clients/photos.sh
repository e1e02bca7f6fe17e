# shellcheck shell=bash disable=SC2034,SC2154
# A mirror with all that is made of its pictures: gallery, smaller copies, thumbnails, sidecars.

begin_photos() {
    stop_mirror
    APOD_MIRROR_GALLERY=yes APOD_MIRROR_THUMBNAILS=yes APOD_MIRROR_SIDECARS=yes start_mirror --root "$root" || return 1
    # Decoders let all others go first.
    for _ in 1 2 3 4 5; do ! eventually is_complete || return 0; done
    seen+=("NOT to be made")
    return 1
}

is_complete() {
    [ "$(find "$root/gallery" -name '*-1280.jpg' | wc -l)" = 3 ] && [ -e "$root/latest.jpg" ] &&
        [ "$(find "$root/2019" -name '*.xmp' | wc -l)" = 3 ] &&
        [ "$(find "$root/2019" -path '*/.sh_thumbnails/*.png' | wc -l)" -ge 12 ]
}
