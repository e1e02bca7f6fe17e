# shellcheck shell=bash
# What is wrong is brought about, and what the status says to do is typed as it is printed.

case_remedies() {
    begin
    upstream --days 60 --bytes 2000
    configure "since = $(days_back 59)"
    once "the service is to begin the mirror" typed
    check "all is there" has_days 60
    as ann "cd /srv/apod/favorites && for day in $(for n in {0..19}; do days_back "$n"; done | xargs); do ln -s \$day \$day; done"
    check "with 20 favorites" status ".favorites == 20"

    inside rm /usr/libexec/apod-mirror/apod-thumbnailer
    inside systemctl restart apod-mirror
    check "told: no-thumbnailer" tells no-thumbnailer
    once "installed again" apt_install
    check "ended by it: no-thumbnailer" over no-thumbnailer

    as ann "find /srv/apod/favorites -type l -delete"
    remedied ended
    check "all are back" status ".favorites == 20"
    inside mv /srv/apod/favorites /srv/lost
    remedied folder-lost
    check "all are back" status ".favorites == 20"
    inside rm -r /srv/lost
    as ann "mkdir /srv/apod/favorites/hers && chmod g-w /srv/apod/favorites/hers && ln -s '/srv/apod/$(latest)' /srv/apod/favorites/hers/mine"
    check "told: unwritable" tells unwritable
    as ann "chgrp apod-mirror /srv/apod/favorites/hers && chmod g+rwxs /srv/apod/favorites/hers"
    check "ended by it: unwritable" over unwritable
    check "the link in the album is put in order" leads hers/mine

    inside sh -c "echo x >>'/srv/apod/$(latest)'"
    once "verify finds a damaged file" fails as ann "apod-mirror verify >/dev/null 2>&1"
    check "and keeps that for nobody, as it is asked by a member" over damaged
    once "root's verify keeps it" fails inside apod-mirror verify
    remedied damaged
    inside sh -c "rm /srv/apod/feed.xml; mkdir /srv/apod/feed.xml"
    check "told: name-taken" tells name-taken
    inside rmdir /srv/apod/feed.xml
    check "gone with its cause: name-taken" over name-taken

    upstream --days 61 --bytes 2000 --pictures http://127.0.0.1:9
    reload_with "since = $(days_back 60)"
    limit=60 check "told: failed" tells failed
    check "and in the journal, as a warning" has_fields failed '.PRIORITY == "4" and has("APOD_DAY")'
    upstream --days 61 --bytes 2000
    ended failed "$(days_back 60)"

    configure "since = yesterday"
    inside systemctl kill --signal HUP apod-mirror
    check "told: settings" tells settings
    configure "since = $(days_back 60)" "keep = 15d"
    ended settings
    remedied held
    check "the older pictures are deleted" status ".pruned > 20"

    upstream --days 61 --bytes 3000
    as ann "apod-mirror sync $(days_back 2)"
    check "NASA has another picture" is_of_bytes 3000
    check "told: replaced" tells replaced
    typed "$(days_back 2)"
    check "the former one is back" is_of_bytes 2000
}

# is_of_bytes COUNT: the picture of the day before yesterday.
is_of_bytes() { [ -n "$(inside find /srv/apod -name "$(days_back 2)*.jpg" -path "*/20*" -not -path "*/.*" -size "$1c")" ]; }

tells() { status "any(.conditions[]; .code == \"$1\")"; }

# remedied CODE: what is wrong is told, and over when what is said is done.
remedied() {
    check "told: $1" tells "$1"
    ended "$1"
}

# ended CODE [DATE]
ended() {
    typed "${2:-}"
    check "ended by it: $1" over "$1"
}

over() { status "all(.conditions[]; .code != \"$1\")"; }

# typed [DATE]: the first command that the status names for what is wrong, by ann.
typed() {
    local command
    command=$(as ann "apod-mirror status 2>&1" | grep -oEm 1 '`(sudo|apod-mirror) [^`]*`' | head -n 1 | tr -d '`')
    command=${command//DATE/${1:-}}
    once "\`${command:-nothing to type}\`" [ -n "$command" ] && as ann "$command"
}
