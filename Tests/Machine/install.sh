# shellcheck shell=bash
# systemd/install, as a person with sudo, as root, and for a person alone.

run_install() { "$@" >"$work/said" 2>&1 || { tail -5 "$work/said" >&2; return 1; }; }

as_ann() { run_install as ann "cd '$package' && systemd/install $*"; }

as_root() { run_install as ann "sudo '$package/systemd/install' $*"; }

has_said() { grep -qF -- "$1" "$work/said"; }
has_not_said() { ! has_said "$1"; }

installed_files=(/usr/local/bin/apod-mirror /usr/local/share/man/man1/apod-mirror.1
    /usr/local/share/bash-completion/completions/apod-mirror /usr/local/share/zsh/site-functions/_apod-mirror
    /etc/fish/completions/apod-mirror.fish /etc/systemd/system/apod-mirror.service
    /etc/sysusers.d/apod-mirror.conf /etc/tmpfiles.d/apod-mirror.conf)

# all_are STATE: there or gone.
all_are() {
    local states
    states=$(inside sh -c 'for file; do [ -e "$file" ] && echo there || echo gone; done' sh "${installed_files[@]}")
    [ "$(sort -u <<<"$states")" = "$1" ]
}

owned() { [ "$(inside stat -c '%U:%G %a' "$1")" = "$2" ]; }

is_in_group() { inside id -nG "$1" | grep -qw apod-mirror; }

case_install() {
    mark=$(inside date +%s.%6N)
    once "a person with sudo installs it" as_ann || return 1
    once "and is told first what will be done" grep -q "^This installs apod-mirror:" <(head -1 "$work/said")
    once "and at the end what was made" tells_files
    once "and of nothing that went wrong" has_not_said "Failed"
    check "it is active, though there is no network" is ActiveState active
    check "and starts with the machine" inside systemctl is-enabled apod-mirror
    once "all files are there" all_are there
    once "/srv/apod is the mirror's own" owned /srv/apod "apod-mirror:apod-mirror 2755"
    as ann "umask 022; mkdir /srv/apod/favorites/first"
    once "an album is the group's at once" owned /srv/apod/favorites/first "ann:apod-mirror 2775"
    once "the person is in the group" is_in_group ann
    check "and is told so" has_said "from your next login on"
    check "the man page is found" inside man -w apod-mirror
    check "the settings say where the folder is" grep -qx 'root = /srv/apod' "$root$settings"
}

tells_files() {
    local file others=("$settings" /usr/local/share/apod-mirror/folders "$units/multi-user.target.wants/apod-mirror.service")
    for file in "${installed_files[@]}" "${others[@]}"; do has_said " $file" || { say "$file"; return 1; }; done
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
    local folder=/etc/fish/completions/apod-mirror.fish
    once "who has no sudo is told what to do" before_building "systemd/install --user" \
        run_install as ben "cd '$package' && systemd/install"
    once "who has no Swift, too" before_building "Swift 6.2 or newer is needed" \
        run_install as ann "cd '$package' && PATH=/usr/bin:/bin systemd/install"
    inside sh -c 'mkdir -p /closed && mount -t tmpfs -o ro tmpfs /closed'
    inside cp -a /etc/systemd/system/apod-mirror.service /root/unit
    inside rm /etc/systemd/system/apod-mirror.service
    once "and who names a place that cannot be written" before_building "/closed is read-only" as_ann --prefix /closed/x
    inside mv /root/unit /etc/systemd/system/apod-mirror.service
    inside umount /closed
    inside rm "$folder" && inside mkdir -p "$folder/apod-mirror.fish.new"
    once "what fails later" fails as_ann
    once "is told by what fails" has_said "cannot overwrite directory" || cat "$work/said" >&2
    once "and ends with what to do, once" [ "$(grep -c "^Failed (see above)" "$work/said")" = 1 ]
    inside rm -r "$folder"
    adjust Restart=no "ExecStartPre=sh -c 'echo no luck; exit 1'"
    once "what does not start" fails as_ann
    once "is told in its words, once" [ "$(grep -c "no luck" "$work/said")$(has_said "did not start" && echo yes)" = 1yes ]
    once "and not in systemd's" has_not_said "Job for"
    adjust
    once "run again, it is installed" as_ann
    once "and nothing is left that kept sudo awake" fails inside pgrep -u ann -f systemd/install
}

case_upgrade() {
    local before
    before=$(property MainPID)
    echo "# mine" >>"$root$settings"
    inside sh -c 'echo old >/usr/local/bin/old && mv /usr/local/bin/old /usr/local/bin/apod-mirror'
    once "it is upgraded through sudo" as_root || return 1
    once "and built by the person nevertheless" silent inside find "$package/.build/install" -user root
    check "another process runs" is_not MainPID "$before"
    check "it is active" is ActiveState active
    check "the command is the new one" inside apod-mirror --version
    check "the settings are as they were" grep -qx '# mine' "$root$settings"
    once "nobody is told of the group again" fails has_said "from your next login on"
}

case_unit() {
    local own="/dev/mqueue /run/apod-mirror /srv/apod /tmp /var/lib/apod-mirror /var/tmp"
    inside systemd-analyze verify apod-mirror.service >"$work/said" 2>&1
    once "systemd-analyze verify is silent" [ ! -s "$work/said" ]
    once "its exposure is 1.2 at most" is_exposed 12
    once "one of 1.1 would be told" fails is_exposed 11
    once "mandoc has nothing to say of the man page" silent mandoc -T lint "$package/systemd/apod-mirror.1"
    once "nor shellcheck of the scripts" silent shellcheck -x -P "$package/systemd" "$package/systemd/install"
    check "it may write nowhere but in $own" may_write_in "$own"
    check_worker
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

# is_exposed TENTHS: no more than that.
is_exposed() { inside systemd-analyze security --no-pager --threshold="$1" apod-mirror.service; }

# The programs that decode pictures are to be started from inside, and to lock themselves in further: seccomp(2) is
# asked for an action, landlock_create_ruleset(2) for its version. What is forbidden is answered with EPERM.
check_worker() {
    local seccomp=317
    [ "$(uname -m)" = x86_64 ] || seccomp=277
    cat >"$root/usr/local/bin/worker" <<END
#!/usr/bin/perl
my \$action = pack("L", 0x7fff0000);
exit 1 if syscall($seccomp, 2, 0, \$action) < 0 && \$! == 1;
exit 2 if syscall(444, 0, 0, 1) < 0 && \$! == 1;
END
    chmod +x "$root/usr/local/bin/worker"
    begin
    adjust Type=oneshot Restart=no ExecStart= "ExecStart=sh -c /usr/local/bin/worker"
    once "a program that it starts may lock itself in" inside systemctl restart apod-mirror
}

# silent COMMAND…: it succeeds, and prints nothing.
silent() {
    local words
    words=$("$@" 2>&1) && [ -z "$words" ]
}

# Another root in the settings: one below /home, one that the person has not made, and a link to such a one.
case_other_root() {
    local folder
    begin
    mkdir -p "$root/data" && ln -s linked "$root/data/link"
    for folder in /home/ann/my\ apod /data/apod /data/link; do
        configure "root = $folder"
        upstream --days 3 --bytes 20000
        once "with $folder it is installed again" as_root || return 1
        check "all is there" has_days 3
        once "in that folder" [ -e "$root$folder/latest.json" ]
        once "an album in it is the group's" makes_album "$folder"
        [ "$folder" != /data/apod ] || check_former_root "/home/ann/my apod"
        inside systemctl stop apod-mirror
    done
    once "what the link leads to is the mirror's own" as_root
    once "nothing is in /srv/apod" silent inside ls -A /srv/apod
    configure "root = /srv/none/apod"
    once "where there is no disk, it is refused" fails as_root
    once "before anything is built" has_not_said "Building"
    check "with a word of what to do" has_said "Mount its disk"
    mkdir "$root/data/mine" && echo >"$root/data/mine/letter"
    configure "root = /data/mine"
    once "a folder with something else in it is refused" fails as_root
    check "with a word of what to do" has_said "holds other things than a mirror"
    once "and stays whose it is" owned /data/mine "root:root 755"
    configure
    once "back in /srv/apod, it is active" as_root
    once "with nothing added to the unit" [ ! -e "$root$units/apod-mirror.service.d/folders.conf" ]
    inside sed -i '/^root/d' /etc/apod-mirror.conf
    once "which is where it is without a word in the settings" inside sh -c "apod-mirror config | grep -q 'root = /srv/apod'"
}

# check_former_root ROOT: the settings name it, and the service keeps the former one until it is installed again.
check_former_root() {
    configure "root = $1"
    once "where it may not write, a reload fails" fails inside systemctl reload apod-mirror
    once "with a word of what to do" inside sh -c \
        "journalctl -u apod-mirror -n 200 -o cat | grep -qF 'may not write in $1; run \`systemd/install\` again'"
    once "so does a sync" fails as ann "apod-mirror sync 2>said"
    once "which says what the service keeps" \
        grep -qF "but keeps /data/apod; after a change of \`root\`, run \`systemd/install\` again" "$root/home/ann/said"
    configure "root = /data/apod"
    once "what it keeps is right" inside apod-mirror config --check
}

# makes_album ROOT
makes_album() {
    as ann "umask 022; mkdir '$1/favorites/first'" && owned "$1/favorites/first" "ann:apod-mirror 2775"
}

case_faulty_settings() {
    local before
    before=$(property MainPID)
    configure "nonsense = 1"
    once "with a fault in the settings nothing is installed" fails as_root
    check "which are named with their line" has_said "$settings:4: unknown setting"
    check "what runs goes on" is MainPID "$before"
    configure
}

case_user() {
    local theirs=/home/ann/.config/apod-mirror.conf unit="systemctl --user"
    inside systemctl stop apod-mirror
    configure "nonsense = 1" && upstream --days 3 --bytes 20000
    once "a person installs it without sudo" as_ann --user || return 1
    check "it is active, by their own settings alone" as ann "$unit is-active apod-mirror"
    configure
    once "with a folder of their own" grep -qx "root = /home/ann/Pictures/APOD" "$root$theirs"
    printf '%s\n' "upstream = $origin" "rate = 0" >>"$root$theirs"
    once "it is upgraded" as_ann --user
    echo "since = yesterday" >>"$root$theirs"
    once "with a fault in them it is not reloaded" fails as ann "$unit reload apod-mirror"
    sed -i '/^since/d' "$root$theirs"
    once "without, it is" as ann "$unit reload apod-mirror"
    check "all is there" as ann ".local/bin/apod-mirror status --json | jq -e '.days == 3'"
    as ann 'ln -s "$PWD/Pictures/APOD/latest" Pictures/APOD/favorites/mine'
    check "a link is a favorite" as ann ".local/bin/apod-mirror favorites list --json | jq -e 'length == 1'"
    once "it is uninstalled" as_ann --user --uninstall
    once "it does not run" fails as ann "$unit is-active apod-mirror"
    once "nor is the command there" [ ! -e "$root/home/ann/.local/bin/apod-mirror" ]
    once "nor any folder that was made for it" has_no_folders /home/ann/.config/systemd /home/ann/.local/libexec \
        /home/ann/.local/share/apod-mirror /home/ann/.local/state/apod-mirror
    once "the pictures are" [ -e "$root/home/ann/Pictures/APOD/latest.json" ]
    check "the person is told where" has_said /home/ann/Pictures/APOD
    check "and how to go on" has_said "systemd/install --user"
    once "commands go by the machine's settings then" as ann "apod-mirror config | grep -q '^root = /srv/apod '"
    rm -r "$root/home/ann/Pictures/APOD"
    once "installed again when the pictures are gone" as_ann --user
    check "it begins anew, by the person's settings" as ann ".local/bin/apod-mirror status --json | jq -e '.days == 3'"
    once "it is uninstalled" as_ann --user --uninstall
    once "twice is no fault" as_ann --user --uninstall
    once "and names the machine's own" has_said "systemd/install --uninstall"
    once "installed again" as_ann --user
    as ann "$unit stop apod-mirror && mv Pictures/APOD moved"
    sed -i "s|^root = .*|root = /home/ann/moved|" "$root$theirs"
    once "with the mirror elsewhere, too" as_ann --user
    check "all is there" as ann ".local/bin/apod-mirror status --json | jq -e '.days == 3'"
    once "it is uninstalled" as_ann --user --uninstall
    as ann "$(sed -n 's/.* To delete them: //p' "$work/said")"
    once "as it says, all of it is deleted" [ ! -e "$root/home/ann/moved" -a ! -e "$root$theirs.uninstalled" ]
    once "installed again" as_ann --user
    check "it begins anew where it is usual" as ann ".local/bin/apod-mirror status --json | jq -e .watching"
    once "it is uninstalled" as_ann --user --uninstall
    rm -r "$root$theirs.uninstalled" "$root/home/ann/Pictures/APOD"
}

# has_no_folders FOLDER…: none of them is there.
has_no_folders() { ! inside ls -d "$@" 2>/dev/null | grep . >&2; }

case_uninstall() {
    begin
    upstream --days 3 --bytes 20000 && configure
    inside systemctl start apod-mirror
    check "there are pictures" has_days 3
    inside adduser --quiet ann apod-mirror
    once "it is uninstalled" as_ann --uninstall || return 1
    check "it does not run" is_not ActiveState active
    once "no file is left" all_are gone
    once "the pictures and the settings are" [ -e "$root/srv/apod/latest.json" -a -e "$root$settings" ]
    check "the person is told where" has_said /srv/apod
    check "and how to delete it" has_said "sudo rm -r '/srv/apod' '$settings' /var/lib/apod-mirror"
    check "and the group, which has a member" has_said "sudo delgroup apod-mirror"
    inside deluser --quiet ann apod-mirror
    once "twice is no fault" as_ann --uninstall
    check "a group without members goes with its user" has_not_said delgroup
    inside find /srv/apod -delete
    once "installed again when the pictures are gone" as_ann
    check "it begins anew" has_days 3
    once "it is uninstalled" as_ann --uninstall
}

case_prefix() {
    once "where the service could not see it, it is refused" fails as_ann --prefix /home/ann/apod
    check "and says so" has_said "hidden from the service"
    once "it is installed in /opt/apod" as_ann --prefix /opt/apod || return 1
    check "it runs from there" runs_from /opt/apod/bin/apod-mirror
    once "nothing is in /usr/local" [ ! -e "$root/usr/local/bin/apod-mirror" ]
    once "in another folder beside it, it is refused" fails as_ann --prefix /opt/other
    once "with a word of where it is" has_said "It is installed in /opt/apod"
    once "it is uninstalled from where it is" as_ann --uninstall
    once "nothing is left, not even a folder" [ -d "$root/opt" -a ! -e "$root/opt/apod" ]
}

runs_from() { [ "$(inside readlink "/proc/$(property MainPID)/exe")" = "$1" ]; }

# As on a machine that another init has booted.
case_foreground() {
    inside systemctl stop apod-mirror 2>/dev/null
    inside unshare --mount sh -c "mount -t tmpfs tmpfs /run/systemd && PATH=$PATH exec '$package/systemd/install'" \
        >"$work/said" 2>&1 &
    local id=$!
    check "without systemd it ends in the foreground" has_said "systemd does not run here"
    check "and watches" has_said "watching /srv/apod/favorites"
    check "as the mirror's user" runs_as_mirror
    kill "$(pgrep -P "$id")" 2>/dev/null
    check "until it is told to end" is_gone "$id"
}

runs_as_mirror() { [ "$(inside ps -o comm= -u apod-mirror)" = apod-mirror ]; }
