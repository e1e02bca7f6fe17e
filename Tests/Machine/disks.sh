# shellcheck shell=bash
# Disks that are not there.

case_unmounted() {
    begin
    inside mkdir -p /disk && inside mount -t tmpfs -o size=50m,mode=755,uid=apod-mirror,gid=apod-mirror tmpfs /disk
    inside mount --bind /disk /srv/apod
    upstream --days 3 --bytes 20000 && configure
    inside systemctl start apod-mirror
    check "all is there" has_days 3
    inside systemctl stop apod-mirror
    inside umount /srv/apod
    once "without its disk, it starts" inside systemctl start apod-mirror
    check "and says what it waits for" has_fields waiting '.MESSAGE | contains("/srv/apod")'
    check "in its status line too" status_tells "waiting"
    once "it can be upgraded meanwhile" apt_install
    check "and waits on" status_tells "waiting: /srv/apod has no mirror in it any more"
    once "nothing is written into the empty folder" is_empty /srv/apod
    upstream --days 4 --bytes 20000
    inside mount --bind /disk /srv/apod
    check "when the disk is there, it goes on by itself" status_tells "newest day"
    check "and watches" becomes_favorite "$(latest)" mine
    inside umount --lazy /srv/apod
    check "when it is torn off, it waits again" status_tells "waiting"
    once "nothing is written into the empty folder" is_empty /srv/apod
    inside mount --bind /disk /srv/apod
    check "and goes on again" status_tells "newest day"
    check "with its favorite" has_favorite mine
    inside systemctl stop apod-mirror
    inside umount /srv/apod
}

# Moved as the manual says, to a folder on a disk that fstab names.
case_disk() {
    local own="/dev/mqueue /mnt/big/apod /run/apod-mirror /run/apod-mirror-web /tmp /var/lib/apod-mirror /var/tmp"
    begin
    inside mkdir -p /disk /mnt/big && inside mount -t tmpfs -o size=50m,mode=777 tmpfs /disk
    echo "/disk /mnt/big none bind,nofail" >>"$root/etc/fstab"
    inside systemctl daemon-reload && inside mount /mnt/big
    upstream --days 3 --bytes 20000 && configure
    inside systemctl start apod-mirror
    check "all is there" has_days 3
    check "with a favorite" becomes_favorite "$(latest)" mine
    move /srv/apod /mnt/big/apod
    configure "root = /mnt/big/apod"
    once "moved to another disk, it is started there" restart
    once "verify finds all whole" whole
    check "all is there" has_days 3
    check "the favorite, too" has_favorite mine
    inside find /srv/apod -delete
    upstream --days 4 --bytes 20000
    once "it goes on there" inside apod-mirror sync --since "$(days_back 3)"
    once "and may write in its folder alone" may_write_in "$own"
    once "the disk can be taken away" inside umount /mnt/big
    check "which ends the service, so that it is free" is ActiveState inactive
    inside mount /mnt/big
    check "mounted again, it goes on by itself" is ActiveState active
    check "with all" has_days 4
    move /mnt/big/apod /srv/apod
    configure && once "back in /srv/apod, it is active" restart
    check "all is there" has_days 4
    inside systemctl stop apod-mirror && inside umount /mnt/big && inside mount /mnt/big
    once "and the disk starts it no more" fails is ActiveState active
    inside umount /mnt/big
    sed -i '/^\/disk /d' "$root/etc/fstab"
    inside umount /disk
}

# move FOLDER FOLDER: as the manual says.
move() { inside systemctl stop apod-mirror && inside cp -aT "$1" "$2"; }
