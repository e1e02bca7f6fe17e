# shellcheck shell=bash
# The box: a systemd that is really booted, over a throw-away overlay of this machine.

name= box= box_id= leader= box_options=()

# Says why there can be none here; nothing if there can.
why_no_box() {
    [ "$(id -u)" = 0 ] || { echo "only root can do that"; return; }
    install_missing lack_for_box >&2 || { echo "not all of the packages can be had: ${missing[*]}"; return; }
    [ -n "$(cgroup_folders)" ] || [ -d /run/systemd/system ] || { echo "processes cannot be put into groups"; return; }
    unshare --mount true 2>/dev/null || echo "folders cannot be mounted"
}

# in_own_mounts ARGUMENT…: begins anew with mounts that are gone whatever happens.
in_own_mounts() {
    [ -z "${IN_OWN_MOUNTS:-}" ] || return 0
    local reason
    reason=$(why_no_box)
    [ -z "$reason" ] || no_box "$reason"
    IN_OWN_MOUNTS=yes exec unshare --mount --propagation private "$0" "$@"
}

no_box() {
    echo "Tests/Machine/${0##*/}: NOT run, because no box can be booted here: $1"
    exit 3
}

lack_for_box() {
    lack systemd-container command -v systemd-nspawn
    lack dbus test -e /usr/share/dbus-1/system.conf
    lack libpam-systemd test -n "$(find /lib/*/security/pam_systemd.so)"
    lack dpkg-dev command -v dpkg-shlibdeps
    lack jq command -v jq
    lack man-db command -v man
    lack lintian command -v lintian
    lack mandoc command -v mandoc
    lack shellcheck command -v shellcheck
    lack sudo command -v sudo
    lack gnupg command -v gpg
}

# Where groups of processes can be made. A systemd that runs makes them itself.
cgroup_folders() {
    local folder
    [ ! -d /run/systemd/system ] || return 0
    for folder in /sys/fs/cgroup/unified /sys/fs/cgroup/systemd /sys/fs/cgroup; do
        [ ! -w $folder/cgroup.procs ] || echo $folder
    done
}

# Sets root, what the box sees. The project has an overlay of its own: it may be on another disk.
make_box() {
    box=$work/box name=apod-mirror-$$
    root=$box/root
    mkdir "$box" && mount -t tmpfs -o size=3g,mode=755 tmpfs "$box" && overlay / "$root" &&
        overlay "$package" "$box/project" || return 1
    : >"$root/etc/machine-id"
    # This machine's own services have no business in the box.
    find "$root/etc/systemd/system" -path '*.wants/*' -type l -delete
    # Images of containers forbid that packages start services.
    rm -f "$root/usr/sbin/policy-rc.d"
    # An index of all manuals, which takes longer than what is installed.
    rm -f "$root/var/lib/man-db/auto-update"
    # Where the project may be.
    ln -sf /dev/null "$root/etc/tmpfiles.d/tmp.conf"
    echo "PATH=\$PATH:$toolchain" >"$root/etc/profile.d/swift.sh"
    box_options=(--bind="$box/project:$package" --private-network --resolv-conf=off)
}

# overlay LOWER TARGET
overlay() {
    mkdir -p "$2" "$2.upper" "$2.work" &&
        mount -t overlay overlay -o "lowerdir=$1,upperdir=$2.upper,workdir=$2.work" "$2"
}

boot() {
    local options=("${box_options[@]}" --bind-ro="$(dirname "$(dirname "$toolchain")")") folder
    # What a machine allows by itself.
    options+=(--system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self")
    [ -d /run/systemd/system ] || options+=(--keep-unit)
    (
        for folder in $(cgroup_folders); do
            mkdir -p "$folder/$name" && echo $BASHPID >"$folder/$name/cgroup.procs"
        done
        exec env -i SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 PATH="$PATH" setsid systemd-nspawn -q -D "$root" \
            --machine="$name" --boot --register=no --link-journal=no --timezone=off \
            --console=pipe "${options[@]}" </dev/null >>"$work/console" 2>&1
    ) &
    box_id=$!
    eventually find_leader && eventually is_up || { tail -20 "$work/console" >&2; return 1; }
}

# The box's own process 1, as it is known outside.
find_leader() {
    local id
    for id in $(cat /proc/$box_id/task/*/children); do
        ! grep -q '^NSpid:.*[[:space:]]1$' "/proc/$id/status" || leader=$id
    done
    [ -n "$leader" ]
}

is_up() { [[ $(inside systemctl is-system-running) =~ ^(running|degraded)$ ]]; }

# As when the power fails.
cut_power() {
    [ -z "$leader" ] || kill -KILL "$leader" 2>/dev/null
    stop "$box_id"
    leader= box_id=
}

# inside COMMAND…: as root of the box.
inside() {
    local path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    timeout "${patience:-120}" nsenter -t "$leader" -m -u -i -n -p -C -r -w env -i PATH=$path HOME=/root LANG=C.UTF-8 \
        SYSTEMD_PAGER=cat SYSTEMD_COLORS=0 "$@" </dev/null
}

# as PERSON SCRIPT: after a login.
as() { inside runuser -l "$1" -c "export XDG_RUNTIME_DIR=/run/user/\$(id -u); $2"; }

remove_box() {
    [ -n "$box" ] || return 0
    cut_power
    local folder
    for folder in $(cgroup_folders); do find "$folder/$name" -depth -type d -exec rmdir {} \; 2>/dev/null; done
    umount "$box/project" "$root" "$box"
}
