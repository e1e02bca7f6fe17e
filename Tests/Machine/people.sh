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
    check "who is not in the group reads everything" as ben "cat /srv/apod/*/*/* /srv/apod/*.json"
    check "the favorites, too" as ben "cat /srv/apod/favorites/mine"
    once "cannot drop a link" fails as ben "ln -s '$picture' /srv/apod/favorites/theirs"
    once "the socket for commands is the group's" owned "$(inside find /run/apod-mirror -type s)" "apod-mirror:apod-mirror 660"
    once "who is in the group has a day fetched" as ann "apod-mirror sync $(days_back 2)"
    once "and makes it a favorite" as ann "apod-mirror favorites add $(days_back 2)"
    once "curl asks the socket, too" as ann "curl -sf --unix-socket /run/apod-mirror/control http://mirror/status | jq -e .service"
    check "which it is" status ".favorites == 2"
    once "but from NASA only" fails as ann "apod-mirror sync $(days_back 2) --upstream http://127.0.0.1:9"
    check "the journal names her in a field" has_fields refused ".APOD_UID == \"$(inside id -u ann)\""
    once "who is not cannot" fails as ben "apod-mirror sync $(days_back 2)"
}

leads() { inside readlink "/srv/apod/favorites/$1" | grep -q '^\.\./'; }
