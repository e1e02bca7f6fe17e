# Thunar in a window that nobody sees, as an ordinary person. Set SHOTS=FOLDER to see it nevertheless.

start_thunar() {
    mkdir -m 700 "$place/home" && chown nobody "$place/home"
    start_screen || return 1
    # It opens what it is told, one after the other: the first is the one that has the others' windows too.
    mkfifo "$place/folders" && exec 7<>"$place/folders"
    as_person timeout 120 dbus-run-session bash -c 'openbox & while read -r folder; do thunar "$folder" & done' \
        <&7 >"$place/session.log" 2>&1 &
    ends
    show favorites favorites 560 10
}

# show FOLDER NAME WIDTH LEFT: the first icon is 240 from the left and 128 from above then.
show() {
    local window
    echo "$root/$1" >&7
    eventually find_window "$2" >/dev/null && window=$(find_window "$2" | head -1) || return 1
    xdotool windowsize "$window" "$3" 600 windowmove "$window" "$4" 50 windowraise "$window"
    # Until the pictures are drawn.
    sleep 3
    shoot "$2"
}

find_window() { xdotool search --onlyvisible --name "^$1 - Thunar"; }

as_person() {
    "${person[@]}" env HOME="$place/home" XDG_RUNTIME_DIR="$place/home" \
        LANG=C.UTF-8 "$@"
}

# drag FROM TO [KEY…]: the keys are held while it is let go of. Nothing happens without moves in between.
drag() {
    local from=($1) to=($2) step
    shift 2
    xdotool mousemove "${from[@]}" sleep 0.3 mousedown 1 sleep 0.2
    for step in 1 2 3 4 5 6 7 8; do
        xdotool mousemove $((from[0] + (to[0] - from[0]) * step / 8)) $((from[1] + (to[1] - from[1]) * step / 8)) sleep 0.08
    done
    [ $# = 0 ] || xdotool keydown "$@"
    xdotool sleep 0.2 mousemove_relative 3 3 sleep 0.4
    shoot dragged
    xdotool mouseup 1 sleep 0.3
    [ $# = 0 ] || xdotool keyup "$@"
}

# drag_in NAME TO [KEY…]: the first icon of the month's window. A busy window misses what is done to it.
drag_in() {
    local name=$1
    shift
    for _ in 1 2 3; do
        drag "840 178" "$@"
        for _ in {1..30}; do
            [ ! -L "$root/favorites/$name" ] && [ ! -e "$root/favorites/$name" ] || return 0
            sleep 0.1
        done
        xdotool key Escape mousemove 1100 600 click 1
    done
}

shoot() { [ -z "${SHOTS:-}" ] || import -window root "$SHOTS/$EPOCHSECONDS $1.png"; }

client_thunar() {
    stop_mirror
    chown -R nobody:nogroup "$root"
    runs_as=("${person[@]}" env HOME="$place/home")
    start_mirror --root "$root" && start_thunar && show 2019/04 04 580 600 || { seen+=("NOT to be started"); return 1; }
    local name
    name=$(basename "${pictures[0]}")
    drag_in "$name" "450 400" ctrl shift
    check "drag with ctrl and shift makes a link, which is made relative" leads "$name" "${pictures[0]}"
    name=$(basename "${pictures[2]}")
    # A plain drag moves what is the person's own: it goes back.
    show 2019/05 05 580 600 && drag_in "$name" "350 520"
    check "both become links of the mirror" become "$(basename "${pictures[0]}")=0" "$name=2"
    check "verify finds all whole" whole
}
