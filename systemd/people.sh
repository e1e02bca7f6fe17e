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
        command -v sudo >/dev/null || die "This needs root. Install sudo, or run it as root."
        sudo=(sudo)
    elif [ "${SUDO_USER:-root}" != root ]; then
        [ $scope = system ] || die "A service of your own is installed without sudo: \`$installer\`."
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

# Asks now, and not when a long build is over. Packages need it, too.
ask_for_sudo() {
    local needed=("${sudo[@]}")
    [ "$(id -u)" = 0 ] || [ ${#missing[@]} = 0 ] || needed=(sudo)
    [ ${#needed[@]} -gt 0 ] || return 0
    if ! command -v sudo >/dev/null || ! sudo true; then
        [ $scope = system ] || die "Let somebody who may use sudo install ${missing[*]}, then run \`$installer\` again."
        die "Let somebody who may use sudo run this. \`systemd/install --user\` makes a service of your own."
    fi
    keep_sudo
}

# A build may take longer than sudo remembers. Nothing is ever written to what it reads.
keep_sudo() {
    while ! read -rt 60; do sudo -n true || break; done <> <(:) >/dev/null 2>&1 &
    keeper=$!
    disown
}

# By what it cannot catch: one that has just begun would take this script's trap with it.
let_sudo_forget() {
    [ -z "${keeper:-}" ] || kill -KILL "$keeper" 2>/dev/null || :
    keeper=
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
