# Samba on the loopback interface, with folders of its own.

start_samba() {
    local folder=$place/samba name
    for name in private lock state cache pid ncalrpc; do mkdir -p "$folder/$name"; done
    for _ in 1 2 3; do
        samba_port=$((20000 + RANDOM % 20000))
        samba_settings "$folder" >"$folder/smb.conf"
        # A session of its own: it ends its whole process group.
        setsid smbd -F --no-process-group -s "$folder/smb.conf" -l "$folder" >"$folder/said" 2>&1 &
        samba_id=$!
        eventually smb -c 'ls' && return
        stop_samba
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
server min protocol = NT1
client min protocol = NT1
unix extensions = yes
map to guest = Bad User
guest account = root
disable spoolss = yes
load printers = no
[apod]
path = $root
read only = no
guest ok = yes
force user = root
END
}

smb() { timeout 20 smbclient -s "$place/samba/smb.conf" -N -p "$samba_port" //127.0.0.1/apod "$@" >>"$place/smb.log" 2>&1; }

stop_samba() {
    stop "${samba_id:-}"
    samba_id=
}

client_smb() {
    start_samba || { seen+=("NOT to be started"); return 1; }
    cp "$root/${pictures[0]}" "$place/picture.jpg"
    smb -m SMB3 -c "cd favorites; put $place/picture.jpg put.jpg; mkdir album; put $place/picture.jpg first.jpg; \
rename first.jpg album\\second.jpg" || return 1
    check "put becomes a link" leads put.jpg "${pictures[0]}"
    check "one that was renamed into an album too" leads album/second.jpg "${pictures[0]}"
    check "both are favorites" listed "album/second.jpg put.jpg"
    smb -m SMB3 -c "cd favorites; get put.jpg $place/got.jpg" || return 1
    check "the link is read as the picture" cmp "$place/got.jpg" "$place/picture.jpg"
    smb -m SMB3 -c "cd favorites; rm put.jpg" || return 1
    check "what is removed is gone, and the picture is not" listed album/second.jpg
    check "verify finds all whole" whole
}

client_smb_unix() {
    start_samba || { seen+=("NOT to be started"); return 1; }
    smb -m NT1 -c "posix; cd favorites; symlink \"/nas/APOD/${pictures[0]}\" mine.jpg" || return 1
    check "a link with the client's path is made relative" leads mine.jpg "${pictures[0]}"
    check "it is a favorite" listed mine.jpg
}
