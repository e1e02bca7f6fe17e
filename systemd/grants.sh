# shellcheck shell=bash
# What the unit lets the service write in.

# Lets the service write in other folders than the usual one.
grant() {
    local folders=("$root")
    ! has_own_state || folders+=("$state")
    if [ "${folders[*]}" = /srv/apod ] && [ "$(granted "$root")" = /srv/apod ]; then
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
        echo "ReadWritePaths=$(quoted "-$(granted "$folder")")"
        ! is_in_home "$folder" || show_in_home "$folder"
    done
}

# granted FOLDER: what the unit names for it, which is its mount point: any other folder would become a mount in the
# service, where it stays when its disk is unmounted, and is written in. On the disks that are never unmounted it is the
# folder itself, or the service could write everywhere.
granted() {
    local mount
    mount=$(privileged findmnt --noheadings --first-only --output TARGET --target "$1") || mount=/
    case $mount in
        / | /home | /usr | /var) echo "$1" ;;
        *) if is_in_home "$1"; then echo "$1"; else echo "$mount"; fi ;;
    esac
}

is_in_home() { [[ $1/ == /home/* || $1/ == /root/* || $1/ == /run/user/* ]]; }

# Without it there, the service does not start, and is tried again: what is mounted later would not arrive in it.
show_in_home() {
    echo "ProtectHome=tmpfs"
    echo "BindPaths=$(quoted "${1//:/\\:}")"
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
