# sshfs without a daemon: the server's side, sftp-server, is started by the client.

sftp_server=/usr/lib/openssh/sftp-server

# mount_sshfs FOLDER MOUNT [OPTION]
mount_sshfs() {
    printf '#!/bin/sh\nexec %s\n' $sftp_server >"$place/ssh"
    chmod +x "$place/ssh"
    mkdir -p "$2"
    sshfs -f -o "ssh_command=$place/ssh" -o "${3:-contain_symlinks}" "there:$1" "$2" >>"$place/sshfs.log" 2>&1 &
    sshfs_id=$!
    mounted=$2
    eventually mountpoint -q "$2"
}

stop_sshfs() {
    [ -z "${mounted:-}" ] || umount "$mounted" 2>/dev/null || umount -l "$mounted"
    stop "${sshfs_id:-}"
    sshfs_id= mounted=
}

# The mirror must not see the client's folder: it is on another machine. So the client has mounts of its own.
client_sshfs() {
    export -f mount_sshfs stop_sshfs stop eventually is_gone in_sshfs
    export place root sftp_server
    PICTURES=$(printf '%s\n' "${pictures[@]}") timeout 60 unshare -m bash -c in_sshfs >&2 || return 1
    check "a link by the client's path, one renamed into an album, and a copy become links of the mirror" \
        become dragged.jpg=0 album/renamed.jpg=1 copy.jpg=2
}

in_sshfs() {
    local pictures there=$place/nas
    mapfile -t pictures <<<"$PICTURES"
    mount_sshfs "$root" "$there" && cd "$there/favorites" &&
        ln -s "$there/${pictures[0]}" dragged.jpg &&
        ln -s "$there/${pictures[1]}" first.jpg && mkdir album && mv first.jpg album/renamed.jpg &&
        cp "$there/${pictures[2]}" copy.jpg
    local status=$?
    cd /
    stop_sshfs
    return $status
}

# The mirror's own disk is another machine's: others change it without its kernel's knowledge.
client_sshfs_root() {
    local remote=$place/remote state=$place/state
    stop_mirror
    mkdir "$remote" && mount_sshfs "$remote" "$place/nas" no_contain_symlinks,dcache_timeout=2 || return 1
    root=$place/nas/APOD
    mirror sync --root "$root" --since 2019-05-01 >"$log" 2>&1
    check "without a place for its state it is refused with advice" grep -q state "$log"
    fill --root "$root" --state "$state" && start_mirror --root "$root" --state "$state" || return 1
    check "it looks every few seconds" grep -q 'looking into' "$log"
    ln -s "$root/${pictures[0]}" "$root/favorites/mine.jpg"
    ln -s "/client/APOD/${pictures[1]}" "$remote/APOD/favorites/theirs.jpg"
    cp "$remote/APOD/${pictures[2]}" "$remote/APOD/favorites/copy.jpg"
    check "a link of this machine, one of another, and a copy become links of the mirror" become mine.jpg=0 theirs.jpg=1 copy.jpg=2
    ln -sf "/client/APOD/${pictures[1]}" "$remote/APOD/favorites/theirs.jpg"
    check "one that is made anew is made relative again" leads theirs.jpg "${pictures[1]}"
    rm "$remote/APOD/favorites/theirs.jpg"
    check "one that was taken away is none" listed "copy.jpg mine.jpg"
    sshfs_without_links
    stop_mirror
}

# As sshfs is by default since 2026: no link can be read that climbs out of its folder.
sshfs_without_links() {
    stop_mirror
    stop_sshfs
    mount_sshfs "$remote" "$place/nas" contain_symlinks,dcache_timeout=2 && start_mirror --root "$root" --state "$state" || return 1
    touch "$root/favorites/probe"
    check "where links cannot be read" test_probe
    check "they stay favorites" listed "copy.jpg mine.jpg"
    [ "$(readlink "$root/favorites/mine.jpg")" = "" ] || seen+=("NOT tried, because links can be read")
}

# The folder was looked at since.
test_probe() { mirror status --root "$root" --state "$state" --json | jq -e '.unrecognised == 1' >/dev/null; }
