# Samba on the loopback interface, with folders of its own, and with the share that the manual tells people to make.

# Whom Samba knows beside those of this machine: the mirror, and ann, who is a member of its group.
service_id=61001 ann_id=61002

start_samba() {
    local folder=$place/samba name
    for name in private lock state cache pid ncalrpc; do mkdir -p "$folder/$name"; done
    { cat /etc/passwd; echo "apod-mirror:x:$service_id:$service_id::/:"; echo "ann:x:$ann_id:$ann_id::/:"; } >"$folder/passwd"
    { cat /etc/group; echo "apod-mirror:x:$service_id:ann"; echo "ann:x:$ann_id:"; } >"$folder/group"
    # What goes before commands that are to know them.
    local with_people=(unshare --mount sh -c
        'mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/group" /etc/group && exec "$@"' "$folder")
    for _ in 1 2 3; do
        samba_port=$(free_port)
        samba_settings "$folder" >"$folder/smb.conf"
        printf '%s\n' secret secret | "${with_people[@]}" smbpasswd -c "$folder/smb.conf" -s -a ann >&2
        # A session of its own: it ends its whole process group.
        "${with_people[@]}" setsid smbd -F --no-process-group -s "$folder/smb.conf" -l "$folder" >"$folder/said" 2>&1 &
        ends
        eventually smb ann%secret -c 'ls' && return
    done
    return 1
}

samba_settings() {
    cat <<END
[global]
interfaces = lo
bind interfaces only = yes
smb ports = $samba_port
private dir = $1/private
lock directory = $1/lock
state directory = $1/state
cache directory = $1/cache
pid directory = $1/pid
ncalrpc dir = $1/ncalrpc
passdb backend = tdbsam
map to guest = Bad User
disable spoolss = yes
load printers = no
END
    awk '/^```ini/ { there = 1; next } /^```/ { there = 0 } there' "$package/systemd/doc/manual.md" | sed "s|= /srv/apod$|= $root|"
}

# smb PERSON OPTION…: what they do is in `$place/answer`, too.
smb() {
    timeout 20 smbclient -s "$place/samba/smb.conf" -U "$1" -p "$samba_port" //127.0.0.1/apod "${@:2}" \
        >"$place/answer" 2>&1 || { cat "$place/answer" >>"$place/smb.log"; return 1; }
    ! grep -q NT_STATUS "$place/answer"
}

# The mirror as the unit runs it: people may write in its favorites alone.
start_service() {
    stop_mirror
    chown -R $service_id:$service_id "$root" && chmod 2755 "$root" && chmod 2775 "$root/favorites" || return 1
    runs_as=(setpriv --reuid $service_id --regid $service_id --clear-groups)
    start_mirror --root "$root"
}

client_smb() {
    start_service && start_samba || { seen+=("NOT to be started"); return 1; }
    local picture=${pictures[0]}
    cp "$root/$picture" "$place/picture.jpg" && chmod 644 "$place/picture.jpg"
    once "a member puts copies" smb ann%secret -m SMB3 -c "cd favorites; put $place/picture.jpg put.jpg; mkdir album; \
put $place/picture.jpg first.jpg; rename first.jpg album\\second.jpg; put $place/picture.jpg album\\third.jpg"
    check "put, rename into an album and put there become links" become put.jpg=0 album/second.jpg=0 album/third.jpg=0
    once "the link is read" smb ann%secret -m SMB3 -c "cd favorites; get put.jpg $place/got.jpg"
    check "as the picture" cmp "$place/got.jpg" "$place/picture.jpg"
    once "what a member removes" smb ann%secret -m SMB3 -c "cd favorites; rm put.jpg; rm album\\third.jpg"
    check "is gone" listed album/second.jpg
    once "but a picture is not to be removed" fails_to "rm \"${picture//\//\\}\"" ann%secret
    once "nor one to be put beside it" fails_to "put $place/picture.jpg mine.jpg" ann%secret
    once "everyone may look" smb % -m SMB3 -c "get latest.jpg $place/looked.jpg"
    once "and do nothing else" fails_to "cd favorites; put $place/picture.jpg guest.jpg" %
    once "the JSON is hidden" hides_json "${picture%/*}"
    check "verify finds all whole" whole
}

# fails_to COMMANDS PERSON
fails_to() { ! smb "$2" -m SMB3 -c "$1" && grep -q NT_STATUS_ACCESS_DENIED "$place/answer"; }

# hides_json MONTH: with an H, as Windows knows it, and nothing else.
hides_json() {
    smb ann%secret -m SMB3 -c "cd \"${1//\//\\}\"; ls" || return 1
    grep -q '\.json  *[A-Z]*H' "$place/answer" && ! grep '\.json' "$place/answer" | grep -qv ' [A-Z]*H[A-Z]*  ' &&
        ! grep -q '\.jpg  *[A-Z]*H' "$place/answer"
}
