# What the commands of every transcript may use.
cd ~ || exit
exec </dev/null
out=$PWD/../out err=$PWD/../err
trap 'kill $(jobs -p) 2>/dev/null' EXIT
at() { export CLOCK_AHEAD=$(($(date -d "$1" +%s) - EPOCHSECONDS)); }
# A minute more with each step.
at '2035-04-30 19:00 UTC'
export LD_PRELOAD=$CLOCK
step() { CLOCK_AHEAD=$((CLOCK_AHEAD + 60)); }
told() {
    cat "$out"
    sed 's/^/! /' "$err"
    [ "$1" = 0 ] || echo "[$1]"
    printf '\036'
}
nasa() {
    local words=()
    for word; do words+=(--data-urlencode "w=$word"); done
    curl -sSG --noproxy '*' "$NASA/steer" "${words[@]}"
}
# Adds lines to the settings; one of the same key goes.
settings() {
    for line; do
        sed -i "/^${line%% *} =/d" ~/.config/apod-mirror.conf
        echo "$line" >>~/.config/apod-mirror.conf
    done
}
# So many days until the newest, and all of them wanted.
days() { nasa days "$1" && settings "since = $(date -d "2035-04-30 - $(($1 - 1)) days" +%F)"; }
# No mirror is remembered to have been here.
anew() { rm -rf ~/APOD ~/.local; }
keys() { grep -E "^ *\"($1)\":"; }
eventually() {
    for _ in $(seq 3000); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.02
    done
    echo "it did not come to that in time: $*"
}
# With $BESIDE, what follows is done beside a service.
begin() { [ -z "$BESIDE" ] || { service && rests; }; }
rests() { eventually eval 'apod-mirror status --json | tr -d "\n" | grep -E "\"doing\": \[\].*\"next_refresh\": \"|\"next_refresh\": \".*\"doing\": \[\]"'; }
service() {
    apod-mirror run "$@" >~/service.out 2>~/service.err &
    eventually grep -q 'watching ' ~/service.out
}
ends() { kill "$1" && wait "$1"; }
tree() { (cd APOD && find . -path ./.apod-mirror -prune -o -type f ! -name '.*' -printf '%P\n' -o -type l -printf '%P -> %l\n' | sort); }
# What bash offers at the end of these words.
offered() { (. "$PACKAGE/systemd/completions/apod-mirror.bash"; compopt() { :; }; COMP_WORDS=(apod-mirror "$@") COMP_CWORD=$#; _apod_mirror; printf '%s\n' "${COMPREPLY[@]}"); }
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
