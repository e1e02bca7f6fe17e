# shellcheck shell=bash
# The settings, and the folders that they name.

check_settings() {
    [ ! -e "$settings" ] || show_settings >/dev/null || die "nothing is installed yet; correct the settings first"
}

# As the service reads them; the environment of whoever installs has nothing to say.
show_settings() {
    local only=()
    [ $scope = user ] || only=(--config "$settings")
    "${builder[@]}" env -i "HOME=$HOME" ${XDG_CONFIG_HOME:+"XDG_CONFIG_HOME=$XDG_CONFIG_HOME"} \
        "$program" config "${only[@]}"
}

# setting KEY: its value.
setting() { show_settings | sed -n "s/^$1 = \(.*[^ ]\) *  # .*/\1/p"; }

write_settings() {
    [ ! -e "$settings" ] || return 0
    local usual=/srv/apod reload="sudo systemctl reload apod-mirror"
    [ $scope = system ] || { usual=$(setting root); reload="systemctl --user reload apod-mirror"; }
    put "$settings" <<END
# The settings of apod-mirror: lines of \`key = value\`. man apod-mirror explains them all.
# $reload makes the service read them again. After a change of \`root\` or \`state\`,
# run systemd/install again, so that the service may write there.

root = $usual

# The first day to mirror; without it, 30 days before the first run.
# since = 1995-06-16
END
}

# A service of one's own makes them itself.
make_folders() {
    root=$(setting root) state=$(setting state)
    [ $scope = system ] || return 0
    if [ "$root" = /srv/apod ]; then
        place 644 "$here/tmpfiles.conf" /etc/tmpfiles.d/apod-mirror.conf
    else
        privileged rm -f /etc/tmpfiles.d/apod-mirror.conf
    fi
    make_folder "$root"
    ! has_own_state || make_folder "$state"
    grant
}

# Whether the catalog is where the service could not write if only its root were granted.
has_own_state() { [[ $state/ != "$root"/* && $state/ != /var/lib/apod-mirror/* ]]; }

make_folder() {
    case $1/ in
        /tmp/* | /var/tmp/* | /dev/shm/*) die "the service has a $1 of its own: name another folder in $settings" ;;
    esac
    if privileged test -d "$1"; then
        [ "$(privileged stat -c %U -- "$1")" != apod-mirror ] || { hand_group_on "$1"; return 0; }
        [ -z "$(privileged ls -A -- "$1")" ] ||
            die "$1 is not the mirror's own: sudo chown -R apod-mirror: '$1', then run this again"
    elif ! privileged test -d "$(dirname "$1")"; then
        die "there is no $(dirname "$1"): mount its disk or make it, or name another folder in $settings"
    fi
    privileged install -d -o apod-mirror -g apod-mirror -m 2755 -- "$1"
}

# One that was made in another way.
hand_group_on() {
    local folder
    for folder in "$1" "$1/favorites"; do
        ! privileged test -d "$folder" || privileged test -L "$folder" || privileged chmod g+s -- "$folder"
    done
}

# Lets the service write in other folders than the usual one.
grant() {
    local folders=("$root")
    ! has_own_state || folders+=("$state")
    if [ "${folders[*]}" = /srv/apod ]; then
        privileged rm -f -- "$additions"
    else
        write_additions "${folders[@]}" | put "$additions"
    fi
}

write_additions() {
    local folder
    echo "# Written by systemd/install: the folders that $settings names."
    echo "[Unit]"
    # Not RequiresMountsFor: when the disk is not there, the service is to wait for it.
    echo "After=$(mounts "$@")"
    echo "[Service]"
    echo "ReadWritePaths="
    for folder in "$@"; do
        echo "ReadWritePaths=$(quoted "$folder")"
        case $folder/ in
            /home/* | /root/* | /run/user/*)
                echo "ProtectHome=tmpfs"
                echo "BindPaths=$(quoted "${folder//:/\\:}")"
                ;;
        esac
    done
}

# mounts FOLDER…: the units of all mounts that there might be at them and above.
mounts() {
    local folder names=()
    for folder in "$@"; do
        while [ "$folder" != / ]; do
            names+=("$(systemd-escape --path --suffix=mount -- "$folder")")
            folder=$(dirname -- "$folder")
        done
    done
    echo "${names[*]}"
}

quoted() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    echo "\"${text//%/%%}\""
}
