# A mirror of three days that runs, and what became of its favorites folder.

# Nothing is made of the pictures, but for `begin_photos`.
settings=(--config /dev/null)
export APOD_MIRROR_RATE=0 APOD_MIRROR_GALLERY=no APOD_MIRROR_THUMBNAILS=no

# begin: sets root and pictures, and starts the mirror.
begin() {
    place=$(mktemp -d "$work/client-XXXXXX") && chmod 755 "$place"
    runs_as=()
    root=$place/APOD
    log=$place/log
    start_upstream && fill --root "$root" && start_mirror --root "$root"
}

start_upstream() {
    exec 9< <(exec "$upstream_program" --days 3 --skies 640x480 --newest 2019-05-01)
    upstream_id=$!
    read -r -t 60 upstream <&9
}

# fill OPTION…: sets pictures to those that there are, from the root.
fill() {
    mirror sync --since 2019-04-29 --until 2019-05-01 "$@" >&2 || return 1
    mapfile -t pictures < <(cd "$root" && find 2019 -name '*.jpg' | sort)
    [ ${#pictures[@]} = 3 ]
}

mirror() {
    local command=$1
    shift
    APOD_MIRROR_UPSTREAM=$upstream timeout 60 "$mirror_program" "$command" "${settings[@]}" "$@"
}

# start_mirror OPTION…: by what `runs_as` goes before it.
start_mirror() {
    (umask 0002 && exec timeout 120 "${runs_as[@]}" "$mirror_program" run "${settings[@]}" --upstream "$upstream" "$@" >"$log" 2>&1) &
    mirror_id=$!
    eventually grep -qE 'watching|looking into' "$log"
}

stop_mirror() {
    stop "${mirror_id:-}"
    mirror_id=
}

end() {
    stop_mirror
    stop_box
    stop_sshfs
    stop_background
    stop "${upstream_id:-}"
    upstream_id=
    exec 7>&- 9<&-
}

# leads NAME PICTURE: it is a link as the mirror makes it, in the folder itself or an album.
leads() {
    local up=${1//[^\/]/}
    [ "$(readlink "$root/favorites/$1")" = "../${up//\//../}$2" ]
}

# become NAME=NUMBER…: links to these of the pictures, as the mirror makes them, and all the favorites that there are.
become() {
    local each
    for each; do leads "${each%=*}" "${pictures[${each#*=}]}" || return 1; done
    listed "$(printf '%s\n' "${@%=*}" | sort | xargs)"
}

# listed NAME…: these are the favorites' links, in the order of favorites.json.
listed() {
    [ "$(jq -r '[.[].links[]] | sort | join(" ")' "$root/favorites.json")" = "$*" ]
}

# whole PICTURE: its place in the tree has what the catalog says.
whole() { mirror verify --root "$root" >/dev/null; }
