# shellcheck shell=bash disable=SC2016,SC2154
# Programs that ask NASA's servers, led to the mirror by the recipe of WEB.md. Word for word: it is tried in a network of
# its own, where 192.168.1.10 is the mirror's machine, 9.9.9.9 a name server outside, and 198.51.100.7 is NASA.

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
    led_ids+=($!)
}

stop_led() {
    local id
    for id in ${led_ids[@]+"${led_ids[@]}"} "${net_id:-}"; do stop "$id"; done
    led_ids=() net_id=""
}

# make_network ADDRESS…: that this machine has there.
make_network() {
    led_ids=() net=$place/net && mkdir "$net" || return 1
    unshare --net --mount sleep 600 &
    net_id=$!
    eventually is_apart && led ip link set lo up || return 1
    for address; do led ip address add "$address/32" dev lo; done
}

is_apart() { [ "$(readlink "/proc/$net_id/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }

# Its own name server and certificates.
make_home() {
    make_network 192.168.1.10 9.9.9.9 198.51.100.7 || return 1
    echo "nameserver 192.168.1.10" >"$net/resolv.conf"
    led bash -e -c 'mount --bind "$1/resolv.conf" /etc/resolv.conf
        cp -a /etc/ssl "$1/ssl" && mount --bind "$1/ssl" /etc/ssl
        mount -t tmpfs certificates /usr/local/share/ca-certificates' - "$net"
}

# NASA: answers with what it is asked, by a certificate that everybody trusts.
start_nasa() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=nasa -addext 'subjectAltName=DNS:*.nasa.gov' \
        -keyout "$net/nasa.key" -out "$net/nasa.crt" 2>/dev/null &&
        led cp "$net/nasa.crt" /usr/local/share/ca-certificates/nasa.crt && led update-ca-certificates >&2 || return 1
    start_led nasa /usr/bin/python3 "$here/nasa.py" 198.51.100.7 "$net/nasa.crt" "$net/nasa.key"
    start_led outside dnsmasq --keep-in-foreground --conf-file=/dev/null --no-resolv --no-hosts --pid-file \
        --bind-interfaces --listen-address=9.9.9.9 --address=/nasa.gov/198.51.100.7 --address=/nasa.gov/2001:db8::7
}

start_recipe() {
    recipe 'ini dnsmasq' >"$net/apod.conf"
    recipe caddyfile >"$net/Caddyfile"
    start_led inside dnsmasq --keep-in-foreground --conf-file="$net/apod.conf" --no-resolv --no-hosts --pid-file \
        --bind-interfaces --listen-address=192.168.1.10 --server=9.9.9.9
    start_led serve "$mirror_program" serve --config /dev/null --root "$root" --listen 127.0.0.1:8095
    start_led caddy caddy run --config "$net/Caddyfile" --adapter caddyfile
    certificate=$net/.local/share/caddy/pki/authorities/local/root.crt
    eventually [ -s "$certificate" ] && eventually asks -k https://apod.nasa.gov/health
}

asks() { led curl -sf --noproxy '*' --max-time 10 -o /dev/null "$@"; }

# says WORD COMMAND…: it is in what the command prints.
says() { led timeout 60 "${@:2}" 2>&1 | tee -a "$net/said" | grep -qF -- "$1"; }

fails() { ! "$@"; }

# addresses NAME: all that the name server tells.
addresses() { led dig +short "$1" A "$1" AAAA | xargs; }

client_led() {
    local python=$web_programs/bin/python trusted=/usr/local/share/ca-certificates/apod.crt
    local bundle=REQUESTS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt extra=NODE_EXTRA_CA_CERTS=$trusted
    local page=https://apod.nasa.gov/apod/astropix.html api="https://api.nasa.gov/planetary/apod?api_key=DEMO_KEY"
    local title newest picture
    title=$(jq -r .title "$root/latest.json") newest=$root/${pictures[2]}
    make_home && start_nasa && start_recipe || return 1
    once "both names lead to the mirror, without NASA's IPv6" \
        [ "$(addresses apod.nasa.gov) $(addresses api.nasa.gov)" = "192.168.1.10 192.168.1.10" ]
    once "and others to NASA" [ "$(addresses science.nasa.gov)" = "198.51.100.7 2001:db8::7" ]
    once "nobody trusts Caddy yet" fails asks "$page"
    led cp "$certificate" $trusted && led update-ca-certificates >&2
    once "curl has a day of the old site" says "$title" curl -s "$page"
    once "also without TLS" says "$title" curl -s http://apod.nasa.gov/apod/astropix.html
    picture=$(led curl -s "$api" | jq -r .hdurl)
    once "api.nasa.gov's picture is the mirror's" cmp "$newest" <(led curl -s "$picture")
    once "what else api.nasa.gov has comes from NASA" says "NASA: GET api.nasa.gov /neo/rest/v1/feed?api_key=K&a=%2F" \
        curl -s 'https://api.nasa.gov/neo/rest/v1/feed?api_key=K&a=%2F'
    once "also what is posted" says "NASA: POST api.nasa.gov /EPIC/x hello" curl -s -d hello https://api.nasa.gov/EPIC/x
    once "urllib reads it" says "$title" /usr/bin/python3 -c "$reading_urllib" "$api"
    once "requests not without its variable" fails says "$title" "$python" -c "$reading_requests" "$api"
    once "and with it" says "$title" env $bundle "$python" -c "$reading_requests" "$api"
    once "nasapy, as it is, asks for all its days" led env $bundle "$python" "$here/Web/web.py" nasapy https://api.nasa.gov \
        2019-05-01 2019-04-30 2019-04-29
    once "BeautifulSoup reads the old pages" led "$python" "$here/Web/web.py" scraper https://apod.nasa.gov \
        2019-05-01 2019-04-30 2019-04-29
    once "aionasa, as it is" says "$title" "$python" -c "$reading_aionasa"
    once "Variety's source, as it is, fetches a picture" says "$net/variety" /usr/bin/python3 -c "$reading_variety" "$net/variety"
    once "Node not without its variable" fails says "$title" node -e "$reading_node" "$api"
    once "and with it" says "$title" env $extra node -e "$reading_node" "$api"
    mkdir -p "$net/.pki/nssdb" && certutil -d "sql:$net/.pki/nssdb" -N --empty-password &&
        certutil -d "sql:$net/.pki/nssdb" -A -t C,, -n apod -i "$certificate"
    once "Chromium opens the old page" says "$title" chromium --headless --no-sandbox --dump-dom "$page"
}

reading_urllib='import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())'
reading_requests='import sys, requests; print(requests.get(sys.argv[1]).text)'
reading_variety='
import sys
from variety.plugins.builtin.downloaders.APODDownloader import APODDownloader
source = APODDownloader()
source.set_variety(None)
source.update_download_folder(sys.argv[1])
print(source.download_queue_item(source.fill_queue()[0]))'
reading_node='fetch(process.argv[1]).then(a => a.text()).then(console.log)'
reading_aionasa='
import asyncio, aionasa
async def main():
    async with aionasa.APOD("DEMO_KEY") as apod:
        print((await apod.get()).title)
asyncio.run(main())'
