# shellcheck shell=bash disable=SC2016,SC2154
# Programs that were written for NASA's servers, with the mirror's address; and networks of their own.

# recipe KIND: a block of WEB.md.
recipe() {
    awk -v begin="\`\`\`$1" '{ line = substr($0, on ? indent : match($0, /[^ ]/)) } line == "```" { on = 0 }
        on { print line } line == begin { on = 1; indent = match($0, /[^ ]/) }' "$package/systemd/doc/WEB.md"
}

# led COMMAND…: in that network, with nothing of this machine's environment.
led() { nsenter -t "$net_id" -n -m env -i PATH="$PATH" HOME="$net" LANG=C.UTF-8 "$@"; }

# start_led WHAT COMMAND…: in the background.
start_led() {
    local what=$1
    shift
    # Not through the function: what is started is to be what `stop` ends.
    nsenter -t "$net_id" -n -m env -i PATH="$PATH" HOME="$net" "$@" >"$net/$what.log" 2>&1 </dev/null &
    ends
}

# make_network ADDRESS…: that this machine has there.
make_network() {
    net=$place/net && mkdir "$net" || return 1
    unshare --net --mount sleep 600 &
    net_id=$!
    ends
    eventually is_apart && led ip link set lo up || return 1
    for address; do led ip address add "$address/32" dev lo; done
}

is_apart() { [ "$(readlink "/proc/$net_id/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }

asks() { led curl -sf --noproxy '*' --max-time 10 -o /dev/null "$@"; }

client_programs() {
    local python=$web_programs/bin/python program
    start_web || return 1
    for program in nasapy scraper; do
        once "$program, led to the mirror, has all its days" "$python" "$here/Web/web.py" $program "$web" 2019-05-01 \
            2019-04-30 2019-04-29
    done
}
