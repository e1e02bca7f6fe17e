# shellcheck shell=bash
# Disks that are full, and disks that are not there.

case_full() {
    begin
    inside mount -t tmpfs -o size=1m,mode=755,uid=apod-mirror,gid=apod-mirror tmpfs /srv/apod
    upstream --days 3 --bytes 2000000 && configure "since = $(days_back 2)"
    inside systemctl start apod-mirror
    check "with a full disk it is active" is ActiveState active
    check "the journal tells" said "no space left"
    check "and the status" full_in_status
    check "the status line too" status_tells "no space left"
    once "it stays so" stays_up 2
    inside mount -o remount,size=100m /srv/apod
    once "with room, it goes on by itself" within 90 has_days 3
    once "verify finds all whole" whole
}

full_in_status() { inside apod-mirror status | grep -q "no space left"; }

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
    once "it stays so" stays_up 2
    once "nothing is written into the empty folder" [ -z "$(inside ls -A /srv/apod)" ]
    upstream --days 4 --bytes 20000
    inside mount --bind /disk /srv/apod
    check "when the disk is there, it goes on by itself" status_tells "newest day"
    check "and watches" becomes_favorite "$(latest)" mine
    inside umount --lazy /srv/apod
    check "when it is torn off, it waits again" status_tells "waiting"
    once "nothing is written into the empty folder" [ -z "$(inside ls -A /srv/apod)" ]
    inside mount --bind /disk /srv/apod
    check "and goes on again" status_tells "newest day"
    check "with its favorite" has_favorite mine
    inside systemctl stop apod-mirror
    once "the disk can be taken away in peace" inside umount /srv/apod
}
