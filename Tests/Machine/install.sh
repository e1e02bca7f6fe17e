# shellcheck shell=bash
# The package: installed by systemd/install and by apt, upgraded, removed, purged; a person's own service.

as_ann() { patience=900 quietly as ann "cd '$package' && systemd/install $*"; }

as_root() { patience=900 quietly as ann "sudo '$package/systemd/install' $*"; }

has_said() { grep -qF -- "$1" "$work/said"; }
has_not_said() { ! has_said "$1"; }

owned() { [ "$(inside stat -c '%U:%G %a' "$1")" = "$2" ]; }

is_in_group() { inside id -nG "$1" | grep -qw apod-mirror; }

# installs the package that was built, as a person without the source does.
apt_install() { patience=900 quietly inside env DEBIAN_FRONTEND=noninteractive SUDO_USER=ann apt-get install -y --reinstall "$deb"; }

apt_get() { quietly inside apt-get "$@" -y apod-mirror; }

# The settings are made for this machine: what needs root and a new root alike.
restart() { inside systemctl daemon-reload && inside systemctl restart apod-mirror; }

case_install() {
    mark=$(inside date +%s.%6N)
    once "a person with sudo installs it" as_ann || return 1
    deb=$(inside sh -c "ls '$package'/.build/apod-mirror_*.deb")
    once "and is told first what will be done" grep -q "^This installs apod-mirror:" <(head -1 "$work/said")
    once "and of the settings, the folder, the group" tells_places "from your next login on"
    check "it is active, though there is no network" is ActiveState active
    check "and starts with the machine" inside systemctl is-enabled apod-mirror
    once "/srv/apod is the mirror's own" owned /srv/apod "apod-mirror:apod-mirror 2755"
    as ann "umask 022; mkdir /srv/apod/favorites/first"
    once "an album is the group's at once" owned /srv/apod/favorites/first "ann:apod-mirror 2775"
    once "the person is in the group" is_in_group ann
    check "the man page is found" inside man -w apod-mirror
    check "the settings say where the folder is" grep -qx 'root = /srv/apod' "$root$settings"
    once "and name all others as comments" names_all_settings
}

# tells_places WORDS: and, with these, of the group.
tells_places() { has_said "pictures   /srv/apod; the first" && has_said "settings   $settings; after" && has_said "$1"; }

names_all_settings() {
    local keys
    keys=$(inside apod-mirror config --config /dev/null | sed 's/^# //; s/ = .*//' | sort)
    [ "$(grep -oE '^#?[a-z-]+ = ' "$root$settings" | sed 's/^#//; s/ = //' | sort)" = "$keys" ] &&
        inside sh -c "sed 's/^#\([^ ]* =\)/\1/' $settings >/tmp/all && apod-mirror config --check --config /tmp/all"
}

# before_building WORDS COMMAND…: fails before anything is built, with these words, once.
before_building() {
    local words=$1
    shift
    fails "$@" && has_said "$words" && [ "$(grep -cF -- "$words" "$work/said")" = 1 ] &&
        has_not_said "Building" && has_not_said "Failed" || { cat "$work/said" >&2; return 1; }
}

# What can be known before a long build is.
case_refused() {
    once "who has no sudo is told what to do" before_building "somebody who may use sudo" \
        quietly as ben "cd '$package' && systemd/install"
    once "who has no Swift, too" before_building "Swift 6.2 or newer is needed" \
        quietly as ann "cd '$package' && PATH=/usr/bin:/bin systemd/install"
}

case_upgrade() {
    local before
    echo "# mine" >>"$root$settings"
    adjust Restart=no "ExecStartPre=sh -c 'echo no luck; exit 1'"
    once "what does not start" fails as_ann
    once "is told, and where to read why" has_said "did not start: sudo journalctl -u apod-mirror"
    adjust
    once "run again, through sudo, it is upgraded" as_root || return 1
    once "and built by the person nevertheless" silent inside find "$package/.build/install" -user root
    check "it is active" is ActiveState active
    check "the settings are as they were" grep -qx '# mine' "$root$settings"
    before=$(property MainPID)
    configure "nonsense = 1"
    once "with a fault in the settings it is upgraded" apt_install
    check "which are named with their line" has_said "$settings:4: unknown setting"
    check "what runs goes on" is MainPID "$before"
    inside systemctl disable --now --quiet apod-mirror
    # As after a power cut.
    : >"$root$settings"
    once "a service that is disabled" apt_install
    once "stays so" fails is ActiveState active
    once "which is told" has_said "was not started. To start it: sudo systemctl enable --now apod-mirror"
    once "empty settings are made again" names_all_settings
    inside systemctl enable --now --quiet apod-mirror
}

case_repository() {
    local folder=/home/ann/packages at=http://127.0.0.1:8097
    as ann "mkdir packages"
    as ann "gpg --batch --quiet --passphrase '' --quick-generate-key ann ed25519"
    once "with one, it is made" quietly as ann "'$package/systemd/package' --repository packages $at" || cat "$work/said" >&2
    inside systemd-run --quiet --collect --unit repository /usr/bin/python3 -m http.server --bind 127.0.0.1 \
        --directory $folder "${at##*:}"
    check "apt reads it" from_repository update -o APT::Update::Error-Mode=any
    once "and installs from it" from_repository install -y --reinstall apod-mirror
    check "what is there" inside sh -c "journalctl --quiet --unit repository --output cat | grep -q 'GET .*apod-mirror_.*deb'"
    check "it is active" is ActiveState active
    inside systemctl stop repository
}

from_repository() {
    quietly inside env DEBIAN_FRONTEND=noninteractive apt-get -o Dir::Etc::SourceList=/dev/null \
        -o Dir::Etc::SourceParts="$folder" -o APT::Get::List-Cleanup=0 "$@"
}

case_unit() {
    local own="/dev/mqueue /run/apod-mirror /run/apod-mirror-web /srv/apod /tmp /var/lib/apod-mirror /var/tmp"
    once "systemd-analyze verify is silent" silent inside systemd-analyze verify apod-mirror.service
    once "of a person's, too" silent as ann "systemd-analyze --user verify apod-mirror.service"
    once "lintian finds no error in the package" inside lintian --allow-root --fail-on error "$deb"
    once "its exposure is 1.3 at most" inside systemd-analyze security --no-pager --threshold=13 apod-mirror.service
    [ -e /usr/share/man/mandoc.db ] || makewhatis
    once "mandoc has nothing to say of the man page" silent mandoc -T lint "$package/systemd/apod-mirror.1"
    once "nor shellcheck of the scripts" silent shellcheck -x -P "$package/systemd" \
        "$package"/systemd/{try,install,package,image,generator,make-folder,run,tell} "$package"/systemd/debian/p*
    once "nor the rules of stores of their files" silent /usr/bin/python3 "$here/stores.py" "$(inside dpkg-deb -f "$deb" Version)"
    check "it may write nowhere but in $own" may_write_in "$own"
}

# The folders in which the service may write are these, and those in them. /dev/mqueue, /tmp and /var/tmp are its own.
may_write_in() {
    local process mounts
    process=$(property MainPID)
    mounts=$(inside awk '$6 ~ /^rw/ && $5 !~ "^/proc" { print $5 }' "/proc/$process/mountinfo")
    # shellcheck disable=SC2086
    inside nsenter -m -t "$process" setpriv --reuid apod-mirror --regid apod-mirror --init-groups \
        find $mounts -xdev -maxdepth 1 -type d -writable -print -prune 2>/dev/null | sort -u | xargs >"$work/said"
    [ "$(cat "$work/said")" = "$1" ] || { cat "$work/said" >&2; return 1; }
}

# Another root in the settings: one in /home, one that the person has not made, and a link to such a one.
case_other_root() {
    local folder
    begin
    mkdir -p "$root/data" && ln -s linked "$root/data/link"
    for folder in "/home/ann/my apod" '/data/a $x 5%: "b"' /data/link /data/apod; do
        configure "root = $folder  # there"
        # As Windows saves it.
        sed -i '1s/^/\xef\xbb\xbf/; s/$/\r/' "$root$settings"
        upstream --days 3 --bytes 20000
        once "with $folder and one more command, it is active" restart || return 1
        check "all is there" has_days 3
        once "in that folder" [ -e "$root$folder/latest.json" ]
        once "an album in it is the group's" makes_album "$folder"
    done
    once "a reload does not lead there" fails reload_with "root = /home/ann/my apod"
    check "with a word of what to do" said "sudo systemctl daemon-reload && sudo systemctl restart apod-mirror"
    once "nor does a sync, which says what the service keeps" refused ann "apod-mirror sync" \
        "but keeps /data/apod; after a change of \`root\`, "
    inside systemctl stop apod-mirror
    once "nothing is in /srv/apod" is_empty /srv/apod
    configure "root = /srv/none/apod"
    once "in a folder that is not there, it does not start" fails restart
    mkdir "$root/data/mine" && echo >"$root/data/mine/letter"
    configure "root = /data/mine"
    restart
    once "a folder with something else in it stays whose it is" owned /data/mine "root:root 755"
    check "and the service says so" said "cannot make the folder /data/mine/.apod-mirror"
    configure
    once "back in /srv/apod, it is active" restart
    inside sed -i '/^root/d' $settings
    once "which is where it is without a word in the settings" restart
}

# makes_album ROOT
makes_album() {
    as ann "umask 022; mkdir '$1/favorites/first'" && owned "$1/favorites/first" "ann:apod-mirror 2775"
}

case_user() {
    local theirs=/home/ann/.config/apod-mirror.conf unit="systemctl --user"
    inside systemctl stop apod-mirror
    configure "nonsense = 1" && upstream --days 3 --bytes 20000
    inside rm -rf /home/ann/.config
    once "a person starts one of their own, by no settings at all" as ann "$unit enable --now apod-mirror"
    check "it is active" as ann "$unit is-active apod-mirror"
    check "in a folder of their own" [ -d "$root/home/ann/Pictures/APOD/favorites" ]
    printf '%s\n' "upstream = $origin" "rate = 0" >>"$root$theirs"
    once "with settings of their own it is reloaded" as ann "$unit reload apod-mirror"
    echo "since = yesterday" >>"$root$theirs"
    once "with a fault in them it is not" fails as ann "$unit reload apod-mirror"
    sed -i '/^since/d' "$root$theirs"
    check "all is there" as ann "apod-mirror status --json | jq -e '.days == 3'"
    as ann 'ln -s "$PWD/Pictures/APOD/latest" Pictures/APOD/favorites/mine'
    check "a link is a favorite" as ann "apod-mirror favorites list --json | jq -e 'length == 1'"
    once "it is ended" as ann "$unit disable --now apod-mirror"
    once "it does not run" fails as ann "$unit is-active apod-mirror"
    configure
    rm -r "$root/home/ann/Pictures/APOD" "$root$theirs"
}

case_remove() {
    begin_whole 3
    once "the web is switched on" inside systemctl enable --quiet --now apod-mirror-web.socket
    once "it is removed" as_ann --uninstall || return 1
    check "it does not run" is_not ActiveState active
    once "and says what stays" has_said "The pictures stay in /srv/apod"
    once "they do" [ -e "$root/srv/apod/latest.json" -a -e "$root$settings" ]
    inside find /srv/apod -delete
    once "installed again when the pictures are gone" apt_install
    check "it begins anew, by the settings that there were" has_days 3
    once "the web is there again" inside systemctl is-active --quiet apod-mirror-web.socket
    inside mkdir -p /var/lib/apod-mirror/APOD
    once "it is purged" apt_get purge
    once "a mirror in the folder of the service stays" inside rmdir /var/lib/apod-mirror/APOD /var/lib/apod-mirror
    once "and says where the pictures are" has_said "The pictures stay in /srv/apod; they belong to the user apod-mirror"
    once "they are" [ -e "$root/srv/apod/latest.json" ]
    once "and nothing else is left" left_over "/etc/group /etc/passwd /srv/apod"
    once "installed without the source" apt_install
    check "it goes on with what is there" status ".pictures == 3"
}

# left_over PATHS: what still is there, or names it.
left_over() {
    inside sh -c "find /etc /usr /var/lib /run -xdev -name '*apod*' ! -path '*/lib/dpkg/*' ! -path '/var/lib/apt/*' ! -path '/var/lib/containers/*' \
        ! -path '/run/systemd/*' ! -path '$units/apod-mirror.service.d*'; grep -l apod-mirror /etc/passwd /etc/group; ls -d /srv/apod" |
        sort | xargs >"$work/said"
    [ "$(cat "$work/said")" = "$1" ] || { cat "$work/said" >&2; return 1; }
}

# As on a machine that another init has booted.
case_foreground() {
    local id start
    inside systemctl stop apod-mirror 2>/dev/null
    patience=600 once "without systemd it is installed" quietly without_systemd "PATH=$PATH exec '$package/systemd/install'"
    once "systemd's commands are not told" fails grep -E "systemctl|journalctl" "$work/said"
    start=$(sed -n 's/^start .*, so: //p' "$work/said")
    once "status tells the same command as the installer" grep -qF "\`$start\`" <(without_systemd "apod-mirror status" 2>&1)
    without_systemd "exec $start" >"$work/said" 2>&1 &
    id=$!
    check "it runs, and watches" has_said "watching /srv/apod/favorites"
    check "as the mirror's user" runs_as_mirror
    inside pkill -HUP -xu apod-mirror apod-mirror
    check "told so, it reads its settings" has_said "the settings are the same as before"
    once "it is purged" quietly without_systemd "exec apt-get purge -y apod-mirror"
    check "and ends" is_gone "$id"
    once "nothing else is left" left_over "/etc/group /etc/passwd /srv/apod"
}

without_systemd() { inside unshare --mount sh -c "mount -t tmpfs tmpfs /run/systemd && $1"; }

runs_as_mirror() { [ "$(inside ps -o comm= -u apod-mirror)" = apod-mirror ]; }
