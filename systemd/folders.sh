# shellcheck shell=bash
# The settings, and the folders that they name.

check_settings() {
    restore_settings
    [ ! -e "$settings" ] || show_settings >/dev/null || die "Nothing was changed. Correct the settings, then run this again."
}

# As the service reads them; the environment of whoever installs has nothing to say.
show_settings() {
    "${builder[@]}" env -i "HOME=$HOME" ${XDG_CONFIG_HOME:+"XDG_CONFIG_HOME=$XDG_CONFIG_HOME"} \
        "$program" config --config "$settings" "$@"
}

# Those of a person's own service are put aside with it: without it, they would lead commands to its folder.
restore_settings() {
    [ $scope = user ] && [ ! -e "$settings" ] && [ -e "$settings.uninstalled" ] || return 0
    mv -- "$settings.uninstalled" "$settings"
}

# setting KEY [OPTION…]: its value.
setting() { show_settings "${@:2}" | sed -n "s/^$1 = \(.*[^ ]\) *  # .*/\1/p"; }

write_settings() {
    [ ! -e "$settings" ] || return 0
    local usual=/srv/apod reload="sudo systemctl reload apod-mirror" then=
    if [ $scope = user ]; then
        usual=$(setting root --config /dev/null) reload="systemctl --user reload apod-mirror"
    else
        then=" After a change of \`root\` or \`state\`,
# run systemd/install again instead, so that the service may write there."
    fi
    put "$settings" <<END
# The settings of apod-mirror: lines of \`key = value\`. man apod-mirror explains them all.
# $reload makes the service read them again.$then

root = $usual

# The first day to mirror; without it, 30 days before the first run.
# since = 1995-06-16
END
}

# What an earlier installation tells of the folders; without one, they are the usual ones. All is checked again later.
check_folders_early() {
    [ $scope = system ] || return 0
    program=$prefix/bin/apod-mirror
    if [ ! -e "$settings" ]; then
        root=/srv/apod state=/srv/apod/.apod-mirror
    elif [ ! -x "$program" ] || ! show_settings >/dev/null 2>&1; then
        return 0
    else
        find_folders
    fi
    check_folders
}

# The unit, too, is to name what links lead to.
find_folders() {
    root=$(setting root) state=$(setting state)
    [ $scope = user ] || { root=$(privileged realpath -m -- "$root"); state=$(privileged realpath -m -- "$state"); }
}

check_folders() {
    check_folder "$root"
    ! has_own_state || check_folder "$state"
}

# A service of one's own makes them itself.
make_folders() {
    find_folders
    [ $scope = system ] || return 0
    check_folders
    make_folder "$root"
    ! has_own_state || make_folder "$state"
    is_away "$root" || make_favorites
    grant
}

# Whether the catalog is where the service could not write if only its root were granted.
has_own_state() { [[ $state/ != "$root"/* && $state/ != /var/lib/apod-mirror/* ]]; }

check_folder() {
    case $1/ in
        /tmp/* | /var/tmp/* | /dev/shm/*) die "The service cannot see $1. Name another folder in $settings." ;;
    esac
    refuse_without_disk "$1"
    if privileged test -d "$1"; then
        is_mirrors "$1" || [ -z "$(privileged ls -A -- "$1")" ] || refuse_others "$1"
    elif ! privileged test -d "$(dirname "$1")"; then
        die "There is no $(dirname "$1"). Mount its disk or make it, or name another folder in $settings."
    fi
}

make_folder() { is_mirrors "$1" || privileged install -d -o apod-mirror -g apod-mirror -m 2755 -- "$1"; }

is_mirrors() { [ "$(privileged stat -c %U -- "$1" 2>/dev/null)" = apod-mirror ]; }

# Only what is a mirror already is worth being handed over; who only meant to begin one has not locked it yet.
refuse_others() {
    ! privileged test -e "$1/.apod-mirror/lock" ||
        die "The mirror in $1 is not apod-mirror's own. Run \`sudo chown -R apod-mirror: '$1'\`, then this again."
    die "$1 holds other things than a mirror. Name a folder of its own in $settings, like ${1%/}/apod."
}

# In the empty folder where a disk is to be mounted, nothing is to be made.
refuse_without_disk() {
    local folder=$1
    while [ "$folder" != / ]; do
        ! findmnt --fstab --mountpoint "$folder" >/dev/null || privileged mountpoint -q -- "$folder" ||
            die "The disk of $folder, which /etc/fstab names, is not mounted. Mount it, then run this again."
        folder=$(dirname -- "$folder")
    done
}

# Where the service remembers a mirror that is not there, its disk may be.
is_away() { ! privileged test -e "$1/.apod-mirror" && privileged grep -qsxF -- "$1" /var/lib/apod-mirror/roots; }

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
    if [ "$root" = /srv/apod ] && [ "$(granted "$root")" = /srv/apod ]; then
        place 644 "$here/tmpfiles.conf" $conf
        ! command -v systemd-tmpfiles >/dev/null || privileged systemd-tmpfiles --create $conf || :
    else
        privileged rm -f $conf
        as_mirror "$root" setfacl --modify $rights favorites/. 2>/dev/null || :
    fi
}

# A root that has lost its mirror is a disk to wait for, but not after the service is gone; nor is the usual one, when
# the mirror was moved away from there.
forget_root() {
    if [ $scope = system ]; then
        ! privileged test -d /var/lib/apod-mirror || as_mirror /var/lib/apod-mirror rm -f roots || :
        return
    fi
    local roots=${XDG_STATE_HOME:-$HOME/.local/state}/apod-mirror/roots
    [ -e "$roots" ] || return 0
    [ ! -e "$usual_root/.apod-mirror" ] || usual_root=$root
    { grep -vxF -e "$root" -e "$usual_root" -- "$roots" || :; } >"$roots.new"
    mv -- "$roots.new" "$roots"
    [ -s "$roots" ] || rm -- "$roots"
    rmdir --ignore-fail-on-non-empty -- "${roots%/*}"
}

put_settings_aside() {
    [ $scope = user ] && [ -e "$settings" ] || return 0
    mv -- "$settings" "$settings.uninstalled"
    settings=$settings.uninstalled
}
