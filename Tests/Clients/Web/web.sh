# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# Programs that were written for NASA's servers, and those that fetch files, at a mirror on the web.

web_programs=$package/.build/clients/web

prepare_web() {
    need promtool prometheus && need nginx nginx-light && need rclone rclone || return 1
    need_python "$web_programs" "nasapy, bs4, requests, moto, jinja2, yaml" nasapy pandas beautifulsoup4 requests "moto[server,s3]" \
        jinja2 pyyaml
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
        "$package/.build/python/bin/python3" "$here/Web/hearts.py" "$root" "$web" 2019-04-30 2019-05-01
}

# recipe KIND: a block of WEB.md.
recipe() {
    awk -v begin="\`\`\`$1" '{ line = substr($0, on ? indent : match($0, /[^ ]/)) } line == "```" { on = 0 }
        on { print line } line == begin { on = 1; indent = match($0, /[^ ]/) }' "$package/systemd/doc/WEB.md"
}

# asks KIND WORD…
asks() { "$web_programs/bin/python" "$here/Web/programs.py" "$1" "$web" "${@:2}"; }

client_programs() {
    local program
    start_web || return 1
    for program in nasapy scraper; do
        once "$program, led to the mirror, has all its days" asks $program 2019-05-01 2019-04-30 2019-04-29
    done
}

# Amazon's S3, played by moto: sets store to the address of the bucket.
start_store() {
    local port=$(free_port)
    store=http://127.0.0.1:$port/apod
    "$web_programs/bin/moto_server" -H 127.0.0.1 -p "$port" >"$place/store" 2>&1 &
    ends
    eventually fetch -o /dev/null "http://127.0.0.1:$port/"
}

# to_store COMMAND…: with the bucket as REMOTE:BUCKET.
to_store() {
    env -u AWS_CA_BUNDLE NO_PROXY='*' RCLONE_CONFIG="$place/rclone" RCLONE_CONFIG_REMOTE_TYPE=s3 \
        RCLONE_CONFIG_REMOTE_PROVIDER=Other RCLONE_CONFIG_REMOTE_ACL=public-read \
        RCLONE_CONFIG_REMOTE_ENDPOINT="${store%/apod}" \
        RCLONE_CONFIG_REMOTE_ACCESS_KEY_ID=x RCLONE_CONFIG_REMOTE_SECRET_ACCESS_KEY=x "$@"
}

# What is to be in the bucket: what is no person's and not hidden.
public() {
    (cd "$root" && find -L . -type f -not -path '*/.*' -not -path './favorites/*' -not -name favorites.json) |
        sed 's|^\./||' | sort
}

client_storage() {
    begin_photos || return 1
    local line
    line=$(recipe 'sh rclone' | sed "s|/srv/apod|'$root'|; s|BUCKET|apod|")
    mkdir "$root/favorites/Album" && echo private >"$root/favorites/Album/own.txt" && ln -s /etc/hostname "$root/favorites/outside"
    : >"$place/rclone"
    start_store && to_store rclone mkdir REMOTE:apod || return 1
    once "rclone says no word" silent to_store bash -c "$line"
    once "what is there is the folder, and nothing that is a person's or hidden" \
        diff <(public) <(to_store rclone lsf -R --files-only REMOTE:apod | sort)
    once "again, it sends nothing" [ -z "$(to_store bash -c "$line -v --stats-one-line" 2>&1 | grep Copied)" ]
    once "latest.jpg is a picture there" cmp "$root/latest.jpg" <(fetch "$store/latest.jpg")
}

client_settings() {
    begin_photos && start_web || return 1
    local kind title
    title=$(jq -r .title "$root/latest.json")
    for kind in "yaml home-assistant" "yaml glance" "js mmm-apod" "python inky-frame"; do
        # A recipe of WEB.md with the mirror's own address.
        recipe "$kind" | sed "s|http://SERVER:8095|$web|g" >"$place/recipe"
        once "${kind#* }" asks "${kind#* }" "$title" "$place/recipe"
    done
}
