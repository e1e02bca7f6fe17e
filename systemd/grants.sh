# shellcheck shell=bash
# What the unit lets the service write in.

# Lets the service write in other folders than the usual one.
grant() {
    local folders=("$root")
    ! has_own_state || folders+=("$state")
    if [ "${folders[*]}" = /srv/apod ] && is_system "$(mount_of "$root")"; then
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
    hold_to_disks BindsTo "$@"
    echo "[Service]"
    echo "ReadWritePaths="
    for folder in "$@"; do
        echo "ReadWritePaths=$(quoted "-$(granted "$folder")")"
        ! is_in_home "$folder" || show_in_home "$folder"
    done
    # Mounted again, it goes on.
    echo "[Install]"
    hold_to_disks WantedBy "$@"
}

# granted FOLDER: what the unit names for it. On a disk that comes and goes it is the mount point: any other folder would
# become a mount in the service, where it stays when its disk is unmounted, and is written in.
granted() {
    local mount
    mount=$(mount_of "$1")
    if is_in_home "$1" || is_system "$mount" || is_permanent "$mount"; then echo "$1"; else echo "$mount"; fi
}

mount_of() { privileged findmnt --noheadings --first-only --output TARGET --target "$1" || echo /; }

# Never unmounted.
is_system() { [[ $1 == @(/|/home|/usr|/var) ]]; }

# is_permanent MOUNT: the machine does not come up without it.
is_permanent() {
    local line
    line=$(findmnt --fstab --noheadings --raw --output FSTYPE,OPTIONS --mountpoint "$1") || return 1
    [[ $line != @(nfs|cifs|smb|fuse|ceph|glusterfs|davfs|9p|virtiofs)* && ,${line#* }, != *,@(noauto|nofail|_netdev|user|users|x-systemd.automount),* ]]
}

# hold_to_disks KEY FOLDER…: a disk that is unmounted nevertheless is not to be kept by the service, unseen.
hold_to_disks() {
    local folder mount
    for folder in "${@:2}"; do
        mount=$(mount_of "$folder")
        if [ "$folder" != "$mount" ] && ! is_in_home "$folder" && ! is_system "$mount" && is_permanent "$mount"; then
            echo "$1=$(systemd-escape --path --suffix=mount -- "$mount")"
        fi
    done
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
