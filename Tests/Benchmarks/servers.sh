# The upstream, and nginx for its pictures, both on the loopback interface.

# Unpacked, not installed: Debian's package would start a service.
find_nginx() {
    nginx_program=$(PATH=$PATH:/usr/sbin command -v nginx) && return
    nginx_program=$1/nginx/usr/sbin/nginx
    [ -x "$nginx_program" ] && return
    say "fetching nginx"
    mkdir -p "$1/nginx"
    for name in nginx nginx-light; do
        (cd "$1/nginx" && timeout 120 apt-get download -q $name >&2 && dpkg -x ${name}_*.deb .)
        [ -x "$nginx_program" ] && return
    done
    return 1
}

# start_nginx FOLDER: sets pictures to its origin.
start_nginx() {
    [ -x "$nginx_program" ] || { lacking=nginx; return 1; }
    local prefix=$work/nginx port
    for _ in 1 2 3 4 5; do
        port=$((20000 + RANDOM % 20000))
        mkdir -p "$prefix" && rm -f "$prefix/pid" && nginx_settings "$1" $port >"$prefix/nginx.conf"
        "$nginx_program" -p "$prefix" -c "$prefix/nginx.conf" -e "$prefix/error.log" 2>/dev/null &
        nginx_id=$!
        pictures=http://127.0.0.1:$port
        # Written once the port is its own; another server there would answer too.
        for _ in {1..80}; do
            [ ! -s "$prefix/pid" ] || return 0
            kill -0 $nginx_id 2>/dev/null || break
            sleep 0.05
        done
        stop_nginx
    done
    say "nginx does not start: $(tail -1 "$prefix/error.log")"
    return 1
}

nginx_settings() {
    local user= prefix=$work/nginx
    [ "$(id -u)" != 0 ] || user="user root;"
    cat <<END
daemon off; $user worker_processes 1; pid $prefix/pid;
events { worker_connections 1024; }
http {
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { image/jpeg jpg; }
    client_body_temp_path $prefix/a; proxy_temp_path $prefix/b; fastcgi_temp_path $prefix/c;
    uwsgi_temp_path $prefix/d; scgi_temp_path $prefix/e;
    server { listen 127.0.0.1:$2; root $1; }
}
END
}

stop_nginx() {
    [ -n "${nginx_id:-}" ] && kill "$nginx_id" 2>/dev/null && wait "$nginx_id" 2>/dev/null
    nginx_id=
}

# start_upstream OPTION…: sets upstream and oldest. It ends with this script, whatever happens to it.
start_upstream() {
    exec 9< <(exec "$upstream_program" --newest "$newest" "$@")
    upstream_id=$!
    read -r -t 60 upstream <&9 && read -r -t 5 oldest <&9
}

stop_upstream() {
    [ -n "${upstream_id:-}" ] && kill "$upstream_id" 2>/dev/null && wait "$upstream_id" 2>/dev/null
    upstream_id=
    exec 9<&-
}

# write_pictures DAYS BYTES: sets folder, once for each kind.
write_pictures() {
    folder=$work/pictures-$1-$2
    [ -d "$folder" ] || timeout 300 "$upstream_program" --write-pictures "$folder" --newest "$newest" \
        --days "$1" --bytes "$2"
}

# serve DAYS BYTES: a whole upstream, its pictures at nginx.
serve() {
    stop_upstream
    stop_nginx
    write_pictures "$1" "$2" && start_nginx "$folder" && start_upstream --days "$1" --bytes "$2" --pictures "$pictures"
}
