# shellcheck shell=bash
# The service: started, stopped, or run in the foreground where there is no systemd.

manager() { if [ $scope = system ]; then privileged systemctl "$@"; else systemctl --user "$@"; fi; }

systemd_runs() { [ -d /run/systemd/system ]; }

# A person's own systemd runs from login to logout.
find_manager() {
    [ $scope = user ] && systemd_runs || return 0
    export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
    systemctl --user show-environment >/dev/null 2>&1 ||
        die "Your own systemd does not run. Log in as yourself, not by su or sudo, then run \`$installer\` again."
}

start() {
    # Also what an earlier root's disk was to start.
    ! command -v systemctl >/dev/null || manager reenable --quiet apod-mirror.service
    systemd_runs || run_in_foreground
    manager daemon-reload
    say "Starting."
    local words began
    began=$(date +%s.%6N)
    words=$(manager restart apod-mirror.service 2>&1) || {
        show_journal "@$began" | grep . >&2 || say "$words"
        die "It is installed, but did not start (see above). Correct that, then run \`$installer\` again."
    }
    tell_start
    tell
}

# It is started also where it waits for the disk of a mirror that was there before.
tell_start() {
    local status
    status=$(manager show --property StatusText --value apod-mirror.service 2>/dev/null) || status=
    case $status in
        "waiting: "*) echo "apod-mirror is started, and waits: ${status#waiting: }" ;;
        *) echo "apod-mirror runs." ;;
    esac
}

# show_journal SINCE
show_journal() {
    local which=(--unit apod-mirror)
    [ $scope = system ] || which=(--user "${which[@]}")
    privileged journalctl "${which[@]}" --quiet --no-pager --since "$1" --lines 10 --output cat || :
}

tell() {
    local user=
    [ $scope = system ] || user=" --user"
    echo "pictures   $root"
    echo "favorites  drop a link to a picture into $root/favorites"
    echo "settings   $settings; then: ${sudo[*]:+sudo }systemctl$user reload apod-mirror"
    echo "messages   ${sudo[*]:+sudo }journalctl$user -u apod-mirror"
    echo "more       apod-mirror status, man apod-mirror"
    tell_files
    echo "remove     $installer --uninstall"
    [ $scope = user ] || [ -n "$person" ] || echo "Who is to add favorites joins the group: adduser NAME apod-mirror"
    [ "$joined" = no ] || echo "You are in the group apod-mirror from your next login on; then you can add favorites."
    [ $scope = system ] || lingers ||
        echo "It runs while you are logged in; to have it run always: loginctl enable-linger"
    [[ :$PATH: == *":$prefix/bin:"* ]] || echo "The command is $prefix/bin/apod-mirror, which is not in your PATH; it may be after your next login."
}

# Whether the person's own systemd runs without a login, too.
lingers() { [ "$(loginctl show-user "$(id -un)" --property=Linger --value 2>/dev/null)" = yes ]; }

# All that was made.
tell_files() {
    local file files=()
    # The link that enables it is in a folder beside the unit.
    local others=("$made" "$unit" "$additions" "$units"/*/apod-mirror.service "$settings")
    mapfile -t files < <(for_each_file target; printf '%s\n' "${others[@]}")
    [ $scope = user ] || files+=(/etc/tmpfiles.d/apod-mirror.conf)
    echo "made       $prefix/bin/apod-mirror"
    for file in "${files[@]:1}"; do [ ! -e "$file" ] || echo "           $file"; done
    [ $scope = user ] || echo "           the user and group apod-mirror, /var/lib/apod-mirror"
}

target() { echo "$3"; }

# Does not return.
run_in_foreground() {
    tell
    let_sudo_forget
    echo "systemd does not run here, so it runs in the foreground, until Ctrl-C."
    [ $scope = system ] || exec "$prefix/bin/apod-mirror" run --config "$settings"
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
    [ -e "$unit" ] || { tell_absence; return 0; }
    program=$prefix/bin/apod-mirror
    local all
    root=$(setting root 2>/dev/null) && state=$(setting state 2>/dev/null) || root=
    usual_root=$(setting root --config /dev/null 2>/dev/null) || usual_root=
    if command -v systemctl >/dev/null; then
        manager disable --quiet apod-mirror.service
        ! systemd_runs || manager stop apod-mirror.service
    fi
    remove_files
    ! systemd_runs || manager daemon-reload
    forget_root
    put_settings_aside
    all="${root:+${root@Q} }${settings@Q}"
    [ -z "$root" ] || ! has_own_state || all+=" ${state@Q}"
    echo "apod-mirror is removed. Kept:"
    echo "pictures   ${root:-the folder that the settings name}"
    echo "settings   $settings"
    if [ $scope = user ]; then
        echo "The next \`$installer\` goes on with both. To delete them: rm -r $all"
    else
        echo "user       apod-mirror, whose they are, with /var/lib/apod-mirror, and the group"
        echo "The next \`$installer\` goes on with all of it. To delete all of it:"
        echo "           sudo rm -r $all /var/lib/apod-mirror"
        echo "           sudo deluser apod-mirror"
        [ -z "$(getent group apod-mirror | cut -d: -f4)" ] || echo "           sudo delgroup apod-mirror"
    fi
}

# There may be the other kind. Whoever has installed the machine's is in its group.
tell_absence() {
    local home own
    if [ $scope = system ]; then
        home=$HOME own=${XDG_CONFIG_HOME:-}
        # Through sudo, those are root's.
        [ "$(id -u)" != 0 ] || [ -z "$person" ] || { home=$(getent passwd "$person" | cut -d : -f 6); own=; }
        echo "No service of this machine is installed."
        [ ! -e "${own:-$home/.config}/systemd/user/apod-mirror.service" ] ||
            echo "For the one of your own: systemd/install --user --uninstall"
    else
        echo "No service of your own is installed."
        [ ! -e /etc/systemd/system/apod-mirror.service ] || ! is_member ||
            echo "For the machine's: systemd/install --uninstall"
    fi
}
