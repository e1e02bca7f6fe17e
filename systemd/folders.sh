# shellcheck shell=bash
# The settings, and the folders that they name.

check_settings() {
    [ ! -e "$settings" ] || show_settings >/dev/null || die "nothing was changed; correct the settings first"
}

# As the service reads them; the environment of whoever installs has nothing to say.
show_settings() {
    local only=()
    [ $scope = user ] || only=(--config "$settings")
    "${builder[@]}" env -i "HOME=$HOME" ${XDG_CONFIG_HOME:+"XDG_CONFIG_HOME=$XDG_CONFIG_HOME"} \
        "$program" config "${only[@]}" "$@"
}

# setting KEY [OPTION…]: its value.
setting() { show_settings "${@:2}" | sed -n "s/^$1 = \(.*[^ ]\) *  # .*/\1/p"; }

write_settings() {
    [ ! -e "$settings" ] || return 0
    local usual=/srv/apod reload="sudo systemctl reload apod-mirror"
    # The root in /etc is the system's.
    [ $scope = system ] || { usual=$(setting root --config /dev/null); reload="systemctl --user reload apod-mirror"; }
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
    # The unit, too, is to name what links lead to.
    root=$(privileged realpath -m -- "$root") state=$(privileged realpath -m -- "$state")
    make_folder "$root"
    ! has_own_state || make_folder "$state"
    make_favorites
    grant
}

# Whether the catalog is where the service could not write if only its root were granted.
has_own_state() { [[ $state/ != "$root"/* && $state/ != /var/lib/apod-mirror/* ]]; }

make_folder() {
    case $1/ in
        /tmp/* | /var/tmp/* | /dev/shm/*) die "the service has a $1 of its own: name another folder in $settings" ;;
    esac
    refuse_without_disk "$1"
    if privileged test -d "$1"; then
        [ "$(privileged stat -c %U -- "$1")" != apod-mirror ] || return 0
        [ -z "$(privileged ls -A -- "$1")" ] || refuse_others "$1"
    elif ! privileged test -d "$(dirname "$1")"; then
        die "there is no $(dirname "$1"): mount its disk or make it, or name another folder in $settings"
    fi
    privileged install -d -o apod-mirror -g apod-mirror -m 2755 -- "$1"
}

# Only what is a mirror already is worth being handed over.
refuse_others() {
    ! privileged test -d "$1/.apod-mirror" ||
        die "the mirror in $1 is not apod-mirror's own: sudo chown -R apod-mirror: '$1', then run this again"
    die "$1 holds other things than a mirror: name a folder of its own in $settings, like ${1%/}/apod"
}

# In the empty folder where a disk is to be mounted, nothing is to be made.
refuse_without_disk() {
    local folder=$1
    while [ "$folder" != / ]; do
        ! findmnt --fstab --mountpoint "$folder" >/dev/null || privileged mountpoint -q -- "$folder" ||
            die "the disk of $folder, which /etc/fstab names, is not mounted: mount it, then run this again"
        folder=$(dirname -- "$folder")
    done
}

# One that is missing where there is a mirror was lost, and may come back.
make_favorites() {
    as_mirror "$root" chmod g+s . || :
    as_mirror "$root" test -e .apod-mirror || as_mirror "$root" mkdir -p -m 2775 favorites
    as_mirror "$root" test ! -d favorites || as_mirror "$root" chmod g+s favorites/. || :
    share_favorites
}

# as_mirror FOLDER COMMAND…: in it, where only root may get perhaps. But root keeps away from what the mirror could
# replace by a link in the meantime.
as_mirror() { privileged env --chdir="$1" "${mirror[@]}" "${@:2}"; }

# What people make in it is to be the group's too, whatever their umask. A disk without ACLs does without.
share_favorites() {
    local conf=/etc/tmpfiles.d/apod-mirror.conf rights=default:user::rwx,default:group::rwx,default:other::r-x
    if [ "$(granted "$root")" = /srv/apod ]; then
        place 644 "$here/tmpfiles.conf" $conf
        ! command -v systemd-tmpfiles >/dev/null || privileged systemd-tmpfiles --create $conf || :
    else
        privileged rm -f $conf
        as_mirror "$root" setfacl --modify $rights favorites/. 2>/dev/null || :
    fi
}
