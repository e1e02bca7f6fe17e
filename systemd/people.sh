# shellcheck shell=bash
# Who installs, who builds, and who the mirror is.

# Sets person (empty: nobody but root), and what goes before commands: sudo of root, builder of the builder, and mirror,
# behind sudo, of the mirror.
find_people() {
    person= sudo=() builder=()
    mirror=(setpriv --reuid apod-mirror --regid apod-mirror --init-groups --inh-caps=-all)
    if [ "$(id -u)" != 0 ]; then
        person=$(id -un)
        [ $scope = system ] || return 0
        command -v sudo >/dev/null || die "this needs root: install sudo, or run it as root"
        sudo=(sudo)
    elif [ "${SUDO_USER:-root}" != root ]; then
        [ $scope = system ] || die "a service of your own is installed without sudo: systemd/install --user"
        person=$SUDO_USER
        become_builder
    fi
}

# Through sudo, the person builds, with the PATH of a login, where Swift may be.
become_builder() {
    local home
    home=$(getent passwd "$person" | cut -d : -f 6)
    builder=(runuser -u "$person" -- env -i "HOME=$home" "USER=$person" "TERM=${TERM:-dumb}" "PATH=$PATH"
        bash -lc 'exec "$@"' bash)
}

privileged() { "${sudo[@]}" "$@"; }

make_user() {
    [ $scope = system ] || return 0
    if command -v systemd-sysusers >/dev/null; then
        privileged systemd-sysusers /etc/sysusers.d/apod-mirror.conf
    elif ! getent passwd apod-mirror >/dev/null; then
        privileged useradd --system --user-group --home-dir /var/lib/apod-mirror --shell /usr/sbin/nologin apod-mirror
    fi
}

# Sets joined if that was not so before.
join_group() {
    joined=no
    [ $scope = system ] && [ -n "$person" ] && ! is_member || return 0
    privileged usermod --append --groups apod-mirror "$person"
    joined=yes
}

is_member() { [[ ",$(getent group apod-mirror | cut -d : -f 4)," == *",$person,"* ]]; }
