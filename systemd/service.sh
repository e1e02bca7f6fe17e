# shellcheck shell=bash
# The service: started, stopped, or run in the foreground where there is no systemd.

manager() { if [ $scope = system ]; then privileged systemctl "$@"; else systemctl --user "$@"; fi; }

systemd_runs() { [ -d /run/systemd/system ]; }

# A person's own systemd runs from login to logout.
find_manager() {
    [ $scope = user ] && systemd_runs || return 0
    export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
    systemctl --user show-environment >/dev/null 2>&1 ||
        die "your own systemd does not run: log in as yourself, not by su or sudo, and run this again"
}

start() {
    ! command -v systemctl >/dev/null || manager enable --quiet apod-mirror.service
    systemd_runs || run_in_foreground
    manager daemon-reload
    say "starting"
    manager restart apod-mirror.service || { show_journal; die "it did not start; what is above says why"; }
    echo "apod-mirror runs."
    tell
}

show_journal() {
    local which=(--unit apod-mirror)
    [ $scope = system ] || which=(--user --unit apod-mirror)
    privileged journalctl --quiet --no-pager --lines 10 --output cat "${which[@]}" >&2 || :
}

tell() {
    local user=
    [ $scope = system ] || user=" --user"
    echo "pictures   $root"
    echo "favorites  drop a link to a picture into $root/favorites"
    echo "settings   $settings; then: ${sudo[*]:+sudo }systemctl$user reload apod-mirror"
    echo "messages   ${sudo[*]:+sudo }journalctl$user -u apod-mirror"
    echo "more       apod-mirror status, man apod-mirror"
    [ "$joined" = no ] || echo "You are in the group apod-mirror from your next login on; then favorites is yours."
    [ $scope = system ] || echo "It runs while you are logged in; to have it run always: loginctl enable-linger"
    [[ :$PATH: == *":$prefix/bin:"* ]] || echo "The command is $prefix/bin/apod-mirror, which is not in your PATH."
}

# Does not return.
run_in_foreground() {
    tell
    echo "systemd does not run here, so it runs in the foreground, until Ctrl-C."
    [ $scope = system ] || exec "$prefix/bin/apod-mirror" run
    local folder
    for folder in /run/apod-mirror /var/lib/apod-mirror; do
        privileged install -d -o apod-mirror -g apod-mirror -m 755 "$folder"
    done
    exec "${sudo[@]}" "${mirror[@]}" \
        env -i PATH=/usr/bin:/bin HOME=/var/lib/apod-mirror LANG=C.UTF-8 \
        RUNTIME_DIRECTORY=/run/apod-mirror STATE_DIRECTORY=/var/lib/apod-mirror \
        sh -c 'umask 0002 && exec "$1" run --config /etc/apod-mirror.conf' sh "$prefix/bin/apod-mirror"
}

uninstall() {
    [ -e "$unit" ] || { echo "apod-mirror is not installed here."; return 0; }
    program=$prefix/bin/apod-mirror
    root=$(setting root) || root="the folder that the settings name"
    if command -v systemctl >/dev/null; then
        manager disable --quiet apod-mirror.service
        ! systemd_runs || manager stop apod-mirror.service
    fi
    remove_files
    ! systemd_runs || manager daemon-reload
    echo "apod-mirror is removed. Kept:"
    echo "pictures   $root"
    echo "settings   $settings"
    [ $scope = user ] || echo "user       apod-mirror, whose they are, and what it remembers in /var/lib/apod-mirror"
}
