# The upstream, and nginx for its pictures, both on the loopback interface.

# at_port NAME WORDS…: begin_NAME at a port of its own, which ends with `stop`, until is_NAME; sets port.
at_port() {
    local name=$1
    for _ in 1 2 3 4 5; do
        port=$((20000 + RANDOM % 20000))
        "begin_$name" "${@:2}" 2>/dev/null &
        printf -v "${name}_id" %s $!
        for _ in {1..80}; do
            ! "is_$name" || return 0
            kill -0 $! 2>/dev/null || break
            sleep 0.05
        done
        stop "$name"
    done
    say "$name does not start"
    return 1
}

# stop NAME…: what was started so, or not at all.
stop() {
    local name id
    for name; do
        id=${name}_id
        [ -z "${!id:-}" ] || { kill "${!id}" && wait "${!id}"; } 2>/dev/null
        printf -v "$id" ''
    done
}

# start_nginx FOLDER: sets pictures to its origin.
start_nginx() {
    has nginx || return 1
    stop nginx
    prefix=$work/nginx
    mkdir -p "$prefix" && at_port nginx "$1" && pictures=http://127.0.0.1:$port
}

begin_nginx() {
    local user=
    [ "$(id -u)" != 0 ] || user="user root;"
    rm -f "$prefix/pid"
    cat >"$prefix/conf" <<END
daemon off; $user worker_processes 1; pid $prefix/pid;
events { worker_connections 1024; }
http {
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { image/jpeg jpg; }
    client_body_temp_path $prefix/a; proxy_temp_path $prefix/b; fastcgi_temp_path $prefix/c;
    uwsgi_temp_path $prefix/d; scgi_temp_path $prefix/e;
    server { listen 127.0.0.1:$port; root $1; }
}
END
    exec nginx -p "$prefix" -c "$prefix/conf" -e "$prefix/error.log"
}

# Written once the port is its own; another server there would answer too.
is_nginx() { [ -s "$prefix/pid" ]; }

# start_upstream OPTION…: sets upstream and oldest. It ends with this script, whatever happens to it.
start_upstream() {
    stop upstream
    exec 9< <(exec "$upstream_program" --newest "$newest" "$@")
    upstream_id=$!
    read -r -t 60 upstream <&9 && read -r -t 5 oldest <&9
}

# write_pictures DAYS BYTES: sets folder, once for each kind.
write_pictures() {
    folder=$work/pictures-$1-$2
    [ -d "$folder" ] || timeout 300 "$upstream_program" --write-pictures "$folder" --newest "$newest" \
        --days "$1" --bytes "$2"
}

# serve DAYS BYTES: a whole upstream, its pictures at nginx.
serve() { write_pictures "$1" "$2" && start_nginx "$folder" && start_upstream --days "$1" --bytes "$2" --pictures "$pictures"; }
