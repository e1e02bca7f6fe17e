# shellcheck shell=bash
# What people may do: those in the group, and all others.

case_people() {
    local picture
    begin_whole 3
    picture=/srv/apod/$(latest)
    check "favorites is the group's, and hands it on" owned /srv/apod/favorites "apod-mirror:apod-mirror 2775"
    as ann "ln -s '$picture' /srv/apod/favorites/mine"
    check "who is in the group drops a link" has_favorite mine
    check "which is made relative" leads mine
    as ann "umask 022; mkdir /srv/apod/favorites/album && ln -s '$picture' /srv/apod/favorites/album/hers"
    check "and one into an album, too" leads album/hers
    as ann "cp '$picture' /srv/apod/favorites/copy.jpg"
    check "a copy becomes a link" leads copy.jpg
    once "cannot write in the tree" fails as ann "touch /srv/apod/mine"
    once "nor change a picture" fails as ann "echo >>'$picture'"
    once "nor take it away" fails as ann "rm -f '$picture'"
    check "reads everything" as ann "cat /srv/apod/*/*/* /srv/apod/*.json"
    check "who is not in the group reads everything" as ben "cat /srv/apod/*/*/* /srv/apod/*.json"
    check "sees the favorites" as ben "cat /srv/apod/favorites/mine"
    check "and the status" as ben "apod-mirror status"
    once "cannot drop a link" fails as ben "ln -s '$picture' /srv/apod/favorites/theirs"
    check_socket
}

leads() { inside readlink "/srv/apod/favorites/$1" | grep -q '^\.\./'; }

check_socket() {
    local socket
    socket=$(inside find /run/apod-mirror -type s)
    once "there is a socket for commands" [ -n "$socket" ] || return 1
    once "it is the group's" owned "$socket" "apod-mirror:apod-mirror 660"
    once "who is in the group has a day fetched" as ann "apod-mirror sync $(days_back 2)"
    once "and makes it a favorite" as ann "apod-mirror favorites add $(days_back 2)"
    check "which it is" status ".favorites == 2"
    inside cat /srv/apod/latest.json >"$work/before"
    once "but from NASA only, as she is told" refused ann "apod-mirror sync $(days_back 2) --upstream http://127.0.0.1:9" \
        "only the mirror's owner, apod-mirror, and root may ask"
    once "and nothing is another" cmp -s "$work/before" "$root/srv/apod/latest.json"
    check "the journal names her" said "ann (uid $(inside id -u ann)) may not ask for: sync $(days_back 2) --upstream"
    check "in a field, too" has_fields refused ".APOD_UID == \"$(inside id -u ann)\""
    once "who is not cannot, and is told how to" refused ben "apod-mirror sync $(days_back 2)" "sudo adduser ben apod-mirror"
}
