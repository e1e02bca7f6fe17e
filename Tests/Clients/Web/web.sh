# shellcheck shell=bash disable=SC2034,SC2154
# Programs that were written for NASA's servers, and those that fetch files, at a mirror on the web.

web_programs=$package/.build/clients/web
build_python=$package/.build/python/bin/python3
web_modules="import nasapy, bs4, requests, moto, jinja2, yaml"

prepare_web() {
    need promtool prometheus && need nginx nginx-light && need rclone rclone &&
        need conky conky-std && need ffmpeg ffmpeg || return 1
    [ -d /usr/share/doc/python3-venv ] || install_package python3-venv
    [ -x "$web_programs/bin/python" ] && "$web_programs/bin/python" -c "$web_modules" 2>/dev/null && return
    { /usr/bin/python3 -m venv "$web_programs" &&
        timeout 300 "$web_programs/bin/pip" install -q nasapy pandas beautifulsoup4 requests \
            "moto[server,s3]" jinja2 pyyaml >&2; } ||
        { say "programs of the web cannot be had"; return 1; }
}

# start_web: sets web to the mirror's address.
start_web() {
    web=http://127.0.0.1:$(free_port)
    "$mirror_program" serve --config /dev/null --root "$root" --listen "${web#http://}" >"$place/web" 2>&1 &
    ends
    eventually curl -sf --noproxy '*' -o /dev/null "$web/health"
}

fetch() { curl -s --noproxy '*' --max-time 20 "$@"; }

# metric NAME: its value.
metric() { fetch "$web/metrics" | awk -v name="$1" '$1 == name { print $2 }'; }

client_promtool() {
    start_web || return 1
    fetch "$web/metrics" >"$place/metrics"
    once "promtool has nothing to say of the metrics" silent promtool check metrics <"$place/metrics"
    once "which count the days" [ "$(metric apod_mirror_records)" = 3 ]
}

# nginx in front: what a thousand readers want is asked for once.
client_proxy() {
    start_web || return 1
    local port=$(free_port) before after name
    mkdir "$place/nginx" && cat >"$place/nginx/conf" <<END
daemon off; worker_processes 1; pid $place/nginx/pid; error_log $place/nginx/error.log; user root;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $place/nginx/a; proxy_temp_path $place/nginx/b; fastcgi_temp_path $place/nginx/c;
    uwsgi_temp_path $place/nginx/d; scgi_temp_path $place/nginx/e;
    $(recipe nginx | sed "s|/var/lib/nginx/apod|$place/nginx/cache|; s|listen 80|listen 127.0.0.1:$port|
        s|http://127.0.0.1:8095|$web|")
}
END
    nginx -p "$place/nginx" -c "$place/nginx/conf" -e "$place/nginx/error.log" 2>/dev/null &
    ends
    eventually fetch -f -o /dev/null "http://127.0.0.1:$port/health" || return 1
    before=$(metric apod_mirror_http_requests_total)
    yes "url = \"http://127.0.0.1:$port/${pictures[0]// /%20}\"
output = /dev/null" | head -2000 >"$place/nginx/list"
    fetch -f --parallel --parallel-max 50 --config "$place/nginx/list" || return 1
    after=$(metric apod_mirror_http_requests_total)
    seen+=("$((after - before - 1)) for 1000 readers")
    once "nginx in front asks once for a thousand readers" [ $((after - before - 1)) = 1 ]
    for name in 127.0.0.1 localhost; do
        once "v1's addresses lead to $name, where it was asked" \
            grep -q "http://$name:$port/" <(fetch "http://$name:$port/planetary/apod")
    done
    once "a new favorite is told at once" told_news "http://127.0.0.1:$port/events"
}

# told_news ADDRESS: what comes there tells of a favorite within seconds.
told_news() {
    local news_id
    curl -sN --noproxy '*' --max-time 20 "$1" >"$place/news" 2>/dev/null &
    news_id=$!
    eventually [ -s "$place/news" ] && cp "$place/news" "$place/news.first" &&
        ln -s "../${pictures[0]}" "$root/favorites/" && eventually differ "$place/news" "$place/news.first"
    local status=$?
    stop $news_id
    return $status
}

differ() { ! cmp -s "$1" "$2"; }

client_hearts() {
    stop_mirror
    upstream=http://127.0.0.1:9 APOD_MIRROR_GALLERY=yes APOD_MIRROR_WEB_FAVORITES=yes start_mirror --root "$root" &&
        start_web && eventually [ -e "$root/index.html" ] || return 1
    once "a heart that a phone taps is a link, a link is a heart in a second browser" \
        /usr/bin/python3 "$here/Web/hearts.py" "$root" "$web" 2019-04-30 2019-05-01
}
